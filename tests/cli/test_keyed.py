"""`budgetron run --key`: a learner for each value of a column, stopped, gone on with and asked."""

import json

import numpy as np
import pytest

from budgetron import Forgetron
from budgetron.keyed import KeyedClassifier, load
from cli.commands import run

ROWS, KEYS = 400, 8
RNG = np.random.default_rng(0)
X, KEY = RNG.normal(size=(ROWS, 2)).round(3), RNG.integers(0, KEYS, ROWS)
Y = np.where(X[:, 0] * (-1) ** KEY > 0, "yes", "no")
LEARNER = (
    *("--learner", "Forgetron", "--set", "budget=10", "--set", "gamma=0.5"),
    *("--set", "probability=False"),
)


@pytest.fixture
def shops(tmp_path):
    def write(rows):
        path = tmp_path / "shops.csv"
        lines = (f"s{k},{x[0]},{x[1]},{y}\n" for k, x, y in zip(KEY, X, Y, strict=True))
        path.write_text("shop,a,b,label\n" + "".join([*lines][:rows]))
        return path

    return write


def told_by(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_each_key_has_a_learner_and_a_run_goes_on(shops, tmp_path):
    model = tmp_path / "model"
    command = ("--key", "shop", *LEARNER, "--target", "label", "--model", model, "--window", 64)
    whole = json.loads(told_by("run", shops(ROWS), *command, "--json"))
    first = load(model)
    assert whole["keys"] == KEYS == len(first) and whole["live"] == KEYS
    assert whole["mistakes"] == first.n_mistakes_ and whole["updates"] == first.n_updates_
    worst = next(iter(whole["worst"].values()))
    assert worst["error"] == max(it["error"] for it in first.metrics().values())
    model.unlink()
    told_by("run", shops(150), *command, "--live", 3)
    again = json.loads(told_by("run", shops(ROWS), *command, "--resume", "--json"))
    assert again["mistakes"] == whole["mistakes"] and again["metrics"] == whole["metrics"]
    second = load(model)
    second.live = None
    assert {key: second.learner(key).dumps() for key in second.keys_} == {
        key: first.learner(key).dumps() for key in first.keys_
    }


def test_predictions_are_those_of_each_key(shops, tmp_path):
    model, rows = tmp_path / "model", shops(ROWS)
    told_by("run", rows, "--key", "shop", *LEARNER, "--target", "label", "--model", model)
    lines = told_by("predict", model, rows).splitlines()
    assert lines[0] == "row,shop,prediction,score"
    keys = [f"s{k}" for k in KEY]
    predicted = [line.split(",")[2] for line in lines[1:]]
    assert predicted == load(model).predict(X, keys=keys).tolist()
    for command in ("evaluate", "explain"):
        result = run(command, model, rows)
        assert result.exit_code != 0 and "can only run and predict" in result.stderr


def test_a_long_key_is_shown_in_short(shops):
    rows = shops(ROWS)
    rows.write_text(rows.read_text().replace("s1,", "k" * 5000 + ","))
    told = told_by("run", rows, "--key", "shop", *LEARNER, "--target", "label")
    assert "k" * 37 + "... " in told and max(map(len, told.splitlines())) < 500


def test_what_does_not_go_with_keys_is_told(shops, tmp_path):
    rows = shops(ROWS)
    KeyedClassifier(Forgetron()).save(tmp_path / "bare")
    for more, why in (
        (("--live", 3), "--live is for learners behind a --key"),
        (("--key", "shop", "--delay", 2), "labels come at once"),
        (("--key", "shop", "--id", "a"), "labels come at once"),
        (("--key", "nothing"), "nothing"),
        (("--from", tmp_path / "bare"), "was not made by budgetron run"),
    ):
        result = run("run", rows, "--target", "label", *more)
        assert result.exit_code != 0 and why in result.stderr
