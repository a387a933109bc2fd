"""The Forgetron paper's figure, on results that are made up and on a small stream."""

import json

import numpy as np
import pytest

from budgetron.papers import forgetron
from budgetron.papers.forgetron import ARTIFACTS, CENSUS, CENSUS_STAND_IN, DIGITS, PARTS
from budgetron.papers.task import Results
from experiments.fabricated import cell, claim
from streams import gaussian_stream

LEFT, RIGHT = ARTIFACTS
AS_TOLD = {  # percentages of mistakes from which all that the paper says follows
    "Forgetron": {"1/20": 9.0, "1/10": 8.5, "1/5": 7.8, "1/3": 7.6, "1/2": 7.5},
    "CKS": {"1/20": 30.0, "1/10": 28.0, "1/5": 24.0, "1/3": 20.0, "1/2": 16.0},
}


def keep(results, panel, scale, perceptron=None, curves=AS_TOLD):
    """Write down the same percentages of mistakes for all runs."""
    paper = 100 * panel.paper_active / (panel.paper_rows if panel.stand_in else panel.rows)
    for task in panel.tasks(scale):
        learner = {"BudgetPerceptron": "CKS"}.get(task.arguments["learner"])
        learner = learner or task.arguments["learner"]
        if learner == "Perceptron":
            percents = [perceptron or paper]
        else:
            percents = [curves[learner][part] for part in PARTS[scale]]
        mistakes = [round(percent * panel.rows / 100) for percent in percents]
        results.keep(task, {"mistakes": mistakes, "size": mistakes, "rarer": panel.rows // 10})


@pytest.mark.parametrize("scale", ["quick", "full"])
@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: artifact.name)
def test_tasks_are_plain_and_there_once(artifact, scale, monkeypatch, tmp_path):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    tasks = artifact.tasks(scale)
    assert len(set(tasks)) == len(tasks) > 0
    for task in tasks:
        assert json.loads(json.dumps(task.arguments)) == task.arguments


def test_the_full_figure_has_all_problems_and_ten_permutations(monkeypatch, tmp_path):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    runs = {task.arguments["run"] for task in RIGHT.tasks("full")}
    assert runs == set(range(126))
    assert {task.arguments["run"] for task in LEFT.tasks("full")} == set(range(10))
    assert LEFT.tasks("full") == CENSUS_STAND_IN.tasks("full")


def test_budgets_are_parts_of_the_papers_active_set():
    assert DIGITS.budgets("quick") == [94, 377, 943]
    assert CENSUS_STAND_IN.budgets("quick") == [365, 1459, 3648]


def test_on_the_papers_data_its_claims_reproduce_it(tmp_path):
    results = Results(tmp_path)
    keep(results, CENSUS, "full")
    exhibit = LEFT.show(results, "full")
    assert all(claim.holds for claim in exhibit.claims)
    assert exhibit.verdict == "reproduced"
    assert not exhibit.stand_in
    assert cell(exhibit.tables[1], ("active examples",), "difference") == 0
    (figure,) = exhibit.figures
    assert [series.name for series in figure.series if series.is_paper] == ["Perceptron, paper"]


def test_a_stand_in_reproduces_the_shape_at_best(tmp_path):
    results = Results(tmp_path)
    keep(results, CENSUS_STAND_IN, "full")
    exhibit = LEFT.show(results, "full")
    assert all(claim.holds for claim in exhibit.claims)
    assert exhibit.verdict == "reproduced in shape"
    assert "test split" in exhibit.stand_in


def test_a_sample_of_the_problems_reproduces_the_shape_at_best(tmp_path):
    results = Results(tmp_path)
    keep(results, DIGITS, "quick", perceptron=4)
    exhibit = RIGHT.show(results, "quick")
    assert exhibit.verdict == "reproduced in shape"
    assert "3 of the paper's 126 problems" in exhibit.settings
    assert cell(exhibit.tables[1], ("active examples",), "difference") == 2400 - 1886


def test_a_claim_that_does_not_hold_is_said_not_to(tmp_path):
    results = Results(tmp_path)
    better = {**AS_TOLD, "CKS": dict.fromkeys(AS_TOLD["CKS"], 8.4)}
    keep(results, CENSUS_STAND_IN, "full", curves=better)
    exhibit = LEFT.show(results, "full")
    fallen = claim(exhibit, "The Forgetron outperforms CKS")
    assert not fallen.holds
    assert "-0.60, -0.10, +0.60" in fallen.measured
    assert not claim(exhibit, "CKS performs rather poorly").holds
    assert claim(exhibit, "The Forgetron achieves almost the same").holds
    assert exhibit.verdict == "not reproduced"


def test_readings_of_the_kernel_are_compared_at_full_scale(tmp_path):
    results = Results(tmp_path)
    keep(results, DIGITS, "full")
    readings = RIGHT.show(results, "full").tables[-1]
    assert [row[0] for row in readings.rows] == [*forgetron.KERNELS]
    assert cell(readings, ("normalised",), "difference") == 0


def test_a_run_is_the_learner_on_a_normalised_kernel(monkeypatch):
    X, _ = gaussian_stream(length=400)
    noise = np.random.default_rng(0).integers(2, size=400)
    monkeypatch.setattr(forgetron, "_stream", lambda data, run: (X, noise))
    perceptron = DIGITS.task("Perceptron", 0, "quick").do()
    tight, _, roomy = DIGITS.task("Forgetron", 0, "quick").do()["mistakes"]
    assert perceptron["mistakes"] == perceptron["size"]
    assert perceptron["mistakes"] == [roomy]
    assert tight != roomy
    assert 0 < perceptron["rarer"] <= 200
