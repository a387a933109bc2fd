"""The oracle's many classes and sample weights against hand-worked rows, and against laws."""

import math
import random
from collections.abc import Callable
from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest

from oracle import (
    JointRound,
    Kernel,
    Number,
    OneVsRestRound,
    Round,
    adaptive_second_order_perceptron,
    budget_perceptron,
    exponential_decay_perceptron,
    forgetron,
    gaussian,
    joint_budget_perceptron,
    joint_exponential_decay_perceptron,
    joint_forgetron,
    joint_least_recent_budget_perceptron,
    joint_passive_aggressive,
    joint_passive_aggressive_i,
    joint_passive_aggressive_ii,
    joint_perceptron,
    joint_projectron,
    joint_projectron_plus_plus,
    joint_randomized_budget_perceptron,
    joint_shifting_perceptron,
    joint_stoptron,
    least_recent_budget_perceptron,
    least_recent_budget_second_order_perceptron,
    linear,
    modified_perceptron,
    one_vs_rest,
    one_vs_rest_late_classes,
    passive_aggressive,
    passive_aggressive_i,
    passive_aggressive_ii,
    perceptron,
    projectron,
    projectron_plus_plus,
    pseudoinverse_second_order_perceptron,
    randomized_budget_perceptron,
    second_order_perceptron,
    second_order_perceptron_primal,
    shifting_perceptron,
    stoptron,
    whitened_perceptron,
)

SEEDS = range(3)
ROWS = 40

# ------------------------------------------------------------------------------- helpers


def tied_rows(seed: int, classes: str = "abc", length: int = ROWS, noise: float = 0.2) -> list:
    """Integer points, hence ties, zero scores and repeated points, and some labels at random."""
    rng = random.Random(seed)
    rows = []
    for _ in range(length):
        a, b = rng.randint(-2, 2), rng.randint(-2, 2)
        label = classes[(a > 0) + (b > 0) if len(classes) > 2 else a + b > 0]
        rows.append(((F(a), F(b)), label if rng.random() >= noise else rng.choice(classes)))
    return rows


def signed(rows: list) -> list:
    """Two classes as labels: the second is +1."""
    second = max(label for _, label in rows)
    return [(x, 1 if label == second else -1) for x, label in rows]


def some_weights(seed: int, length: int = ROWS) -> list[Number]:
    rng = random.Random(100 + seed)
    return [rng.choice([0, F(1, 2), 1, 3]) for _ in range(length)]


def columns(rows: list) -> tuple[list, list]:
    return [x for x, _ in rows], [label for _, label in rows]


def kinds(rounds: list) -> str:
    """One letter per round: m(istake and update), M(istake alone), u(pdate alone), '.' neither."""
    letters = {(True, True): "m", (True, False): "M", (False, True): "u", (False, False): "."}
    return "".join(letters[r.mistake, r.update] for r in rounds)


def predictions(rounds: list) -> list:
    return [r.prediction for r in rounds]


def last_draw(n: int) -> int:
    """Draws without a memory, for learners that are run twice."""
    return n - 1


BINARY: dict[str, Callable[..., list[Round]]] = {
    "perceptron": perceptron,
    "shifting": partial(shifting_perceptron, decay=F(1, 3)),
    "decaying": partial(exponential_decay_perceptron, decay=F(1, 4)),
    "randomized": partial(randomized_budget_perceptron, budget=4, draw=last_draw),
    "least recent": partial(least_recent_budget_perceptron, budget=4),
    "CKS": partial(budget_perceptron, budget=4),
    "forgetron": partial(forgetron, budget=4),
    "stoptron": partial(stoptron, budget=4),
    "PA": passive_aggressive,
    "PA-I": partial(passive_aggressive_i, C=F(1, 4)),
    "PA-II": partial(passive_aggressive_ii, C=F(1, 4)),
}
PROJECTED: dict[str, Callable[..., list[Round]]] = {
    "projectron": partial(projectron, eta=0.9),
    "projectron, norm bound": partial(projectron, norm_bound=2),
    "projectron++": partial(projectron_plus_plus, norm_bound=2),
    "projectron++, budget": partial(projectron_plus_plus, budget=2),
}
SECOND_ORDER: dict[str, Callable[..., list[Round]]] = {
    "second order": partial(second_order_perceptron, a=1.0),
    "adaptive": partial(adaptive_second_order_perceptron, c=1.0, radius=2.0),
    "pseudoinverse": pseudoinverse_second_order_perceptron,
    "second order, budget": partial(least_recent_budget_second_order_perceptron, a=1.0, budget=4),
}
JOINT: dict[str, Callable[..., list[JointRound]]] = {
    "perceptron": joint_perceptron,
    "shifting": partial(joint_shifting_perceptron, decay=F(1, 3)),
    "decaying": partial(joint_exponential_decay_perceptron, decay=F(1, 4)),
    "randomized": partial(joint_randomized_budget_perceptron, budget=4, draw=last_draw),
    "least recent": partial(joint_least_recent_budget_perceptron, budget=4),
    "CKS": partial(joint_budget_perceptron, budget=4),
    "forgetron": partial(joint_forgetron, budget=4),
    "stoptron": partial(joint_stoptron, budget=4),
    "PA": joint_passive_aggressive,
    "PA-I": partial(joint_passive_aggressive_i, C=F(1, 4)),
    "PA-II": partial(joint_passive_aggressive_ii, C=F(1, 4)),
}
JOINTLY_PROJECTED: dict[str, Callable[..., list[JointRound]]] = {
    "projectron": partial(joint_projectron, eta=0.9),
    "projectron, norm bound": partial(joint_projectron, norm_bound=2),
    "projectron++": partial(joint_projectron_plus_plus, norm_bound=2),
    "projectron++, budget": partial(joint_projectron_plus_plus, budget=2),
}
EVERY_BINARY = BINARY | PROJECTED | SECOND_ORDER
EVERY_JOINT = JOINT | JOINTLY_PROJECTED
both_zero_scores = pytest.mark.parametrize("zero_score", ["positive", "mistake"])
each_seed = pytest.mark.parametrize("seed", SEEDS)


# ------------------------------------------------------- the single machine, hand-worked

CORNERS = [((1, 0), "b"), ((0, 1), "c"), ((1, 1), "a"), ((1, 0), "a")]


def test_joint_perceptron_by_hand():
    rounds = joint_perceptron(CORNERS, linear, classes="abc")
    # t=0: all 0, so a is predicted and is b's rival: f_b = (1, 0), f_a = -(1, 0)
    # t=1: all 0 again: f_c = (0, 1), f_a = -(1, 1)
    # t=2: -2, 1, 1: b is predicted, the first of two: f_a = 0, f_b = -(0, 1)
    # t=3: all 0: a is predicted, and right
    assert [r.scores for r in rounds] == [
        {"a": 0, "b": 0, "c": 0},
        {"a": 0, "b": 0, "c": 0},
        {"a": -2, "b": 1, "c": 1},
        {"a": 0, "b": 0, "c": 0},
    ]
    assert predictions(rounds) == ["a", "a", "b", "a"]
    assert [r.rival for r in rounds] == ["a", "a", "b", "b"]
    assert [r.margin for r in rounds] == [0, 0, -3, 0]
    assert kinds(rounds) == "mmm."
    assert rounds[3].supports == (
        (0, {"b": 1, "a": -1}),
        (1, {"c": 1, "a": -1}),
        (2, {"a": 1, "b": -1}),
    )


def test_a_tie_that_the_right_class_wins_can_count_as_a_mistake():
    rounds = joint_perceptron(CORNERS, linear, classes="abc", zero_score="mistake")
    assert predictions(rounds) == ["a", "a", "b", "a"]
    assert kinds(rounds) == "mmmm"
    assert rounds[3].supports[3] == (3, {"a": 1, "b": -1})


def test_joint_weights_multiply_the_step_alone():
    rounds = joint_perceptron(CORNERS, linear, classes="abc", weights=[2, 0, F(1, 2), 5])
    # t=0: f_b = (2, 0), f_a = -(2, 0).  t=1: a mistake that changes nothing
    # t=2: -2, 2, 0: b: f_a = (-3/2, 1/2), f_b = (3/2, -1/2).  t=3: -3/2, 3/2, 0: b, wrong
    assert [r.scores for r in rounds[2:]] == [
        {"a": -2, "b": 2, "c": 0},
        {"a": F(-3, 2), "b": F(3, 2), "c": 0},
    ]
    assert kinds(rounds) == "mMmm"
    assert rounds[1].supports == rounds[0].supports == ((0, {"b": 2, "a": -2}),)
    assert rounds[3].supports[1:] == (
        (2, {"a": F(1, 2), "b": F(-1, 2)}),
        (3, {"a": 5, "b": -5}),
    )


def test_joint_shrinking_by_hand():
    rounds = joint_shifting_perceptron(CORNERS, linear, decay=1, classes="abc")
    # the second mistake shrinks by 1 - 1/2, so that t=2 is -3/2, 1/2, 1; the third by 1 - 1/3
    assert kinds(rounds)[:3] == "mmm"
    assert rounds[2].supports == (
        (0, {"b": F(1, 3), "a": F(-1, 3)}),
        (1, {"c": F(2, 3), "a": F(-2, 3)}),
        (2, {"a": 1, "c": -1}),
    )
    rounds = joint_exponential_decay_perceptron(CORNERS, linear, decay=F(1, 2), classes="abc")
    assert rounds[2].supports == (
        (0, {"b": F(1, 4), "a": F(-1, 4)}),
        (1, {"c": F(1, 2), "a": F(-1, 2)}),
        (2, {"a": 1, "c": -1}),
    )


def test_joint_victims_by_hand():
    least_recent = joint_least_recent_budget_perceptron(CORNERS, linear, budget=2, classes="abc")
    assert [r.removed for r in least_recent[:3]] == [(), (), (0,)]
    drawn = joint_randomized_budget_perceptron(
        CORNERS, linear, budget=2, draw=lambda n: 1, classes="abc"
    )
    assert [r.removed for r in drawn[:3]] == [(), (), (1,)]
    assert drawn[2].supports == ((0, {"b": 1, "a": -1}), (2, {"a": 1, "b": -1}))
    stopped = joint_stoptron(CORNERS, linear, budget=2, classes="abc")
    # t=3: -1, 1, 0: b, wrong, too late
    assert kinds(stopped) == "mmMM"
    assert len(stopped[3].supports) == 2


def test_joint_budget_perceptron_by_hand():
    rounds = joint_budget_perceptron(CORNERS[:3], linear, budget=2, classes="abc")
    # as the Perceptron, then one of three goes; margins of each without itself:
    # 0 (b against a, at (1, 0)): f_b = -1, f_a = 1: -2
    # 1 (c against a, at (0, 1)): f_c = 0, f_a = 1: -1, the largest
    # 2 (a against b, at (1, 1)): f_a = -2, f_b = 1: -3
    assert rounds[2].removed == (1,)
    assert rounds[2].supports == ((0, {"b": 1, "a": -1}), (2, {"a": 1, "b": -1}))


def test_joint_forgetron_by_hand():
    stream = [((1,), "b"), ((1,), "c"), ((1,), "b")]
    rounds = joint_forgetron(stream, linear, budget=1, classes="abc")
    # t=1: -1, 1, 0: b beats c. Of f' = (-1, 0, 1), mu = f_b - f_a = 1, sigma = 1, room 15/16:
    #      Psi(1) = 1 is too much, phi = (15/16)/(1 + 1/4) = 3/4 and Psi = 15/16
    # t=2: 0, -3/4, 3/4: c beats b. Of f' = (0, 1/4, -1/4), mu = f_c - f_b = -1/2, sigma = 3/4,
    #      room 45/32 - 15/16 = 15/32, sigma^2 - 2 sigma mu = 21/16
    assert [r.margin for r in rounds] == [0, -1, F(-3, 2)]
    assert [r.removed for r in rounds] == [(), (0,), (1,)]
    assert rounds[1].supports == ((1, {"c": F(3, 4), "b": F(-3, 4)}),)
    phi = (15 / 32) / (3 / 4 + math.sqrt(9 / 16 + 21 / 16 * 15 / 32))
    ((i, weights),) = rounds[2].supports
    assert (i, weights) == (2, {"b": pytest.approx(phi), "c": pytest.approx(-phi)})


@pytest.mark.parametrize(
    ("learner", "first", "second"),
    [
        # t=0: margin 0, loss 1, 2k = 2.  t=1: 2k = 8, f_b = 2 first, margin -f_b
        (joint_passive_aggressive, F(1, 2), F(1, 4)),  # loss 2
        (partial(joint_passive_aggressive_i, C=F(1, 8)), F(1, 8), F(1, 8)),  # loss 5/4
        (partial(joint_passive_aggressive_i, C=F(1, 5)), F(1, 5), F(7, 40)),  # loss 7/5
        (partial(joint_passive_aggressive_ii, C=F(1, 4)), F(1, 4), F(3, 20)),  # loss 3/2
    ],
)
def test_joint_passive_aggressive_by_hand(learner, first, second):
    rounds = learner([((1, 0), "b"), ((2, 0), "c")], linear, classes="abc")
    assert rounds[1].supports == (
        (0, {"b": first, "a": -first}),
        (1, {"c": second, "b": -second}),
    )


def test_joint_passive_aggressive_weighs_the_step_and_not_the_loss():
    rounds = joint_passive_aggressive(
        [((1, 0), "b"), ((2, 0), "c")], linear, classes="abc", weights=[3, 2]
    )
    # tau = 1/2, three times; then -3, 3, 0: loss 4, tau = 4/8, twice
    assert rounds[1].scores == {"a": -3, "b": 3, "c": 0}
    assert rounds[1].supports == ((0, {"b": F(3, 2), "a": F(-3, 2)}), (1, {"c": 1, "b": -1}))


UNIT = [((1, 0), "b"), ((0.6, 0.8), "c"), ((0.96, 0.28), "c")]


def test_joint_projectron_by_hand():
    rounds = joint_projectron(UNIT, linear, norm_bound=1, classes="abc")
    # t=0: eta = (2 - 0 - 1/2)/2 < delta = sqrt 2: stored
    # t=1: -.6, .6, 0: loss 1.6, |P psi|^2 = 2 .36, eta = (3.2 - .72 - .5)/2 = .99 and
    #      delta = .8 sqrt 2 = 1.13: stored
    assert [len(r.supports) for r in rounds[:2]] == [1, 2]
    rounds = joint_projectron(UNIT, linear, norm_bound=0.8, classes="abc")
    # eta = 1.98/1.6 = 1.24: projected, d = .6, and a keeps its weight
    assert [len(r.supports) for r in rounds] == [1, 1, 1]
    assert rounds[1].supports[0][1] == pytest.approx({"a": -1, "b": 0.4, "c": 0.6})
    # t=2: -.96, .384, .576: right
    assert rounds[2].scores == pytest.approx({"a": -0.96, "b": 0.384, "c": 0.576})
    assert kinds(rounds) == "mm."
    weighted = joint_projectron(UNIT, linear, norm_bound=0.8, classes="abc", weights=[1, 2, 1])
    assert weighted[1].supports[0][1] == pytest.approx({"a": -1, "b": -0.2, "c": 1.2})


def test_joint_projectron_plus_plus_by_hand():
    rounds = joint_projectron_plus_plus(UNIT, linear, norm_bound=0.8, classes="abc")
    # t=2: margin .192, loss .808, |P psi|^2 = 2 .9216, delta = .28 sqrt 2 = .396: a gain of .808
    # against 1.6 delta = .63
    tau = 0.808 / 1.8432
    assert kinds(rounds) == "mmu"
    assert rounds[2].supports[0][1] == pytest.approx(
        {"a": -1, "b": 0.4 - 0.96 * tau, "c": 0.6 + 0.96 * tau}
    )
    weighted = joint_projectron_plus_plus(
        UNIT, linear, norm_bound=0.8, classes="abc", weights=[1, 1, 2]
    )
    assert weighted[2].supports[0][1] == pytest.approx(
        {"a": -1, "b": 0.4 - 1.92 * tau, "c": 0.6 + 1.92 * tau}
    )


def test_joint_projectron_plus_plus_needs_progress():
    # eta = 1.14 just projects t=1 (delta = 1.1314). t=2: margin .16, loss .84,
    # |P psi|^2 = 1.28, delta = .6 sqrt 2 = .8485: a gain of .84 against 2 delta / 1.14 = 1.49
    stream = [*UNIT[:2], ((0.8, 0.6), "c")]
    rounds = joint_projectron_plus_plus(stream, linear, eta=1.14, classes="abc")
    assert [r.margin for r in rounds] == pytest.approx([0, -0.6, 0.16])
    assert kinds(rounds) == "mm."
    assert kinds(joint_projectron_plus_plus(UNIT, linear, eta=1.14, classes="abc")) == "mmu"


def test_a_hard_budget_alone_projects_once_it_is_full():
    rounds = joint_projectron(UNIT[:2], linear, budget=1, classes="abc")
    assert rounds[1].supports[0][1] == pytest.approx({"a": -1, "b": 0.4, "c": 0.6})


# -------------------------------------------------------------- the single machine, laws


def joint_kernel(kernel: Kernel) -> Kernel:
    """<Phi(x, r) - Phi(x, s), Phi(x', r') - Phi(x', s')>."""

    def inner(p, q):
        (x, r, s), (x_, r_, s_) = p, q
        return kernel(x, x_) * ((r == r_) - (r == s_) - (s == r_) + (s == s_))

    return inner


@each_seed
@both_zero_scores
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", JOINT)
def test_the_single_machine_is_the_binary_learner_in_the_joint_space(
    name, weighted, zero_score, seed
):
    rows = tied_rows(seed)
    weights = some_weights(seed) if weighted else None
    rounds = JOINT[name](rows, linear, classes="abc", weights=weights, zero_score=zero_score)
    instances = [((x, c, r.rival), 1) for (x, c), r in zip(rows, rounds, strict=True)]
    zeros = [
        "mistake" if zero_score == "mistake" or r.rival < c else "positive"
        for (_, c), r in zip(rows, rounds, strict=True)
    ]
    same = BINARY[name](instances, joint_kernel(linear), weights=weights, zero_score=zeros)
    assert sum(r.update for r in rounds) > 5 or name == "stoptron"
    for joint, binary in zip(rounds, same, strict=True):
        assert joint.margin == pytest.approx(binary.score)
        assert (joint.mistake, joint.update) == (binary.mistake, binary.update)
        assert joint.removed == binary.removed
        assert [i for i, _ in joint.supports] == [i for i, _ in binary.supports]
        for (i, by_class), (_, weight) in zip(joint.supports, binary.supports, strict=True):
            expected = {rows[i][1]: weight, rounds[i].rival: -weight}
            assert by_class == pytest.approx(expected)


@each_seed
@both_zero_scores
@pytest.mark.parametrize("name", EVERY_JOINT)
def test_the_single_machine_predicts_the_highest_score_against_the_highest_wrong_one(
    name, zero_score, seed
):
    rows = tied_rows(seed)
    for (_, right), r in zip(
        rows, EVERY_JOINT[name](rows, linear, classes="abc", zero_score=zero_score), strict=True
    ):
        scores = {c: round(float(score), 9) for c, score in r.scores.items()}
        assert sum(scores.values()) == pytest.approx(0, abs=1e-7)
        assert r.prediction == min("abc", key=lambda c: (-scores[c], c))
        assert r.rival == min(set("abc") - {right}, key=lambda c: (-scores[c], c))
        tied = zero_score == "mistake" and scores[right] == scores[r.rival]
        assert r.mistake == (r.prediction != right or tied)


@each_seed
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", EVERY_JOINT)
def test_a_single_machine_for_two_classes_is_the_binary_learner_with_twice_the_kernel(
    name, weighted, seed
):
    rows = tied_rows(seed, "ab")
    weights = some_weights(seed) if weighted else None
    rounds = EVERY_JOINT[name](rows, linear, classes="ab", weights=weights, zero_score="mistake")
    same = EVERY_BINARY[name](
        signed(rows), lambda x, z: 2 * linear(x, z), weights=weights, zero_score="mistake"
    )
    for joint, binary in zip(rounds, same, strict=True):
        assert joint.scores["b"] - joint.scores["a"] == pytest.approx(binary.score, abs=1e-9)
        assert (joint.mistake, joint.update) == (binary.mistake, binary.update)
        for (i, by_class), (j, weight) in zip(joint.supports, binary.supports, strict=True):
            assert i == j
            assert by_class == pytest.approx({"a": -weight, "b": weight}, abs=1e-9)


SCALE_FREE = ["perceptron", "shifting", "decaying", "randomized", "least recent", "CKS", "stoptron"]


@each_seed
@pytest.mark.parametrize("name", SCALE_FREE)
def test_a_single_machine_for_two_classes_doubles_the_scores_of_a_perceptron(name, seed):
    rows = tied_rows(seed, "ab")
    rounds = JOINT[name](rows, linear, classes="ab", zero_score="mistake")
    same = BINARY[name](signed(rows), linear, zero_score="mistake")
    assert any(r.score for r in same)
    for joint, binary in zip(rounds, same, strict=True):
        assert joint.scores["b"] - joint.scores["a"] == 2 * binary.score
        if binary.score:
            assert joint.prediction == ("b" if binary.score > 0 else "a")


def in_primal_form(rows, weights, *, norm_bound=None, eta=None, budget=None, margin_errors):
    """The Projectrons with a matrix W of class vectors, and projectors made by a pseudoinverse."""
    W, stored, sizes = np.zeros((3, 2)), [], []
    for (x, right), u in zip(rows, weights, strict=True):
        x, r = np.array(x, dtype=float), "abc".index(right)
        scores = np.round(W @ x, 9)
        s = max((c for c in range(3) if c != r), key=lambda c: (scores[c], -c))
        psi = np.zeros((3, 2))
        psi[r], psi[s] = x, -x
        margin = float(np.sum(W * psi))
        basis = np.array(stored).reshape(-1, 2)
        projection = psi @ np.linalg.pinv(basis) @ basis
        delta = np.linalg.norm(psi - projection)
        if u and margin <= 1e-9:
            threshold = eta or 0
            if norm_bound:
                square = np.sum(projection**2)
                threshold = (2 * (1 - margin) - square - 0.5) / (2 * norm_bound)
            if delta <= max(threshold, 1e-6) or len(stored) == budget:
                W = W + float(u) * projection
            else:
                W = W + float(u) * psi
                stored.append(x)
        elif u and margin_errors and margin < 1 - 1e-9:
            square = np.sum(projection**2)
            tau = min((1 - margin) / square, 1)
            big_u = norm_bound or (1 / eta if eta else 0)
            if tau * (2 * (1 - margin) - tau * square - 2 * big_u * delta) >= -1e-9:
                W = W + float(u) * tau * projection
        sizes.append((len(stored), W))
    return sizes


@each_seed
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("margin_errors", [False, True])
@pytest.mark.parametrize(
    "parameter", [{"norm_bound": 1.5}, {"eta": 1.1}, {"budget": 1}, {"eta": 0.3}], ids=str
)
def test_joint_projectrons_project_every_class(parameter, margin_errors, weighted, seed):
    rng = random.Random(seed)
    rows = []
    for _ in range(ROWS):
        angle = rng.uniform(0, 2 * math.pi)
        right = "abc"[int(3 * angle / (2 * math.pi))] if rng.random() < 0.8 else rng.choice("abc")
        rows.append(((math.cos(angle), math.sin(angle)), right))
    weights = some_weights(seed) if weighted else [1] * ROWS
    learner = joint_projectron_plus_plus if margin_errors else joint_projectron
    rounds = learner(rows, linear, classes="abc", weights=weights, **parameter)
    expected = in_primal_form(rows, weights, margin_errors=margin_errors, **parameter)
    for r, (size, W) in zip(rounds, expected, strict=True):
        assert len(r.supports) == size
        for c, vector in zip("abc", W, strict=True):
            ours = sum(
                (w.get(c, 0) * np.array(rows[i][0]) for i, w in r.supports), start=np.zeros(2)
            )
            assert ours == pytest.approx(vector, abs=1e-7)


# --------------------------------------------------------------------- one machine per class


def test_one_vs_rest_by_hand():
    X, y = columns(CORNERS)
    rounds = one_vs_rest(lambda c: partial(perceptron, kernel=linear), X, y, "cab")
    # t=0, b: all 0 and thus +1: a and c err. f_a = f_c = -(1, 0)
    # t=1, c: all 0: a and b err. f_a = -(1, 1), f_b = -(0, 1)
    # t=2, a: -2, -1, -1: b is predicted, the first of two. a errs: f_a = 0
    # t=3, a: 0, 0, -1: a is predicted. b errs
    assert [r.scores for r in rounds] == [
        {"a": 0, "b": 0, "c": 0},
        {"a": 0, "b": 0, "c": 0},
        {"a": -2, "b": -1, "c": -1},
        {"a": 0, "b": 0, "c": -1},
    ]
    assert [list(r.scores) for r in rounds] == [["a", "b", "c"]] * 4
    assert predictions(rounds) == ["a", "a", "b", "a"]
    assert [r.mistake for r in rounds] == [True, True, True, False]
    assert [updated(r) for r in rounds] == ["ac", "ab", "a", "b"]
    assert [tuple(r.sizes.values()) for r in rounds] == [(1, 0, 1), (2, 1, 1), (3, 1, 1), (3, 2, 1)]


def updated(r: OneVsRestRound) -> str:
    return "".join(c for c, update in r.updates.items() if update)


def test_one_vs_rest_weights_reach_every_machine():
    X, y = columns(CORNERS)
    rounds = one_vs_rest(
        lambda c: partial(perceptron, kernel=linear), X, y, "abc", weights=[2, 0, 1, 1]
    )
    # f_a = f_c = -(2, 0).  t=1 changes nothing.  t=2: -2, 0, -2: b is predicted; a errs, and b
    assert [updated(r) for r in rounds[:3]] == ["ac", "", "ab"]
    assert rounds[1].mistake
    assert rounds[2].scores == {"a": -2, "b": 0, "c": -2}
    assert rounds[2].machines["a"].supports == ((0, -2), (2, 1))


def test_one_vs_rest_compares_what_second_order_machines_say_without_the_instance():
    rows = [((float(a), float(b)), c) for (a, b), c in tied_rows(0)]
    X, y = columns(rows)
    rounds = one_vs_rest(
        lambda c: partial(second_order_perceptron, kernel=linear, a=1.0), X, y, "abc"
    )
    for r in rounds:
        assert list(r.scores.values()) == [m.plain_score for m in r.machines.values()]


# ----------------------------------------------------------------------------- late classes


def test_a_single_machine_learns_nothing_from_one_class():
    stream = [((1, 0), "b"), ((1, 0), "b"), ((1, 0), "a"), ((0, 1), "c"), ((1, 1), "b")]
    rounds = joint_perceptron(stream, linear)
    # t=2: b is all there is: f_a = (1, 0), f_b = -(1, 0)
    # t=3: a and b have 0, and so has c: a is predicted: f_c = (0, 1), f_a = (1, -1)
    # t=4: 0, -1, 1: c
    assert [r.scores for r in rounds] == [
        {},
        {"b": 0},
        {"b": 0},
        {"a": 0, "b": 0},
        {"a": 0, "b": -1, "c": 1},
    ]
    assert predictions(rounds) == [None, "b", "b", "a", "c"]
    assert [r.rival for r in rounds] == [None, None, "b", "a", "c"]
    assert kinds(rounds) == "M.mmm"
    assert rounds[4].supports == (
        (2, {"a": 1, "b": -1}),
        (3, {"c": 1, "a": -1}),
        (4, {"b": 1, "c": -1}),
    )


def test_a_new_class_is_a_mistake_even_where_it_would_win_the_tie():
    stream = [((1, 0), "b"), ((1, 0), "c"), ((0, 1), "a")]
    rounds = joint_perceptron(stream, linear)
    assert predictions(rounds) == [None, "b", "b"]
    assert kinds(rounds) == "Mmm"
    assert kinds(joint_perceptron(stream, linear, classes="abc"))[2] == "."


def late_perceptrons(X, y, **options):
    return one_vs_rest_late_classes(lambda c: partial(perceptron, kernel=linear), X, y, **options)


def test_late_machines_by_hand():
    X, y = columns([((1, 0), "b"), ((1, 0), "a"), ((1, 1), "c"), ((0, 1), "c"), ((1, 0), "d")])
    rounds = late_perceptrons(X, y)
    # t=0: b turns out to be the second, +1: the 0 is right.  t=1: a: 0 is wrong, f_b = -(1, 0)
    # t=2: f_b = -1: a is predicted. c: f_a = 1 is wrong: f_a = (0, -1). f_c = 0 is not
    # t=3: -1, 0, 0: b is predicted. c: b errs: f_b = -(1, 1)
    # t=4: 0, -1, 0: a is predicted. d: a and c err, and d's 0 is right
    assert [r.scores for r in rounds] == [
        {},
        {"b": 0},
        {"a": 1, "b": -1},
        {"a": -1, "b": 0, "c": 0},
        {"a": 0, "b": -1, "c": 0},
    ]
    assert predictions(rounds) == [None, "b", "a", "b", "a"]
    assert [r.mistake for r in rounds] == [True] * 5
    assert [updated(r) for r in rounds] == ["", "ab", "a", "b", "ac"]
    assert [r.sizes for r in rounds[1:]] == [
        {"a": 1, "b": 1},
        {"a": 2, "b": 1, "c": 0},
        {"a": 2, "b": 2, "c": 0},
        {"a": 3, "b": 2, "c": 1, "d": 0},
    ]
    assert rounds[1].machines["a"].supports == ((1, 1),)
    assert rounds[4].machines["a"].supports == ((1, 1), (2, -1), (4, -1))
    assert rounds[4].machines["c"].supports == ((4, -1),)


def test_one_class_alone_has_no_machine():
    rounds = late_perceptrons([(1, 0), (0, 1)], ["b", "b"])
    assert predictions(rounds) == [None, "b"]
    assert [(r.mistake, r.scores, r.machines) for r in rounds] == [(True, {}, {}), (False, {}, {})]


@each_seed
@both_zero_scores
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", EVERY_BINARY)
def test_two_late_classes_are_the_binary_learner(name, weighted, zero_score, seed):
    rows = tied_rows(seed, "ab")
    X, y = columns(rows)
    weights = some_weights(seed) if weighted else None
    learner = partial(EVERY_BINARY[name], kernel=linear)
    rounds = one_vs_rest_late_classes(lambda c: learner, X, y, weights, zero_score=zero_score)
    binary = learner(signed(rows), weights=weights, zero_score=zero_score)
    assert [r.machines["b"] for r in rounds] == binary
    both = max(y.index("a"), y.index("b"))
    for (_, label), r, one in list(zip(rows, rounds, binary, strict=True))[both + 1 :]:
        assert r.mistake == one.mistake
        assert one.mistake or r.prediction == label


@each_seed
@both_zero_scores
@pytest.mark.parametrize("weighted", [False, True])
def test_late_perceptrons_are_vectors_and_their_negatives(weighted, zero_score, seed):
    X, y = columns([*tied_rows(seed, "bd", 20), *tied_rows(seed + 10, "abcd", 40)])
    weights = some_weights(seed, 60) if weighted else [1] * 60
    rounds = late_perceptrons(X, y, weights=weights, zero_score=zero_score)

    vectors, split = {"d": (0, 0)}, next(t for t, c in enumerate(y) if c not in "bd")
    for t, (x, label, u) in enumerate(zip(X, y, weights, strict=True)):
        if t == split:
            vectors["b"] = tuple(-value for value in vectors["d"])
        if t >= split:
            vectors.setdefault(label, (0, 0))
        for c, vector in vectors.items():
            sign = 1 if label == c else -1
            score = linear(vector, x)
            assert rounds[t].machines[c].score == score
            wrong = sign * score < 0 or (score == 0 and (sign < 0 or zero_score == "mistake"))
            assert rounds[t].machines[c].mistake == wrong
            if wrong:
                vectors[c] = tuple(v + u * sign * value for v, value in zip(vector, x, strict=True))
        if t > split:
            known = sorted(set(y[:t]))
            scores = {c: rounds[t].machines[c].score for c in known}
            assert rounds[t].scores == scores
            assert rounds[t].prediction == min(known, key=lambda c: (-scores[c], c))
            assert rounds[t].mistake == (rounds[t].prediction != label)


def test_late_machines_number_their_supports_by_row():
    rows = [*tied_rows(0, "ab", 20), *tied_rows(1, "abc", 40)]
    X, y = columns(rows)
    learner = partial(least_recent_budget_perceptron, kernel=linear, budget=2)
    rounds = one_vs_rest_late_classes(lambda c: learner, X, y, zero_score="mistake")
    start = y.index("c")
    removals = [r.machines["c"].removed for r in rounds[start:] if r.machines["c"].removed]
    assert removals
    for r in rounds[start:]:
        machine = r.machines["c"]
        assert all(i >= start for i, _ in machine.supports)
        assert all(weight == (1 if y[i] == "c" else -1) for i, weight in machine.supports)
        assert all(i >= start for i in machine.removed)


def test_a_learner_that_prefers_a_label_has_no_mirror_image():
    def new_learner(c):
        return lambda stream, weights, zero_score: modified_perceptron(
            stream, linear, zero_score=zero_score
        )

    X, y = columns(tied_rows(0, "ab"))
    with pytest.raises(ValueError, match="mirror image"):
        one_vs_rest_late_classes(new_learner, X, y)


# -------------------------------------------------------------------------- sample weights

LINE = [((1, 0), -1), ((1, 1), 1), ((0, 1), -1)]


def test_weighted_perceptron_by_hand():
    rounds = perceptron(LINE, linear, weights=[2, 1, F(1, 2)])
    # w = -(2, 0); t=1: -2, wrong: (-1, 1); t=2: 1, wrong
    assert [r.score for r in rounds] == [0, -2, 1]
    assert rounds[2].supports == ((0, -2), (1, 1), (2, F(-1, 2)))


def test_a_weight_of_two_adds_twice_the_kernel():
    kernel = gaussian(0.5)
    plain = perceptron(LINE[:2], kernel)
    twice = perceptron(LINE[:2], kernel, weights=[2, 1])
    assert plain[1].score == -kernel((1, 0), (1, 1))
    assert twice[1].score == -2 * kernel((1, 0), (1, 1))


def test_an_example_of_weight_zero_is_predicted_and_forgotten():
    rounds = perceptron(LINE, linear, weights=[0, 1, 1])
    assert kinds(rounds) == "M.m"
    assert rounds[0].supports == ()


def test_weighted_forgetron_by_hand():
    rounds = forgetron([((1,), 1), ((1,), -1)], linear, budget=1, weights=[2, F(1, 2)])
    # t=1: score 2, wrong. Of f' = 3/2, sigma = 2, mu = 3/2, room 15/16: Psi(1) = 4 - 2 is too much
    phi = (15 / 16) / (2 + math.sqrt(4 - 2 * 15 / 16))
    assert (rounds[1].score, rounds[1].mu) == (2, F(3, 2))
    assert rounds[1].phi == pytest.approx(phi)
    assert rounds[1].supports == ((1, pytest.approx(-phi / 2)),)
    assert rounds[1].q == pytest.approx(15 / 16)


def test_a_mistake_of_weight_zero_gives_the_forgetron_no_allowance():
    stream = [((0,), 1), ((1,), 1), ((1,), -1)]
    rounds = forgetron(stream, linear, budget=1, weights=[0, 2, F(1, 2)])
    assert [r.mistake for r in rounds] == [True] * 3
    assert rounds[2].q == pytest.approx(15 / 16)


def test_weighted_passive_aggressive_by_hand():
    stream = [((2,), 1), ((1,), -1)]
    # tau = 1/4, three times: w = 3/2; t=1: loss 5/2
    rounds = passive_aggressive(stream, linear, weights=[3, F(1, 5)])
    assert rounds[1].supports == ((0, F(3, 4)), (1, F(-1, 2)))
    rounds = passive_aggressive_i(stream, linear, C=2, weights=[3, F(1, 5)])
    assert rounds[1].supports == ((0, F(3, 4)), (1, F(-2, 5)))


def test_weighted_projectron_by_hand():
    stream = [((1, 0), 1), ((0.6, 0.8), -1), ((0.96, 0.28), -1)]
    rounds = projectron_plus_plus(stream, linear, norm_bound=1, weights=[1, 2, 3])
    # t=1: as unweighted, eta = 1.17 >= .8; the projection counts twice: 1 - 1.2 = -.2
    # t=2: margin .192, loss .808, |Pk|^2 = .9216, a gain of .808 against .56: thrice tau
    tau = 0.808 / 0.9216
    assert rounds[1].eta == pytest.approx(1.17)
    assert rounds[1].supports == ((0, pytest.approx(-0.2)),)
    assert rounds[2].tau == pytest.approx(tau)
    assert rounds[2].supports == ((0, pytest.approx(-0.2 - 3 * 0.96 * tau)),)


def test_weighted_second_order_perceptron_by_hand():
    # Both are mistakes, a = 1: K + I = [[2, 1], [1, 3]], of inverse [[3, -1], [-1, 2]] / 5;
    # targets (-2, 3): alpha = (-9, 8) / 5. Before it, alpha = -2 / 2: the score of (1, 1) is -1
    rounds = second_order_perceptron(LINE[:2], linear, a=1.0, weights=[2, 3])
    assert rounds[1].plain_score == pytest.approx(-1)
    assert dict(rounds[1].supports) == pytest.approx({0: -9 / 5, 1: 8 / 5})
    # K = [[1, 1], [1, 2]], of inverse [[2, -1], [-1, 1]]: alpha = (-7, 5)
    rounds = pseudoinverse_second_order_perceptron(
        LINE[:2], linear, weights=[2, 3], zero_score="mistake"
    )
    assert dict(rounds[1].supports) == pytest.approx({0: -7, 1: 5})


def test_weighted_whitened_perceptron_by_hand():
    # M = diag(1, 4): the whitened instances are orthonormal
    rounds = whitened_perceptron([((1, 0), -1), ((0, 2), -1)], weights=[2, F(1, 2)])
    assert rounds[1].supports == ((0, -2), (1, F(-1, 2)))


@each_seed
def test_the_weighted_second_order_perceptron_is_its_primal_form(seed):
    stream, weights = signed(tied_rows(seed, "ab")), some_weights(seed)
    dual = second_order_perceptron(stream, linear, a=0.7, weights=weights)
    primal = second_order_perceptron_primal(stream, a=0.7, weights=weights)
    assert kinds(dual) == kinds(primal)
    for d, p in zip(dual, primal, strict=True):
        assert d.score == pytest.approx(p.score, abs=1e-9)
        assert dict(d.supports) == pytest.approx(dict(p.supports), abs=1e-9)


@each_seed
@pytest.mark.parametrize("name", EVERY_BINARY)
def test_weights_of_one_are_no_weights(name, seed):
    stream = signed(tied_rows(seed, "ab"))
    learner = EVERY_BINARY[name]
    assert learner(stream, linear, weights=[1] * ROWS) == learner(stream, linear)


@each_seed
@pytest.mark.parametrize("name", EVERY_BINARY)
def test_a_run_without_the_examples_of_weight_zero_is_the_same(name, seed):
    stream, weights = signed(tied_rows(seed, "ab", noise=1)), some_weights(seed)
    learner = EVERY_BINARY[name]
    rounds = learner(stream, linear, weights=weights)
    kept = [t for t, u in enumerate(weights) if u]
    rest = learner([stream[t] for t in kept], linear, weights=[weights[t] for t in kept])
    for t, r in zip(kept, rest, strict=True):
        assert rounds[t].score == r.score
        assert (rounds[t].mistake, rounds[t].update) == (r.mistake, r.update)
        assert rounds[t].supports == tuple((kept[i], weight) for i, weight in r.supports)
    for t in set(range(ROWS)) - set(kept):
        assert not rounds[t].update
        assert rounds[t].supports == (rounds[t - 1].supports if t else ())
    assert any(r.mistake and not u for r, u in zip(rounds, weights, strict=True))


@each_seed
@pytest.mark.parametrize("name", [*SCALE_FREE, *SECOND_ORDER])
def test_a_weight_that_is_the_same_for_all_only_scales(name, seed):
    stream = signed(tied_rows(seed, "ab"))
    once = EVERY_BINARY[name](stream, linear)
    thrice = EVERY_BINARY[name](stream, linear, weights=[3] * ROWS)
    assert kinds(once) == kinds(thrice)
    assert [3 * r.score for r in once] == pytest.approx([r.score for r in thrice])


@each_seed
@pytest.mark.parametrize("name", EVERY_BINARY)
def test_opposite_labels_give_the_mirror_image_where_zero_is_negative(name, seed):
    stream = signed(tied_rows(seed, "ab"))
    opposite = [(x, -y) for x, y in stream]
    learner = EVERY_BINARY[name]
    for a, b in zip(
        learner(stream, linear, zero_score="positive"),
        learner(opposite, linear, zero_score="negative"),
        strict=True,
    ):
        assert (a.score, a.mistake, a.update) == (-b.score, b.mistake, b.update)
        assert a.supports == tuple((i, -weight) for i, weight in b.supports)
