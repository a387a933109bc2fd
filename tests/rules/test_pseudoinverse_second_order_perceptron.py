from budgetron import PseudoinverseSecondOrderPerceptron
from rules.by_hand import RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand


def test_the_score_is_zero_outside_the_span_and_least_squares_inside():
    # w = (X X^T)^+ X y over the mistakes X, written with the independent ones of them
    assert_goes_by_hand(
        PseudoinverseSecondOrderPerceptron(kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),  # w = (-1, 0)
            Step((1, 1), +1, 0, RIGHT, [(0, -1)]),  # w^T x = -1, but x is outside the span
            Step((1, 1), -1, 0, WRONG, [(0, -1), (2, 0)]),  # [2 1; 1 1]^-1 (-2, -1) = (-1, 0)
            Step((0, 0), -1, 0, UNLEARNED, [(0, -1), (2, 0)]),
            # [2 1; 1 2]^-1 (-2, -2) = (-2/3, -2/3)
            Step((0, 1), -1, 0, WRONG, [(0, 0), (2, -2 / 3)]),
            # [6 -1; -1 3]^-1 (0, -3) = (-3/17, -18/17)
            Step((2, -1), +1, -2 / 3, WRONG, [(0, 15 / 17), (2, -18 / 17)]),
            Step((1, 0), -1, -3 / 17, RIGHT, [(0, 15 / 17), (2, -18 / 17)]),
        ],
    )


def test_a_multiple_of_the_only_mistake_is_in_the_span():
    assert_goes_by_hand(
        PseudoinverseSecondOrderPerceptron(kernel="linear"),
        [
            Step((0.1, 0.3), -1, 0, WRONG, [(0, -10)]),  # -1/.1
            Step((0.2, 0.6), +1, -2, WRONG, [(0, 2)]),  # (-.1 + .2)/(.1 + .4) = .2 of .1
            Step((-0.3, -0.9), -1, -0.6, RIGHT, [(0, 2)]),
        ],
    )
