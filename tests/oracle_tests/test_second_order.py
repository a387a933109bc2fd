"""The oracle's second-order Perceptrons: hand-worked streams, and what the papers prove."""

import math
import random
from fractions import Fraction as F

import numpy as np
import pytest

from oracle import (
    Number,
    Round,
    SecondOrderRound,
    Stream,
    Supports,
    adaptive_second_order_perceptron,
    evaluate,
    gaussian,
    least_recent_budget_second_order_perceptron,
    linear,
    perceptron,
    polynomial,
    pseudoinverse_second_order_perceptron,
    randomized_budget_second_order_perceptron,
    second_order_perceptron,
    second_order_perceptron_primal,
    whitened,
    whitened_perceptron,
)

SEEDS = range(5)

# ------------------------------------------------------------------------------- helpers


def noisy_stream(seed: int, length: int = 80) -> Stream:
    """Integer points, hence ties, zero scores and repeated points, with a tenth of labels wrong."""
    rng = random.Random(seed)
    points = [(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(length)]
    return [((a, b), (1 if a + b > 0 else -1) * rng.choice([1] * 9 + [-1])) for a, b in points]


def flat_stream(
    seed: int, length: int = 70, dimension: int = 4, noise: float = 0.1, gap: float = 0.0
) -> Stream:
    """A flat ellipsoid (Fig. 2.2): the first, small coordinate decides the label, up to noise."""
    rng = random.Random(seed)
    stream = []
    while len(stream) < length:
        first = rng.gauss(0, 0.3)
        if abs(first) >= gap:
            x = (first, *(rng.gauss(0, 1) for _ in range(dimension - 1)))
            side = 1 if first > 0 else -1
            stream.append((x, -side if rng.random() < noise else side))
    return stream


def kinds(rounds: list[Round]) -> str:
    """One letter per round: m(istake and update), M(istake alone), u(pdate alone), '.' neither."""
    letters = {(True, True): "m", (True, False): "M", (False, True): "u", (False, False): "."}
    return "".join(letters[r.mistake, r.update] for r in rounds)


def scores(rounds: list[Round]) -> list[Number]:
    return [r.score for r in rounds]


def floats(numbers: list[Number]) -> list[float]:
    return [float(number) for number in numbers]


def indices(supports: Supports) -> list[int]:
    return [i for i, _ in supports]


def weights(supports: Supports) -> list[Number]:
    return [w for _, w in supports]


def matrix(points: list[tuple[float, ...]], dimension: int) -> np.ndarray:
    """The matrix with these points for columns."""
    return np.array(points, dtype=float).reshape(len(points), dimension).T


def assert_same(left: list[SecondOrderRound], right: list[SecondOrderRound]) -> None:
    assert kinds(left) == kinds(right)
    for a, b in zip(left, right, strict=True):
        assert a.score == pytest.approx(b.score, rel=1e-9, abs=1e-9)
        assert a.plain_score == pytest.approx(b.plain_score, rel=1e-9, abs=1e-9)
        assert (a.a, a.removed) == (b.a, b.removed)
        assert indices(a.supports) == indices(b.supports)
        assert weights(a.supports) == pytest.approx(weights(b.supports), rel=1e-9, abs=1e-9)


# ----------------------------------------------------------------------------- hand-worked

STREAM = [((1, 0), -1), ((1, 1), 1), ((0, 2), 1), ((1, -1), 1), ((2, 1), -1)]


@pytest.mark.parametrize("form", ["dual", "primal"])
def test_second_order_perceptron_by_hand(form):
    if form == "dual":
        rounds = second_order_perceptron(STREAM, linear, a=1)
    else:
        rounds = second_order_perceptron_primal(STREAM, a=1)
    # t=0: score 0 predicts +1, wrong: v = (-1, 0), alpha = -1/(1 + 1)
    # t=1: I + S S^T = [3 1; 1 2], w = (-2, 1)/5, score -1/5, wrong. v = (0, 1).
    #      plain: -1/2 = -1/5 (1 + 3/2).  I + K = [2 1; 1 3], alpha = (-4, 3)/5
    # t=2: I + S S^T = [3 1; 1 6], w = (-1, 3)/17, score 6/17, right
    #      plain: 3/5 * 2 = 6/5 = 6/17 (1 + 12/5)
    # t=3: I + S S^T = [4 0; 0 3], w = (0, 1/3), score -1/3, wrong: v = (1, 0)
    #      plain: -4/5 = -1/3 (1 + 7/5).  I + K = [2 1 1; 1 3 0; 1 0 3], alpha = (-5, 3, 3)/4
    # t=4: I + S S^T = [8 2; 2 4], w = (4, -2)/28, score 6/28, wrong
    #      plain: -5/2 + 9/4 + 3/4 = 1/2 = 3/14 (1 + 4/3)
    assert scores(rounds) == pytest.approx(floats([0, F(-1, 5), F(6, 17), F(-1, 3), F(3, 14)]))
    plain = [r.plain_score for r in rounds]
    assert plain == pytest.approx(floats([0, F(-1, 2), F(6, 5), F(-4, 5), F(1, 2)]))
    assert kinds(rounds) == "mm.mm"
    assert [indices(r.supports) for r in rounds] == [[0], [0, 1], [0, 1], [0, 1, 3], [0, 1, 3, 4]]
    assert weights(rounds[0].supports) == pytest.approx([-0.5])
    assert weights(rounds[2].supports) == pytest.approx([-0.8, 0.6])
    assert weights(rounds[3].supports) == pytest.approx([-1.25, 0.75, 0.75])
    assert {r.a for r in rounds} == {1.0}
    assert all(r.removed == () for r in rounds)


def test_adaptive_second_order_perceptron_by_hand():
    rounds = adaptive_second_order_perceptron(STREAM, linear, c=0.25, radius=2)  # a_k = k
    # t=0: a_1 = 1, score 0, wrong: v = (-1, 0), alpha = -1/(2 + 1)
    # t=1: a_2 = 2: [4 1; 1 3], w = (-3, 1)/11, score -2/11, wrong: v = (0, 1)
    #      alpha with a_3 = 3: [4 1; 1 5]^-1 (-1, 1) = (-6, 5)/19
    # t=2: a_3 = 3: [5 1; 1 8], w = (-1, 5)/39, score 10/39, right
    # t=3: a_3 = 3: [6 0; 0 5], w = (0, 1/5), score -1/5, wrong: v = (1, 0)
    # t=4: a_4 = 4: [11 2; 2 7], w = (7, -2)/73, score 12/73, wrong
    expected = [0, F(-2, 11), F(10, 39), F(-1, 5), F(12, 73)]
    assert scores(rounds) == pytest.approx(floats(expected))
    assert kinds(rounds) == "mm.mm"
    assert [r.a for r in rounds] == [1, 2, 3, 3, 4]
    assert weights(rounds[0].supports) == pytest.approx([-1 / 3])
    assert weights(rounds[1].supports) == pytest.approx([-6 / 19, 5 / 19])


def test_pseudoinverse_second_order_perceptron_by_hand():
    stream = [((1, 0), -1), ((1, 1), 1), ((2, 0), 1), ((1, 1), -1), ((0, 1), 1)]
    rounds = pseudoinverse_second_order_perceptron(stream, linear)
    # t=0: no span but {0}: score 0 predicts +1, wrong: v = (-1, 0), alpha = -1
    # t=1: outside the span: score 0 predicts +1, right, where the plain score is -1
    # t=2: in the span: S S^T = [5 0; 0 0], w = (-1/5, 0), score -2/5, wrong: v = (1, 0)
    #      K = [1 2; 2 4] = 5 u u^T, u = (1, 2)/sqrt 5: K^+ y = (1/25) (1, 2) = (.04, .08)
    # t=3: outside: score 0 predicts +1, wrong: v = (0, -1), S S^T = [6 1; 1 1]
    # t=4: in the span: S S^T = [6 1; 1 2], w = (1, -6)/11, score -6/11, wrong
    assert scores(rounds) == pytest.approx(floats([0, 0, F(-2, 5), 0, F(-6, 11)]))
    assert [r.score == 0 for r in rounds] == [True, True, False, True, False]
    assert kinds(rounds) == "m.mmm"
    assert [r.in_span for r in rounds] == [False, False, True, False, True]
    assert [r.plain_score for r in rounds[:4]] == pytest.approx([0, -1, -2, 0.04 + 0.16])
    # t=4: x^T (X X^T)^-1 x = 6/5: plain = -6/11 (1 + 6/5)
    assert rounds[4].plain_score == pytest.approx(-6 / 5)
    assert [indices(r.supports) for r in rounds] == [[0], [0], [0, 2], [0, 2, 3], [0, 2, 3, 4]]
    assert weights(rounds[2].supports) == pytest.approx([0.04, 0.08])


def test_whitened_perceptron_by_hand():
    stream = [((2, 3), -1), ((2, -3), -1), ((1, 0), 1)]
    # M = diag(4 + 4 + 1, 9 + 9): the first coordinate is divided by 3, the second by sqrt 18
    # t=0: score 0 predicts +1, wrong: w = (-2/3, -1/sqrt 2)
    # t=1: x = (2/3, -1/sqrt 2): score -4/9 + 1/2 = 1/18, wrong: w = (-4/3, 0)
    # t=2: x = (1/3, 0): score -4/9, wrong
    instances = [value for x, _ in whitened(stream) for value in x]
    root = 2**-0.5
    assert instances == pytest.approx([2 / 3, root, 2 / 3, -root, 1 / 3, 0])
    rounds = whitened_perceptron(stream)
    assert scores(rounds) == pytest.approx([0, 1 / 18, -4 / 9])
    assert kinds(rounds) == "mmm"
    assert rounds[2].supports == ((0, -1), (1, -1), (2, 1))


def test_randomized_budget_second_order_perceptron_by_hand():
    asked = []

    def draw(n: int) -> int:
        asked.append(n)
        return 1

    rounds = randomized_budget_second_order_perceptron(STREAM, linear, budget=2, a=1, draw=draw)
    # t=0..2 as without a budget: {0, 1}, full
    # t=3: score -1/3, wrong; position 1 of {0, 1} is 1: {0, 3}, v = (-1, 0) + (1, -1) = (0, -1)
    #      I + K = [2 1; 1 3], y = (-1, 1): alpha = (-4, 3)/5
    # t=4: X X^T = [2 -1; -1 1], I + S S^T = [7 1; 1 3], w = (1, -7)/20, score -5/20, right
    #      plain: -8/5 + 3/5 = -1 = -1/4 (1 + 3)
    assert scores(rounds) == pytest.approx(floats([0, F(-1, 5), F(6, 17), F(-1, 3), F(-1, 4)]))
    assert kinds(rounds) == "mm.m."
    assert [r.removed for r in rounds] == [(), (), (), (1,), ()]
    assert indices(rounds[4].supports) == [0, 3]
    assert weights(rounds[4].supports) == pytest.approx([-0.8, 0.6])
    assert rounds[4].plain_score == pytest.approx(-1)
    assert asked == [2]


def test_least_recent_budget_second_order_perceptron_by_hand():
    rounds = least_recent_budget_second_order_perceptron(STREAM, linear, budget=2, a=1)
    # t=3: 0 goes: {1, 3}, v = (2, 0), I + K = diag(3, 3), alpha = (1, 1)/3
    # t=4: X X^T = diag(2, 2), I + S S^T = [7 2; 2 4], w = (8, -4)/24, score 12/24, wrong;
    #      plain: 3/3 + 1/3 = 4/3 = 1/2 (1 + 5/3).
    #      1 goes: {3, 4}: I + K = [3 1; 1 6], y = (1, -1): alpha = (7, -4)/17
    assert scores(rounds) == pytest.approx(floats([0, F(-1, 5), F(6, 17), F(-1, 3), F(1, 2)]))
    assert kinds(rounds) == "mm.mm"
    assert [r.removed for r in rounds] == [(), (), (), (0,), (1,)]
    assert weights(rounds[3].supports) == pytest.approx([1 / 3, 1 / 3])
    assert rounds[4].plain_score == pytest.approx(4 / 3)
    assert indices(rounds[4].supports) == [3, 4]
    assert weights(rounds[4].supports) == pytest.approx([7 / 17, -4 / 17])


@pytest.mark.parametrize(("zero_score", "expected"), [("positive", "M.m.M"), ("mistake", "MmmMM")])
def test_a_zero_example_is_a_mistake_without_update(zero_score, expected):
    stream = [((0, 0), -1), ((1, 0), 1), ((0, 1), -1), ((0, 0), 1), ((0, 0), -1)]
    runs = [
        second_order_perceptron(stream, linear, a=1, zero_score=zero_score),
        second_order_perceptron_primal(stream, a=1, zero_score=zero_score),
        adaptive_second_order_perceptron(stream, linear, c=1, radius=1, zero_score=zero_score),
        pseudoinverse_second_order_perceptron(stream, linear, zero_score=zero_score),
        least_recent_budget_second_order_perceptron(
            stream, linear, budget=1, a=1, zero_score=zero_score
        ),
    ]
    for rounds in runs:
        assert kinds(rounds) == expected
        assert scores(rounds) == [0] * 5
    assert [r.a for r in runs[2]] == (
        [1, 1, 1, 2, 2] if zero_score == "positive" else [1, 1, 2, 3, 3]
    )


def test_float_noise_does_not_decide_a_zero_margin():
    # .1 + .2 - .3 = 0 in exact arithmetic, where SGN(0) = +1 is wrong; in floats the sign is noise
    stream = [((1.0, 1.0, -1.0), -1), ((0.1, 0.2, 0.3), -1)]
    for a in (1e-3, 1, 1e6):
        rounds = second_order_perceptron(stream, linear, a=a)
        assert rounds[1].score == pytest.approx(0, abs=1e-12)
        assert rounds[1].plain_score < 0
        assert kinds(rounds) == "mm"
    outside = pseudoinverse_second_order_perceptron(stream, linear)
    assert outside[1].score == 0
    assert kinds(outside) == "mm"


# ------------------------------------------------------------- with and without the instance


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("a", [0.1, 1, 10])
@pytest.mark.parametrize("kernel", [linear, polynomial(1, 2, 1), gaussian(0.5)])
def test_plain_score_is_the_margin_times_a_positive_factor(seed, a, kernel):
    """Sherman-Morrison: plain = score (1 + x^T A^-1 x) for A = a I + X X^T.

    In dual variables x^T A^-1 x = (k(x, x) - k^T (a I + K)^-1 k) / a, which is >= 0. The same holds
    for the budget versions, and for a changing a_k as long as both forms use the same a_k.
    """
    stream = flat_stream(seed, length=60, dimension=3)
    runs = [
        second_order_perceptron(stream, kernel, a=a),
        adaptive_second_order_perceptron(stream, kernel, c=a, radius=0.5),
        least_recent_budget_second_order_perceptron(stream, kernel, budget=4, a=a),
    ]
    for rounds in runs:
        before: Supports = ()
        for (x, y), r in zip(stream, rounds, strict=True):
            points = [stream[i][0] for i in indices(before)]
            k = np.array([kernel(p, x) for p in points])
            gram = np.array([[kernel(p, q) for q in points] for p in points])
            own, size = kernel(x, x), len(points)
            inverse = np.linalg.inv(r.a * np.eye(size) + gram.reshape(size, size))
            quotient = (own - k @ inverse @ k) / r.a
            assert quotient >= 0
            assert r.plain_score == pytest.approx(r.score * (1 + quotient), rel=1e-7, abs=1e-9)
            plain, _ = evaluate(before, stream, kernel, x)
            assert r.plain_score == plain
            assert r.mistake is ((y > 0) is not (plain >= 0))
            before = r.supports


@pytest.mark.parametrize("seed", SEEDS)
def test_pseudoinverse_with_and_without_the_instance(seed):
    """In the span plain = score (1 + x^T (X X^T)^+ x); outside, score 0 (readings.md, 39)."""
    stream = flat_stream(seed, length=60, dimension=5)
    rounds = pseudoinverse_second_order_perceptron(stream, linear)
    before: Supports = ()
    outside = 0
    for (x, _), r in zip(stream, rounds, strict=True):
        big_x = matrix([stream[i][0] for i in indices(before)], 5)
        if r.in_span:
            factor = 1 + np.array(x) @ np.linalg.pinv(big_x @ big_x.T, rcond=1e-9) @ np.array(x)
            assert r.plain_score == pytest.approx(r.score * factor)
        else:
            outside += r.plain_score != 0
            assert r.score == 0
        before = r.supports
    assert outside > 0


# -------------------------------------------------- against the matrices of the linear kernel


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("a", [0.1, 1, 30])
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_dual_is_primal(seed, a, zero_score):
    """Theorem 3.3."""
    for stream in (flat_stream(seed), noisy_stream(seed)):
        dual = second_order_perceptron(stream, linear, a=a, zero_score=zero_score)
        primal = second_order_perceptron_primal(stream, a=a, zero_score=zero_score)
        assert_same(dual, primal)
        assert dual[-1].supports != ()


@pytest.mark.parametrize("seed", SEEDS)
def test_dual_is_primal_in_the_feature_space_of_a_kernel(seed):
    stream = flat_stream(seed, dimension=2)
    root = 2**0.5
    images = [
        ((1, root * p, root * q, p * p, q * q, root * p * q), y) for (p, q), y in stream
    ]  # <phi(x), phi(y)> = (1 + <x, y>)^2
    dual = second_order_perceptron(stream, polynomial(1, 2, 1), a=1)
    assert_same(dual, second_order_perceptron_primal(images, a=1))


def regression(
    points: list[tuple[float, ...]], labels: list[int], x: tuple[float, ...], a: float
) -> float:
    """w^T x, w the least |w| minimising sum_i (w^T x_i - y_i)^2 + (w^T x)^2 + a |w|^2.

    That is w = (a I + S S^T)^-1 v, or (S S^T)^+ v for a = 0.
    """
    rows = np.vstack([*points, x, math.sqrt(a) * np.eye(len(x))])
    targets = np.concatenate([labels, np.zeros(1 + len(x))])
    w = np.linalg.lstsq(rows, targets, rcond=1e-9)[0]
    return float(w @ np.array(x))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("c", [0.05, 1])
def test_adaptive_is_a_sequence_of_regressions(seed, c):
    stream = flat_stream(seed)
    radius = max(math.sqrt(linear(x, x)) for x, _ in stream)
    rounds = adaptive_second_order_perceptron(stream, linear, c=c, radius=radius)
    points, labels, mistakes = [], [], 0
    for (x, y), r in zip(stream, rounds, strict=True):
        a = c * radius**2 * (1 + mistakes)
        score = regression(points, labels, x, a)
        assert r.a == pytest.approx(a)
        assert r.score == pytest.approx(score, rel=1e-8, abs=1e-9)
        assert r.mistake is ((y > 0) is not (score >= 0))
        if r.mistake:
            mistakes += 1
            points.append(x)
            labels.append(y)
    assert mistakes > 10


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rank", [2, 4])
def test_pseudoinverse_is_a_sequence_of_regressions(seed, rank):
    """Also for instances that live in a plane of R^4."""
    rng = np.random.default_rng(seed)
    plane = rng.normal(size=(rank, 4))
    stream = [(tuple(floats(np.array(x) @ plane)), y) for x, y in flat_stream(seed, dimension=rank)]
    rounds = pseudoinverse_second_order_perceptron(stream, linear)
    points, labels = [], []
    for (x, y), r in zip(stream, rounds, strict=True):
        before = np.linalg.matrix_rank(matrix(points, 4), rtol=1e-7) if points else 0
        after = np.linalg.matrix_rank(matrix([*points, x], 4), rtol=1e-7)
        assert r.in_span is bool(before == after)
        if before == after:
            s = matrix([*points, x], 4)
            w = np.linalg.pinv(s @ s.T, rcond=1e-9) @ (matrix(points, 4) @ labels)  # Fig. 4.2
            assert r.score == pytest.approx(float(w @ np.array(x)), rel=1e-6, abs=1e-9)
            assert r.score == pytest.approx(regression(points, labels, x, 0), rel=1e-6, abs=1e-9)
        else:
            assert r.score == 0
        if y * r.score < 0 or (r.score == 0 and y < 0):
            assert r.mistake and r.update
            points.append(x)
            labels.append(y)
        else:
            assert not r.mistake
    assert np.linalg.matrix_rank(matrix(points, 4), rtol=1e-7) == rank
    assert len(points) > 10


@pytest.mark.parametrize("seed", SEEDS)
def test_pseudoinverse_is_stable_on_integer_points(seed):
    """Repeated and dependent integer points: the span test is what exact ranks say."""
    stream = noisy_stream(seed)
    rounds = pseudoinverse_second_order_perceptron(stream, linear)
    before: Supports = ()
    for (x, _), r in zip(stream, rounds, strict=True):
        points = [stream[i][0] for i in indices(before)]
        full = any(p[0] * q[1] != p[1] * q[0] for p in points for q in points)
        inside = full or x == (0, 0) or any(p[0] * x[1] == p[1] * x[0] for p in points)
        assert r.in_span is inside
        assert inside or r.score == 0
        before = r.supports


# ---------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_a_large_a_gives_the_perceptron(seed, zero_score):
    """Sec. 3.1: in the limit, also in the ties of the Perceptron."""
    for stream, kernel, a in [
        (flat_stream(seed), linear, 1e8),
        (flat_stream(seed), gaussian(0.5), 1e8),
        (noisy_stream(seed), linear, 1e15),
    ]:
        full = perceptron(stream, kernel, zero_score=zero_score)
        rounds = second_order_perceptron(stream, kernel, a=a, zero_score=zero_score)
        assert [r.mistake for r in rounds] == [r.mistake for r in full]
        assert [a * r.score for r in rounds] == pytest.approx(floats(scores(full)), abs=1e-4)
        assert all(a * w == pytest.approx(stream[i][1], rel=1e-4) for i, w in rounds[-1].supports)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_a_gives_the_pseudoinverse_until_a_margin_is_degenerate(seed):
    """(a I + S S^T)^-1 v tends to (S S^T)^+ v: the margins agree while the mistakes do."""
    stream = flat_stream(seed)
    limit = pseudoinverse_second_order_perceptron(stream, linear)
    rounds = second_order_perceptron(stream, linear, a=1e-9)
    agreed = 0
    for r, s in zip(rounds, limit, strict=True):
        assert r.score == pytest.approx(s.score, abs=1e-3)
        agreed += 1
        if r.mistake is not s.mistake:
            assert not s.in_span
            break
    assert agreed > 1


def never(n: int) -> int:
    raise AssertionError("nothing to draw")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kernel", [linear, gaussian(0.5)])
def test_an_unreached_budget_changes_nothing(seed, kernel):
    stream = flat_stream(seed, length=60)
    budget = len(stream)
    expected = second_order_perceptron(stream, kernel, a=1)
    runs = [
        randomized_budget_second_order_perceptron(stream, kernel, budget=budget, a=1, draw=never),
        least_recent_budget_second_order_perceptron(stream, kernel, budget=budget, a=1),
    ]
    assert runs == [expected, expected]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [1, 3, 6])
def test_a_budget_leaves_nothing_of_the_evicted(seed, budget):
    """Every margin is the regression on the surviving supports alone; the order is insertion's."""
    stream = flat_stream(seed)
    rng = random.Random(seed)
    runs = [
        (randomized_budget_second_order_perceptron, {"draw": rng.randrange}),
        (least_recent_budget_second_order_perceptron, {}),
    ]
    for learner, settings in runs:
        rounds = learner(stream, linear, budget=budget, a=0.5, **settings)
        alive: list[int] = []
        for t, ((x, _), r) in enumerate(zip(stream, rounds, strict=True)):
            points, labels = [stream[i][0] for i in alive], [stream[i][1] for i in alive]
            assert r.score == pytest.approx(regression(points, labels, x, 0.5), abs=1e-9)
            assert len(r.removed) == (r.update and len(alive) == budget)
            if learner is least_recent_budget_second_order_perceptron and r.removed:
                assert r.removed == (alive[0],)
            alive = [i for i in alive if i not in r.removed] + [t] * r.update
            assert indices(r.supports) == alive
        assert len(alive) == budget
        assert any(r.removed for r in rounds)


# --------------------------------------------------------------------- what the papers prove


def hinge(values: np.ndarray, labels: np.ndarray, gamma: float) -> float:
    """D_gamma(u; S), from u^T x_t."""
    return float(np.maximum(0, gamma - labels * values).sum())


def directions(seed: int, points: np.ndarray, labels: np.ndarray) -> list[np.ndarray]:
    """Unit vectors: ridge regressions, which fit, the first axis, and random ones."""
    rng = np.random.default_rng(seed)
    dimension = points.shape[1]
    found = [
        np.linalg.solve(a * np.eye(dimension) + points.T @ points, points.T @ labels)
        for a in (1e-6, 1, 100)
    ]
    found += [np.eye(dimension)[0], *rng.normal(size=(20, dimension))]
    return [u / np.linalg.norm(u) for u in found]


GAMMAS = [0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1, 2]


def smallest(seed: int, stream: Stream, spectral) -> float:
    """The least of D_gamma / gamma + sqrt(spectral(u)) / gamma over the u and gamma found."""
    points = np.array([x for x, _ in stream])
    labels = np.array([y for _, y in stream])
    return min(
        (hinge(points @ u, labels, gamma) + math.sqrt(spectral(u))) / gamma
        for u in directions(seed, points, labels)
        for gamma in GAMMAS
    )


def mistaken(rounds: list[Round], stream: Stream) -> np.ndarray:
    """X_m, a column per mistake."""
    points = [x for (x, _), r in zip(stream, rounds, strict=True) if r.mistake]
    return matrix(points, len(stream[0][0]))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("a", [0.1, 1, 10])
@pytest.mark.parametrize("noise", [0, 0.1])
def test_theorem_3_1(seed, a, noise):
    stream = flat_stream(seed, length=120, noise=noise, gap=0.2)
    rounds = second_order_perceptron(stream, linear, a=a)
    x_m = mistaken(rounds, stream)
    eigenvalues = np.linalg.eigvalsh(x_m @ x_m.T)
    volume = np.log(1 + eigenvalues / a).sum()
    bound = smallest(seed, stream, lambda u: (a + u @ x_m @ x_m.T @ u) * volume)
    assert x_m.shape[1] <= bound < len(stream)  # and the bound says something


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("a", [0.1, 1, 10])
def test_the_proof_of_theorem_3_1(seed, a):
    """(A.1): v_k^T A_k^-1 v_k grows by at most x^T A_k^-1 x = 1 - det A_{k-1} / det A_k."""
    stream = flat_stream(seed)
    rounds = second_order_perceptron(stream, linear, a=a)
    potential, det = 0.0, a**4
    v, big_a = np.zeros(4), a * np.eye(4)
    for (x, y), r in zip(stream, rounds, strict=True):
        if r.mistake:
            v, big_a = v + y * np.array(x), big_a + np.outer(x, x)
            grown = float(v @ np.linalg.inv(big_a) @ v)
            room = float(x @ np.linalg.inv(big_a) @ x)
            new_det = float(np.linalg.det(big_a))
            assert grown <= potential + room + 1e-9
            assert room == pytest.approx(1 - det / new_det)
            potential, det = grown, new_det
        fits = [evaluate(r.supports, stream, linear, stream[i][0])[0] for i, _ in r.supports]
        labels = [stream[i][1] for i, _ in r.supports]
        assert np.dot(labels, fits) == pytest.approx(potential)  # y^T K alpha = v^T A^-1 v


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("a", [0.3, 3])
def test_corollary_3_4(seed, a):
    """The kernel version, against functions f = sum_t c_t k(x_t, .) of norm 1 that fit."""
    kernel = gaussian(0.5)
    stream = flat_stream(seed, length=120, dimension=2, noise=0.05)
    gram = np.array([[kernel(p, q) for q, _ in stream] for p, _ in stream])
    labels = np.array([y for _, y in stream])
    rounds = second_order_perceptron(stream, kernel, a=a)
    wrong = np.array([r.mistake for r in rounds])
    volume = np.log(1 + np.maximum(0, np.linalg.eigvalsh(gram[wrong][:, wrong])) / a).sum()
    bounds = []
    for softness in (1e-2, 1, 30):
        c = np.linalg.solve(softness * np.eye(len(stream)) + gram, labels)
        values = gram @ c / math.sqrt(c @ gram @ c)
        for gamma in GAMMAS:
            spectral = (a + (values[wrong] ** 2).sum()) * volume
            bounds.append((hinge(values, labels, gamma) + math.sqrt(spectral)) / gamma)
    assert wrong.sum() <= min(bounds) < len(stream)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("c", [0.05, 0.5])
def test_theorem_4_1(seed, c):
    stream = flat_stream(seed, length=200, noise=0, gap=0.2)
    radius = max(math.sqrt(linear(x, x)) for x, _ in stream)
    rounds = adaptive_second_order_perceptron(stream, linear, c=c, radius=radius)
    x_m = mistaken(rounds, stream)
    m = x_m.shape[1]
    a_m = c * radius**2 * m
    volume = np.log(1 + np.linalg.eigvalsh(x_m @ x_m.T) / a_m).sum()
    volume += math.log((m + 1 / c) / (1 + 1 / c)) / c  # B(c, m)
    assert m <= smallest(seed, stream, lambda u: (a_m + u @ x_m @ x_m.T @ u) * volume) < 200


@pytest.mark.parametrize("seed", SEEDS)
def test_theorem_4_2(seed):
    stream = flat_stream(seed, length=200, noise=0, gap=0.2)
    square = max(linear(x, x) for x, _ in stream)
    rounds = pseudoinverse_second_order_perceptron(stream, linear)
    x_m = mistaken(rounds, stream)
    m, r = x_m.shape[1], int(np.linalg.matrix_rank(x_m))
    spectra = [np.linalg.svd(x_m[:, :k])[1] ** 2 for k in range(1, m + 1)]
    least = min(values[values > 1e-9 * values.max()].min() for values in spectra)
    pairs = r * (r + 1) / 2
    volume = r + pairs * math.log(1 + square / least * m / pairs)
    assert m <= smallest(seed, stream, lambda u: (u @ x_m @ x_m.T @ u) * volume)


@pytest.mark.parametrize("seed", SEEDS)
def test_second_order_information_helps_on_a_flat_ellipsoid(seed):
    """Fig. 2.2: fewer mistakes than the Perceptron, for the whitened Perceptron as well."""
    stream = flat_stream(seed, length=400, dimension=6, noise=0, gap=0.1)
    first = sum(r.mistake for r in perceptron(stream, linear))
    assert sum(r.mistake for r in second_order_perceptron(stream, linear, a=1)) < first
    assert sum(r.mistake for r in whitened_perceptron(stream)) < first


@pytest.mark.parametrize("seed", SEEDS)
def test_whitening(seed):
    """Sec. 2: the correlation matrix becomes I, and the bound (2.1) holds."""
    stream = flat_stream(seed, length=200, noise=0, gap=0.1)
    points = np.array([x for x, _ in stream])
    white = np.array([x for x, _ in whitened(stream)])
    assert white.T @ white == pytest.approx(np.eye(4), abs=1e-9)
    rounds = whitened_perceptron(stream)
    correlation = points.T @ points
    longest = np.einsum("ti,ij,tj->t", points, np.linalg.inv(correlation), points).max()
    u = np.eye(4)[0]
    bound = longest * (u @ correlation @ u) / min(abs(points @ u)) ** 2
    assert sum(r.mistake for r in rounds) <= bound
    for t, r in enumerate(rounds):  # f(x) = sum_i y_i x_i^T M^-1 x
        before = rounds[t - 1].supports if t else ()
        w = sum((y * points[i] for i, y in before), np.zeros(4))
        assert r.score == pytest.approx(float(w @ np.linalg.inv(correlation) @ points[t]))


@pytest.mark.parametrize("seed", SEEDS)
def test_whitening_forgets_every_linear_change_of_the_instances(seed):
    rng = np.random.default_rng(seed)
    change = rng.normal(size=(4, 4))
    stream = flat_stream(seed)
    changed = [(tuple(floats(change @ np.array(x))), y) for x, y in stream]
    left, right = whitened_perceptron(stream), whitened_perceptron(changed)
    assert kinds(left) == kinds(right)
    assert scores(left) == pytest.approx(scores(right), abs=1e-7)


def test_whitening_of_a_singular_correlation_matrix():
    """Instances in a plane of R^3: the projection onto the plane takes the place of I."""
    stream = [((p, q, p + q), y) for (p, q), y in flat_stream(0, length=30, dimension=2)]
    white = np.array([x for x, _ in whitened(stream)])
    normal = np.array([1, 1, -1]) / math.sqrt(3)
    projection = np.eye(3) - np.outer(normal, normal)
    assert white.T @ white == pytest.approx(projection, abs=1e-9)
    flat = [(x[:2], y) for x, y in stream]
    assert kinds(whitened_perceptron(stream)) == kinds(whitened_perceptron(flat))
