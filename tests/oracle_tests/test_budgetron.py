"""The oracle's Budgetron of one kernel: its filter, the panel over it, and many classes."""

import math
import random

import numpy as np
import pytest

from oracle import Filter, Stream, budgetron, budgetron_of_classes, gaussian, linear, mixture

OWN = ("cautious", "bold", "average")


def wavy_stream(seed: int, length: int = 80) -> Stream:
    """A border that is no line, and a tenth of labels wrong."""
    rng = random.Random(seed)
    points = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(length)]
    return [(p, (1 if p[0] * p[1] > 0 else -1) * rng.choice([1] * 9 + [-1])) for p in points]


def taught(kernel, stream: Stream, **settings) -> Filter:
    one = Filter(kernel, **settings)
    for t, (x, y) in enumerate(stream):
        one.learn(x, y, 1.0, t)
    return one


# ------------------------------------------------------------------------------- the kernel


def test_mixture_is_a_mean_of_three_widths():
    k = mixture(0.5)
    assert k((1.0, 2.0), (1.0, 2.0)) == 1
    expected = (math.exp(-0.25 / 32) + math.exp(-0.25 / 2) + math.exp(-0.25 * 8)) / 3
    assert k((1.0, 2.0), (1.5, 2.0)) == pytest.approx(expected)


# ------------------------------------------------------------------------------- the filter


def test_filter_by_hand():
    one = Filter(gaussian(math.log(2)), budget=2)
    assert one.predict((0.0,)) == 0
    assert one.learn((0.0,), 1) == (True, ())
    # z = 1, P = 1: bold steps to 1 / 1.03, cautious to 1 / 1.3, which the average takes at once
    w = {e: float(a[0]) for e, a in one.span.weights.items()}
    assert w == pytest.approx({"bold": 1 / 1.03, "cautious": 1 / 1.3, "average": 1 / 1.3})
    assert float(one.span.covariance[0, 0]) == pytest.approx(1 - 1 / 1.3)
    # all are certain at 0; at 1 they say half as much
    assert float(one.predict((0.0,))) == pytest.approx((1 / 1.03 + 2 / 1.3) / 3 * 2)
    assert float(one.predict((1.0,))) == pytest.approx((1 / 1.03 + 2 / 1.3) / 3)


def test_budget_may_be_raised():
    stream = wavy_stream(0)
    one = taught(gaussian(1.0), stream[:40], budget=3)
    assert len(one.span.points) == 3
    one.budget = 6
    for x, y in stream[40:]:
        one.learn(x, y)
    assert len(one.span.points) == 6


def test_rescaled_supports_keep_weights_and_covariance():
    one = taught(gaussian(1.0), wavy_stream(1), budget=6)
    span = one.span
    points, weights, covariance = span.points, dict(span.weights), span.covariance
    span.rescale([4.0, 2.0])
    assert span.points == [(4 * a, 2 * b) for a, b in points]
    assert all((span.weights[e] == weights[e]).all() for e in weights)
    assert (span.covariance == covariance).all()
    k = gaussian(1.0)
    values = [k((4 * a, 2 * b), (0.5, 0.5)) for a, b in points]
    assert float(span.margins((0.5, 0.5))["bold"]) == pytest.approx(float(weights["bold"] @ values))


def test_supports_that_become_one_leave():
    one = taught(gaussian(1.0), wavy_stream(2), budget=6)
    first = one.span.names[0]
    total = {e: float(w.sum()) for e, w in one.span.weights.items()}
    variance = float(one.span.covariance.sum())
    one.span.rescale([2.0**-20, 2.0**-20])
    assert one.span.names == [first]
    assert {e: float(w[0]) for e, w in one.span.weights.items()} == pytest.approx(total)
    assert float(one.span.covariance[0, 0]) == pytest.approx(variance)


def test_those_who_leave_are_near_the_span_of_those_before_and_are_projected():
    span = Filter(linear, budget=4).span
    span.add((1.0, 0.0), 0)
    span.add((0.0, 1.0), 1)
    span.weights = {e: np.array([2, 3], dtype=np.longdouble) for e in span.weights}
    span.rescale([1.0, 0.0])  # the second is 0 now
    assert span.names == [0]
    assert {e: float(w[0]) for e, w in span.weights.items()} == dict.fromkeys(OWN, 2)
    span.add((1.0, 1.0), 2)
    span.weights = {e: np.array([2, 3], dtype=np.longdouble) for e in span.weights}
    span.rescale([1.0, 0.01])  # (1, 0.01) has a squared distance of 0.0001 from the first
    assert span.names == [0]
    assert {e: float(w[0]) for e, w in span.weights.items()} == dict.fromkeys(OWN, 5)


# --------------------------------------------------------------------------- under the panel


@pytest.mark.parametrize("seed", range(3))
def test_filter_alone_is_the_panel(seed):
    stream, kernel = wavy_stream(seed), gaussian(1.0)
    one = Filter(kernel, budget=7)
    for t, r in enumerate(budgetron(stream, kernel, budget=7, experts=OWN)):
        assert r.score == pytest.approx(float(one.predict(stream[t][0])), abs=1e-12)
        assert (r.update, r.removed) == one.learn(*stream[t], 1.0, t)
        assert r.supports == one.supports()


def test_filter_does_not_know_the_panel():
    stream, kernel = wavy_stream(3), gaussian(1.0)
    alone, both = (
        budgetron(stream, kernel, budget=7, experts=e) for e in (OWN, (*OWN, "labels", "stack"))
    )
    assert [r.supports for r in alone] == [r.supports for r in both]
    assert [r.score for r in alone] != [r.score for r in both]


def test_first_two_rounds_by_hand():
    stream = [((0.0,), 1), ((0.0,), 1)]
    rounds = budgetron(stream, gaussian(1.0), budget=2, zero_score="mistake")
    assert rounds[0].score == 0
    assert rounds[0].mistake
    # all said 0 and are trusted as at first, the filter by 3/4; it is certain, and shows
    s = (1 / 1.03 + 2 / 1.3) / 3 * 2
    # labels: p = 1/2, z = 1 and A = 0, so 1/2; the stack's a is s, as phi was (0, 0, 0, 1), plus
    step = 0.5 / (1 + 0.25)
    expected = 3 / 4 + 1 / 16 + math.tanh((s + step) / 2) / 8
    assert rounds[1].score == pytest.approx(expected)


def test_labels_that_come_in_turns_are_foreseen():
    stream = [((0.0,), 1 if t % 2 else -1) for t in range(200)]
    rounds = budgetron(stream, gaussian(1.0), budget=2)
    alone = budgetron(stream, gaussian(1.0), budget=2, experts=OWN)
    assert not any(r.mistake for r in rounds[50:])
    assert sum(r.mistake for r in alone[50:]) > 50


def test_examples_of_weight_0_change_nothing():
    stream, kernel = wavy_stream(4), gaussian(1.0)
    weights = [t % 3 and 1 for t in range(len(stream))]
    some = [example for example, u in zip(stream, weights, strict=True) if u]
    rounds = budgetron(stream, kernel, budget=5, weights=weights)
    scores = [r.score for r, u in zip(rounds, weights, strict=True) if u]
    assert scores == [r.score for r in budgetron(some, kernel, budget=5)]


# ---------------------------------------------------------------------- more than two classes


def clouds(seed: int, length: int = 90):
    """Three clouds."""
    rng = random.Random(seed)
    classes = [rng.randrange(3) for _ in range(length)]
    return [((rng.gauss(3 * c, 0.7), rng.gauss(c % 2, 0.7)), c) for c in classes]


def test_two_classes_are_one_machine():
    stream, kernel = wavy_stream(5), gaussian(1.0)
    for classes in ([-1, 1], None):
        rounds = budgetron_of_classes(stream, kernel, classes, budget=6)
        assert [r.machines[1] for r in rounds] == budgetron(stream, kernel, budget=6)


def test_three_classes_without_other_experts_are_three_filters():
    stream, kernel = clouds(2), gaussian(0.3)
    rounds = budgetron_of_classes(stream, kernel, range(3), budget=6, experts=OWN)
    for c in range(3):
        alone = budgetron(
            [(x, 1 if k == c else -1) for x, k in stream], kernel, budget=6, experts=OWN
        )
        assert [r.machines[c] for r in rounds] == alone


def test_three_classes_are_told_apart():
    stream = clouds(0)
    rounds = budgetron_of_classes(stream, gaussian(0.3), range(3), budget=8)
    wrong = [r.mistake for r in rounds]
    assert sum(wrong[30:]) <= 4
    assert wrong == [r.prediction != c for r, (_, c) in zip(rounds, stream, strict=True)]
    assert all(r.prediction == max(r.scores, key=r.scores.__getitem__) for r in rounds[1:])


def test_third_class_begins_where_it_appears():
    stream, kernel = clouds(3), gaussian(0.3)
    stream = sorted(stream[:40], key=lambda row: row[1] == 1) + stream[40:]  # 1 comes last of them
    third = next(t for t, (_, c) in enumerate(stream) if c == 1)
    rounds = budgetron_of_classes(stream, kernel, budget=6, experts=OWN)
    told = {c: [(x, 1 if k == c else -1) for x, k in stream] for c in range(3)}
    # two filters from the start, one the mirror image of the other
    for c in (0, 2):
        alone = budgetron(told[c], kernel, budget=6, experts=OWN)
        assert [r.machines[c] for r in rounds[third:]] == alone[third:]
    new = budgetron(told[1][third:], kernel, budget=6, experts=OWN)
    assert [r.machines[1].score for r in rounds[third:]] == [r.score for r in new]
    assert (list(rounds[third - 1].machines), list(rounds[third].machines)) == ([2], [0, 1, 2])
    assert rounds[third].mistake and list(rounds[third].scores) == [2]
    assert rounds[third + 1].prediction in (0, 1, 2)


def test_last_class_says_most_where_classes_come_in_runs():
    rng = random.Random(1)
    stream = [((rng.gauss(0, 1),), t // 25 % 3) for t in range(200)]
    rounds = budgetron_of_classes(stream, gaussian(1.0), range(3), budget=4)
    wrong = [r.prediction != c for r, (_, c) in zip(rounds, stream, strict=True)]
    assert sum(wrong[50:]) <= 10
