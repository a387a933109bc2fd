"""MNIST and its 126 binary problems."""

import numpy as np
import pytest

from budgetron.datasets import load_mnist, mnist_problems

COUNTS = {
    "train": [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949],
    "test": [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009],
}


@pytest.mark.parametrize("split", COUNTS)
def test_rows_and_classes(at_hand, split):
    mnist = at_hand(load_mnist, split=split)
    assert mnist.X.shape == (sum(COUNTS[split]), 784)
    assert mnist.X.dtype == np.float32
    assert (mnist.X.min(), mnist.X.max()) == (0, 1)
    assert np.bincount(mnist.y).tolist() == COUNTS[split]


def test_all_rows_are_those_of_training_and_then_those_of_test(at_hand):
    train, test = (at_hand(load_mnist, split=split) for split in COUNTS)
    both = load_mnist(split="all", download=False)
    assert both.y.tolist() == [*train.y, *test.y]
    assert (both.X[[0, 59_999, 60_000, -1]] == [*train.X[[0, -1]], *test.X[[0, -1]]]).all()


def test_the_first_digits_are_those_of_the_file(at_hand):
    assert at_hand(load_mnist).y[:10].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]


def test_an_image_is_upright(at_hand):
    """The first 1 is a stroke: narrower than it is high."""
    ink = at_hand(load_mnist).X[3].reshape(28, 28) > 0.5
    assert ink.any(axis=0).sum() < ink.any(axis=1).sum() == 20


def test_there_are_126_problems_of_five_digits_against_five():
    problems = mnist_problems()
    assert len(set(problems)) == len(problems) == 126
    assert all(len(digits) == 5 and 0 in digits and digits <= set(range(10)) for digits in problems)
    assert problems == sorted(problems, key=sorted)


def test_a_problem_has_two_classes(at_hand):
    mnist = at_hand(load_mnist, split="test")
    digits = mnist_problems()[17]
    binary = mnist.against_rest(digits)
    assert binary.y.tolist() == [int(digit in digits) for digit in mnist.y]


def test_without_the_files_the_error_says_where_to_get_them(tmp_path):
    with pytest.raises(FileNotFoundError, match="mnist/train-images"):
        load_mnist(data_home=tmp_path, download=False)
