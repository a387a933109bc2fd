"""Learners of later papers, transcribed from them.

Wang and Vucetic, Online Passive-Aggressive Algorithms on a Budget (AISTATS 2010); Liao et al.,
Ahpatron (AAAI 2024); Lu et al., Large Scale Online Kernel Learning (JMLR 2016).
Everything is recomputed from the definitions in every round. The weight u of an example multiplies
its step (rounds.py).
"""

import math
from collections.abc import Callable

import numpy as np

from .arithmetic import Number, divide
from .kernels import Kernel
from .learners import Change, scaled, without
from .rounds import (
    Round,
    Stream,
    Supports,
    Trial,
    Weights,
    ZeroScore,
    compare,
    convention,
    is_mistake,
    play,
    present,
    weight_of,
)

Objective = Callable[[Number], Number]


def smallest(objective: Objective, corners: list[Number]) -> tuple[Number, Number]:
    """The best of some numbers, and its value; of equals the first."""
    best = min(corners, key=objective)
    return best, objective(best)


def exchange(
    C: Number, margin: Number, part: Number, square: Number, along: Number, own: Number
) -> tuple[Number, Number]:
    """The best coefficient b of the newcomer once a part of f has left, and the objective there.

    `part` is that part's margin at the newcomer, `square` its squared norm, `along` its inner
    product with y times the newcomer, and `own` is k(x, x): min over b of
    |b y x - part|^2 / 2 + C max(0, 1 - (margin - part) - b k(x, x)). It is convex, and smallest
    where either quadratic is, or where they meet.
    """
    room = 1 - (margin - part)

    def objective(b: Number) -> Number:
        distance = square - 2 * b * along + b * b * own
        return divide(distance, 2) + C * max(0, room - b * own)

    return smallest(objective, [divide(along, own), divide(along, own) + C, divide(room, own)])


def budgeted_passive_aggressive(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    C: Number,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """BPA-S: PA-I until the budget is full, then the best removal r and newcomer's weight.

    The best weight without a loss to repair is that of the projection of what leaves; what is
    beyond it is the step, which u multiplies. Of equal objectives, the oldest support leaves.
    """

    def rule(trial: Trial) -> Change:
        margin, own = trial.y * trial.score, kernel(trial.x, trial.x)
        if compare(margin, 1, trial.scale) >= 0 or own == 0:
            return None
        if len(trial.supports) < budget:
            step = min(C, divide(1 - margin, own))
            return (*trial.supports, (trial.t, trial.u * trial.y * step)), ()
        found = []
        for i, weight in trial.supports:
            x_i = stream[i][0]
            along = trial.y * weight * kernel(x_i, trial.x)
            square = weight * weight * kernel(x_i, x_i)
            b, value = exchange(C, margin, along, square, along, own)
            still = divide(along, own)
            found.append((value, trial.y * (still + trial.u * (b - still))))
        least, scale = min(value for value, _ in found), max(value for value, _ in found)
        r = next(p for p, (v, _) in enumerate(found) if compare(v, least, scale) == 0)
        kept = (*without(trial.supports, r), (trial.t, found[r][1]))
        return kept, (trial.supports[r][0],)

    return play(stream, kernel, zero_score, rule, weights)


RIDGE = 1e-5


def gram(positions: list[int], others: list[int], stream: Stream, kernel: Kernel) -> np.ndarray:
    """The kernel values of some examples with others."""
    values = [[float(kernel(stream[i][0], stream[j][0])) for j in others] for i in positions]
    return np.array(values).reshape(len(positions), len(others))


def norm(supports: Supports, stream: Stream, kernel: Kernel) -> float:
    """|f|."""
    indices, a = [i for i, _ in supports], np.array([float(w) for _, w in supports])
    return math.sqrt(max(0.0, float(a @ gram(indices, indices, stream, kernel) @ a)))


def halved(supports: Supports, stream: Stream, kernel: Kernel) -> tuple[Supports, tuple[int, ...]]:
    """Half of the supports, those with the larger weights, with f projected onto them.

    The norm is that of before. Of equal weights, the older ones stay. The kernel matrix has a ridge
    of RIDGE times its mean diagonal, so that no weights cancel in f and grow.
    """
    many = len(supports) // 2
    sizes = [abs(float(weight)) for _, weight in supports]
    limit = sorted(sizes, reverse=True)[many - 1] if many else math.inf
    signs = [compare(size, limit, 0.0) for size in sizes]
    above = [p for p, sign in enumerate(signs) if sign > 0]
    equal = [p for p, sign in enumerate(signs) if sign == 0]
    stay = {*above, *equal[: many - len(above)]}
    kept = [supports[p] for p in range(len(supports)) if p in stay]
    gone = [supports[p] for p in range(len(supports)) if p not in stay]
    inside, outside = [i for i, _ in kept], [i for i, _ in gone]
    if not kept:
        return (), tuple(outside)
    K = gram(inside, inside, stream, kernel)
    ridge = RIDGE * np.trace(K) / many
    new = np.array([float(weight) for _, weight in kept])
    if ridge > 0:
        scores = gram(inside, [i for i, _ in supports], stream, kernel) @ [
            float(weight) for _, weight in supports
        ]
        new = np.linalg.solve(K + ridge * np.eye(many), scores)
    result = tuple(zip(inside, new.tolist(), strict=True))
    before, after = norm(supports, stream, kernel), norm(result, stream, kernel)
    if after > 1e-6 * before:
        result = scaled(result, before / after)
    return result, tuple(outside)


def ahpatron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    margin: float = 0.5,
    norm_bound: float | None = None,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Ahpatron: if y f(x) < 1 - eps, f <- f + lambda y k(x, .), projected onto the U-ball.

    A full budget is halved before. lambda = U / sqrt(4 B), and U = sqrt(B) / 2 by default.
    """
    U = math.sqrt(budget) / 2 if norm_bound is None else norm_bound

    def rule(trial: Trial) -> Change:
        if not trial.mistake and compare(trial.y * trial.score, margin, trial.scale) >= 0:
            return None
        supports, removed = trial.supports, ()
        if len(supports) == budget:
            supports, removed = halved(supports, stream, kernel)
        step = trial.u * trial.y * U / math.sqrt(4 * budget)
        supports = (*supports, (trial.t, step))
        length = norm(supports, stream, kernel)
        return (scaled(supports, U / length) if length > U else supports), removed

    return play(stream, kernel, zero_score, rule, weights)


LEAST = 1e-9


def nystrom_gradient_descent(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    rank: int | None = None,
    step: float = 0.2,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """NOGD, Algorithm 2: w <- w + eta y z(x) if the hinge loss is positive.

    Until there are B supports, z(x) is k(x, .). Then z(x) = D^-1/2 V^T k(x) with the k leading
    eigenvectors V and eigenvalues D of their kernel matrix (k = B/5, rounded up, by default), and w
    starts from D^1/2 V^T alpha. What w is in terms of the supports is V D^-1/2 w.
    """
    rank = math.ceil(budget / 5) if rank is None else rank
    supports: Supports = ()
    space: tuple[np.ndarray, np.ndarray] | None = None  # V D^-1/2, and w
    rounds = []
    for t in range(len(stream)):
        trial = present(stream, t, kernel, supports, zero_score, weights)
        close = trial.mistake or compare(trial.y * trial.score, 1, trial.scale) < 0
        update = close and trial.u > 0
        eta = step * trial.u * trial.y
        if update and space is None:
            supports = (*supports, (t, eta))
            if len(supports) == budget:
                indices = [i for i, _ in supports]
                values, vectors = np.linalg.eigh(gram(indices, indices, stream, kernel))
                leading = [p for p in range(budget)[::-1][:rank] if values[p] > LEAST * values[-1]]
                V, D = vectors[:, leading], values[leading]
                alpha = np.array([float(weight) for _, weight in supports])
                space = V / np.sqrt(D), np.sqrt(D) * (V.T @ alpha)
        elif update:
            whitened, w = space
            k = np.array([float(kernel(stream[i][0], trial.x)) for i, _ in supports])
            space = whitened, w + eta * (whitened.T @ k)
        if space is not None:
            weighed = (space[0] @ space[1]).tolist()
            supports = tuple((i, a) for (i, _), a in zip(supports, weighed, strict=True))
        rounds.append(Round(trial.score, trial.mistake, update, (), supports))
    return rounds


def fourier_gradient_descent(
    stream: Stream,
    frequencies: np.ndarray,
    *,
    step: float = 0.2,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> tuple[list[Round], np.ndarray]:
    """FOGD, Algorithm 1: w <- w + eta y z(x) if the hinge loss is positive; and w at the end.

    z(x) has the cosine and the sine of <u, x> for each frequency u (a row), over sqrt(D).
    """
    D = len(frequencies)
    w = np.zeros(2 * D)
    rounds = []
    for t, (x, y) in enumerate(stream):
        phases = frequencies @ np.array(x, float)
        z = np.concatenate([np.cos(phases), np.sin(phases)]) / math.sqrt(D)
        score, scale = float(w @ z), float(np.abs(w) @ np.abs(z))
        mistake = is_mistake(y, score, scale, convention(zero_score, t))
        u = weight_of(weights, t)
        update = u > 0 and (mistake or compare(y * score, 1, scale) < 0)
        if update:
            w = w + step * u * y * z
        rounds.append(Round(score, mistake, update, (), ()))
    return rounds, w
