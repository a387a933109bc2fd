"""The page about choosing a learner shows what was measured."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from budgetron.evaluation.race import contenders
from budgetron.registry import LEARNERS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "choosing.md").read_text()
MEASURED = json.loads((ROOT / "docs" / "measured.json").read_text())


@pytest.fixture(scope="module")
def script():
    spec = spec_from_file_location("measure_learners", ROOT / "scripts" / "measure_learners.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_made_from_the_measurements(script):
    assert script.page_of(PAGE, MEASURED) == PAGE


def test_a_number_that_was_not_measured_is_noticed(script):
    assert script.page_of(PAGE.replace("| linear | ", "| linear | 1", 1), MEASURED) == PAGE


def test_a_learner_that_was_measured_was_so_on_all_streams(script):
    learners = {it.name for it in contenders(100)} & {run["learner"] for run in MEASURED["runs"]}
    assert len(learners) > 20
    for name, facts in MEASURED["streams"].items():
        measured = {run["learner"] for run in MEASURED["runs"] if run["stream"] == name}
        too_slow = {type(it).__name__ for it in script.GROWING_AND_SOLVING}
        assert learners - measured == (too_slow if facts["rows"] > script.SHORT else set())
        assert "linear" in measured


def test_no_budget_was_exceeded():
    assert all(run["size"] <= run["budget"] for run in MEASURED["runs"] if run["budget"])


def test_every_learner_that_was_measured_is_on_the_page():
    for name in {run["learner"] for run in MEASURED["runs"]} & {*LEARNERS}:
        assert f"`{name}" in PAGE
