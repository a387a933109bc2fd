"""The thresholds that can still be true, if the true one moves slowly: an interval.

K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
drift", COLT 2010, Sec. 5.1.
"""

from __future__ import annotations

import math

from .compiled import compiled_in_place, inlined
from .state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE

__all__ = ["ERRORS", "EXAMPLES", "INTERVAL", "RESETS", "TELLING", "follow"]

# places in `ends`: the interval, and whether its ends belong to it
LOW, HIGH, CLOSED = range(3)
# places in `counts`
EXAMPLES, ERRORS, TELLING, RESETS = range(4)

INTERVAL = (0.0, 1.0, 1.0)
"""Every threshold is possible."""


# Paper: nothing on ends, ties and clipping; here the interval is closed before the first example
# and after a reset and open otherwise, a tie is positive, and ends may leave [0, 1].
@compiled_in_place
def follow(x, labels, gamma, ends, counts, scores, events):
    """Predict with the majority of the interval, learn where it ends, and let it grow.

    An example whose label is NaN is only looked at.
    """
    for t in range(len(labels)):
        a, b = ends[LOW], ends[HIGH]
        scores[t] = x[t] - (a + b) / 2
        if math.isnan(labels[t]):
            events[t, WAS_MISTAKE], events[t, WAS_UPDATE] = 0, 0
            events[t, SIZE_AFTER], events[t, EVICTED] = 0, -1
            continue
        positive, told = math.copysign(1.0, labels[t]) > 0, labels[t] != 0
        mistake = (scores[t] >= 0) != positive
        possible = told and contains(ends, x[t])
        reset = (
            told and mistake and not possible
        )  # the whole interval was wrong: there has been a shift
        if reset:
            ends[LOW], ends[HIGH], ends[CLOSED] = 0.0, 1.0, 1.0
        else:
            if possible:
                a, b = (a, x[t]) if positive else (x[t], b)
            ends[LOW], ends[HIGH], ends[CLOSED] = a - gamma, b + gamma, 0.0
        events[t, WAS_MISTAKE], events[t, WAS_UPDATE] = mistake, possible or reset
        events[t, SIZE_AFTER], events[t, EVICTED] = 0, -1
        counts[EXAMPLES] += 1
        counts[ERRORS] += mistake
        counts[TELLING] += possible or reset
        counts[RESETS] += reset


@inlined
def contains(ends, x):
    """Whether a threshold at x is possible."""
    if ends[CLOSED] > 0:
        return ends[LOW] <= x <= ends[HIGH]
    return ends[LOW] < x < ends[HIGH]
