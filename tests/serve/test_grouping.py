"""Requests that come together are one group, and each row of it is what it was by itself."""

import numpy as np

from budgetron.serve.grouping import grouped
from budgetron.serve.jobs import Learn, Tell
from budgetron.serve.waiting import WaitingRow


def in_bytes(*numbers):
    return np.array(numbers, float).tobytes()


def waiting(version, *advice):
    return WaitingRow(
        x=in_bytes(1, 2),
        version=version,
        row=0,
        label="a",
        classes=["a", "b"],
        score=in_bytes(-0.5),
        advice=in_bytes(*advice),
    )


def test_rows_without_weights_count_once_beside_rows_that_have_some():
    plain = Learn(X=np.eye(2), y=["a", "b"], weight=None, key=None)
    weighted = Learn(X=np.ones((1, 2)), y=["b"], weight=[3.0], key=None)
    group = grouped([plain, weighted], {}, row=7, version=1)
    assert group.prompt.weight == [1.0, 1.0, 3.0]
    assert group.prompt.y == ["a", "b", "b"]
    assert [(asked.first, asked.rows) for asked in group.requests] == [(0, 2), (2, 1)]
    assert grouped([plain], {}, row=7, version=1).prompt.weight is None


def test_what_was_noted_before_a_rollback_is_not_learned_by():
    told = Tell(ids=["old", "new"], y=["a", "b"], weight=[None, None])
    rows = {"old": (1, waiting(1, 0.25, 0.75)), "new": (2, waiting(2, 0.5, 0.5))}
    noted = grouped([told], rows, row=7, version=2).late.noted()
    np.testing.assert_array_equal(noted, [[np.nan, np.nan], [0.5, 0.5]])
