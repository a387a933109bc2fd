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
    filters_of,
    half,
    scales,
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


def test_width_is_one_over_the_median_distance_that_is_not_0():
    assert width_of([(0.0,), (0.0,), (1.0,), (3.0,)]) == 1 / 4  # 1, 1, 4, 9, 9
    assert width_of([(0.0,), (1.0,), (3.0,)]) == 1 / 4  # 1, 4, 9
    assert width_of([(1.0, 2.0), (1.0, 2.0)]) == 1 / 5
    assert width_of([(0.0, 0.0), (0.0, 0.0)]) == 1 / 2


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
        learner.panel.trust[5] = np.longdouble(1e-6)
        learner.learn(learner.consult(x), x, y, 1.0, t)
        assert (len(learner.filters) == 6) == (t < 99)


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
    # 1, 3 and 5 are kept: their largest counts as the mean of the others
    assert typical([1.0, -3.0, 5.0], 0.0, 3) == (3, 2)
    assert typical([1.0, 0.0, 5.0], 0.0, 3) == (2, 3)
    assert typical([5.0, 1.0, 3.0, 100.0], 0.0, 3) == (4, (6 + 100) / 4)
    # of five that are known, the mean is 1
    assert typical([1.0] * 5 + [100.0], 0.0, 5) == (6, (5 + 16) / 6)
    assert typical([1.0] * 3 + [0.0] * 7 + [1.0, 0.0, 1.0, 17.0, 100.0], 0.0, 10) == (
        7,
        (5 + 16 + 16 * 21 / 6) / 7,
    )
    # what differs by rounding does not differ
    assert typical([7 + 1e-12, 8.0, 7.0, 7.0 - 1e-11], 7.0, 1) == (2, pytest.approx(0.5))
    assert typical([7.0, 7.0], 7.0, 2) == (0, 0)


def test_scales_by_hand():
    zeros = np.zeros(3)
    # of 16 examples each: more than 1 + 3/4 is needed, or where there are exponents 1/2 + 3/4
    rows = columns((1, 16), (8, 16), (1 / 64, 16))
    assert scales(rows, zeros, [0, 0, 0], 10) == [0, 3, -6]
    assert scales(rows, zeros, [1, 2, -5], 10) == [1, 2, -5]
    assert scales(rows, zeros, [1.5, 2, -5], 10) == [0, 3, -6]
    assert scales(rows, zeros, [1.5, 3, -6], 10) == [0, 3, -6]
    rows = columns((1, 16), (2**1.7, 16), (2**-1.7, 16))
    assert scales(rows, zeros, [0, 0, 0], 10) == [0, 0, 0]
    # one that is far off takes the others along, but for those of 1/4 at most
    rows = columns((1, 16), (2**1.7, 16), (2**-1.8, 16), (2**0.2, 16), (2**-0.3, 16), (1, 16))
    assert scales(rows, np.zeros(6), [0] * 6, 10) == [0, 1.5, -2, 0, -0.5, 0]
    rows = columns((1, 16), (2.0**80, 16), (2.0**-80, 16))
    assert scales(rows, zeros, [0, 0, 0], 10) == [0, 60, -60]


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


def test_nearest_half():
    assert [half(e) for e in (2.2, 2.3, 2.7, 2.8, -2.2, -2.3)] == [2, 2.5, 2.5, 3, -2, -2.5]
    assert [half(e) for e in (0.25, 0.75, 0.25 + 1e-12, 0.75 - 1e-12)] == [0, 1, 0, 1]


def test_scales_are_looked_at_after_20_and_40_and_80_examples():
    rng = random.Random(3)
    stream = [((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1)), 1) for _ in range(10)]
    stream += [((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 4**t)), -1) for t in range(85)]
    rounds = budgetron_of_widths(stream, budget=4)
    changes = [t for t in range(10, 95) if rounds[t].exponents != rounds[t - 1].exponents]
    assert changes == [19, 39, 79]


def test_supports_are_rescaled_with_the_features():
    learner = Widths(3, 12, True, Panel(0), {})
    stream = wavy_stream(9, 10) + wavy_stream(10, 10, (1.0, 1.0, 2.0**12))
    for t, (x, y) in enumerate(stream):
        before = learner.exponents
        learner.learn(learner.consult(x), x, y, 1.0, t)
    assert learner.exponents[2] > before[2] + 5
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
    assert learner.distances == [5]


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
    assert typical(filled[:, 1], 2.5, 5) == (4, 5 / 6)  # 1/2, 1/2, 3/2, and 5/6 for the largest
    learner.learn(learner.consult((NAN, 3.5)), (NAN, 3.5), 1, 1.0, 5)
    assert learner.distances == [1]


def test_missing_values_of_sparse_points_are_0_and_stored():
    sparse = Widths(4, 5, True, Panel(0), {}, sparse=True)
    for t, x in enumerate([(NAN, 1.0, NAN, 0.0), (3.0, 0.0, 1.0, 0.0)]):
        sparse.learn(sparse.consult(x), x, 1, 1.0, t)
    assert (sparse.center.tolist(), sparse.stored) == ([0] * 4, 5)
    assert sparse.widths[0] == pytest.approx(1 / 11)


# ------------------------------------------------------------------------------- starting over


def test_new_units_are_a_reason_to_start_over():
    same = wavy_stream(6, 460)
    new = same[:260] + [(tuple(10 * a for a in x), y) for x, y in same[260:]]
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
    learner.distances = [1.0] * 89 + [1e6] * 100
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
    learner.distances = [distances[0]] * 100 + [0.0] * 50 + [distances[1]] * 60 + [0.0] * 40
    if distances[1] == 0:
        learner.distances[150:] = [0.0] * 100
    assert learner.has_left() == expected


def test_examples_of_weight_0_count_for_nothing():
    stream = wavy_stream(7, 200)
    weights = [0 if t % 4 == 1 else 1 for t in range(200)]
    some = [example for example, u in zip(stream, weights, strict=True) if u]
    rounds = budgetron_of_widths(stream, budget=5, weights=weights)
    kept = [r for r, u in zip(rounds, weights, strict=True) if u]
    for a, b in zip(kept, budgetron_of_widths(some, budget=5), strict=True):
        assert (a.score, a.widths, a.budgets, a.trust) == (b.score, b.widths, b.budgets, b.trust)
