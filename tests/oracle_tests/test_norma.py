"""NORMA and BOGD against streams worked by hand, and against what the papers say about them."""

import random
from fractions import Fraction as F

import pytest

from oracle import (
    JointRound,
    Round,
    budgeted_gradient_descent,
    evaluate,
    gaussian,
    joint_budgeted_gradient_descent,
    joint_norma,
    linear,
    norma,
)

HALF = F(1, 2)
STEP = {"step": HALF, "regularization": HALF}  # f shrinks by 3/4, a new term has weight 1/2


def drawing(*positions):
    """These positions, one after another; never one too many."""
    left = list(positions)

    def draw(n):
        position = left.pop(0)
        assert 0 <= position < n
        return position

    return draw


def stream_of(seed, length=60):
    """Integer points, hence ties and repeated points, with a tenth of the labels wrong."""
    rng = random.Random(seed)
    points = [(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(length)]
    return [
        ((F(a), F(b)), (1 if a + b > 0 else -1) * rng.choice([1] * 9 + [-1])) for a, b in points
    ]


def weights_of(seed, length=60):
    rng = random.Random(100 + seed)
    return [rng.choice([0, HALF, 1, 3]) for _ in range(length)]


def square(supports, stream, kernel=linear):
    """|f|^2."""
    return sum(w * evaluate(supports, stream, kernel, stream[i][0])[0] for i, w in supports)


each_seed = pytest.mark.parametrize("seed", range(4))

# --------------------------------------------------------------------- worked by hand: NORMA


def test_norma_by_hand():
    stream = [
        ((1, 0), 1),
        ((2, 0), 1),
        ((1, 2), -1),
        ((4, -1), 1),
        ((1, 0), 1),
        ((0, 1), -1),
        ((0, 0), -1),
    ]
    assert norma(stream, linear, **STEP, margin=1, budget=2) == [
        # f = 0, y f = 0 < 1: a term 1/2 (0 predicts +1: no mistake). w = (1/2, 0)
        Round(0, False, True, (), ((0, HALF),)),
        # f = 1, y f = 1 is the margin itself: no loss, shrinks only, 1/2 3/4. w = (3/8, 0)
        Round(1, False, True, (), ((0, F(3, 8)),)),
        # f = 3/8, y f = -3/8, a mistake: 3/8 3/4 = 9/32, and -1/2. w = (9/32 - 1/2, -1) =
        # (-7/32, -1)
        Round(F(3, 8), True, True, (), ((0, F(9, 32)), (2, -HALF))),
        # f = -28/32 + 1 = 1/8 < 1, no mistake, but a loss: two are stored, so 0 goes;
        # -1/2 3/4 = -3/8, and 1/2. w = (-3/8 + 2, -3/4 - 1/2) = (13/8, -5/4)
        Round(F(1, 8), False, True, (0,), ((2, F(-3, 8)), (3, HALF))),
        # f = 13/8 > 1: shrinks only, -3/8 3/4 = -9/32, 1/2 3/4 = 3/8.
        # w = (-9/32 + 48/32, -18/32 - 12/32) = (39/32, -15/16)
        Round(F(13, 8), False, True, (), ((2, F(-9, 32)), (3, F(3, 8)))),
        # f = -15/16, y f = 15/16 < 1, a loss: 2 goes, 3/8 3/4 = 9/32, and -1/2.
        # w = (36/32, -9/32 - 16/32) = (9/8, -25/32)
        Round(F(-15, 16), False, True, (2,), ((3, F(9, 32)), (5, -HALF))),
        # f = 0 predicts +1, a mistake: 3 goes, -1/2 3/4 = -3/8, and -1/2
        Round(0, True, True, (3,), ((5, F(-3, 8)), (6, -HALF))),
    ]


def test_norma_with_another_margin_by_hand():
    stream = [((1,), 1), ((HALF,), 1), ((1,), 1), ((1,), 1)]
    rounds = norma(stream, linear, **STEP, margin=F(1, 4), budget=3)
    assert [(r.score, r.supports) for r in rounds] == [
        (0, ((0, HALF),)),
        (F(1, 4), ((0, F(3, 8)),)),  # on the margin
        (F(3, 8), ((0, F(9, 32)),)),
        (F(9, 32), ((0, F(27, 128)),)),
    ]
    last = norma([*stream, ((1,), 1)], linear, **STEP, margin=F(1, 4), budget=3)[-1]
    assert last == Round(F(27, 128), False, True, (), ((0, F(81, 512)), (4, HALF)))  # 27 < 32


def test_norma_weights_by_hand():
    stream = [((1,), 1), ((1,), -1), ((1,), -1)]
    assert norma(stream, linear, **STEP, budget=3, weights=[1, 0, 2]) == [
        Round(0, False, True, (), ((0, HALF),)),
        Round(HALF, True, False, (), ((0, HALF),)),  # weight 0: not even shrunk
        Round(HALF, True, True, (), ((0, F(3, 8)), (2, -1))),  # the term twice, the shrinking once
    ]


def test_what_counts_as_an_update():
    free = {"step": 1, "regularization": 0}
    assert [r.update for r in norma([((1,), 1)] * 2, linear, **free, budget=1)] == [True, False]
    rounds = norma([((1,), 1)] * 2, linear, step=1, regularization=HALF, budget=1)
    assert [r.update for r in rounds] == [True, True]  # the second is on the margin, and shrinks
    descent = budgeted_gradient_descent
    options = {"bound": 1, "draw": None}
    rounds = descent([((1,), 1)] * 2, linear, **free, budget=1, **options)
    assert [r.update for r in rounds] == [True, False]


# ---------------------------------------------------------------------- worked by hand: BOGD


def test_budgeted_gradient_descent_by_hand():
    stream = [
        ((1, 0), 1),
        ((2, 0), 1),
        ((0, 1), -1),
        ((1, 1), 1),
        ((4, 0), 1),
        ((1, -1), -1),
        ((0, 1), 1),
        ((0, 1), 1),
    ]
    # With a budget of 2 the one that stays is multiplied by 3/4 2/1 = 3/2; no weight exceeds 5/8.
    assert budgeted_gradient_descent(
        stream, linear, budget=2, **STEP, bound=F(5, 4), draw=drawing(0, 0, 1)
    ) == [
        # f = 0: a loss, there is room. w = (1/2, 0)
        Round(0, False, True, (), ((0, HALF),)),
        # f = 1, on the margin: no loss, shrinks only. w = (3/8, 0)
        Round(1, False, True, (), ((0, F(3, 8)),)),
        # f = 0 predicts +1, a mistake; there is room: 3/8 3/4 = 9/32, and -1/2. w = (9/32, -1/2)
        Round(0, True, True, (), ((0, F(9, 32)), (2, -HALF))),
        # f = 9/32 - 16/32 = -7/32, a mistake; full, the first goes: -1/2 3/2 = -3/4 is clipped to
        # -5/8, and 1/2. w = (1/2, -1/8)
        Round(F(-7, 32), True, True, (0,), ((2, F(-5, 8)), (3, HALF))),
        # f = 2: shrinks only, -5/8 3/4 = -15/32, 1/2 3/4 = 3/8. w = (3/8, -15/32 + 12/32) =
        # (3/8, -3/32)
        Round(2, False, True, (), ((2, F(-15, 32)), (3, F(3, 8)))),
        # f = 12/32 + 3/32 = 15/32, y = -1, a mistake; full, the first goes: 3/8 3/2 = 9/16 < 10/16
        # stays, and -1/2. w = (9/16 - 8/16, 9/16 + 8/16) = (1/16, 17/16)
        Round(F(15, 32), True, True, (2,), ((3, F(9, 16)), (5, -HALF))),
        # f = 17/16: shrinks only, 27/64 and -3/8. w = (3/64, 51/64)
        Round(F(17, 16), False, True, (), ((3, F(27, 64)), (5, F(-3, 8)))),
        # f = 51/64 < 1, no mistake, but a loss; full, the second goes: 27/64 3/2 = 81/128 is
        # clipped to 80/128, and 1/2
        Round(F(51, 64), False, True, (5,), ((3, F(5, 8)), (7, HALF))),
    ]


def test_budgeted_gradient_descent_weights_by_hand():
    stream = [((1,), 1), ((1,), -1), ((1,), -1), ((1,), -1)]
    options = {"budget": 2, **STEP, "bound": F(5, 4)}
    assert budgeted_gradient_descent(
        stream, linear, **options, draw=drawing(1), weights=[HALF, 0, 1, 3]
    ) == [
        Round(0, False, True, (), ((0, F(1, 4)),)),
        Round(F(1, 4), True, False, (), ((0, F(1, 4)),)),  # weight 0: not even shrunk
        Round(F(1, 4), True, True, (), ((0, F(3, 16)), (2, -HALF))),
        # f = -5/16, y f = 5/16: full, the second goes, 3/16 3/2 = 9/32, and -3/2 is clipped to -5/8
        Round(F(-5, 16), False, True, (2,), ((0, F(9, 32)), (3, F(-5, 8)))),
    ]


def test_a_budget_of_one_holds_the_newcomer_alone():
    stream = [((1,), 1), ((1,), -1)]
    rounds = budgeted_gradient_descent(stream, linear, budget=1, **STEP, bound=1, draw=drawing(0))
    assert rounds[1] == Round(HALF, True, True, (0,), ((1, -HALF),))


# --------------------------------------------------------------------- worked by hand: joint

ROWS = [((1, 0), "b"), ((1, 0), "b"), ((2, 0), "b"), ((0, 1), "a"), ((0, 2), "b")]


def same(a, b, step=1):
    return {a: step, b: -step}


def test_joint_norma_by_hand():
    assert joint_norma(ROWS[:4], linear, **STEP, budget=2, classes="abc") == [
        # all 0: a is the first, a mistake, and the rival
        JointRound(
            {"a": 0, "b": 0, "c": 0}, "a", "a", 0, True, True, (), ((0, same("b", "a", HALF)),)
        ),
        # b wins, the rival is c: 1/2 - 0 < 1
        JointRound(
            {"a": -HALF, "b": HALF, "c": 0},
            "b",
            "c",
            HALF,
            False,
            True,
            (),
            ((0, same("b", "a", F(3, 8))), (1, same("b", "c", HALF))),
        ),
        # f_b - f_a = 3/4 + 1 + 3/4 = 5/2: shrinks only
        JointRound(
            {"a": F(-3, 4), "b": F(7, 4), "c": -1},
            "b",
            "a",
            F(5, 2),
            False,
            True,
            (),
            ((0, same("b", "a", F(9, 32))), (1, same("b", "c", F(3, 8)))),
        ),
        # all 0: a is the first, and right; the margin is 0, so 0 goes
        JointRound(
            {"a": 0, "b": 0, "c": 0},
            "a",
            "b",
            0,
            False,
            True,
            (0,),
            ((1, same("b", "c", F(9, 32))), (3, same("a", "b", HALF))),
        ),
    ]


def test_joint_budgeted_gradient_descent_by_hand():
    rounds = joint_budgeted_gradient_descent(
        ROWS, linear, budget=2, **STEP, bound=F(5, 4), draw=drawing(1, 0), classes="abc"
    )
    alike = joint_norma(ROWS[:3], linear, **STEP, budget=2, classes="abc")
    assert rounds[:3] == alike  # there is room
    # margin 0: the second goes, 9/32 3/2 = 27/64
    assert rounds[3].removed == (1,)
    assert rounds[3].supports == ((0, same("b", "a", F(27, 64))), (3, same("a", "b", HALF)))
    # f_a = 1, f_b = -1: a mistake, margin -2; the first goes, 1/2 3/2 is clipped to 5/8
    assert (rounds[4].margin, rounds[4].mistake, rounds[4].removed) == (-2, True, (0,))
    assert rounds[4].supports == ((3, same("a", "b", F(5, 8))), (4, same("b", "a", HALF)))


# ------------------------------------------------------------------------------------- laws

SMALL = {"step": F(1, 4), "regularization": F(1, 5)}
SHRINK = 1 - F(1, 20)


@each_seed
@pytest.mark.parametrize("weighted", [False, True])
def test_norma_with_room_is_gradient_descent_on_a_vector(weighted, seed):
    stream = stream_of(seed)
    weights = weights_of(seed) if weighted else None
    rounds = norma(stream, linear, **SMALL, margin=1, budget=60, weights=weights)
    w = [F(0), F(0)]
    for t, ((x, y), r) in enumerate(zip(stream, rounds, strict=True)):
        u = 1 if weights is None else weights[t]
        assert r.score == linear(w, x)
        if u:
            loss = y * linear(w, x) < 1
            w = [SHRINK * a + loss * u * F(1, 4) * y * b for a, b in zip(w, x, strict=True)]
        assert [sum(c * stream[i][0][k] for i, c in r.supports) for k in range(2)] == w


@each_seed
@pytest.mark.parametrize("budget", [1, 3, 8])
def test_what_norma_drops_is_what_the_paper_says(budget, seed):
    # Proposition 1 with |l'| <= 1 and |x| <= X: |f - f_trunc| <= (1 - eta lambda)^tau X / lambda
    stream = stream_of(seed)
    rounds = norma(stream, linear, **SMALL, margin=1, budget=budget)
    radius = max(linear(x, x) for x, _ in stream)
    limit = SHRINK ** (2 * budget) * radius * 25
    gone = []
    for t, r in enumerate(rounds):
        gone += r.removed
        assert all(t - i >= budget for i in r.removed)
        assert len(r.supports) <= budget
        tail = tuple((i, F(1, 4) * stream[i][1] * SHRINK ** (t - i)) for i in gone)
        assert square(tail, stream) < limit
        assert square(r.supports, stream) <= radius * 25  # |f| <= X / lambda
        for i, weight in r.supports:
            assert weight == F(1, 4) * stream[i][1] * SHRINK ** (t - i)
    assert gone


@each_seed
def test_budgeted_gradient_descent_with_room_is_norma(seed):
    stream, weights = stream_of(seed), weights_of(seed)
    for given, bound in [(None, 1), (weights, 3)]:
        rounds = budgeted_gradient_descent(
            stream, linear, **SMALL, budget=60, bound=bound, draw=None, weights=given
        )
        assert rounds == norma(stream, linear, **SMALL, budget=60, weights=given)


@each_seed
def test_the_expected_step_is_the_gradient_step(seed):
    stream, budget = stream_of(seed), 4
    options = {**SMALL, "budget": budget, "bound": 1000}
    rounds = []

    def full(n):
        raise StopIteration

    for length in range(1, len(stream)):
        try:
            rounds = budgeted_gradient_descent(stream[:length], linear, **options, draw=full)
        except StopIteration:
            break
    t = len(rounds)
    assert 0 < t < len(stream) - 1
    before, (_, y) = dict(rounds[-1].supports), stream[t]
    mean = dict.fromkeys([*before, t], F(0))
    for p in range(budget):
        last = budgeted_gradient_descent(stream[: t + 1], linear, **options, draw=drawing(p))[-1]
        assert last.removed == (list(before)[p],)
        for i, weight in last.supports:
            mean[i] += weight / budget
    assert mean == {i: SHRINK * weight for i, weight in before.items()} | {t: F(1, 4) * y}


@each_seed
@pytest.mark.parametrize("bound", [HALF, 1, 2])
def test_no_weight_exceeds_the_bound(bound, seed):
    stream, rng = stream_of(seed), random.Random(seed)
    rounds = budgeted_gradient_descent(
        stream,
        linear,
        **SMALL,
        budget=4,
        bound=bound,
        draw=rng.randrange,
        weights=weights_of(seed),
    )
    sizes = [abs(weight) for r in rounds for _, weight in r.supports]
    assert max(sizes) == bound * F(1, 4)
    assert any(r.removed for r in rounds)
    assert all(weight * stream[i][1] > 0 for r in rounds for i, weight in r.supports)


@each_seed
def test_floats_do_the_same(seed):
    stream = stream_of(seed)
    floats = [(tuple(map(float, x)), y) for x, y in stream]
    for exact, rounded in [
        (
            norma(stream, linear, **SMALL, budget=5),
            norma(floats, linear, step=0.25, regularization=0.2, budget=5),
        ),
        (
            budgeted_gradient_descent(
                stream, linear, **SMALL, budget=5, bound=2, draw=lambda n: n // 2
            ),
            budgeted_gradient_descent(
                floats,
                linear,
                step=0.25,
                regularization=0.2,
                budget=5,
                bound=2.0,
                draw=lambda n: n // 2,
            ),
        ),
    ]:
        for a, b in zip(exact, rounded, strict=True):
            assert float(a.score) == pytest.approx(b.score, abs=1e-9)
            assert (a.mistake, a.update, a.removed) == (b.mistake, b.update, b.removed)
            assert dict(a.supports) == pytest.approx(dict(b.supports))


def joint_pair(name):
    if name == "norma":
        return joint_norma, norma, {**SMALL, "budget": 5}
    options = {**SMALL, "budget": 5, "bound": 2, "draw": lambda n: n // 2}
    return joint_budgeted_gradient_descent, budgeted_gradient_descent, options


@each_seed
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
@pytest.mark.parametrize("name", ["norma", "BOGD"])
def test_the_single_machine_is_the_binary_learner_in_the_joint_space(
    name, zero_score, weighted, seed
):
    def inner(p, q):
        (x, r, s), (x_, r_, s_) = p, q
        return linear(x, x_) * ((r == r_) - (r == s_) - (s == r_) + (s == s_))

    joint, binary, options = joint_pair(name)
    rng = random.Random(seed)
    rows = [(x, "abc"[(x[0] > 0) + (x[1] > 0)]) for x, _ in stream_of(seed)]
    rows = [(x, c if rng.random() < 0.8 else rng.choice("abc")) for x, c in rows]
    weights = weights_of(seed) if weighted else None
    rounds = joint(rows, linear, **options, classes="abc", weights=weights, zero_score=zero_score)
    instances = [((x, c, r.rival), 1) for (x, c), r in zip(rows, rounds, strict=True)]
    zeros = [
        "mistake" if zero_score == "mistake" or r.rival < c else "positive"
        for (_, c), r in zip(rows, rounds, strict=True)
    ]
    alone = binary(instances, inner, **options, weights=weights, zero_score=zeros)
    assert any(r.removed for r in rounds)
    for a, b in zip(rounds, alone, strict=True):
        assert (a.margin, a.mistake, a.update, a.removed) == (
            b.score,
            b.mistake,
            b.update,
            b.removed,
        )
        expected = tuple((i, same(rows[i][1], rounds[i].rival, w)) for i, w in b.supports)
        assert a.supports == expected


@each_seed
@pytest.mark.parametrize("name", ["norma", "BOGD"])
def test_two_classes_are_the_binary_learner_with_twice_the_kernel(name, seed):
    joint, binary, options = joint_pair(name)
    stream = stream_of(seed)
    rows = [(x, "b" if y > 0 else "a") for x, y in stream]
    rounds = joint(rows, linear, **options, classes="ab", zero_score="mistake")
    alone = binary(stream, lambda x, z: 2 * linear(x, z), **options, zero_score="mistake")
    for a, b in zip(rounds, alone, strict=True):
        assert a.scores["b"] - a.scores["a"] == b.score
        assert (a.mistake, a.update, a.removed) == (b.mistake, b.update, b.removed)
        assert a.supports == tuple((i, same("b", "a", w)) for i, w in b.supports)


@each_seed
def test_they_learn(seed):
    rng = random.Random(seed)
    points = [(rng.uniform(-2, 2), rng.uniform(-2, 2)) for _ in range(300)]
    stream = [(x, 1 if x[0] * x[1] > 0 else -1) for x in points]
    kernel = gaussian(1.0)
    for rounds in [
        norma(stream, kernel, step=0.2, regularization=0.05, budget=50),
        budgeted_gradient_descent(
            stream, kernel, step=0.2, regularization=0.0, bound=5.0, budget=50, draw=rng.randrange
        ),
    ]:
        assert sum(r.mistake for r in rounds[150:]) < 45  # of 150; chance is 75
