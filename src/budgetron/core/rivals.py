"""Which class wins, and which wrong class comes next: what the walk decides for a panel."""

from __future__ import annotations

import numpy as np

from .compiled import compiled_in_place, inlined
from .expansion import POSITION, USED
from .multiclass import Panel, exact_scores, highest_wrong
from .triggers import is_mistake, snapped
from .walk import doubt, go_through, is_wrong, settled_score

__all__ = ["settle_winners", "walk_of_rivals"]


@compiled_in_place
def walk_of_rivals(rule, labels, threshold, zero_is_mistake, roundoff, f):
    """Like `walk`, for many classes: a label is +1 times the weight of its example."""
    weigh(f)
    go_through(rule, f, labels, threshold, zero_is_mistake, roundoff)


@compiled_in_place
def settle_winners(f, roundoff):
    """Settle which class wins each example of the block, and learn nothing."""
    contest = f.contest
    weigh(f)
    for t in range(contest.scores.shape[1]):
        f.kept.counts[POSITION] = t
        if not leads(f, first_highest(contest.scores[:, t]), doubt_between(f, roundoff)):
            exact_scores(f)
            level(f, first_highest(contest.exact), -1)


@inlined
def weigh(f):
    """See how much mass each class has before the block."""
    masses, weights = f.contest.masses, f.kept.weights
    masses[:] = 0
    for slot in range(f.kept.counts[USED]):
        for c in range(len(masses)):
            masses[c] += abs(weights[slot, c])


@is_wrong.register(Panel)
def _(f, margin, y, zero_is_mistake):
    """Of equal scores the first class's wins."""
    t = f.kept.counts[POSITION]
    rival_wins_ties = f.contest.rivals[t] < f.contest.right[t]
    return is_mistake(margin, y, zero_is_mistake or rival_wins_ties)


@settled_score.register(Panel)
def _(f, threshold, roundoff):
    """The margin of the current example, and its rival, evaluated exactly where they are in doubt.

    Without a wrong class there is no rival, and no margin is larger.
    """
    contest, t = f.contest, f.kept.counts[POSITION]
    right = contest.right[t]
    if len(contest.scores) < 2:
        contest.rivals[t] = right
        contest.scores[:, t] = 0
        return np.inf
    if roundoff < np.inf:
        contest.rivals[t] = highest_wrong(contest.scores[:, t], right)
        band = doubt_between(f, roundoff)
        far_ahead = leads(f, right, threshold + band)
        if far_ahead or is_certain(f, right, contest.rivals[t], threshold, band):
            return contest.scores[right, t] - contest.scores[contest.rivals[t], t]
    exact_scores(f)
    highest = highest_wrong(contest.exact, right)
    contest.rivals[t] = level(f, highest, right)
    noise = contest.noises[right] + contest.noises[highest]
    margin = snapped(contest.exact[right] - contest.exact[highest], threshold, noise)
    if margin == 0:
        contest.scores[right, t] = contest.exact[highest]
    return margin


@inlined
def first_highest(scores):
    """The first class with the highest score."""
    highest = 0
    for c in range(1, len(scores)):
        if scores[c] > scores[highest]:
            highest = c
    return highest


@inlined
def doubt_between(f, roundoff):
    """How far the difference of two classes' scores can be from the exact one."""
    largest = 0.0
    for mass in f.contest.masses:
        largest = max(largest, mass)
    return 2 * doubt(f, largest, largest, roundoff)


@inlined
def leads(f, leader, lead):
    """Whether a class is ahead of every other by more than `lead`."""
    scores, t = f.contest.scores, f.kept.counts[POSITION]
    for c in range(len(scores)):
        if c != leader and scores[leader, t] - scores[c, t] <= lead:
            return False
    return True


@inlined
def is_certain(f, right, rival, threshold, band):
    """Whether the band leaves the rival and the side of 0 and of the threshold as they are."""
    scores, t = f.contest.scores, f.kept.counts[POSITION]
    margin = scores[right, t] - scores[rival, t]
    if abs(margin) <= band or abs(abs(margin) - threshold) <= band:
        return False
    for c in range(len(scores)):
        if c != right and c != rival and scores[rival, t] - scores[c, t] <= band:
            return False
    return True


@inlined
def level(f, highest, right):
    """Take over the exact scores, and raise to the highest all that rounding cannot tell from it.

    The first class of them is returned; the right one, which has a margin, is left out.
    """
    contest, t = f.contest, f.kept.counts[POSITION]
    exact, noises, first = contest.exact, contest.noises, -1
    for c in range(len(exact)):
        contest.scores[c, t] = exact[c]
        if c != right and exact[highest] - exact[c] <= noises[highest] + noises[c]:
            contest.scores[c, t] = exact[highest]
            if first < 0:
                first = c
    return first
