"""What is written for other programs is what ours go over."""

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from benchmarks import export
from benchmarks.workloads import WORKLOADS


@pytest.mark.parametrize("name", ["a9a", "spam"])
def test_svmlight_has_the_same_rows_and_signs(tmp_path, monkeypatch, capsys, name):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    stream = WORKLOADS[name].stream(600)
    monkeypatch.setitem(export.SCALES, "usual", export.SCALES["quick"])
    file = tmp_path / "rows.svm"
    export.main([name, str(file)])
    X, signs = load_svmlight_file(str(file), n_features=stream.features, zero_based=False)
    np.testing.assert_array_equal(signs, np.where(stream.y, 1, -1))
    dense = stream.X.toarray() if stream.is_sparse else stream.X
    np.testing.assert_array_equal(X.toarray(), dense)
    assert {line[:3] for line in file.read_text().splitlines()} == {"+1 ", "-1 "}
    assert f"600 rows of {stream.features} features, a stand-in" in capsys.readouterr().out


def test_csv_has_the_label_first_and_all_values(tmp_path, monkeypatch):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    stream = WORKLOADS["a9a"].stream(20)
    with open(tmp_path / "rows.csv", "w") as file:
        export.write_csv(stream, file)
    table = np.loadtxt(tmp_path / "rows.csv", delimiter=",")
    np.testing.assert_array_equal(table[:, 0], np.where(stream.y, 1, -1))
    np.testing.assert_array_equal(table[:, 1:], stream.X)
