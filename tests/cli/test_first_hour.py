"""A user's first hour: six files as they come, and what is printed."""

import json

import numpy as np
import pytest

from cli import messy_files
from cli.commands import run

BUDGETRON = ("-l", "Budgetron", "-s", "budget=50")
FORGETRON = ("-l", "Forgetron", "-s", "budget=50", "--standardize")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*arguments, code=0):
    result = run(*arguments)
    assert result.exit_code == code, result.stderr
    assert "Warning" not in result.stderr and "site-packages" not in result.stderr
    return result


def error(*arguments):
    return json.loads(told("run", *arguments, "--json").stdout)["error"]


def test_semicolons_decimal_commas_and_another_encoding(here):
    messy_files.write_german(here / "german.csv")
    refused = told("run", "german.csv", *BUDGETRON, code=2)
    assert refused.stderr == (
        "error: german.csv is not in UTF-8: give its --encoding, such as latin-1\n"
    )
    done = told("run", "german.csv", *BUDGETRON, "--encoding", "latin-1")
    first = "label 'Straße' (nein, ja); 3 features from 3 numbers; left out 'Uhrzeit'"
    assert done.stdout.splitlines()[0] == first
    messy_files.write_plain(here / "plain.csv")
    encoded = error("german.csv", *BUDGETRON, "--encoding", "latin-1", "--ignore", "Uhrzeit")
    assert abs(encoded - error("plain.csv", *BUDGETRON)) < 0.005


def test_ids_and_dates_do_no_harm(here):
    messy_files.write_id_and_date(here / "both.csv")
    messy_files.write_plain(here / "plain.csv")
    for learner in (BUDGETRON, FORGETRON):
        assert abs(error("both.csv", *learner) - error("plain.csv", *learner)) < 0.005
    done = told("race", "both.csv", "-l", "Forgetron budget=50")
    assert done.stdout.startswith(
        "label 'ring' (no, yes); 3 features from 3 numbers; left out 'id', 'when'\n"
    )
    assert done.stderr == (
        "note: 'id' is left out, it only rises: --kind id=number keeps it\n"
        "note: 'when' is left out, it only grows, and the label does not depend on hour or weekday:"
        " --kind when=date keeps it\n"
    )
    kept = ("--kind", "id=number", "--kind", "when=date")
    assert abs(error("both.csv", *BUDGETRON, *kept[:2]) - error("plain.csv", *BUDGETRON)) < 0.005
    columns = json.loads(told("columns", "both.csv", *kept, "--json").stdout)
    assert columns["features"] == 3 + 1 + 5 and columns["left_out"] == {}


def test_late_categories_and_missing_values(here):
    messy_files.write_late_categories(here / "late.csv")
    refused = told("run", "late.csv", *BUDGETRON, code=2)
    assert refused.stderr == (
        "error: late.csv, line 9: column 'height' has no value (a run with --missing zero or"
        " indicator takes gaps, --aside FILE sets bad rows aside)\n"
    )
    takes = ("--missing", "indicator", "--standardize")
    done = told("run", "late.csv", *BUDGETRON, *takes)
    assert "label 'label' (" in done.stdout and "from 1 category, 1 number" in done.stdout
    assert "'colour' has categories in " in done.stderr
    assert "--kind colour=hashed tells them apart" in done.stderr
    apart = error("late.csv", *BUDGETRON, *takes, "--kind", "colour=hashed")
    assert apart < error("late.csv", *BUDGETRON, *takes) / 2


def test_rows_without_labels_and_answers_in_a_second_file(here):
    messy_files.write_payments(here / "payments.csv", here / "verdicts.csv")
    done = json.loads(told("run", "payments.csv", *BUDGETRON, "--id", "payment", "--json").stdout)
    assert done["unlabelled"] == done["waiting"] == 667 and done["learned"] == messy_files.ROWS
    answered = told(
        *("run", "payments.csv", *BUDGETRON, "--id", "payment", "--answers", "verdicts.csv"),
        *("--target", "fraud", "--ignore", "fraud", "--delay", 20, "--model", "m"),
    )
    assert "223 rows, which were predicted and not learned" in answered.stdout
    predicted = told("predict", "m", "payments.csv", "--id", "payment", "--output", "-").stdout
    header, first, *_ = predicted.splitlines()
    assert header == "row,payment,prediction,score" and first.startswith("0,p0,")
    judged = told("evaluate", "m", "payments.csv")
    rows, *_ = (line for line in judged.stdout.splitlines() if line.startswith("rows "))
    assert rows.split(maxsplit=1)[1] == "1,333, and 667 unlabelled"
    assert {"commonest", "last"} <= {line.split()[0] for line in judged.stdout.splitlines()}


def test_a_label_in_an_unexpected_place(here):
    messy_files.write_label_first(here / "first.csv")
    refused = told("run", "first.csv", *BUDGETRON, code=2)
    assert refused.stdout == "" and refused.stderr == (
        "error: column 'height' is taken for the label, since none is named, and has broken"
        " numbers, 634 different ones in 1,000 rows: name the column of the classes with --target"
        " COLUMN (perhaps --target ring)\n"
    )
    assert told("run", "first.csv", *BUDGETRON, "--target", "ring").stdout.startswith(
        "label 'ring' (no, yes); 3 features from 3 numbers\n"
    )


def test_no_label_at_all(here):
    messy_files.write_free_text(here / "letters.csv")
    for command in (("run", "letters.csv", *BUDGETRON), ("columns", "letters.csv")):
        assert told(*command, code=2).stderr == (
            "error: column 'text' is taken for the label, since none is named, and has free text,"
            " such as this is letter 0 of many: name the column of the classes with --target"
            " COLUMN\n"
        )


WRONG_TARGETS = {
    "whole numbers": (np.arange(300) * 7919 % 1000, (), "300 different values in 300 rows"),
    "many classes": ([f"c{t % 120}" for t in range(900)], (), "120 different values"),
    "named": (np.linspace(0, 1, 300), ("--target", "z"), "say by --labels"),
    "dates": ([f"2024-01-{t % 28 + 1:02}" for t in range(300)], (), "and has dates"),
}


@pytest.mark.parametrize("wrong", WRONG_TARGETS)
def test_what_can_hardly_be_classes_is_refused(here, wrong):
    values, options, reason = WRONG_TARGETS[wrong]
    rows = [f"{np.sin(t):.3f},{value}" for t, value in enumerate(values)]
    (here / "wrong.csv").write_text("\n".join(["x,z", *rows]))
    refused = told("run", "wrong.csv", *BUDGETRON, *options, code=2)
    assert reason in refused.stderr and "--target" in refused.stderr
    told("columns", "wrong.csv", "--target", "z", "--labels", "text")
