"""Learners as bytes: the same as in a file, small, and the same for equal learners."""

import pickle
import random
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest

import budgetron
from budgetron.saving import SavedModelError, dumps
from covering import naming
from estimators.learners import LEARNERS, small, storages
from saving.families import FAMILIES, FILES
from saving.models import Way, experts

LENGTH = 120

EXACT = [
    *("Ahpatron", "BudgetPerceptron", "BudgetedGradientDescent", "ExponentialDecayPerceptron"),
    *("Forgetron", "FourierGradientDescent", "LeastRecentBudgetPerceptron", "Norma", "Perceptron"),
    *("RandomizedBudgetPerceptron", "ShiftingPerceptron", "Stoptron"),
]
"""Learners whose state is the same to the last bit, however the stream is cut."""


@pytest.mark.parametrize("name", EXACT)
def test_equal_learners_have_equal_bytes_under_100_cuts(name):
    rng = random.Random(name)
    storage = rng.choice([*storages(getattr(budgetron, name))])
    X, y, weights = Way(storage, "float64", rng.choice((2, 3)), weighted=True).stream(LENGTH, 1)
    whole = small(getattr(budgetron, name)).partial_fit(X, y, sample_weight=weights).dumps()
    for _ in range(100):
        learner = small(getattr(budgetron, name))
        cuts = sorted({0, *rng.sample(range(1, LENGTH), rng.randrange(8)), LENGTH})
        for first, last in pairwise(cuts):
            here = slice(first, last)
            learner.partial_fit(X[here], y[here], sample_weight=weights[here])
            if rng.random() < 0.2:
                learner = budgetron.loads(learner.dumps())
        with naming(str(cuts)):
            assert learner.dumps() == whole


@pytest.mark.parametrize("learner", LEARNERS)
def test_copies_have_the_same_bytes(learner):
    X, y, _ = Way().stream(LENGTH, 2)
    one = small(learner).fit(X, y)
    data = one.dumps()
    for other in (deepcopy(one), pickle.loads(pickle.dumps(one)), budgetron.loads(data)):
        assert other.dumps() == data
    assert small(learner).fit(X, y).dumps() == data  # and learners that have learned the same
    assert one.predict(X).tolist() and one.dumps() == data


def test_single_rows_and_batches_give_the_same_bytes():
    X, y, _ = Way().stream(LENGTH, 3)
    alone = small(budgetron.Forgetron).partial_fit(X[:2], y[:2], classes=["no", "yes"])
    together = small(budgetron.Forgetron).partial_fit(X, y, classes=["no", "yes"])
    for x, label in zip(X[2:], y[2:], strict=True):
        alone.learn_one(x, label)
    assert alone.dumps() == together.dumps()


@pytest.mark.parametrize("name", FAMILIES)
def test_a_file_has_the_same_bytes(name, tmp_path):
    data = (FILES / f"{name}.budgetron").read_bytes()
    model = budgetron.loads(data)
    assert dumps(model) == model.dumps() == data
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == data


def test_experts_and_notes_are_bytes_too():
    X, y, _ = Way().stream(LENGTH, 4)
    model = experts().fit(X, y)
    assert budgetron.loads(model.dumps()).dumps() == model.dumps()
    assert dumps(model, {"a": 1}) != model.dumps()
    with pytest.raises(SavedModelError, match="notes"):
        dumps(model, {"a": {1, 2}})


def test_what_cannot_be_saved_has_no_bytes():
    X, y, _ = Way().stream(LENGTH, 5)
    model = small(budgetron.Forgetron).fit(X, y)
    data = model.dumps()
    model._learner.state.weights[0] = np.nan
    with pytest.raises(SavedModelError, match="not finite"):
        model.dumps()
    assert budgetron.loads(data).dumps() == data
    with pytest.raises(SavedModelError, match="kernel cannot be saved"):
        budgetron.Forgetron(kernel=lambda A, B: A @ B.T).dumps()


def test_bytes_are_few():
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(2000, 10)), 0.3 * rng.normal(size=2000)
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + noise > 0
    for learner, most in (
        (budgetron.Forgetron(budget=20), 3_000),
        (budgetron.Budgetron(budget=20), 8_500),
        (budgetron.Budgetron(budget=100), 100_000),
    ):
        assert len(learner.fit(X, y).dumps()) < most
