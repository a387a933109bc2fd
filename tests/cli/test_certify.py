"""The command line, as a person and as a program see it."""

import gzip
import json

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file
from typer.testing import CliRunner

from budgetron import Perceptron, certify
from budgetron.cli.app import app
from streams import gaussian_stream


@pytest.fixture
def stream(tmp_path):
    X, y = gaussian_stream(length=150)
    path = tmp_path / "stream.svm"
    dump_svmlight_file(X, y, str(path), zero_based=False)
    return path, X, y


def run(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    own_stream = ("run", "predict", "race", "certify")
    for name in (*own_stream, "learners", "datasets", "reproduce", "report"):
        assert f"  {name}  " in result.output


@pytest.mark.parametrize("compressed", [False, True])
def test_a_certificate_is_printed(stream, compressed):
    path, X, y = stream
    if compressed:
        packed = path.with_suffix(".svm.gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        path = packed
    result = run("certify", "perceptron", path, "--set", "kernel=linear")
    assert result.exit_code == 0
    assert result.output.startswith("Perceptron(kernel='linear')")
    expected = certify(Perceptron(kernel="linear"), X, y)
    assert f"{expected.mistakes} mistakes in 150 rows" in result.output


def test_a_certificate_for_programs_is_json(stream):
    path, *_ = stream
    result = run("certify", "Forgetron", path, "--set", "budget=90", "--json")
    read = json.loads(result.output)
    assert read["rows"] == 150
    assert read["learner"] == "Forgetron(budget=90)"


def test_what_is_known_of_a_drifting_stream_can_be_said(tmp_path):
    x = np.random.default_rng(0).random(300)
    path = tmp_path / "thresholds.svm"
    dump_svmlight_file(x[:, None], np.where(x > 0.5, 1, -1), str(path), zero_based=True)
    known = ("--drift-rate", 0.01, "--shifts", 0, "--features", 1)
    result = run("certify", "DriftingThreshold", path, "--set", "gamma=0.01", *known)
    assert "Concept drift, Theorem 5" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Nobody"], "there is no learner 'Nobody'; there are AdaptiveSecondOrderPerceptron"),
        (["Forgetron", "--set", "budget"], "a parameter is set by name=value"),
        (["Forgetron", "--set", "size=3"], "Forgetron has no parameter 'size'; there are budget"),
        (["Forgetron", "nowhere.svm"], "nowhere.svm"),
    ],
)
def test_what_cannot_be_done_is_said_on_stderr(arguments, message):
    result = run("certify", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_bad_parameter_is_said_on_stderr(stream):
    result = run("certify", "Forgetron", stream[0], "--set", "budget=0")
    assert result.exit_code == 2
    assert "budget must be at least 1" in result.stderr
