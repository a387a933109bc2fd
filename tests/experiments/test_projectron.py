"""The Projectron paper's artifacts, on results that are made up and on a few that are not."""

import json

import numpy as np
import pytest

from budgetron.datasets import load_a9a
from budgetron.papers.measure import Measure
from budgetron.papers.online import CHECKPOINTS, is_at_hand
from budgetron.papers.projectron import ARTIFACTS
from budgetron.papers.projectron.experiment import Contender, Standing
from budgetron.papers.projectron.printed import ADULT, SYNTHETIC, VEHICLE, WEB_PAGES
from budgetron.papers.projectron.runs import two_gaussians
from budgetron.papers.task import Results, perform
from experiments.fabricated import cell, claim, spread

BY_NAME = {artifact.name: artifact for artifact in ARTIFACTS}
ROWS = {"a9a": 32_561, "sensit_vehicle": 78_823, "synthetic": 10_000, "w8a": 49_749}
FIGURES = ("figure-1", "figure-2", "figure-3")


def keep(results, experiment, scale, growing=np.sqrt, **changed):
    """Write down the paper's numbers, but for those of the algorithms that are changed."""
    rows, times = ROWS[experiment.data], experiment.repeats[scale]
    for contender, paper in experiment.paper.items():
        mistakes, size = changed.get(contender.algorithm.replace("++", "pp"), lambda p: p)(paper)
        values = zip(spread(mistakes, times), spread(size, times), strict=True)
        for number, (percent, supports) in enumerate(values):
            total = round(percent * rows / 100)
            course = np.linspace(0, 1, CHECKPOINTS + 1)[1:]
            outcome = {
                "rows": rows,
                "mistakes": total,
                "size": supports,
                "course": (total * course).tolist(),
                "growth": (supports * growing(course)).tolist(),
            }
            results.keep(experiment.task(contender, number), outcome)


def more_mistakes(points):
    return lambda paper: paper._replace(
        mistakes=paper.mistakes._replace(mean=paper.mistakes.mean + points)
    )


@pytest.mark.parametrize("scale", ["quick", "full"])
@pytest.mark.parametrize("name", BY_NAME)
def test_tasks_are_plain_and_there_once(name, scale, monkeypatch, tmp_path):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    tasks = BY_NAME[name].tasks(scale)
    assert len(set(tasks)) == len(tasks) > 0
    for task in tasks:
        assert json.loads(json.dumps(task.arguments)) == task.arguments


def test_the_figures_show_runs_of_the_first_table():
    table = set(BY_NAME["table-1"].tasks("full"))
    assert all(set(BY_NAME[name].tasks("full")) < table for name in FIGURES)


def test_without_its_file_another_data_set_stands_in_for_vehicle(monkeypatch, tmp_path):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    assert BY_NAME["table-2"].tasks("full") == WEB_PAGES.tasks("full")


@pytest.mark.parametrize(
    ("name", "experiment"), [("table-1", ADULT), ("table-2", VEHICLE), ("table-3", SYNTHETIC)]
)
def test_the_papers_own_numbers_reproduce_it(name, experiment, tmp_path):
    results = Results(tmp_path)
    keep(results, experiment, "full")
    exhibit = BY_NAME[name].show(results, "full")
    assert all(claim.holds for claim in exhibit.claims)
    assert exhibit.verdict == "reproduced"
    assert not exhibit.stand_in
    for contender in experiment.contenders:
        assert abs(cell(exhibit.tables[0], contender, "difference")) <= 0.01
        assert abs(cell(exhibit.tables[0], contender, "difference in %")) <= 0.5


def test_a_claim_that_does_not_hold_is_said_not_to(tmp_path):
    results = Results(tmp_path)
    keep(results, ADULT, "quick", Projectronpp=more_mistakes(2))
    exhibit = BY_NAME["table-1"].show(results, "quick")
    fallen = claim(exhibit, "The Projectron++ outperforms the Perceptron")
    assert not fallen.holds
    assert "22.04 % with 993 supports" in fallen.measured
    assert fallen.statement.rstrip(".") in exhibit.why
    assert claim(exhibit, "The Projectron does as well").holds
    assert exhibit.verdict == "not reproduced"


def test_numbers_that_differ_are_told_with_their_size(tmp_path):
    results = Results(tmp_path)
    keep(results, ADULT, "quick", Forgetron=more_mistakes(0.9))
    exhibit = BY_NAME["table-1"].show(results, "quick")
    assert exhibit.verdict == "reproduced in shape"
    assert "17 of its 18 numbers" in exhibit.why  # the other is within the noise of three runs
    assert "Forgetron, B=3000, % mistakes: +0.9, where 0.59 is explained" in exhibit.why
    assert cell(exhibit.tables[0], ("Forgetron", 1500), "difference") == pytest.approx(0.9)


def test_drawn_data_are_compared_with_the_perceptron_on_the_same_draw(tmp_path):
    results, noisier = Results(tmp_path), more_mistakes(0.4)
    names = ("Perceptron", "Projectron", "Projectronpp", "Forgetron", "RBP", "Stoptron")
    keep(results, SYNTHETIC, "quick", **dict.fromkeys(names, noisier))
    exhibit = BY_NAME["table-3"].show(results, "quick")
    beyond = exhibit.tables[1]
    assert cell(beyond, ("Projectron++, B=500, % mistakes",), "difference") == pytest.approx(
        0, abs=0.02
    )
    assert cell(beyond, ("PA-I, % mistakes",), "difference") == pytest.approx(-0.4, abs=0.02)
    keep(results, SYNTHETIC, "quick", Projectronpp=more_mistakes(-1))
    exhibit = BY_NAME["table-3"].show(results, "quick")
    assert exhibit.verdict == "reproduced in shape"
    assert "Projectron++, B=1000, % mistakes: -1" in exhibit.why


def test_numbers_of_other_data_are_not_compared(tmp_path):
    results = Results(tmp_path)
    keep(results, WEB_PAGES, "full")
    exhibit = BY_NAME["table-2"].show(results, "full")
    assert exhibit.stand_in
    assert exhibit.verdict == "reproduced in shape"
    assert cell(exhibit.tables[0], ("RBP", 300), "difference") is None


@pytest.mark.parametrize("name", FIGURES)
def test_figures_have_a_curve_for_each_learner_and_the_papers_marks(name, tmp_path):
    results = Results(tmp_path)
    keep(results, ADULT, "quick", growing=lambda part: part)
    (figure,) = BY_NAME[name].show(results, "quick").figures
    *ours, paper = figure.series
    assert [series.name for series in ours][:3] == ["Perceptron", "PA-I", "Projectron"]
    assert len(ours) == len(paper.x) == len(paper.y) == 7
    assert paper.is_paper and not any(series.is_paper for series in ours)


def test_growth_is_told_to_be_linear_or_not(tmp_path):
    results = Results(tmp_path)
    keep(results, ADULT, "quick", growing=lambda part: part)
    exhibit = BY_NAME["figure-2"].show(results, "quick")
    assert claim(exhibit, "The growth is clearly linear").holds
    assert not claim(exhibit, "It is sub-linear").holds
    assert exhibit.verdict == "not reproduced"
    keep(results, ADULT, "quick", growing=np.sqrt)
    exhibit = BY_NAME["figure-2"].show(results, "quick")
    assert not claim(exhibit, "The growth is clearly linear").holds
    assert claim(exhibit, "It is sub-linear").holds


def test_the_projectrons_are_compared_with_the_perceptron_at_the_same_size(tmp_path):
    results = Results(tmp_path)
    keep(results, ADULT, "quick", growing=lambda part: part)
    ahead = claim(BY_NAME["figure-3"].show(results, "quick"), "Both Projectrons outperform")
    assert ahead.holds
    assert ahead.measured.startswith("Projectron is ahead by 0.04 to 0.04 points")
    keep(results, ADULT, "quick", growing=lambda part: part, Projectron=more_mistakes(1))
    behind = claim(BY_NAME["figure-3"].show(results, "quick"), "Both Projectrons outperform")
    assert not behind.holds
    keep(results, ADULT, "quick", growing=np.ones_like)
    apart = claim(BY_NAME["figure-3"].show(results, "quick"), "Both Projectrons outperform")
    assert not apart.holds and "no size in common" in apart.measured


def test_a_tenth_of_the_synthetic_labels_are_flipped():
    X, y = two_gaussians(0)
    likely = np.sign(X @ [1 / 0.2, 1 / 2])
    assert X.shape == (10_000, 2)
    assert 0.09 < np.mean(likely != y) < 0.12  # a hundredth of the rows are on the wrong side


def test_synthetic_runs_in_two_processes_are_those_of_the_paper(tmp_path):
    results = Results(tmp_path)
    tasks = [SYNTHETIC.task(Contender("Projectron", 1000), number) for number in range(3)]
    perform(tasks, results, jobs=2)
    found = Standing.of(results[task] for task in tasks)
    assert found.size.mean == pytest.approx(108.6, rel=0.1)
    assert found.mistakes.mean == pytest.approx(18.71, abs=1.5)


def test_an_adult_run_is_that_of_the_paper():
    if not is_at_hand(lambda: load_a9a(download=False)):
        pytest.skip("needs a9a in the directory that BUDGETRON_DATA names")
    found = Standing.of([ADULT.task(Contender("RBP", 1500), 0).do()])
    assert found.mistakes.mean == pytest.approx(22.05, abs=0.5)
    assert found.size == Measure(1500)
