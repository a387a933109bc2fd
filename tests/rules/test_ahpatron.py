from math import sqrt

import numpy as np
import pytest

from budgetron import Ahpatron, prequential
from rules.by_hand import CLOSE, RIGHT, WRONG, Step, assert_goes_by_hand
from streams import gaussian_stream, tied_stream


def norm(learner):
    w = learner.dual_coef_[0]
    K = learner._learner.kernel(learner.support_vectors_, learner.support_vectors_)
    return sqrt(w @ K @ w)


def test_the_half_with_the_smaller_weights_is_projected_and_the_norm_stays():
    first, second = [(0, sqrt(2)), (2, 1)], [(0, sqrt(6)), (4, 1)]
    assert_goes_by_hand(
        Ahpatron(budget=2, norm_bound=sqrt(8), kernel="linear"),  # steps of 1
        [
            Step((1, 0), +1, 0, CLOSE, [(0, 1)]),
            Step((0, 1), -1, 0, WRONG, [(0, 1), (1, -1)]),  # w = (1, -1)
            # of equal weights the older stays: (1, 0), stretched to (√2, 0)
            Step((0, 2), +1, -2, WRONG, first, evicted=1),  # (√2, 2)
            Step((3, 0), +1, 3 * sqrt(2), RIGHT, first),
            # the larger stays: (√2, 0), stretched to (√6, 0)
            Step((-2, 1), +1, 2 - 2 * sqrt(2), WRONG, second, evicted=2),  # (√6 - 2, 1)
            Step((0, 1), +1, 1, RIGHT, second),
        ],
    )


def test_nothing_leaves_the_ball():
    assert_goes_by_hand(
        Ahpatron(budget=2, norm_bound=1.0, kernel="linear"),
        [
            Step((10, 0), -1, 0, WRONG, [(0, -1 / 10)]),  # 10/√8 is outside
            Step((0.5, 0), -1, -0.5, RIGHT, [(0, -1 / 10)]),  # a margin of 1/2 is enough
        ],
    )


@pytest.mark.parametrize("stream", [gaussian_stream, tied_stream])
@pytest.mark.parametrize("norm_bound", [None, 0.5])
def test_the_norm_is_never_above_the_bound(stream, norm_bound):
    X, y = stream()
    learner = Ahpatron(budget=9, gamma=1.0, norm_bound=norm_bound)
    for t in range(0, 300, 3):
        learner.partial_fit(X[t : t + 3], y[t : t + 3], classes=[-1, 1])
        assert norm(learner) <= (norm_bound or 1.5) * (1 + 1e-9)


@pytest.mark.parametrize("budget", [1, 2, 7, 8])
def test_a_full_budget_is_halved(budget):
    X, y = gaussian_stream()
    sizes = prequential(Ahpatron(budget=budget, gamma=1.0), X, y).sizes
    after = sizes[1:][np.diff(sizes) < 0]
    assert set(after) == ({budget // 2 + 1} if budget > 2 else set())
    assert sizes.max() == budget


def test_weights_of_repeated_supports_do_not_grow_against_each_other():
    rng = np.random.default_rng(0)
    X, y = np.tile(np.eye(3), (2000, 1)), rng.choice([-1, 1], size=6000)
    learner = Ahpatron(budget=8, gamma=1.0).fit(X, y)
    assert np.abs(learner.dual_coef_).max() < 10


def test_there_is_no_single_machine():
    X, y = gaussian_stream()
    with pytest.raises(ValueError, match="no single machine"):
        Ahpatron(multi_class="single_machine").fit(X, y)


@pytest.mark.parametrize(("name", "value"), [("margin", 0), ("margin", 1.5), ("norm_bound", 0)])
def test_parameters_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        Ahpatron(**{name: value}).fit([[0.0], [1.0]], [0, 1])
