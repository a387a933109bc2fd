"""A kernel of the user's own, a plain function, goes through every learner."""

import math
from itertools import product

import numpy as np

from budgetron.engine import blocked, one_by_one
from budgetron.kernels import OwnKernel
from covering import across
from laws.learners import LEARNERS, over, storages
from laws.runs import assert_same, dense, prequential_run, run
from streams import tied_stream

LENGTH = 60
OF_ANY_KERNEL = [case for case in LEARNERS if case.keeps_examples]
WITHOUT_A_SPAN = [case for case in OF_ANY_KERNEL if "Pseudo" not in case.estimator.__name__]


def inner_products(A, B):
    return dense(A @ B.T)


def laplacian(A, B):
    return np.exp(-np.abs(dense(A)[:, None] - dense(B)).sum(axis=2))


def laplacian_of_two(x, y):
    return math.exp(-sum(abs(a - b) for a, b in zip(x, y, strict=True)))


@across(OF_ANY_KERNEL, storage=storages, normalize=(False, True))
def test_inner_products_are_the_linear_kernel(case, storage, normalize):
    X, y = tied_stream(length=LENGTH)
    X = storage(X)
    own, built_in = (
        prequential_run(case.new(normalize=normalize, random_state=0, **kernel), X, y, [1, 4])
        for kernel in (
            {"kernel": inner_products},
            {
                "kernel": "poly",
                "degree": 1,
                "gamma": 1.0,
                "coef0": 0.0,
            },  # linear, and not known to be
        )
    )
    assert_same(own, built_in, case.tolerance)


@over(WITHOUT_A_SPAN)
def test_a_laplacian_kernel_follows_the_papers(case):
    X, labels = tied_stream(length=LENGTH)
    for (name, storage), engine in product(storages(case).items(), (one_by_one, blocked)):
        rows = storage(X)
        learner = case.at_work(OwnKernel(laplacian), rows)
        expected = case.by_reference(laplacian_of_two, X, labels, beside=learner)
        found = run(engine, learner, rows, labels)
        assert_same(found, expected, 1e-8, f"{name}, {engine.__name__}")
