"""One machine for many classes: what it promises whatever the rule is."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from budgetron.core.rule import contract
from budgetron.core.state import MISTAKES, SEEN, UPDATES
from budgetron.engine import (
    Learner,
    MulticlassLearner,
    NoRecord,
    Record,
    blocked,
    decide,
    one_by_one,
)
from budgetron.engine import together as all_together
from budgetron.kernels import gaussian, linear
from budgetron.rules.perceptron import Perceptron
from budgetron.rules.projectron import ProjectronPlusPlus
from laws.many_classes import (
    CLASSES,
    OF_EACH_KIND,
    ON_A_BUDGET,
    OTHERS,
    RULES,
    at_work,
    gaussian_stream,
    labels_of,
    over,
    over_streams,
    tied_stream,
    winners,
)
from laws.runs import assert_close, assert_same, run

KERNEL = gaussian(0.5)


@over(ON_A_BUDGET)
def test_the_budget_is_never_exceeded(rule):
    X, labels = gaussian_stream()
    for engine in (one_by_one, blocked):
        learner = at_work(rule, KERNEL, X)
        events = run(engine, learner, X, labels).events
        assert events[:, 2].max() == rule.budget
        assert learner.weights.shape == (CLASSES, learner.size)


@over(OF_EACH_KIND)
def test_prediction_changes_nothing(rule):
    X, labels = tied_stream()
    expected = run(blocked, at_work(rule, KERNEL, X), X, labels)
    learner = at_work(rule, KERNEL, X)
    before = run(blocked, learner, X[:150], labels[:150])
    state = pickle.dumps(learner)
    decide(learner, X)
    decide(learner, X, average=True)
    assert pickle.dumps(learner) == state
    after = run(blocked, learner, X[150:], labels[150:])
    assert_array_equal(np.vstack([before.events, after.events]), expected.events)


@over(OF_EACH_KIND)
def test_decisions_are_the_scores_that_would_be_recorded(rule):
    X, labels = tied_stream()
    learner = at_work(rule, KERNEL, X)
    run(blocked, learner, X, labels)
    scores = decide(learner, X)
    unweighted = labels_of(labels[:, 0], 0.0)  # nothing is learned from them
    for engine in (one_by_one, blocked):
        recorded = run(engine, learner, X, unweighted).scores
        assert_close(scores, recorded, 1e-9)
        assert_array_equal(winners(scores), winners(recorded))


@over(RULES)
def test_averages_are_over_the_hypotheses_that_predicted(rule):
    X, labels = gaussian_stream(length=120)
    learner, total = at_work(rule, KERNEL, X), 0.0
    for t in range(len(X)):
        total = total + decide(learner, X)
        one_by_one(learner, X[t : t + 1], labels[t : t + 1], NoRecord())
    average = decide(learner, X, average=True)
    assert learner.average_weights.shape == (CLASSES, learner.size)
    if hasattr(rule, "budget") and rule.budget < len(X):
        return  # supports that have left are missing from the average, as in the binary learners
    assert_close(average, total / len(X), 1e-8)


@over(RULES)
def test_the_weights_of_all_classes_add_up_to_nothing(rule):
    X, labels = gaussian_stream()
    learner = at_work(rule, KERNEL, X)
    run(blocked, learner, X, labels)
    assert_close(learner.weights.sum(axis=0), np.zeros(learner.size), 1e-8)


@over(RULES)
@over_streams
def test_a_class_may_come_late(rule, stream):
    X, labels = stream()
    labels[:100, 0] %= 2

    def late(engine, cuts):
        learner, runs = at_work(rule, KERNEL, X, 2), []
        for first, last in cuts:
            while learner.classes <= labels[first:last, 0].max():
                learner.add_class(learner.classes)
            runs.append(run(engine, learner, X[first:last], labels[first:last]))
        return runs, learner

    (early, blocked_late), learner = late(blocked, [(0, 100), (100, 300)])
    assert early.scores.shape == (100, 2)
    assert learner.weights.shape == (CLASSES, learner.size)
    (_, slowly_late), _ = late(one_by_one, [(0, 100), (100, 300)])
    assert_same(blocked_late, slowly_late)
    if stream is gaussian_stream and rule == Perceptron():
        assert set(winners(blocked_late.scores)) == set(range(CLASSES))


@pytest.mark.parametrize("engine", [one_by_one, blocked])
@pytest.mark.parametrize("classes", [0, 1])
@over([Perceptron(), ProjectronPlusPlus(0.0, 0.0, 8, 0.0)])
def test_with_fewer_than_two_classes_examples_are_seen_and_nothing_is_learned(
    rule, engine, classes
):
    X, labels = gaussian_stream(length=70, classes=1)
    learner = at_work(rule, KERNEL, X, classes)
    scores, events, *_ = run(engine, learner, X, labels)
    assert scores.shape == (70, classes) and not scores.any()
    assert not events[:, :3].any()
    assert learner.state.counts[[SEEN, MISTAKES, UPDATES]].tolist() == [70, 0, 0]
    assert decide(learner, X).shape == (70, classes)


@pytest.mark.parametrize("engine", [one_by_one, blocked])
@pytest.mark.parametrize("unknown", [-1, CLASSES])
def test_a_class_that_was_not_added_is_refused(engine, unknown):
    X, labels = gaussian_stream(length=10)
    labels[7, 0] = unknown
    learner = at_work(Perceptron(), KERNEL, X)
    with pytest.raises(ValueError, match="4 classes so far"):
        engine(learner, X, labels, NoRecord())


@over(RULES)
def test_an_example_of_weight_0_is_judged_and_not_learned(rule):
    X, labels = tied_stream()
    labels[::3, 1] = 0
    for engine in (one_by_one, blocked):
        _, events, *_ = run(engine, at_work(rule, KERNEL, X), X, labels)
        assert events[::3, 0].any()
        assert not events[::3, 1].any()


@pytest.mark.parametrize("engine", [one_by_one, blocked])
def test_an_example_of_weight_2_is_added_twice_as_heavily(engine):
    X, labels = gaussian_stream()
    labels[:, 1] = 2
    doubled, plain = at_work(Perceptron(), KERNEL, X), at_work(Perceptron(), KERNEL, X)
    twice = run(engine, doubled, X, labels)
    once = run(engine, plain, X, labels_of(labels[:, 0]))
    assert_array_equal(twice.events, once.events)
    assert_array_equal(twice.weights, 2 * once.weights)


def test_by_hand():
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
    labels = labels_of([2, 0, 1, 2])
    learner, record = at_work(Perceptron(), linear(), X, 3), Record(4, 3)
    blocked(learner, X, labels, record)
    # zero scores: class 0 wins ties, so the first is a mistake and the second is not
    assert record.scores.tolist() == [[0, 0, 0], [0, 0, 0], [-1, 0, 1], [-1, 1, 0]]
    assert record.events[:, 0].tolist() == [1, 0, 1, 1]
    assert learner.weights.T.tolist() == [[-1, 0, 1], [0, 1, -1], [0, -1, 1]]


def test_learners_of_both_kinds_go_together():
    X, labels = gaussian_stream()
    signs = np.where(labels[:, 0] < 2, -1.0, 1.0)
    rule = Perceptron()
    alone = at_work(rule, KERNEL, X), Learner(rule, KERNEL, X.shape[1])
    together = at_work(rule, KERNEL, X), Learner(rule, KERNEL, X.shape[1])
    for learner, given in zip(alone, (labels, signs), strict=True):
        blocked(learner, X, given, NoRecord())
    records = [Record(len(X), CLASSES), Record(len(X))]
    all_together(together, X, [labels, signs], records)
    for learner, other in zip(alone, together, strict=True):
        assert_array_equal(learner.weights, other.weights)


@over(OF_EACH_KIND)
def test_a_learner_goes_on_after_being_saved(rule):
    X, labels = tied_stream()
    learner = at_work(rule, KERNEL, X)
    run(blocked, learner, X[:150], labels[:150])
    again = pickle.loads(pickle.dumps(learner))
    expected = run(blocked, learner, X[150:], labels[150:])
    assert_same(run(blocked, again, X[150:], labels[150:]), expected, tolerance=0)


def test_these_rules_have_a_single_machine():
    names = {type(rule).__name__ for rule in RULES}
    assert names >= {"Perceptron", "Forgetron", "PassiveAggressiveI", "Projectron", "Stoptron"}


@over(OTHERS)
def test_other_rules_are_refused(rule):
    assert not contract(rule).multiclass
    with pytest.raises(ValueError, match=f"{type(rule).__name__} has no single machine"):
        MulticlassLearner(rule, KERNEL, 3, CLASSES)
