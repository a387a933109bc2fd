"""predict, race, certify, learners, datasets."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import budgetron
from budgetron import Forgetron, certify, datasets, prequential
from budgetron.cli.app import app
from budgetron.datasets.catalogue import catalogue
from cli.streams_of_rows import write_csv

LEARNER = ("-l", "Forgetron", "-s", "budget=20", "-s", "gamma=2")


def run(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "stream.csv"
    return path, *write_csv(path, 500)


@pytest.fixture
def model(tmp_path, stream):
    path = tmp_path / "model.budgetron"
    run("run", stream[0], *LEARNER, "-s", "probability=true", "--model", path)
    return path


def test_three_commands_lead_from_a_csv_to_a_model_a_chart_and_a_certificate(tmp_path, stream):
    path, X, y = stream
    model, chart = tmp_path / "model.budgetron", tmp_path / "race.svg"
    assert run("run", path, *LEARNER, "--model", model).exit_code == 0
    two = ("-l", "Forgetron budget=20", "-l", "Stoptron budget=20")
    assert run("race", path, *two, "--chart", chart).exit_code == 0
    certified = run("certify", "Forgetron", path, "-s", "budget=20", "-s", "gamma=2")
    assert model.exists() and "<svg" in chart.read_text()
    assert certified.stdout == f"{certify(Forgetron(budget=20, gamma=2), X, y)}\n"


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


def test_a_race_makes_the_mistakes_of_single_runs(stream):
    path, X, y = stream
    result = run(
        "race", path, "-l", "forgetron budget=20", "-l", "Perceptron", "-s", "gamma=2", "--json"
    )
    told = json.loads(result.stdout)
    assert told["rows"] == 500
    expected = {
        "Forgetron budget=20": Forgetron(budget=20, gamma=2),
        "Perceptron": budgetron.Perceptron(gamma=2),
    }
    for each in told["results"]:
        trace = prequential(expected[each["name"]], X, y)
        assert each["mistakes"] == trace.mistakes.sum()
        ends, errors = each["curve"]["rows"], each["curve"]["error"]
        stretches = np.split(trace.mistakes, ends)[: len(ends)]
        np.testing.assert_allclose(errors, [part.mean() for part in stretches])


def test_a_race_is_shown_as_a_table_with_the_best_first(stream):
    lines = run(
        "race", stream[0], "-l", "Stoptron budget=5", "-l", "Perceptron"
    ).stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["learner", "Perceptron", "Stoptron budget=5"]
    assert "▁" in lines[1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-l", "Nobody"], "there is no learner 'Nobody'; there are"),
        (["-l", "Perceptron", "-s", "budget=3"], "Perceptron has no parameter 'budget'"),
        (["-l", "WhitenedPerceptron"], "needs all rows at once"),
        (["--chart", "race.gif"], "race.gif must end in one of .svg"),
        (["--target", "lable"], "did you mean 'label'?"),
    ],
)
def test_a_race_that_cannot_be_run_is_refused(stream, more, message):
    result = run("race", stream[0], *more)
    assert result.exit_code == 2
    assert message in result.stderr and result.stdout == ""


def test_the_race_over_the_mails_has_no_options():
    assert "say what to read" in run("race", "--json").stderr


def test_some_of_a_stream_can_be_certified(stream):
    path, X, y = stream
    result = run("certify", "Forgetron", path, "-s", "gamma=2", "--rows", 123, "--json")
    assert json.loads(result.stdout) == certify(Forgetron(gamma=2), X[:123], y[:123]).as_dict()


def test_a_stream_too_large_to_be_certified_is_refused(stream, monkeypatch):
    monkeypatch.setattr(sys.modules["budgetron.cli.certify"], "MOST_BYTES", 1_000)
    result = run("certify", "Forgetron", stream[0])
    assert result.exit_code == 2
    assert "needs the whole stream in memory" in result.stderr and "--rows" in result.stderr


def test_every_learner_is_listed():
    told = {each["name"]: each for each in json.loads(run("learners", "--json").stdout)}
    assert set(told) == {
        name for name in budgetron.__all__ if hasattr(getattr(budgetron, name), "predict")
    }
    assert told["Forgetron"]["parameters"] == {"budget": 100}
    assert told["Perceptron"]["parameters"] == {}
    for each in told.values():
        assert each["place"] and each["summary"].endswith(".")
        assert each["name"] in run("learners").stdout


def test_every_data_set_is_listed():
    told = {each["name"]: each for each in json.loads(run("datasets", "--json").stdout)}
    loaders = {name for name in datasets.__all__ if name.startswith("load_")} - {"load_spam_texts"}
    assert {f"load_{name}" for name in told} == loaders
    assert told["spam"]["at_hand"]
    assert "804,414" in run("datasets").stdout


@pytest.mark.parametrize(
    "entry", [each for each in catalogue() if each.at_hand], ids=lambda e: e.name
)
def test_what_is_listed_of_a_data_set_is_so(entry):
    dataset = getattr(datasets, f"load_{entry.name}")(
        **({} if entry.name == "spam" else {"download": False})
    )
    assert dataset.X.shape == (entry.rows, entry.features)
    assert " ".join(dataset.licence.split()) == entry.licence


def test_a_data_set_is_at_hand_where_its_files_are(tmp_path):
    Path(tmp_path, "w8a.xz").touch()
    assert [each.name for each in catalogue(tmp_path) if each.at_hand] == ["spam", "w8a"]


def test_learners_are_completed(monkeypatch):
    monkeypatch.setenv("_BUDGETRON_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "budgetron certify Forg")
    monkeypatch.setenv("COMP_CWORD", "2")
    result = CliRunner().invoke(app, [], prog_name="budgetron")
    assert result.stdout.split() == ["Forgetron"]


@pytest.mark.parametrize("command", [("run", "-l", "Stoptron"), ("race", "-l", "Stoptron")])
@pytest.mark.parametrize("texts", [False, True])
def test_columns_of_unlike_scales_are_remarked_on_unless_they_are_standardized(
    tmp_path, command, texts
):
    path = tmp_path / "people.csv"
    words = [f"some {t} words of {t * t}" if texts else "0" for t in range(300)]
    rows = [f"{t * 7919 % 97},{t * 104729 % 9973}00,{words[t]},{t % 2}" for t in range(300)]
    path.write_text("\n".join(["age,wealth,text,label", *rows]))
    name, *options = command
    result = run(name, path, *options)
    assert result.exit_code == 0
    assert "'wealth' varies by 2.72e+05 and 'age' by 28.1" in result.stderr
    assert "--standardize" in result.stderr
    assert run(name, path, *options, "--standardize").stderr == ""
