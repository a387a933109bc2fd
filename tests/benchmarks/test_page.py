"""Pages are made of stored records alone."""

import json
import re
import subprocess
from dataclasses import replace

import pytest

from benchmarks import page, records
from benchmarks.__main__ import main
from benchmarks.choosing import CHOOSING
from benchmarks.flagship import FLAGSHIP
from benchmarks.machine import commit
from benchmarks.scale import SCALES
from benchmarks.sections import SECTIONS, gpu
from benchmarks.tables import markdown
from budgetron.engine import DEVICES
from engine.test_on_device import LateDevice

BENCHMARKS = page.BOOKS["benchmarks"]


@pytest.fixture
def place(tmp_path):
    return page.Place(tmp_path / "results", tmp_path / "BENCHMARKS.md", tmp_path / "details")


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

RUN_WITH_BUDGET = run("Forgetron(20)", "Budgetron", "kernel", 0.1, 50) | {
    "learner": "Forgetron",
    "budget": 20,
    "all_rows": 1000,
}
RUN_IN_PARTS = {
    "is_real": True,
    "contender": "Forgetron(20)",
    "budget": 20,
    "rows": 100,
    "seconds": 0.1,
    "mistakes": 5,
}


def written(place, name, measurements):
    """The page of details that a section is on."""
    records.keep(place.results / f"{name}.jsonl", iter(measurements))
    page.write_pages(place)
    (details,) = (it.name for it in BENCHMARKS.pages if name in it.sections)
    return (place.details / f"{details}.md").read_text()


def test_the_contest_says_where_a_linear_model_is_the_better_choice(place):
    text = written(place, "contest", CONTEST)
    assert "**A linear model is the better choice on a9a. A kernel pays on digits.**" in text
    assert "**On a9a a linear model is the better choice**" in text


def test_the_contest_sets_each_peer_beside_the_fastest_of_ours_that_is_as_good(place):
    text = written(place, "contest", CONTEST)
    (line,) = re.findall(r"\| River RBFSampler.*", text)
    assert "Forgetron(100) | 5.00% | 100.0 x | 25.0 x |" in line
    told = page.asked(place, BENCHMARKS)
    assert "at least 3 x | 10.0 x (River LogisticRegression) | yes |" in told
    assert "at least 3 x" not in text + place.page.read_text()
    (line,) = re.findall(r"\| River LogisticRegression.*\d x \|", text)
    assert line.endswith("| 10.0 x | 2.5 x |")
    assert "none makes as few mistakes" in text  # on a9a


def test_plots_are_drawn_and_linked(place):
    text = written(place, "contest", CONTEST)
    linked = re.findall(r"\]\((.*?\.svg)\)", text)
    assert linked == ["contest-digits.svg", "contest-a9a.svg"]
    assert all((place.details / path).read_text().lstrip().startswith("<?xml") for path in linked)


def test_the_page_describes_the_machine_without_names_or_paths(place):
    text = written(place, "contest", CONTEST)
    machine = records.machine_of(place.results / "contest.jsonl")
    assert machine["cpu"] in text
    assert str(place.results) not in text
    assert text.count("Measured at commit") == 1


def test_sections_of_different_commits_name_their_own(place):
    for name, its_commit, measured in (
        ("contest", "abc1234", CONTEST),
        ("budgets", None, [RUN_WITH_BUDGET]),
        ("length", "abc1234+", [RUN_IN_PARTS | {"part": part} for part in range(8)]),
    ):
        path = place.results / f"{name}.jsonl"
        records.keep(path, measured)
        first, *lines = path.read_text().splitlines()
        machine = json.loads(first)["machine"] | {"commit": its_commit}
        if its_commit is None:
            del machine["commit"]  # as of older results
        path.write_text("\n".join([json.dumps({"machine": machine}), *lines]))
    page.write_pages(place)
    front, engine = place.page.read_text(), (place.details / "engine.md").read_text()
    assert re.findall("Measured (.*?),", front) == [
        "at commit `abc1234`",
        "before commits were named",
        "at commit `abc1234`",
    ]
    assert "(contest)" in front and "`abc1234`, with changes, " in front
    assert engine.count("Measured ") == 2
    assert "Measured at commit `abc1234`, 20" in (place.details / "contest.md").read_text()


def test_the_commit_is_that_of_the_code_and_says_if_it_was_changed(tmp_path):
    def git(*arguments):
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    assert commit(tmp_path) is None
    git("init")
    code, results = tmp_path / "src" / "code.py", tmp_path / "benchmarks" / "results" / "a.jsonl"
    for path in (code, results):
        path.parent.mkdir(parents=True)
        path.write_text("1")
    git("add", ".")
    git("commit", "-m", "one")
    assert re.fullmatch("[0-9a-f]{9,}", commit(tmp_path))
    results.write_text("2")
    assert not commit(tmp_path).endswith("+")
    code.write_text("2")
    assert commit(tmp_path).endswith("+")


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
    written(place, "contest", CONTEST)
    assert "memory.jsonl" in [it.name for it in place.results.iterdir()]
    assert not (place.details / "engine.md").exists()
    assert "peak memory" not in place.page.read_text()


def flagship(budget, numbers, seconds, mistakes, *, at_once=1, **others):
    facts = {"learner": "Budgetron", "dtype": "float64", "budget": budget, "numbers": numbers}
    name = f"Budgetron({budget}), float64" + (", single rows" if at_once == 1 else "")
    return run(name, "Budgetron", "kernel", seconds, mistakes, at_once=at_once, **others) | facts


def test_the_front_page_says_when_to_take_what(place):
    """By the errors of Budgetron with the most memory, over the rows that a peer got through."""
    peers = [each for each in CONTEST if each["library"] != "Budgetron"]
    forest = run("ARFClassifier", "River", "tree", 4.0, 45) | {"numbers": None}
    forest["marks"] = forest["marks"][:1]
    ours = [
        flagship(8, 300, 0.01, 60, at_once=None),
        flagship(20, 900, 0.02, 48, at_once=None),
        flagship(20, 900, 0.02, 49, workload="a9a", at_once=None),
        flagship(8, 300, 0.05, 60),
    ]
    for late, told in ((0, "on digits, among"), (-4, "on none of these streams, among")):
        ours[1]["marks"][0]["mistakes"] = 48 + late
        written(place, "contest", [*peers, forest, *ours])
        text = place.page.read_text()
        assert told in text
    assert "errs less than any linear model: here on digits." in text
    assert "errs as little: here on a9a." in text and "0.2 times as fast as ours" in text
    assert "Ours was 200 times as fast" in text
    (line,) = re.findall(r"^\| digits .*", text, re.MULTILINE)
    assert line == "| digits | Budgetron(20) | 8.0% : **4.8%** | 9.0% : **8.8%** in 500 |"
    assert "Budgetron 6.0 % at 100,000 rows a second" in text  # with less memory
    assert "Budgetron 20,000 rows a second, depending" in text


def test_the_front_page_has_five_pictures_with_budgetron_in_all(place):
    fields = [
        flagship(budget, 40 * budget, 0.01 * budget, 50, workload=workload, at_once=None)
        for workload in ("a9a", "digits")
        for budget in (8, 20)
    ]
    by_threads = [
        {"workload": "digits", "is_real": True, "learner": name, "dtype": "float64", "budget": 500}
        | {"supports": 500, "rows": 100, "repeat": 0, "what": what, "threads": threads}
        | {"seconds": 1 / threads}
        for name in ("Budgetron", "Forgetron")
        for what in ("learner", "bare")
        for threads in (1, 2)
    ]
    on_gpu = [
        {"gpu": "a GPU", "what": "speed", "learner": name, "budget": 1000, "device": device}
        | {"rows": 100, "seconds": seconds, "updates": 5, "repeat": 0}
        for name in ("Budgetron", "Forgetron")
        for device, seconds in (("cuda", 1), ("cpu", 20))
    ]
    by_budget = [
        RUN_WITH_BUDGET,
        RUN_WITH_BUDGET | {"learner": "Budgetron"},
        RUN_WITH_BUDGET | {"learner": "Budgetron", "budget": 40},
    ]
    for name, measured in (
        ("budgets", by_budget),
        ("threads", by_threads),
        ("gpu", on_gpu),
        ("contest", fields),
    ):
        written(place, name, measured)
    text = place.page.read_text()
    linked = re.findall(r"\]\((details/front-.*?\.svg)\)", text)
    assert len(linked) == 5
    assert all("Budgetron" in (place.page.parent / path).read_text() for path in linked)
    assert "Budgetron 2.0, Forgetron 2.0" in text and "20 times as fast as all cores" in text
    assert len(text.splitlines()) < 150


def test_what_was_asked_can_be_printed(monkeypatch, capsys, place):
    written(place, "contest", CONTEST)
    monkeypatch.setattr("benchmarks.__main__.place_of", lambda scale, book: place)
    main(["asked"])
    assert "| digits: speed beside the nearest peer of those that saw" in capsys.readouterr().out


def test_without_results_there_is_no_page(place):
    with pytest.raises(SystemExit, match="no results"):
        page.write_pages(place)


TINY = replace(SCALES["quick"], learners=("Forgetron",))


@pytest.mark.parametrize("name", ["overhead", "budgets", "length", "features"])
def test_a_section_measures_and_shows_itself(place, monkeypatch, tmp_path, name):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    measured = [*SECTIONS[name].measure(TINY)]
    assert json.loads(json.dumps(measured)) == measured
    text = written(place, name, measured)
    assert "| Forgetron" in text
    assert f"## {SECTIONS[name].TITLE}" in text


@pytest.mark.parametrize("name", FLAGSHIP)
def test_the_flagship_measures_and_shows_itself(place, monkeypatch, tmp_path, name):
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    measured = [*FLAGSHIP[name].measure(TINY)]
    assert json.loads(json.dumps(measured)) == measured
    records.keep(place.results / f"{name}.jsonl", measured)
    page.write_pages(place, page.BOOKS["flagship"])
    text = place.page.read_text()
    assert text.startswith("# The flagship, measured")
    assert "reached |" not in text
    assert f"## {FLAGSHIP[name].TITLE}" in text
    assert "nan" not in text


def test_what_the_page_on_choosing_shows_is_measured(place, monkeypatch, tmp_path):
    """On the one stream that is inside the package."""
    monkeypatch.setenv("BUDGETRON_DATA", str(tmp_path))
    tiny = replace(TINY, learners=("Forgetron", "Perceptron", "SecondOrderPerceptron"))
    measured = [*CHOOSING["choosing"].measure(tiny)]
    assert json.loads(json.dumps(measured)) == measured
    records.keep(place.results / "choosing.jsonl", measured)
    page.write_pages(place, page.BOOKS["choosing"])
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
    told = page.asked(place, BENCHMARKS)
    assert "| The same updates on both, 2 runs | all | 2 | yes |" in told
    assert text.count("| RandomizedBudgetPerceptron | 40 |") == 2


def test_a_section_that_is_not_possible_keeps_its_results(place, monkeypatch, capsys):
    monkeypatch.setattr(gpu, "is_possible", lambda: False)
    main(["run", "--quick", "--section", "gpu"])
    assert "gpu is not possible here" in capsys.readouterr().out
