"""Scores become probabilities while the learner goes on."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgetron import RandomizedBudgetPerceptron, prequential
from budgetron.core.compiled import plain
from budgetron.core.platt import MEMORY, STATE_SIZE, calibrate, probabilities, probability
from budgetron.datasets import load_spam

GRID = np.linspace(-3, 3, 61)


def calibrated(scores, labels):
    state = np.zeros(STATE_SIZE)
    calibrate(state, np.asarray(scores, float), np.asarray(labels, float))
    return state


def forecasts(scores, labels):
    """The probability of each score by what came before it."""
    state, chances = np.zeros(STATE_SIZE), np.empty(len(scores))
    for t in range(len(scores)):
        chances[t] = probability(state, scores[t : t + 1])[0]
        calibrate(state, scores[t : t + 1], labels[t : t + 1])
    return chances


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def drawn(chances, seed=0):
    return np.where(np.random.default_rng(seed).random(len(chances)) < chances, 1.0, -1.0)


def log_loss(chances, labels):
    return -np.log(np.where(labels > 0, chances, 1 - chances)).mean()


def calibration_error(chances, labels, bins=15):
    """Expected calibration error: how far mean forecast and frequency are apart, bin by bin."""
    bin_of = (chances * bins).astype(int)
    return np.abs(np.bincount(bin_of, chances - (labels > 0))).sum() / len(labels)


def best_in_retrospect(scores, labels):
    """The log loss of the sigmoid that fits the whole stream best, by Newton's method."""
    rows, wanted = np.stack([scores / np.abs(scores).mean(), np.ones(len(scores))], 1), labels > 0
    weights = np.zeros(2)
    for _ in range(25):
        chances = sigmoid(rows @ weights)
        curvature = (rows.T * (chances * (1 - chances))) @ rows
        weights += np.linalg.solve(curvature, rows.T @ (wanted - chances))
    return log_loss(sigmoid(rows @ weights), labels)


hard_scores = st.one_of(
    st.sampled_from([0.0, -0.0, 1e-300, -1e-300, 5e-324, 1e300, -1e300, 1.7e308, 1.0, -1.0]),
    st.floats(-1e308, 1e308, allow_subnormal=True),
    st.floats(-3, 3),
)
hard_labels = st.one_of(
    st.sampled_from([1.0, -1.0, 0.0, 2.0, -0.5, 1e-9, -1e9, 1e20, -1e20]), st.floats(-3, 3)
)
hard_streams = st.lists(st.tuples(hard_scores, hard_labels), max_size=40)


def unzipped(stream):
    pairs = np.array(stream, float).reshape(-1, 2)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


@given(hard_streams, st.lists(st.integers(0, 40), max_size=5))
def test_any_cut_gives_the_same_state(stream, cuts):
    scores, labels = unzipped(stream)
    state, edges = np.zeros(STATE_SIZE), [0, *sorted(min(cut, len(scores)) for cut in cuts), None]
    for first, last in pairwise(edges):
        calibrate(state, scores[first:last], labels[first:last])
    assert state.tobytes() == calibrated(scores, labels).tobytes()


@given(hard_streams, st.lists(hard_scores, min_size=2, max_size=20))
def test_whatever_came_a_larger_score_is_never_less_probable_and_nothing_is_certain(stream, asked):
    state = calibrated(*unzipped(stream))
    chances = probability(state, np.sort(np.array(asked)))
    assert np.isfinite(state).all()
    assert (np.diff(chances) >= 0).all()
    assert chances.min() > 0 and chances.max() < 1


@given(hard_streams)
def test_weight_zero_changes_nothing(stream):
    scores, labels = unzipped(stream)
    state = calibrated(scores, labels)
    before = state.tobytes()
    calibrate(state, scores, np.zeros(len(scores)))
    assert state.tobytes() == before


@given(st.integers(-900, 900), st.lists(st.floats(-3, 3), min_size=1, max_size=50))
def test_the_unit_of_the_scores_does_not_matter(exponent, scores):
    scores = np.where(np.abs(scores) < 1e-30, 0, scores)  # so that no unit rounds them
    labels, unit = drawn(sigmoid(scores)), 2.0**exponent
    here = probability(calibrated(scores, labels), GRID)
    there = probability(calibrated(scores * unit, labels), GRID * unit)
    np.testing.assert_array_equal(here, there)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_a_decimal_unit_does_not_matter_but_for_rounding(unit):
    scores = np.random.default_rng(1).normal(size=2000)
    labels = drawn(sigmoid(2 * scores - 1))
    here, there = forecasts(scores, labels), forecasts(scores * unit, labels)
    np.testing.assert_allclose(here, there, rtol=1e-9)


def test_a_weight_of_two_is_nearly_two_examples():
    scores = np.random.default_rng(2).normal(size=1500)
    labels = drawn(sigmoid(2 * scores - 1))
    heavy = probability(calibrated(scores, 2 * labels), GRID)
    twice = probability(calibrated(np.repeat(scores, 2), np.repeat(labels, 2)), GRID)
    once = probability(calibrated(scores, labels), GRID)
    np.testing.assert_allclose(heavy, twice, atol=0.001)
    assert np.abs(once - twice).max() > np.abs(heavy - twice).max()


def test_before_anything_is_learned_all_is_open():
    np.testing.assert_array_equal(probability(np.zeros(STATE_SIZE), GRID), 0.5)


def test_scores_of_zero_teach_the_base_rate():
    labels = drawn(np.full(20_000, 0.2))
    assert probability(calibrated(np.zeros(20_000), labels), GRID) == pytest.approx(0.2, abs=0.03)


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_one_class_alone_becomes_nearly_certain(label):
    scores = np.random.default_rng(3).normal(size=5000)
    wrong = np.abs(probability(calibrated(scores, np.full(5000, label)), GRID) - (label > 0))
    assert 1e-6 < wrong.max() < 0.01


def test_classes_that_never_mix_become_nearly_certain_and_one_contradiction_is_survived():
    scores = np.random.default_rng(4).normal(size=5000)
    state = calibrated(scores, np.sign(scores))
    low, high = probability(state, np.array([-1.0, 1.0]))
    assert low < 0.01 and high > 0.99
    calibrate(state, np.array([2.0]), np.array([-1.0]))
    low, high = probability(state, np.array([-1.0, 1.0]))
    assert low < 0.1 and high > 0.9


@pytest.mark.parametrize("weight", [20, 50, 1000])
def test_one_heavy_contradiction_is_got_over(weight):
    scores = np.random.default_rng(4).normal(size=5000)
    state = calibrated(scores, np.sign(scores))
    calibrate(state, np.array([2.0]), np.array([-float(weight)]))
    calibrate(state, scores[:100], np.sign(scores[:100]))
    low, high = probability(state, np.array([-1.0, 1.0]))
    assert low < 0.3 and high > 0.6


def test_scores_that_point_the_wrong_way_are_ignored():
    scores = np.random.default_rng(5).normal(size=5000)
    state = calibrated(scores, drawn(sigmoid(-2 * scores)))
    assert probability(state, GRID) == pytest.approx(0.5, abs=0.1)
    assert np.ptp(probability(state, GRID)) == 0


@pytest.mark.parametrize(("slope", "intercept"), [(2, 0), (2, -1), (0.5, 2), (6, 3), (0, -2)])
def test_a_known_sigmoid_is_found(slope, intercept):
    scores = np.random.default_rng(6).normal(size=20_000)
    truth = sigmoid(slope * scores + intercept)
    labels = drawn(truth)
    chances = forecasts(scores, labels)
    settled = np.arange(len(scores)) > 4 * MEMORY
    assert np.abs(chances - truth)[settled].mean() < 0.03
    assert calibration_error(chances, labels) < 0.015
    assert log_loss(chances, labels) < log_loss(truth, labels) + 2 / (2 * MEMORY)


def test_a_shift_of_the_sigmoid_is_followed():
    scores = np.random.default_rng(7).normal(size=20_000)
    late = np.arange(len(scores)) >= 10_000
    truth = sigmoid(np.where(late, 4 * scores + 3, scores - 1))
    labels = drawn(truth)
    chances = forecasts(scores, labels)
    assert log_loss(chances, labels) < 0.9 * best_in_retrospect(scores, labels)
    after = np.arange(len(scores)) >= 10_000 + 4 * MEMORY
    assert np.abs(chances - truth)[after].mean() < 0.03


def test_scores_that_grow_are_followed():
    steady = np.random.default_rng(8).normal(size=20_000)
    labels = drawn(sigmoid(2 * steady))
    growing = steady * np.sqrt(1 + np.arange(len(steady)))
    chances = forecasts(growing, labels)
    assert log_loss(chances, labels) < log_loss(sigmoid(2 * steady), labels) + 2 / (2 * MEMORY)
    assert calibration_error(chances, labels) < 0.015


def test_a_learner_of_spam_knows_how_sure_it_is():
    spam = load_spam()
    learner = RandomizedBudgetPerceptron(budget=200, random_state=0)
    scores = prequential(learner, spam.X, spam.y).scores
    labels = np.where(spam.y == learner.classes_[1], 1.0, -1.0)
    chances = forecasts(scores, labels)
    assert log_loss(chances, labels) < 1.02 * best_in_retrospect(scores, labels)
    assert log_loss(chances, labels) < 0.5 * log_loss(sigmoid(scores), labels)
    assert calibration_error(chances, labels) < 0.015


def test_many_classes_sum_to_one_and_are_calibrated():
    rng, units = np.random.default_rng(9), np.array([1e-6, 1.0, 30.0, 1e6])
    signals = rng.normal(size=(8000, 4))
    truth = np.exp(2 * signals) / np.exp(2 * signals).sum(1, keepdims=True)
    classes = (rng.random((8000, 1)) > truth.cumsum(1)).sum(1)
    labels = np.where(classes[:, None] == np.arange(4), 1.0, -1.0)
    states = np.zeros((4, STATE_SIZE))
    for k in range(4):
        calibrate(states[k], signals[:4000, k] * units[k], labels[:4000, k])
    chances = probabilities(states, signals[4000:] * units)
    np.testing.assert_allclose(chances.sum(1), 1, rtol=1e-12)
    for k in range(4):
        assert calibration_error(chances[:, k], labels[4000:, k]) < 0.06
    true_class = np.arange(4000), classes[4000:]
    loss, least = (-np.log(p[true_class]).mean() for p in (chances, truth[4000:]))
    assert loss < 1.05 * least


def test_many_classes_that_all_seem_impossible_still_sum_to_one():
    states = np.stack([calibrated([1, -1] * 400, [1, -1] * 400)] * 3)
    asked = np.array([[-1e300] * 3, [-1e300, -1e300, 1e300], [1e300] * 3, [0.0] * 3, [-5, -6, -7]])
    chances = probabilities(states, asked)
    np.testing.assert_allclose(chances.sum(1), 1, rtol=1e-12)
    np.testing.assert_allclose(chances[[0, 2, 3]], 1 / 3)
    assert chances.min() > 0 and chances.max() < 1
    assert chances[1].argmax() == 2
    assert chances[4, 0] > 10 * chances[4, 1] > 100 * chances[4, 2]


def test_odds_beyond_the_range_of_numbers_are_compared():
    states = np.stack([calibrated([1, -1], [1e200, -1e200])] * 3)
    chances = probabilities(states, np.array([[-5.0, -6, -7], [7, 6, 5]]))
    np.testing.assert_allclose(chances, [[1, 0, 0], [1, 0, 0]], atol=1e-9)


def test_uncompiled_it_is_the_same():
    scores = np.random.default_rng(10).normal(size=200)
    labels = drawn(sigmoid(scores)) * np.random.default_rng(11).random(200)
    state, slow = calibrated(scores, labels), np.zeros(STATE_SIZE)
    plain(calibrate)(slow, scores, labels)
    np.testing.assert_allclose(slow, state, rtol=1e-9)
    np.testing.assert_allclose(plain(probability)(slow, GRID), probability(state, GRID), rtol=1e-9)
    both, asked = np.stack([state, state]), np.stack([GRID, -GRID], 1)
    np.testing.assert_allclose(plain(probabilities)(both, asked), probabilities(both, asked))
