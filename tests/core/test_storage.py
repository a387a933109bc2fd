"""Supports in their slots: what is stored comes back, and a sparse pool does not grow for ever."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from budgetron.core.blocks import DenseBlocks, SparseBlocks
from budgetron.core.storage import DenseRows, SparseRows, enlarged, release, store, stored_in

WIDTH = 6
DTYPES = [np.dtype(np.float64), np.dtype(np.float32)]

over_dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


def some_rows(length, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(length, WIDTH)) * (rng.random((length, WIDTH)) < 0.5)


def stored(rows, X, slots):
    """Put the rows of X into these slots."""
    is_sparse = isinstance(rows, SparseRows)
    matrix, blocks = (sparse.csr_array(X), SparseBlocks) if is_sparse else (X, DenseBlocks)
    block = blocks(WIDTH, rows.values.dtype, rows.values.dtype).cut(matrix, 0, len(X))
    block.norms[:] = (X**2).sum(axis=1)
    rows = rows.with_room_for(X.size)
    for t, slot in enumerate(slots):
        store(rows, slot, block, t)
    return rows


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@pytest.mark.parametrize("kind", [DenseRows, SparseRows])
@over_dtypes
def test_instances_come_back_from_their_slots_as_they_were_stored(kind, dtype):
    X, slots = some_rows(5), np.array([3, 0, 4, 1, 2])
    rows = stored(kind.empty(WIDTH, dtype).grown(5), X, slots)
    np.testing.assert_array_equal(dense(rows.matrix(slots)), X.astype(dtype))
    assert rows.matrix(slots).dtype == dtype


@pytest.mark.parametrize("kind", [DenseRows, SparseRows])
@over_dtypes
def test_norms_are_kept_beside_the_instances(kind, dtype):
    X = some_rows(5)
    rows = stored(kind.empty(WIDTH, dtype).grown(5), X, range(5))
    np.testing.assert_array_equal(rows.norms, (X**2).sum(axis=1))


@pytest.mark.parametrize("kind", [DenseRows, SparseRows])
@over_dtypes
def test_growing_keeps_what_is_stored(kind, dtype):
    X = some_rows(8)
    rows = stored(kind.empty(WIDTH, dtype).grown(5), X[:5], range(5)).grown(8)
    rows = stored(rows, X[5:], [5, 6, 7])
    np.testing.assert_array_equal(dense(rows.matrix(np.arange(8))), X.astype(dtype))


@pytest.mark.parametrize("kind", [DenseRows, SparseRows])
def test_a_slot_can_be_used_again(kind):
    X = some_rows(6)
    rows = stored(kind.empty(WIDTH, DTYPES[0]).grown(5), X[:5], range(5))
    release(rows, 2)
    rows = stored(rows, X[5:], [2])
    np.testing.assert_array_equal(dense(rows.matrix(np.arange(5))), X[[0, 1, 5, 3, 4]])


@pytest.mark.parametrize("kind", [DenseRows, SparseRows])
def test_no_slots_are_an_empty_matrix(kind):
    assert kind.empty(WIDTH, DTYPES[0]).matrix(np.zeros(0, np.int64)).shape == (0, WIDTH)


@given(replaced=st.lists(st.integers(0, 3), min_size=1, max_size=60), seed=st.integers(0, 9))
def test_a_sparse_pool_is_packed_without_mixing_up_its_rows(replaced, seed):
    X = some_rows(4 + len(replaced), seed)
    held = X[:4].copy()
    rows = stored(SparseRows.empty(WIDTH, DTYPES[0]).grown(4), held, range(4))
    for slot, x in zip(replaced, X[4:], strict=True):
        release(rows, slot)
        rows = stored(rows, x[None], [slot])
        held[slot] = x
    np.testing.assert_array_equal(rows.matrix(np.arange(4)).toarray(), held)


def test_a_sparse_pool_stays_as_large_as_a_few_times_its_live_values():
    X = some_rows(10_000)
    rows = stored(SparseRows.empty(WIDTH, DTYPES[0]).grown(4), X[:4], range(4))
    for t, x in enumerate(X[4:]):
        release(rows, t % 4)
        rows = stored(rows, x[None], [t % 4])
    assert len(rows.values) <= 3 * (4 + 2) * WIDTH


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_sparse_pool_has_room_for_each_example_twice(kind):
    X = np.ones((3, WIDTH))
    rows = SparseRows.empty(WIDTH, DTYPES[0]).with_room_for(stored_in(kind(X), 0, 3))
    assert len(rows.values) - rows.ends[0] >= 2 * X.size


def test_room_is_made_for_the_examples_asked_for_and_no_others():
    X = sparse.csr_array(np.vstack([np.ones((100, WIDTH)), np.zeros((1, WIDTH))]))
    rows = SparseRows.empty(WIDTH, DTYPES[0]).with_room_for(stored_in(X, 100, 101))
    assert len(rows.values) == 0


def test_enlarging_fills_up_with_zeros():
    assert enlarged(np.array([1, 2]), 4).tolist() == [1, 2, 0, 0]
    assert enlarged(np.ones((1, 2)), 2).tolist() == [[1, 1], [0, 0]]
