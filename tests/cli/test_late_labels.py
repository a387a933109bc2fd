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
    ids, labels = zip(*(line.split(",")[1:3] for line in written), strict=True)
    assert ids == tuple(f"r{t}" for t in range(ROWS))
    assert labels == tuple(np.where(known, y, "").tolist())


def conversation(X, y):
    """Rows, some of which have no label, and further on the label with the id and nothing else."""
    rng, lines, arrival = np.random.default_rng(0), [], np.arange(ROWS, dtype=float)
    waiting = []
    for t, x in enumerate(X.tolist()):
        kind, features = rng.integers(3), ",".join(map(str, x))
        lines.append(f"r{t},{features},{y[t] if kind == 0 else ''}")
        if kind == 1:
            arrival[t] = np.inf
        elif kind == 2:
            waiting.append(t)
        while waiting and rng.random() < 0.3:
            answered = waiting.pop(int(rng.integers(len(waiting))))
            lines.append(f"r{answered},,,,,{y[answered]}")
            arrival[answered] = t + 0.5 + len(lines) / 1e6
    arrival[waiting] = np.inf
    return ["id,x0,x1,x2,x3,label", *lines], arrival


def test_labels_of_later_rows_are_learned_when_they_come(tmp_path):
    X, y = write_csv(tmp_path / "labelled.csv", ROWS)
    lines, arrival = conversation(X, y)
    rows, parts = tmp_path / "rows.csv", tmp_path / "parts.csv"
    rows.write_text("\n".join(lines) + "\n")
    trace, learner = trace_of(X, y, delay=arrival)
    known = np.isfinite(arrival)
    expected = {
        "rows": len(lines) - 1,
        "learned": ROWS,
        "mistakes": trace.mistakes[known].sum(),
        "updates": learner.n_updates_,
        "waiting": (~known).sum(),
        "unlabelled": (~known).sum(),
    }
    for window in (1, 64, 4096):
        how = *LEARNER, "--id", "id", "--json", "--window", window
        assert counts(run("run", rows, *how)) == expected, window
    how = *how, "--resume", "--model", tmp_path / "parts.model"
    for count in (3, 100, 101, 400, len(lines)):
        parts.write_text("\n".join(lines[:count]) + "\n")
        told = counts(run("run", parts, *how))
    assert told == expected


def test_weights_are_those_of_prequential(tmp_path):
    X, y = write_csv(tmp_path / "stream.csv", ROWS)
    weights = np.random.default_rng(0).integers(0, 4, ROWS)
    header, *lines = (tmp_path / "stream.csv").read_text().splitlines()
    rows = [f"{line},{weight}" for line, weight in zip(lines, weights, strict=True)]
    (tmp_path / "weighted.csv").write_text("\n".join([f"{header},often", *rows]))
    trace, _ = trace_of(X, y, sample_weight=weights)
    told = run("run", tmp_path / "weighted.csv", *LEARNER, "--weight", "often", "--json")
    assert counts(told)["mistakes"] == trace.mistakes.sum()
    assert trace.mistakes.sum() != trace_of(X, y)[0].mistakes.sum()


WRONG = {
    "an arrival alone": (["--arrival", "after"], "--answers"),
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
