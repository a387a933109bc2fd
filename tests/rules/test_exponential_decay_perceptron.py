import numpy as np

from budgetron import ExponentialDecayPerceptron
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand


def test_the_past_is_halved_at_each_mistake():
    last = [(1, -1 / 8), (2, -1 / 4), (3, 1 / 2), (4, 1)]
    assert_goes_by_hand(
        ExponentialDecayPerceptron(decay=1 / 2, kernel="linear"),
        [
            Step((1, 1), +1, 0, RIGHT, []),
            Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, [(1, -1 / 2), (2, -1)]),  # (-1/2, -1)
            Step((2, 1), +1, -2, WRONG, [(1, -1 / 4), (2, -1 / 2), (3, 1)]),  # (7/4, 1/2)
            Step((-1, 1), +1, -5 / 4, WRONG, last),  # (-1/8, 5/4)
            Step((1, 2), +1, 19 / 8, RIGHT, last),
        ],
    )


def test_a_zero_score_can_be_a_mistake_for_both_labels():
    last = [(0, 1 / 8), (1, -1 / 4), (2, -1 / 2), (3, 1)]
    assert_goes_by_hand(
        ExponentialDecayPerceptron(decay=1 / 2, kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),  # w = (1, 1)
            Step((1, 0), -1, 1, WRONG, [(0, 1 / 2), (1, -1)]),  # (-1/2, 1/2)
            Step((0, 1), -1, 1 / 2, WRONG, [(0, 1 / 4), (1, -1 / 2), (2, -1)]),  # (-1/4, -3/4)
            Step((3, -1), +1, 0, WRONG, last),  # (23/8, -11/8)
            Step((0, 1), -1, -11 / 8, RIGHT, last),
        ],
    )


def test_without_decay_nothing_shrinks():
    assert_goes_by_hand(
        ExponentialDecayPerceptron(decay=0, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),
            Step((0, 1), -1, 0, WRONG, [(0, -1), (1, -1)]),
            Step((2, 1), +1, -3, WRONG, [(0, -1), (1, -1), (2, 1)]),  # w = (1, 0)
            Step((1, -1), +1, 1, RIGHT, [(0, -1), (1, -1), (2, 1)]),
        ],
    )


def test_a_long_past_fades_to_nothing_exactly():
    mistakes = 1200  # a zero row always scores zero, which is wrong for the negative label
    learner = ExponentialDecayPerceptron(decay=1 / 2, kernel="linear")
    learner.partial_fit(np.zeros((mistakes, 1)), np.full(mistakes, -1), classes=[-1, 1])
    np.testing.assert_array_equal(learner.dual_coef_[0], -(0.5 ** np.arange(mistakes)[::-1]))
