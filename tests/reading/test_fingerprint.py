"""A fingerprint tells rows apart, and not how they come."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from budgetron.reading import Chunk, Fingerprint
from budgetron.reading.chunk import part

LABELS = {
    "text": np.array(["a", "bc", "", "é"] * 5, dtype=object),
    "integer": np.arange(20),
    "number": np.arange(20) / 3,
    "boolean": np.arange(20) % 3 == 0,
}


def rows(labels="text", make=np.asarray):
    X = np.random.default_rng(0).normal(size=(20, 3))
    X[X < 0] = 0
    return Chunk(make(X), LABELS[labels], np.arange(20) * 2)


def fingerprint(*chunks):
    found = Fingerprint()
    for chunk in chunks:
        found.add(chunk)
    return found


@given(
    st.sets(st.integers(0, 20)),
    st.sampled_from([*LABELS]),
    st.sampled_from([np.asarray, np.asfortranarray, csr_matrix]),
)
def test_it_does_not_depend_on_the_cut(cuts, labels, make):
    bounds = [0, *sorted(cuts), 20]
    parts = (part(rows(labels, make), slice(*pair)) for pair in pairwise(bounds))
    assert fingerprint(*parts) == fingerprint(rows(labels, make))


@pytest.mark.parametrize("make", [np.asarray, csr_matrix])
def test_it_depends_on_all_of_a_row(make):
    X, y, numbers = rows()
    other, moved = X.copy(), X.copy()
    other[3, 1] += 1
    moved[3] = np.roll(X[3], 1)
    order = np.array([1, 0, *range(2, 20)])
    relabelled = y.copy()
    relabelled[4] = "b"
    chunks = (
        Chunk(X, y, numbers),
        Chunk(other, y, numbers),
        Chunk(moved, y, numbers),
        Chunk(X[order], y, numbers),
        Chunk(X, y[order], numbers),
        Chunk(X, relabelled, numbers),
        Chunk(X, y, numbers + 1),
        Chunk(X[:-1], y[:-1], numbers[:-1]),
    )
    found = {str(fingerprint(replace(chunk, X=make(chunk.X)))) for chunk in chunks}
    assert len(found) == len(chunks)


def test_labels_do_not_run_into_each_other():
    X, numbers = np.zeros((2, 1)), np.arange(2)
    pairs = [["a", "bc"], ["ab", "c"], ["abc", ""], ["", "abc"]]
    found = {fingerprint(Chunk(X, np.array(pair, object), numbers)).labels for pair in pairs}
    assert len(found) == 4
