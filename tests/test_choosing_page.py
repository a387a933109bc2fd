"""The page about choosing a learner shows what was measured."""

import re

import pytest

import budgetron
from benchmarks import records
from benchmarks.choosing import eight_streams
from benchmarks.page import BOOKS, filled, place_of
from benchmarks.scale import SCALES

PLACE = place_of(SCALES["usual"], BOOKS["choosing"])
PAGE = PLACE.page.read_text()
RECORDS = records.read(PLACE.results / f"{eight_streams.NAME}.jsonl")
STREAMS = [record for record in RECORDS if record["what"] == "stream"]
RUNS = [record for record in RECORDS if record["what"] == "run"]
EXHIBIT = eight_streams.show(RECORDS)


def test_the_tables_are_made_from_the_measurements():
    assert filled(PAGE, [EXHIBIT], PLACE) == PAGE


def test_a_number_that_was_not_measured_is_noticed():
    assert filled(PAGE.replace("| linear | ", "| linear | 1", 1), [EXHIBIT], PLACE) == PAGE


def test_every_place_on_the_page_is_filled():
    places = re.findall("<!-- measured: (.*) -->", PAGE)
    assert len(places) == PAGE.count("<!-- end -->") == len(EXHIBIT.pieces)


@pytest.mark.parametrize("damaged", [PAGE + PAGE, PAGE.replace("<!-- measured: speeds -->", "")])
def test_a_table_without_its_one_place_is_an_error(damaged):
    with pytest.raises(ValueError, match=r"the page has \d places for '\w+'"):
        filled(damaged, [EXHIBIT], PLACE)


def test_pictures_are_where_the_page_says():
    pictures = re.findall(r"\]\((benchmarks/.*\.svg)\)", PAGE)
    assert len(pictures) == 3
    assert all((PLACE.page.parent / picture).is_file() for picture in pictures)


def test_all_learners_were_measured_on_all_streams():
    learners = {run["learner"] for run in RUNS}
    too_slow = {type(it).__name__ for it in eight_streams.GROWING_AND_SOLVING}
    assert len(STREAMS) == 8
    assert learners - {"linear"} <= set(budgetron.__all__)
    for facts in STREAMS:
        measured = {run["learner"] for run in RUNS if run["stream"] == facts["stream"]}
        assert learners - measured == (too_slow if facts["rows"] > eight_streams.SHORT else set())


def test_no_budget_was_exceeded():
    assert all(run["size"] <= run["budget"] for run in RUNS if run["budget"])


def test_every_learner_that_was_measured_is_on_the_page():
    for name in {run["learner"] for run in RUNS}:
        assert f"`{name}" in PAGE or name == "linear"
