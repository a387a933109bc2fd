"""The oracle's Projectrons against hand-worked streams, and against what the paper proves."""

import math
import random
from fractions import Fraction as F

import numpy as np
import pytest

from oracle import (
    Kernel,
    Number,
    Round,
    Stream,
    Supports,
    evaluate,
    gaussian,
    linear,
    perceptron,
    polynomial,
    projectron,
    projectron_plus_plus,
)

BOTH = pytest.mark.parametrize("learner", [projectron, projectron_plus_plus])
SEEDS = range(5)

# ------------------------------------------------------------------------------- helpers


def noisy_stream(seed: int, length: int = 80) -> Stream:
    """Integer points, hence ties, zero scores and repeated points, with a tenth of labels wrong."""
    rng = random.Random(seed)
    points = [(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(length)]
    return [
        ((F(a), F(b)), (1 if a + b > 0 else -1) * rng.choice([1] * 9 + [-1])) for a, b in points
    ]


def cloud(seed: int, length: int = 120, noise: float = 0.1) -> Stream:
    """Points of the plane around (1, 1) and (-1, -1), as in Sec. 5, with some labels wrong."""
    rng = random.Random(seed)
    stream = []
    for _ in range(length):
        side = rng.choice([-1, 1])
        x = (rng.gauss(side, 0.2**0.5), rng.gauss(side, 2**0.5))
        stream.append((x, -side if rng.random() < noise else side))
    return stream


def kinds(rounds: list[Round]) -> str:
    """One letter per round: m(istake and update), M(istake alone), u(pdate alone), '.' neither."""
    letters = {(True, True): "m", (True, False): "M", (False, True): "u", (False, False): "."}
    return "".join(letters[r.mistake, r.update] for r in rounds)


def scores(rounds: list[Round]) -> list[Number]:
    return [r.score for r in rounds]


def indices(supports: Supports) -> list[int]:
    return [i for i, _ in supports]


def weights(supports: Supports) -> list[Number]:
    return [w for _, w in supports]


# ----------------------------------------------------------------------------- hand-worked

# Unit vectors. While f = w k(x_0, .), P k(x_t, .) is the first coordinate c of x_t: d = c,
# |P k|^2 = c^2, and |delta| is the size of the second coordinate.
UNIT = [((1, 0), 1), ((0.6, 0.8), -1), ((0.96, 0.28), 1), ((0, 1), -1)]


def test_projectron_with_a_norm_bound_by_hand():
    rounds = projectron(UNIT, linear, norm_bound=1)
    # t=0: score 0, a mistake: loss 1, no supports: eta = (2 - 0 - 1/2)/2 = 3/4 < delta = 1, stored
    # t=1: score .6, wrong: loss 1.6, d = .6, eta = (3.2 - .36 - .5)/2 = 1.17 >= delta = .8:
    #      projected, weight 1 - .6 = .4
    # t=2: score .384, right
    # t=3: score 0, a mistake: loss 1, d = 0, eta = 3/4 < delta = 1: stored
    assert scores(rounds) == pytest.approx([0, 0.6, 0.384, 0])
    assert kinds(rounds) == "mm.m"
    assert [r.projected for r in rounds] == [False, True, False, False]
    assert [r.delta for r in rounds] == pytest.approx([1, 0.8, None, 1])
    assert [r.eta for r in rounds] == pytest.approx([0.75, 1.17, None, 0.75])
    assert [r.tau for r in rounds] == [1, 1, 0, 1]
    assert [r.beta for r in rounds] == [None] * 4
    assert [r.removed for r in rounds] == [()] * 4
    assert rounds[0].supports == ((0, 1),)
    assert rounds[1].supports == rounds[2].supports
    assert indices(rounds[1].supports) == [0]
    assert weights(rounds[1].supports) == pytest.approx([0.4])
    assert indices(rounds[3].supports) == [0, 3]
    assert weights(rounds[3].supports) == pytest.approx([0.4, -1])


def test_projectron_with_a_larger_norm_bound_stores():
    rounds = projectron(UNIT, linear, norm_bound=2)
    # t=0: eta = 3/8. t=1: eta = 2.34/4 = .585 < .8: stored, f = (1, 0) - (.6, .8) = (.4, -.8)
    # t=2: score .384 - .224 = .16, right.  t=3: score -.8, right
    assert scores(rounds) == pytest.approx([0, 0.6, 0.16, -0.8])
    assert kinds(rounds) == "mm.."
    assert [r.eta for r in rounds] == pytest.approx([0.375, 0.585, None, None])
    assert rounds[3].supports == ((0, 1), (1, -1))


def test_projectron_plus_plus_with_a_norm_bound_by_hand():
    rounds = projectron_plus_plus(UNIT, linear, norm_bound=1)
    # t=0, 1 as the Projectron: weight .4
    # t=2: score .384, a margin error: loss .616, |Pk|^2 = .9216, tau = .616/.9216, delta = .28,
    #      beta = tau (1.232 - .616 - .56) > 0: weight .4 + .96 tau = .4 + .616/.96 = 25/24
    # t=3: score 0, a mistake: eta = 3/4 < 1: stored
    assert scores(rounds) == pytest.approx([0, 0.6, 0.384, 0])
    assert kinds(rounds) == "mmum"
    tau = 0.616 / 0.9216
    assert [r.tau for r in rounds] == pytest.approx([1, 1, tau, 1])
    assert [r.delta for r in rounds] == pytest.approx([1, 0.8, 0.28, 1])
    assert [r.beta for r in rounds] == pytest.approx([None, None, tau * 0.056, None])
    assert [r.eta for r in rounds] == pytest.approx([0.75, 1.17, None, 0.75])
    assert [r.projected for r in rounds] == [False, True, True, False]
    assert weights(rounds[2].supports) == pytest.approx([25 / 24])
    assert indices(rounds[3].supports) == [0, 3]
    # afterwards the margin of x_2 is 1: (25/24) .96
    assert evaluate(rounds[2].supports, UNIT, linear, UNIT[2][0])[0] == pytest.approx(1)


def test_projectron_plus_plus_skips_a_margin_error_without_progress():
    rounds = projectron_plus_plus(UNIT, linear, norm_bound=1.25)
    # t=1: eta = 2.34/2.5 = .936 >= .8. t=2: beta = tau (.616 - 2.5 * .28) = -.084 tau < 0
    assert kinds(rounds) == "mm.m"
    assert (rounds[2].tau, rounds[2].projected) == (0, False)
    assert rounds[2].delta == pytest.approx(0.28)
    assert rounds[2].beta == pytest.approx(-0.084 * 0.616 / 0.9216)
    assert rounds[2].supports == rounds[1].supports


def test_tau_is_at_most_one():
    stream = [((1, 0), 1), ((0.5, 0), 1)]
    rounds = projectron_plus_plus(stream, linear, norm_bound=1)
    # t=1: score 1/2, loss 1/2, |Pk|^2 = 1/4: tau = min(2, 1), beta = 1 - 1/4: weight 1 + 1/2
    assert kinds(rounds) == "mu"
    assert (rounds[1].tau, rounds[1].delta, rounds[1].beta) == (1, 0, 0.75)
    assert rounds[1].supports == ((0, 1.5),)


def test_eta_is_compared_with_the_distance():
    # delta = .8 at t=1; delta^2 = .64 would pass the second one
    for eta, stored in [(0.8, False), (0.7, True), (0.79, True), (0.81, False)]:
        rounds = projectron(UNIT, linear, eta=eta)
        assert rounds[1].projected is not stored
        assert rounds[1].eta == eta
        assert indices(rounds[1].supports) == ([0, 1] if stored else [0])


def test_projectron_plus_plus_takes_one_over_eta_for_the_norm():
    # t=2: beta = tau (.616 - 2 * .28 / eta), positive from eta = 10/11 on
    for eta, taken in [(0.9, False), (0.95, True)]:
        rounds = projectron_plus_plus(UNIT, linear, eta=eta)
        assert kinds(rounds) == ("mmum" if taken else "mm.m")
        assert rounds[2].beta == pytest.approx(0.616 / 0.9216 * (0.616 - 0.56 / eta))


@pytest.mark.parametrize("settings", [{"eta": 0.79}, {"eta": 0}, {"budget": 2}])
def test_projectron_plus_plus_in_the_span_by_hand(settings):
    rounds = projectron_plus_plus(UNIT, linear, **settings)
    # t=1: score .6, wrong, stored: f = (1, 0) - (.6, .8) = (.4, -.8), and all of the plane is span
    # t=2: score .384 - .224 = .16, loss .84, x = .75 x_0 + .35 x_1, tau = .84/1: f(x) becomes 1,
    #      weights 1 + .63, -1 + .294
    # t=3: f = (1.63 - .4236, -.5648), score -.5648, right, loss .4352 = tau,
    #      x = -.75 x_0 + 1.25 x_1: weights 1.63 + .3264, -.706 - .544
    assert scores(rounds) == pytest.approx([0, 0.6, 0.16, -0.5648])
    assert kinds(rounds) == "mmuu"
    assert [r.tau for r in rounds] == pytest.approx([1, 1, 0.84, 0.4352])
    assert [r.delta for r in rounds] == pytest.approx([1, 0.8, 0, 0])
    assert [r.beta for r in rounds] == pytest.approx([None, None, 0.84**2, 0.4352**2])
    assert weights(rounds[2].supports) == pytest.approx([1.63, -0.706])
    assert weights(rounds[3].supports) == pytest.approx([1.9564, -1.25])
    assert indices(rounds[3].supports) == [0, 1]


def test_projectron_plus_plus_with_eta_zero_passes_only_the_span():
    stream = [((1, 0), 1), ((0.5, 1), 1), ((0.5, 0), 1)]
    rounds = projectron_plus_plus(stream, linear, eta=0)
    assert kinds(rounds) == "m.u"
    assert rounds[1].beta == -math.inf


def test_hard_budget_by_hand():
    stream = [
        ((1, 0, 0), 1),
        ((2, 0, 0), -1),
        ((0, 1, 0), 1),
        ((1, 2, 5), -1),
        ((0, 0, 1), 1),
    ]
    rounds = projectron(stream, linear, budget=2)
    # t=0: score 0, stored
    # t=1: score 2, wrong, and 2 x_0: projected though there is room, weight 1 - 2
    # t=2: score 0, a mistake, stored: f = (-1, 1, 0), full
    # t=3: score 1, wrong: d = (1, 2), delta = 5: projected all the same, f = (-2, -1, 0)
    # t=4: score 0, a mistake: d = 0
    assert scores(rounds) == pytest.approx([0, 2, 0, 1, 0])
    assert kinds(rounds) == "mmmmm"
    assert [r.projected for r in rounds] == [False, True, False, True, True]
    assert [r.delta for r in rounds] == pytest.approx([1, 0, 1, 5, 1])
    assert [r.eta for r in rounds] == [None] * 5
    assert rounds[1].supports == ((0, -1),)
    assert rounds[4].supports == ((0, -2), (2, -1))


def test_hard_budget_never_skips_a_margin_error():
    stream = [((1, 0), 1), ((0.5, 100), 1)]
    rounds = projectron_plus_plus(stream, linear, budget=1)
    # t=1: score 1/2, loss 1/2, |Pk|^2 = 1/4, tau = 1, delta = 100, beta = 1 - 1/4
    assert kinds(rounds) == "mu"
    assert (rounds[1].delta, rounds[1].beta) == (pytest.approx(100), 0.75)
    assert rounds[1].supports == ((0, 1.5),)
    # with room left it is the same: a margin error is never stored
    assert projectron_plus_plus(stream, linear, budget=9) == rounds


@BOTH
def test_budget_caps_the_other_ways(learner):
    stream = [((1, 0, 0), 1), ((0, 1, 0), 1), ((0, 0, 1), 1), ((0, 0, 2), -1)]
    for settings in ({"eta": 0.5}, {"norm_bound": 10}):
        free = learner(stream, linear, **settings)
        capped = learner(stream, linear, budget=2, **settings)
        # t=2: score 0, a mistake, delta = 1: stored if there is room, else projected to nothing
        # t=3: score 2 and wrong, or 0 and a mistake
        assert free[3].supports == ((0, 1), (1, 1), (2, -1))
        assert capped[3].supports == ((0, 1), (1, 1))
        assert [r.projected for r in capped] == [False, False, True, True]
        assert scores(free) == [0, 0, 0, 2]
        assert scores(capped) == [0, 0, 0, 0]


@BOTH
@pytest.mark.parametrize("settings", [{"norm_bound": 0.75}, {"norm_bound": 0.5}, {"eta": 1}])
def test_projecting_onto_nothing_stays_at_zero(learner, settings):
    # readings.md, 23: eta = .75/U >= 1 = delta
    rounds = learner(UNIT, linear, **settings)
    assert all(r.supports == () and r.score == 0 for r in rounds)
    assert kinds(rounds) == "mmmm"


@BOTH
def test_eta_and_norm_bound_exclude_each_other(learner):
    with pytest.raises(ValueError, match="one of them"):
        learner(UNIT, linear, eta=0.1, norm_bound=1)
    with pytest.raises(ValueError, match="one of them"):
        learner(UNIT, linear, eta=0.1, norm_bound=1, budget=3)


@BOTH
def test_the_default_is_eta_one_tenth(learner):
    stream = cloud(0, length=40)
    kernel = gaussian(0.5)
    rounds = learner(stream, kernel)
    assert rounds == learner(stream, kernel, eta=0.1)
    assert {r.eta for r in rounds if r.mistake} == {0.1}


@BOTH
@pytest.mark.parametrize(("zero_score", "expected"), [("positive", ".m"), ("mistake", "mm")])
def test_zero_score(learner, zero_score, expected):
    # score 0 both times: with SGN(0) = +1 the first is neither a mistake nor a margin error
    stream = [((1, 0), 1), ((0, 1), -1)]
    rounds = learner(stream, linear, zero_score=zero_score)
    assert kinds(rounds) == expected
    assert (rounds[0].delta is None) is (zero_score == "positive")


@BOTH
def test_a_margin_of_one_is_no_margin_error(learner):
    stream = [((0.6, 0.8), 1), ((0.6, 0.8), 1)]
    rounds = learner(stream, linear, eta=0)
    assert kinds(rounds) == "m."
    assert (rounds[1].delta, rounds[1].beta) == (None, None)


@BOTH
def test_a_zero_example_changes_nothing(learner):
    stream = [((0, 0), -1), ((1, 0), 1), ((0, 0), 1)]
    rounds = learner(stream, linear, eta=0)
    assert kinds(rounds) == "mmm"
    assert [r.projected for r in rounds] == [True, False, True]
    assert [indices(r.supports) for r in rounds] == [[], [1], [1]]


def test_almost_in_the_span_counts_as_in_it():
    # delta^2 = (tiny scale)^2 against 1e-12 k(x, x)
    for tiny, stored in [(9e-7, False), (1.1e-6, True)]:
        stream = [((1, 0), 1), ((1000, tiny * 1000), -1)]
        rounds = projectron(stream, linear, eta=0)
        assert rounds[1].projected is not stored
        assert (rounds[1].delta == 0) is not stored
        assert projectron(stream, linear, eta=0, span_tolerance=1e-9)[1].projected


# ------------------------------------------------------- the same, in explicit feature space


def quadratic_features(x: tuple[float, float]) -> list[float]:
    """<phi(x), phi(y)> = (1 + <x, y>)^2."""
    a, b = x
    root = 2**0.5
    return [1, root * a, root * b, a * a, b * b, root * a * b]


def in_feature_space(stream, features, plus, norm_bound=None, eta=None, budget=None):
    """Algorithm 2 and Sec. 4.1 on vectors w and phi(x), the projection from an orthonormal basis.

    Returns (score, letter as in `kinds`, support indices, w) per round.
    """
    w, chosen, stored = np.zeros(len(features(stream[0][0]))), [], []
    big_u = 0 if eta is norm_bound is None else norm_bound or 1 / eta
    for t, (x, y) in enumerate(stream):
        z = np.array(features(x))
        basis = np.linalg.qr(np.array(chosen).T)[0] if chosen else np.zeros((len(z), 0))
        shadow = basis @ (basis.T @ z)
        far = np.linalg.norm(z - shadow)
        far = 0 if far < 1e-6 * np.linalg.norm(z) else far
        score, letter = float(w @ z), "."
        loss = 1 - y * score
        if y * score <= 0:
            letter = "m"
            limit = eta or 0
            if norm_bound:
                limit = (2 * loss - shadow @ shadow - 0.5) / (2 * norm_bound)
            if far == 0 or far <= limit or len(chosen) == budget:
                w = w + y * shadow
            else:
                w = w + y * z
                chosen.append(z)
                stored.append(t)
        elif plus and loss > 0:
            tau = min(1, loss / (shadow @ shadow))
            if 2 * loss - tau * (shadow @ shadow) - 2 * big_u * far >= 0:
                letter = "u"
                w = w + y * tau * shadow
        yield score, letter, list(stored), w


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize(
    "settings",
    [
        {"norm_bound": 2},
        {"norm_bound": 40},
        {"eta": 0.3},
        {"eta": 2.0},
        {"budget": 1},
        {"budget": 3},
        {"eta": 0.3, "budget": 3},
        {"norm_bound": 40, "budget": 4},
    ],
    ids=str,
)
def test_kernel_form_agrees_with_feature_space(seed, plus, settings):
    stream = cloud(seed)
    learner = projectron_plus_plus if plus else projectron
    for kernel, features in [(linear, list), (polynomial(1, 2, 1), quadratic_features)]:
        rounds = learner(stream, kernel, **settings)
        expected = list(in_feature_space(stream, features, plus, **settings))
        assert kinds(rounds) == "".join(letter for _, letter, _, _ in expected)
        for r, (score, _, stored, w) in zip(rounds, expected, strict=True):
            assert indices(r.supports) == stored
            assert r.score == pytest.approx(score, rel=1e-7, abs=1e-7)
            image = sum((c * np.array(features(stream[i][0])) for i, c in r.supports), 0 * w)
            assert image == pytest.approx(w, rel=1e-6, abs=1e-6)


# --------------------------------------------------------------------- what the paper proves


def independent(vectors: list[tuple[F, ...]]) -> list[int]:
    """Which vectors are not in the span of those before them: exact elimination on rationals."""
    reduced: list[tuple[int, list[F]]] = []  # (pivot column, row)
    chosen = []
    for position, vector in enumerate(vectors):
        row = list(vector)
        for pivot, other in reduced:
            factor = row[pivot] / other[pivot]
            row = [a - factor * b for a, b in zip(row, other, strict=True)]
        pivot = next((column for column, value in enumerate(row) if value), None)
        if pivot is not None:
            reduced.append((pivot, row))
            chosen.append(position)
    return chosen


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_eta_zero_is_a_sparser_perceptron(seed, zero_score):
    """Sec. 3: the same hypothesis, on the first independent ones of the Perceptron's supports."""
    stream = noisy_stream(seed)
    for kernel, features in [
        (linear, lambda x: x),
        (polynomial(1, 2, 1), lambda x: (F(1), *x, x[0] ** 2, x[1] ** 2, x[0] * x[1])),
    ]:
        dimension = len(features(stream[0][0]))
        full = perceptron(stream, kernel, zero_score=zero_score)
        sparse = projectron(stream, kernel, eta=0, zero_score=zero_score)
        mistaken = indices(full[-1].supports)
        kept = independent([features(stream[i][0]) for i in mistaken])
        assert len(mistaken) > dimension == len(kept)
        assert indices(sparse[-1].supports) == [mistaken[position] for position in kept]
        assert kinds(sparse) == kinds(full)
        assert scores(sparse) == pytest.approx([float(s) for s in scores(full)], abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_budget_as_large_as_the_stream(seed):
    """The Projectron is the Perceptron then; the ++ still projects every margin error."""
    stream, kernel = cloud(seed, length=60), gaussian(0.5)
    rounds = projectron(stream, kernel, budget=len(stream))
    full = perceptron(stream, kernel, zero_score="mistake")
    assert kinds(rounds) == kinds(full)
    assert scores(rounds) == pytest.approx(scores(full), abs=1e-6)
    rounds = projectron_plus_plus(stream, kernel, budget=len(stream))
    assert all(r.update for r in rounds if r.beta is not None)
    assert "u" in kinds(rounds)


@BOTH
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "settings", [{"eta": 0.3}, {"norm_bound": 4}, {"budget": 7}, {"eta": 0.3, "budget": 7}], ids=str
)
def test_supports_only_grow_and_only_by_distant_mistakes(learner, seed, settings):
    stream = cloud(seed)
    before: Supports = ()
    for t, r in enumerate(learner(stream, gaussian(0.5), **settings)):
        grown = indices(before) + [t] * (r.mistake and not r.projected)
        assert indices(r.supports) == grown
        assert len(grown) <= settings.get("budget", len(stream))
        if len(grown) > len(before):
            assert r.delta > (r.eta or 0)
            assert r.supports[-1] == (t, stream[t][1])
            assert weights(r.supports[:-1]) == weights(before)
        elif r.mistake:
            assert r.delta <= (r.eta or 0) or len(before) == settings["budget"]
        assert r.update or r.supports == before
        before = r.supports
    assert len(before) > 2


def inner(f: np.ndarray, g: np.ndarray, gram: np.ndarray) -> float:
    return float(f @ gram @ g)


def on_stream(supports: Supports, length: int) -> np.ndarray:
    """The weights as one vector over the whole stream."""
    vector = np.zeros(length)
    for i, w in supports:
        vector[i] += w
    return vector


def comparators(gram: np.ndarray, labels: np.ndarray) -> list[np.ndarray]:
    """Functions g = sum_t c_t k(x_t, .) with small |g|^2 + 2 C D_1, for several C; and 0."""
    found = [np.zeros(len(labels))]
    for trade in (0.05, 0.3, 1.0):
        c = np.zeros(len(labels))
        for step in range(1, 400):
            violated = labels * (gram @ c) < 1
            c = c - (c - trade * labels * violated) / (step + 10)
        found.append(c)
    return found


def losses(c: np.ndarray, gram: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.maximum(0, 1 - labels * (gram @ c))


def prepared(seed: int, kernel: Kernel) -> tuple[Stream, np.ndarray, np.ndarray]:
    stream = cloud(seed, length=100, noise=0.05)
    gram = np.array([[kernel(p, q) for q, _ in stream] for p, _ in stream])
    return stream, gram, np.array([y for _, y in stream])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("eta", [0, 0.05, 0.2])
def test_theorems_2_and_3(seed, eta):
    """Mistakes against |g| and D_1, with k(x, x) <= R^2 (readings.md, 19)."""
    kernel = gaussian(0.5)
    stream, gram, labels = prepared(seed, kernel)
    tested = 0
    for scale in (0.5, 1.0):  # R^2
        rounds = projectron(stream, lambda x, y, s=scale: s * kernel(x, y), eta=eta)
        mistakes = sum(r.mistake for r in rounds)
        for g in comparators(scale * gram, labels):
            for factor in (0.25, 0.5, 1):
                norm = factor * math.sqrt(inner(g, g, scale * gram))
                d1 = losses(factor * g, scale * gram, labels).sum()
                if 2 - scale - 2 * eta * norm > 0:
                    assert mistakes <= (norm**2 + 2 * d1) / (2 - scale - 2 * eta * norm) + 1e-9
                    tested += 1
                if eta * norm < 1:
                    reach = math.sqrt(scale) * norm
                    root = reach + math.sqrt(reach**2 + 4 * d1)
                    assert mistakes <= (root / (2 * (1 - eta * norm))) ** 2 + 1e-9
    assert tested > 5


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("gamma", "norm_bound"), [(0.05, 1), (0.05, 3), (0.5, 1), (0.5, 8)])
@BOTH
def test_corollary_1_and_equation_15(learner, seed, gamma, norm_bound):
    """The number of mistakes, and the progress towards g in every single round, for |g| <= U."""
    kernel = gaussian(gamma)
    stream, gram, labels = prepared(seed, kernel)
    rounds = learner(stream, kernel, norm_bound=norm_bound)
    mistakes = sum(r.mistake for r in rounds)
    gained = sum(r.beta for r in rounds if r.beta is not None and r.update)
    if learner is projectron:
        assert gained == 0
    elif gamma == 0.05:  # smooth enough for margin errors to pass
        assert gained > 0
    for g in comparators(gram, labels):
        norm = math.sqrt(inner(g, g, gram))
        g = g * min(1, norm_bound / norm) if norm else g
        suffered = losses(g, gram, labels)
        bound = 2 * (inner(g, g, gram) + 2 * suffered.sum() - gained)
        assert mistakes <= bound + 1e-9

        f = np.zeros(len(stream))
        for t, r in enumerate(rounds):
            after = on_stream(r.supports, len(stream))
            progress = inner(f - g, f - g, gram) - inner(after - g, after - g, gram)
            if r.mistake:
                assert progress >= 0.5 - 2 * suffered[t] - 1e-9
            elif r.update:
                assert 0 < r.tau <= 1
                assert r.beta >= 0
                assert progress >= r.beta - 2 * r.tau * suffered[t] - 1e-9
            else:
                assert progress == pytest.approx(0, abs=1e-12)
                assert r.beta is None or r.beta < 0
            f = after


@pytest.mark.parametrize("seed", SEEDS)
def test_margin_errors_in_the_span_are_repaired(seed):
    """A margin error in the span is left with margin 1 (tau < 1), or with more than it had."""
    stream = cloud(seed)
    rounds = projectron_plus_plus(stream, linear, norm_bound=5)
    seen = 0
    for (x, y), r in zip(stream, rounds, strict=True):
        if r.beta is not None and r.delta == 0:
            seen += 1
            after = y * evaluate(r.supports, stream, linear, x)[0]
            square = linear(x, x)
            assert r.update
            assert after == pytest.approx(1 if r.tau < 1 else y * r.score + square)
    assert seen > 5


def test_thm_1_the_support_set_stops_growing():
    """In a compact set, more data do not need more supports."""
    rng = random.Random(0)
    stream = []
    for _ in range(1500):
        x = (rng.uniform(-1, 1), rng.uniform(-1, 1))
        stream.append((x, rng.choice([-1, 1])))
    rounds = projectron(stream, gaussian(1.0), eta=0.2)
    assert sum(r.mistake for r in rounds) > 500
    assert len(rounds[-1].supports) <= len(rounds[500].supports) + 1 < 25
