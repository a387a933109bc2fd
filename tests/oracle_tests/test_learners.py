"""The oracle against hand-worked streams, and against what the papers prove about it."""

import math
import random
from fractions import Fraction as F

import pytest

from oracle import (
    ForgetronRound,
    Kernel,
    Number,
    Round,
    Stream,
    Supports,
    budget_perceptron,
    compare,
    evaluate,
    exponential_decay_perceptron,
    forgetron,
    gaussian,
    is_exact,
    largest_phi,
    least_recent_budget_perceptron,
    linear,
    modified_perceptron,
    normalized,
    passive_aggressive,
    passive_aggressive_i,
    passive_aggressive_ii,
    perceptron,
    polynomial,
    psi,
    randomized_budget_perceptron,
    shifting_perceptron,
    stoptron,
)

# ------------------------------------------------------------------------------- helpers


def squared_norm(supports: Supports, stream: Stream, kernel: Kernel) -> Number:
    """|f|^2 = sum_i weight_i f(x_i)."""
    return sum(w * evaluate(supports, stream, kernel, stream[i][0])[0] for i, w in supports)


def noisy_stream(seed: int, length: int = 80) -> Stream:
    """Integer points, hence ties, zero scores and repeated points, with a tenth of labels wrong."""
    rng = random.Random(seed)
    points = [(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(length)]
    return [
        ((F(a), F(b)), (1 if a + b > 0 else -1) * rng.choice([1] * 9 + [-1])) for a, b in points
    ]


def as_floats(stream: Stream) -> Stream:
    return [(tuple(map(float, x)), y) for x, y in stream]


def kinds(rounds: list[Round]) -> str:
    """One letter per round: m(istake and update), M(istake alone), u(pdate alone), '.' neither."""
    letters = {(True, True): "m", (True, False): "M", (False, True): "u", (False, False): "."}
    return "".join(letters[r.mistake, r.update] for r in rounds)


def scores(rounds: list[Round]) -> list[Number]:
    return [r.score for r in rounds]


def removals(rounds: list[Round]) -> dict[int, tuple[int, ...]]:
    return {t: r.removed for t, r in enumerate(rounds) if r.removed}


def plain(rounds: list[Round]) -> list[Round]:
    """The rounds stripped of what a subclass adds."""
    return [Round(r.score, r.mistake, r.update, r.removed, r.supports) for r in rounds]


# ------------------------------------------------------------- kernels and comparisons


def test_kernels():
    assert linear((1, 2), (3, F(1, 2))) == 4
    assert polynomial(F(1, 2), 3, 1)((1, 2), (3, F(1, 2))) == 27  # (4/2 + 1)^3
    assert gaussian(0.5)((1, 0), (0, 1)) == math.exp(-1)  # |x - y|^2 = 2
    assert normalized(linear)((3, 4), (0, 2)) == pytest.approx(0.8)  # 8 / (5 * 2)
    assert normalized(linear)((0, 0), (0, 2)) == 0


def test_compare_is_exact_for_rationals():
    assert compare(F(1, 3), F(1, 3), 0) == 0
    assert compare(F(1, 3) + F(1, 10**30), F(1, 3), 10**9) == 1
    assert compare(0, F(1, 10**30), 10**9) == -1


def test_compare_forgives_float_noise_up_to_the_scale():
    assert compare(0.1 + 0.2, 0.3, 1) == 0
    assert compare(1.0, 1.0 - 1e-9, 1) == 1
    assert compare(1.0, 1.0 - 1e-9, 100) == 0
    assert compare(-1.0, 1.0, 1) == -1


def test_float_noise_does_not_decide_a_zero_score():
    # f = <(1, 1, -1), .>; in exact arithmetic f(.1, .2, .3) = 0, in floats it is a positive 3e-17
    stream = [((1.0, 1.0, -1.0), 1), ((0.1, 0.2, 0.3), 1)]
    rounds = perceptron(stream, linear, zero_score="mistake")
    assert rounds[1].score > 0
    assert kinds(rounds) == "mm"


@pytest.mark.parametrize(
    ("zero_score", "expected"), [("positive", ".m"), ("mistake", "mm")], ids=str
)
def test_zero_score(zero_score, expected):
    stream = [((1, 0), 1), ((0, 1), -1)]  # orthogonal, so both scores are 0
    assert kinds(perceptron(stream, linear, zero_score=zero_score)) == expected


def test_a_zero_example_is_stored_when_mistaken():
    (only,) = perceptron([((0, 0), -1)], linear)
    assert only == Round(0, True, True, (), ((0, -1),))


# --------------------------------------------------------------- hand-worked: Perceptrons

# Where the comments write w, it is the vector sum of the supports.
STREAM = [
    ((1, 0), -1),
    ((1, 1), 1),
    ((0, 2), 1),
    ((1, -1), 1),
    ((2, 1), -1),
    ((1, -2), 1),
]


def test_perceptron_by_hand():
    rounds = perceptron(STREAM, linear)
    # t=0: w = 0,      score  0 predicts +1, wrong:  w = (-1, 0)
    # t=1: score -1, wrong: w = (-1, 0) + (1, 1)   = (0, 1)
    # t=2: score  2, right
    # t=3: score -1, wrong: w = (0, 1) + (1, -1)   = (1, 0)
    # t=4: score  2, wrong: w = (1, 0) - (2, 1)    = (-1, -1)
    # t=5: score  1, right
    assert scores(rounds) == [0, -1, 2, -1, 2, 1]
    assert kinds(rounds) == "mm.mm."
    assert [r.supports for r in rounds] == [
        ((0, -1),),
        ((0, -1), (1, 1)),
        ((0, -1), (1, 1)),
        ((0, -1), (1, 1), (3, 1)),
        ((0, -1), (1, 1), (3, 1), (4, -1)),
        ((0, -1), (1, 1), (3, 1), (4, -1)),
    ]
    assert removals(rounds) == {}


def test_shifting_perceptron_by_hand():
    rounds = shifting_perceptron(STREAM, linear, decay=1)  # lambda_k = 1, 1/2, 1/3, 1/4
    # t=0: score 0, wrong, factor 0 on nothing: w = (-1, 0)
    # t=1: score -1, wrong, factor 1/2: w = (-1/2, 0) + (1, 1)  = (1/2, 1)
    # t=2: score 2, right
    # t=3: score -1/2, wrong, factor 2/3: w = (1/3, 2/3) + (1, -1) = (4/3, -1/3)
    # t=4: score 7/3, wrong, factor 3/4: w = (1, -1/4) - (2, 1) = (-1, -5/4)
    # t=5: score -1 + 5/2 = 3/2, right
    assert scores(rounds) == [0, -1, 2, F(-1, 2), F(7, 3), F(3, 2)]
    assert kinds(rounds) == "mm.mm."
    assert [r.supports for r in rounds[:2]] == [((0, -1),), ((0, F(-1, 2)), (1, 1))]
    assert rounds[3].supports == ((0, F(-1, 3)), (1, F(2, 3)), (3, 1))
    assert rounds[5].supports == ((0, F(-1, 4)), (1, F(1, 2)), (3, F(3, 4)), (4, -1))


def test_exponential_decay_perceptron_by_hand():
    rounds = exponential_decay_perceptron(STREAM, linear, decay=F(1, 2))
    # t=1: w = (-1/2, 0) + (1, 1)  = (1/2, 1)
    # t=3: score -1/2, wrong: w = (1/4, 1/2) + (1, -1) = (5/4, -1/2)
    # t=4: score 5/2 - 1/2 = 2, wrong: w = (5/8, -1/4) - (2, 1) = (-11/8, -5/4)
    # t=5: score -11/8 + 5/2 = 9/8, right
    assert scores(rounds) == [0, -1, 2, F(-1, 2), 2, F(9, 8)]
    assert kinds(rounds) == "mm.mm."
    assert rounds[3].supports == ((0, F(-1, 4)), (1, F(1, 2)), (3, 1))
    assert rounds[5].supports == ((0, F(-1, 8)), (1, F(1, 4)), (3, F(1, 2)), (4, -1))


# -------------------------------------------------------------------- hand-worked: budgets


def test_randomized_budget_perceptron_by_hand():
    stream = [
        ((1, 0), -1),
        ((1, 1), 1),
        ((1, -1), 1),
        ((0, 1), 1),
        ((2, 1), -1),
        ((1, -2), 1),
    ]
    positions, asked = iter([1, 0, 1]), []

    def draw(n: int) -> int:
        asked.append(n)
        return next(positions)

    rounds = randomized_budget_perceptron(stream, linear, budget=2, draw=draw)
    # t=0: score  0, wrong: w = (-1, 0)
    # t=1: score -1, wrong: w = (0, 1), full
    # t=2: score -1, wrong, position 1 of {0, 1} is 1: {0, 2}, w = (-1, 0) + (1, -1) = (0, -1)
    # t=3: score -1, wrong, position 0 of {0, 2} is 0: {2, 3}, w = (1, -1) + (0, 1)  = (1, 0)
    # t=4: score  2, wrong, position 1 of {2, 3} is 3: {2, 4}, w = (1, -1) - (2, 1)  = (-1, -2)
    # t=5: score -1 + 4 = 3, right
    assert scores(rounds) == [0, -1, -1, -1, 2, 3]
    assert kinds(rounds) == "mmmmm."
    assert removals(rounds) == {2: (1,), 3: (0,), 4: (3,)}
    assert [r.supports for r in rounds[2:]] == [
        ((0, -1), (2, 1)),
        ((2, 1), (3, 1)),
        ((2, 1), (4, -1)),
        ((2, 1), (4, -1)),
    ]
    assert asked == [2, 2, 2]


def test_least_recent_budget_perceptron_by_hand():
    rounds = least_recent_budget_perceptron(STREAM, linear, budget=2)
    # t=3: score -1, wrong, 0 goes: {1, 3}, w = (1, 1) + (1, -1) = (2, 0)
    # t=4: score  4, wrong, 1 goes: {3, 4}, w = (1, -1) - (2, 1) = (-1, -2)
    # t=5: score -1 + 4 = 3, right
    assert scores(rounds) == [0, -1, 2, -1, 4, 3]
    assert kinds(rounds) == "mm.mm."
    assert removals(rounds) == {3: (0,), 4: (1,)}
    assert rounds[3].supports == ((1, 1), (3, 1))
    assert rounds[5].supports == ((3, 1), (4, -1))


def test_budget_perceptron_by_hand():
    stream = [
        ((1, 0), -1),
        ((1, 1), 1),
        ((F(1, 2), F(-1, 2)), 1),
        ((1, -1), 1),
        ((0, 1), 1),
        ((2, 1), -1),
    ]
    rounds = budget_perceptron(stream, linear, budget=2)
    # t=0, 1 as the Perceptron: w = (0, 1), full. From here on, margins after each removal:
    # t=2: score -1/2, wrong. 0: -(3/2, 1/2).(1, 0) = -3/2;  1: (-1/2, -1/2).(1, 1) = -1;
    #      2: (0, 1).(1/2, -1/2) = -1/2, the largest: the newcomer itself goes
    # t=3: score -1, wrong. 0: -(2, 0).(1, 0) = -2;  1: (0, -1).(1, 1) = -1;
    #      3: (0, 1).(1, -1) = -1: tie of 1 and 3, the older goes: {0, 3}, w = (0, -1)
    # t=4: score -1, wrong. 0: -(1, 0).(1, 0) = -1;  3: (-1, 1).(1, -1) = -2;
    #      4: (0, -1).(0, 1) = -1: tie of 0 and 4, the older goes: {3, 4}, w = (1, 0)
    # t=5: score 2, wrong. 3: (-2, 0).(1, -1) = -2;  4: (-1, -2).(0, 1) = -2;
    #      5: -(1, 0).(2, 1) = -2: all tied, the oldest goes: {4, 5}
    assert scores(rounds) == [0, -1, F(-1, 2), -1, -1, 2]
    assert kinds(rounds) == "mmmmmm"
    assert removals(rounds) == {2: (2,), 3: (1,), 4: (0,), 5: (3,)}
    assert [r.supports for r in rounds[1:]] == [
        ((0, -1), (1, 1)),
        ((0, -1), (1, 1)),
        ((0, -1), (3, 1)),
        ((3, 1), (4, 1)),
        ((4, 1), (5, -1)),
    ]


def test_budget_perceptron_removes_the_redundant_example():
    stream = [((1, 0), -1), ((0, 1), -1), ((-2, 1), -1), ((1, -1), 1)]
    rounds = budget_perceptron(stream, linear, budget=2)
    # t=0, 1: scores 0, wrong: w = (-1, -1)
    # t=2: score 2 - 1 = 1, wrong. 0: -(2, -2).(1, 0) = -2;  1: -(1, -1).(0, 1) = 1;
    #      2: -(-1, -1).(-2, 1) = -1: 1 goes, w = (-1, 0) - (-2, 1) = (1, -1)
    # t=3: score 2, right
    assert scores(rounds) == [0, 0, 1, 2]
    assert kinds(rounds) == "mmm."
    assert removals(rounds) == {2: (1,)}
    assert rounds[3].supports == ((0, -1), (2, -1))


def test_stoptron_by_hand():
    rounds = stoptron(STREAM, linear, budget=2)
    # t=0, 1 as the Perceptron: w = (0, 1), full, and it stays so
    assert scores(rounds) == [0, -1, 2, -1, 1, -2]
    assert kinds(rounds) == "mm.MMM"
    assert removals(rounds) == {}
    assert all(r.supports == ((0, -1), (1, 1)) for r in rounds[1:])


# ------------------------------------------------------------------ hand-worked: Forgetron


def test_forgetron_by_hand():
    stream = [
        ((1, 0), 1),
        ((0, 1), 1),
        ((2, F(3, 8)), -1),
        ((0, -1), 1),
        ((3, -16), 1),
    ]
    rounds = forgetron(stream, linear, budget=1)
    # t=0: score 0, a mistake: M = 1, stored
    # t=1: score 0, M = 2, room = 30/32; 0 goes: sigma = 1, mu = (1, 1).(1, 0) = 1.
    #      Psi(1, 1, 1) = 1 > 15/16, so phi = (15/16) / (1 + sqrt(1 - 15/16)) = 3/4,
    #      Psi = 9/16 + (3/2)(1 - 3/4) = 15/16
    # t=2: score (3/4)(3/8) = 9/32, wrong: M = 3, room = 45/32 - 15/16 = 15/32; 1 goes:
    #      sigma = 3/4, mu = 3/4 - 3/8 = 3/8, sigma^2 = 2 sigma mu: Psi = (3/2) phi, phi = 5/16
    # t=3: score (-5/16)(-3/8) = 15/128, right
    # t=4: score 0: M = 4, room = 60/32 - 45/32 = 15/32; 2 goes: sigma = 5/16,
    #      mu = (5/16)(4 + 9/64) = 1325/1024, as x_4 is orthogonal to x_2;
    #      Psi(5/16, 1, mu) = 25/256 - (5/8)(301/1024) = -705/8192 < room, so phi = 1
    assert scores(rounds) == [0, 0, F(9, 32), F(15, 128), 0]
    assert kinds(rounds) == "mmm.m"
    assert removals(rounds) == {1: (0,), 2: (1,), 4: (2,)}
    assert [r.supports for r in rounds] == [
        ((0, 1),),
        ((1, F(3, 4)),),
        ((2, F(-5, 16)),),
        ((2, F(-5, 16)),),
        ((4, 1),),
    ]
    assert [r.phi for r in rounds] == [1, F(3, 4), F(5, 16), 1, 1]
    assert [r.psi for r in rounds] == [0, F(15, 16), F(15, 32), 0, F(-705, 8192)]
    assert [r.q for r in rounds] == [0, F(15, 16), F(45, 32), F(45, 32), F(10815, 8192)]
    assert [r.mu for r in rounds] == [None, 1, F(3, 8), None, F(1325, 1024)]


def test_forgetron_shrinks_the_survivors_and_the_newcomer():
    stream = [
        ((1, 0, 0), 1),
        ((0, 1, 0), 1),
        ((0, 0, 1), 1),
        ((0, F(1, 2), 0), -1),
        ((0, 1, 1), 1),
    ]
    rounds = forgetron(stream, linear, budget=2)
    # t=0, 1: scores 0: stored. t=2: score 0, M = 3, room = 45/32, sigma = mu = 1:
    #      Psi(1, 1, 1) = 1 fits: phi = 1, 0 goes
    # t=3: score 1/2, wrong: M = 4, room = 60/32 - 1 = 7/8; 1 goes: sigma = 1, mu = 1 - 1/2:
    #      Psi = 2 phi, phi = 7/16
    # t=4: score (7/16)(1 - 1/2) = 7/32, right
    assert scores(rounds) == [0, 0, 0, F(1, 2), F(7, 32)]
    assert kinds(rounds) == "mmmm."
    assert removals(rounds) == {2: (0,), 3: (1,)}
    assert rounds[2].supports == ((1, 1), (2, 1))
    assert rounds[4].supports == ((2, F(7, 16)), (3, F(-7, 16)))
    assert [r.phi for r in rounds] == [1, 1, 1, F(7, 16), 1]
    assert [r.psi for r in rounds] == [0, 0, 1, F(7, 8), 0]


# --------------------------------------------------------- hand-worked: Passive-Aggressive

# k(x, x) = 1, 2, 1, 4, 0, 5
MARGINS = [
    ((1, 0), 1),
    ((1, 1), -1),
    ((0, -1), 1),
    ((2, 0), 1),
    ((0, 0), -1),
    ((1, 2), 1),
]


def test_passive_aggressive_by_hand():
    rounds = passive_aggressive(MARGINS, linear)
    # t=0: score 0 predicts +1, right, but loss 1: tau = 1,       w = (1, 0)
    # t=1: score 1, wrong, loss 2: tau = 2/2,                     w = (0, -1)
    # t=2: score 1, loss 0: passive
    # t=3: score 0, right, loss 1: tau = 1/4,                     w = (1/2, -1)
    # t=4: score 0 predicts +1, wrong, but x = 0
    # t=5: score 1/2 - 2 = -3/2, wrong, loss 5/2: tau = 1/2,      w = (1, 0)
    assert scores(rounds) == [0, 1, 1, 0, 0, F(-3, 2)]
    assert kinds(rounds) == "um.uMm"
    assert rounds[5].supports == ((0, 1), (1, -1), (3, F(1, 4)), (5, F(1, 2)))


def test_passive_aggressive_i_by_hand():
    rounds = passive_aggressive_i(MARGINS, linear, C=F(1, 2))
    # t=0: tau = min(1/2, 1),                                     w = (1/2, 0)
    # t=1: score 1/2, loss 3/2: tau = min(1/2, 3/4),              w = (0, -1/2)
    # t=2: score 1/2, right, loss 1/2: tau = 1/2,                 w = (0, -1)
    # t=3: score 0, loss 1: tau = min(1/2, 1/4),                  w = (1/2, -1)
    # t=5: score -3/2, loss 5/2: tau = 1/2
    assert scores(rounds) == [0, F(1, 2), F(1, 2), 0, 0, F(-3, 2)]
    assert kinds(rounds) == "umuuMm"
    half = F(1, 2)
    assert rounds[5].supports == ((0, half), (1, -half), (2, half), (3, F(1, 4)), (5, half))


def test_passive_aggressive_ii_by_hand():
    rounds = passive_aggressive_ii(MARGINS, linear, C=F(1, 2))  # tau = loss / (k + 1)
    # t=0: tau = 1/2,                                             w = (1/2, 0)
    # t=1: score 1/2, loss 3/2: tau = 1/2,                        w = (0, -1/2)
    # t=2: score 1/2, right, loss 1/2: tau = 1/4,                 w = (0, -3/4)
    # t=3: score 0, loss 1: tau = 1/5,                            w = (2/5, -3/4)
    # t=5: score 2/5 - 3/2 = -11/10, loss 21/10: tau = 7/20
    assert scores(rounds) == [0, F(1, 2), F(1, 2), 0, 0, F(-11, 10)]
    assert kinds(rounds) == "umuuMm"
    assert rounds[5].supports == (
        (0, F(1, 2)),
        (1, F(-1, 2)),
        (2, F(1, 4)),
        (3, F(1, 5)),
        (5, F(7, 20)),
    )


# --------------------------------------------------------- hand-worked: Modified Perceptron


def test_modified_perceptron_by_hand():
    stream = [
        ((0, 0), -1),
        ((3, 4), -1),
        ((1, 0), 1),
        ((0, -2), -1),
        ((5, 0), 1),
        ((4, -3), -1),
    ]
    rounds = modified_perceptron(stream, linear)
    # t=0: x = 0: score 0 predicts +1, wrong, but no update and no w_1
    # t=1: w_1 = (3, 4)/5, score 5, wrong: weight -2*5/25 = -2/5,   w = (-3/5, -4/5)
    # t=2: score -3/5, wrong: weight 6/5,                           w = (3/5, -4/5)
    # t=3: score 8/5, wrong: weight -2*(8/5)/4 = -4/5,              w = (3/5, 4/5)
    # t=4: score 3, right
    # t=5: score 0 (up to rounding) predicts +1, wrong, but w reflected in x is w: no update
    assert scores(rounds) == pytest.approx([0, 5, -0.6, 1.6, 3, 0])
    assert kinds(rounds) == "Mmmm.M"
    assert rounds[0].supports == ()
    indices, weights = zip(*rounds[5].supports, strict=True)
    assert indices == (1, 1, 2, 3)
    assert weights == pytest.approx([0.2, -0.4, 1.2, -0.8])


def test_modified_perceptron_keeps_a_right_first_hypothesis():
    (only,) = modified_perceptron([((3, 4), 1)], linear)
    assert only.score == pytest.approx(5)
    assert (only.mistake, only.update, only.supports) == (False, False, ((0, 0.2),))


# --------------------------------------------------------------------- what the papers prove

SEEDS = range(5)


def unit_stream(seed: int, gap: float, length: int = 200) -> Stream:
    """Unit vectors of the plane, labelled by their first coordinate, of size at least `gap`."""
    rng = random.Random(seed)
    stream = []
    while len(stream) < length:
        angle = rng.uniform(0, 2 * math.pi)
        x = (math.cos(angle), math.sin(angle))
        if abs(x[0]) >= gap:
            stream.append((x, 1 if x[0] > 0 else -1))
    return stream


@pytest.mark.parametrize("seed", SEEDS)
def test_perceptron_mistake_bound(seed):
    """The Forgetron, Theorem 1: M <= |g|^2 + 2 sum of hinge losses of g, for any g."""
    stream = unit_stream(seed, gap=0.1)
    mistakes = sum(r.mistake for r in perceptron(stream, linear, zero_score="mistake"))
    assert mistakes <= 1 / 0.1**2  # g = (10, 0) has no loss at all
    for size in (1, 3, 10):
        hinge = sum(max(0, 1 - y * size * x[0]) for x, y in stream)
        assert mistakes <= size**2 + 2 * hinge


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("decay", [F(1, 10), F(1), F(5)])
def test_shifting_perceptron_norm_bound(seed, decay):
    """Tracking the Best Hyperplane, Lemma 1: |w_k| <= e sqrt((lambda + k + 1)/(2 lambda + 1))."""
    stream = unit_stream(seed, gap=0, length=60)
    for r in shifting_perceptron(stream, linear, decay=decay):
        bound = math.e**2 * (decay + len(r.supports) + 1) / (2 * decay + 1)
        assert squared_norm(r.supports, stream, linear) <= bound


def forgetron_runs() -> list[tuple[Stream, Kernel, list[ForgetronRound]]]:
    """Runs with a tight budget, under a unit kernel and under one with large values."""
    return [
        (stream, kernel, forgetron(stream, kernel, budget=budget))
        for stream in (as_floats(noisy_stream(seed)) for seed in SEEDS)
        for kernel in (gaussian(0.3), linear, normalized(polynomial(1, 2, 1)))
        for budget in (1, 3, 8)
    ]


def test_forgetron_damage_stays_within_its_allowance():
    """The Forgetron, Eq. (4): sum of Psi <= 15/32 M at every round; and Psi is what Sec. 3 says."""
    shrunk = kept = 0
    for stream, kernel, rounds in forgetron_runs():
        mistakes, q, before = 0, 0, ()
        for t, r in enumerate(rounds):
            mistakes += r.mistake
            damage = 0
            if r.removed:
                (oldest, weight), y = before[0], stream[before[0][0]][1]
                grown = (*before, (t, stream[t][1]))  # f'_t
                mu = y * evaluate(grown, stream, kernel, stream[oldest][0])[0]
                sigma, phi = abs(weight), r.phi
                damage = (sigma * phi) ** 2 + 2 * sigma * phi * (1 - phi * mu)
                assert r.removed == (oldest,)
                assert r.mu == pytest.approx(mu)
                assert r.supports == tuple((i, phi * w) for i, w in grown[1:])
                shrunk, kept = shrunk + (phi < 1), kept + (phi == 1)
            q += damage
            assert r.psi == pytest.approx(damage)
            assert r.q == pytest.approx(q)
            assert q <= 15 / 32 * mistakes + 1e-9
            before = r.supports
    assert shrunk > 100 and kept > 10  # both branches have been seen


def test_forgetron_phi_is_maximal():
    for stream, _, rounds in forgetron_runs():
        mistakes, q, before = 0, 0, ()
        for r in rounds:
            mistakes += r.mistake
            if r.removed:
                sigma = stream[before[0][0]][1] * before[0][1]
                room = 15 / 32 * mistakes - q
                assert 0 < r.phi <= 1
                assert psi(sigma, r.phi, r.mu) <= room + 1e-9
                larger = (r.phi + (1 - r.phi) * step / 50 for step in range(1, 51))
                assert r.phi == 1 or all(psi(sigma, phi, r.mu) > room for phi in larger)
            q, before = r.q, r.supports


@pytest.mark.parametrize("sigma", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("mu", [-1.0, 0.05, 0.5, 1.0, 1.4, 2.0])
@pytest.mark.parametrize("room", [0.01, 0.1, 15 / 32, 2.0])
def test_largest_phi_by_scan(sigma, mu, room):
    """Also where Psi is not monotone in phi, so that the feasible phi are no interval."""
    grid = [i / 2000 for i in range(1, 2001)]
    feasible = [phi for phi in grid if psi(sigma, phi, mu) <= room]
    phi = largest_phi(sigma, mu, room)
    assert phi == pytest.approx(max(feasible), abs=1 / 1000)
    assert psi(sigma, phi, mu) <= room + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [1, 2, 7])
def test_budgets_are_kept(seed, budget):
    stream = noisy_stream(seed)
    rng = random.Random(seed)
    runs = {
        "randomized": randomized_budget_perceptron(
            stream, linear, budget=budget, draw=rng.randrange
        ),
        "least recent": least_recent_budget_perceptron(stream, linear, budget=budget),
        "cks": budget_perceptron(stream, linear, budget=budget),
        "forgetron": forgetron(stream, linear, budget=budget),
        "stoptron": stoptron(stream, linear, budget=budget),
    }
    for name, rounds in runs.items():
        sizes = [len(r.supports) for r in rounds]
        assert max(sizes) == budget, name
        assert sizes == sorted(sizes), name  # what is full stays full


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_degenerate_settings_are_the_perceptron(seed, zero_score):
    stream = noisy_stream(seed)
    budget = len(stream)
    expected = perceptron(stream, linear, zero_score=zero_score)

    def never(n: int) -> int:
        raise AssertionError("nothing to draw")

    runs = [
        shifting_perceptron(stream, linear, decay=0, zero_score=zero_score),
        exponential_decay_perceptron(stream, linear, decay=0, zero_score=zero_score),
        randomized_budget_perceptron(
            stream, linear, budget=budget, draw=never, zero_score=zero_score
        ),
        least_recent_budget_perceptron(stream, linear, budget=budget, zero_score=zero_score),
        budget_perceptron(stream, linear, budget=budget, zero_score=zero_score),
        plain(forgetron(stream, linear, budget=budget, zero_score=zero_score)),
        stoptron(stream, linear, budget=budget, zero_score=zero_score),
    ]
    assert all(rounds == expected for rounds in runs)


@pytest.mark.parametrize("seed", SEEDS)
def test_stoptron_is_the_perceptron_until_full(seed):
    stream = noisy_stream(seed)
    rounds = stoptron(stream, linear, budget=5)
    full = next(t for t, r in enumerate(rounds) if len(r.supports) == 5)
    assert rounds[: full + 1] == perceptron(stream, linear)[: full + 1]
    assert {r.supports for r in rounds[full:]} == {rounds[full].supports}


@pytest.mark.parametrize("seed", SEEDS)
def test_passive_aggressive_reaches_margin_one(seed):
    stream = noisy_stream(seed, length=30)
    rounds = passive_aggressive(stream, linear)
    assert any(r.update for r in rounds)
    for (x, y), r in zip(stream, rounds, strict=True):
        margin = y * evaluate(r.supports, stream, linear, x)[0]
        assert margin == 1 if r.update else margin >= 1 or x == (0, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_softened_passive_aggressive(seed):
    """PA-I never exceeds C; a PA-II step leaves the loss tau / (2 C); a huge C is PA in both."""
    stream = noisy_stream(seed, length=25)
    C = F(1, 5)
    for r in passive_aggressive_i(stream, linear, C=C):
        assert all(abs(weight) <= C for _, weight in r.supports)
    for (x, y), r in zip(stream, passive_aggressive_ii(stream, linear, C=C), strict=True):
        if r.update:
            tau = abs(r.supports[-1][1])
            assert 1 - y * evaluate(r.supports, stream, linear, x)[0] == tau / (2 * C)
    hard = passive_aggressive(stream, linear)
    assert passive_aggressive_i(stream, linear, C=10**9) == hard


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kernel", [linear, polynomial(1, 2, 1), gaussian(0.3)])
def test_modified_perceptron_keeps_its_norm(seed, kernel):
    stream = as_floats(noisy_stream(seed))
    rounds = modified_perceptron(stream, kernel)
    assert sum(r.update for r in rounds) > 5
    for r in rounds:
        if r.supports:
            assert squared_norm(r.supports, stream, kernel) == pytest.approx(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_rational_runs_are_exact_and_agree_with_float_runs(seed):
    """Floats take every decision as exact arithmetic does, ties and zero scores included."""
    stream = noisy_stream(seed, length=40)
    runs = [
        (perceptron, {}),
        (shifting_perceptron, {"decay": F(1, 3)}),
        (exponential_decay_perceptron, {"decay": F(1, 10)}),
        (randomized_budget_perceptron, {"budget": 4, "draw": lambda n: n // 2}),
        (least_recent_budget_perceptron, {"budget": 4}),
        (budget_perceptron, {"budget": 4}),
        (stoptron, {"budget": 4}),
        (passive_aggressive, {}),
        (passive_aggressive_i, {"C": F(1, 3)}),
        (passive_aggressive_ii, {"C": F(1, 3)}),
    ]
    for learner, settings in runs:
        exact = learner(stream, linear, **settings)
        rounded = learner(
            as_floats(stream),
            linear,
            **{name: float(v) if isinstance(v, F) else v for name, v in settings.items()},
        )
        for e, r in zip(exact, rounded, strict=True):
            assert is_exact(e.score, *(weight for _, weight in e.supports))
            assert (e.mistake, e.update, e.removed) == (r.mistake, r.update, r.removed)
            assert r.score == pytest.approx(float(e.score), abs=1e-9)
            assert [i for i, _ in e.supports] == [i for i, _ in r.supports]
            assert [w for _, w in r.supports] == pytest.approx([float(w) for _, w in e.supports])
