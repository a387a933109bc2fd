"""The Cholesky factor of the supports' kernel matrix grows, shrinks, and stays what it is."""

from contextlib import ExitStack
from functools import partial

import numpy as np
import pytest

from budgetron.core.edits import projection as projection_module
from budgetron.core.edits.projection import (
    LIKELY,
    add_independent,
    discard,
    in_span,
    projection,
    refactor,
    row_of_current,
    solve_ahead,
    solve_likely,
)
from budgetron.core.foresight import leavers
from budgetron.core.linalg.cholesky import append_rows, delete_rows
from budgetron.core.linalg.triangular import solve_lower, solve_upper
from budgetron.core.state import EVICTED, MAINTAINED_AT, POSITION, UPDATES
from budgetron.engine import Learner, Record, blocked, decide, one_by_one
from budgetron.engine.shared_supports import SingleLearner, each_in_turn
from budgetron.engine.threads import ThreadTeam
from budgetron.kernels import gaussian, linear, polynomial
from budgetron.rules.projectron import Projectron, ProjectronPlusPlus
from budgetron.rules.second_order_perceptron import (
    LeastRecentBudgetSecondOrderPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    SecondOrderPerceptron,
)
from budgetron.streams import OrbitingRings
from streams import grid_stream as tied_stream
from streams import signs

RIDGE, BUDGET = 0.1, 12
UNLIMITED = 2**62
ENGINES = pytest.mark.parametrize("engine", [one_by_one, blocked])
FORGETFUL = [
    RandomizedBudgetSecondOrderPerceptron(BUDGET, RIDGE),
    LeastRecentBudgetSecondOrderPerceptron(BUDGET, RIDGE),
]
EVERYBODY = pytest.mark.parametrize(
    "rule", [*FORGETFUL, SecondOrderPerceptron(RIDGE)], ids=lambda rule: type(rule).__name__
)


def noise(length, seed=0):
    """Labels that nothing can learn: every other example is a mistake."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(length, 3)), signs(rng.random(length) < 0.5)


def learned(rule, X, y, engine=blocked, kernel=None):
    learner = Learner(rule, kernel or gaussian(0.5), X.shape[1])
    engine(learner, X, y, Record(len(y)))
    return learner


def system(learner, ridge=RIDGE):
    """ridge I + K over the supports, afresh."""
    return learner.kernel(learner.supports, learner.supports) + ridge * np.eye(learner.size)


def product(learner):
    """L L^T."""
    L = np.tril(learner.state.memory.L[: learner.size, : learner.size])
    return L @ L.T


def labels_of_supports(learner, y):
    return y[learner.state.births[learner.state.order[: learner.size]]]


@EVERYBODY
@ENGINES
def test_rows_come_and_go(rule, engine):
    X, y = noise(300)
    learner = learned(rule, X, y, engine)
    assert learner.state.counts[UPDATES] > 8 * BUDGET
    assert learner.state.counts[MAINTAINED_AT] == 0  # nothing was factorised again
    np.testing.assert_allclose(product(learner), system(learner), rtol=0, atol=1e-12)
    expected = np.linalg.solve(system(learner), labels_of_supports(learner, y))
    np.testing.assert_allclose(learner.weights, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("victim", range(BUDGET))
def test_any_row_can_go(victim):
    X, y = noise(60)
    learner = learned(FORGETFUL[0], X, y)
    labels = np.delete(labels_of_supports(learner, y), victim)
    in_view(learner, X[:1], lambda f: discard(f, victim))
    assert learner.size == BUDGET - 1
    np.testing.assert_allclose(product(learner), system(learner), rtol=0, atol=1e-13)
    expected = np.linalg.solve(system(learner), labels)
    np.testing.assert_allclose(learner.weights, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("rule", FORGETFUL, ids=lambda rule: type(rule).__name__)
def test_ten_thousand_removals_leave_the_scores_exact(rule):
    X, y = noise(21_000)
    learner = learned(rule, X, y)
    assert learner.state.counts[UPDATES] > 10_000
    alpha = np.linalg.solve(system(learner), labels_of_supports(learner, y))
    expected = learner.kernel(X[:100], learner.supports) @ alpha
    np.testing.assert_allclose(decide(learner, X[:100]), expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(product(learner), system(learner), rtol=0, atol=1e-11)


@pytest.mark.parametrize("rule", FORGETFUL, ids=lambda rule: type(rule).__name__)
def test_rounding_that_leaves_no_positive_definite_matrix_is_survived(rule):
    X, y = noise(1000)
    learner = learned(rule, X + 1e10, y)  # so far away that distances are noise
    assert learner.state.counts[MAINTAINED_AT] > 0
    assert np.linalg.eigvalsh(system(learner)).min() < 0
    assert np.isfinite(decide(learner, X + 1e10)).all()


def test_a_factor_that_is_right_is_left_alone():
    X, y = noise(100)
    learner = learned(FORGETFUL[0], X, y)
    before = learner.state.memory.L.copy()
    refactor(learner.kernel, learner.state, RIDGE)
    np.testing.assert_array_equal(learner.state.memory.L, before)


def test_a_damaged_factor_is_made_anew():
    X, y = noise(100)
    learner = learned(FORGETFUL[0], X, y)
    learner.state.memory.L[BUDGET - 1, 0] += 1e-6
    assert np.abs(product(learner) - system(learner)).max() > 1e-8
    refactor(learner.kernel, learner.state, RIDGE)
    np.testing.assert_allclose(product(learner), system(learner), rtol=0, atol=1e-14)
    expected = np.linalg.solve(system(learner), labels_of_supports(learner, y))
    np.testing.assert_allclose(learner.weights, expected, rtol=0, atol=1e-13)


def test_weights_that_went_astray_are_solved_for_again():
    X, y = noise(100)
    learner = learned(FORGETFUL[0], X, y)
    expected = learner.weights
    learner.state.weights[:] += 1e-6
    refactor(learner.kernel, learner.state, RIDGE)
    np.testing.assert_allclose(learner.weights, expected, rtol=0, atol=1e-13)


@ENGINES
def test_damage_is_found_while_learning(engine):
    X, y = noise(1000)
    learner = learned(FORGETFUL[1], X[:100], y[:100], engine)
    learner.state.memory.L[: learner.size, : learner.size] *= 1 + 1e-6
    engine(learner, X[100:], y[100:], Record(900))
    assert learner.state.counts[MAINTAINED_AT] > 0
    np.testing.assert_allclose(product(learner), system(learner), rtol=0, atol=1e-12)


NO_NUMBER = 0x7FF0000000000001
"""What memory that nobody has written on may hold: arithmetic with it is told of."""


@pytest.mark.parametrize("removed", [[0], [39], [0, 1, 2], [3, 17, 18, 39], [*range(40)]])
def test_many_rows_go_and_come_at_once(removed):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(47, 3))
    K = gaussian(0.5)(points, points) + RIDGE * np.eye(47)
    L = np.full((47, 50), np.nan)
    L[:40, :40] = np.tril(np.linalg.cholesky(K[:40, :40]))
    kept = np.delete(np.arange(40), removed)
    delete_rows(L, 40, np.array(removed))
    n, new = len(kept), np.arange(40, 47)
    np.testing.assert_allclose(_lower_product(L, n), K[np.ix_(kept, kept)], rtol=0, atol=1e-13)
    inner = K[np.ix_(new, new)]
    inner.view(np.uint64)[np.triu_indices(7, 1)] = NO_NUMBER
    with np.errstate(all="raise"):
        append_rows(L, n, K[np.ix_(kept, new)].copy(), inner, np.full(7, np.nan))
    both = np.concatenate([kept, new])
    np.testing.assert_allclose(_lower_product(L, len(both)), K[np.ix_(both, both)], atol=1e-13)
    assert (np.diagonal(L)[: len(both)] > 0).all()


def _lower_product(L, n):
    return np.tril(L[:n, :n]) @ np.tril(L[:n, :n]).T


def test_a_pivot_that_is_lost_in_rounding_is_the_one_that_was_known():
    L = np.eye(3)
    append_rows(L, 1, np.array([[1.0, 0.0]]), np.array([[1.0, 0], [0, 2.0]]), np.array([1e-9, 3.0]))
    np.testing.assert_allclose(np.diagonal(L), [1, 1e-9**0.5, 2**0.5])


@pytest.mark.parametrize("rule", FORGETFUL, ids=lambda rule: type(rule).__name__)
def test_who_leaves_is_foreseen(rule):
    X, y = noise(400)
    learner, record = learned(rule, X[:60], y[:60]), Record(40)
    places = leavers(rule, learner.state, BUDGET)
    births = learner.births
    blocked(learner, X[60:100], y[60:100], record)
    gone = record.events[:, EVICTED][record.events[:, EVICTED] >= 0]
    assert len(places) == BUDGET
    for place, birth in zip(places, gone, strict=False):
        assert birth == births[place] if place >= 0 else birth >= 60


# The coefficients of the examples ahead, with the edits called from Python.


def in_view(learner, X, edit, threshold=np.inf):
    """Make an edit with the examples X ahead, at the first of them.

    Coefficients are solved for beforehand for margins near the threshold; returned are those and
    the scores of the later examples after the edit.
    """
    learner.make_room(X, 0, len(X))
    with learner.workspace() as workspace:
        events = np.zeros((len(X), 4), np.int64)
        f = workspace.view(learner.kernel, learner.state, workspace.cut(X, 0, len(X)), events)
        SingleLearner(ThreadTeam(1, ExitStack())).share(0, f)
        solve = partial(solve_likely, buffers=workspace.buffers, each=each_in_turn)
        leaving = partial(leavers, learner.rule, learner.state)
        solve_ahead(f, signs(np.ones(len(X))), threshold, LIKELY, solve, leaving)
        f.ahead.cursor[POSITION] = 0
        f.ahead.pending[:] = 0
        edit(f)
        rows = [row for row in f.ahead.plan.row_of[1:] if row >= 0]
        return f.ahead.plan.coefficients[rows, : learner.size].copy(), f.ahead.scores[1:].copy()


def coefficients_afresh(learner, X, ridge=RIDGE):
    return np.linalg.solve(system(learner, ridge), learner.kernel(learner.supports, X)).T


def test_coefficients_solve_for_the_kernel_values():
    X, y = noise(80)
    learner = learned(SecondOrderPerceptron(RIDGE), X[:60], y[:60])
    ahead, _ = in_view(learner, X[60:], lambda f: None)
    np.testing.assert_allclose(ahead, coefficients_afresh(learner, X[61:]), rtol=0, atol=1e-12)


@EVERYBODY
@pytest.mark.parametrize("together", [1, 2, 5])
def test_what_is_solved_for_in_parts_is_the_same(rule, together, monkeypatch):
    """Some of those who leave are in a part with examples, and others in a part of their own."""
    X, y = noise(300)
    whole = learned(rule, X, y)
    monkeypatch.setattr(projection_module, "SOLVED_TOGETHER", together)
    monkeypatch.setattr(projection_module, "SOLVED_AT_ONCE", 1)
    parts = learned(rule, X, y)
    np.testing.assert_array_equal(parts.births, whole.births)
    np.testing.assert_allclose(parts.weights, whole.weights, rtol=0, atol=1e-9)


def test_an_addition_brings_later_coefficients_and_scores_up_to_date():
    X, y = noise(80)
    learner = learned(SecondOrderPerceptron(RIDGE), X[:60], y[:60])
    before = learner.size
    ahead, scores = in_view(
        learner, X[60:], lambda f: add_independent(f, 0.5, RIDGE + 1 - projection(f))
    )
    assert learner.size == before + 1
    np.testing.assert_allclose(ahead, coefficients_afresh(learner, X[61:]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(scores, decide(learner, X[61:]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("victim", [0, 5, BUDGET - 1])
def test_a_removal_brings_later_coefficients_and_scores_up_to_date(victim):
    X, y = noise(80)
    learner = learned(FORGETFUL[0], X[:60], y[:60])
    ahead, scores = in_view(learner, X[60:], lambda f: discard(f, victim))
    assert learner.size == BUDGET - 1
    np.testing.assert_allclose(ahead, coefficients_afresh(learner, X[61:]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(scores, decide(learner, X[61:]), rtol=0, atol=1e-12)


def test_the_coefficients_of_unlikely_updates_are_solved_for_when_they_come():
    X, y = noise(80)
    learner = learned(SecondOrderPerceptron(RIDGE), X[:60], y[:60])
    found = []

    def look(f):
        for t in (3, 7):
            f.ahead.cursor[POSITION] = t
            found.append(f.ahead.plan.coefficients[row_of_current(f), : learner.size].copy())

    in_view(learner, X[60:], look, threshold=-np.inf)
    np.testing.assert_allclose(found, coefficients_afresh(learner, X[[63, 67]]), rtol=0, atol=1e-12)


# What is in the span of the supports is never appended.

EVERYTHING_NEW = Projectron(eta=0.0, norm_bound=0.0, budget=UNLIMITED)


@ENGINES
@pytest.mark.parametrize("seed", range(5))
def test_supports_of_the_linear_kernel_are_as_many_as_the_rank_of_the_mistakes(engine, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(60, 3)) @ rng.integers(-2, 3, size=(3, 6)).astype(float)
    y, record = signs(rng.random(60) < 0.5), Record(60)
    learner = Learner(EVERYTHING_NEW, linear(), 6, zero_is_mistake=True)
    engine(learner, X, y, record)
    mistakes = [X[: t + 1][record.events[: t + 1, 0] == 1] for t in range(60)]
    assert record.events[:, 2].tolist() == [np.linalg.matrix_rank(M) for M in mistakes]


@ENGINES
@pytest.mark.parametrize("kernel", [gaussian(50.0), gaussian(5.0)], ids=["narrow", "wide"])
def test_a_repeated_example_is_never_a_second_support(engine, kernel):
    X, y = tied_stream(length=150)
    learner = Learner(EVERYTHING_NEW, kernel, 3, zero_is_mistake=True)
    record = Record(150)
    engine(learner, X, y, record)
    mistaken = np.unique(X[record.events[:, 0] == 1], axis=0)
    assert len(mistaken) < record.events[:, 0].sum()
    np.testing.assert_array_equal(np.unique(learner.supports, axis=0), mistaken)
    assert learner.size == len(mistaken)


@ENGINES
@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0])
@pytest.mark.parametrize(
    ("kernel", "dimension"), [(linear(), 3), (polynomial(2, 1.0, 1.0), 10)], ids=["linear", "poly"]
)
def test_there_are_never_more_supports_than_dimensions(engine, scale, kernel, dimension):
    for seed in range(12):
        X, y = noise(150, seed)
        learner = learned(EVERYTHING_NEW, scale * X, y, engine, kernel)
        assert learner.size == dimension


def test_the_span_is_that_of_the_supports():
    supports = np.array([[1.0, 2, 0], [2, -1, 0]])
    learner = learned(EVERYTHING_NEW, supports, signs([False, False]), one_by_one, linear())
    inside = [[1, 2, 0], [2, -1, 0], [3, 1, 0], [1e-3, 0, 0], [0, 0, 0]]
    outside = [[0, 0, 1], [1, 2, 1e-3], [1e3, 0, 1]]
    examples, found = np.array(inside + outside), []

    def look(f):
        for t, own in enumerate(linear().diagonal(examples)):
            f.ahead.cursor[POSITION] = t
            found.append(bool(in_span(f, own - projection(f))))

    in_view(learner, examples, look)
    assert learner.size == 2
    assert found == [True] * len(inside) + [False] * len(outside)


# Triangular solves


@pytest.mark.parametrize(("size", "count"), [(1, 1), (5, 1), (8, 3), (40, 64)])
def test_triangular_solves_read_the_lower_triangle_alone_and_write_in_place(size, count):
    rng = np.random.default_rng(size)
    room = np.full((size + 3, size + 4), np.nan)
    L = np.tril(rng.normal(size=(size, size)))
    np.fill_diagonal(L, 2 + rng.random(size))
    below = np.tril_indices(size)
    room[below] = L[below]
    for solve, matrix in ((solve_lower, L), (solve_upper, L.T)):
        columns = rng.normal(size=(size, count))
        expected = np.linalg.solve(matrix, columns)
        solve(room, columns)
        np.testing.assert_allclose(columns, expected, rtol=1e-10)


@ENGINES
def test_supports_that_are_nearly_dependent_take_no_digits_from_the_factor(engine):
    # of rows in two dimensions a Gaussian kernel makes a matrix that is hardly invertible
    sample = OrbitingRings().take(3000)
    learner = learned(
        ProjectronPlusPlus(0.0, 0.0, 100, 0.0), sample.X, signs(sample.y > 0), engine, gaussian(1.0)
    )
    wanted = system(learner, ridge=0)
    assert learner.size == 100
    assert np.linalg.cond(wanted) > 1e12
    np.testing.assert_allclose(product(learner), wanted, rtol=0, atol=1e-14)
