"""The command line, within this process."""

from typer.testing import CliRunner

from budgetron.cli.app import app

LEARNER = ("-l", "Forgetron", "-s", "budget=20", "-s", "gamma=2")


def run(*arguments, piped=None):
    """What a command prints, and its exit code, with these bytes as standard input."""
    return CliRunner().invoke(app, [*map(str, arguments)], input=piped)
