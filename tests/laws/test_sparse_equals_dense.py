"""How rows are stored is nobody's business."""

import pytest
from scipy import sparse

from budgetron.engine import blocked
from laws.kernels import over_kernels
from laws.learners import LEARNERS, over
from laws.runs import assert_same, run
from streams import gaussian_stream, tied_stream, wordy_stream


@over(LEARNERS)
@over_kernels
@pytest.mark.parametrize("stream", [gaussian_stream, tied_stream, wordy_stream])
def test_sparse_rows_make_the_run_of_dense_rows(case, kernels, stream):
    X, labels = stream()
    from_dense, from_sparse = (
        run(blocked, case.at_work(kernels.engine, rows), rows, labels)
        for rows in (X, sparse.csr_array(X))
    )
    assert_same(from_sparse, from_dense, case.tolerance)
