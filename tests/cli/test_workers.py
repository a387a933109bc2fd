"""Learners that run apart from each other do what they do beside each other."""

import json
import sys

import pytest

from cli.commands import run

TWO = ("-l", "Forgetron budget=20", "-l", "Perceptron", "-s", "gamma=2")


def untimed(result):
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    for each in told["results"]:
        del each["seconds"], each["rows_per_second"]
    return told


def test_any_number_of_jobs_gives_the_same(stream, tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text(stream[0].read_text() + "no,numbers,here\n")
    asides = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    one, two = [
        untimed(run("race", path, *TWO, "--aside", aside, "--json", "--jobs", jobs))
        for jobs, aside in zip((1, 2), asides, strict=True)
    ]
    assert one == two and one["rows"] == 500
    assert asides[0].read_bytes() == asides[1].read_bytes() != b""


def test_a_bad_row_stops_learners_that_run_apart(stream, tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text(stream[0].read_text() + "no,numbers,here\n")
    one, two = [run("race", path, *TWO, "--jobs", jobs) for jobs in (1, 2)]
    assert one.exit_code == two.exit_code == 1
    assert one.stderr == two.stderr != ""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--jobs", "0"], "jobs must be -1 or at least 1, got 0"),
        (["--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"], "--jobs is for this machine"),
        (["--scheduler", "nowhere://x"], "there is no Dask scheduler at nowhere://x"),
    ],
)
def test_workers_that_cannot_be_had_are_refused(stream, more, message):
    if "nowhere://x" in more:
        pytest.importorskip("distributed", reason="Dask is not installed")
    result = run("race", stream[0], *TWO, *more)
    assert result.exit_code == 2
    assert message in result.stderr and result.stderr.count("\n") == 1


def test_standard_input_is_read_once():
    assert "standard input can be read once" in run("race", "-", *TWO, "--jobs", 2).stderr


def test_without_dask_a_cluster_is_refused_with_a_word_about_it(stream, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("race", stream[0], *TWO, "--scheduler", "tcp://127.0.0.1:8786")
    assert result.exit_code == 2 and "pip install 'budgetron[dask]'" in result.stderr
