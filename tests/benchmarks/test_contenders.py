"""Contenders take the same memory and count mistakes alike."""

import numpy as np
import pytest

from benchmarks.contenders import field, of_scikit_learn
from benchmarks.contenders.matching import fourier_features, numbers_of, supports_with_matrices
from benchmarks.contenders.ours import in_batches, matched_budget, row_by_row
from benchmarks.filling import filled
from benchmarks.running import in_turns, marks_up_to, run
from benchmarks.scale import SCALES
from benchmarks.workloads import Shape, Stream, stand_in


def stream(rows=120):
    X, y = stand_in(Shape(rows, 12, 5, "one", is_sparse=False))
    return Stream("tiny", X, y, is_real=False)


def test_a_budget_of_supports_takes_their_features_and_weights():
    assert numbers_of(1000, 123) == 124_000
    assert numbers_of(10, 123, matrices=1) == 10 * 124 + 100


@pytest.mark.parametrize("matrices", [1, 2])
@pytest.mark.parametrize("numbers", [500, 12_400, 124_000])
def test_the_most_supports_that_fit_with_their_matrices_fit_and_one_more_does_not(
    numbers, matrices
):
    most = supports_with_matrices(numbers, 123, matrices)
    assert numbers_of(most, 123, matrices) <= numbers < numbers_of(most + 1, 123, matrices)


def test_budgetron_takes_three_weights_and_two_matrices_and_finds_its_width():
    data, numbers = stream(), 5000
    budget = matched_budget("Budgetron", data, numbers)
    ours = in_batches("Budgetron", data, budget)
    assert ours.numbers == budget * (12 + 3) + 2 * budget**2 <= numbers
    assert numbers_of(budget + 1, 12, matrices=2, weights=3) > numbers
    assert ours.choices == ({"gamma": "auto"},)
    in_the_field = [each for each in field(data, SCALES["quick"]) if "Budgetron(" in each.name]
    assert len(in_the_field) == 4  # three sizes of memory, and row by row
    assert all(each.choices == ours.choices for each in in_the_field)


def test_a_budgetron_whose_cost_is_measured_is_full():
    data = stream(400)
    learner, _ = filled("Budgetron", 10, data.X, np.where(data.y, 1.0, -1.0), 0.5)
    assert learner.size == 10


def test_fourier_features_take_a_column_of_the_matrix_a_phase_and_a_weight_each():
    assert fourier_features(124_000, 123) == 124_000 // 125
    assert fourier_features(100, 123) == 50  # no fewer, where nothing fits


def test_marks_are_round_numbers_and_the_end():
    assert marks_up_to(1500) == [100, 200, 500, 1000, 1500]
    assert marks_up_to(100) == [100]


def test_single_rows_and_batches_make_the_same_mistakes():
    data = stream()
    in_one, in_many = (
        [
            mark["mistakes"]
            for mark in run(way("RandomizedBudgetPerceptron", data, 10), data, 60, {"gamma": 0.1})
        ]
        for way in (in_batches, row_by_row)
    )
    assert in_one == in_many


def test_a_contender_that_is_too_slow_stops_at_a_mark():
    data = stream(700)
    contender = of_scikit_learn.linear(data, 1)[0]
    marks = run(contender, data, 1e-9, contender.choices[0])
    assert [mark["rows"] for mark in marks] == [100]


def test_peers_are_tuned_and_take_turns():
    data = stream()
    records = [*in_turns(of_scikit_learn.linear(data, 100), data, SCALES["quick"])]
    assert [record["contender"] for record in records] == [
        "SGDClassifier hinge, 100 at once",
        "SGDClassifier PA, 100 at once",
    ]
    assert all(0 <= record["marks"][-1]["mistakes"] <= 120 for record in records)
    assert set(records[0]["choice"]) == {"alpha"}


def test_nobody_in_the_field_keeps_more_than_the_large_memory_except_where_it_says_so():
    data, scale = stream(), SCALES["quick"]
    much = numbers_of(scale.budget, data.width)
    for contender in field(data, scale):
        if contender.numbers and "RBFSampler(50)" not in contender.name:
            assert contender.numbers <= much


def test_mistakes_are_counted_from_the_first_row():
    data = stream()
    contender = of_scikit_learn.linear(data, 100)[0]
    wrong = contender.begin(alpha=1e-4)((data.X, data.y))
    np.testing.assert_array_equal(wrong[:100], data.y[:100] != 0)
