"""A run is gone on with only if the rows that it has learned are still there."""

import gzip
import io
import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from cli.commands import LEARNER, run
from cli.streams_of_rows import write_csv

ROWS = 900
MORE = 1000


def lines_of(rows, bad_every=None):
    file = io.StringIO()
    X, y = _points(rows)
    file.write("x0,x1,label\n")
    for t, (x, label) in enumerate(zip(X.tolist(), y, strict=True)):
        broken = bad_every is not None and t % bad_every == bad_every - 1
        file.write("what\n" if broken else f"{x[0]},{x[1]},{label}\n")
    return file.getvalue().splitlines(keepends=True)


def _points(rows):
    X = np.random.default_rng(1).uniform(-1, 1, size=(rows, 2)).round(3)
    return X, np.where((X**2).sum(axis=1) < 0.5, "in", "out")


def edited(lines):
    """One number is another, in the middle."""
    place = len(lines) // 2
    return [*lines[:place], "0.123" + lines[place][lines[place].index(",") :], *lines[place + 1 :]]


def relabelled(lines):
    words = {"in\n": "out\n", "out\n": "in\n"}
    head, _, label = lines[20].rpartition(",")
    return [*lines[:20], f"{head},{words[label]}", *lines[21:]]


def exchanged(lines):
    """Two rows are in each other's place."""
    return [*lines[:30], lines[31], lines[30], *lines[32:]]


CHANGES = {
    "shorter": lambda lines: lines[:201],
    "shorter and edited": lambda lines: edited(lines[:201]),
    "edited": edited,
    "relabelled": relabelled,
    "exchanged": exchanged,
    "one gone": lambda lines: [*lines[:300], *lines[301:]],
    "one more": lambda lines: [*lines[:300], lines[300], *lines[300:]],
    "one bad": lambda lines: [*lines[:300], "what\n", *lines[301:]],
    "empty": lambda lines: lines[:1],
}


class Run:
    """A run in a directory, and all that it leaves there."""

    def __init__(self, directory, stream, *more):
        self.outputs = [directory / name for name in ("model", "predictions", "aside")]
        model, predictions, aside = self.outputs
        self.arguments = (
            *("run", stream, *LEARNER, "--model", model, "--predictions", predictions),
            *("--aside", aside, "--window", 128, "--resume", "--json", *more),
        )

    def go(self):
        return run(*self.arguments)

    def go_on(self, text):
        """With this on standard input."""
        command = [sys.executable, "-m", "budgetron", *map(str, self.arguments)]
        return subprocess.run(command, input=text, text=True, capture_output=True)

    def left(self):
        return [path.read_bytes() for path in self.outputs if path.exists()]


@pytest.mark.parametrize("change", CHANGES)
def test_an_input_that_has_changed_is_refused_and_nothing_is_touched(tmp_path, change):
    stream = tmp_path / "stream.csv"
    stream.write_text("".join(lines_of(ROWS)))
    it = Run(tmp_path, stream)
    assert it.go().exit_code == 0
    before = it.left()
    changed = CHANGES[change](lines_of(ROWS))
    for further in (0, 100):
        stream.write_text("".join([*changed, *lines_of(ROWS + further)[ROWS + 1 :]]))
        told = it.go()
        assert told.exit_code == 2
        assert told.stderr.startswith(f"error: {stream} has ")
        assert told.stderr.count("\n") == 1
        assert told.stdout == ""
        assert it.left() == before


def test_the_error_tells_what_is_there(tmp_path):
    stream = tmp_path / "stream.csv"
    stream.write_text("".join(lines_of(ROWS)))
    it = Run(tmp_path, stream)
    it.go()
    stream.write_text("".join(lines_of(200)))
    assert it.go().stderr == f"error: {stream} has 200 rows, and 900 were read before\n"
    stream.write_text("".join(edited(lines_of(ROWS))))
    assert it.go().stderr == f"error: {stream} has changed in its first 900 rows\n"


@pytest.mark.parametrize("bad_every", [None, 7])
def test_an_input_that_has_grown_is_gone_on_with(tmp_path, bad_every):
    parts = tmp_path / "parts.csv"
    whole = tmp_path / "whole.csv"
    (tmp_path / "once").mkdir()
    whole.write_text("".join(lines_of(MORE, bad_every)))
    once = Run(tmp_path / "once", whole)
    once.go()
    it = Run(tmp_path, parts)
    for rows in (1, 127, 128, 129, 600, 600, 901, MORE):
        parts.write_text("".join(lines_of(rows, bad_every)))
        assert json.loads(it.go().stdout)["rows"] == rows
    (_, predictions, *aside), (_, expected, *expected_aside) = it.left(), once.left()
    assert _rows_and_labels(predictions) == _rows_and_labels(expected)
    assert [text.replace(b"parts.csv", b"whole.csv") for text in aside] == expected_aside


def _rows_and_labels(predictions):
    return [line.split(b",")[:2] for line in predictions.splitlines()]


@pytest.mark.parametrize("change", ["edited", "shorter"])
def test_rows_are_compared_and_not_bytes(tmp_path, change):
    stream = tmp_path / "stream.csv"
    stream.write_text("".join(lines_of(ROWS)))
    it = Run(tmp_path, stream)
    it.go()
    for pack in (gzip.compress, lambda text: pa.compress(text, "zstd", asbytes=True)):
        stream.write_bytes(pack("".join(lines_of(ROWS)).replace("\n", "\r\n").encode()))
        assert json.loads(it.go().stdout)["rows"] == ROWS
        stream.write_bytes(pack("".join(CHANGES[change](lines_of(ROWS))).encode()))
        assert it.go().exit_code == 2


def test_standard_input_has_to_have_the_same_rows_again(tmp_path):
    it = Run(tmp_path, "-", "--format", "csv")
    header, *rows = lines_of(ROWS)
    assert json.loads(it.go_on("".join([header, *rows[:400]])).stdout)["rows"] == 400
    before = it.left()
    told = it.go_on("".join([header, *rows[400:]]))
    assert told.returncode == 2
    assert told.stderr == "error: - has changed in its first 400 rows\n"
    assert it.left() == before
    assert json.loads(it.go_on("".join([header, *rows])).stdout)["rows"] == ROWS


@pytest.mark.parametrize("suffix", [".parquet", ".svm", ".jsonl"])
def test_other_formats(tmp_path, suffix):
    X, y = _points(ROWS)
    stream = tmp_path / f"stream{suffix}"
    it = Run(tmp_path, stream)
    _write(stream, X[:500], y[:500])
    assert json.loads(it.go().stdout)["rows"] == 500
    X[3, 1] += 0.001
    _write(stream, X, y)
    assert it.go().stderr == f"error: {stream} has changed in its first 500 rows\n"
    X[3, 1] -= 0.001
    _write(stream, X, y)
    assert json.loads(it.go().stdout)["rows"] == ROWS


def _write(path, X, y):
    X = X.round(3)
    if path.suffix == ".parquet":
        parquet.write_table(pa.table({"x0": X[:, 0], "x1": X[:, 1], "label": y}), path)
    elif path.suffix == ".svm":
        path.write_text(
            "".join(
                f"{int(label == 'in')} 0:{a} {2 if a > 0 else 1}:{b}\n"
                for (a, b), label in zip(X.tolist(), y, strict=True)
            )
        )
    else:
        rows = ({"x0": a, "x1": b, "label": c} for (a, b), c in zip(X.tolist(), y, strict=True))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_all_inputs_are_compared(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    write_csv(first, 200, seed=1)
    write_csv(second, 200, seed=2)
    command = ("run", first, second, *LEARNER, "--model", tmp_path / "model", "--resume")
    assert run(*command).exit_code == 0
    write_csv(second, 250, seed=2)
    assert run(*command).exit_code == 0
    write_csv(first, 250, seed=1)
    assert run(*command).stderr == f"error: {first} {second} has changed in its first 450 rows\n"
