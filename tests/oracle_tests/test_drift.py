"""The oracle's drift learners against hand-worked streams, and against what the paper proves."""

import itertools
import math
import random
from fractions import Fraction as F

import pytest

from oracle import (
    Interval,
    Kernel,
    Number,
    Round,
    Stream,
    Supports,
    ThresholdRound,
    drifting_threshold,
    evaluate,
    gaussian,
    is_exact,
    linear,
    modified_budget_perceptron,
    modified_perceptron,
    polynomial,
    rate,
    restart_length,
    restarting_experts,
)

SEEDS = range(5)

# --------------------------------------------------------------- hand-worked: thresholds


def test_threshold_by_hand():
    stream = [
        (F(1, 2), 1),
        (F(1, 5), -1),
        (F(1, 5), 1),
        (F(9, 10), 1),
        (F(0), -1),
        (F(9, 10), -1),
        (F(1), -1),
        (F(1), 1),
    ]
    # t=0: [0, 1]:          1/2 is the midpoint: +1, right;  in: (-1/10, 6/10)
    # t=1: midpoint 1/4:    1/5 is below: -1, right;         in: (1/10, 7/10)
    # t=2: midpoint 2/5:    1/5 is below: -1, wrong;         in: (0, 3/10)
    # t=3: midpoint 3/20:   9/10 is above: +1, right;        out: (-1/10, 4/10)
    # t=4: midpoint 3/20:   0 is below: -1, right;           in: (-1/10, 5/10)
    # t=5: midpoint 1/5:    9/10 is above: +1, wrong;        out: [0, 1] again
    # t=6: [0, 1]:          1 is above: +1, wrong;           in, it is closed: (9/10, 11/10)
    # t=7: midpoint 1:      1 is the midpoint: +1, right;    in: (8/10, 11/10)
    assert drifting_threshold(stream, gamma=F(1, 10)) == [
        ThresholdRound(F(0), False, True, False, Interval(F(-1, 10), F(6, 10), False)),
        ThresholdRound(F(-1, 20), False, True, False, Interval(F(1, 10), F(7, 10), False)),
        ThresholdRound(F(-1, 5), True, True, False, Interval(F(0), F(3, 10), False)),
        ThresholdRound(F(3, 4), False, False, False, Interval(F(-1, 10), F(4, 10), False)),
        ThresholdRound(F(-3, 20), False, True, False, Interval(F(-1, 10), F(5, 10), False)),
        ThresholdRound(F(7, 10), True, False, True, Interval(0, 1, True)),
        ThresholdRound(F(1, 2), True, True, False, Interval(F(9, 10), F(11, 10), False)),
        ThresholdRound(F(0), False, True, False, Interval(F(8, 10), F(11, 10), False)),
    ]


def test_threshold_at_a_tie_with_a_negative_label():
    (only,) = drifting_threshold([(F(1, 2), -1)], gamma=F(1, 8))
    assert only == ThresholdRound(F(0), True, True, False, Interval(F(3, 8), F(9, 8), False))


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (0, 1, ThresholdRound(F(-1, 2), True, True, False, Interval(F(-1, 8), F(1, 8), False))),
        (0, -1, ThresholdRound(F(-1, 2), False, True, False, Interval(F(-1, 8), F(9, 8), False))),
        (2, 1, ThresholdRound(F(3, 2), False, False, False, Interval(F(-1, 8), F(9, 8), False))),
        (2, -1, ThresholdRound(F(3, 2), True, False, True, Interval(0, 1, True))),
        (-1, -1, ThresholdRound(F(-3, 2), False, False, False, Interval(F(-1, 8), F(9, 8), False))),
        (-1, 1, ThresholdRound(F(-3, 2), True, False, True, Interval(0, 1, True))),
    ],
)
def test_the_first_interval_is_closed_and_no_larger(x, y, expected):
    assert drifting_threshold([(x, y)], gamma=F(1, 8)) == [expected]


@pytest.mark.parametrize(
    ("x", "y", "reset"),
    [(F(5, 8), 1, False), (F(5, 8), -1, True), (F(-1, 8), -1, False), (F(-1, 8), 1, True)],
)
def test_later_intervals_are_open(x, y, reset):
    """After (1/2, +1) and gamma = 1/8 the interval is (-1/8, 5/8), without its borders."""
    _, second = drifting_threshold([(F(1, 2), 1), (x, y)], gamma=F(1, 8))
    expected = Interval(0, 1, True) if reset else Interval(F(-1, 4), F(3, 4), False)
    assert second == ThresholdRound(x - F(1, 4), reset, False, reset, expected)


# ---------------------------------------------------------- what the paper proves: thresholds


def drifting_targets(
    rng: random.Random, length: int, gamma: F, shift: float
) -> tuple[list[F], int]:
    """Thresholds in [0, 1] that move by at most gamma, or else anywhere; the number of shifts."""
    targets, shifts = [F(rng.randint(0, 64), 64)], 0
    while len(targets) < length:
        if rng.random() < shift:
            step, shifts = F(rng.randint(-64, 64), 64), shifts + 1
        else:
            step = gamma * F(rng.choice([-4, -4, -1, 0, 0, 3, 4, 4]), 4)
        targets.append(min(F(1), max(F(0), targets[-1] + step)))
    return targets, shifts


def labelled(rng: random.Random, targets: list[F]) -> list[tuple[F, int]]:
    """Points in and around [0, 1], often the threshold itself; x is positive iff x >= it."""
    stream = []
    for target in targets:
        x = target if rng.random() < 0.2 else F(rng.randint(-8, 72), 64)
        stream.append((x, 1 if x >= target else -1))
    return stream


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("gamma", [F(1, 100), F(1, 20), F(1, 4)])
def test_the_interval_follows_the_threshold(seed, gamma):
    """It is in (a, b]: x = threshold is positive, and then it may move by all of gamma."""
    rng = random.Random(seed)
    targets, _ = drifting_targets(rng, 200, gamma, shift=0)
    rounds = drifting_threshold(labelled(rng, targets), gamma=gamma)
    assert not any(r.reset for r in rounds)
    for target, r in zip(targets[1:], rounds, strict=False):
        assert r.interval.a < target <= r.interval.b


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_follows_a_slower_threshold_strictly(seed):
    rng = random.Random(seed)
    targets, _ = drifting_targets(rng, 200, F(1, 20), shift=0)
    rounds = drifting_threshold(labelled(rng, targets), gamma=F(1, 19))
    for target, r in zip(targets[1:], rounds, strict=False):
        assert r.interval.a < target < r.interval.b


def test_a_threshold_that_moves_by_all_of_gamma_may_be_the_right_border():
    # the threshold is 1/2 and then 5/8
    first, second = drifting_threshold([(F(1, 2), 1), (F(5, 8), 1)], gamma=F(1, 8))
    assert first.interval == (F(-1, 8), F(5, 8), False)
    assert (second.inside, second.mistake, second.reset) == (False, False, False)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("shift", [0.02, 0.1, 0.5])
def test_there_are_no_more_resets_than_shifts(seed, shift):
    rng = random.Random(seed)
    targets, shifts = drifting_targets(rng, 200, F(1, 50), shift)
    rounds = drifting_threshold(labelled(rng, targets), gamma=F(1, 50))
    resets = sum(r.reset for r in rounds)
    assert resets <= shifts
    assert resets > 0 or shift < 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_what_happens_to_the_length_of_the_interval(seed):
    """A mistake inside halves it, a point outside does not narrow it, and 2 gamma come on top."""
    rng = random.Random(seed)
    gamma = F(1, 50)
    stream = [(F(rng.randint(-8, 72), 64), rng.choice([-1, 1])) for _ in range(300)]
    rounds = drifting_threshold(stream, gamma=gamma)
    intervals = [Interval(0, 1, True), *(r.interval for r in rounds)]
    assert any(r.mistake and r.inside for r in rounds) and any(r.reset for r in rounds)
    for r, before, after in zip(rounds, intervals, intervals[1:], strict=False):
        length, new = before.b - before.a, after.b - after.a
        assert is_exact(r.score, new) and new > 0
        assert after.closed == r.reset == (r.mistake and not r.inside)
        if r.reset:
            assert after == (0, 1, True)
        elif not r.inside:
            assert new == length + 2 * gamma
        elif r.mistake:
            assert new <= length / F(2) + 2 * gamma
        else:
            assert length / F(2) + 2 * gamma <= new <= length + 2 * gamma


@pytest.mark.parametrize("seed", SEEDS)
def test_whether_a_point_is_inside(seed):
    """Outside, the whole interval agrees on the prediction; inside, either label is feasible."""
    rng = random.Random(seed)
    stream = [(F(rng.randint(-8, 72), 64), rng.choice([-1, 1])) for _ in range(300)]
    rounds = drifting_threshold(stream, gamma=F(1, 64))
    intervals = [Interval(0, 1, True), *(r.interval for r in rounds)]
    assert any(x in i[:2] for (x, _), i in zip(stream, intervals, strict=False))
    for (x, y), r, (a, b, closed) in zip(stream, rounds, intervals, strict=False):
        prediction = -y if r.mistake else y
        assert r.inside == (a <= x <= b if closed else a < x < b)
        assert r.score == x - (a + b) / F(2)
        assert prediction == (1 if r.score >= 0 else -1)
        if not r.inside:
            assert (x >= b) if prediction == 1 else (x <= a)


@pytest.mark.parametrize("seed", SEEDS)
def test_floats_decide_as_fractions_do(seed):
    """Tenths and hundredths are not floats, but no border and no midpoint is missed for that."""
    rng = random.Random(seed)
    stream = [(F(rng.randint(-1, 11), 10), rng.choice([-1, 1])) for _ in range(200)]
    exact = drifting_threshold(stream, gamma=F(1, 10))
    rounded = drifting_threshold([(float(x), y) for x, y in stream], gamma=0.1)
    assert any(r.score == 0 for r in exact)
    for e, r in zip(exact, rounded, strict=True):
        assert (e.mistake, e.inside, e.reset) == (r.mistake, r.inside, r.reset)
        assert e.interval.closed == r.interval.closed
        assert r.interval[:2] == pytest.approx([float(e.interval.a), float(e.interval.b)])
        assert r.score == pytest.approx(float(e.score))


@pytest.mark.parametrize("seed", SEEDS)
def test_theorem_5(seed):
    """Uniform points are lambda-good for gamma = lambda."""
    rng = random.Random(seed)
    gamma, length, shifts, target, stream = 0.002, 3000, 3, 0.5, []
    for t in range(length):
        x = rng.random()
        stream.append((x, 1 if x >= target else -1))
        if t % (length // (shifts + 1)) == length // (shifts + 1) - 1 and t < length - 1:
            target = rng.random()
        else:
            target = min(1.0, max(0.0, target + rng.choice([-gamma, gamma])))
    rounds = drifting_threshold(stream, gamma=gamma)
    bound = shifts / length + math.sqrt(2 * (shifts + 1) / length) + math.sqrt(5 * gamma)
    assert sum(r.reset for r in rounds) <= shifts
    assert 0 < sum(r.mistake for r in rounds) / length <= bound < 0.2


# --------------------------------------- hand-worked: the Modified Perceptron on a budget


def kinds(rounds: list[Round]) -> str:
    """One letter per round: m(istake and update), M(istake alone), u(pdate alone), '.' neither."""
    letters = {(True, True): "m", (True, False): "M", (False, True): "u", (False, False): "."}
    return "".join(letters[r.mistake, r.update] for r in rounds)


def scores(rounds: list[Round]) -> list[Number]:
    return [r.score for r in rounds]


def removals(rounds: list[Round]) -> dict[int, tuple[int, ...]]:
    return {t: r.removed for t, r in enumerate(rounds) if r.removed}


def indices(r: Round) -> list[int]:
    return [i for i, _ in r.supports]


def weights(r: Round) -> list[Number]:
    return [weight for _, weight in r.supports]


def vector(supports: Supports, stream: Stream) -> list[Number]:
    """w = sum_i weight_i x_i."""
    return [sum(weight * stream[i][0][d] for i, weight in supports) for d in (0, 1)]


def test_modified_budget_perceptron_by_hand():
    stream = [
        ((0, 0), -1),
        ((3, 4), -1),
        ((1, 0), 1),
        ((0, -2), -1),
        ((0, 5), -1),
        ((3, 4), -1),
        ((1, 0), -1),
        ((1, 0), 1),
        ((0, 1), -1),
    ]
    rounds = modified_budget_perceptron(stream, linear, budget=2)
    # t=0: x = 0: score 0 predicts +1, wrong, but no update and no w_1
    # t=1: w_1 = (3, 4)/5, score 5, wrong: weight -2*5/25 = -2/5,     w = (-3/5, -4/5)
    # t=2: score -3/5, wrong and full. Without weight 1/5 of x_1, -2/5 of x_1 is left, of
    #      length 2: -1/5. Score -3/5, still wrong: weight 6/5,       w = (3/5, -4/5)
    # t=3: score 8/5, wrong and full. Without x_1, (6/5, 0) is left: (1, 0) of weight 1.
    #      Score 0, which is no longer wrong: nothing is added,       w = (1, 0)
    # t=4: score 0 predicts +1, wrong, but w reflected in x is w: no update
    # t=5: score 3, wrong, room for one: weight -2*3/25,              w = (7/25, -24/25)
    # t=6: score 7/25, wrong and full. Without x_2, -6/25 of (3, 4) is left, of length 6/5: -1/5.
    #      Score -3/5, right: nothing is added,                       w = (-3/5, -4/5)
    # t=7: score -3/5, wrong, room for one: weight 6/5,               w = (3/5, -4/5)
    # t=8: score -4/5, right
    assert scores(rounds) == pytest.approx([0, 5, -0.6, 1.6, 0, 3, 0.28, -0.6, -0.8])
    assert kinds(rounds) == "MmmmMmmm."
    assert removals(rounds) == {2: (1,), 3: (1,), 6: (2,)}
    assert [indices(r) for r in rounds] == [
        [],
        [1, 1],
        [1, 2],
        [2],
        [2],
        [2, 5],
        [5],
        [5, 7],
        [5, 7],
    ]
    assert weights(rounds[1]) == pytest.approx([0.2, -0.4])
    assert weights(rounds[2]) == pytest.approx([-0.2, 1.2])
    assert weights(rounds[3]) == weights(rounds[4]) == pytest.approx([1])
    assert weights(rounds[5]) == pytest.approx([1, -0.24])
    assert weights(rounds[6]) == pytest.approx([-0.2])
    assert weights(rounds[7]) == weights(rounds[8]) == pytest.approx([-0.2, 1.2])


def test_modified_budget_perceptron_draws_a_position():
    stream = [((1, 0), 1), ((3, 4), -1), ((0, 1), 1), ((1, 0), -1)]
    asked = []

    def last(n: int) -> int:
        asked.append(n)
        return n - 1

    rounds = modified_budget_perceptron(stream, linear, budget=2, draw=last)
    # t=0: w_1 = (1, 0), right
    # t=1: score 3, wrong, room for one: weight -6/25,                w = (7/25, -24/25)
    # t=2: score -24/25, wrong and full. Without x_1, w_1 is left, of length 1: score 0, mended
    # t=3: score 1, wrong, room for one: weight -2,                   w = (-1, 0)
    assert scores(rounds) == pytest.approx([1, 3, -0.96, 1])
    assert kinds(rounds) == ".mmm"
    assert removals(rounds) == {2: (1,)}
    assert asked == [2]
    assert [indices(r) for r in rounds] == [[0], [0, 1], [0], [0, 3]]
    assert weights(rounds[1]) == pytest.approx([1, -0.24])
    assert weights(rounds[3]) == pytest.approx([1, -2])


def test_modified_budget_perceptron_with_one_support_begins_ever_anew():
    stream = [((3, 4), -1), ((0, 2), 1), ((4, 3), -1), ((-3, 4), -1)]
    rounds = modified_budget_perceptron(stream, linear, budget=1)
    # t=0: w_1 = (3, 4)/5, score 5, wrong and full: -(3, 4)/5 alone
    # t=1: score -8/5, wrong: (0, 1) alone, of weight 1/2
    # t=2: score 3, wrong: -(4, 3)/5 alone
    # t=3: score 0 up to rounding, wrong, but no update
    assert scores(rounds) == pytest.approx([5, -1.6, 3, 0])
    assert kinds(rounds) == "mmmM"
    assert removals(rounds) == {0: (0,), 1: (0,), 2: (1,)}
    assert [indices(r) for r in rounds] == [[0], [1], [2], [2]]
    assert [w for r in rounds for w in weights(r)] == pytest.approx([-0.2, 0.5, -0.2, -0.2])


def test_modified_budget_perceptron_keeps_supports_that_cancel():
    stream = [((1, 0), -1), ((1, 0), 1), ((3, 4), -1), ((1, 0), 1), ((0, 1), 1)]
    rounds = modified_budget_perceptron(stream, linear, budget=3)
    # t=0: w_1 = (1, 0), wrong: weights 1, -2,                        w = (-1, 0)
    # t=1: score -1, wrong: weights 1, -2, 2,                         w = (1, 0)
    # t=2: score 3, wrong and full. Without the first, -2 and 2 cancel: nothing is left, and
    #      they stay beside the newcomer's -1/5,                      w = (-3/5, -4/5)
    # t=3: score -3/5, wrong and full. Without -2, (2, 0) - (3, 4)/5 = (7/5, -4/5) is left, of
    #      length sqrt(65)/5, and right: weights 10/sqrt(65) and -1/sqrt(65)
    # t=4: score -4/sqrt(65), wrong, room for one: weight 8/sqrt(65), w = (7, 4)/sqrt(65)
    root = math.sqrt(65)
    assert scores(rounds) == pytest.approx([1, -1, 3, -0.6, -4 / root])
    assert kinds(rounds) == "mmmmm"
    assert removals(rounds) == {2: (0,), 3: (0,)}
    assert [indices(r) for r in rounds] == [[0, 0], [0, 0, 1], [0, 1, 2], [1, 2], [1, 2, 4]]
    assert weights(rounds[1]) == pytest.approx([1, -2, 2])
    assert weights(rounds[2]) == pytest.approx([-2, 2, -0.2])
    assert weights(rounds[3]) == pytest.approx([10 / root, -1 / root])
    assert weights(rounds[4]) == pytest.approx([10 / root, -1 / root, 8 / root])
    assert vector(rounds[4].supports, stream) == pytest.approx([7 / root, 4 / root])


@pytest.mark.parametrize("learner", ["unbounded", "room", "full"])
@pytest.mark.parametrize(
    ("zero_score", "y", "mistake"),
    [
        ("positive", -1, True),
        ("positive", 1, False),
        ("mistake", -1, True),
        ("mistake", 1, True),
    ],
)
def test_a_zero_score_changes_nothing(learner, zero_score, y, mistake):
    # (.1, .2, .3) is orthogonal to (1, 1, -1), but not in floats
    stream = [((1.0, 1.0, -1.0), 1), ((0.1, 0.2, 0.3), y)]

    def never(n: int) -> int:
        raise AssertionError("nothing to draw")

    if learner == "unbounded":
        first, second = modified_perceptron(stream, linear, zero_score=zero_score)
    else:
        budget = {"room": 2, "full": 1}[learner]
        first, second = modified_budget_perceptron(
            stream, linear, budget=budget, draw=never, zero_score=zero_score
        )
    assert second.score != 0
    assert (second.mistake, second.update, second.removed) == (mistake, False, ())
    assert second.supports == first.supports == ((0, pytest.approx(3**-0.5)),)


# -------------------------------------------- invariants: the Modified Perceptron on a budget


def noisy_stream(seed: int, length: int = 80) -> Stream:
    """Integer points, hence ties, zero scores and repeated points, with a tenth of labels wrong."""
    rng = random.Random(seed)
    points = [(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(length)]
    return [
        ((float(a), float(b)), (1 if a + b > 0 else -1) * rng.choice([1] * 9 + [-1]))
        for a, b in points
    ]


def squared_norm(supports: Supports, stream: Stream, kernel: Kernel) -> Number:
    """|f|^2 = sum_i weight_i f(x_i)."""
    return sum(w * evaluate(supports, stream, kernel, stream[i][0])[0] for i, w in supports)


KERNELS = pytest.mark.parametrize("kernel", [linear, polynomial(1, 2, 1), gaussian(0.3)])
RANDOM = pytest.mark.parametrize("randomized", [False, True])


@pytest.mark.parametrize("seed", SEEDS)
@KERNELS
@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8])
@RANDOM
def test_the_norm_stays_1_and_the_budget_is_kept(seed, kernel, budget, randomized):
    stream = noisy_stream(seed)
    draw = random.Random(seed).randrange if randomized else None
    rounds = modified_budget_perceptron(stream, kernel, budget=budget, draw=draw)
    assert any(r.removed for r in rounds)
    before: Supports = ()
    for r, (x, y) in zip(rounds, stream, strict=True):
        assert len(r.supports) <= budget
        assert indices(r) == sorted(indices(r))
        assert not (r.update and not r.mistake)
        if before and not r.update:
            assert r.supports == before and not r.removed
        if r.supports:
            assert squared_norm(r.supports, stream, kernel) == pytest.approx(1)
        if r.update:
            score, scale = evaluate(r.supports, stream, kernel, x)
            assert y * score >= -1e-9 * (1 + scale)  # it has learned this example
        if r.removed:
            assert len(before) == budget or (budget == 1 and not before)
            assert len(r.supports) in (budget - 1, budget)
        elif r.update:
            assert score == pytest.approx(-r.score)  # a reflection
        before = r.supports


@pytest.mark.parametrize("seed", SEEDS)
@KERNELS
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_a_large_budget_is_the_modified_perceptron(seed, kernel, zero_score):
    stream = noisy_stream(seed)

    def never(n: int) -> int:
        raise AssertionError("nothing to draw")

    expected = modified_perceptron(stream, kernel, zero_score=zero_score)
    rounds = modified_budget_perceptron(
        stream, kernel, budget=len(stream) + 1, draw=never, zero_score=zero_score
    )
    assert rounds == expected


@pytest.mark.parametrize("seed", SEEDS)
@KERNELS
def test_the_oldest_is_in_position_0(seed, kernel):
    stream = noisy_stream(seed)
    rounds = modified_budget_perceptron(stream, kernel, budget=4)
    assert rounds == modified_budget_perceptron(stream, kernel, budget=4, draw=lambda n: 0)
    for before, r in itertools.pairwise(rounds):
        if r.removed:
            assert r.removed == (before.supports[0][0],)


@pytest.mark.parametrize("seed", SEEDS)
@KERNELS
def test_one_draw_for_one_removal(seed, kernel):
    stream = noisy_stream(seed)
    rng, drawn = random.Random(seed), []

    def draw(n: int) -> int:
        assert n == 4
        drawn.append(rng.randrange(n))
        return drawn[-1]

    rounds = modified_budget_perceptron(stream, kernel, budget=4, draw=draw)
    expected = iter(drawn)
    for before, r in itertools.pairwise(rounds):
        if r.removed:
            assert r.removed == (before.supports[next(expected)][0],)
    assert next(expected, None) is None and len(set(drawn)) > 1


def primal(stream: Stream, budget: int) -> list[tuple[Number, list[Number]]]:
    """The oldest forgotten, for the linear kernel in the plane: (score, w) with w a vector."""
    parts: list[list[Number]] = []
    out = []

    def total() -> list[Number]:
        return [math.fsum(part[d] for part in parts) for d in (0, 1)]

    for x, y in stream:
        norm = math.hypot(*x)
        if norm and not parts:
            parts = [[c / norm for c in x]]
        score = math.fsum(a * b for a, b in zip(total(), x, strict=True))
        if y * score < -1e-9:
            inner = score
            if len(parts) == budget:
                parts = parts[1:]
                length = math.hypot(*total())
                if length < 1e-6:
                    parts.append([y * c / norm for c in x])
                    inner = None
                else:
                    parts = [[c / length for c in part] for part in parts]
                    inner = math.fsum(a * b for a, b in zip(total(), x, strict=True))
            if inner is not None and y * inner < -1e-9:
                parts.append([-2 * inner * c / norm**2 for c in x])
        out.append((score, total()))
    return out


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8])
def test_the_same_with_vectors(seed, budget):
    stream = noisy_stream(seed)
    rounds = modified_budget_perceptron(stream, linear, budget=budget)
    for r, (score, w) in zip(rounds, primal(stream, budget), strict=True):
        assert r.score == pytest.approx(score, abs=1e-7)
        assert vector(r.supports, stream) == pytest.approx(w, abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_length_of_x_does_not_matter(seed):
    stream = noisy_stream(seed)
    rng = random.Random(seed)
    factors = [2.0 ** rng.randint(-3, 3) for _ in stream]
    longer = [(tuple(f * c for c in x), y) for f, (x, y) in zip(factors, stream, strict=True)]
    plain = modified_budget_perceptron(stream, linear, budget=4)
    scaled = modified_budget_perceptron(longer, linear, budget=4)
    for f, p, s in zip(factors, plain, scaled, strict=True):
        assert s.score == f * p.score
        assert (p.mistake, p.update, p.removed) == (s.mistake, s.update, s.removed)
        assert vector(p.supports, stream) == vector(s.supports, longer)


# -------------------------------------------------------------------------------- experts


def test_restarting_experts_by_hand():
    predictions = [(1, -1, 1), (1, 1, -1), (1, 1, -1), (-1, -1, 1), (-1, 1, 1)]
    labels = [1, -1, -1, 1, 1]
    rounds = restarting_experts(predictions, labels, restart_every=3, rate=math.log(2))
    # t=0: weights 1, 1, 1:      p = 1/3, 1/3, 1/3; the second is wrong:  1, 1/2, 1
    # t=1: p = 2/5, 1/5, 2/5:    the first two are wrong:                 1/2, 1/4, 1
    # t=2: p = 2/7, 1/7, 4/7:    the first two are wrong:                 1/4, 1/8, 1
    # t=3: a restart, p = 1/3:   the first two are wrong:                 1/2, 1/2, 1
    # t=4: p = 1/4, 1/4, 1/2:    the first is wrong:                      1/4, 1/2, 1
    assert rounds[0].p == rounds[3].p == [F(1, 3)] * 3  # exactly
    expected = [
        ((F(1, 3), F(1, 3), F(1, 3)), F(1, 3), F(1, 3), (1, F(1, 2), 1)),
        ((F(2, 5), F(1, 5), F(2, 5)), F(1, 5), F(3, 5), (F(1, 2), F(1, 4), 1)),
        ((F(2, 7), F(1, 7), F(4, 7)), F(-1, 7), F(3, 7), (F(1, 4), F(1, 8), 1)),
        ((F(1, 3), F(1, 3), F(1, 3)), F(-1, 3), F(2, 3), (F(1, 2), F(1, 2), 1)),
        ((F(1, 4), F(1, 4), F(1, 2)), F(1, 2), F(1, 4), (F(1, 4), F(1, 2), 1)),
    ]
    for r, (p, vote, loss, after) in zip(rounds, expected, strict=True):
        assert r.p == pytest.approx([float(v) for v in p])
        assert r.vote == pytest.approx(float(vote))
        assert r.loss == pytest.approx(float(loss))
        assert r.weights == pytest.approx([float(v) for v in after])


def test_restarting_every_round_follows_no_one():
    predictions = [(1, -1, -1, -1)] * 4
    rounds = restarting_experts(predictions, [1, 1, -1, 1], restart_every=1, rate=1)
    assert all(r.p == [F(1, 4)] * 4 and r.vote == F(-1, 2) for r in rounds)
    assert [r.loss for r in rounds] == [F(3, 4), F(3, 4), F(1, 4), F(3, 4)]


def test_restart_length():
    # ln 10 = 2.302585: (2.302585 / .0001)^(1/3) = 28.45, sqrt(2.302585 / .01) = 15.17
    assert restart_length(10, 0.01, False) == 29
    assert restart_length(10, 0.01, True) == 16
    assert restart_length(10, F(1, 100), False) == 29
    assert restart_length(10, F(1, 100), True) == 16
    assert restart_length(1000, 0.5, True) == 4  # sqrt(13.8)
    assert restart_length(1000, 0.5, False) == 4  # (27.6)^(1/3) = 3.02
    assert restart_length(2, 1, True) == restart_length(2, 1, False) == 1  # below 1
    assert restart_length(1, 0.01, True) == restart_length(1, 0.01, False) == 1  # ln 1 = 0


@pytest.mark.parametrize("experts", [2, 10, 1000])
@pytest.mark.parametrize("drift_rate", [0.0013, 0.017, 0.21])
def test_restart_length_is_the_smallest_such_number(experts, drift_rate):
    log_n = math.log(experts)
    m = restart_length(experts, drift_rate, True)
    assert m**2 * drift_rate >= log_n > (m - 1) ** 2 * drift_rate
    m = restart_length(experts, drift_rate, False)
    assert m**3 * drift_rate**2 >= log_n > (m - 1) ** 3 * drift_rate**2


@pytest.mark.parametrize("experts", [2, 10, 1000])
@pytest.mark.parametrize("length", [1, 16, 300])
def test_rate(experts, length):
    log_n = math.log(experts)
    best = rate(experts, length, False)
    assert best**2 == pytest.approx(8 * log_n / length)

    def regret(eta: float) -> float:
        return log_n / eta + eta * length / 8

    assert regret(best) == pytest.approx(math.sqrt(length * log_n / 2))
    assert regret(best) < min(regret(0.99 * best), regret(1.01 * best))
    drift_rate = log_n / length**2  # for which sqrt(ln N / lambda) = length
    loss = length**2 * drift_rate / 2
    assert rate(experts, length, True) == pytest.approx(math.log(1 + math.sqrt(2 * log_n / loss)))
    assert math.exp(rate(experts, length, True)) == pytest.approx(3)


def some_experts(seed: int, length: int, good: float) -> tuple[list[list[int]], list[int]]:
    """Experts of all qualities, one of which errs with probability 1 - good; it changes."""
    rng = random.Random(seed)
    labels = [rng.choice([-1, 1]) for _ in range(length)]
    predictions = []
    for t, y in enumerate(labels):
        chances = [0.4, 0.5, 0.6, 0.7, 0.5, 0.5]
        chances[t // 40 % 6] = good
        predictions.append([y if rng.random() < chance else -y for chance in chances])
    return predictions, labels


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("good", [0.9, 1.0])
@pytest.mark.parametrize("restart_every", [1, 7, 40, 500])
@pytest.mark.parametrize("eta", [0.1, 0.5, math.log(3), None])
def test_regret_in_each_segment(seed, good, restart_every, eta):
    predictions, labels = some_experts(seed, 170, good)
    eta = rate(6, restart_every, False) if eta is None else eta
    rounds = restarting_experts(predictions, labels, restart_every=restart_every, rate=eta)
    log_n, segments = math.log(6), 0
    for start in range(0, len(labels), restart_every):
        segment = range(start, min(start + restart_every, len(labels)))
        loss = math.fsum(rounds[t].loss for t in segment)
        best = min(sum(predictions[t][i] != labels[t] for t in segment) for i in range(6))
        assert loss - best <= log_n / eta + eta * len(segment) / 8 + 1e-9
        assert loss <= (eta * best + log_n) / (1 - math.exp(-eta)) + 1e-9
        segments += 1
    assert segments == math.ceil(170 / restart_every)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_of_the_forecaster(seed):
    """Probabilities, the vote's relation to the loss, and the weights from the losses alone."""
    predictions, labels = some_experts(seed, 100, 0.9)
    rounds = restarting_experts(predictions, labels, restart_every=30, rate=0.3)
    for t, (r, said, y) in enumerate(zip(rounds, predictions, labels, strict=True)):
        start = t - t % 30
        lost = [sum(predictions[s][i] != labels[s] for s in range(start, t)) for i in range(6)]
        shares = [math.exp(-0.3 * loss) for loss in lost]
        assert r.p == pytest.approx([share / sum(shares) for share in shares])
        assert sum(r.p) == pytest.approx(1)
        assert r.loss == pytest.approx((1 - y * r.vote) / 2)
        assert r.weights == pytest.approx(
            [math.exp(-0.3 * (loss + (s != y))) for loss, s in zip(lost, said, strict=True)]
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_segments_know_nothing_of_each_other(seed):
    predictions, labels = some_experts(seed, 100, 0.9)
    whole = restarting_experts(predictions, labels, restart_every=30, rate=0.3)
    parts = []
    for start in range(0, 100, 30):
        part = slice(start, start + 30)
        parts += restarting_experts(predictions[part], labels[part], restart_every=99, rate=0.3)
    assert whole == parts


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("realizable", [False, True])
def test_the_bound_of_the_reduction(seed, realizable):
    """Theorems 3 and 4 with thresholds for experts, whose target drifts by one place at a time.

    The paper proves them in expectation, but there is ample room.
    """
    rng = random.Random(seed)
    experts, length = 20, 600
    drift_rate = 1 / experts  # of uniform points, so much lies between neighbouring thresholds
    target, targets, predictions, labels = 10, [], [], []
    for _ in range(length):
        x = rng.randrange(experts)
        y = 1 if x >= target else -1
        targets.append(target)
        labels.append(y if realizable or rng.random() < 0.8 else -y)
        predictions.append([1 if x >= threshold else -1 for threshold in range(experts)])
        target = min(experts - 1, max(0, target + rng.choice([-1, 0, 1])))
    m = restart_length(experts, drift_rate, realizable)
    eta = rate(experts, m, realizable)
    rounds = restarting_experts(predictions, labels, restart_every=m, rate=eta)
    loss = math.fsum(r.loss for r in rounds)
    legal = sum(
        said[target] != y for said, target, y in zip(predictions, targets, labels, strict=True)
    )
    segments = math.ceil(length / m)
    drifted = m**2 * drift_rate / 2
    log_n = math.log(experts)
    if realizable:
        assert legal == 0
        assert loss <= segments * (eta * drifted + log_n) / (1 - math.exp(-eta))
    else:
        assert loss - legal <= segments * (math.sqrt(m * log_n / 2) + drifted)
