"""Why a model says what it says of one row."""

import json

import pytest

import budgetron
from cli.commands import run
from cli.streams_of_rows import write_csv


def test_a_row_of_a_file_is_explained(tmp_path, stream, model):
    path, X, _ = stream
    learner = budgetron.load(model)
    bare = tmp_path / "bare.csv"
    lines = (line.rpartition(",")[0] for line in path.read_text().splitlines())
    bare.write_text("\n".join(lines))
    for source in (path, bare):
        result = run("explain", model, source, "--row", 7)
        assert result.exit_code == 0
        assert result.stdout == f"{learner.explain(X[7])}\n"
    told = json.loads(run("explain", model, path, "--row", 7, "--json").stdout)
    expected = learner.explain(X[7])
    assert told["prediction"] == expected.label and told["rows_learned"] == len(X)
    assert told["scores"]["out"] == expected.scores["out"]
    assert [each["row"] for each in told["supports"]] == [each.row for each in expected.supports]


@pytest.mark.parametrize(
    ("row", "code", "message"),
    [(50, 0, ""), (49, 1, "line 51"), (100, 2, "there is no row 100"), (-1, 2, "--row")],
)
def test_rows_that_are_not_there_are_named(tmp_path, model, row, code, message):
    path = tmp_path / "bad.csv"
    write_csv(path, 100, bad_every=50)
    result = run("explain", model, path, "--row", row)
    assert result.exit_code == code
    assert message in result.stderr
