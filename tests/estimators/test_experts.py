"""Budgetron's experts beside the filters: the labels, and the stack."""

import numpy as np
import pytest

import oracle
from budgetron import Budgetron, prequential
from laws.kernels import KERNELS
from streams import grid_stream, smooth_stream


def runs(length=4000, mean=12, seed=0):
    rng = np.random.default_rng(seed)
    turns = np.cumsum(rng.random(length) < 1 / mean)
    return rng.normal(size=(length, 3)), np.where(turns % 2 == 0, 1, -1)


def test_labels_in_runs_are_told_from_the_last_label():
    X, y = runs()
    again = (y[1:] != y[:-1]).mean()
    trace = prequential(Budgetron(30), X, y, [-1, 1])
    assert trace.mistakes.mean() < again + 0.006


def test_useful_features_and_runs_are_added_up():
    X, y = runs()
    X[:, 0] += 1.2 * y
    by_label = (y[1:] != y[:-1]).mean()
    assert prequential(Budgetron(30), X, y, [-1, 1]).mistakes[500:].mean() < 0.8 * by_label


@pytest.mark.parametrize("classes", [3, 5])
def test_runs_of_many_classes_are_told_too(classes):
    rng = np.random.default_rng(0)
    turns = np.cumsum(rng.random(3000) < 1 / 12)
    y = rng.integers(0, classes, turns.max() + 1)[turns]
    trace = prequential(Budgetron(30), rng.normal(size=(3000, 3)), y)
    assert trace.mistakes.mean() < (y[1:] != y[:-1]).mean() + 0.02


def test_rare_labels_in_one_hot_rows_are_no_worse_than_the_majority():
    rng = np.random.default_rng(0)
    kinds = [rng.integers(0, many, 6000) for many in (5, 8, 12, 20)]
    X = np.concatenate([np.eye(own.max() + 1)[own] for own in kinds], axis=1)
    y = np.where(rng.random(6000) < 0.03, 1, -1)
    wrong = prequential(Budgetron(30), X, y, [-1, 1]).mistakes.mean()
    assert wrong < (y == 1).mean() + 0.001


def test_far_from_everything_it_errs_no_more_than_the_majority():
    X = np.random.default_rng(0).normal(size=(4000, 3))
    y = np.where(X[:, 0] > 0.8, 1, -1)
    X[2000:] *= 1000
    wrong = prequential(Budgetron(30, gamma=0.3), X, y, [-1, 1]).mistakes[2200:].mean()
    assert wrong < (y == 1).mean() + 0.02


def test_an_intercept_of_the_linear_kernel():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 6))
    y = np.where(X.sum(axis=1) > 2.4, 1, -1)
    found = {
        coef0: prequential(Budgetron(30, kernel="linear", coef0=coef0), X, y).mistakes.mean()
        for coef0 in ("auto", 0.0)
    }
    assert found["auto"] < 0.5 * found[0.0]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("stream", [smooth_stream, grid_stream])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_panel_follows_the_slow_reference(kernel, stream, weighted):
    X, y = stream()
    weights = np.random.default_rng(0).choice([0.0, 0.3, 1.0, 3.0], len(y))
    weights = weights if weighted else np.ones(len(y))
    learner = Budgetron(6, **KERNELS[kernel].estimator)
    stream = [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)]
    rounds = oracle.budgetron(stream, KERNELS[kernel].reference, budget=6, weights=weights.tolist())
    trace = prequential(learner, X, y, [-1, 1], sample_weight=weights)
    expected = np.array([float(round.score) for round in rounds])
    np.testing.assert_allclose(trace.scores, expected, atol=1e-6)
    np.testing.assert_array_equal(trace.mistakes, [round.mistake for round in rounds])
