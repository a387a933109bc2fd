"""Chunks of a given size do not depend on how rows arrive."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from budgetron.reading import BadRow, Chunk, Column, Plan, Reader, ReadingError, formats

PLAN = Plan("csv", (Column("x", "number"),), "label")


class Arriving:
    """An input whose rows come in these pieces; a row that is not there is bad."""

    def __init__(self, pieces):
        self.source = self
        self._pieces = pieces

    def pieces(self, plan, labelled, row):
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            end = max([row, *(piece.rows + 1)])
            for bad in np.setdiff1d(range(row, end), piece.rows):
                yield BadRow("rows.csv", None, bad, "it is not there")
            row = end
            yield piece

    def close(self):
        pass


def cut(rows, cuts, make=np.asarray):
    """These rows, in pieces."""
    X = make(np.array(rows, float)[:, None])
    bounds = [0, *sorted(cut % (len(rows) + 1) for cut in cuts), len(rows)]
    for first, last in pairwise(bounds):
        here = slice(first, last)
        yield Chunk(X[here], np.array(rows)[here] % 2, np.array(rows)[here])


def read(inputs, chunk_rows, skip=0, on_bad=lambda bad: None):
    """The chunks that a reader makes of inputs, each of which comes in pieces."""
    arriving = {str(number): Arriving(pieces) for number, pieces in enumerate(inputs)}
    reader = Reader(arriving, PLAN, chunk_rows=chunk_rows, skip=skip, on_bad=on_bad)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats, "open_input", lambda path, format, quote: arriving[path])
        yield from reader


@given(
    st.sets(st.integers(0, 60), min_size=1).map(sorted),
    st.lists(st.integers(0, 60)),
    st.integers(0, 60),
    st.integers(1, 9),
    st.integers(0, 60),
    st.sampled_from([np.asarray, sparse.csr_matrix]),
)
def test_each_chunk_has_the_rows_between_two_multiples(rows, cuts, second, size, skip, make):
    pieces = [*cut(rows, cuts, make)]
    at = second % (len(pieces) + 1)
    bad = []
    parts = [pieces[:at], pieces[at:]]
    found = [*read(parts, size, skip, on_bad=lambda each: bad.append(each.row))]
    left = [row for row in rows if row >= skip]
    assert [[*chunk.rows] for chunk in found] == [
        [row for row in left if row // size == place]
        for place in dict.fromkeys(row // size for row in left)
    ]
    assert bad == [row for row in range(skip, rows[-1]) if row not in rows]
    for chunk in found:
        X = chunk.X.toarray() if sparse.issparse(chunk.X) else chunk.X
        assert X.ravel().tolist() == chunk.rows.tolist()
        assert chunk.y.tolist() == (chunk.rows % 2).tolist()


def test_a_chunk_is_delivered_as_soon_as_it_is_full():
    pieces = [*cut([0, 1], []), AssertionError("nobody should wait for more")]
    assert next(read([pieces], 2)).rows.tolist() == [0, 1]


def test_rows_are_delivered_as_they_arrive_if_no_size_is_asked_for():
    rows = range(10_000)
    found = [chunk.rows for chunk in read([cut(rows, [1, 4, 9_000])], None)]
    np.testing.assert_array_equal(np.concatenate(found), rows)
    assert [*map(len, found)] == [1, 3, 4096, 4096, 804, 1000]


@pytest.mark.parametrize("error", [BadRow("rows.csv", 8, 7, "bad"), ReadingError("damaged")])
def test_a_chunk_that_cannot_be_whole_is_not_delivered(error):
    chunks = read([[*cut(range(7), [2]), error]], 3, on_bad=None)
    assert [next(chunks).rows.tolist() for _ in range(2)] == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(type(error)):
        next(chunks)
