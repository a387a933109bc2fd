"""The drift paper's exhibits say what their numbers say."""

import math

import pytest

from budgetron.papers.drift import ARTIFACTS, BREAK_EVEN, DIMENSIONS
from budgetron.papers.drifting_hyperplanes import LEARNERS, compare, runs_of
from budgetron.papers.drifting_thresholds import STREAMS, errors_of
from budgetron.papers.task import Results

FIGURE_1, FIGURE_2, THRESHOLDS = ARTIFACTS
ROWS = [*range(50, 5001, 50)]


def shown(artifact, outcome, directory):
    results = Results(directory)
    for task in artifact.tasks("quick"):
        settings = task.arguments
        if "seeds" in settings:
            runs = [outcome(seed=seed, **settings) for seed in range(*settings["seeds"])]
            mistakes = {name: [run["mistakes"][name] for run in runs] for name in LEARNERS}
            results.keep(task, {"rows": runs[0]["rows"], "mistakes": mistakes})
        else:
            results.keep(task, outcome(**settings))
    return artifact.show(results, "quick")


def as_printed_row_by_row(drift, seed, **_):
    """Runs whose means are the numbers of the paper's text, or near them."""
    total = 470 if drift == "linear" else (250, 330)[seed % 2]
    modified, shift = (-70, 19) if drift == "linear" else (-12, 6)
    course = [round(total * row / 5000) for row in ROWS]
    late = [max(0, mistakes - 300) / 30 for mistakes in course]
    extra = {
        "Perceptron": [0] * len(ROWS),
        "ModifiedPerceptron": [2 if row <= 500 else modified for row in ROWS],
        "RandomizedBudgetPerceptron(300)": [round(7 * share) for share in late],
        "ShiftingPerceptron(0.1)": [shift] * len(ROWS),
        "ShiftingPerceptron(0.0001)": [0] * len(ROWS),
    }
    mistakes = {
        name: [base + more for base, more in zip(course, extra[name], strict=True)]
        for name in LEARNERS
    }
    return {"rows": ROWS, "mistakes": mistakes}


def as_printed_by_dimension(drift, dimension, **_):
    at_20, growth = {"random": (550, 200), "linear": (400, 230)}[drift]
    total = round(at_20 + growth * math.log(dimension / 20))
    slope = {"random": 40, "linear": 100 / math.log(30)}[drift]
    modified = total + round(slope * math.log(dimension / BREAK_EVEN[drift][0]))
    mistakes = {name: [total + 5] for name in LEARNERS}
    mistakes |= {"Perceptron": [total], "ModifiedPerceptron": [modified]}
    return {"rows": [5000], "mistakes": mistakes}


def half_the_bound(drift_rate, **_):
    return dict.fromkeys(STREAMS, math.sqrt(drift_rate))


@pytest.mark.parametrize(
    ("artifact", "outcome"),
    [
        (FIGURE_1, as_printed_row_by_row),
        (FIGURE_2, as_printed_by_dimension),
        (THRESHOLDS, half_the_bound),
    ],
    ids=["figure-1", "figure-2", "thresholds"],
)
def test_the_papers_own_numbers_are_reproduced(artifact, outcome, tmp_path):
    exhibit = shown(artifact, outcome, tmp_path)
    assert [claim.statement for claim in exhibit.claims if not claim.holds] == []
    assert exhibit.verdict == "reproduced"
    assert all(figure.description for figure in exhibit.figures)
    assert exhibit.settings and exhibit.reading


def test_the_right_winner_with_other_numbers_is_a_reproduction_in_shape(tmp_path):
    def larger_gap(**settings):
        outcome = as_printed_row_by_row(**settings)
        modified = outcome["mistakes"]["ModifiedPerceptron"]
        modified[-1] -= 60
        return outcome

    exhibit = shown(FIGURE_1, larger_gap, tmp_path)
    assert exhibit.verdict == "reproduced in shape"
    assert "5 of its 7 numbers agree" in exhibit.why
    assert "ModifiedPerceptron, linear drift, % more mistakes than the Perceptron" in exhibit.why


def test_another_winner_is_no_reproduction(tmp_path):
    def modified_loses(**settings):
        outcome = as_printed_by_dimension(**settings)
        outcome["mistakes"]["ModifiedPerceptron"][-1] += 1000
        return outcome

    exhibit = shown(FIGURE_2, modified_loses, tmp_path)
    assert exhibit.verdict == "not reproduced"
    assert "d where it breaks even" in exhibit.why


def test_an_error_above_the_bound_is_no_reproduction(tmp_path):
    def above(drift_rate, **_):
        return dict.fromkeys(STREAMS, 3 * math.sqrt(drift_rate))

    exhibit = shown(THRESHOLDS, above, tmp_path)
    assert exhibit.verdict == "not reproduced"
    assert not exhibit.claims[0].holds and exhibit.claims[1].holds and exhibit.claims[2].holds


def test_the_differences_in_the_tables_are_ours_less_the_papers(tmp_path):
    exhibit = shown(FIGURE_1, as_printed_row_by_row, tmp_path)
    for table in exhibit.tables[:2]:
        for *_, ours, _, printed, difference in table.rows:
            assert difference == (None if printed is None else pytest.approx(ours - printed))


def test_the_scales_have_the_runs_they_say():
    def runs(artifact, scale):
        seeds = [task.arguments.get("seeds", [0, 1]) for task in artifact.tasks(scale)]
        return sum(last - first for first, last in seeds)

    assert [runs(artifact, "quick") for artifact in ARTIFACTS] == [80, 220, 70]
    assert [runs(artifact, "full") for artifact in ARTIFACTS] == [2000, 4400, 210]
    assert {min(DIMENSIONS), max(DIMENSIONS)} == {5, 500}


def test_a_task_makes_the_run_that_compare_makes():
    comparison = compare(dimension=8, drift="linear", runs=2, length=400)
    (task,) = runs_of(8, "linear", 2, length=400)
    outcome = task.do()
    assert outcome["rows"] == comparison.rows.tolist()
    for place, learner in enumerate(comparison.learners):
        assert outcome["mistakes"][learner] == comparison.cumulative[:, place].tolist()


def test_many_runs_are_few_tasks_and_every_seed_is_there_once():
    seeds = [task.arguments["seeds"] for task in runs_of(5, "random", 50)]
    assert seeds == [[0, 20], [20, 40], [40, 50]]


def test_the_learner_is_between_the_bounds_of_its_theorems():
    (task,) = errors_of(0.01, runs=1, length=20_000)
    outcome = task.do()
    assert set(outcome) == {*STREAMS}
    assert all(0.0158 < error < 0.24 for error in outcome.values())
