"""How rows are stored is nobody's business."""

import numpy as np
import pytest
from scipy import sparse

from budgetron import Forgetron, prequential
from budgetron.engine import blocked
from covering import across
from laws.kernels import KERNELS
from laws.learners import ONE_OF_EACH_KIND
from laws.runs import assert_same, run
from streams import gaussian_stream, tied_stream, wordy_stream


@across(ONE_OF_EACH_KIND, kernels=KERNELS)
def test_sparse_rows_make_the_run_of_dense_rows(case, kernels):
    for stream in (gaussian_stream, tied_stream, wordy_stream):
        X, labels = stream()
        from_dense, from_sparse = (
            run(blocked, case.at_work(kernels.engine, rows), rows, labels)
            for rows in (X, sparse.csr_array(X))
        )
        assert_same(from_sparse, from_dense, case.tolerance, stream.__name__)


@pytest.mark.parametrize("seed", range(3))
def test_on_a_long_and_noisy_stream_a_forgetron_shrinks_by_the_same_steps(seed):
    rng = np.random.default_rng(seed)
    X = np.zeros((12_000, 60))
    flags = rng.random(X.shape).argpartition(8, axis=1)[:, :8]
    np.put_along_axis(X, flags, 1.0, axis=1)
    scores = X @ rng.standard_normal(60) + rng.normal(scale=1.5, size=len(X))
    y = scores > np.quantile(scores, 0.76)
    dense, stored = (
        prequential(Forgetron(budget=100, gamma=0.07), rows, y) for rows in (X, sparse.csr_array(X))
    )
    assert np.array_equal(dense.mistakes, stored.mistakes)
    assert np.array_equal(dense.evicted, stored.evicted)
