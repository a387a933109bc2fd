"""The oracle's Budgetron of several widths: who is opened and dropped, scales, starting over."""

import math
import random

import numpy as np
import pytest

from oracle import (
    Panel,
    Stream,
    Widths,
    budget_of,
    budgetron_of_widths,
    budgetron_of_widths_and_classes,
    filters_of,
    gain_of,
    is_left_out,
    leaves_range,
    looks_until,
    quarter,
    rise,
    scales,
    trends,
    typical,
    width_of,
)


def wavy_stream(seed: int, length: int, units=(1.0, 1.0, 1.0)) -> Stream:
    """A border that is no line, a twentieth of labels wrong, and features in these units."""
    rng = random.Random(seed)
    stream = []
    for _ in range(length):
        p = [rng.gauss(0, 1) for _ in units]
        y = (1 if p[0] * p[1] + p[2] > 0 else -1) * rng.choice([1] * 19 + [-1])
        stream.append((tuple(a * unit for a, unit in zip(p, units, strict=True)), y))
    return stream


def opened(features: int = 3, budget: int = 12) -> Widths:
    """A learner that has just been opened with 10 examples."""
    learner = Widths(features, budget, True, Panel(0), {})
    for t, (x, y) in enumerate(wavy_stream(0, 10)):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    return learner


# ------------------------------------------------------------------------ budgets and widths


@pytest.mark.parametrize(
    ("n", "budget", "features", "expected"),
    [
        (1, 100, 10, 100),
        (3, 100, 10, 56),  # m(100) = 21,300; m(56) = 7,000, m(57) = 7,239
        (7, 100, 10, 35),  # m(35) = 2,905, m(36) = 3,060
        (3, 100, 1000, 37),  # m(100) = 120,300; m(37) = 39,849, m(38) = 41,002
        (6, 12, 3, 4),  # m(12) = 360, m(4) = 56
        (7, 12, 3, 3),
        (7, 2, 3, 1),  # m(2) = 20, m(1) = 8: not below 1
    ],
)
def test_budget_of_one_of_several_filters(n, budget, features, expected):
    assert budget_of(n, budget, features) == expected


@pytest.mark.parametrize(
    ("budget", "features", "expected"),
    [(100, 10, 7), (100, 1000, 3), (12, 3, 6), (1, 3, 1), (2, 3, 2), (3, 3, 4)],
)
def test_number_of_filters(budget, features, expected):
    assert filters_of(budget, features) == expected


def test_classes_take_room():
    # m(12) = 12 (3 + 9) + 288 = 432, m(4) = 80, m(5) = 110: 5 filters, and 6 for two classes
    assert [budget_of(n, 12, 3, 3) for n in (1, 3, 4, 5, 6)] == [12, 6, 4, 4, 3]
    assert filters_of(12, 3, 3) == 5


def test_width_is_one_over_the_median_distance_that_is_not_0():
    assert width_of([(0.0,), (0.0,), (1.0,), (3.0,)]) == 1 / 4  # 1, 1, 4, 9, 9
    assert width_of([(0.0,), (1.0,), (3.0,)]) == 1 / 4  # 1, 4, 9
    assert width_of([(1.0, 2.0), (1.0, 2.0)]) == 1 / 5
    assert width_of([(0.0, 0.0), (0.0, 0.0)]) == 1 / 2
    assert width_of([(0.0, 0.0), (0.0, 0.0)], (1.0, 2.0)) == 1 / 5


def test_width_of_equal_examples_is_that_of_these_as_they_came():
    rounds = budgetron_of_widths([((1.0, 2.0), 1)] * 2, budget=4)
    assert rounds[-1].widths[0] == 1 / 5


def test_filters_are_opened_with_2_and_5_and_10_examples():
    stream = wavy_stream(1, 30)
    weights = [0 if t in (1, 6) else 1 for t in range(30)]
    rounds = budgetron_of_widths(stream, budget=12, scale=False, weights=weights)
    kept = [x for (x, _), u in zip(stream, weights, strict=True) if u]
    for t, r in enumerate(rounds):
        seen = sum(weights[: t + 1])
        opening = max((n for n in (2, 5, 10) if n <= seen), default=0)
        if not opening:
            assert (r.widths, r.budgets, r.trust, r.supports) == ((), (), (), ())
            continue
        gamma = width_of(kept[:opening])
        assert r.widths == (gamma, "mixture", 4 * gamma, gamma / 4, 16 * gamma, gamma / 16)
        assert r.budgets == (4,) * 6
        if weights[t] and seen in (2, 5, 10):
            assert r.trust == pytest.approx((1 / 8,) * 6)
            assert r.update
    assert {r.exponents for r in rounds} == {(0, 0, 0)}


def test_before_the_opening_labels_and_stack_predict():
    rounds = budgetron_of_widths([((0.0,), 1), ((1.0,), 1), ((0.5,), -1)], budget=3)
    # labels: 1/2; the stack's theta is (1, 0, 0, 0.4), as in a round with phi = (0, 0, 0, 1)
    assert [r.score for r in rounds[:2]] == pytest.approx([0, (0.5 + math.tanh(0.2)) / 2])
    nobody = budgetron_of_widths([((0.0,), 1), ((1.0,), 1)], budget=3, experts=("bold",))
    assert [r.score for r in nobody] == [0, 0]


# ------------------------------------------------------------------------------------ dropping


@pytest.mark.parametrize(
    ("seen", "trust", "kept"),
    [
        (100, (0.3, 0.2, 0.1, 0.1, 0.0031, 0.0029), [0, 1, 2, 3, 4]),
        (400, (0.1, 0.2, 0.1, 0.1, 0.2, 0.05), [0, 1, 4]),
        (800, (0.1, 0.2, 0.1, 0.1, 0.2, 0.05), [1, 4]),
        (1600, (0.1, 0.2, 0.1, 0.1, 0.2, 0.05), [1]),
        (1600, (0.1, 0.2, 0.1, 0.1, 0.2 + 1e-12, 0.05), [1]),
        (800, (0.0019, 0.2, 0.0019, 0.0019, 0.0019, 0.0019), [1]),
    ],
)
def test_filters_that_are_not_trusted_are_dropped(seen, trust, kept):
    learner = opened()
    filters, widths = learner.filters, learner.widths
    sizes = [len(one.span.points) for one in filters]
    learner.panel.trust |= dict(enumerate(map(np.longdouble, trust)))
    assert learner.drop(seen) == kept
    assert learner.filters == [filters[j] for j in kept]
    assert learner.widths == [widths[j] for j in kept]
    assert {one.budget for one in learner.filters} == {budget_of(len(kept), 12, 3)}
    assert [len(one.span.points) for one in learner.filters] == [sizes[j] for j in kept]
    assert float(sum(learner.panel.trust.values())) == pytest.approx(1)
    ratio = learner.panel.trust[0] / learner.panel.trust["labels"]
    assert float(ratio) == pytest.approx(trust[kept[0]] * 8)


def test_nobody_is_dropped_before_100_examples():
    learner = opened()
    for t, (x, y) in enumerate(wavy_stream(8, 90), 10):
        learner.panel.trust[5], learner.gains = np.longdouble(1e-6), [21.0]
        learner.learn(learner.consult(x), x, y, 1.0, t)
        assert (len(learner.filters) == 6) == (t < 99)
        assert learner.dropped == (t == 99)


@pytest.mark.parametrize(("gain", "number"), [(20.0, 6), (20.1, 5)])
def test_nobody_is_dropped_while_features_say_nothing(gain, number):
    learner = opened()
    for t, (x, y) in enumerate(wavy_stream(8, 89), 10):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    learner.panel.trust[5], learner.gains = np.longdouble(1e-6), [gain]
    opinion = learner.consult(x)
    for j in range(6):  # no filter is better or worse than the mean of the labels
        opinion.said[j] = learner.panel.labels.share()
    learner.learn(opinion, x, y, 1.0, 99)
    assert len(learner.filters) == number


def test_how_far_a_sum_has_risen_since_it_was_least():
    assert [rise(steps) for steps in ([], [-1], [2, -1], [2, -3, 4], [1, 1, -1.5])] == [
        0,
        0,
        1,
        4,
        0.5,
    ]


def test_gains_are_those_of_the_most_trusted_filter_over_the_mean_of_the_labels():
    learner = opened()
    assert learner.gains == []  # 0 at each opening
    x, p = (0.3, 0.1, -0.2), sum(y for _, y in wavy_stream(0, 10)) / 11
    learner.panel.trust[2] = np.longdouble(0.5)
    opinion = learner.consult(x)
    c = float(opinion.said[2][0])
    learner.learn(opinion, x, -1, 0.5, 10)
    assert [float(gain) for gain in learner.gains] == pytest.approx(
        [((-1 - p) ** 2 - (-1 - c) ** 2) / 2]
    )


def test_gains_of_more_classes_are_choices():
    p = [-0.2, -0.2, -0.6]
    assert gain_of([0.1, 0.2, -0.5], p, 1) == 0  # right, as p may be
    assert gain_of([0.1, 0.2, -0.5], p, 0) == -1
    assert gain_of([0.1, 0.2, 0.9], p, 2) == 1
    assert gain_of([0.1, 0.9, 0.2], p, 2) == 0
    # of two that are as certain, none is chosen
    assert gain_of([0.0, 0.0, 0.0], p, 2) == gain_of([-1.0, 1.0, 1.0], p, 2) == 0
    assert gain_of([0.0, 1e-12, 0.0], p, 1) == -1


def test_gains_of_more_classes_by_hand():
    learner = Widths(1, 6, False, Panel(0, classes=3), {})
    for t, (a, y) in enumerate([(0.0, 0), (1.0, 1)]):
        learner.learn(learner.consult((a,)), (a,), y, 1.0, t)
    assert {one.span.weights["bold"].shape for one in learner.filters} == {(2, 3)}
    # p is (0, 0, -2/3): the filter chooses class 0, and class 1 is one of the usual ones
    opinion = learner.consult((0.0,))
    assert opinion.said[0].argmax() == 0
    learner.learn(opinion, (0.0,), 1, 0.5, 2)
    # p is (-1, 1, -5)/7: the filter still chooses class 0, and is right; a weight of 3 counts once
    learner.panel.trust[0] = np.longdouble(0.5)
    opinion = learner.consult((0.0,))
    assert opinion.said[0].argmax() == 0
    learner.learn(opinion, (0.0,), 0, 3.0, 3)
    assert learner.gains == [-0.5, 1]


@pytest.mark.parametrize(("gain", "number"), [(30, 5), (31, 4)])
def test_features_of_three_classes_say_something_with_a_gain_above_30(gain, number):
    learner = Widths(3, 12, True, Panel(0, classes=3), {})
    stream = [(x, t % 3) for t, (x, _) in enumerate(wavy_stream(8, 100))]
    for t, (x, y) in enumerate(stream[:99]):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    learner.panel.trust[4], learner.gains = np.longdouble(1e-6), [gain]
    opinion = learner.consult(x)
    for j in range(5):  # no filter chooses a class, and 99 rows have as many of each
        opinion.said[j] = np.zeros(3)
    learner.learn(opinion, stream[99][0], 1, 0.001, 99)
    assert len(learner.filters) == number


def test_widths_wait_for_features_that_begin_to_matter():
    rng = random.Random(12)
    chance = [rng.choice([-1, 1]) for _ in range(150)]
    features = [tuple(rng.uniform(-1, 1) for _ in range(2)) for _ in range(500)]
    board = [1 if x[0] * x[1] > 0 else -1 for x in features]
    rounds = budgetron_of_widths([*zip(features, chance + board[150:], strict=True)], budget=12)
    number = [len(r.widths) for r in rounds[10:]]
    assert {*number[:140]} == {number[0]}
    assert number[-1] < number[0]


def test_filters_are_dropped_in_a_stream():
    rounds = budgetron_of_widths(wavy_stream(2, 460), budget=6)
    number = [len(r.widths) for r in rounds]
    looks = [t for t in range(10, 460) if number[t] != number[t - 1]]
    assert all((t + 1) % 50 == 0 and t + 1 >= 100 for t in looks)
    assert all(b == budget_of(len(r.widths), 6, 3) for r in rounds for b in r.budgets)
    assert number[398] >= number[399]
    assert max(number[399:]) <= 3


# ------------------------------------------------------------------------------------- scales


def columns(*spans: tuple[float, int], length: int = 16) -> np.ndarray:
    """A column of +-a in n examples, and 0 in the others, for each (a, n)."""
    return np.array(
        [[a * (-1) ** i if i < n else 0.0 for a, n in spans] for i in range(length)], dtype=float
    )


def test_typical_difference_by_hand():
    # of those that are kept, none counts for more than four times the median
    assert typical([1.0, -3.0, 5.0], 0.0, 3) == (3, 3)
    assert typical([1.0, 0.0, 5.0], 0.0, 3) == (2, 3)
    assert typical([1.0, 2.0, -999.0], 0.0, 3) == (3, (1 + 2 + 8) / 3)
    assert typical([5.0, 1.0, 3.0, 100.0], 0.0, 3) == (4, (9 + 100) / 4)
    # of five that are known, the mean is 1
    assert typical([1.0] * 5 + [100.0], 0.0, 5) == (6, (5 + 4) / 6)
    assert typical([1.0] * 3 + [0.0] * 7 + [1.0, 0.0, 1.0, 17.0, 100.0], 0.0, 10) == (
        7,
        (5 + 4 + 4 * 9 / 6) / 7,
    )
    # what differs by rounding does not differ
    assert typical([7 + 1e-12, 8.0, 7.0, 7.0 - 1e-11], 7.0, 1) == (2, pytest.approx(0.5))
    assert typical([7.0, 7.0], 7.0, 2) == (0, 0)


def test_scales_by_hand():
    zeros = np.zeros(3)
    # of 16 examples each: more than 1 + 3/4 is needed, or where there are exponents 1/4 + 3/4
    rows = columns((1, 16), (8, 16), (1 / 64, 16))
    assert scales(rows, zeros, [0, 0, 0], 10) == [0, 3, -6]
    assert scales(rows, zeros, [1, 2, -5], 10) == [1, 2, -5]
    assert scales(rows, zeros, [1.25, 2, -5], 10) == [0, 3, -6]
    assert scales(rows, zeros, [1.25, 3, -6], 10) == [0, 3, -6]
    rows = columns((1, 16), (2**1.7, 16), (2**-1.7, 16))
    assert scales(rows, zeros, [0, 0, 0], 10) == [0, 0, 0]
    # one that is far off takes the others along, but for those of 1/8 at most
    rows = columns((1, 16), (2**1.7, 16), (2**-1.8, 16), (2**0.12, 16), (2**-0.3, 16), (1, 16))
    assert scales(rows, np.zeros(6), [0] * 6, 10) == [0, 1.75, -1.75, 0, -0.25, 0]
    rows = columns((1, 16), (2.0**80, 16), (2.0**-80, 16))
    assert scales(rows, zeros, [0, 0, 0], 10) == [0, 59.75, -60]


def test_scales_of_features_that_are_left_out_by_hand():
    rows = columns((1, 16), (2, 16), (2, 16), (2.0**30, 16))
    # neither the median nor what is far off knows of it, nor what exponents there are
    assert scales(rows, np.zeros(4), [0] * 4, 10, [3]) == [0, 0, 0, 60]
    assert scales(rows, np.zeros(4), [0, 0, 0, 60], 10, [3]) == [0, 0, 0, 60]
    # it is back, with an exponent of 0: 1, 2, 2 and 2^30 are -1, 0, 0 and 29 off the median
    assert scales(rows, np.zeros(4), [0, 0, 0, 60], 10) == [-1, 0, 0, 29]
    rows = columns((1, 16), (2, 16), (2, 16))
    assert scales(rows, np.zeros(3), [60, 0, 0], 10) == [0, 0, 0]


def test_scales_of_rare_features_by_hand():
    # of 4 examples: more than 1 + 3/2 is needed, and no exponent below 0
    rows = columns((1, 16), (4, 4), (1 / 4, 4), (1, 16), (1, 16))
    assert scales(rows, np.zeros(5), [0] * 5, 10) == [0] * 5
    rows = columns((1, 16), (8, 4), (1 / 64, 7), (1 / 64, 8), (1, 16), (1, 16), (1, 0))
    assert scales(rows, np.zeros(7), [0, 0, 0, 0, 0, 0, 7], 10) == [0, 3, 0, -6, 0, 0, 7]


@pytest.mark.parametrize(
    ("exponent", "same", "changed"),
    [
        (-4, 9, True),  # a tenth of the features
        (-4, 10, False),
        (2, 100, True),  # 4^2 of 4^2 + 100
        (2, 144, True),
        (2, 145, False),
    ],
)
def test_a_tenth_is_far_off(exponent, same, changed):
    rows = columns((2.0**exponent, 16), *[(1, 16)] * same)
    new = scales(rows, np.zeros(same + 1), [0] * (same + 1), 10)
    assert new == [exponent if changed else 0] + [0] * same


def test_nearest_quarter():
    assert [quarter(e) for e in (2.1, 2.2, 2.3, 2.4, -2.1, -2.2)] == [2, 2.25, 2.25, 2.5, -2, -2.25]
    assert [quarter(e) for e in (1 / 8, 3 / 8, 1 / 8 + 1e-12, 3 / 8 - 1e-12)] == [0, 0.5, 0, 0.5]


def test_exponents_are_quarters_in_a_stream():
    rounds = budgetron_of_widths(wavy_stream(13, 60, (1.0, 10.0, 0.3)), budget=4)
    exponents = {e for r in rounds for e in r.exponents}
    assert {4 * e % 4 for e in exponents} >= {1, 3}
    assert all(4 * e == round(4 * e) for e in exponents)


def test_when_scales_are_looked_at():
    assert looks_until(10) == [10]
    assert looks_until(170) == [10, 15, 20, 30, 40, 60, 80, 120, 160]


def test_scales_are_looked_at_after_15_and_20_and_30_examples_and_so_on():
    rng = random.Random(3)
    stream = [((rng.gauss(0, 1), rng.gauss(0, 1), 0.0), 1) for _ in range(10)]
    stream += [  # every third time it is within its range
        ((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 4.0 ** (t + 2)) if t % 3 else 0.0), -1)
        for t in range(85)
    ]
    rounds = budgetron_of_widths(stream, budget=4)
    changes = [t for t in range(10, 95) if rounds[t].exponents != rounds[t - 1].exponents]
    assert changes == [14, 19, 29, 39, 59, 79]


def test_features_after_the_last_one_that_was_kept_are_left_as_they_are():
    rng = random.Random(14)
    stream = [((rng.gauss(0, 1), rng.gauss(0, 20), 0.0), 1) for _ in range(10)]
    stream += [((rng.gauss(0, 1), rng.gauss(0, 20), rng.gauss(0, 1000)), 1) for _ in range(30)]
    last = {s: budgetron_of_widths(stream, budget=4, sparse=s)[-1].exponents for s in (True, False)}
    assert last[True][2] == 0
    assert last[False][2] > 3


def test_features_far_from_0_are_moved_there():
    learner = Widths(3, 12, True, Panel(0), {})
    for t, (x, y) in enumerate(wavy_stream(9, 10)):
        x = x[0] + 1e6, x[1] + 100, 7.0
        learner.learn(learner.consult(x), x, y, 1.0, t)
    center = learner.center.tolist()
    assert learner.offsets == [center[0], 0, 7]
    x = center[0] + 2, 3.0, 7.0
    learner.learn(learner.consult(x), x, 1, 1.0, 10)
    assert learner.distances == [(pytest.approx(4 + (3 - center[1]) ** 2), pytest.approx(4 + 9))]


# --------------------------------------------------------------------------- features that leave


def test_trends_by_hand():
    assert trends([1.0, 2.0, 2.1])
    assert trends([1.0, 0.0, -0.1])
    assert not trends([1.0, 2.0, 2.0])
    assert not trends([1.0, 2.0, 1.5])


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        ([4.0, 4.0, 4.0, 4.0, 2.0], True),  # more than three quarters
        ([4.0, -2.0, 4.0, -2.0, 2.0], True),
        ([4.0, 4.0, 4.0, 2.0], False),  # three quarters
        ([4.0, 4.0, 4.0, 2.0, 2.0], False),
        ([3.0, 3.0, -1.0, -1.0], False),
        ([3 + 2e-12, 3 + 2e-12], False),  # by no more than 3e-12
        ([3 + 4e-12, -1 - 4e-12], True),
    ],
)
def test_leaving_the_range_by_hand(since, expected):
    assert leaves_range([1.0, -1.0, 3.0, *since], 3) == expected


def test_0_of_sparse_rows_is_never_outside():
    values = [1.0, 3.0, 0.0, 0.0, 4.0, 0.0]
    assert leaves_range(values, 2)
    assert not leaves_range(values, 2, sparse=True)
    assert leaves_range([*values[:2], 4.0, 5.0], 2, sparse=True)


def test_left_out_by_hand():
    steady, rising = [0.0, 3.0, 1.0, 2.0] * 10, [float(t) for t in range(80)]
    assert is_left_out(rising[:10])
    assert is_left_out(rising[:15])
    assert not is_left_out(steady[:10])
    # it rises from the eleventh on: in two looks one after the other it is outside
    later = steady[:10] + rising[10:]
    assert [is_left_out(later[:n]) for n in (10, 15, 20, 30)] == [False, False, True, True]
    # it stops after the 22nd: from 20 to 30 it is not outside in more than three quarters
    stops = later[:22] + [5.0] * 18
    assert [is_left_out(stops[:n]) for n in (15, 20, 30, 40)] == [False, True, False, False]
    # it has only risen while it was kept, and is outside in three of five after that
    back = rising[:13] + [5.0] * 2
    assert [is_left_out(back[:n]) for n in (10, 15)] == [True, False]


def exponents_with(column) -> list[float]:
    """The exponents of a feature with these values, beside two others, after each example."""
    rng = random.Random(15)
    stream = [((rng.gauss(0, 1), rng.gauss(0, 1), a), rng.choice([-1, 1])) for a in column]
    rounds = budgetron_of_widths(stream, budget=6)
    assert all(max(r.exponents[:2]) < 2 for r in rounds if r.exponents[2] == 60)
    return [r.exponents[2] for r in rounds]


def test_a_number_that_counts_rows_is_left_out_from_the_last_opening_on():
    exponents = exponents_with([1e3 + t for t in range(70)])
    assert 60 not in exponents[:9]
    assert {*exponents[9:]} == {60}


def test_a_feature_that_begins_to_count_is_left_out_after_two_looks_and_comes_back():
    rng = random.Random(16)
    column = [rng.gauss(0, 1) for _ in range(130)]
    column[22:65] = [10.0 + t for t in range(43)]
    exponents = exponents_with(column)
    # outside in 8 of 10 from 20 to 30, in all from 30 to 40 and to 60, in 5 of 20 from 60 to 80
    assert [t for t, e in enumerate(exponents) if e == 60] == [*range(39, 79)]
    assert 3 < exponents[79] < 6


def test_supports_come_back_with_a_feature():
    learner = Widths(3, 12, True, Panel(0), {})
    stream = [
        ((*x[:2], float(t if t < 12 else 3)), y) for t, (x, y) in enumerate(wavy_stream(9, 15))
    ]
    for t, (x, y) in enumerate(stream):
        learner.learn(learner.consult(x), x, y, 1.0, t)
        if t == 9:
            assert learner.exponents == [0, 0, 60]
            distance = sum((a - b) ** 2 for a, b in zip(stream[0][0][:2], x[:2], strict=True))
            moved = zip(learner.scaled(stream[0][0]), learner.scaled(x), strict=True)
            assert sum((a - b) ** 2 for a, b in moved) == pytest.approx(distance)
    assert learner.exponents[2] < 60
    for one in learner.filters:
        expected = [learner.scaled(stream[i][0]) for i in one.span.names]
        assert np.array(one.span.points) == pytest.approx(np.array(expected), rel=1e-12)


def test_supports_are_rescaled_with_the_features():
    learner = Widths(3, 12, True, Panel(0), {})
    stream = wavy_stream(9, 10) + wavy_stream(10, 10, (1.0, 1.0, 2.0**12))
    for t, (x, y) in enumerate(stream):
        before = learner.exponents
        learner.learn(learner.consult(x), x, y, 1.0, t)
    assert learner.exponents[2] >= before[2] + 2
    for one in learner.filters:
        expected = [learner.scaled(stream[i][0]) for i in one.span.names]
        assert np.array(one.span.points) == pytest.approx(np.array(expected), rel=1e-12)


@pytest.mark.parametrize("powers", [(3, 0, -2), (-4, 5, 6), (7, 7, 7)])
def test_powers_of_two_do_not_matter_where_scales_are_far_apart(powers):
    far = [2.0**20, 1.3, 2.0**-20]
    moved = [unit * 2.0**k for unit, k in zip(far, powers, strict=True)]
    one, two = (budgetron_of_widths(wavy_stream(4, 90, units), budget=5) for units in (far, moved))
    assert [r.score for r in one] == pytest.approx([r.score for r in two], abs=1e-12)
    for a, b in zip(one[1:], two[1:], strict=True):
        middle = powers[1]
        assert b.exponents == tuple(
            e + k - middle for e, k in zip(a.exponents, powers, strict=True)
        )
    assert min(abs(one[-1].exponents[j]) for j in (0, 2)) > 15


def test_without_scale_a_large_feature_drowns_the_others():
    rng = random.Random(5)
    points = [(rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1000)) for _ in range(200)]
    stream = [(x, 1 if x[0] + x[1] > 0 else -1) for x in points]
    mistakes = [
        sum(r.mistake for r in budgetron_of_widths(stream, budget=8, scale=scale)[50:])
        for scale in (True, False)
    ]
    assert mistakes[0] < mistakes[1] - 10


def test_sparse_points_are_scaled_if_half_of_the_values_are_stored():
    rng = random.Random(11)

    def last_exponents(*often: float) -> tuple[float, ...]:
        stream = [
            (
                tuple(
                    rng.gauss(0, 4**j) * (t < 2 or rng.random() < o) for j, o in enumerate(often)
                ),
                1,
            )
            for t in range(30)
        ]
        return budgetron_of_widths(stream, budget=4, sparse=True)[-1].exponents

    assert any(last_exponents(0.9, 0.9, 0.6, 0.6))
    assert not any(last_exponents(0.2, 0.2, 0.2, 0.2))


def test_sparse_points_have_room_for_what_they_store_and_no_center():
    stream = [((0.0,) * 18 + (1.0 + t, -2.0), (-1) ** t) for t in range(10)]
    last = budgetron_of_widths(stream, budget=9, sparse=True)[-1]
    assert last.budgets == (budget_of(filters_of(9, 4), 9, 4),) * filters_of(9, 4)
    assert last.budgets != budgetron_of_widths(stream, budget=9)[-1].budgets
    learner = Widths(20, 9, True, Panel(0), {}, sparse=True)
    for t, (x, y) in enumerate([*stream, stream[0]]):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    assert learner.distances == [(5, 5)]


# ------------------------------------------------------------------------------- missing values


NAN = math.nan


def test_missing_values_by_hand():
    learner = Widths(3, 4, False, Panel(0), {})
    stream = [((NAN, 2.0, NAN), 1), ((1.0, NAN, NAN), -1), ((5.0, 4.0, 8.0), 1)]
    for t, (x, y) in enumerate(stream[:2]):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    assert learner.center.tolist() == [1, 2, 0]  # so both are at the center, |x|^2 = 5
    assert learner.widths[0] == 1 / 5
    rounds = budgetron_of_widths(stream, budget=4, scale=False)
    at_center = budgetron_of_widths(
        [((1.0, 2.0, 0.0), y) for _, y in stream[:2]] + stream[2:], budget=4, scale=False
    )
    assert rounds == at_center

    for t, (x, y) in enumerate(
        [((3.0, 6.0, 0.0), 1), ((5.0, NAN, -8.0), 1), ((NAN, NAN, NAN), 1)], 2
    ):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    assert learner.center.tolist() == [3, 4, -4]  # of 1, 3, 5; 2, 6; 0, -8
    assert learner.scaled((NAN, 7.0, NAN)) == (3, 7, -4)
    # (3,2,-4) (1,4,-4) (3,6,0) (5,4,-8) (3,4,-4): 8, 32, 24, 4, 24, 32, 4, 72, 20, 20
    assert learner.widths[0] == pytest.approx(1 / 22)
    assert learner.distances == []


def test_missing_values_do_not_differ():
    rows = [(NAN, 1.0), (0.0, 2.0), (4.0, NAN), (NAN, 3.0), (2.0, 8.0)]
    learner = Widths(2, 4, True, Panel(0), {})
    for t, x in enumerate(rows):
        learner.learn(learner.consult(x), x, 1, 1.0, t)
    assert learner.center.tolist() == [2, 2.5]
    filled = np.array([learner.filled(x) for x in rows])
    assert typical(filled[:, 0], 2, 5) == (2, 2)
    assert typical(filled[:, 1], 2.5, 5) == (4, 13 / 8)  # 1/2, 1/2, 3/2, and four times 1 for 11/2
    learner.learn(learner.consult((NAN, 3.5)), (NAN, 3.5), 1, 1.0, 5)
    assert learner.distances == [(1, pytest.approx(2**2 + 3.5**2))]


def test_missing_values_of_sparse_points_are_0_and_stored():
    sparse = Widths(4, 5, True, Panel(0), {}, sparse=True)
    for t, x in enumerate([(NAN, 1.0, NAN, 0.0), (3.0, 0.0, 1.0, 0.0)]):
        sparse.learn(sparse.consult(x), x, 1, 1.0, t)
    assert (sparse.center.tolist(), sparse.stored) == ([0] * 4, 5)
    assert sparse.widths[0] == pytest.approx(1 / 11)


# ------------------------------------------------------------------------------- starting over


@pytest.mark.parametrize("factor", [10, 1 / 10])
def test_new_units_are_a_reason_to_start_over(factor):
    same = [(tuple(a + 1 for a in x), y) for x, y in wavy_stream(6, 460)]
    new = same[:260] + [(tuple(factor * a for a in x), y) for x, y in same[260:]]
    runs = {name: budgetron_of_widths(s, budget=8) for name, s in (("same", same), ("new", new))}
    gone = {name: [t for t in range(1, 460) if not r[t].widths] for name, r in runs.items()}
    assert gone["same"] == []
    start = gone["new"][0]
    assert (start + 1) % 50 == 0 and 260 < start <= 360
    assert gone["new"] == [start, start + 1]
    first, again = runs["new"][1], runs["new"][start + 2]
    assert (len(again.widths), again.budgets) == (len(first.widths), first.budgets)
    assert again.trust == first.trust
    scale = 2.0 ** -np.array(again.exponents)
    assert again.widths[0] == width_of([x * scale for x, _ in new[start + 1 : start + 3]])
    assert {i for i, _ in again.supports} <= {start + 1, start + 2}


def test_who_starts_over_trusts_as_at_first_and_keeps_what_labels_and_stack_know():
    learner = opened()
    for t, (x, y) in enumerate(wavy_stream(8, 189), 10):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    known = learner.panel.labels, learner.panel.stack
    learner.losses = [0.0] * 89 + [4.0] * 100
    learner.distances = [(1.0, 1.0)] * 89 + [(1e6, 1.0)] * 100
    learner.learn(learner.consult(x), x, y, 1.0, 199)
    assert (learner.filters, learner.examples, learner.exponents) == ([], [], [0, 0, 0])
    assert learner.panel.trust == {"labels": 1 / 2, "stack": 1 / 2}
    assert (learner.panel.labels, learner.panel.stack) == known
    assert float(learner.panel.labels.number) == 201


@pytest.mark.parametrize(
    ("losses", "distances", "expected"),
    [
        ((0.5, 0.76), (1.0, 17.0), True),
        ((0.5, 0.8), (1.0, 1 / 17), True),
        ((0.5, 0.8), (1.0, 15.0), False),
        ((0.5, 0.74), (1.0, 17.0), False),
        ((0.5, 0.8), (1.0, 0.0), False),
    ],
)
def test_reasons_to_start_over(losses, distances, expected):
    learner = opened()
    learner.losses = [losses[0]] * 150 + [losses[1]] * 100
    if distances[1] == 0:
        distances = distances[0], 1.0
        ends = [0.0] * 100
    else:
        ends = [distances[1]] * 60 + [0.0] * 40
    changing = [distances[0]] * 100 + [0.0] * 50 + ends
    for both in ([(d, 2.0) for d in changing], [(2.0, d) for d in changing]):  # rho and sigma
        learner.distances = both
        assert learner.has_left() == expected


@pytest.mark.parametrize(
    ("dropped", "gains", "settings", "expected"),
    [
        (True, [-1.0] * 41, {}, True),
        (True, [9.0] * 9 + [-1.0] * 41, {}, True),
        (True, [-1.0] * 40, {}, False),
        (True, [-1.0] * 41 + [2.0], {}, False),
        (False, [-1.0] * 41, {}, False),
        (True, [-1.0] * 41, {"patience": 20.6}, False),  # twice the patience
        (True, [-1.0] * 41, {"patience": None}, False),
    ],
)
def test_widths_that_are_of_no_use(dropped, gains, settings, expected):
    learner = opened()
    learner.dropped, learner.gains, learner.settings = dropped, gains, settings
    assert learner.is_useless() == expected


def test_who_has_dropped_widths_and_is_worse_than_the_labels_starts_over():
    learner = opened()
    for t, (x, y) in enumerate(wavy_stream(8, 239), 10):
        learner.learn(learner.consult(x), x, y, 1.0, t)
    learner.dropped, learner.gains = True, [-1.0] * 45
    learner.learn(learner.consult(x), x, y, 1.0, 249)
    assert (learner.filters, learner.examples, learner.gains) == ([], [], [])
    assert not learner.dropped
    assert learner.panel.trust == {"labels": 1 / 2, "stack": 1 / 2}


def test_labels_that_no_longer_go_with_the_features_make_it_start_over():
    rng = random.Random(17)
    stream = []
    for t in range(700):
        x = rng.uniform(-1, 1), rng.uniform(-1, 1)
        y = 1 if x[0] > 0 else -1
        stream.append((x, y if t < 205 or (t // 8) % 2 else -y))
    rounds = budgetron_of_widths(stream, budget=6)
    gone = [t for t in range(1, 700) if not rounds[t].widths]
    assert gone[0] > 210 and (gone[0] + 1) % 50 == 0
    assert len(rounds[gone[0] - 1].widths) < len(rounds[10].widths)
    assert len(rounds[gone[0] + 2].widths) == len(rounds[10].widths)


def test_third_class_makes_room_when_filters_are_dropped():
    learner = opened()
    assert {one.budget for one in learner.filters} == {4}  # b(6), for two classes
    learner.add_class(1)
    assert {one.budget for one in learner.filters} == {4}
    assert {tuple(y for _, y, *_ in learner.examples)} == {
        tuple(2 if y > 0 else 0 for _, y in wavy_stream(0, 10))
    }
    for one in learner.filters:
        w = one.span.weights["cautious"]
        assert (w[:, 0] == -w[:, 2]).all() and not w[:, 1].any()
    learner.panel.trust[5] = np.longdouble(1e-6)
    learner.drop(100)
    assert {one.budget for one in learner.filters} == {budget_of(5, 12, 3, 3)} == {4}


def test_two_classes_are_the_learner_of_signs():
    stream = wavy_stream(18, 120)
    plain = budgetron_of_widths(stream, budget=6)
    for classes in ([-1, 1], None):
        rounds = budgetron_of_widths_and_classes(stream, classes, budget=6)
        assert [(r.scores[1], r.trust, r.update) for r in rounds[5:]] == [
            (r.score, r.trust, r.update) for r in plain[5:]
        ]
        assert [[(i, own[1]) for i, own in r.supports] for r in rounds] == [
            [*r.supports] for r in plain
        ]


def test_examples_of_weight_0_count_for_nothing():
    stream = wavy_stream(7, 200)
    weights = [0 if t % 4 == 1 else 1 for t in range(200)]
    some = [example for example, u in zip(stream, weights, strict=True) if u]
    rounds = budgetron_of_widths(stream, budget=5, weights=weights)
    kept = [r for r, u in zip(rounds, weights, strict=True) if u]
    for a, b in zip(kept, budgetron_of_widths(some, budget=5), strict=True):
        assert (a.score, a.widths, a.budgets, a.trust) == (b.score, b.widths, b.budgets, b.trust)


def test_what_goes_farther_than_the_first_examples_told_is_divided_by_a_common_power():
    # |x - 0| is 1 in the first ten and 8 then, which counts for four times the mean so far, 4,
    # 5.1, 6.4 and 7.8: after 15, t is 2.75 and s = 1.46; then for 8: after 20, t is 4.06
    signs = [1, -1, 1, -1, 1, -1, 1, -1, 1, -1] + [8, -8, 8, -8, 8] + [8, -8] * 40
    stream = [((float(a), float(-a)), 1 if a > 0 else -1) for a in signs]
    rounds = budgetron_of_widths(stream, budget=4)
    found = [r.common for r in rounds]
    assert {*found[:14]} == {0}
    assert found[14] == 0  # 1.46 is not more than 1 + 3/sqrt(15) = 1.77
    assert found[19] == 2  # 2.02 is more than 1.67
    assert {*found[19:]} == {2}  # and it never goes to more than 1 above that
    assert {e for r in rounds for e in r.exponents} == {0}
