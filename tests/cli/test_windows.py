"""Windows do not depend on how rows arrive."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from budgetron.cli.windows import windows
from budgetron.reading import Chunk


def chunks(rows, cuts, make):
    X = make(np.array(rows, float)[:, None])
    bounds = [0, *sorted(cut % (len(rows) + 1) for cut in cuts), len(rows)]
    for first, last in pairwise(bounds):
        here = slice(first, last)
        yield Chunk(X[here], np.array(rows)[here] % 2, np.array(rows)[here])


@given(
    st.sets(st.integers(0, 60), min_size=1).map(sorted),
    st.lists(st.integers(0, 60)),
    st.integers(1, 9),
    st.sampled_from([np.asarray, sparse.csr_matrix]),
)
def test_each_window_has_the_rows_between_two_multiples(rows, cuts, size, make):
    found = [*windows(chunks(rows, cuts, make), size)]
    assert [[*window.rows] for window in found] == [
        [row for row in rows if row // size == place]
        for place in dict.fromkeys(row // size for row in rows)
    ]
    for window in found:
        X = window.X.toarray() if sparse.issparse(window.X) else window.X
        assert X.ravel().tolist() == window.rows.tolist()
        assert window.y.tolist() == (window.rows % 2).tolist()


def test_a_window_is_delivered_as_soon_as_it_is_full():
    def arriving():
        yield from chunks([0, 1], [], np.asarray)
        raise AssertionError("nobody should wait for more")

    assert next(windows(arriving(), 2)).rows.tolist() == [0, 1]
