"""With two classes, the joint space is that of the kernel 2 k, and there is nothing new in it."""

from itertools import product

import numpy as np
from numpy.testing import assert_array_equal

from budgetron.engine import blocked, one_by_one
from budgetron.kernels import Kernel, gaussian, linear, polynomial
from laws.many_classes import (
    FREE_OF_SCALE,
    RULES,
    at_work,
    binary_at_work,
    gaussian_stream,
    over,
    tied_stream,
)
from laws.runs import assert_close, run

SQUARED = polynomial(2, 1.0, 1.0)
TWICE_SQUARED = polynomial(2, np.sqrt(2), np.sqrt(2))


def assert_alike(rule, streams, kernel, binary_kernel, factor=1.0):
    for engine, stream in product((one_by_one, blocked), streams):
        X, labels = stream(classes=2)
        signs = np.copysign(labels[:, 1], 2 * labels[:, 0] - 1)
        many = run(engine, at_work(rule, kernel, X, 2, zero_is_mistake=True), X, labels)
        learner = binary_at_work(rule, binary_kernel, X, zero_is_mistake=True)
        binary = run(engine, learner, X, signs)
        where = f"{engine.__name__}, {stream.__name__}"
        assert_array_equal(many.events, binary.events, where)
        assert_array_equal(many.supports, binary.supports, where)
        assert_close(many.weights, np.array([-binary.weights, binary.weights]), 1e-9, where)
        assert_close(many.scores[:, 1] - many.scores[:, 0], factor * binary.scores, 1e-9, where)


@over(RULES)
def test_every_rule_is_the_binary_one_with_twice_the_linear_kernel(rule):
    assert_alike(rule, [gaussian_stream, tied_stream], linear(), Kernel(product=2.0))


@over(RULES)
def test_every_rule_is_the_binary_one_with_twice_the_quadratic_kernel(rule):
    assert_alike(rule, [gaussian_stream], SQUARED, TWICE_SQUARED)


@over(FREE_OF_SCALE)
def test_rules_that_know_no_scale_make_the_same_mistakes_with_the_same_kernel(rule):
    kernel = gaussian(0.5)
    assert_alike(rule, [gaussian_stream, tied_stream], kernel, kernel, factor=2.0)
