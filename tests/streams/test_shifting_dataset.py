"""Multi-label data whose category of interest changes."""

import numpy as np
import pytest
from scipy import sparse

from budgetron.streams import ShiftingDataset, shifting_datasets

X = np.arange(22.0).reshape(11, 2)
LABELS = [
    {"a"},
    {"a", "b"},
    set(),
    {"b"},
    {"c"},
    {"a", "c"},
    {"b", "c"},
    {"a"},
    {"c"},
    {"b"},
    {"a"},
]
Y = np.array([[name in labels for name in "abc"] for labels in LABELS], dtype=int)
EXPECTED = [1, 1, -1, 1, -1, -1, -1, 1, -1]  # a, b, a in chunks of three


@pytest.mark.parametrize(
    ("labels", "categories"),
    [
        (Y, [0, 1, 0]),
        (Y.astype(bool), np.array([0, 1, 0])),
        (sparse.csr_matrix(Y), [0, 1, 0]),
        (sparse.coo_array(Y), (0, 1, 0)),
        (LABELS, "aba"),
        ([tuple(labels) for labels in LABELS], ["a", "b", "a"]),
    ],
    ids=["dense", "bool", "csr", "coo", "sets", "tuples"],
)
def test_each_chunk_is_labelled_by_its_category(labels, categories):
    sample = ShiftingDataset(X, labels, categories).take(9)
    assert sample.y.tolist() == EXPECTED
    assert sample.targets.tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert sample.steps.tolist() == [0, 0, 0, 1, 0, 0, 1, 0, 0]
    assert sample.shift_times.tolist() == [3, 6]
    assert sample.total_shift == 2
    assert np.array_equal(sample.X, X[:9])


def test_sparse_rows_stay_sparse():
    sample = ShiftingDataset(sparse.csc_array(X), Y, [0, 2]).take(7)
    assert sample.X.format == "csr"
    assert np.array_equal(sample.X.toarray(), X[:7])


def test_the_same_category_again_is_no_shift():
    assert ShiftingDataset(X, Y, [1, 1, 0]).take(9).shift_times.tolist() == [6]


def test_categories_two_apart_are_one_step_apart():
    assert ShiftingDataset(X, Y, [0, 1, 2, 0]).take(8).steps.tolist() == [0, 0, 1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("rows", "labels", "categories", "problem"),
    [
        (X[0], Y, [0], "X must be a matrix"),
        (X, Y[:5], [0], "X has 11 rows and Y has 5"),
        (X, LABELS[:5], ["a"], "X has 11 rows and Y has 5"),
        (X, Y, [], "categories must be at least one"),
        (X, Y, [0] * 12, "at most as many as rows, 11; got 12"),
        (X, Y, [3], "category 3 is not one of the 3 columns"),
        (X, Y, [-1], "at least 0"),
        (X, Y, ["a"], "whole number"),
        (X, LABELS, ["a", "z"], "no row has the categories .'z'."),
        (X, ["ab"] * 11, ["a"], "collection of labels for each row, got 'ab'"),
        (X, Y[:, 0], [0], "collection of labels for each row"),
    ],
)
def test_what_does_not_fit_is_refused(rows, labels, categories, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        ShiftingDataset(rows, labels, categories)


FOUR = (70, 101, 4, 59)
ARTICLES = np.zeros((160, 1)), np.random.default_rng(0).random((160, 102)) < 0.3


def group(shifts, categories=FOUR, seed=0):
    return shifting_datasets(*ARTICLES, categories, shifts, random_state=seed)


def test_without_shifts_there_is_a_data_set_for_each_category():
    assert [data.categories for data in group(0)] == [(70,), (101,), (4,), (59,)]


@pytest.mark.parametrize("shifts", [1, 3, 7])
def test_a_group_of_the_paper_has_four_different_data_sets_with_so_many_shifts(shifts):
    data_sets = group(shifts)
    assert len({data.categories for data in data_sets}) == 4
    for data in data_sets:
        assert data.take(160).shift_times.tolist() == [*range(0, 160, 160 // (shifts + 1))][1:]


@pytest.mark.parametrize("seed", range(5))
def test_the_sequences_are_those_of_the_paper(seed):
    for data in group(1, seed=seed):
        assert len(set(data.categories)) == 2
        assert set(data.categories) < set(FOUR)
    for data in group(3, seed=seed):
        assert sorted(data.categories) == sorted(FOUR)
    for data in group(7, seed=seed):
        assert data.categories[:4] == data.categories[4:]
        assert sorted(data.categories[:4]) == sorted(FOUR)


def test_the_draw_depends_on_the_seed_alone():
    sequences = [[data.categories for data in group(3, seed=seed)] for seed in (0, 0, 1)]
    assert sequences[0] == sequences[1] != sequences[2]


@pytest.mark.parametrize("number", [2, 3, 5])
@pytest.mark.parametrize("shifts", [1, 2, 4, 6])
def test_any_number_of_categories_will_do(number, shifts):
    data_sets = group(shifts, range(number))
    assert len({data.categories for data in data_sets}) == number
    assert {data.take(160 // (shifts + 1) * (shifts + 1)).shifts for data in data_sets} == {shifts}


@pytest.mark.parametrize(
    ("categories", "shifts", "problem"),
    [([1, 1], 0, "distinct"), ([1], 1, "two categories"), ([1, 2], -1, "shifts")],
)
def test_a_group_that_cannot_be_is_refused(categories, shifts, problem):
    with pytest.raises(ValueError, match=problem):
        group(shifts, categories)
