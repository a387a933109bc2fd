"""Saved and copied in mid-stream, a learner goes on as if nothing had happened."""

import pickle
from copy import deepcopy

import pytest

from budgetron import Forgetron
from estimators.learners import facts, over_learners, over_storages, small, stream


def pickled(model):
    return pickle.loads(pickle.dumps(model))


def squared(A, B):
    """A kernel of the user's own, at a place where pickle finds it."""
    return (A @ B.T) ** 2


over_copies = pytest.mark.parametrize("copy", [pickled, deepcopy])


@over_learners
@over_storages
@over_copies
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_copy_goes_on_bit_for_bit(learner, storage, copy, dtype):
    X, y = stream()
    X = storage(X)
    original = small(learner, dtype=dtype).partial_fit(X[:97], y[:97])
    other = copy(original)
    assert facts(other) == facts(original)
    for model in (original, other):
        model.partial_fit(X[97:98], y[97:98]).partial_fit(X[98:], y[98:])
    assert facts(other) == facts(original)


@over_learners
@over_storages
@over_copies
def test_a_copy_shares_nothing_with_the_original(learner, storage, copy):
    X, y = stream()
    X = storage(X)
    original = small(learner).partial_fit(X[:97], y[:97])
    other, before = copy(original), facts(original)
    other.partial_fit(X[97:], y[97:])
    assert facts(other) != before
    assert facts(original) == before


@over_copies
def test_a_copy_with_an_own_kernel_goes_on_bit_for_bit(copy):
    X, y = stream()
    original = small(Forgetron, kernel=squared).partial_fit(X[:97], y[:97])
    other = copy(original)
    original.partial_fit(X[97:], y[97:])
    assert facts(other.partial_fit(X[97:], y[97:])) == facts(original)


@over_learners
def test_what_is_new_can_be_pickled(learner):
    X, y = stream()
    assert facts(pickled(small(learner)).fit(X, y)) == facts(small(learner).fit(X, y))
