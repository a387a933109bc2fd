import pytest

from budgetron import PassiveAggressive, PassiveAggressiveI, PassiveAggressiveII
from rules.by_hand import CLOSE, RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand

# k(x, x) = 4, 2, 8, 0, 16, 32; a zero row can change nothing. With a zero score that is always a
# mistake, only the count of mistakes differs: the margin decides about updates.
CONVENTIONS = pytest.mark.parametrize(
    ("zero_score", "zero_row", "zero_score_elsewhere"),
    [("positive", RIGHT, CLOSE), ("mistake", UNLEARNED, WRONG)],
)


@CONVENTIONS
def test_each_step_makes_the_margin_one(zero_score, zero_row, zero_score_elsewhere):
    before = [(0, -1 / 4), (1, -1 / 4)]
    after = [*before, (4, 1 / 8)]
    assert_goes_by_hand(
        PassiveAggressive(kernel="linear", zero_score=zero_score),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 4)]),  # 1/4: w = (-1/2, 0)
            Step((1, 1), -1, -1 / 2, CLOSE, before),  # (1/2)/2: (-3/4, -1/4)
            Step((-2, 2), +1, 1, RIGHT, before),  # a margin of 1 is enough
            Step((0, 0), +1, 0, zero_row, before),
            Step((0, 4), +1, -1, WRONG, after),  # 2/16: (-3/4, 1/4)
            Step((-4, -4), +1, 2, RIGHT, after),
        ],
    )


@CONVENTIONS
def test_steps_are_capped_at_c(zero_score, zero_row, zero_score_elsewhere):
    before = [(0, -1 / 8), (1, -1 / 8), (2, 1 / 16)]
    after = [*before, (4, 1 / 16)]
    assert_goes_by_hand(
        PassiveAggressiveI(C=1 / 8, kernel="linear", zero_score=zero_score),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 8)]),  # min(1/8, 1/4): w = (-1/4, 0)
            Step((1, 1), -1, -1 / 4, CLOSE, before[:2]),  # min(1/8, (3/4)/2): (-3/8, -1/8)
            Step((-2, 2), +1, 1 / 2, CLOSE, before),  # min(1/8, (1/2)/8): (-1/2, 0)
            Step((0, 0), +1, 0, zero_row, before),
            Step((0, 4), +1, 0, zero_score_elsewhere, after),  # min(1/8, 1/16): (-1/2, 1/4)
            Step((-4, -4), +1, 1, RIGHT, after),
        ],
    )


@CONVENTIONS
def test_steps_are_damped_by_one_over_two_c(zero_score, zero_row, zero_score_elsewhere):
    before = [(0, -1 / 8), (1, -1 / 8), (2, 1 / 24)]
    after = [*before, (4, 7 / 120)]
    assert_goes_by_hand(
        PassiveAggressiveII(C=1 / 8, kernel="linear", zero_score=zero_score),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 8)]),  # 1/(4 + 4): w = (-1/4, 0)
            Step((1, 1), -1, -1 / 4, CLOSE, before[:2]),  # (3/4)/(2 + 4): (-3/8, -1/8)
            Step((-2, 2), +1, 1 / 2, CLOSE, before),  # (1/2)/(8 + 4): (-11/24, -1/24)
            Step((0, 0), +1, 0, zero_row, before),
            Step((0, 4), +1, -1 / 6, WRONG, after),  # (7/6)/(16 + 4): (-11/24, 23/120)
            Step((-4, -4), +1, 16 / 15, RIGHT, after),
        ],
    )
