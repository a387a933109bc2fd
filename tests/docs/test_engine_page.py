"""A row goes the way that docs/engine.md says."""

import re
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

from budgetron.reading import source
from cli.commands import run
from cli.streams_of_rows import write_csv

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
STEP = re.compile(r"^\d+\. .*", re.MULTILINE)
CALL = re.compile(r"\[`([\w.]+)`\]\(\.\./src/(\S+)\.py\)")


def way():
    """The steps that are named, each as its calls: a name and a module."""
    section = PAGE.read_text().split("## The way of a row")[1].split("\n## ")[0]
    return [
        [(name, file.replace("/", ".")) for name, file in CALL.findall(step)]
        for step in STEP.findall(section)
    ]


def called_by(action):
    """What Python calls meanwhile, in order."""
    calls = []

    def note(frame, event, _):
        if event == "call":
            name = frame.f_code.co_qualname.rpartition("<locals>.")[2]
            calls.append((name, frame.f_globals.get("__name__")))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("learner", ["RandomizedBudgetPerceptron"])
def test_a_row_goes_through_these_calls_in_this_order(tmp_path, monkeypatch, learner):
    path = tmp_path / "stream.csv"
    write_csv(path, 2000)
    monkeypatch.setattr(source, "BLOCK", 1 << 14)  # so that the file is not read at once
    printed = []
    arguments = ("run", path, "--learner", learner, "-s", "budget=20", "-s", "gamma=2")
    calls = iter(called_by(lambda: printed.append(run(*arguments))))
    assert printed[0].exit_code == 0, printed[0].output
    for name, module in chain.from_iterable(way()):
        if module.startswith("budgetron.core."):  # compiled, which Python does not see
            assert hasattr(import_module(module), name)
        else:
            assert (name, module) in calls, f"{name} of {module} does not come next"


def test_it_is_no_longer_than_fourteen_calls():
    steps = way()
    assert all(steps)
    assert len(steps) <= 14
