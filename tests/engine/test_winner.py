"""Scores are equal as far as their errors go, and no farther."""

import numpy as np
import pytest

from budgetron.engine.winner import WIDE, first_highest, in_doubt, leveled

ERRORS = (0.001, 0.002, 0.004)


def behind(times, errors=ERRORS):
    """Scores: the first is so many times the errors of both behind the last, the highest."""
    return 1 - times * (errors[0] + errors[2]), 0.5, 1.0


@pytest.mark.parametrize(("times", "winner"), [(0.99 * WIDE, 0), (1.01 * WIDE, 2), (0, 0)])
def test_the_first_of_equal_scores_wins(times, winner):
    scores = behind(times)
    assert first_highest(scores, ERRORS) == winner
    level = leveled(np.array([scores]), np.array([ERRORS]))[0]
    assert level.argmax() == winner
    assert level.tolist() == [1 if winner == 0 else scores[0], 0.5, 1]


@pytest.mark.parametrize(("times", "doubtful"), [(0.99, True), (1.01, False)])
def test_a_score_is_in_doubt_where_another_may_be_as_high(times, doubtful):
    rows = np.array([behind(times), (0.0, 0.5, 1.0)])
    expected = [[doubtful, False, doubtful], [False] * 3]
    assert in_doubt(rows, np.array([ERRORS, ERRORS])).tolist() == expected


def test_without_errors_only_equal_scores_are_equal():
    exact = (0.0, 0.0, 0.0)
    assert first_highest((1.0, 0.5, 1.0), exact) == 0
    assert first_highest((np.nextafter(1.0, 0), 0.5, 1.0), exact) == 2
