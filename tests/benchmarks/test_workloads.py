"""Stand-ins have the shape of what they stand in for."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import SGDClassifier

import budgetron
from benchmarks.scale import SCALES
from benchmarks.workloads import WORKLOADS, Stream, chosen, stand_in

ROWS = 1500


@pytest.fixture(autouse=True)
def without_data(monkeypatch, tmp_path):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))


@pytest.mark.parametrize("name", WORKLOADS)
def test_stand_ins_have_the_right_shape_and_density(name):
    workload = WORKLOADS[name]
    stream, shape = workload.stream(ROWS), workload.shape
    assert not stream.is_real
    assert stream.X.shape == (ROWS, shape.features)
    assert sparse.issparse(stream.X) is shape.is_sparse
    filled = (stream.X != 0).sum() / ROWS
    assert filled == pytest.approx(shape.filled, rel=0.1)
    assert set(stream.y) == {0, 1}
    assert set(workload.classes(ROWS).y) == set(range(shape.classes))


def test_rows_of_length_one_have_it():
    X, _ = stand_in(WORKLOADS["reuters"].shape._replace(rows=50))
    np.testing.assert_allclose(X.multiply(X).sum(axis=1), 1)


def test_a_kernel_finds_the_border_of_a_stand_in_better_than_a_straight_one():
    X, y = stand_in(WORKLOADS["spam"].shape._replace(rows=3000))
    stream = Stream("spam", X, y, is_real=False)
    trace = budgetron.prequential(budgetron.Perceptron(gamma=stream.gamma), X, y)
    straight = SGDClassifier(random_state=0).fit(X[:2000], y[:2000])
    assert trace.mistakes[2000:].mean() < 1 - straight.score(X[2000:], y[2000:])


def test_a_scale_chooses_among_the_workloads():
    assert [workload.name for workload in chosen(SCALES["quick"])] == ["a9a", "spam"]
    assert [workload.name for workload in chosen(SCALES["usual"], "a9a", "digits")] == [
        "a9a",
        "digits",
    ]
