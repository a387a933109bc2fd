"""Of other libraries nothing is heard before our one line."""

import os
import subprocess
import sys
import warnings

import pytest

from cli.commands import run

ROWS = 60


def lines(row):
    return "a,b,label\n" + "".join(f"{row(place)}\n" for place in range(ROWS))


FILES = {
    "constant.csv": lines(lambda t: f"1,1,{'yn'[t % 2]}"),
    "huge.csv": lines(lambda t: f"{(-1) ** (t // 2)}e308,1.7e308,{'yn'[t % 2]}"),
    "large.csv": lines(lambda t: f"{t - 30}e200,{t},{'yn'[t % 2]}"),
    "subnormal.csv": lines(lambda t: f"{t % 7}e-323,2e-310,{'yn'[t % 2]}"),
    "one-class.csv": lines(lambda t: f"{t},{t % 3},y"),
    "many-classes.csv": lines(lambda t: f"{t},{t % 3},c{t}"),
    "numbers.csv": lines(lambda t: f"{t},{t % 3},{t / 7}"),
    "infinite.csv": lines(lambda t: f"inf,1,{'yn'[t % 2]}"),
    "stops.csv": lines(lambda t: f"a . ! ? x {t},{t},{'yn'[t % 2]}"),
    "huge.svm": "".join(f"{t % 2} 1:1e308 3:5e-324\n" for t in range(ROWS)),
    "empty.csv": "",
    "漢字.csv": lines(lambda t: f"{t},{t % 3},{'漢字'[t % 2]}"),
}
COMMANDS = (
    ("run", "-l", "Forgetron"),
    ("run", "-l", "Forgetron", "-s", "kernel=linear"),
    ("run", "-l", "Budgetron"),
    ("run", "-l", "Forgetron", "--standardize"),
    ("certify", "Forgetron"),
    ("race", "-l", "Forgetron", "--chart", "chart.svg"),
)


@pytest.mark.parametrize("name", FILES)
def test_messy_files(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    for place, command in enumerate(COMMANDS, start=[*FILES].index(name)):
        filters = ("error", "always")[place % 2]
        with warnings.catch_warnings():
            warnings.simplefilter(filters)
            told = run(*command, name)
        assert told.exception is None or isinstance(told.exception, SystemExit), command
        said = [line.partition(":")[0] for line in told.stderr.splitlines()]
        assert said == ["note"] * (len(said) - bool(told.exit_code)) + ["error"] * bool(
            told.exit_code
        )


@pytest.mark.parametrize("filters", ["error", "default"])
def test_in_a_process_of_its_own(tmp_path, filters):
    (tmp_path / "many.csv").write_text(FILES["many-classes.csv"])
    command = [sys.executable, "-W", filters, "-m", "budgetron", "run", "many.csv"]
    done = subprocess.run(
        [*command, "-l", "Forgetron", "-s", "budget=0", "--target", "label", "--labels", "text"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert done.returncode == 2
    note, error = done.stderr.splitlines()
    assert note.startswith("note: 'a' is left out") and error.startswith("error: budget must be")


def test_what_a_learner_warns_of_is_said_once(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text(FILES["constant.csv"])
    told = run("race", path, "-l", "Projectron", "-s", "norm_bound=0.5")
    assert told.stderr.startswith("note: with norm_bound=0.5 ")
    assert told.stderr.count("\n") == 1
