"""The rules as plain NumPy loops, one row at a time: what one would write without the engine."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
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
