"""The second-order Perceptrons, transcribed from the papers.

A Second-Order Perceptron Algorithm (Cesa-Bianchi et al.), and the budget versions named in Tracking
the Best Hyperplane (Cavallanti et al.), Sec. 4. Every matrix is built and inverted afresh in every
round; the papers are read as in docs/readings.md. The target of an example of weight u is u y in
place of y, in v and thus in the linear systems; the matrices are the same for every weight.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arithmetic import Vector
from .kernels import Kernel, linear
from .learners import perceptron
from .rounds import (
    Convention,
    Round,
    Stream,
    Supports,
    Weights,
    ZeroScore,
    convention,
    evaluate,
    is_mistake,
    weight_of,
)

Matrix = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class SecondOrderRound(Round):
    """A Round whose score is the margin w_t^T x_t of the paper, x_t being part of S_t.

    `plain_score` is f(x_t) = sum_i alpha_i k(x_i, x_t), which leaves x_t out: the same sign on
    another scale. The supports hold these alpha, for the next round. `a` is the a_k of the round.
    """

    plain_score: float
    a: float


@dataclass(frozen=True)
class PseudoinverseRound(Round):
    """A Round whose score is the margin of Fig. 4.2, and `plain_score` the one without x_t.

    `in_span` says whether x_t lies in the span of the supports; if not, the score is 0 and the
    sign of `plain_score` is another one (readings.md, 39).
    """

    plain_score: float
    in_span: bool


def gram_matrix(points: Sequence[Vector], kernel: Kernel) -> Matrix:
    """All k(x_i, x_j)."""
    values = [float(kernel(p, q)) for p in points for q in points]
    return np.array(values, dtype=np.float64).reshape(len(points), len(points))


def targets_of(stream: Stream, weights: Weights) -> list[float]:
    """All u y."""
    return [float(weight_of(weights, t) * y) for t, (_, y) in enumerate(stream)]


def dual_weights(
    active: Sequence[int],
    stream: Stream,
    targets: Sequence[float],
    kernel: Kernel,
    inverse: Callable[[Matrix], Matrix],
) -> Supports:
    """The weights alpha = inverse(K) y of the form that leaves the current instance out."""
    gram = gram_matrix([stream[i][0] for i in active], kernel)
    alpha = inverse(gram) @ np.array([targets[i] for i in active])
    return tuple((i, float(alpha_i)) for i, alpha_i in zip(active, alpha, strict=True))


def dual_margin(
    active: Sequence[int],
    stream: Stream,
    targets: Sequence[float],
    kernel: Kernel,
    x: Vector,
    inverse: Callable[[Matrix], Matrix],
) -> tuple[float, float]:
    """Theorem 3.3: (y, 0)^T inverse(G_t) (S_t^T x_t), S_t = [X x_t], and its scale."""
    points = [*(stream[i][0] for i in active), x]
    labels = np.array([*(targets[i] for i in active), 0.0])
    column = np.array([float(kernel(p, x)) for p in points])
    terms = labels * (inverse(gram_matrix(points, kernel)) @ column)
    return math.fsum(terms), math.fsum(abs(terms))


def ridge(a: float) -> Callable[[Matrix], Matrix]:
    """G -> (a I + G)^-1."""
    return lambda gram: np.linalg.inv(a * np.eye(len(gram)) + gram)


def errs(y: int, score: float, scale: float, a: float, zero_score: Convention) -> bool:
    """is_mistake for a margin that fades like 1 / a, and tends to the Perceptron's / a."""
    unit = max(1.0, a)
    return is_mistake(y, unit * score, unit * scale, zero_score)


def _second_order(
    stream: Stream,
    kernel: Kernel,
    zero_score: ZeroScore,
    weights: Weights,
    parameter: Callable[[int], float],
    budget: int | None = None,
    draw: Callable[[int], int] = lambda n: 0,
) -> list[SecondOrderRound]:
    """Fig. 4.1 in dual form, a_k = parameter(k); a full budget evicts the old support draw(n)."""
    targets = targets_of(stream, weights)
    active: tuple[int, ...] = ()
    supports: Supports = ()
    k = 1
    rounds = []
    for t, (x, y) in enumerate(stream):
        a = parameter(k)
        score, scale = dual_margin(active, stream, targets, kernel, x, ridge(a))
        plain_score = float(evaluate(supports, stream, kernel, x)[0])
        mistake = errs(y, score, scale, a, convention(zero_score, t))
        update = mistake and kernel(x, x) > 0 and targets[t] != 0  # readings.md, 45
        removed: tuple[int, ...] = ()
        if update:
            k += 1
            if budget is not None and len(active) >= budget:
                removed = (active[draw(len(active))],)
            active = (*(i for i in active if i not in removed), t)
            supports = dual_weights(active, stream, targets, kernel, ridge(parameter(k)))
        rounds.append(
            SecondOrderRound(
                score, mistake, update, removed, supports, plain_score=plain_score, a=a
            )
        )
    return rounds


# Cesa-Bianchi et al.: A Second-Order Perceptron Algorithm


def second_order_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    a: float,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[SecondOrderRound]:
    """A Second-Order Perceptron Algorithm, Fig. 3.1, in the dual form of Theorem 3.3."""
    return _second_order(stream, kernel, zero_score, weights, lambda k: float(a))


def second_order_perceptron_primal(
    stream: Stream,
    *,
    a: float,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[SecondOrderRound]:
    """Fig. 3.1 as printed: w_t = (a I + S_t S_t^T)^-1 v_{k-1}, for the linear kernel.

    The supports hold alpha_i = (u_i y_i - w^T x_i) / a, where w = (a I + X X^T)^-1 v = X alpha.
    """
    points = np.array([[float(value) for value in x] for x, _ in stream])
    targets = targets_of(stream, weights)
    identity = np.eye(points.shape[1])
    active: tuple[int, ...] = ()
    big_x, v = points[:0].T, np.zeros(points.shape[1])  # columns are instances
    supports: Supports = ()
    rounds = []
    for t, (x, (_, y)) in enumerate(zip(points, stream, strict=True)):
        s = np.column_stack([big_x, x])
        w = np.linalg.inv(a * identity + s @ s.T) @ v
        score, scale = float(w @ x), float(abs(w) @ abs(x))
        plain_score = float(np.linalg.inv(a * identity + big_x @ big_x.T) @ v @ x)
        mistake = errs(y, score, scale, a, convention(zero_score, t))
        update = mistake and bool(x.any()) and targets[t] != 0  # readings.md, 45
        if update:
            active, big_x, v = (*active, t), s, v + targets[t] * x
            plain = np.linalg.inv(a * identity + big_x @ big_x.T) @ v
            supports = tuple((i, float(targets[i] - plain @ points[i]) / a) for i in active)
        rounds.append(
            SecondOrderRound(
                score, mistake, update, (), supports, plain_score=plain_score, a=float(a)
            )
        )
    return rounds


def adaptive_second_order_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    c: float,
    radius: float,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[SecondOrderRound]:
    """A Second-Order Perceptron Algorithm, Fig. 4.1, a_k = c R^2 k, k = 1 + updates.

    The supports after a round hold alpha = (a_k I + K)^-1 y with the a_k of the next prediction
    (readings.md, 43).
    """
    return _second_order(stream, kernel, zero_score, weights, lambda k: float(c * radius**2 * k))


def pseudoinverse_second_order_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    rank_tolerance: float = 1e-10,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[PseudoinverseRound]:
    """A Second-Order Perceptron Algorithm, Fig. 4.2, with G_t^+ for (a I + G_t)^-1.

    An eigenvalue <= rank_tolerance times the largest is 0, and x_t is in the span of the supports
    if its squared distance is <= rank_tolerance k(x_t, x_t); outside, the margin is 0
    (readings.md, 39 and 40). The supports hold alpha = K^+ y.
    """

    def inverse(gram: Matrix) -> Matrix:
        return np.linalg.pinv(gram, rcond=rank_tolerance, hermitian=True)

    targets = targets_of(stream, weights)
    active: tuple[int, ...] = ()
    supports: Supports = ()
    rounds = []
    for t, (x, y) in enumerate(stream):
        points = [stream[i][0] for i in active]
        column = np.array([float(kernel(p, x)) for p in points])
        own = float(kernel(x, x))
        distance = own - float(column @ inverse(gram_matrix(points, kernel)) @ column)
        in_span = distance <= rank_tolerance * own
        score, scale = (
            dual_margin(active, stream, targets, kernel, x, inverse)
            if in_span and active
            else (0.0, 0.0)
        )
        plain_score = float(evaluate(supports, stream, kernel, x)[0])
        mistake = is_mistake(y, score, scale, convention(zero_score, t))
        update = mistake and own > 0 and targets[t] != 0  # readings.md, 45
        if update:
            active = (*active, t)
            supports = dual_weights(active, stream, targets, kernel, inverse)
        rounds.append(
            PseudoinverseRound(
                score, mistake, update, (), supports, plain_score=plain_score, in_span=in_span
            )
        )
    return rounds


def whitened(stream: Stream, *, rank_tolerance: float = 1e-10) -> Stream:
    """A Second-Order Perceptron Algorithm, Sec. 2: M^{-1/2} x_t, M = sum of all x_t x_t^T.

    If M is singular, the square root of its pseudoinverse, where an eigenvalue <= rank_tolerance
    times the largest is 0.
    """
    points = np.array([[float(value) for value in x] for x, _ in stream])
    values, vectors = np.linalg.eigh(points.T @ points)
    kept = values > rank_tolerance * values.max()
    transform = (vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T
    return [
        (tuple(float(value) for value in transform @ x), y)
        for x, (_, y) in zip(points, stream, strict=True)
    ]


def whitened_perceptron(
    stream: Stream,
    *,
    rank_tolerance: float = 1e-10,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """A Second-Order Perceptron Algorithm, Sec. 2: the Perceptron on the whitened instances.

    Transductive: it sees all instances (not their labels) in advance. The supports are those of
    f(x) = sum_i u_i y_i x_i^T M^+ x. M is made of all instances, whatever they weigh.
    """
    return perceptron(
        whitened(stream, rank_tolerance=rank_tolerance),
        linear,
        weights=weights,
        zero_score=zero_score,
    )


# Cavallanti et al.: Tracking the Best Hyperplane


def randomized_budget_second_order_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    a: float,
    draw: Callable[[int], int],
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[SecondOrderRound]:
    """Tracking the Best Hyperplane, Sec. 4 (RBSOP): v and X are those of the surviving supports.

    The old support in position draw(budget) goes, the oldest being in position 0, and the newcomer
    is appended (readings.md, 10).
    """
    return _second_order(stream, kernel, zero_score, weights, lambda k: float(a), budget, draw)


def least_recent_budget_second_order_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    a: float,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[SecondOrderRound]:
    """Tracking the Best Hyperplane, Sec. 4 (LBSOP): like RBSOP, but the oldest support goes."""
    return randomized_budget_second_order_perceptron(
        stream, kernel, budget=budget, a=a, draw=lambda n: 0, weights=weights, zero_score=zero_score
    )
