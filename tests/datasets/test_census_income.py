"""Census-Income (KDD): the test split as it is, the training split as a small file of its form."""

import gzip
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import issparse

from budgetron.datasets import census_income, load_census_income

LINES = [
    "73, Not in universe, 0, 0, High school graduate, 0, Not in universe, Widowed, Not in universe"
    " or children, Not in universe, White, All other, Female, Not in universe, Not in universe, Not"
    " in labor force, 0, 0, 0, Nonfiler, Not in universe, Not in universe, Other Rel 18+ ever marr"
    " not in subfamily, Other relative of householder, 1700.09, ?, ?, ?, Not in universe under 1"
    " year old, ?, 0, Not in universe, United-States, United-States, United-States, Native- Born in"
    " the United States, 0, Not in universe, 2, 0, 95, - 50000.\n",
    "45, Private, 37, 12, Some college but no degree, 1200, Not in universe, Divorced, Business and"
    " repair services, Professional specialty, White, All other, Male, Not in universe, Not in"
    " universe, Full-time schedules, 99999, 0, 50, Single, South, Arkansas, Householder,"
    " Householder, 991.95, MSA to MSA, Same county, Same county, No, Yes, 6, Not in universe,"
    " Mexico, ?, United-States, Native- Born in the United States, 0, Not in universe, 2, 26, 94,"
    " 50000+.\n",
]


@pytest.fixture
def publish(site, monkeypatch):
    """Put the training split on the site."""
    monkeypatch.setitem(census_income._N_ROWS, "train", len(LINES))

    def publish(packed):
        source = site.publish("census-income.data.gz", packed)
        file = replace(census_income._FILES["train"], source=source)
        monkeypatch.setitem(census_income._FILES, "train", file)
        return source

    return publish


@pytest.fixture
def small(publish, tmp_path):
    publish(gzip.compress("".join(LINES).encode()))
    return load_census_income(data_home=tmp_path / "home")


def answers(data, row):
    values = data.X[row].toarray()[0]
    return {data.feature_names[place]: values[place] for place in np.flatnonzero(values)}


def test_rows_and_classes_of_the_test_split(at_hand):
    census = at_hand(load_census_income, split="test")
    assert issparse(census.X)
    assert census.X.shape == (99_762, 502)
    assert len(census.feature_names) == len(set(census.feature_names)) == 502
    assert np.bincount(census.y).tolist() == [93_576, 6_186]
    assert census.X.data.min() > 0 and census.X.data.max() == 1


def test_the_first_row_of_the_test_split(at_hand):
    first = answers(at_hand(load_census_income, split="test"), 0)
    assert first["age"] == 38 / 90
    assert first["weeks worked in year"] == 12 / 52
    assert first["country of birth self: Mexico"] == 1
    assert first["citizenship: Foreign born- Not a citizen of U S"] == 1
    assert not any("migration code" in question for question in first)


def test_every_question_is_answered_at_most_once(at_hand):
    census = at_hand(load_census_income, split="test")
    questions = np.array([name.partition(":")[0] for name in census.feature_names])
    assert len(set(questions)) == 40
    for question in set(questions):
        answered = census.X[:, np.flatnonzero(questions == question)].getnnz(axis=1)
        assert answered.max() == 1


def test_numbers_are_divided_by_their_largest_value(small):
    second = answers(small, 1)
    assert second["age"] == 45 / 90
    assert second["wage per hour"] == 1200 / 9999
    assert second["capital gains"] == 1
    assert second["num persons worked for employer"] == 1
    assert "capital losses" not in second


def test_a_category_has_a_column_of_its_own_and_a_missing_answer_has_none(small):
    first, second = answers(small, 0), answers(small, 1)
    assert first["detailed industry recode: 0"] == second["detailed industry recode: 37"] == 1
    assert second["country of birth father: Mexico"] == 1
    assert not any("country of birth mother" in question for question in second)
    assert not any("?" in name for name in small.feature_names)
    assert "instance weight" not in small.feature_names


def test_labels_and_columns_of_the_training_split(small):
    assert small.y.tolist() == [0, 1]
    assert small.X.shape == (2, 502)


def test_both_splits_have_the_same_columns(publish, at_hand, monkeypatch):
    test = at_hand(load_census_income, split="test")
    train = census_income._FILES["train"]
    monkeypatch.setitem(
        census_income._FILES, "train", replace(train, names=census_income._FILES["test"].names)
    )
    monkeypatch.setitem(census_income._N_ROWS, "train", 99_762)
    both = load_census_income(split="all", download=False)
    assert both.X.shape == (2 * 99_762, 502)
    assert both.feature_names == test.feature_names


@pytest.mark.parametrize(
    "text",
    [
        LINES[0],
        LINES[0] + LINES[1].replace("45, Private", "Private"),
        LINES[0] + LINES[1].replace("Arkansas", "Atlantis"),
        LINES[0] + LINES[1].replace("45", "young"),
        LINES[0] + LINES[1].replace("50000+.", "rich"),
        "",
    ],
    ids=["a row too few", "an answer too few", "no such state", "no age", "no such label", "empty"],
)
def test_a_wrong_file_is_an_error_and_is_not_kept(publish, tmp_path, text):
    source = publish(gzip.compress(text.encode()))
    with pytest.raises(OSError, match="damaged") as caught:
        load_census_income(data_home=tmp_path / "home")
    assert source in str(caught.value)
    assert not (tmp_path / "home").exists()


def test_half_a_file_is_an_error_and_is_not_kept(publish, tmp_path):
    publish(gzip.compress("".join(LINES).encode())[:-20])
    with pytest.raises(OSError, match="damaged"):
        load_census_income(data_home=tmp_path / "home")
    assert not (tmp_path / "home").exists()
