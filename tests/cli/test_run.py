"""One learner over a stream of one's own."""

import gzip
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from sklearn.datasets import dump_svmlight_file

from budgetron import RandomizedBudgetPerceptron, prequential
from budgetron.saving import load_with_notes
from cli.commands import run
from cli.process import finish
from cli.streams_of_rows import write_csv

ROWS = 700
TAKEN = "label 'label' (in, out); 4 features from 4 numbers\n"
LEARNER = ("-l", "RandomizedBudgetPerceptron", "-s", "budget=20", "-s", "gamma=2")


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "stream.csv"
    return path, *write_csv(path, ROWS)


def expected(X, y):
    learner = RandomizedBudgetPerceptron(budget=20, gamma=2, random_state=0)
    return prequential(learner, X, y), learner


def write_jsonl(path, X, y):
    rows = ({f"x{i}": v for i, v in enumerate(x)} for x in X.tolist())
    lines = (json.dumps(row | {"label": label}) for row, label in zip(rows, y, strict=True))
    path.write_text("\n".join(lines))


def table(X, y):
    return pa.table({f"x{i}": column for i, column in enumerate(X.T)} | {"label": y})


FORMATS = {
    "a.jsonl": write_jsonl,
    "a.parquet": lambda path, X, y: parquet.write_table(table(X, y), path),
    "a.arrow": lambda path, X, y: feather.write_feather(table(X, y), str(path)),
    "a.svm": lambda path, X, y: dump_svmlight_file(X, y == "out", str(path), zero_based=True),
}


def test_the_numbers_are_those_of_prequential(stream, tmp_path):
    path, X, y = stream
    trace, learner = expected(X, y)
    summary = tmp_path / "summary.json"
    result = run("run", path, *LEARNER, "--json", "--summary", summary)
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told == json.loads(summary.read_text())
    assert told["rows"] == told["learned"] == ROWS
    assert told["bad_rows"] == 0
    assert told["mistakes"] == trace.mistakes.sum() == learner.n_mistakes_
    assert told["error"] == trace.mistakes.mean()
    assert told["updates"] == trace.updates.sum()
    assert told["size"] == told["largest_size"] == 20
    assert told["rows_per_second"] > 0


def test_people_are_told_in_words(stream):
    path, X, y = stream
    result = run("run", path, *LEARNER)
    assert f"{expected(X, y)[0].mistakes.sum()}, " in result.stdout
    assert "no better" not in result.stdout
    assert "RandomizedBudgetPerceptron(budget=20, gamma=2)" in result.stdout
    assert "\x1b" not in result.stdout


def test_a_learner_that_is_no_better_than_a_habit_is_seen_to_be_so(tmp_path):
    path, rng = tmp_path / "rare.csv", np.random.default_rng(0)
    X, y = rng.normal(size=(600, 2)), rng.choice(["no", "yes"], 600, p=[0.96, 0.04])
    np.savetxt(path, np.column_stack([X.astype(str), y]), "%s", ",", header="a,b,y", comments="")
    words = run("run", path, *LEARNER).stdout.split("\n")
    told = json.loads(run("run", path, *LEARNER, "--json").stdout)["metrics"]
    assert told["majority"]["mistakes"] == (y == "yes").sum() + 1  # of the first nothing is known
    assert told["mistakes"] > told["majority"]["mistakes"]
    (line,) = (it for it in words if it.startswith("mistakes"))
    assert "no better than the commonest label so far" in line
    assert any(f"{told['majority']['mistakes']}, " in it for it in words if "commonest" in it[:20])


def test_a_run_goes_on_with_its_metrics(tmp_path, stream):
    path, whole = stream[0], stream[0].read_text()
    model, chart = tmp_path / "model", tmp_path / "errors.svg"
    command = ("run", path, *LEARNER, "--model", model, "--resume", "--json", "--window", 64)
    path.write_text("".join(whole.splitlines(keepends=True)[:401]))
    run(*command, "--delay", 10)
    path.write_text(whole)
    resumed = json.loads(run(*command, "--delay", 10, "--chart", chart).stdout)
    once = json.loads(run("run", path, *LEARNER, "--delay", 10, "--json").stdout)
    for name in ("metrics", "curve"):
        assert {**resumed[name], "log_loss": 0} == {**once[name], "log_loss": 0}
    assert resumed["metrics"]["log_loss"] == pytest.approx(once["metrics"]["log_loss"])
    assert ET.parse(chart).getroot().tag.endswith("svg")


def test_budgetron_with_probabilities_is_what_is_taken(tmp_path, stream):
    model = tmp_path / "model"
    told = json.loads(run("run", stream[0], "--model", model, "--json").stdout)
    learner = load_with_notes(model)[0]
    assert told["learner"] == "Budgetron()" and type(learner).__name__ == "Budgetron"
    assert learner.probability and told["metrics"]["log_loss"] < 0.5


def test_predictions_are_those_made_before_learning(stream, tmp_path):
    path, X, y = stream
    trace, _ = expected(X, y)
    predictions = tmp_path / "predictions.csv"
    assert run("run", path, *LEARNER, "--predictions", predictions).exit_code == 0
    header, *lines = (line.split(",") for line in predictions.read_text().splitlines())
    assert header == ["row", "label", "prediction", "score"]
    rows, labels, predicted, scores = zip(*lines, strict=True)
    assert [*map(int, rows)] == [*range(ROWS)]
    assert (*labels,) == (*y,) and (*predicted,) == (*trace.predictions,)
    np.testing.assert_array_equal(np.array(scores, float), np.abs(trace.scores))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_learned_alike(tmp_path, stream, name):
    _, X, y = stream
    FORMATS[name](tmp_path / name, X, y)
    result = run("run", tmp_path / name, *LEARNER, "--json")
    assert json.loads(result.stdout)["mistakes"] == expected(X, y)[0].mistakes.sum()


def test_several_inputs_are_one_stream(tmp_path, stream):
    path, X, y = stream
    header, *lines = path.read_text().splitlines(keepends=True)
    parts = [tmp_path / "1.csv.gz", tmp_path / "2.csv"]
    parts[0].write_bytes(gzip.compress((header + "".join(lines[:300])).encode()))
    parts[1].write_text(header + "".join(lines[300:]))
    result = run("run", *parts, *LEARNER, "--json")
    assert json.loads(result.stdout)["mistakes"] == expected(X, y)[0].mistakes.sum()


def test_standard_input_is_read_and_json_is_all_there_is_on_stdout(stream):
    path, X, y = stream
    asked = ["run", "-", "--format", "csv", *LEARNER, "--json"]
    command = [sys.executable, "-m", "budgetron", *asked]
    done = subprocess.run(
        command, input=path.read_bytes(), capture_output=True, check=True, env=_environment()
    )
    assert json.loads(done.stdout)["mistakes"] == expected(X, y)[0].mistakes.sum()
    assert done.stderr == b""


def _environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def test_a_bad_row_stops_the_run_before_anything_around_it_is_learned(tmp_path):
    path, model = tmp_path / "bad.csv", tmp_path / "model"
    write_csv(path, 1_000, bad_every=650)
    command = ("run", path, *LEARNER, "--model", model, "--window", 100)
    result = run(*command)
    assert result.exit_code == 1
    reason = "bad.csv, line 651: it has 2 fields instead of 5 (--aside FILE sets bad rows aside)"
    assert f"{reason}; 600 rows were done" in result.stderr
    assert result.stdout == TAKEN
    X, y = write_csv(path, 1_000)
    result = run(*command, "--resume", "--json")
    assert json.loads(result.stdout)["mistakes"] == expected(X, y)[0].mistakes.sum()


def test_bad_rows_are_set_aside_and_not_learned(tmp_path):
    path, aside = tmp_path / "bad.csv", tmp_path / "aside.jsonl"
    X, y = write_csv(path, 1_000, bad_every=100)
    result = run("run", path, *LEARNER, "--aside", aside, "--json", "--window", 64)
    told = json.loads(result.stdout)
    good = np.arange(1_000) % 100 != 99
    assert (told["rows"], told["learned"], told["bad_rows"]) == (1_000, 990, 10)
    assert told["mistakes"] == expected(X[good], y[good])[0].mistakes.sum()
    bad = [json.loads(line) for line in aside.read_text().splitlines()]
    assert [each["row"] for each in bad] == [*range(99, 1_000, 100)]
    assert bad[0] == {
        "input": str(path),
        "line": 101,
        "row": 99,
        "reason": "it has 2 fields instead of 5",
        "text": "what,is this",
    }


def test_a_finished_run_goes_on_when_its_input_has_grown(tmp_path, stream):
    path, X, y = stream
    model, whole = tmp_path / "model", path.read_text()
    lines = whole.splitlines(keepends=True)
    path.write_text("".join(lines[:401]))
    command = ("run", path, *LEARNER, "--model", model, "--resume", "--json")
    assert json.loads(run(*command).stdout)["rows"] == 400
    path.write_text(whole)
    told = json.loads(run(*command).stdout)
    assert told["rows"] == ROWS
    assert told["mistakes"] == expected(X, y)[0].mistakes.sum()


def test_a_model_goes_on_with_another_stream(tmp_path, stream):
    path, X, y = stream
    header, *lines = path.read_text().splitlines(keepends=True)
    days = [tmp_path / "monday.csv", tmp_path / "tuesday.csv"]
    for day, some in zip(days, (lines[:300], lines[300:]), strict=True):
        day.write_text(header + "".join(some))
    model = tmp_path / "model"
    monday = run("run", days[0], *LEARNER, "--model", model, "--json")
    for _ in range(2):  # the second time there is nothing left to do
        tuesday = run(
            "run", days[1], "--from", model, "--model", model, "--window", 64, "--json", "--resume"
        )
        trace, _ = expected(X, y)
        told = [json.loads(result.stdout) for result in (monday, tuesday)]
        assert [each["rows"] for each in told] == [300, ROWS - 300]
        assert sum(each["mistakes"] for each in told) == trace.mistakes.sum()
    assert load_with_notes(model)[0].n_seen_ == ROWS


def test_a_model_to_begin_from_has_its_learner(tmp_path, stream):
    model = tmp_path / "model"
    run("run", stream[0], *LEARNER, "--model", model)
    result = run("run", stream[0], *LEARNER, "--from", model)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--from has its learner" in result.stderr


def test_columns_are_read_as_asked(tmp_path):
    path = tmp_path / "mixed.tsv"
    lines = [f"{t % 7}\t{t % 3}\tnoise {t}\t{'?' if t % 5 else 1}\t{t % 2}" for t in range(100)]
    path.write_text("\n".join(["a\tgroup\tjunk\tb\todd", *lines]))
    asked = ("--target", "odd", "--ignore", "junk", "--kind", "group=one-hot")
    result = run(
        *("run", path, *LEARNER, *asked, "--missing", "indicator", "--delimiter", "tab"),
        *("--json", "--model", tmp_path / "model"),
    )
    assert result.exit_code == 0
    learner, _ = load_with_notes(tmp_path / "model")
    assert learner.n_features_in_ == 9
    assert learner.classes_.tolist() == [0, 1]


BAD_REQUESTS = {
    "learner": (["-l", "Forgetrn"], "there is no learner 'Forgetrn': did you mean Forgetron?"),
    "parameter": (["-s", "buget=3"], "has no parameter 'buget': did you mean budget?"),
    "value": (["-s", "budget=0"], "budget must be at least 1, got 0"),
    "setting": (["-s", "budget"], "a parameter is set by name=value, got 'budget'"),
    "column": (["--target", "lable"], "no column 'lable' (did you mean 'label'?)"),
    "ignored": (["--ignore", "x9"], "there is no column 'x9'"),
    "kind": (["--kind", "x0=numbr"], "there is no kind 'numbr': did you mean number?"),
    "kinds": (["--kind", "x0"], "a column's kind is given by column=kind"),
    "delimiter": (["--delimiter", "ab"], "the delimiter must be one ASCII character"),
    "labels": (["--target", "x0"], "has broken numbers, 590 different ones"),
    "resume": (["--resume"], "--resume goes on with a --model, and none is given"),
    "model": (["--model", "nowhere/model"], "nowhere/model cannot be written"),
}


@pytest.mark.parametrize(("more", "message"), BAD_REQUESTS.values(), ids=BAD_REQUESTS)
def test_what_cannot_be_done_is_said_in_one_line(stream, more, message):
    learner = () if "-l" in more else LEARNER
    result = run("run", stream[0], *learner, *more)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("error: ")
    assert result.stdout in ("", TAKEN)


def test_an_input_that_is_not_there_is_said(tmp_path):
    result = run("run", tmp_path / "nothing.csv", *LEARNER)
    assert result.exit_code == 2
    assert "nothing.csv cannot be read: No such file" in result.stderr


def test_a_learner_that_needs_all_rows_is_refused(stream):
    result = run("run", stream[0], "-l", "WhitenedPerceptron")
    assert result.exit_code == 2
    assert "needs all rows at once" in result.stderr


def test_nothing_is_written_over_by_mistake(stream):
    for option in ("--model", "--predictions", "--summary", "--aside"):
        result = run("run", stream[0], *LEARNER, option, stream[0])
        assert result.exit_code == 2
        assert "would be written over" in result.stderr
    assert stream[0].read_text().startswith("x0,")


def test_another_run_is_not_gone_on_with(tmp_path, stream):
    path, other, model = stream[0], tmp_path / "other.csv", tmp_path / "model"
    write_csv(other, 100)
    assert run("run", path, *LEARNER, "--model", model).exit_code == 0
    before = model.read_bytes()
    for arguments, message in (
        ((other, *LEARNER), "has read"),
        ((path, *LEARNER[:2]), "is of RandomizedBudgetPerceptron(budget=20, gamma=2), not of"),
        ((path, *LEARNER, "--predictions", tmp_path / "p"), "was begun without --predictions"),
    ):
        result = run("run", *arguments, "--model", model, "--resume")
        assert result.exit_code == 2
        assert message in result.stderr
    assert model.read_bytes() == before
    assert not (tmp_path / "p").exists()


def test_memory_does_not_grow_with_the_stream(tmp_path):
    peaks = []
    for rows in (10_000, 200_000):
        path, told = tmp_path / f"{rows}.csv", tmp_path / f"{rows}.txt"
        write_csv(path, rows)
        assert finish("run", path, *LEARNER, output=told) == 0
        peaks.append(int(told.read_text().split("peak ")[1].split()[0]))
    assert peaks[1] - peaks[0] < 30_000
