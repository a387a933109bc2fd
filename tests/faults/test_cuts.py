"""However a stream is cut into calls, predictions, mistakes, updates and supports are the same.

`BUDGETRON_CUTS=1000 pytest tests/faults/test_cuts.py` goes through a thousand random streams, over
all learners.
"""

import os

import numpy as np
import pytest

import budgetron
from budgetron import Budgetron, Perceptron, ProjectronPlusPlus, RestartingExperts, prequential
from estimators.learners import IN_EVERY_LAYOUT
from faults.cutting import A_FEW, EVERY_LEARNER, Case, differences

CASES = int(os.environ.get("BUDGETRON_CUTS", "0"))


def is_compiled_anyway(case):
    """What is compiled for no other test is left to the long run."""
    in_float32, is_single = "dtype" in case.parameters, "multi_class" in case.parameters
    if case.name == "Forgetron":
        return not (in_float32 and is_single and case.is_sparse)
    has_sparse_rows = getattr(budgetron, case.name) in IN_EVERY_LAYOUT and not is_single
    return not in_float32 and (has_sparse_rows or not case.is_sparse)


def also_in_river(case):
    """There rows are sparse, and no single machine but the Forgetron's is compiled for them."""
    in_float32, is_single = "dtype" in case.parameters, "multi_class" in case.parameters
    return not is_single or (case.name == "Forgetron" and not in_float32)


SHORT_RUN = {
    name: [*filter(is_compiled_anyway, (Case(seed, name) for seed in range(24)))] for name in A_FEW
}


def long_run():
    """Every learner in turn."""
    return (Case(seed, EVERY_LEARNER[seed % len(EVERY_LEARNER)]) for seed in range(CASES))


@pytest.mark.parametrize("name", A_FEW)
def test_any_cut_gives_the_same_run(name):
    for case in SHORT_RUN[name]:
        assert not differences(case, and_in_river=also_in_river(case))


@pytest.mark.skipif(CASES == 0, reason="BUDGETRON_CUTS=1000 for a long run")
def test_any_cut_gives_the_same_run_of_every_learner():
    assert not [difference for case in long_run() for difference in differences(case)]


def test_the_cases_are_of_every_kind():
    cases = [case for own in SHORT_RUN.values() for case in own]
    assert {case.count for case in cases} == {1, 2, 3, 5}
    assert {case.is_sparse for case in cases} == {False, True}
    assert {case.parameters.get("dtype") for case in cases} == {None, "float32"}
    assert {case.named is None for case in cases} == {False, True}
    in_river = [case for case in cases if case.named is None and also_in_river(case)]
    assert {case.name for case in in_river} == {*A_FEW}
    assert {case.count for case in in_river} == {1, 2, 3, 5}
    assert any("multi_class" in case.parameters for case in in_river)


def learned(learner, X, y, cuts, **classes):
    """In so many calls."""
    for first, last in zip([0, *cuts], [*cuts, len(y)], strict=True):
        learner.partial_fit(X[first:last], y[first:last], **classes)
    return learner


@pytest.mark.parametrize(
    ("prefix", "first"), [(1, 0), (9, 1), (10, 0), (10, 1), (11, 0), (99, 1), (100, 0), (150, 1)]
)
def test_an_automatic_width_does_not_care_when_the_second_class_is_met(prefix, first):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    y[:prefix] = first
    named = learned(Budgetron(20), X, y, [], classes=[0, 1])
    scores = named.decision_function(X)
    for cuts in ([], [prefix], range(1, 300), range(10, 300, 10)):
        unnamed = learned(Budgetron(20), X, y, cuts)
        assert unnamed.n_mistakes_ == named.n_mistakes_
        assert unnamed.n_updates_ == named.n_updates_
        np.testing.assert_array_equal(unnamed.support_vectors_, named.support_vectors_)
        np.testing.assert_allclose(unnamed.decision_function(X), scores, atol=1e-9)


def test_a_sign_does_not_flip_when_the_width_is_chosen():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    y[:150] = 0
    trace = prequential(Budgetron(), X, y)
    assert trace.mistakes[:150].sum() == 1


def test_equal_scores_of_several_machines_are_equal_in_every_cut():
    rng = np.random.default_rng(3)
    X = rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], size=(400, 3))
    y = rng.integers(4, size=400)
    for dtype in ("float64", "float32"):
        rows = X.astype(np.float32) if dtype == "float32" else X
        whole = Perceptron(gamma=0.5, dtype=dtype)
        trace = prequential(whole, rows, y, classes=range(4))
        singly = Perceptron(gamma=0.5, dtype=dtype).partial_fit(rows[:1], y[:1], classes=range(4))
        predictions = []
        for x, label in zip(rows[1:], y[1:], strict=True):
            predictions.append(singly.predict_one(x))
            singly.learn_one(x, label)
        np.testing.assert_array_equal(predictions, trace.predictions[1:])
        assert singly.n_mistakes_ == whole.n_mistakes_
        np.testing.assert_array_equal([*map(singly.predict_one, rows)], whole.predict(rows))


def test_a_forgetron_in_float32_is_that_of_float64():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(2000, 3)).astype(np.float32)
    y = rng.integers(2, size=2000)
    single, double = (
        budgetron.Forgetron(20, kernel="linear", dtype=dtype).fit(X, y)
        for dtype in ("float32", "float64")
    )
    np.testing.assert_array_equal(single.support_vectors_, double.support_vectors_)
    np.testing.assert_array_equal(single.dual_coef_, double.dual_coef_)


def test_a_margin_of_exactly_0_is_no_margin_error():
    learner = ProjectronPlusPlus(budget=5, kernel="linear", zero_score="positive")
    trace = prequential(learner, [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [-1, 1, 1], classes=[-1, 1])
    assert trace.updates.tolist() == [True, False, True]
    assert trace.scores[1] == 0


def test_a_vote_does_not_depend_on_how_many_are_asked_for():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.integers(2, size=200)
    experts = [Perceptron(gamma=g) for g in (0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3)]
    learner = RestartingExperts(experts, random_state=0).fit(X, y)
    singly = [learner.decision_function(X[t : t + 1])[0] for t in range(200)]
    np.testing.assert_array_equal(learner.decision_function(X), singly)
