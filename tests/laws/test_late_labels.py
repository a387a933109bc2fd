"""A stream whose labels come late is a loop of predictions, and of lessons when they are due."""

import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import budgetron
from budgetron import (
    Budgetron,
    DriftingThreshold,
    Forgetron,
    ProjectronPlusPlus,
    RestartingExperts,
    prequential,
)
from budgetron.saving import load_with_waiting
from covering import across, naming
from laws.learners import LEARNERS, ONE_OF_EACH_KIND, storages
from laws.runs import assert_close, dense, weights_of
from streams import STREAMS, tied_stream

LENGTH = 90


def irregular(length):
    """Some labels come at once, some together, some late and some never."""
    rng = np.random.default_rng(3)
    late = np.round(rng.exponential(6, size=length), 1)
    late[rng.random(length) < 0.2] = 0
    late[rng.random(length) < 0.1] = np.inf
    return np.arange(length) + late


DELAYS = {"1": 1, "7": 7, "irregular": irregular(LENGTH)}
CLASSES = {2: np.array([-1, 1]), 3: np.array([-1, 1, 3])}


def labelled(stream, classes):
    """A stream of two classes, or of three."""
    X, y = stream(length=LENGTH)
    return X, np.where(X[:, 2] > 0.15, 3, y).astype(int) if classes == 3 else y.astype(int)


def times_of(delay):
    """When each label comes."""
    return np.arange(LENGTH) + delay if np.ndim(delay) == 0 else delay


def lessons_after(t, times):
    """The rows whose labels come after row t and before the next."""
    due = np.flatnonzero(np.floor(times) == t)
    return due[np.argsort(times[due], kind="stable")]


class Loop:
    """The definition: what is predicted with `decision_function`, and learned row by row.

    Whoever rates its own predictions is told what they were.
    """

    def __init__(self, learner, X, y, times, classes, weights=None):
        weights = np.ones(len(y)) if weights is None else weights
        self.first = int(np.floor(times.min())) + 1  # the first row that is not predicted blindly
        self.scores, self.predictions, asked = [], [], {}
        self.updates = np.zeros(len(y), bool)
        for t in range(len(y)):
            if t >= self.first:
                self.scores.append(learner.decision_function(X[t : t + 1])[0])
                self.predictions.append(learner.predict(X[t : t + 1])[0])
            if isinstance(learner, Budgetron):
                asked[t] = learner.ask_one(dense(X[t : t + 1])[0])
            for row in lessons_after(t, times):
                before = getattr(learner, "n_updates_", 0) if t >= self.first else 0
                here = slice(row, row + 1)
                if hasattr(learner, "classes_") and hasattr(learner, "learn_one"):
                    x, weight = dense(X[here])[0], weights[row]
                    told = [asked[row]] if row in asked else []
                    learner.learn_one(x, y[row], *told, sample_weight=weight)
                else:
                    learner.partial_fit(X[here], y[here], classes, sample_weight=weights[here])
                self.updates[row] = learner.n_updates_ > before

    def assert_is(self, trace, tolerance):
        assert_array_equal(trace.predictions[self.first :], self.predictions)
        assert_close(trace.scores[self.first :], np.array(self.scores), tolerance)
        assert_array_equal(trace.updates, self.updates)


def counts(learner):
    return learner.n_seen_, learner.n_mistakes_, learner.n_updates_


@across(LEARNERS, classes=[*CLASSES], delay=DELAYS, stream=STREAMS, storage=storages)
def test_the_pass_is_a_loop(case, classes, delay, stream, storage):
    X, y = labelled(stream, classes)
    X, named, times = storage(X), CLASSES[classes], times_of(delay)
    learner, alone = (case.new(gamma=0.5, random_state=0) for _ in range(2))
    trace = prequential(learner, X, y, named, delay=delay)
    Loop(alone, X, y, times, named).assert_is(trace, case.tolerance)
    assert counts(learner) == counts(alone)
    assert len(trace.waiting) == np.sum((times >= LENGTH) & (times < np.inf))
    if classes == 2 and case.keeps_examples:
        assert_array_equal(dense(learner.support_vectors_), dense(alone.support_vectors_))
        assert_close(weights_of(learner._learner), weights_of(alone._learner), case.tolerance)


@across(ONE_OF_EACH_KIND, classes=[*CLASSES], delay=DELAYS)
def test_any_cut_is_the_same_pass(case, classes, delay, tmp_path):
    X, y = labelled(tied_stream, classes)
    whole, named = case.new(gamma=0.5, random_state=0), CLASSES[classes]
    expected = prequential(whole, X, y, named, delay=delay)
    cut, waiting, traces = case.new(gamma=0.5, random_state=0), None, []
    for first, last in pairwise([0, 1, 4, 30, 31, 60, LENGTH]):
        here = slice(first, last)
        own = delay if np.ndim(delay) == 0 else delay[here] - first
        traces.append(prequential(cut, X[here], y[here], named, delay=own, waiting=waiting))
        cut.save(tmp_path / "model", waiting=traces[-1].waiting)
        cut, waiting = load_with_waiting(tmp_path / "model")
    for name in ("predictions", "mistakes"):
        ours = np.concatenate([getattr(trace, name) for trace in traces])
        assert_array_equal(ours, getattr(expected, name), name)
    assert_close(np.concatenate([t.scores for t in traces]), expected.scores, case.tolerance)
    assert counts(cut) == counts(whole)
    for name in ("X", "y", "sample_weight", "predictions"):
        assert_array_equal(getattr(waiting, name), getattr(expected.waiting, name), name)
    assert_close(waiting.due, expected.waiting.due, 1e-9)


OTHERS = {
    "widths": lambda: Budgetron(budget=8),
    "probability": lambda: Forgetron(budget=8, probability=True, class_weight="balanced"),
    "single machine": lambda: Forgetron(budget=8, multi_class="single_machine"),
    "common supports": lambda: ProjectronPlusPlus(budget=8, multi_class="shared"),
    "float32": lambda: Forgetron(budget=8, dtype="float32"),
    "threshold": lambda: DriftingThreshold(feature=0),
}


@pytest.mark.parametrize("name", OTHERS)
def test_learners_of_other_kinds(name):
    for classes in (2, 3) if name != "threshold" else (2,):
        (X, y), named = labelled(STREAMS["gaussian"], classes), CLASSES[classes]
        weights = np.random.default_rng(0).choice([0.0, 1.0, 1.0, 2.0], size=LENGTH)
        for delay in DELAYS.values():
            with naming((classes, delay)):
                learner, alone = OTHERS[name](), OTHERS[name]()
                trace = prequential(learner, X, y, named, delay=delay, sample_weight=weights)
                loop = Loop(alone, X, y, times_of(delay), named, weights)
                loop.assert_is(trace, 1e-5 if name == "float32" else 1e-9)
                assert counts(learner) == counts(alone)
                if name == "probability":
                    assert_close(learner.predict_proba(X), alone.predict_proba(X), 1e-9)


@across(ONE_OF_EACH_KIND, classes=[*CLASSES], delay=DELAYS)
def test_single_rows_are_asked_about_and_learned_later(case, classes, delay):
    X, y = labelled(tied_stream, classes)
    named, times, asked = CLASSES[classes], times_of(delay), {}
    learner, alone = (case.new(gamma=0.5, random_state=0) for _ in range(2))
    trace = prequential(learner, X, y, named, delay=delay)
    for t, x in enumerate(X):
        asked[t] = pickle.loads(pickle.dumps(alone.ask_one(x)))
        if hasattr(alone, "classes_"):
            assert asked[t].label == trace.predictions[t]
            assert_close(np.array(asked[t].score), trace.scores[t], 1e-6)
        for row in lessons_after(t, times):
            if hasattr(alone, "classes_"):
                alone.learn_one(X[row], y[row], asked[row])
            else:
                alone.partial_fit(X[[row]], y[[row]], classes=named)
    assert counts(learner) == counts(alone)


def test_a_prediction_that_makes_no_sense_changes_nothing():
    X, y = labelled(tied_stream, 3)
    three, two = Forgetron(budget=8).fit(X, y), Forgetron(budget=8).fit(X, np.minimum(y, 1))
    asked, before = three.ask_one(X[0]), pickle.dumps(two)
    wrong = [asked, asked._replace(label="?"), two.ask_one(X[0])._replace(advice=np.ones(2)), 2.0]
    for prediction in wrong:
        with naming(prediction), pytest.raises((TypeError, ValueError), match=r"redict|said"):
            two.learn_one(X[0], y[0], prediction)
    assert pickle.dumps(two) == before
    three.learn_one(X[0], y[0], two.ask_one(X[0]))  # from before there was a third class


def test_experts_draw_when_they_learn():
    X, y = labelled(tied_stream, 2)
    experts = [budgetron.Perceptron(gamma=0.5), Forgetron(budget=8, gamma=0.5)]
    learner, alone = (RestartingExperts(experts, restart_every=9, random_state=0) for _ in "ab")
    trace = prequential(learner, X, y, [-1, 1], delay=7)
    Loop(alone, X, y, times_of(7), [-1, 1]).assert_is(trace, 1e-9)
    assert counts(learner) == counts(alone)
    assert learner.expected_loss_ == pytest.approx(alone.expected_loss_)


def test_a_class_is_met_when_its_label_comes():
    X, y = labelled(tied_stream, 3)
    y[:40] = np.where(y[:40] == 3, 1, y[:40])
    y[20] = 3
    trace = prequential(Forgetron(budget=8), X, y, delay=7)
    assert_array_equal(np.isneginf(trace.scores[:, 2]), np.arange(LENGTH) <= 27)
    assert not (trace.predictions[:28] == 3).any()
    none_come = prequential(learner := Forgetron(budget=8), X[:5], y[:5], delay=7)
    assert not hasattr(learner, "classes_") and len(none_come.waiting) == 5
    rest = prequential(learner, X[5:], y[5:], delay=7, waiting=none_come.waiting)
    assert_array_equal(rest.predictions[3:], trace.predictions[8:])


def test_a_class_is_met_with_its_label_wherever_the_stream_is_cut():
    X, y = labelled(STREAMS["gaussian"], 2)
    y[40], y[60:] = 3, np.where(X[60:, 1] > 0, 3, y[60:])
    for make in (lambda: Budgetron(budget=8, gamma=0.5), lambda: Budgetron(budget=8)):
        whole, cut = make(), make()
        expected = prequential(whole, X, y, delay=7)
        first = prequential(cut, X[:47], y[:47], delay=7)  # the label of row 40 comes after row 47
        then = prequential(cut, X[47:], y[47:], delay=7, waiting=first.waiting)
        predictions = np.concatenate([first.predictions, then.predictions])
        assert_array_equal(predictions, expected.predictions)
        assert_allclose(then.scores, expected.scores[47:], rtol=0, atol=1e-9)
        assert counts(cut) == counts(whole)


@pytest.mark.parametrize("last_is_first", [False, True])
@pytest.mark.parametrize("name", ["a width", "widths", "common supports"])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_wait_while_classes_appear(name, last_is_first, classes):
    make = OTHERS.get(name, lambda: Budgetron(budget=8, gamma=0.5))
    X = STREAMS["gaussian"](length=LENGTH)[0]
    y = (X[:, 0] > 0).astype(int)
    y[:20] = 0
    if classes == 3:
        y[50:][X[50:, 1] > 0.2] = 2
    y = classes - 1 - y if last_is_first else y
    whole, cut, alone, waiting, asked = make(), make(), make(), None, []
    expected = prequential(whole, X, y, delay=7)
    for first, last in pairwise([0, 9, 18, 24, 30, 52, 60, LENGTH]):
        here = slice(first, last)
        trace = prequential(cut, X[here], y[here], delay=7, waiting=waiting)
        blind = max(8 - first, 0)
        assert_array_equal(trace.predictions[blind:], expected.predictions[here][blind:])
        cut, waiting = pickle.loads(pickle.dumps((cut, trace.waiting)))
    for t, x in enumerate(X):
        asked.append(pickle.loads(pickle.dumps(alone.ask_one(x))))
        assert t < 8 or asked[t].label == expected.predictions[t]
        if t >= 7:
            alone.learn_one(X[t - 7], y[t - 7], asked[t - 7])
    assert counts(whole) == counts(cut) == counts(alone)
    scores = whole.decision_function(X)
    assert_close(cut.decision_function(X), scores, 1e-9)
    assert_close(alone.decision_function(X), scores, 1e-9)


def test_no_delay_is_test_then_train():
    X, y = labelled(tied_stream, 2)
    plain, at_once = (Forgetron(budget=8, random_state=0) for _ in range(2))
    expected = prequential(plain, X, y)
    trace = prequential(at_once, X, y, delay=np.arange(LENGTH) + 0.5)
    for name in ("scores", "predictions", "mistakes", "updates", "sizes", "evicted"):
        assert_array_equal(getattr(trace, name), getattr(expected, name), name)
    assert pickle.dumps(plain) == pickle.dumps(at_once)


BAD_DELAYS = [
    *[-1, 1.5, True, "1", None],
    *[np.arange(LENGTH - 1), np.arange(LENGTH) - 1, np.full(LENGTH, np.nan), [True] * LENGTH],
]


def test_a_bad_delay_changes_nothing():
    X, y = labelled(tied_stream, 2)
    learner = Forgetron(budget=8).partial_fit(X, y)
    waiting = prequential(learner, X, y, delay=7).waiting
    before = pickle.dumps(learner)
    for delay in BAD_DELAYS:
        with naming(delay), pytest.raises((TypeError, ValueError), match=r"delay|arrival"):
            prequential(learner, X, y, delay=delay)
    for wrong, match in (
        ({"waiting": 7}, "that of a trace"),
        ({"waiting": waiting, "certify": True}, "at once"),
        ({"certify": True, "delay": 1}, "at once"),
    ):
        with pytest.raises((TypeError, ValueError), match=match):
            prequential(learner, X, y, **wrong)
    with pytest.raises(ValueError, match="features"):
        prequential(Forgetron(), X[:, :2], y, waiting=waiting)
    with pytest.raises(ValueError, match="another kind"):
        prequential(Forgetron(), X, y.astype(str), waiting=waiting)
    assert pickle.dumps(learner) == before


def test_what_nobody_can_have_said_counts_for_nothing():
    X, y = labelled(STREAMS["gaussian"], 2)
    learner = Budgetron(budget=8).partial_fit(X, y)
    asked, before = learner.ask_one(X[0]), learner.trust_
    head, said = asked.advice[:2], asked.advice[2:]
    waiting = prequential(Budgetron(budget=8), X, y, [-1, 1], delay=20).waiting
    for absurd in (1e300 * said, np.full_like(said, np.inf), np.where(said == said[0], 1e9, said)):
        advice = np.concatenate([head, absurd])
        with pytest.raises(ValueError, match="has not said that"):
            learner.learn_one(X[0], y[0], asked._replace(advice=advice))
        assert learner.trust_ == before
        wrong = waiting.advice.copy()
        wrong[:, 2:] = np.nan_to_num(wrong[:, 2:], nan=0.0) * 1e300 + absurd
        told = Budgetron(budget=8).partial_fit(X, y, [-1, 1])
        prequential(told, X[:30], y[:30], delay=20, waiting=replace(waiting, advice=wrong))
        assert sum(told.trust_.values()) == pytest.approx(1)
