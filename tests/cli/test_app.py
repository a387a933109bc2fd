"""The command line as a whole."""

from typer.testing import CliRunner

from budgetron import Forgetron, certify
from budgetron.cli.app import app
from cli.commands import LEARNER, run


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    own_stream = ("run", "predict", "race", "certify")
    for name in (*own_stream, "learners", "datasets", "reproduce", "report"):
        assert f"  {name}  " in result.output


def test_three_commands_lead_from_a_csv_to_a_model_a_chart_and_a_certificate(tmp_path, stream):
    path, X, y = stream
    model, chart = tmp_path / "model.budgetron", tmp_path / "race.svg"
    assert run("run", path, *LEARNER, "--model", model).exit_code == 0
    two = ("-l", "Forgetron budget=20", "-l", "Stoptron budget=20")
    assert run("race", path, *two, "--chart", chart).exit_code == 0
    certified = run("certify", "Forgetron", path, "-s", "budget=20", "-s", "gamma=2")
    assert model.exists() and "<svg" in chart.read_text()
    assert certified.stdout == f"{certify(Forgetron(budget=20, gamma=2), X, y)}\n"


def test_learners_are_completed(monkeypatch):
    monkeypatch.setenv("_BUDGETRON_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "budgetron certify Forg")
    monkeypatch.setenv("COMP_CWORD", "2")
    result = CliRunner().invoke(app, [], prog_name="budgetron")
    assert result.stdout.split() == ["Forgetron"]
