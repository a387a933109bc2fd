"""Several learners over one stream."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import budgetron
from budgetron import Forgetron, prequential
from budgetron.papers.report.pictures import STYLE
from cli.commands import run


def test_a_race_makes_the_mistakes_of_single_runs(stream):
    path, X, y = stream
    result = run(
        "race", path, "-l", "forgetron budget=20", "-l", "Perceptron", "-s", "gamma=2", "--json"
    )
    told = json.loads(result.stdout)
    assert told["rows"] == 500
    expected = {
        "Forgetron budget=20": Forgetron(budget=20, gamma=2),
        "Perceptron": budgetron.Perceptron(gamma=2),
    }
    for each in told["results"]:
        trace = prequential(expected[each["name"]], X, y)
        assert each["mistakes"] == trace.mistakes.sum()
        ends, errors = each["curve"]["rows"], each["curve"]["error"]
        stretches = np.split(trace.mistakes, ends)[: len(ends)]
        np.testing.assert_allclose(errors, [part.mean() for part in stretches])


def test_a_race_is_shown_as_a_table_with_the_best_first(stream):
    lines = run(
        "race", stream[0], "-l", "Stoptron budget=5", "-l", "Perceptron"
    ).stdout.splitlines()
    shown = ["Perceptron", "commonest label so far", "last label", "Stoptron budget=5"]
    assert [line.split("  ")[0] for line in lines[1:]] == ["learner", *shown]
    assert "▂" in lines[2] and "0.524" in lines[2]


def test_a_learner_that_can_have_a_budget_has_one_however_it_is_named(stream):
    names = ("ProjectronPlusPlus gamma=9", "projectron eta=0.01", "Projectron budget=none eta=0.01")
    options = [word for name in names for word in ("-l", name)]
    told = json.loads(run("race", stream[0], *options, "--json").stdout)["results"]
    sizes = {each["name"]: each["largest_size"] for each in told}
    assert sizes["ProjectronPlusPlus gamma=9"] == sizes["Projectron eta=0.01"] == 100
    assert sizes["Projectron budget=none eta=0.01"] > 100


def test_a_chart_shows_whom_the_best_budgetron_trusts(stream, tmp_path, monkeypatch):
    monkeypatch.setitem(STYLE, "svg.fonttype", "none")
    chart, experts = tmp_path / "race.svg", {"cautious", "bold", "average", "labels", "stack"}

    def texts(*learners):
        options = [word for learner in learners for word in ("-l", learner)]
        told = json.loads(run("race", stream[0], *options, "--chart", chart, "--json").stdout)
        return told["results"][0]["name"], {it.text for it in ET.parse(chart).iter()}

    best, shown = texts("Budgetron budget=2", "Budgetron budget=100", "Perceptron")
    assert best == "Budgetron budget=100"
    assert {*experts, "Whom Budgetron budget=100 trusts"} <= shown
    assert not experts & texts("Perceptron")[1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-l", "Nobody"], "there is no learner 'Nobody'; there are"),
        (["-l", "Perceptron", "-s", "budget=3"], "Perceptron has no parameter 'budget'"),
        (["-l", "WhitenedPerceptron"], "needs all rows at once"),
        (["--chart", "race.gif"], "race.gif must end in one of .svg"),
        (["--target", "lable"], "did you mean 'label'?"),
    ],
)
def test_a_race_that_cannot_be_run_is_refused(stream, more, message):
    result = run("race", stream[0], *more)
    assert result.exit_code == 2
    assert message in result.stderr and result.stdout == ""


def test_the_race_over_the_mails_has_no_options():
    assert "say what to read" in run("race", "--json").stderr
