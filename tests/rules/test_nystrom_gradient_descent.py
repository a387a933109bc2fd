import numpy as np
import pytest

from budgetron import NystromGradientDescent, prequential
from rules.by_hand import CLOSE, RIGHT, WRONG, Step, assert_goes_by_hand
from streams import gaussian_stream


def test_once_full_it_goes_on_in_the_leading_directions():
    # The kernel matrix of (2, 0) and (0, 1) is diag(4, 1): the first direction is that of (2, 0),
    # and z(x) = <x, (2, 0)>/2. Before, w = (1, -1/2); its part in that direction is (1, 0).
    assert_goes_by_hand(
        NystromGradientDescent(budget=2, rank=1, step=1 / 2, kernel="linear"),
        [
            Step((2, 0), +1, 0, CLOSE, [(0, 1 / 2)]),
            Step((0, 1), -1, 0, WRONG, [(0, 1 / 2), (1, 0)]),
            Step((-1, 5), +1, -1, WRONG, [(0, 1 / 4), (1, 0)]),  # -1/2 in the place of (-1, 5)/2
            Step((0, 3), +1, 0, CLOSE, [(0, 1 / 4), (1, 0)]),  # which nobody can see
            Step((4, 1), +1, 2, RIGHT, [(0, 1 / 4), (1, 0)]),
        ],
    )


def test_with_all_directions_a_step_is_that_of_the_projection():
    X, y = gaussian_stream(length=200)
    learner = NystromGradientDescent(budget=10, rank=10, gamma=0.5).fit(X[:150], y[:150])
    x, label = X[150:151], -np.sign(learner.decision_function(X[150:151]))
    before = learner.dual_coef_[0].copy()
    change = learner.partial_fit(x, label).dual_coef_[0] - before
    kernel, supports = learner._learner.kernel, learner.support_vectors_
    expected = np.linalg.solve(kernel(supports, supports), kernel(supports, x)[:, 0])
    np.testing.assert_allclose(change, 0.2 * label * expected, rtol=1e-6, atol=1e-9)


def test_nobody_leaves():
    X, y = gaussian_stream()
    trace = prequential(NystromGradientDescent(budget=20, gamma=0.5), X, y)
    assert trace.sizes[-1] == 20
    assert (np.diff(trace.sizes) >= 0).all() and (trace.evicted == -1).all()


@pytest.mark.parametrize(("budget", "rank"), [(1, 1), (5, 1), (6, 2), (100, 20)])
def test_by_default_the_rank_is_a_fifth_of_the_budget(budget, rank):
    assert NystromGradientDescent(budget=budget)._rule().rank == rank


def test_directions_that_are_not_there_are_left_out():
    X = np.tile([[3.0, 4.0], [-3.0, -4.0]], (20, 1))  # the kernel matrix has rank 1
    learner = NystromGradientDescent(budget=6, rank=6, step=0.01, kernel="linear")
    learner.fit(X, np.tile([1, -1], 20))
    assert learner.decision_function([[3, 4]]) == pytest.approx(1, abs=0.3)
    assert np.abs(learner.dual_coef_).max() < 1


def test_rows_of_zeros_alone_teach_nothing():
    learner = NystromGradientDescent(budget=3, kernel="linear").fit(np.zeros((9, 2)), [0, 1, 0] * 3)
    assert learner.dual_coef_.tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(("name", "value"), [("rank", 0), ("rank", 101), ("step", 0)])
def test_parameters_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        NystromGradientDescent(**{name: value}).fit([[0.0], [1.0]], [0, 1])


def test_more_budget_makes_it_better():
    X, y = gaussian_stream(length=3000)
    errors = [
        prequential(NystromGradientDescent(budget=b, gamma=0.5), X, y).mistakes.mean()
        for b in (10, 100)
    ]
    assert errors[1] < errors[0]
    assert errors[1] < 0.1
