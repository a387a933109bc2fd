"""The automatic width and scales: found on the way, however the examples arrive."""

import numpy as np
import pytest
from scipy import sparse

from budgetron import Budgetron, load, prequential
from budgetron.engine.widths import budget_of_each, numbers_kept
from estimators.learners import over_storages
from saving.models import facts

RNG = np.random.default_rng(0)
X = 50 + 3 * RNG.normal(size=(400, 4))
y = np.where((X[:, 0] - 50) * (X[:, 1] - 50) > 0, "even", "odd")
MANY = np.array(["low", "middle", "high"])[np.digitize(X[:, 0], [48, 52])]


def board(cells, length=4000, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, size=(length, 2))
    squares = np.floor((points + 1) * cells / 2).sum(axis=1)
    return points, np.where(squares % 2 == 0, 1, -1)


def error(learner, rows, labels, since=0):
    return prequential(learner, rows, labels, [-1, 1]).mistakes[since:].mean()


@over_storages
def test_the_widths_are_around_one_over_the_median_squared_distance(storage):
    learner = Budgetron(30, scale="off").partial_fit(storage(X[:10]), y[:10])
    distances = ((X[:10, None] - X[None, :10]) ** 2).sum(axis=2)
    middle = 1 / np.median(distances[np.triu_indices(10, 1)])
    tried = {gamma for gamma in learner.width_trust_ if gamma != "several"}
    assert middle == pytest.approx(min(tried, key=lambda gamma: abs(gamma - middle)))
    assert "several" in learner.width_trust_
    assert all(np.log(gamma / middle) / np.log(4) % 1 == pytest.approx(0) for gamma in {middle})


@pytest.mark.parametrize("stored", [2.0, 100.0, 1e4])
@pytest.mark.parametrize("budget", [1, 2, 3, 10, 100, 1000])
def test_filters_together_take_the_memory_of_one(budget, stored):
    assert budget_of_each(1, budget, stored) == budget
    for filters in range(2, 8):
        each = budget_of_each(filters, budget, stored)
        room = numbers_kept(budget, stored)
        assert each == 1 or filters * numbers_kept(each, stored) <= room
        assert filters * numbers_kept(each + 1, stored) > room


def test_filters_are_dropped_and_the_last_one_has_the_whole_budget():
    learner, filters = Budgetron(40), []
    rows, labels = board(4, 2000)
    for start in range(0, 2000, 50):
        learner.partial_fit(rows[start : start + 50], labels[start : start + 50])
        filters.append(len(learner.width_trust_))
        kept = sum(numbers_kept(one.rule.budget, 2.0) for one in learner._learner.filters)
        assert kept <= numbers_kept(40, 2.0)
    assert filters[0] == 7
    assert filters[-1] == 1
    assert learner._learner.filters[0].rule.budget == 40
    assert len(learner.support_vectors_) == 40


@pytest.mark.parametrize("cells", [4, 6])
def test_a_fine_checkerboard_is_learned(cells):
    rows, labels = board(cells)
    assert error(Budgetron(200), rows, labels, since=2000) < {4: 0.05, 6: 0.12}[cells]


def test_one_row_far_away_does_little_harm():
    rows, labels = board(4)
    clean = error(Budgetron(60), rows, labels)
    for place in (0, 4, 37):
        spoiled = rows.copy()
        spoiled[place] *= 1000
        assert error(Budgetron(60), spoiled, labels) < clean + 0.02


def test_it_starts_over_when_units_change():
    rows, labels = board(4)
    changed = rows.copy()
    changed[2000:] *= 10
    learner = Budgetron(60)
    late = error(learner, changed, labels, since=3000)
    assert learner._learner.openings > 3
    assert late < error(Budgetron(60), rows, labels, since=3000) + 0.05


def mixed_up(length=3000, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(length, 5))
    return rows, np.where(rows[:, 0] * rows[:, 1] + rows[:, 2] > 0, 1, -1)


def test_raw_features_are_learned_like_scaled_ones():
    rows, labels = mixed_up()
    raw = rows * [1e-3, 1.0, 1e4, 30.0, 0.1]
    found = {
        name: error(learner, raw, labels, since=1000)
        for name, learner in (("auto", Budgetron(60)), ("off", Budgetron(60, scale="off")))
    }
    assert found["auto"] < error(Budgetron(60), rows, labels, since=1000) + 0.03
    assert found["off"] > found["auto"] + 0.1


def test_features_that_are_alike_stay_as_they_are():
    rows, labels = mixed_up()
    assert (Budgetron(30).fit(rows, labels).scales_ == 1).all()
    pixels = np.random.default_rng(0).random((300, 50)) * (RNG.random((300, 50)) < 0.2)
    assert (Budgetron(30).fit(pixels, labels[:300]).scales_ == 1).all()


def test_a_counter_among_the_features_does_little_harm():
    rows, labels = mixed_up()
    counted = np.column_stack([rows, np.arange(len(rows))])
    learner = Budgetron(60)
    assert error(learner, counted, labels, since=1000) < 0.2
    assert learner.scales_[-1] > 100


def test_full_sparse_rows_are_scaled_as_dense_ones_are_about():
    rows, labels = mixed_up()
    raw = rows * [1e-3, 1.0, 1e4, 30.0, 0.1]
    full, wide = sparse.csr_array(raw), sparse.csr_array((raw.shape[0], 5000))
    wide = sparse.hstack([full, wide[:, 5:]], format="csr")
    for stored in (full, wide):
        learner = Budgetron(60)
        assert error(learner, stored, labels, since=1000) < 0.2
        assert (learner.scales_[:5] != 1).any()
        np.testing.assert_allclose(
            learner.support_vectors_[:, :5].toarray(), _nearest(raw, learner), rtol=1e-12
        )


def _nearest(raw, learner):
    """The rows that the supports are."""
    found = learner.support_vectors_[:, :5].toarray()
    return np.array([raw[np.abs(raw / row - 1).max(axis=1).argmin()] for row in found])


def test_bags_of_words_are_not_scaled():
    words = sparse.random_array((300, 1000), density=0.02, rng=np.random.default_rng(0)).tocsr()
    words.data *= 10.0 ** RNG.integers(0, 5, words.nnz)
    assert (Budgetron(30).fit(words, np.resize([-1, 1], 300)).scales_ == 1).all()


@over_storages
@pytest.mark.parametrize("labels", [y, MANY], ids=["two classes", "three classes"])
@pytest.mark.parametrize("cuts", [(1, 2, 50, 120), (10, 100), (9, 101)])
def test_any_cut_gives_the_same_run(storage, labels, cuts):
    raw = X * [1e-3, 1.0, 1e3, 1.0]
    whole, cut = Budgetron(20, probability=True), Budgetron(20, probability=True)
    trace = prequential(whole, storage(raw), labels)
    parts = [
        prequential(cut, storage(raw[first:last]), labels[first:last])
        for first, last in zip((0, *cuts), (*cuts, len(y)), strict=True)
    ]
    if labels is y:
        mistakes = np.concatenate([part.mistakes for part in parts])
        np.testing.assert_array_equal(mistakes, trace.mistakes)
    assert cut.n_updates_ == whole.n_updates_
    np.testing.assert_allclose(cut.decision_function(raw), whole.decision_function(raw), atol=1e-9)
    np.testing.assert_allclose(cut.predict_proba(raw), whole.predict_proba(raw), atol=1e-6)


@over_storages
def test_single_rows_give_the_same_run(storage):
    raw = X * [1e-3, 1.0, 1e3, 1.0]
    whole, rows = Budgetron(20), Budgetron(20)
    trace = prequential(whole, storage(raw), y)
    mistakes = 0
    for t, (x, label) in enumerate(zip(raw, y, strict=True)):
        mistakes += t > 0 and rows.predict_one(x) != label
        rows.partial_fit(storage(x[None]), [label]) if t == 0 else rows.learn_one(x, label)
    assert rows.n_mistakes_ == whole.n_mistakes_ == trace.mistakes.sum()
    assert abs(mistakes - whole.n_mistakes_) <= 2  # while one class alone is known
    np.testing.assert_allclose(rows.decision_function(raw), whole.decision_function(raw), atol=1e-9)


@over_storages
@pytest.mark.parametrize("length", [1, 2, 5, 9, 10, 57, 150])
def test_what_was_kept_is_saved_and_goes_on_bit_for_bit(storage, length, tmp_path):
    learner = Budgetron(20).partial_fit(storage(X[:length]), y[:length])
    learner.save(tmp_path / "kept.budgetron")
    again = load(tmp_path / "kept.budgetron")
    assert facts(again) == facts(learner)
    for each in learner, again:
        each.partial_fit(storage(X[length:]), y[length:])
    assert again.decision_function(X).tobytes() == learner.decision_function(X).tobytes()
    assert again.n_mistakes_ == learner.n_mistakes_


def test_rows_that_are_all_the_same_are_learned():
    same = np.ones((50, 3))
    learner = Budgetron(10).fit(same, np.resize([-1, 1, 1], 50))
    assert learner.predict(same[:1]) == [1]


def test_what_is_kept_are_copies():
    first = X[:5].copy()
    learner, other = Budgetron(20), Budgetron(20).partial_fit(X[:5], y[:5])
    learner.partial_fit(first, y[:5])
    first[:] = 0
    for each in learner, other:
        each.partial_fit(X[5:100], y[5:100])
    assert learner.decision_function(X).tobytes() == other.decision_function(X).tobytes()


def test_examples_of_no_weight_count_for_nothing():
    weights = np.resize([1.0, 0.0, 1.0], 400)
    with_them = Budgetron(20).fit(X, y, sample_weight=weights)
    without = Budgetron(20).fit(X[weights > 0], y[weights > 0])
    np.testing.assert_allclose(
        with_them.decision_function(X), without.decision_function(X), atol=1e-9
    )


@pytest.mark.parametrize(("name", "value"), [("scale", "on"), ("experts", ("labels", "stack"))])
def test_bad_choices_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        Budgetron(**{name: value}).fit(X, y)


def test_features_that_are_far_away_are_told_apart():
    rows, labels = mixed_up()
    away = rows + np.array([1e9, -1e9, 0.0, 5.0, 1e12])
    learner = Budgetron(60)
    assert error(learner, away, labels, since=1000) < 0.2
    assert np.abs(learner.support_vectors_).max() > 1e11


def test_rows_in_float32_are_scaled_in_float64_however_they_come():
    raw = (X * [1e-3, 1.0, 1e3, 1.0] + [0, 0, 0, 1e6]).astype(np.float32)
    whole, rows = Budgetron(20).fit(raw, y), Budgetron(20).partial_fit(raw[:1], y[:1])
    for x, label in zip(raw[1:], y[1:], strict=True):
        rows.learn_one(x, label)
    np.testing.assert_allclose(rows.decision_function(raw), whole.decision_function(raw), atol=1e-9)


@over_storages
@pytest.mark.parametrize("size", [1, 1e20])
def test_rows_in_float32_are_those_rows_in_float64(storage, size, tmp_path):
    raw = (size * (X - 50)).astype(np.float32)  # 1e20 has no square in float32
    double, single = (Budgetron(20).fit(storage(rows), y) for rows in (raw.astype(float), raw))
    assert single.gamma_ == double.gamma_
    assert single.decision_function(raw).tobytes() == double.decision_function(raw).tobytes()
    for length in (3, 10, 12):
        learner = Budgetron(20).fit(storage(raw[:length]), y[:length])
        learner.save(tmp_path / "single.budgetron")
        again = load(tmp_path / "single.budgetron")
        for each in learner, again:
            each.partial_fit(storage(raw[length:]), y[length:])
        assert again.decision_function(raw).tobytes() == learner.decision_function(raw).tobytes()


def test_rows_may_be_stored_in_another_way_than_the_first_ones():
    raw = np.hstack([X * [1e-3, 1.0, 1e3, 1.0] + [0, 0, 0, 1e7], np.zeros((400, 3))])
    for first, other in ((np.asarray, sparse.csr_array), (sparse.csr_array, np.asarray)):
        whole = Budgetron(20).fit(first(raw), y)
        mixed = Budgetron(20).fit(first(raw[:6]), y[:6])
        for start, end in ((6, 100), (100, 400)):
            mixed.partial_fit(other(raw[start:end]), y[start:end])
        assert (whole.scales_ != 1).any()
        np.testing.assert_array_equal(mixed.scales_, whole.scales_)
        np.testing.assert_allclose(
            mixed.decision_function(other(raw)), whole.decision_function(first(raw)), atol=1e-9
        )


def test_a_single_row_is_looked_at_before_there_are_filters():
    learner = Budgetron(20).fit(X[:1], y[:1])
    for bad in (np.nan, np.inf, 1e300):
        with pytest.raises(ValueError, match=r"NaN|infinity|too large"):
            learner.predict_one([1.0, bad, 1.0, 1.0])


@over_storages
@pytest.mark.parametrize("far", [1e20, 1e104])
def test_one_of_the_first_rows_may_be_much_farther_away_than_the_others(storage, far, tmp_path):
    for place in (1, 4, 9):
        spoiled = X - 50
        spoiled[place, 2] = far
        learner = Budgetron(20).fit(storage(spoiled[:10]), y[:10])
        learner.save(tmp_path / "far.budgetron")
        load(tmp_path / "far.budgetron").partial_fit(storage(spoiled[10:]), y[10:])
        assert np.isfinite(learner.scales_).all()
        assert learner.scales_[2] < 100 * learner.scales_[0]


@over_storages
@pytest.mark.parametrize("age", [1, 3, 11, 14, 60])
@pytest.mark.parametrize("huge", [1e160, 1.7e308, -1.7e308])
def test_what_is_too_large_when_it_is_scaled_is_refused(storage, age, huge):
    raw = (X - 50) * [1e-6, 1.0, 1e6, 1.0]
    learner = Budgetron(20).fit(storage(raw[:age]), y[:age])
    before, row = learner.decision_function(raw).tobytes(), raw[age].copy()
    row[0] = huge
    for use in (
        lambda: learner.partial_fit(storage(row[None]), y[:1]),
        lambda: learner.learn_one(row, y[0]),
        lambda: learner.predict(storage(row[None])),
        lambda: learner.predict_one(row),
    ):
        with pytest.raises(ValueError, match=r"too large|infinity"):
            use()
    assert learner.decision_function(raw).tobytes() == before


@over_storages
@pytest.mark.parametrize("age", [3, 9, 14, 29, 40, 99])
def test_how_large_a_single_row_is_counts_when_it_is_scaled(storage, age):
    raw = (X - 50) * [1e-6, 1.0, 1e6, 1.0]
    raw[age, 2] = 1e106  # of squared norm 1e212
    whole, rows = (Budgetron(20).fit(storage(raw[:age]), y[:age]) for _ in range(2))
    whole.partial_fit(storage(raw[age:]), y[age:])
    for x, label in zip(raw[age:], y[age:], strict=True):
        rows.learn_one(x, label)
    assert rows.n_mistakes_ == whole.n_mistakes_
    np.testing.assert_allclose(rows.decision_function(X), whole.decision_function(X), atol=1e-9)


def test_a_first_sparse_row_that_is_too_large_is_refused_without_a_warning():
    for gamma in ("auto", "scale", 1.0):
        with pytest.raises(ValueError, match="too large"):
            Budgetron(gamma=gamma).fit(sparse.csr_array(X * 1e160), y)
