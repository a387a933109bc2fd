import numpy as np
import pytest

from budgetron import ModifiedPerceptron
from budgetron.kernels import gaussian
from rules.by_hand import RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand


@pytest.mark.parametrize(("zero_score", "zero_row"), [("positive", RIGHT), ("mistake", UNLEARNED)])
def test_a_mistake_reflects_the_hypothesis(zero_score, zero_row):
    # w_1 = x_1/|x_1|, installed before the first nonzero example is scored.
    turned = [(1, 1 / 2), (1, -1)]
    last = [*turned, (3, 8 / 25), (4, -48 / 25)]
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear", zero_score=zero_score),
        [
            Step((0, 0), +1, 0, zero_row, []),
            Step((0, 2), -1, 2, WRONG, turned),  # -2 2/4: w = (0, -1)
            Step((3, 4), -1, -4, RIGHT, turned),
            Step((3, 4), +1, -4, WRONG, [*turned, (3, 8 / 25)]),  # 8/25: (24/25, 7/25)
            Step((1, 0), -1, 24 / 25, WRONG, last),  # (-24/25, 7/25)
            Step((-1, 0), +1, 24 / 25, RIGHT, last),
        ],
    )


def test_a_first_hypothesis_that_is_right_is_no_update():
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear"),
        [
            Step((3, 4), +1, 5, RIGHT, [(0, 1 / 5)]),  # w = (3/5, 4/5)
            Step((1, 0), +1, 3 / 5, RIGHT, [(0, 1 / 5)]),
            Step((0, -1), +1, -4 / 5, WRONG, [(0, 1 / 5), (2, 8 / 5)]),  # (3/5, -4/5)
            Step((-1, 1), -1, -7 / 5, RIGHT, [(0, 1 / 5), (2, 8 / 5)]),
        ],
    )


def test_a_zero_row_changes_nothing():
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear"),
        [
            Step((0, 0), -1, 0, UNLEARNED, []),
            Step((1, 0), +1, 1, RIGHT, [(1, 1)]),
            Step((0, 0), -1, 0, UNLEARNED, [(1, 1)]),
            Step((-1, 0), -1, -1, RIGHT, [(1, 1)]),
        ],
    )


def test_a_mistake_at_a_score_of_zero_reflects_nothing():
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear"),
        [
            Step((1, 0), +1, 1, RIGHT, [(0, 1)]),
            Step((0, 1), -1, 0, UNLEARNED, [(0, 1)]),  # w is its own mirror image
            Step((0, 1), +1, 0, RIGHT, [(0, 1)]),
        ],
    )


def test_a_full_budget_forgets_the_oldest_and_reflects_what_is_left():
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear", budget=2, evict="oldest"),
        [
            Step((0, 2), -1, 2, WRONG, [(0, 1 / 2), (0, -1)]),  # w = (0, -1)
            # (0, -2) is left, stretched to (0, -1) and reflected: (24/25, 7/25)
            Step((3, 4), +1, -4, WRONG, [(0, -1 / 2), (1, 8 / 25)], evicted=0),
            # (3/5, 4/5) is left and reflected: (-3/5, 4/5)
            Step((1, 0), -1, 24 / 25, WRONG, [(1, 1 / 5), (2, -6 / 5)], evicted=0),
            # (-1, 0) is left, and does not err on (0, -1) any more
            Step((0, -1), +1, -4 / 5, WRONG, [(2, -1)], evicted=1),
            Step((1, 0), -1, -1, RIGHT, [(2, -1)]),
            Step((-2, 0), -1, 2, WRONG, [(2, -1), (5, -1)]),  # there is room: (1, 0)
        ],
    )


@pytest.mark.parametrize("evict", ["random", "oldest"])
def test_when_nothing_is_left_it_begins_with_the_newcomer(evict):
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear", budget=1, evict=evict),
        [
            Step((0, 2), -1, 2, WRONG, [(0, -1 / 2)], evicted=0),  # w = (0, -1)
            Step((3, 4), +1, -4, WRONG, [(1, 1 / 5)], evicted=0),  # (3/5, 4/5)
            Step((0, 1), +1, 4 / 5, RIGHT, [(1, 1 / 5)]),
            Step((0, 0), -1, 0, UNLEARNED, [(1, 1 / 5)]),
        ],
    )


@pytest.mark.parametrize("evict", ["random", "oldest"])
@pytest.mark.parametrize("budget", [2, 5, 30])
def test_the_norm_stays_one_on_a_budget(evict, budget):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = np.where(rng.random(2000) < 0.3, -1, 1) * np.sign(X[:, 0] * X[:, 1])
    learner = ModifiedPerceptron(gamma=1.0, budget=budget, evict=evict, random_state=0)
    for first in range(0, 2000, 100):
        learner.partial_fit(X[first : first + 100], y[first : first + 100], classes=[-1, 1])
        weights, supports = learner.dual_coef_[0], learner.support_vectors_
        squared = weights @ gaussian(1.0)(supports, supports) @ weights
        assert squared == pytest.approx(1, rel=1e-9)
    assert learner.n_updates_ > 500


def test_averages_and_evictions_do_not_go_together():
    with pytest.raises(ValueError, match="average=True needs budget=None"):
        ModifiedPerceptron(budget=5, average=True).fit([[0.0], [1.0]], [0, 1])
