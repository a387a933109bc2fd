"""Input of every shape: dense, sparse, unsorted, read-only, frames; and several threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from budgetron import Forgetron, RandomizedBudgetPerceptron
from estimators.learners import facts, over_kinds, over_storages, small, stream

X, y = stream()


def with_long_indices(rows):
    rows = sparse.csr_array(rows)
    rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return rows


def read_only(rows):
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


def jumbled(rows):
    """The same matrix with its indices out of order, and each value in two halves."""
    rows = sparse.csr_array(rows)
    order = np.concatenate(
        [
            np.repeat(np.arange(start, end)[::-1], 2)
            for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
        ]
    )
    halves = rows.data[order] / 2, rows.indices[order], 2 * rows.indptr
    return sparse.csr_array(halves, shape=rows.shape)


DENSE = {
    "lists": np.ndarray.tolist,
    "fortran order": np.asfortranarray,
    "read-only": read_only,
    "every other row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "big-endian": lambda rows: rows.astype(">f8"),
}
SPARSE = {
    "csr_matrix": sparse.csr_matrix,
    "64-bit indices": with_long_indices,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "unsorted, with duplicates": jumbled,
}


@pytest.mark.parametrize("layout", DENSE.values(), ids=DENSE)
def test_dense_rows_may_lie_in_memory_as_they_like(layout):
    usual, unusual = small(Forgetron).fit(X, y), small(Forgetron).fit(layout(X), y)
    assert facts(unusual) == facts(usual)
    np.testing.assert_array_equal(unusual.decision_function(layout(X)), usual.decision_function(X))


@pytest.mark.parametrize("layout", SPARSE.values(), ids=SPARSE)
def test_sparse_rows_may_lie_in_memory_as_they_like(layout):
    rows = sparse.csr_array(X)
    usual, unusual = small(Forgetron).fit(rows, y), small(Forgetron).fit(layout(X), y)
    assert facts(unusual) == facts(usual)
    np.testing.assert_array_equal(
        unusual.decision_function(layout(X)), usual.decision_function(rows)
    )


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array, jumbled])
def test_the_input_is_left_alone(layout):
    rows, labels = layout(X.copy()), y.copy()
    arrays = [rows] if isinstance(rows, np.ndarray) else [rows.data, rows.indices, rows.indptr]
    before = facts([*arrays, labels])
    small(Forgetron).fit(rows, labels).predict(rows)
    assert facts([*arrays, labels]) == before


@over_kinds
def test_a_learner_of_dense_rows_predicts_sparse_ones(learner):
    model = small(learner).fit(X, y)
    np.testing.assert_array_equal(
        model.decision_function(sparse.csr_array(X)), model.decision_function(X)
    )


@over_kinds
def test_a_learner_of_sparse_rows_predicts_dense_ones(learner):
    rows = sparse.csr_array(X)
    model = small(learner).fit(rows, y)
    np.testing.assert_array_equal(model.decision_function(X), model.decision_function(rows))


@over_kinds
@over_storages
def test_a_learner_may_go_on_with_rows_of_the_other_kind(learner, storage):
    other = np.asarray if storage is sparse.csr_array else sparse.csr_array
    alone, mixed = (small(learner).partial_fit(storage(X[:97]), y[:97]) for _ in range(2))
    alone.partial_fit(storage(X[97:]), y[97:])
    mixed.partial_fit(other(X[97:]), y[97:])
    np.testing.assert_array_equal(mixed.dual_coef_, alone.dual_coef_)
    np.testing.assert_array_equal(mixed.decision_function(X), alone.decision_function(X))


def test_explicit_zeros_mean_nothing():
    rows = sparse.csr_array(X)
    rows.data[::3] = 0
    bare = rows.copy()
    bare.eliminate_zeros()
    full, thin = small(Forgetron).fit(rows, y), small(Forgetron).fit(bare, y)
    assert abs(full.support_vectors_ - thin.support_vectors_).max() == 0
    # its kernel values are rounded to cells, which are wider the more values are stored
    np.testing.assert_allclose(full.dual_coef_, thin.dual_coef_, rtol=1e-7)


@over_kinds
@over_storages
def test_many_threads_predict_what_one_thread_predicts(learner, storage):
    model, rows = small(learner).fit(storage(X), y), storage(np.tile(X, (20, 1)))
    pieces = [rows[first : first + 137] for first in range(0, rows.shape[0], 137)] * 4
    alone = [model.decision_function(piece) for piece in pieces]
    with ThreadPoolExecutor(8) as threads:
        together = [*threads.map(model.decision_function, pieces)]
    assert facts(together) == facts(alone)


def test_a_frame_gives_its_columns_their_names():
    pandas = pytest.importorskip("pandas", reason="frames need pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    model = small(Forgetron).fit(frame, pandas.Series(y))
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(model.predict(frame), small(Forgetron).fit(X, y).predict(X))


def test_a_frame_with_other_columns_is_refused():
    pandas = pytest.importorskip("pandas", reason="frames need pandas")
    model = small(Forgetron).fit(pandas.DataFrame(X, columns=["a", "b", "c", "d"]), y)
    before = facts(model)
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(pandas.DataFrame(X, columns=["a", "b", "c", "x"]), y)
    assert facts(model) == before


def test_labels_in_a_column_are_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = RandomizedBudgetPerceptron(10, random_state=0).fit(X, y[:, None])
    assert model.n_seen_ == len(y)
