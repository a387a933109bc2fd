import pytest

from cli.commands import LEARNER, run
from cli.streams_of_rows import write_csv

collect_ignore = ["prepared.py"]  # it compiles when it is imported


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "stream.csv"
    return path, *write_csv(path, 500)


@pytest.fixture
def model(tmp_path, stream):
    path = tmp_path / "model.budgetron"
    run("run", stream[0], *LEARNER, "-s", "probability=true", "--model", path)
    return path
