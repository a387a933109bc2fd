import numpy as np
import pytest

from budgetron import Norma, prequential
from rules.by_hand import CLOSE, WRONG, Step, assert_goes_by_hand
from streams import gaussian_stream

# f shrinks by 3/4 with every example, and a new term has weight 1/2.
HALVES = {"step": 1 / 2, "regularization": 1 / 2, "kernel": "linear"}


def test_all_that_was_before_fades_and_the_oldest_goes():
    assert_goes_by_hand(
        Norma(budget=2, **HALVES),
        [
            Step((1, 0), +1, 0, CLOSE, [(0, 1 / 2)]),  # w = (1/2, 0)
            Step((2, 0), +1, 1, CLOSE, [(0, 3 / 8)]),  # on the margin: no loss, and fades
            Step((1, 2), -1, 3 / 8, WRONG, [(0, 9 / 32), (2, -1 / 2)]),  # w = (-7/32, -1)
            Step((4, -1), +1, 1 / 8, CLOSE, [(2, -3 / 8), (3, 1 / 2)], evicted=0),  # (13/8, -5/4)
            Step((1, 0), +1, 13 / 8, CLOSE, [(2, -9 / 32), (3, 3 / 8)]),  # (39/32, -15/16)
            Step((0, 1), -1, -15 / 16, CLOSE, [(3, 9 / 32), (5, -1 / 2)], evicted=2),
            Step((0, 0), -1, 0, WRONG, [(5, -3 / 8), (6, -1 / 2)], evicted=3),
        ],
    )


def test_another_margin():
    assert_goes_by_hand(
        Norma(budget=3, margin=1 / 4, **HALVES),
        [
            Step((1,), +1, 0, CLOSE, [(0, 1 / 2)]),
            Step((1 / 2,), +1, 1 / 4, CLOSE, [(0, 3 / 8)]),  # on the margin
            Step((1,), +1, 3 / 8, CLOSE, [(0, 9 / 32)]),
            Step((1,), +1, 9 / 32, CLOSE, [(0, 27 / 128)]),
            Step((1,), +1, 27 / 128, CLOSE, [(0, 81 / 512), (4, 1 / 2)]),  # 27 < 32
        ],
    )


def test_an_example_without_weight_does_not_even_make_the_others_fade():
    learner = Norma(budget=3, **HALVES)
    learner.partial_fit(np.ones((3, 1)), [1, -1, -1], classes=[-1, 1], sample_weight=[1, 0, 2])
    assert learner.dual_coef_.tolist() == [[3 / 8, -1]]  # a term twice as large, faded once
    assert learner.n_updates_ == 2


def test_without_regularization_nothing_fades():
    X, y = gaussian_stream(length=300)
    trace = prequential(Norma(budget=300, step=0.2, regularization=0, gamma=1.0), X, y)
    short = trace.scores * y < 1
    np.testing.assert_array_equal(trace.updates, short)
    np.testing.assert_array_equal(np.diff(trace.sizes, prepend=0), short)


def test_the_usual_regularization_lets_a_quarter_fade_within_the_budget():
    assert Norma(budget=50, step=0.2)._rule().regularization * 0.2 == pytest.approx(1 / 200)


@pytest.mark.parametrize("parameters", [{"regularization": 2.0}, {"step": 4, "regularization": 1}])
def test_a_step_that_turns_everything_around_is_refused(parameters):
    with pytest.raises(ValueError, match="step \\* regularization must be below 1"):
        Norma(**parameters).fit([[0.0], [1.0]], [0, 1])
