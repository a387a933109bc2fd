"""Saved and copied in mid-stream, a learner goes on as if nothing had happened."""

import pickle
from copy import deepcopy

import joblib
import numpy as np
import pytest
from sklearn.utils import check_random_state

from budgetron import Forgetron
from budgetron.engine import Pool
from budgetron.estimators.kernel_classifier import _first_number
from covering import across
from estimators.learners import LEARNERS, facts, layouts, over_kinds, small, stream


def pickled(model):
    return pickle.loads(pickle.dumps(model))


def squared(A, B):
    """A kernel of the user's own, at a place where pickle finds it."""
    return (A @ B.T) ** 2


COPIES = (pickled, deepcopy)


@across(LEARNERS, "learner", layout=layouts)
def test_a_copy_goes_on_bit_for_bit_and_alone(learner, layout):
    (storage, dtype), (X, y) = layout, stream()
    X = storage(X)
    for copy in COPIES:
        original = small(learner, dtype=dtype).partial_fit(X[:97], y[:97])
        other, before = copy(original), facts(original)
        assert facts(other) == before
        other.partial_fit(X[97:98], y[97:98]).partial_fit(X[98:], y[98:])
        assert facts(other) != facts(original) == before
        original.partial_fit(X[97:98], y[97:98]).partial_fit(X[98:], y[98:])
        assert facts(other) == facts(original)


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_with_an_own_kernel_goes_on_bit_for_bit(copy):
    X, y = stream()
    original = small(Forgetron, kernel=squared).partial_fit(X[:97], y[:97])
    other = copy(original)
    original.partial_fit(X[97:], y[97:])
    assert facts(other.partial_fit(X[97:], y[97:])) == facts(original)


@over_kinds
def test_what_is_new_can_be_pickled(learner):
    X, y = stream()
    assert facts(pickled(small(learner)).fit(X, y)) == facts(small(learner).fit(X, y))


@over_kinds
def test_one_that_is_mapped_from_a_file_needs_no_machine_code_of_its_own(learner, tmp_path):
    X, y = stream()
    original = small(learner).fit(X[:97], y[:97])
    joblib.dump(original, tmp_path / "learner")
    mapped = joblib.load(tmp_path / "learner", mmap_mode="r")
    own = mapped._learner
    learners = own.filters if isinstance(own, Pool) else [own]
    assert all(arrays_are_writeable(one.state) for one in learners)
    assert mapped.predict(X).tolist() == original.predict(X).tolist()
    assert facts(mapped.partial_fit(X[97:], y[97:])) == facts(original.partial_fit(X[97:], y[97:]))


def arrays_are_writeable(arrays):
    return all(
        arrays_are_writeable(one) if isinstance(one, tuple) else one.flags.writeable
        for one in arrays
    )


def test_seeds_are_those_of_scikit_learn():
    for seed in (0, 7, 2**32 - 1, np.int32(5), np.random.RandomState(3)):
        expected = check_random_state(deepcopy(seed)).randint(2**31)
        assert _first_number(seed) == expected
    with pytest.raises(ValueError, match="Seed must be between"):
        _first_number(-1)
