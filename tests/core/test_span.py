"""A stretch of examples leaves in the span what its examples would leave one by one."""

import numpy as np
import pytest

from budgetron import Budgetron
from budgetron.core.edits.span import LEARNED, LOOKED, rotate_both


def test_both_sides_of_a_symmetric_matrix_are_rotated():
    rng = np.random.default_rng(0)
    for n in range(1, 12):
        for first in range(n):
            whole = rng.normal(size=(n, n))
            whole += whole.T
            angles, turned = rng.uniform(0, 7, n), np.eye(n)
            for j in range(first, n - 1):
                pair, (c, s) = [j, j + 1], (np.cos(angles[j]), np.sin(angles[j]))
                turned[pair] = np.array([[c, -s], [s, c]]) @ turned[pair]
            found = np.tril(whole)
            rotate_both(found, np.cos(angles), np.sin(angles), first, n)
            np.testing.assert_allclose(np.tril(found), np.tril(turned @ whole @ turned.T))


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(("exchange", "drift"), [("eager", 0.002), ("careful", 0.3)])
def test_supports_that_are_exchanged_in_a_stretch(classes, exchange, drift):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 5))
    y = (X[:, 0] * X[:, 1] > 0) + 2 * (rng.random(400) < 0.3) if classes > 2 else X[:, 0] > 0
    y[rng.random(400) < 0.2] = 0
    names = np.arange(classes)
    together, one_by_one = (
        Budgetron(40, gamma=0.3, exchange=exchange, drift=drift) for _ in range(2)
    )
    together.partial_fit(X, y.astype(int), names)
    one_by_one.partial_fit(X[:1], y[:1].astype(int), names)
    for x, label in zip(X[1:], y[1:].astype(int), strict=True):
        one_by_one.learn_one(x, label)
    span, alone = (one._learner.lead.state.memory for one in (together, one_by_one))
    assert span.exchanges[0] >= 10
    assert span.ages[LOOKED] > span.ages[LEARNED] - 390
    for name in span._fields:
        np.testing.assert_allclose(
            getattr(span, name), getattr(alone, name), rtol=1e-9, atol=1e-9, err_msg=name
        )
    assert (span.covariance == span.covariance.T).all()
    assert (np.triu(span.inverse, 1) == 0).all()
