"""A learner's mistakes, and how many there can be."""

import json
import sys

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from budgetron import Forgetron, Perceptron, certify
from cli.commands import run
from streams import gaussian_stream


def test_a_certificate_is_printed(tmp_path):
    X, y = gaussian_stream(length=150)
    path = tmp_path / "stream.svm"
    dump_svmlight_file(X, y, str(path), zero_based=False)
    result = run("certify", "perceptron", path, "--set", "kernel=linear")
    assert result.exit_code == 0
    assert result.output.startswith("Perceptron(kernel='linear')")
    expected = certify(Perceptron(kernel="linear"), X, y)
    assert f"{expected.mistakes} mistakes in 150 rows" in result.output


def test_some_of_a_stream_can_be_certified(stream):
    path, X, y = stream
    result = run("certify", "Forgetron", path, "-s", "gamma=2", "--rows", 123, "--json")
    assert json.loads(result.stdout) == certify(Forgetron(gamma=2), X[:123], y[:123]).as_dict()


def test_a_stream_too_large_to_be_certified_is_refused(stream, monkeypatch):
    monkeypatch.setattr(sys.modules["budgetron.cli.certify"], "MOST_BYTES", 1_000)
    result = run("certify", "Forgetron", stream[0])
    assert result.exit_code == 2
    assert "needs the whole stream in memory" in result.stderr and "--rows" in result.stderr


def test_what_is_known_of_a_drifting_stream_can_be_said(tmp_path):
    x = np.random.default_rng(0).random(300)
    path = tmp_path / "thresholds.svm"
    dump_svmlight_file(x[:, None], np.where(x > 0.5, 1, -1), str(path), zero_based=True)
    known = ("--drift-rate", 0.01, "--shifts", 0, "--features", 1)
    result = run("certify", "DriftingThreshold", path, "--set", "gamma=0.01", *known)
    assert "Concept drift, Theorem 5" in result.output


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--set", "size=3"], "Forgetron has no parameter 'size'; there are budget"),
        (["--set", "budget=0"], "budget must be at least 1"),
    ],
)
def test_what_cannot_be_certified_is_said_in_one_line(stream, more, message):
    result = run("certify", "Forgetron", stream[0], *more)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
