"""The Budgetron that chooses everything itself makes the run of its slow reference."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import oracle
from budgetron import Budgetron, prequential


def smooth(length, width, seed=0):
    """A wavy border."""
    X = np.random.default_rng(seed).normal(size=(length, width))
    return X, np.where(np.sin(2 * X[:, 0]) + X[:, 1] * X[:, -1] > 0.2, 1, -1)


def assert_state(pool, expected, t):
    """Gammas (that of several widths is "mixture"), budgets, trust and exponents after row t."""
    filters, width = pool.filters, len(expected.exponents)
    gammas = ["mixture" if one.kernel.multiscale else one.kernel.product / 2 for one in filters]
    assert gammas == [pytest.approx(w) for w in expected.widths], t
    assert [one.rule.budget for one in filters] == [*expected.budgets], t
    assert pool.panel.trust[: len(filters)] == pytest.approx(expected.trust, abs=1e-6), t
    known = [] if pool.columns is None else pool.columns.exponents
    assert [*known, *np.zeros(width - len(known))] == [*expected.exponents], t
    assert expected.common == (0.0 if pool.columns is None else pool.columns.common[0]), t


def assert_follows(X, y, budget, scale="auto", weights=None):
    """All at once and row by row; what the reference did."""
    is_sparse = sparse.issparse(X)
    rows = [*map(tuple, (X.toarray() if is_sparse else X).tolist())]
    rounds = oracle.budgetron_of_widths(
        [*zip(rows, y.tolist(), strict=True)],
        budget=budget,
        scale=scale == "auto",
        sparse=is_sparse,
        weights=None if weights is None else weights.tolist(),
    )
    scores = [r.score for r in rounds]
    new = Budgetron(budget, scale=scale, missing="center" if np.isnan(rows).any() else "error")
    whole = prequential(clone(new), X, y, [-1, 1], sample_weight=weights)
    np.testing.assert_allclose(whole.scores, scores, atol=1e-6)
    np.testing.assert_array_equal(whole.mistakes, [r.mistake for r in rounds])

    model = clone(new)
    for t in range(len(y)):
        row, weight = X[t : t + 1], 1.0 if weights is None else weights[t]
        if t % 4 == 3:
            assert abs(model.decision_function(row)[0] - scores[t]) < 1e-6, t
        if t % 20 == 19:  # the same once more, as a class
            assert model.predict(row)[0] == whole.predictions[t], t
        if t == 0 or is_sparse:
            model.partial_fit(row, y[t : t + 1], [-1, 1], sample_weight=[weight])
        else:
            model.learn_one(X[t], y[t], sample_weight=weight)
        assert_state(model._learner, rounds[t], t)
    return rounds


def assert_follows_with_classes(X, y, budget, *, named=True, weights=None, **settings):
    """Row by row, with more than two classes; what the reference did."""
    is_sparse, classes = sparse.issparse(X), np.unique(y)
    rows = [*map(tuple, (X.toarray() if is_sparse else X).tolist())]
    rounds = oracle.budgetron_of_widths_and_classes(
        [*zip(rows, y.tolist(), strict=True)],
        classes.tolist() if named else None,
        budget=budget,
        sparse=is_sparse,
        weights=weights,
        **settings,
    )
    model = Budgetron(budget, **settings)
    for t in range(len(y)):
        row = X[t : t + 1]
        if t > 0 and len(rounds[t].scores) > 2:
            scores = model.decision_function(row)[0]
            assert scores == pytest.approx([*rounds[t].scores.values()], abs=1e-6), t
        weight = None if weights is None else weights[t : t + 1]
        model.partial_fit(row, y[t : t + 1], classes if named else None, sample_weight=weight)
        assert_state(model._learner, rounds[t], t)
        assert_supports(model, rounds[t], t)
    return rounds


def assert_supports(model, expected, t):
    """Those of the most trusted filter, and a row of weights for each class."""
    if len(model.classes_) > 2 and expected.widths:
        weights = [[own[c] for _, own in expected.supports] for c in model.classes_.tolist()]
        np.testing.assert_allclose(model.dual_coef_, weights, atol=1e-6, err_msg=str(t))


def changes(rounds, what):
    """The rows after which something is not what it was before."""
    states = [what(r) for r in rounds]
    return [t for t in range(1, len(states)) if states[t] != states[t - 1]]


@pytest.mark.parametrize("is_sparse", [False, True])
def test_first_examples_that_are_close_to_each_other(is_sparse):
    X, y = smooth(300, 3)
    X[:12] /= 20
    rounds = assert_follows(sparse.csr_array(X) if is_sparse else X, y, 12)
    assert changes(rounds, lambda r: r.common) == [19, 39]
    assert rounds[-1].common > 3


@pytest.mark.parametrize(("width", "budget"), [(2, 1), (5, 6), (2, 25), (5, 12)])
def test_smooth_borders(width, budget):
    rounds = assert_follows(*smooth(700, width, seed=budget), budget)
    dropped = len(changes(rounds, lambda r: r.budgets)) > 1
    assert dropped == (budget > 1 and (width, budget) != (5, 6))  # where features say something


def test_one_filter_is_left_in_the_end():
    rounds = assert_follows(*smooth(1650, 2, seed=3), 8)
    assert all(len(rounds[t].widths) <= most for t, most in ((399, 3), (799, 2), (1599, 1)))
    assert rounds[-1].budgets == (8,)


SCALES = np.array([1e-3, 1.0, 30.0, 1e4, 0.2])


def test_scales_far_apart():
    X, y = smooth(400, 5, seed=1)
    rounds = assert_follows(X * SCALES, y, 12)
    first, *_, last = rounds[-1].exponents[:4]
    assert last - first > 20
    assert {*np.mod([r.exponents for r in rounds], 1).ravel()} == {0, 0.25, 0.5, 0.75}


def test_scales_that_change_on_the_way():
    X, y = smooth(400, 5, seed=1)
    X[10:, 0] *= 60
    X[25:, 1] *= 100
    X[45:, 2] *= 1000
    rounds = assert_follows(X, y, 12)
    assert changes(rounds, lambda r: r.exponents)[:5] == [19, 29, 39, 59, 79]


def test_scales_by_a_few_features_of_many():
    X, y = smooth(250, 25, seed=2)
    X[:, :3] *= 8, 1 / 20, 3
    X[90:, 4] *= 6
    X[14, 5] = 1e6
    rounds = assert_follows(X, y, 8)
    assert rounds[-1].exponents[0] == 3


def test_rare_and_constant_features():
    rng = np.random.default_rng(3)
    often = [0.3, 0.2, 0.2, 0.1, 0.1, 0.05, 0.03, 0.02]
    kinds = np.eye(8)[rng.choice(8, 300, p=often)] * [1, 1, 50, 1, 50, 0.01, 1, 50]
    X, y = smooth(300, 4, seed=3)
    X[:4] = X[0]
    X[:, 3] = 7
    X[120:, 3] += 1000 * X[120:, 2]
    assert_follows(np.hstack([kinds, X * [1, 1e3, 1e-3, 1]]), y, 8)


def test_rounding_does_not_make_a_feature_of_a_constant():
    X, y = smooth(300, 3, seed=3)
    noisy = (0.1 * np.arange(300) + 0.3) - 0.1 * np.arange(300)
    rounds = assert_follows(np.column_stack([X, noisy]), y, 8)
    assert rounds[-1].exponents[3] == 0
    assert len({*noisy[:10]}) > 2


def test_features_as_they_come():
    X, y = smooth(400, 5, seed=1)
    rounds = assert_follows(X * SCALES, y, 12, scale="off")
    assert not np.any([r.exponents for r in rounds])


LEFT_OUT = 60


def with_counts(X):
    """Beside the others: one that counts, one that falls for a while, one that does so later on."""
    t = np.arange(float(len(X)))
    falls = np.where(t < 33, -3 * t, X[:, 0])
    later = np.where((t > 70) & (t < 190), 20 + 0.1 * t, X[:, 1] * 4)
    return np.column_stack([X, 1e6 + t, falls, later])


def left_out(rounds, j):
    """The first rows after which a feature is left out, or not any more."""
    out = [r.exponents[j] == LEFT_OUT for r in rounds]
    return [t for t in range(1, len(out)) if out[t] != out[t - 1]]


@pytest.mark.parametrize("as_rows", [np.asarray, sparse.csr_array])
def test_features_that_leave_their_range(as_rows):
    X, y = smooth(340, 3, seed=6)
    rounds = assert_follows(as_rows(with_counts(X)), y, 8)
    assert left_out(rounds, 3) == [9]
    assert left_out(rounds, 4) == [9, 39]
    assert left_out(rounds, 5) == [159, 239]


def test_features_that_leave_their_range_with_values_missing():
    X, y = smooth(340, 3, seed=6)
    X = with_gaps(with_counts(X), seed=3, part=0.05)
    X[:10, 3] = 1e6 + np.arange(10)
    rounds = assert_follows(X, y, 8)
    assert left_out(rounds, 3)[0] == 9


def test_a_feature_that_is_left_out_says_nothing_of_the_others():
    rng = np.random.default_rng(10)
    X = np.array([rng.permutation([-1.0, 1.0] * 5) for _ in range(30)]).reshape(6, 50).T
    X[:10, 5] = 0
    X[10:, 5] = 100 + np.arange(40)  # it is scaled after 15 rows, and left out after 20
    X[15:20, 4] *= 8
    rounds = assert_follows(X, rng.choice([-1, 1], 50), 8)
    assert rounds[14].exponents == (0, 0, 0, 0, 0, 6.75)
    assert rounds[19].exponents == (0, 0, 0, 0, 0, LEFT_OUT)


def test_a_0_of_sparse_rows_is_in_the_range():
    X, y = smooth(60, 3, seed=6)
    X[:, 2] = 5 + np.arange(60) % 2
    X[10:13, 2] = 0
    X[15:, 2], X[20:, 2], X[30:, 2] = 3, 1.5, 0.1
    rounds = assert_follows(sparse.csr_array(X), y, 8)
    assert left_out(rounds, 2) == []


@pytest.mark.parametrize("in_runs", [True, False])
def test_widths_wait_for_features_that_begin_to_matter(in_runs):
    rng = np.random.default_rng(11)
    X = rng.uniform(-1, 1, size=(700, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    y[:250] = np.tile([1] * 5 + [-1] * 5, 25) if in_runs else rng.choice([-1, 1], 250)
    rounds = assert_follows(X, y, 12)
    number = [len(r.widths) for r in rounds]
    assert {*number[10:250]} == {6}
    assert number[-1] < 6


def test_widths_that_are_of_no_use_are_a_new_start():
    rng = np.random.default_rng(12)
    X = rng.uniform(-1, 1, size=(700, 2))
    y = np.where(X[:, 0] > 0, 1, -1) * np.where(
        (np.arange(700) < 205) | (np.arange(700) // 8 % 2), 1, -1
    )
    rounds = assert_follows(X, y, 6)
    start = next(t for t in range(1, 700) if not rounds[t].widths)
    assert start > 205 and (start + 1) % 50 == 0
    assert len(rounds[start - 1].widths) < len(rounds[10].widths) == len(rounds[start + 2].widths)


def test_smaller_units_are_a_new_start():
    X, y = smooth(600, 3, seed=2)
    X += 1
    X[310:] *= 0.1
    rounds = assert_follows(sparse.csr_array(X), y, 8)
    assert [t for t, r in enumerate(rounds) if t and not r.widths] == [399, 400]


@pytest.mark.parametrize("as_rows", [np.asarray, sparse.csr_array])
def test_three_classes_drop_widths_and_start_over(as_rows):
    rng = np.random.default_rng(13)
    X = rng.uniform(-1, 1, size=(620, 2))
    y = np.digitize(X[:, 0], [-0.3, 0.3])
    y[310:] = rng.choice(3, 310, p=[0.2, 0.2, 0.6])  # features say nothing, and one class is usual
    weights = np.random.default_rng(8).choice([0, 0.5, 1, 1, 1, 3], 620)
    X = np.column_stack([X * [1, 30], 7.0 * np.arange(620)])
    rounds = assert_follows_with_classes(as_rows(X), y, 9, weights=weights, patience=5.0)
    number = [len(r.widths) for r in rounds]
    assert rounds[60].exponents[2] == LEFT_OUT
    assert 0 < number[309] < number[100]
    assert 0 in number[310:]


@pytest.mark.parametrize("third", [4, 130])
def test_classes_that_appear_late(third):
    """In the middle of an opening or after it, and one more of them 60 rows later."""
    X = np.random.default_rng(14).uniform(-1, 1, size=(410, 1))
    names = np.array([5, 1, 9, 3])  # in order of appearance
    places = np.digitize(X[:, 0], [-0.5, 0, 0.5])
    places[: third + 60] %= 3
    places[: third + 1] %= 2
    places[[0, 1, third, third + 60]] = 0, 1, 2, 3
    rounds = assert_follows_with_classes(X, names[places], 12, named=False)
    assert len(rounds[third].scores) <= 2 < len(rounds[third + 1].scores)
    assert len(rounds[-1].scores) == 4
    assert len(rounds[-1].widths) < len(rounds[20].widths)


@pytest.mark.parametrize("scale", ["auto", "off"])
def test_new_units_are_a_new_start(scale):
    X, y = smooth(600, 3, seed=2)
    X[310:] *= 10
    rounds = assert_follows(X, y, 8, scale)
    assert [t for t, r in enumerate(rounds) if t and not r.widths] == [399, 400]


def test_labels_in_runs():
    X, _ = smooth(600, 3, seed=2)
    y = np.repeat(np.random.default_rng(7).choice([-1, 1], 40), 15)
    rounds = assert_follows(X, y, 12)
    assert sum(r.mistake for r in rounds[100:]) < 50


def test_ties():
    rng = np.random.default_rng(4)
    X = rng.integers(-2, 3, size=(300, 3)) * [1, 3, 0.5]
    assert_follows(X, rng.choice([-1, 1], 300), 6)


def test_weights():
    X, y = smooth(600, 2, seed=2)
    weights = np.random.default_rng(8).choice([0, 0.3, 1, 1, 3], 600)
    rounds = assert_follows(X * [1, 100], y, 12, weights=weights)
    seen = np.cumsum(weights > 0)
    dropped = changes(rounds, lambda r: len(r.widths))[1:]
    assert dropped
    assert all(seen[t] % 50 == 0 for t in dropped)


@pytest.mark.parametrize(("stored", "is_scaled"), [(0.7, True), (0.3, False)])
def test_sparse_rows(stored, is_scaled):
    X, y = smooth(400, 6, seed=5)
    X[np.random.default_rng(9).random(X.shape) > stored] = 0
    X[:2] = 1  # all features occur
    rounds = assert_follows(sparse.csr_array(X * [*SCALES, 0.01]), y, 8)
    assert any(rounds[-1].exponents) == is_scaled


def with_gaps(X, seed, part=0.15):
    """A feature that is never there among the first ten, a row without any, and gaps anywhere."""
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < part] = np.nan
    X[:10, -1] = X[4] = np.nan
    return X


@pytest.mark.parametrize(("scale", "time"), [("auto", 1e8), ("off", 0)])
def test_missing_values(scale, time):
    X, y = smooth(400, 5, seed=1)
    X = X * SCALES + [0, 0, 0, time, 5]
    rounds = assert_follows(with_gaps(X, seed=2), y, 12, scale)
    assert any(rounds[-1].exponents) == (scale == "auto")


def test_missing_values_after_a_new_start():
    X, y = smooth(600, 3, seed=2)
    X[310:] *= 10
    rounds = assert_follows(with_gaps(X, seed=4), y, 8)
    assert [t for t, r in enumerate(rounds) if t and not r.widths] == [399, 400]


def test_missing_values_of_sparse_rows():
    X, y = smooth(400, 6, seed=5)
    X[np.random.default_rng(9).random(X.shape) > 0.7] = 0
    rounds = assert_follows(sparse.csr_array(with_gaps(X * [*SCALES, 0.01], seed=4)), y, 8)
    assert any(rounds[-1].exponents)
