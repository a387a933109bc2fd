"""Probabilities from the scores of a learner that goes on learning: Platt's sigmoid, online.

P(+1 | s) = 1/(1 + exp(-slope s/scale - intercept)), where scale is the mean |s| of late. The slope
(never negative) and the intercept are the most likely ones under exponential forgetting, by
recursively reweighted least squares: each example leaves the quadratic that its loss looks like
where it takes the sigmoid to, and memory is the sum of these.

J. Platt, "Probabilistic outputs for support vector machines and comparisons to regularized
likelihood methods", Advances in Large Margin Classifiers, 1999.
"""

from __future__ import annotations

import math

import numpy as np

from .compiled import compiled, compiled_in_place, inlined

__all__ = [
    "STATE_SIZE",
    "SUREST",
    "calibrate",
    "forecast",
    "mirrored",
    "probabilities",
    "probability",
]

# places in a state: the mean |score|, the weight in memory and the weight of all there ever was;
# then the sum of quadratics in slope and intercept, its three second derivatives and its two slopes
MEAN_SCORE, MEMORY_WEIGHT, TOTAL_WEIGHT, SLOPES, BOTH, INTERCEPTS, SLOPE, INTERCEPT = range(8)

STATE_SIZE = 8
"""Numbers in a state; it begins as zeros."""

MEMORY = 500.0
"""In examples. Where nothing changes it costs 1/(2 MEMORY) nats an example, here 0.001. From 300 on
the mean log loss of 20 runs on four streams is the same to 0.1%, and the shorter follow shifts."""

YOUNG, SHARE = 10.0, 0.25
"""Until then it is so many examples and that share of the stream: the first scores are those of
another learner. Shares of 1/3 to 1/8 do as well, and all of the stream 1% worse."""

PRIOR, PRIOR_SLOPE = 0.1, 1.0
"""As much as 0.4 of an example at even odds, in place of Platt's smoothed targets: those of the
early examples would stay as rough as the counts were then."""

FARTHEST = 10.0
"""In scales. What is farther out says no more."""

SUREST = 30.0
"""The largest logarithm of the odds."""


@compiled_in_place
def calibrate(state, scores, labels):
    """Go over scores that came before their labels; a label is +1 or -1, times a weight."""
    for t in range(len(labels)):
        calibrate_one(state, scores[t], labels[t])


@compiled_in_place
def forecast(state, scores, labels, odds):
    """The same, with the logarithm of the odds of +1 before each label."""
    for t in range(len(labels)):
        slope, intercept = fitted(state)
        odds[t] = log_odds(state, scores[t], slope, intercept)
        calibrate_one(state, scores[t], labels[t])


@inlined
def calibrate_one(state, score, label):
    """Go on with one score."""
    weight = abs(label)
    if weight > 0:
        forget(state, weight)
        state[MEAN_SCORE] += (abs(score) - state[MEAN_SCORE]) * (weight / state[MEMORY_WEIGHT])
        learn(state, scaled(state, score), 1.0 if label > 0 else -1.0, weight)


def mirrored(state: np.ndarray) -> np.ndarray:
    """The state that the opposite scores and labels would have led to."""
    opposite = state.copy()
    opposite[[BOTH, INTERCEPT]] *= -1
    return opposite


@inlined
def forget(state, weight):
    """Make room for an example."""
    state[TOTAL_WEIGHT] += weight
    kept = math.exp(-weight / min(MEMORY, YOUNG + SHARE * state[TOTAL_WEIGHT]))
    state[MEMORY_WEIGHT] = kept * state[MEMORY_WEIGHT] + weight
    for place in range(SLOPES, STATE_SIZE):
        state[place] *= kept


@inlined
def learn(state, x, y, weight):
    """Add the quadratic of an example, taken at the margin u that it leads to itself.

    That is where u = y (slope x + intercept) + reach / (1 + exp(u)). Newton's method from 0 comes
    to it from one side, in a few steps unless the weight is enormous.
    """
    slope, intercept = fitted(state)
    given, reach = y * (slope * x + intercept), weight * variance(state, x)
    u = 0.0
    for _ in range(1000):
        p = logistic(-u)
        step = (given + reach * p - u) / (1 + reach * p * (1 - p))
        u += step
        if abs(step) <= 1e-12 * (1 + abs(u)):
            break
    p = logistic(-u)
    curvature = weight * p * (1 - p)
    pull = y * (curvature * u + weight * p)
    state[SLOPES] += curvature * x * x
    state[BOTH] += curvature * x
    state[INTERCEPTS] += curvature
    state[SLOPE] += pull * x
    state[INTERCEPT] += pull


@inlined
def fitted(state):
    """The slope and the intercept where the sum of quadratics is least."""
    along = state[BOTH] / (state[INTERCEPTS] + PRIOR)
    pull = state[SLOPE] + PRIOR * PRIOR_SLOPE - along * state[INTERCEPT]
    slope = max(0.0, pull / stiffness(state))
    return slope, state[INTERCEPT] / (state[INTERCEPTS] + PRIOR) - along * slope


@inlined
def variance(state, x):
    """Of slope x + intercept: the inverse of the sum of quadratics, on (x, 1)."""
    total = state[INTERCEPTS] + PRIOR
    aside = x - state[BOTH] / total
    return aside * aside / stiffness(state) + 1 / total


@inlined
def stiffness(state):
    """Of the slope, when the intercept gives way."""
    return state[SLOPES] + PRIOR - state[BOTH] * state[BOTH] / (state[INTERCEPTS] + PRIOR)


@inlined
def scaled(state, score):
    """The score in scales, and 0 as long as all scores were."""
    if state[MEAN_SCORE] == 0:
        return 0.0
    if abs(score) / FARTHEST >= state[MEAN_SCORE]:
        return math.copysign(FARTHEST, score)
    return score / state[MEAN_SCORE]


@inlined
def logistic(x):
    """1/(1 + exp(-x)), at least 1e-304."""
    return 1 / (1 + math.exp(min(-x, 700.0)))


@inlined
def log_odds(state, score, slope, intercept):
    """What the sigmoid is of."""
    return slope * scaled(state, score) + intercept


@compiled
def probability(state, scores):
    """Of +1, for each score: never 0 or 1, and never less for a larger score."""
    slope, intercept = fitted(state)
    chances = np.empty(len(scores))
    for t in range(len(scores)):
        odds = log_odds(state, scores[t], slope, intercept)
        chances[t] = logistic(min(max(odds, -SUREST), SUREST))
    return chances


@compiled
def probabilities(states, scores):
    """Of each class (column), for each row of scores, from a state for each class.

    Each sigmoid says yes or no on its own; given that just one says yes, the probabilities are in
    proportion to the odds.
    """
    chances = np.empty(scores.shape)
    for k in range(len(states)):
        slope, intercept = fitted(states[k])
        for t in range(len(scores)):
            chances[t, k] = log_odds(states[k], scores[t, k], slope, intercept)
    least = math.exp(-SUREST)
    for t in range(len(scores)):
        chances[t] = np.exp(chances[t] - chances[t].max())
        chances[t] = least + (1 - len(states) * least) * (chances[t] / chances[t].sum())
    return chances
