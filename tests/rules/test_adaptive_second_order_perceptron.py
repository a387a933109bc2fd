import pytest

from budgetron import AdaptiveSecondOrderPerceptron
from rules.by_hand import RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand


# Both have c R^2 = 1, so a_k = k, one more than the number of updates.
@pytest.mark.parametrize("parameters", [{}, {"c": 4, "radius": 0.5}], ids=str)
def test_the_ridge_grows_with_the_mistakes(parameters):
    two = [(0, -6 / 19), (1, 5 / 19)]
    three = [(0, -2 / 7), (1, 3 / 14), (4, 3 / 14)]
    assert_goes_by_hand(
        AdaptiveSecondOrderPerceptron(kernel="linear", **parameters),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1 / 3)]),  # -1/(2 + 1)
            Step((1, 1), +1, -1 / 3, WRONG, two),  # [4 1; 1 5]^-1 (-1, 1)
            Step((0, 2), +1, 10 / 19, RIGHT, two),
            Step((0, 0), -1, 0, UNLEARNED, two),
            Step((1, -1), +1, -6 / 19, WRONG, three),  # [5 1 1; 1 6 0; 1 0 6]^-1 (-1, 1, 1)
            Step((2, 1), +1, -4 / 7 + 12 / 14, RIGHT, three),
        ],
    )
