"""Labels that come late, from the command line."""

import json

import numpy as np
import pytest

from budgetron import Forgetron, prequential
from budgetron.saving import load_with_waiting
from cli.commands import LEARNER, run
from cli.streams_of_rows import write_csv

ROWS = 700
COUNTS = ("rows", "learned", "mistakes", "updates", "waiting", "unlabelled")


def trace_of(X, y, **late):
    learner = Forgetron(budget=20, gamma=2, random_state=0)
    return prequential(learner, X, y, **late), learner


def counts(told):
    assert told.exit_code == 0, told.stderr
    numbers = json.loads(told.stdout)
    return {name: numbers[name] for name in COUNTS}


def test_a_delay_is_that_of_prequential(tmp_path):
    X, y = write_csv(tmp_path / "stream.csv", ROWS)
    trace, learner = trace_of(X, y, delay=40)
    arguments = "run", tmp_path / "stream.csv", *LEARNER, "--delay", 40, "--window", 64
    told = counts(run(*arguments, "--json", "--model", tmp_path / "model"))
    assert told == dict(
        zip(COUNTS, [ROWS, ROWS, trace.mistakes.sum(), learner.n_updates_, 40, 0], strict=True)
    )
    assert len(load_with_waiting(tmp_path / "model")[1]) == 40
    assert "40 rows, whose labels have not come" in run(*arguments).stdout


@pytest.mark.parametrize("bad_every", [None, 7])
def test_rows_that_wait_are_gone_on_with(tmp_path, bad_every):
    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv"
    write_csv(whole, ROWS, bad_every=bad_every)
    lines = whole.read_text().splitlines(keepends=True)
    more = *LEARNER, "--delay", 50, "--window", 64, "--json", "--resume"

    def go(stream, name):
        outputs = [tmp_path / f"{name}.{kind}" for kind in ("model", "said", "aside")]
        options = zip(("--model", "--predictions", "--aside"), outputs, strict=True)
        return counts(run("run", stream, *more, *(word for pair in options for word in pair)))

    expected = go(whole, "whole")
    for rows in (30, 64, 65, 98, 400, ROWS):
        parts.write_text("".join(lines[: rows + 1]))
        told = go(parts, "parts")
    assert told == expected
    ours, theirs = (
        [line.split(",")[:3] for line in (tmp_path / f"{name}.said").read_text().splitlines()]
        for name in ("parts", "whole")
    )
    assert ours[30:] == theirs[30:]  # before there is a label, there is nothing to predict
    refused = run("run", parts, *LEARNER, "--resume", "--model", tmp_path / "parts.model")
    assert refused.exit_code == 2


def test_labels_of_another_file_come_when_it_says(tmp_path):
    X, y = write_csv(tmp_path / "labelled.csv", ROWS)
    rng = np.random.default_rng(0)
    arrival = np.arange(ROWS) + rng.integers(0, 60, size=ROWS)
    known = rng.random(ROWS) < 0.8
    rows = [f"r{t}," + ",".join(map(str, x)) for t, x in enumerate(X.tolist())]
    (tmp_path / "rows.csv").write_text("\n".join(["id,x0,x1,x2,x3", *rows]) + "\n")
    found = [f"{y[t]},r{t},{arrival[t]}" for t in rng.permutation(np.flatnonzero(known))]
    (tmp_path / "answers.csv").write_text("\n".join(["label,id,after", *found]) + "\n")
    trace, learner = trace_of(X, y, delay=np.where(known, arrival, np.inf))
    told = run(
        *("run", tmp_path / "rows.csv", *LEARNER, "--json", "--window", 64, "--id", "id"),
        *("--answers", tmp_path / "answers.csv", "--arrival", "after"),
        *("--predictions", tmp_path / "predictions.csv"),
    )
    assert counts(told) == {
        "rows": ROWS,
        "learned": ROWS,
        "mistakes": trace.mistakes[known].sum(),
        "updates": learner.n_updates_,
        "waiting": len(trace.waiting),
        "unlabelled": (~known).sum(),
    }
    written = (tmp_path / "predictions.csv").read_text().splitlines()[1:]
    assert [line.split(",")[1] for line in written] == np.where(known, y, "").tolist()


WRONG = {
    "an id alone": (["--id", "id"], "--answers"),
    "answers without an id": (["--answers", "answers.csv"], "needs an --id"),
    "two times": (
        ["--answers", "answers.csv", "--id", "id", "--arrival", "after", "--delay", 3],
        "not both",
    ),
    "no such file": (["--answers", "nothing.csv", "--id", "id"], "cannot be read"),
    "no such column": (["--answers", "answers.csv", "--id", "key"], "cannot be read"),
    "a label to learn from": (["--answers", "answers.csv", "--id", "id"], "--ignore label"),
    "too early": (
        ["--answers", "answers.csv", "--id", "id", "--arrival", "after", "--ignore", "label"],
        "before its own",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_told(tmp_path, monkeypatch, wrong):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("id,x,label\na,1,yes\nb,2,no\n")
    (tmp_path / "answers.csv").write_text("id,label,after\na,yes,0\nb,no,0\n")
    options, reason = WRONG[wrong]
    told = run("run", "rows.csv", *LEARNER, *options)
    assert told.exit_code == 2
    assert reason in told.stderr
