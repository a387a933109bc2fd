"""One rule says what became of an artifact."""

import numpy as np
import pytest

from budgetron.papers.exhibit import Claim, Exhibit
from budgetron.papers.judgement import judge
from budgetron.papers.measure import Measure
from budgetron.papers.number import Number
from budgetron.reading.escaping import escaped_within


def claims(held, of_all):
    return [Claim(f"Statement {i}.", i < held, "") for i in range(of_all)]


def test_all_that_is_said_has_to_hold_and_every_number_to_agree():
    near = Number("near", Measure(1.0), Measure(1.004), 0.01)
    far = Number("far", Measure(1.0), Measure(1.006), 0.01)
    assert judge(claims(4, 4))[0] == judge(claims(4, 4), [near])[0] == "reproduced"
    verdict, why = judge(claims(4, 4), [near, far])
    assert verdict == "reproduced in shape"
    assert "1 of its 2 numbers" in why and "far: +0.006, where 0.005 is explained" in why
    assert judge(claims(3, 4))[0] == "reproduced in shape"
    assert judge(claims(2, 3))[0] == "not reproduced"


def test_other_data_give_the_shape_at_best_and_no_numbers():
    far = Number("far", Measure(1.0), Measure(2.0), 0.01)
    verdict, why = judge(claims(4, 4), [far], stand_in="other rows")
    assert verdict == "reproduced in shape"
    assert "of other data" in why and "far" not in why


@pytest.mark.parametrize("times", [(5, 10), (1, 20)])
def test_runs_of_the_same_thing_disagree_as_seldom_as_the_level_says(times):
    rng = np.random.default_rng(0)
    their_runs, our_runs = times
    disagreed = 0
    for _ in range(1000):
        numbers = []
        for _ in range(6):
            ours = Measure.of(rng.normal(size=our_runs))
            theirs = Measure.of(rng.normal(size=their_runs))
            if their_runs == 1:  # no noise is printed: it is taken from ours
                theirs = Measure(theirs.mean, ours.deviation)
            numbers.append(Number("", theirs, ours, 0.0))
        disagreed += judge([], numbers)[0] != "reproduced"
    assert 0.02 < disagreed / 1000 < 0.07


def test_a_difference_of_two_deviations_is_seen():
    numbers = [
        Number(str(i), Measure(2.0 * (i == 0), 1.0, 30), Measure(0.0, 1.0, 30), 0.0)
        for i in range(20)
    ]
    assert [number.agrees(20) for number in numbers] == [False] + [True] * 19


def test_an_exhibit_with_numbers_can_be_shown_to_a_terminal():
    number = Number("red \x1b[31m", Measure(1.0), Measure(2.0), 0.01)
    exhibit = escaped_within(Exhibit("reproduced", "", "", numbers=(number,)))
    (shown,) = exhibit.numbers
    assert shown == number._replace(name=r"red \x1b[31m") and shown.difference == 1.0
