"""The oracle's Budgetron of one kernel: its filter, the panel over it, and many classes."""

import math
import random

import numpy as np
import pytest

from oracle import (
    Filter,
    OneWidth,
    Stream,
    budgetron,
    budgetron_late,
    budgetron_of_classes,
    gaussian,
    linear,
    mixture,
)

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
    w = {e: float(a[0, 0]) for e, a in one.span.weights.items()}
    assert w == pytest.approx({"bold": 1 / 1.03, "cautious": 1 / 1.3, "average": 1 / 1.3})
    assert float(one.span.covariance[0, 0]) == pytest.approx(1 - 1 / 1.3)
    # all are certain at 0; at 1 they say half as much
    assert float(one.predict((0.0,))[0]) == pytest.approx((1 / 1.03 + 2 / 1.3) / 3 * 2)
    assert float(one.predict((1.0,))[0]) == pytest.approx((1 / 1.03 + 2 / 1.3) / 3)


def axis(i: int, length: float = 1.0) -> tuple[float, ...]:
    """A point on the i-th of thirty axes."""
    return tuple(length if j == i else 0.0 for j in range(30))


def on_axes(budget: int, weights: dict[str, list], **settings) -> Filter:
    """A filter of a linear kernel that is full, of supports on the first axes and these weights."""
    one = Filter(linear, budget=budget, drift=0.0, **settings)
    for i in range(budget):
        one.span.add(axis(i), i)
    set_weights(one, weights)
    return one


def set_weights(one: Filter, weights: dict[str, list]) -> None:
    rows = {e: np.array(w, dtype=np.longdouble) for e, w in weights.items()}
    one.span.weights = {e: w.reshape(len(w), -1) for e, w in rows.items()}


def alike(weights: list) -> dict[str, list]:
    return dict.fromkeys(OWN, weights)


def sum_of(*points: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*points, strict=True)))


def test_exchange_is_decided_about_with_the_trust_as_predicted():
    one = on_axes(2, {"cautious": [0.1, 2], "bold": [2, 0.1], "average": [0, 0]}, exchange="eager")
    one.trust = {"average": 0.0, "cautious": 0.4, "bold": 0.6}
    # bold says 1.9 and cautious -1.9, so f = 0.2, and cautious is trusted for its -1 afterwards;
    # the common weights are 1.24 and 0.86 as predicted, and would be 0.3 and 1.8 or so after it
    x = sum_of(axis(0), axis(1, -1.0), axis(2))
    assert one.learn(x, -1, 10.0, 2) == (True, (1,))
    assert one.trust["cautious"] > 0.9


def test_exchanges_are_limited():
    one = on_axes(10, alike([1.0] * 10), exchange="eager")
    one.exchanges = 1  # not below 10/10 + 10 T/10 with T = 0
    assert one.learn(axis(10), 1, 1.0, 10)[1] == ()
    assert one.learn(axis(11), 1, 1.0, 11)[1] == (0,)  # of equals the oldest
    assert (one.exchanges, one.learned) == (2, 2)
    one.exchanges, one.learned = 4, 3
    assert one.learn(axis(12), 1, 1.0, 12)[1] == ()
    one.begin()  # they are counted all along
    assert (one.exchanges, one.learned) == (4, 4)


def test_eight_least_supports_are_known_until_they_are_gone():
    one = on_axes(10, alike([10.0 - i for i in range(10)]), exchange="eager")
    one.learned = 50
    left = [one.learn(axis(10), 1, 1.0, 10)[1]]
    assert (one.least, one.looked) == ([9, 8, 7, 6, 5, 4, 3, 2], 50)
    heavy = one.span.common(one.trust)[:, 0]
    heavy[one.span.names.index(8)] = 99  # it is known to be the least but one
    set_weights(one, alike(heavy))
    left += [one.learn(axis(i), 1, 1.0, i)[1] for i in range(11, 19)]
    assert left[:8] == [(i,) for i in (9, 8, 7, 6, 5, 4, 3, 2)]
    assert left[8] == (17,)  # of the newcomers, the one that the average knows least of
    assert one.looked == 58


def test_least_supports_are_looked_for_after_100_examples():
    one = on_axes(10, alike([10.0 - i for i in range(10)]), exchange="eager")
    one.learn(axis(10), 1, 1.0, 10)
    for learned, expected in ((99, (8,)), (100, (0,))):
        one.learned = learned
        weights = one.span.common(one.trust)[:, 0]
        weights[one.span.names.index(0)] = 0
        set_weights(one, alike(weights))
        assert one.learn(axis(learned - 80), 1, 1.0, learned)[1] == expected
    assert one.looked == 100


def test_rescaled_supports_are_looked_at_again():
    one = on_axes(10, alike([10.0 - i for i in range(10)]), exchange="eager")
    one.learn(axis(10), 1, 1.0, 10)
    one.rescale([0.001] + [1.0] * 29)  # so that the first has little left
    assert one.learn(axis(11), 1, 1.0, 11)[1] == (0,)


def test_who_is_right_by_far_says_nothing_for_a_newcomer():
    weights = {"cautious": [-1.0, 0.0], "bold": [-1.0, 0.0], "average": [2.0, 0.0]}
    x = sum_of(axis(0), axis(2, 1.5))  # delta is 2.25, more than 1
    for average, expected in ((2.0, ()), (0.9, (1,))):
        one = on_axes(2, weights | {"average": [average, 0.0]})
        one.trust = {"average": 0.4, "cautious": 0.3, "bold": 0.3}  # so f = 0.4 - 0.6
        # the second support has no weight in the average, and 0.1 (0.1^2) g / ... is above 0
        assert one.learn(x, 1, 1.0, 2)[1] == expected


def test_average_leaves_no_support_that_is_farther_from_the_others():
    weights = {"cautious": [-1.0, 0.0], "bold": [-1.0, 0.0], "average": [0.5, 0.0]}
    for length, expected in ((0.99, ()), (1.01, (1,))):
        one = on_axes(2, weights)
        one.trust = {"average": 0.4, "cautious": 0.3, "bold": 0.3}
        assert one.learn(sum_of(axis(0), axis(2, length)), 1, 1.0, 2)[1] == expected


def test_scale_is_that_of_the_first_support_though_it_has_left():
    one = Filter(linear, budget=1, drift=0.0, exchange="eager", experts=("cautious",))
    one.learn(axis(0), 1)
    assert one.learn(axis(1, 2.0), 1) == (True, (0,))
    # s = 1, so P = 1: z = 2, v = 4, and w = 2/4.3 is a weight of 1/4.3
    assert float(one.span.weights["cautious"][0, 0]) == pytest.approx(1 / 4.3)


def test_wald_test_by_hand():
    # g = 1, v = 0: 0.1 (1 - 0)^2 / (0.3 1.3) = 0.2564, and the variance of a weight is 1
    for weight, expected in ((0.507, ()), (0.506, (1,))):
        one = on_axes(2, alike([1.0, weight]))
        one.trust = {"average": 0.2, "cautious": 0.5, "bold": 0.3}
        assert one.learn(axis(2), 1, 1.0, 2)[1] == expected


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
    values = np.array([k((4 * a, 2 * b), (0.5, 0.5)) for a, b in points])
    expected = float((values @ weights["bold"])[0])
    assert float(span.margins((0.5, 0.5))["bold"][0]) == pytest.approx(expected)


def test_supports_that_become_one_leave():
    one = taught(gaussian(1.0), wavy_stream(2), budget=6)
    first = one.span.names[0]
    total = {e: float(w.sum()) for e, w in one.span.weights.items()}
    variance = float(one.span.covariance.sum())
    one.span.rescale([2.0**-20, 2.0**-20])
    assert one.span.names == [first]
    assert {e: float(w[0, 0]) for e, w in one.span.weights.items()} == pytest.approx(total)
    assert float(one.span.covariance[0, 0]) == pytest.approx(variance)


def test_those_who_leave_are_near_the_span_of_those_before_and_are_projected():
    one = Filter(linear, budget=4)
    span = one.span
    span.add((1.0, 0.0), 0)
    span.add((0.0, 1.0), 1)
    set_weights(one, alike([2, 3]))
    span.rescale([1.0, 0.0])  # the second is 0 now
    assert span.names == [0]
    assert {e: float(w[0, 0]) for e, w in span.weights.items()} == dict.fromkeys(OWN, 2)
    span.add((1.0, 1.0), 2)
    set_weights(one, alike([2, 3]))
    span.rescale([1.0, 0.01])  # (1, 0.01) has a squared distance of 0.0001 from the first
    assert span.names == [0]
    assert {e: float(w[0, 0]) for e, w in span.weights.items()} == dict.fromkeys(OWN, 5)


# --------------------------------------------------------------------------- under the panel


@pytest.mark.parametrize("seed", range(3))
def test_filter_alone_is_the_panel(seed):
    stream, kernel = wavy_stream(seed), gaussian(1.0)
    one = Filter(kernel, budget=7)
    for t, r in enumerate(budgetron(stream, kernel, budget=7, experts=OWN)):
        assert r.score == pytest.approx(float(one.predict(stream[t][0])[0]), abs=1e-12)
        assert (r.update, r.removed) == one.learn(*stream[t], 1.0, t)
        assert r.supports == tuple((name, weight) for name, (weight,) in one.supports())


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


def three_rounds(**settings) -> Filter:
    """Three classes, learned from (1, 0), (0, 1) and (1/2, 1), of the classes 0, 1 and 1."""
    one = Filter(linear, budget=2, classes=3, drift=0.0, **settings)
    assert one.learn((1.0, 0.0, 0.0), 0, 1.0, 0) == (True, ())
    assert one.learn((0.0, 1.0, 0.0), 1, 1.0, 1) == (True, ())
    assert one.learn((0.5, 1.0, 0.0), 1, 1.0, 2) == (True, ())
    return one


def test_three_classes_by_hand():
    """All share two supports, which are orthonormal, and so their weights are coordinates.

    (1, 0): nobody says anything, all lose 1; P = 1, cautious (1, -1, -1)/1.3, bold (1, -1, -1)/1.03
        average as cautious; P = 1 - 1/1.3 = 3/13
    (0, 1): the same on the second axis, with (-1, 1, -1); the average goes 2/3 of the way
    (1/2, 1), of class 1: cautious says (-5, 5, -15)/13, bold (-1/2, 1/2, -3/2)/1.03, the average
        (1/2 - 2/3, 2/3 - 1/2, -1/2 - 2/3)/1.3 = (-5, 5, -35)/39; the rival is class 0, f is above
        that of class 2; class 2 needs no step; v = 3/13 5/4 = 15/52, u = 3/13 (1/2, 1)
        cautious: errors -8/13 and 8/13, u/(v + 0.3) = (10, 20)/51
        bold: errors -53/103 and 53/103, u/(v + 0.03) = (25, 50)/69
    """
    one = three_rounds()
    cautious = np.array([[10 / 13, -10 / 13, -10 / 13], [-10 / 13, 10 / 13, -10 / 13]])
    bold, average = cautious * 130 / 103, cautious * [[1], [2 / 3]]
    cautious += np.outer([10 / 51, 20 / 51], [-8 / 13, 8 / 13, 0])
    bold += np.outer([25 / 69, 50 / 69], [-53 / 103, 53 / 103, 0])
    average += (cautious - average) / 2
    for e, expected in {"cautious": cautious, "bold": bold, "average": average}.items():
        assert one.span.weights[e].astype(float) == pytest.approx(expected), e
    # P shrinks once, though there were two steps: by u u^T / (v + 0.3) = 20/221 (1/2, 1)(1/2, 1)^T
    P = np.array([[46, -10], [-10, 31]]) / 221
    assert one.span.covariance.astype(float) == pytest.approx(P)
    losses = {"bold": 1 - 1 / 1.03, "cautious": 1 - 1 / 1.3, "average": 1 - 10 / 39}
    raw = {e: math.exp(-(half**2) / 8) for e, half in losses.items()}
    trust = {e: 0.9999 * r / sum(raw.values()) + 0.0001 / 3 for e, r in raw.items()}
    assert {e: float(own) for e, own in one.trust.items()} == pytest.approx(trust)
    usual = 1 - (1 / 1.03 + 1 / 1.3 + 10 / 39) / 3
    assert float(one.lost) == pytest.approx(3 + usual**2)
    assert float(one.weighed) == 4
    assert one.doubt == 0


def test_exchange_of_three_classes_by_hand():
    """(0, 0, 1) is of class 2: all scores are 0, and the first support weighs less in all.

    For the newcomer speaks 0.1 times 3/(0.3 1.3) = 10/13, and for the support the squares of its
    weights in the bold expert, which is trusted most, through 46/221: more than 10.
    """
    x = (0.0, 0.0, 1.0)
    assert three_rounds(exchange="eager").learn(x, 2, 1.0, 3) == (True, (0,))
    assert three_rounds().learn(x, 2, 1.0, 3) == (True, ())
    one = three_rounds()
    assert max(one.trust, key=one.trust.get) == "bold"
    for weight, expected in ((0.2311, ()), (0.2309, (0,))):  # 3 a^2 221/46 is 10/13 at 0.2310
        one = three_rounds()
        for e in one.span.weights:
            one.span.weights[e][0] = weight
        assert one.learn(x, 2, 1.0, 3)[1] == expected


def test_exchange_is_for_those_whose_score_is_no_higher_than_the_rivals():
    for y, expected in ((0, ()), (1, (0,)), (2, (0,))):
        one = Filter(linear, budget=1, classes=3, exchange="eager")
        one.span.add((1.0, 0.0), 0)
        set_weights(one, alike([[0.1, 0.1 - 1e-6, -0.1]]))
        assert one.learn((1.0, 1.0), y, 1.0, 1)[1] == expected


def test_doubt_of_three_classes_by_hand():
    one = Filter(linear, budget=1, classes=3, patience=2.0)
    one.span.add((1.0,), 0)
    set_weights(one, alike([[1.0, -1.0, -1.0]]))
    one.learn((1.0,), 1)  # the rival is class 0, and (1 - (-1 - 1)/2)^2 = 4 are lost; 1 was before
    assert float(one.doubt) == 0  # 4 - 1 - 1/2 is more than 2: it has begun anew
    assert not any(w.any() for w in one.span.weights.values())
    assert one.learned == 1
    one.patience = 3.0
    set_weights(one, alike([[1.0, -1.0, -1.0]]))
    one.learn((1.0,), 1)
    assert float(one.doubt) == pytest.approx(2.5)


def test_one_class_more_by_hand():
    one = taught(gaussian(1.0), wavy_stream(3), budget=4)
    before = one.span.weights["bold"][:, 0]
    covariance, trust, doubt = one.span.covariance, one.trust, one.doubt
    one.add_class(0)
    w = one.span.weights["bold"]
    assert (w[:, 0] == 0).all() and (w[:, 1] == -before).all() and (w[:, 2] == before).all()
    one.add_class(2)
    w = one.span.weights["bold"]
    assert (w[:, 2] == 0).all() and (w[:, 1] == -before).all() and (w[:, 3] == before).all()
    assert (one.span.covariance is covariance, one.trust, one.doubt) == (True, trust, doubt)


def test_two_classes_are_one_score():
    stream, kernel = wavy_stream(5), gaussian(1.0)
    plain = budgetron(stream, kernel, budget=6)
    for classes in ([-1, 1], None):
        rounds = budgetron_of_classes(stream, kernel, classes, budget=6)
        assert [(r.update, r.removed) for r in rounds] == [(r.update, r.removed) for r in plain]
        assert [r.scores[1] for r in rounds[5:]] == [r.score for r in plain[5:]]
        assert [r.mistake for r in rounds[5:]] == [r.mistake for r in plain[5:]]
        for r, p in zip(rounds, plain, strict=True):
            assert [(i, own[1]) for i, own in r.supports] == [*p.supports]


def test_order_of_classes_does_not_matter():
    stream, kernel = clouds(2), gaussian(0.3)
    names = {0: 2, 1: 0, 2: 1}
    other = [(x, names[c]) for x, c in stream]
    one, two = (budgetron_of_classes(s, kernel, range(3), budget=6) for s in (stream, other))
    for a, b in zip(one[1:], two[1:], strict=True):
        assert {names[c]: score for c, score in a.scores.items()} == pytest.approx(b.scores)
        assert (a.update, a.removed) == (b.update, b.removed)


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
    rounds = budgetron_of_classes(stream, kernel, budget=6)
    two = budgetron([(x, 1 if c == 2 else -1) for x, c in stream[:third]], kernel, budget=6)
    for r, expected in zip(rounds, two, strict=False):
        assert [(i, own[2]) for i, own in r.supports] == [*expected.supports]
        assert (r.update, r.removed) == (expected.update, expected.removed)
    assert [list(r.supports[0][1]) for r in rounds[third - 1 : third + 1]] == [[2], [0, 1, 2]]
    assert rounds[third].mistake and list(rounds[third].scores) == [2]
    assert rounds[third + 1].prediction in (0, 1, 2)


def test_last_class_says_most_where_classes_come_in_runs():
    rng = random.Random(1)
    stream = [((rng.gauss(0, 1),), t // 25 % 3) for t in range(200)]
    rounds = budgetron_of_classes(stream, gaussian(1.0), range(3), budget=4)
    wrong = [r.prediction != c for r, (_, c) in zip(rounds, stream, strict=True)]
    assert sum(wrong[50:]) <= 10


# ------------------------------------------------------------------------------- late labels


@pytest.mark.parametrize("experts", [OWN, (*OWN, "labels", "stack")])
def test_labels_that_come_at_once_are_not_late(experts):
    kernel, settings = gaussian(0.3), {"budget": 6, "patience": 3.0, "experts": experts}
    two, three, at_once = wavy_stream(5), clouds(2), range(1000)
    plain = budgetron(two, kernel, **settings)
    assert [*budgetron_late(two, kernel, at_once, **settings)] == [(r.score,) for r in plain]
    rounds = budgetron_of_classes(three, kernel, range(3), **settings)
    late = budgetron_late(three, kernel, at_once, range(3), **settings)
    assert [*late] == [tuple(r.scores.values()) for r in rounds]


def test_labels_that_never_come_teach_nothing():
    stream, kernel = wavy_stream(5), gaussian(0.3)
    known = [t for t in range(len(stream)) if t % 3 == 0]
    arrivals = [t if t in known else math.inf for t in range(len(stream))]
    late = [*budgetron_late(stream, kernel, arrivals, budget=6)]
    plain = budgetron([stream[t] for t in known], kernel, budget=6)
    assert [late[t] for t in known] == [(r.score,) for r in plain]


def test_trust_in_what_was_said_by_hand():
    learner = OneWidth(linear, budget=2, sharing=0.0, drift=0.0)
    blind = learner.ask((1.0,))
    learner.learn_late(blind, (1.0,), 1, 1.0, 0)
    # nobody had said anything; now bold has 1 / 1.03, and the others have 1 / 1.3
    first, second = learner.ask((0.25,)), learner.ask((0.25,))
    bold, cautious = 0.5 / 1.03, 0.5 / 1.3
    assert float(first.opinion.said[0][0]) == pytest.approx((bold + 2 * cautious) / 3)
    before = dict(learner.panel.trust)
    learner.learn_late(first, (0.25,), -1, 1.0, 1)
    own = {"bold": math.exp(-((1 + bold) ** 2) / 8)}
    own |= dict.fromkeys(("cautious", "average"), math.exp(-((1 + cautious) ** 2) / 8))
    one, total = learner.filter, sum(own.values())
    assert {e: float(p) for e, p in one.jury.items()} == pytest.approx(
        {e: p / total for e, p in own.items()}
    )
    assert one.jury == one.trust

    middle = dict(learner.panel.trust)
    assert middle != before
    learner.learn_late(second, (0.25,), -1, 1.0, 2)  # one example later, with the same losses
    slower = 1 + 1 / math.sqrt(2)
    raw = {e: p**slower for e, p in own.items()}
    assert {e: float(p) for e, p in one.jury.items()} == pytest.approx(
        {e: p / sum(raw.values()) for e, p in raw.items()}
    )
    assert one.jury["bold"] < one.trust["bold"]  # by now it says what is right
    for e in ("labels", "stack"):
        once, twice = (
            math.log(new[e] / new[0]) - math.log(old[e] / old[0])
            for old, new in ((before, middle), (middle, learner.panel.trust))
        )
        assert twice == pytest.approx(once / math.sqrt(2))

    # p = 1 / 2 and z = 1 were kept, and A and V were 0 after the first label, p and z being 0
    labels = learner.panel.labels
    assert float(labels.product) == pytest.approx(2 * (-1 - 0.5) * (1 - 0.5))
    assert float(labels.square) == pytest.approx(2 * (1 - 0.5) ** 2)
    assert (float(labels.sum[0]), float(labels.number), float(labels.last[0])) == (-1, 4, -1)


def test_experts_who_begin_anew_have_a_new_jury():
    one = Filter(linear, budget=2, patience=0.5)
    one.learn((1.0,), 1)
    kept = one.certainties((1.0,))
    one.learn((0.5,), 1)
    one.learn((1.0,), -1, 3.0, 2, kept, 1)
    assert one.jury == one.trust == one.share
