"""What a model says of further rows."""

import numpy as np

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
        assert header == "row,prediction"
        assert lines == [f"{row},{label}" for row, label in enumerate(learner.predict(X))]


def test_probabilities_of_a_model(tmp_path, stream, model):
    path, X, y = stream
    output = tmp_path / "out.csv"
    result = run("predict", model, path, "--probabilities", "--output", output)
    assert result.exit_code == 0 and result.stdout == ""
    header, *lines = output.read_text().splitlines()
    assert header == "row,prediction,probability of in,probability of out"
    learner = Forgetron(budget=20, gamma=2, probability=True).fit(X, y)
    found = np.array([line.split(",")[2:] for line in lines], float)
    np.testing.assert_array_equal(found, learner.predict_proba(X))


def test_a_model_without_probabilities_says_how_to_get_them(tmp_path, stream):
    model = tmp_path / "model"
    run("run", stream[0], *LEARNER, "--model", model)
    result = run("predict", model, stream[0], "--probabilities")
    assert result.exit_code == 2
    assert "--set probability=True" in result.stderr


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
