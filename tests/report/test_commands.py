"""budgetron reproduce and budgetron report, as a person sees them."""

from importlib import import_module

import pytest
from typer.testing import CliRunner

from budgetron.papers.machine import Machine
from report.papers import ARTIFACTS, WITHOUT_DATA

cli = import_module("budgetron.cli.app")  # the module, and not the app of the same name


def run(*arguments):
    return CliRunner().invoke(cli.app, [*map(str, arguments)])


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(cli, "chosen", lambda name: [WITHOUT_DATA, *ARTIFACTS])


@pytest.mark.usefixtures("tiny")
def test_verdicts_are_printed_and_missing_data_are_said(tmp_path):
    result = run("reproduce", "--results", tmp_path)
    assert result.exit_code == 0
    assert "tiny/table-9 is left out: there is no tiny.svm" in result.output
    for verdict in ("✓ reproduced", "≈ reproduced in shape", "✗ not reproduced"):
        assert verdict in result.output
    assert (tmp_path / "quick" / "test-report.jsonl").read_text().count("\n") == 3
    assert Machine.of(tmp_path / "quick") == Machine.here()


@pytest.mark.usefixtures("tiny")
def test_what_is_there_is_not_done_again(tmp_path):
    run("reproduce", "--results", tmp_path)
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json*")}
    assert run("reproduce", "--quick", "--results", tmp_path).exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json*")} == written
    run("reproduce", "--full", "--results", tmp_path)
    assert (tmp_path / "full").exists()


def test_it_is_an_error_if_nothing_has_its_data(tmp_path, monkeypatch):
    monkeypatch.setattr(cli, "chosen", lambda name: [WITHOUT_DATA])
    result = run("reproduce", "--results", tmp_path)
    assert result.exit_code == 2
    assert "nothing could be reproduced" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "nobody"], "there is no artifact 'nobody'; there are "),
        (["reproduce", "drift/figure-7"], "drift/figure-1, drift/figure-2, drift/thresholds"),
        (["reproduce", "drift", "--jobs", "0"], "jobs must be -1 or at least 1, got 0"),
        (
            ["report", "--results", "nowhere"],
            "has no complete results: budgetron reproduce --quick",
        ),
    ],
)
def test_what_cannot_be_done_is_said_on_stderr(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_the_page_is_made_of_what_was_reproduced(tmp_path):
    assert run("reproduce", "drift/thresholds", "--results", tmp_path).exit_code == 0
    page = tmp_path / "pages" / "report.html"
    result = run("report", "--results", tmp_path, "--output", page)
    assert result.exit_code == 0
    assert "MB" in result.output
    html = page.read_text(encoding="utf-8")
    assert 'data-artifact="drift/thresholds"' in html
    assert "0 of 4 tasks are done" in html
