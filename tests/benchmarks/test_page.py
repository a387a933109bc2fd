"""The page is made of stored records alone."""

import json
import re
from dataclasses import replace

import pytest

from benchmarks import page, records
from benchmarks.__main__ import main
from benchmarks.choosing import CHOOSING
from benchmarks.flagship import FLAGSHIP
from benchmarks.scale import SCALES
from benchmarks.sections import SECTIONS, gpu
from benchmarks.tables import markdown
from budgetron.engine import DEVICES
from engine.test_on_device import LateDevice


@pytest.fixture
def place(tmp_path):
    return page.Place(tmp_path / "results", tmp_path / "BENCHMARKS.md", tmp_path / "plots")


def run(contender, library, family, seconds, mistakes, *, workload="digits", at_once=1):
    return {
        "workload": workload,
        "is_real": True,
        "rows": 1000,
        "features": 5,
        "gamma": 0.5,
        "contender": contender,
        "library": library,
        "family": family,
        "at_once": at_once,
        "numbers": 600,
        "repeat": 0,
        "marks": [
            {"rows": 500, "seconds": seconds / 2, "mistakes": mistakes},
            {"rows": 1000, "seconds": seconds, "mistakes": mistakes},
        ],
    }


CONTEST = [
    run("Forgetron(100)", "Budgetron", "kernel", 0.01, 50, at_once=None),
    run("Forgetron(100), single rows", "Budgetron", "kernel", 0.04, 50),
    run("LogisticRegression", "River", "linear", 0.1, 80),
    run("RBFSampler(50) | LogisticRegression", "River", "kernel", 1.0, 60),
    run("Forgetron(100)", "Budgetron", "kernel", 0.01, 50, workload="a9a", at_once=None),
    run("LogisticRegression", "River", "linear", 0.1, 40, workload="a9a"),
]


def written(place, name, measurements):
    records.keep(place.results / f"{name}.jsonl", iter(measurements))
    page.write_page(place)
    return place.page.read_text()


def test_the_contest_says_where_a_linear_model_is_the_better_choice(place):
    text = written(place, "contest", CONTEST)
    assert "**A linear model is the better choice on a9a. A kernel pays on digits.**" in text
    assert "**On a9a a linear model is the better choice**" in text


def test_the_contest_sets_each_peer_beside_the_fastest_of_ours_that_is_as_good(place):
    text = written(place, "contest", CONTEST)
    (line,) = re.findall(r"\| River RBFSampler.*", text)
    assert "Forgetron(100) | 5.00% | 100.0 x | 25.0 x |" in line
    assert "at least 3 x | 10.0 x (River LogisticRegression) | yes |" in text
    (line,) = re.findall(r"\| River LogisticRegression.*\d x \|", text)
    assert line.endswith("| 10.0 x | 2.5 x |")
    assert "none makes as few mistakes" in text  # on a9a


def test_plots_are_drawn_and_linked(place):
    text = written(place, "contest", CONTEST)
    linked = re.findall(r"\]\((plots/.*?\.svg)\)", text)
    assert linked == ["plots/contest-digits.svg", "plots/contest-a9a.svg"]
    assert all(
        (place.page.parent / path).read_text().lstrip().startswith("<?xml") for path in linked
    )


def test_the_page_describes_the_machine_without_names_or_paths(place):
    text = written(place, "contest", CONTEST)
    machine = records.machine_of(place.results / "contest.jsonl")
    assert machine["cpu"] in text
    assert str(place.results) not in text


def test_a_run_that_breaks_off_leaves_the_older_results_alone(place):
    path = place.results / "contest.jsonl"
    records.keep(path, CONTEST)

    def breaking_off():
        yield CONTEST[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        records.keep(path, breaking_off())
    assert records.read(path) == CONTEST


def test_a_section_without_measurements_is_left_out(place):
    records.keep(place.results / "memory.jsonl", [])
    assert "## Peak memory" not in written(place, "contest", CONTEST)


def test_without_results_there_is_no_page(place):
    with pytest.raises(SystemExit, match="no results"):
        page.write_page(place)


TINY = replace(SCALES["quick"], learners=("Forgetron",))


@pytest.mark.parametrize("name", ["overhead", "budgets", "length", "features"])
def test_a_section_measures_and_shows_itself(place, monkeypatch, tmp_path, name):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    measured = [*SECTIONS[name].measure(TINY)]
    assert json.loads(json.dumps(measured)) == measured
    text = written(place, name, measured)
    assert f"## {SECTIONS[name].TITLE}" in text
    assert "| Forgetron" in text


@pytest.mark.parametrize("name", FLAGSHIP)
def test_the_flagship_measures_and_shows_itself(place, monkeypatch, tmp_path, name):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    measured = [*FLAGSHIP[name].measure(TINY)]
    assert json.loads(json.dumps(measured)) == measured
    records.keep(place.results / f"{name}.jsonl", measured)
    page.write_page(place, page.BOOKS["flagship"])
    text = place.page.read_text()
    assert text.startswith("# The flagship, measured")
    assert f"## {FLAGSHIP[name].TITLE}" in text
    assert "nan" not in text


def test_what_the_page_on_choosing_shows_is_measured(place, monkeypatch, tmp_path):
    """On the one stream that is inside the package."""
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    tiny = replace(TINY, learners=("Forgetron", "Perceptron", "SecondOrderPerceptron"))
    measured = [*CHOOSING["choosing"].measure(tiny)]
    assert json.loads(json.dumps(measured)) == measured
    records.keep(place.results / "choosing.jsonl", measured)
    page.write_page(place, page.BOOKS["choosing"])
    text = place.page.read_text()
    assert text.startswith("# Which learner")
    (line,) = re.findall(r"^\| spam \| 600 \|.*$", text, re.MULTILINE)
    assert line.count("**") >= 2
    assert len(re.findall(r"^\| `Forgetron` \| ", text, re.MULTILINE)) == 3  # two budgets, speeds


def test_cells_with_a_bar_do_not_end_early():
    assert markdown(("a", "b"), [("x | y", 12345.6)]).splitlines()[2] == "| x \\| y | 12,300 |"


def test_numbers_in_bold_are_numbers():
    assert markdown(("a", "b"), [("x", "**1.5**"), ("y", 2.5)]).splitlines()[1] == "| --- | ---: |"


def test_a_gpu_is_measured_beside_all_cores(place, monkeypatch):
    monkeypatch.setitem(DEVICES, "numpy", LateDevice)
    rows, repeats = ({"numpy": many, "cpu": few} for many, few in ((300, 200), (2, 1)))
    small = {"DEVICES": ("numpy", "cpu"), "SAME_ROWS": 700, "SAME_BUDGET": 30, "AT_FIRST": 64}
    small |= {"ROWS": rows, "REPEATS": repeats, "WIDTH": 12}
    for name, value in small.items():
        monkeypatch.setattr(gpu, name, value)
    name = "RandomizedBudgetPerceptron"
    measured = [{"gpu": "none"} | one for one in [*gpu.same(name), *gpu.speeds(name, 40)]]
    assert json.loads(json.dumps(measured)) == measured
    text = written(place, "gpu", measured)
    assert "| The same updates on both, 2 runs | all | 2 | yes |" in text
    assert text.count("| RandomizedBudgetPerceptron | 40 |") == 2


def test_a_section_that_is_not_possible_keeps_its_results(place, monkeypatch, capsys):
    monkeypatch.setattr(gpu, "is_possible", lambda: False)
    main(["run", "--quick", "--section", "gpu"])
    assert "gpu is not possible here" in capsys.readouterr().out
