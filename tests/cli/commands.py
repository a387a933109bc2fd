"""The command line, within this process."""

from typer.testing import CliRunner

from budgetron.cli.app import app

LEARNER = ("-l", "Forgetron", "-s", "budget=20", "-s", "gamma=2")


def run(*arguments):
    """What a command prints, and its exit code."""
    return CliRunner().invoke(app, [*map(str, arguments)])
