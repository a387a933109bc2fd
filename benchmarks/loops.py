"""The rules as plain NumPy loops, one row at a time: what one would write without the engine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import exp, sqrt

import numba
import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve, solve

Loop = Callable[[np.ndarray, np.ndarray], None]


def kernel_row(supports: np.ndarray, norms: np.ndarray, x: np.ndarray, gamma: float) -> np.ndarray:
    return np.exp(gamma * (2 * (supports @ x) - norms - x @ x))


def perceptron_loop(
    supports: np.ndarray, weights: np.ndarray, gamma: float, victim: Callable[[int], int | None]
) -> Loop:
    """A budget Perceptron that is full; `victim` says whose place a newcomer takes."""
    S, w = supports.copy(), weights.astype(supports.dtype)
    norms = (S * S).sum(axis=1)
    gamma = S.dtype.type(gamma)

    def loop(X: np.ndarray, y: np.ndarray) -> None:
        updates = 0
        for x, label in zip(X, y, strict=True):
            score = w @ kernel_row(S, norms, x, gamma)
            if (score >= 0) != (label > 0):
                i = victim(updates)
                if i is not None:
                    S[i], norms[i], w[i] = x, x @ x, label
                    updates += 1

    return loop


def forgetron_loop(supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float) -> Loop:
    """A Forgetron that is full; the oldest is overwritten by the newcomer in turn."""
    S, w = supports.copy(), weights.astype(supports.dtype)
    norms = (S * S).sum(axis=1)
    gamma = S.dtype.type(gamma)

    def loop(X: np.ndarray, y: np.ndarray) -> None:
        oldest, mistakes, Q = 0, budget, 0.0
        for x, label in zip(X, y, strict=True):
            k = kernel_row(S, norms, x, gamma)
            if label * (w @ k) <= 0:
                mistakes += 1
                sigma, sign = abs(w[oldest]), np.sign(w[oldest])
                own = kernel_row(S, norms, S[oldest], gamma)
                mu = sign * (w @ own + label * k[oldest])
                room = 15 / 32 * mistakes - Q
                phi = 1.0
                if sigma**2 + 2 * sigma * (1 - mu) > room:
                    phi = room / (sigma + sqrt(sigma**2 + (sigma**2 - 2 * sigma * mu) * room))
                Q += (sigma * phi) ** 2 + 2 * sigma * phi * (1 - phi * mu)
                S[oldest], norms[oldest], w[oldest] = x, x @ x, label
                w[:] *= phi
                oldest = (oldest + 1) % budget

    return loop


def projecting_loop(
    supports: np.ndarray, weights: np.ndarray, gamma: float, *, margin_errors: bool
) -> Loop:
    """A Projectron or Projectron++ whose budget is full: one solve for each update."""
    S, w = supports.copy(), weights.copy()
    norms = (S * S).sum(axis=1)
    factor = cho_factor(np.exp(gamma * (2 * (S @ S.T) - norms[:, None] - norms)))

    def loop(X: np.ndarray, y: np.ndarray) -> None:
        nonlocal w
        for x, label in zip(X, y, strict=True):
            k = kernel_row(S, norms, x, gamma)
            margin = label * (w @ k)
            if margin <= 0:
                w += label * cho_solve(factor, k, check_finite=False)
            elif margin_errors and margin < 1:
                d = cho_solve(factor, k, check_finite=False)
                w += label * min((1 - margin) / (k @ d), 1) * d

    return loop


def projecting(supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float) -> Loop:
    return projecting_loop(supports, weights, gamma, margin_errors=False)


def projecting_more(supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float) -> Loop:
    return projecting_loop(supports, weights, gamma, margin_errors=True)


def second_order_loop(
    supports: np.ndarray, weights: np.ndarray, gamma: float, victim: Callable[[int], int]
) -> Loop:
    """A second-order Perceptron (a = 1) whose budget is full: one solve for each update."""
    S, w = supports.copy(), weights.copy()
    norms = (S * S).sum(axis=1)
    A = np.exp(gamma * (2 * (S @ S.T) - norms[:, None] - norms)) + np.eye(len(S))
    labels = np.rint(A @ w)

    def loop(X: np.ndarray, y: np.ndarray) -> None:
        nonlocal w
        updates = 0
        for x, label in zip(X, y, strict=True):
            k = kernel_row(S, norms, x, gamma)
            if (w @ k >= 0) != (label > 0):
                i = victim(updates)
                S[i], norms[i], labels[i] = x, x @ x, label
                A[i] = A[:, i] = kernel_row(S, norms, x, gamma)
                A[i, i] += 1
                w = solve(A, labels, assume_a="pos", check_finite=False)
                updates += 1

    return loop


def randomized_second_order(
    supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float
) -> Loop:
    rng = np.random.default_rng(0)
    return second_order_loop(supports, weights, gamma, lambda _: int(rng.integers(budget)))


def least_recent_second_order(
    supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float
) -> Loop:
    return second_order_loop(supports, weights, gamma, lambda updates: updates % budget)


def randomized(supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float) -> Loop:
    rng = np.random.default_rng(0)
    return perceptron_loop(supports, weights, gamma, lambda _: int(rng.integers(budget)))


def least_recent(supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float) -> Loop:
    return perceptron_loop(supports, weights, gamma, lambda updates: updates % budget)


def stopped(supports: np.ndarray, weights: np.ndarray, budget: int, gamma: float) -> Loop:
    return perceptron_loop(supports, weights, gamma, lambda _: None)


def sparse_loop(
    supports: sparse.csr_matrix, weights: np.ndarray, budget: int, gamma: float
) -> Callable[[sparse.csr_matrix, np.ndarray], None]:
    """A budget Perceptron of sparse rows that is full and forgets the oldest."""
    S, w = sparse.csr_matrix(supports), weights.astype(supports.dtype)
    gamma = S.dtype.type(gamma)

    def loop(X: sparse.csr_matrix, y: np.ndarray) -> None:
        nonlocal S, w
        norms = S.multiply(S).sum(axis=1).A1
        spread = np.zeros(S.shape[1], S.dtype)
        for t, label in enumerate(y):
            here = slice(X.indptr[t], X.indptr[t + 1])
            places, values = X.indices[here], X.data[here]
            spread[places] = values
            square = values @ values
            score = w @ np.exp(gamma * (2 * (S @ spread) - norms - square))
            spread[places] = 0
            if (score >= 0) != (label > 0):
                S = sparse.vstack([S[1:], X[t]], format="csr")
                norms, w = np.append(norms[1:], square), np.append(w[1:], label)

    return loop


def merging_loop(
    supports: sparse.csr_matrix, weights: np.ndarray, budget: int, gamma: float
) -> Callable[[sparse.csr_matrix, np.ndarray], None]:
    """The same in machine code, with a merge join for each support: what most libraries do."""
    kept = sparse.csr_matrix(supports)
    rows = [(kept.indices[i:j], kept.data[i:j]) for i, j in pairwise(kept.indptr)]
    w, gamma = weights.astype(supports.dtype), kept.dtype.type(gamma)

    def loop(X: sparse.csr_matrix, y: np.ndarray) -> None:
        features = np.concatenate([own for own, _ in rows] + [X.indices])
        values = np.concatenate([own for _, own in rows] + [X.data])
        lengths = np.concatenate([[len(own) for own, _ in rows], np.diff(X.indptr)])
        ends = np.cumsum(lengths)
        norms = np.add.reduceat(np.append(values**2, 0), ends - lengths) * (lengths > 0)
        _merge_all(features, values, ends - lengths, ends, norms, w.copy(), y, gamma)

    return loop


@numba.njit(cache=True)
def _merge_all(features, values, starts, ends, norms, weights, y, gamma):
    """The oldest support is always the first of the last `len(weights)` that were mistaken."""
    budget = len(weights)
    order, oldest = np.arange(budget), 0
    for t in range(len(y)):
        x, score = budget + t, 0.0
        for i in range(budget):
            s = order[i]
            a, b, product = starts[s], starts[x], 0.0
            while a < ends[s] and b < ends[x]:
                if features[a] == features[b]:
                    product += values[a] * values[b]
                    a += 1
                    b += 1
                elif features[a] < features[b]:
                    a += 1
                else:
                    b += 1
            score += weights[i] * exp(gamma * (2 * product - norms[s] - norms[x]))
        if (score >= 0) != (y[t] > 0):
            order[oldest], weights[oldest] = x, y[t]
            oldest = (oldest + 1) % budget


LOOPS = {
    "RandomizedBudgetPerceptron": randomized,
    "LeastRecentBudgetPerceptron": least_recent,
    "Forgetron": forgetron_loop,
    "Stoptron": stopped,
    "Projectron": projecting,
    "ProjectronPlusPlus": projecting_more,
    "RandomizedBudgetSecondOrderPerceptron": randomized_second_order,
    "LeastRecentBudgetSecondOrderPerceptron": least_recent_second_order,
}
