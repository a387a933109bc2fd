"""What a model says of further rows."""

import json

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from budgetron import Forgetron
from cli.commands import LEARNER, run
from cli.streams_of_rows import write_csv


def test_predictions_of_a_model_need_no_labels(tmp_path, stream, model):
    path, X, y = stream
    learner = Forgetron(budget=20, gamma=2).fit(X, y)
    bare = tmp_path / "bare.csv"
    lines = (line.rpartition(",")[0] for line in path.read_text().splitlines())
    bare.write_text("\n".join(lines))
    for source in (path, bare):
        result = run("predict", model, source)
        header, *lines = result.stdout.splitlines()
        assert header == "row,prediction,score"
        rows, labels, scores = zip(*(line.split(",") for line in lines), strict=True)
        assert [*map(int, rows)] == [*range(len(X))] and (*labels,) == (*learner.predict(X),)
        np.testing.assert_allclose([*map(float, scores)], np.abs(learner.decision_function(X)))


def test_probabilities_of_a_model(tmp_path, stream, model):
    path, X, y = stream
    output = tmp_path / "out.csv"
    result = run("predict", model, path, "--probabilities", "--output", output)
    assert result.exit_code == 0 and result.stdout == ""
    header, *lines = output.read_text().splitlines()
    assert header == "row,prediction,score,probability of in,probability of out"
    learner = Forgetron(budget=20, gamma=2, probability=True).fit(X, y)
    found = np.array([line.split(",")[3:] for line in lines], float)
    np.testing.assert_array_equal(found, learner.predict_proba(X))


def test_a_model_without_probabilities_says_how_to_get_them(tmp_path, stream):
    model = tmp_path / "model"
    run("run", stream[0], *LEARNER, "-s", "probability=false", "--model", model)
    result = run("predict", model, stream[0], "--probabilities")
    assert result.exit_code == 2
    assert "--set probability=True" in result.stderr


def predicted(told):
    """Rows, predictions and scores, but for their last digits."""
    assert told.exit_code == 0, told.stderr
    lines = (line.split(",") for line in told.stdout.splitlines()[1:])
    return [(row, label, round(float(score), 9)) for row, label, score in lines]


def test_rows_of_another_format_are_predicted_alike(tmp_path, stream, model):
    path, X, _ = stream
    expected = predicted(run("predict", model, path))
    columns = {f"x{i}": own for i, own in enumerate(X.T)}
    parquet.write_table(pa.table(columns | {"more": ["?"] * len(X)}), tmp_path / "rows.parquet")
    rows = [{name: float(own[t]) for name, own in columns.items()} for t in range(len(X))]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    german = (";".join(map(str, row.values())).replace(".", ",") for row in rows)
    text = "\n".join(["x0;x1;x2;x3", *german])
    (tmp_path / "rows.csv").write_text(text, encoding="utf-16")
    for name in ("rows.parquet", "rows.jsonl"):
        told = run("predict", model, tmp_path / name, "--output", "-")
        assert predicted(told) == expected
    how = ("--delimiter", ";", "--encoding", "utf-16")
    assert predicted(run("predict", model, tmp_path / "rows.csv", *how)) == expected
    refused = run("predict", model, tmp_path / "rows.svm")
    assert refused.exit_code == 2 and "no use for svmlight" in refused.stderr


def test_a_model_is_judged_without_learning(tmp_path, stream, model):
    path, X, y = stream
    before = model.read_bytes()
    told = json.loads(run("evaluate", model, path, "--json").stdout)
    wrong = (Forgetron(budget=20, gamma=2).fit(X, y).predict(X) != y).mean()
    assert told["error"] == wrong
    assert told["last_label"]["mistakes"] == (y[1:] != y[:-1]).sum() + 1
    assert sum(map(sum, told["confusion_matrix"])) == len(y)
    assert model.read_bytes() == before


def test_bad_rows_are_not_predicted(tmp_path, model):
    path, aside = tmp_path / "bad.csv", tmp_path / "aside.jsonl"
    write_csv(path, 100, bad_every=50)
    assert run("predict", model, path).exit_code == 1
    result = run("predict", model, path, "--aside", aside)
    rows = [int(line.split(",")[0]) for line in result.stdout.splitlines()[1:]]
    assert rows == [row for row in range(100) if row % 50 != 49]
    assert len(aside.read_text().splitlines()) == 2


def test_what_is_no_model_is_said(tmp_path, stream):
    for path in (stream[0], tmp_path / "nothing"):
        result = run("predict", path, stream[0].with_name("other.csv"))
        assert result.exit_code == 2
        assert "cannot be read" in result.stderr
