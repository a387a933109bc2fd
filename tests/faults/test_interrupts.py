"""An exception at any moment leaves a learner as it was before the call, or as it is after it.

`BUDGETRON_INTERRUPTS=2000` for a long run.
"""

import os
import pickle
import random
from copy import copy, deepcopy
from functools import partial
from time import perf_counter

import numpy as np
import pytest
from scipy import sparse

import budgetron
from budgetron import river
from estimators.learners import LEARNERS, small
from faults.interrupts import interrupted_after, interrupted_at, lines_of
from saving.models import experts, facts

INTERRUPTS = int(os.environ.get("BUDGETRON_INTERRUPTS", "80"))
KNOWN, CHUNK = 90, 12  # rows learned before, and in the interrupted call


def rows_and_labels(classes, *, late=False, length=KNOWN + CHUNK, seed=0):
    """A stream, of which the last class comes with the interrupted call if it is late."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(length, 3))
    y = np.digitize(
        X[:, 0] * X[:, 1] + 0.2 * rng.normal(size=length), [-0.5, 0, 0.5][: classes - 1]
    )
    if late:
        y[:KNOWN] = np.minimum(y[:KNOWN], classes - 2)
        y[KNOWN + 3] = classes - 1
    return X, y


def squared(A, B):
    """A kernel of the user's own."""
    return (1 + A @ B.T) ** 2


def models():
    """Every learner in the ways that differ in what is to be kept in agreement."""
    for learner in LEARNERS:
        yield lambda learner=learner: small(learner), 2
        yield lambda learner=learner: small(learner), 3
    for learner in (budgetron.Forgetron, budgetron.Budgetron):
        for classes in (2, 3):
            yield lambda learner=learner: small(learner, probability=True), classes
            yield lambda learner=learner: small(learner, class_weight="balanced"), classes
    yield lambda: small(budgetron.Forgetron, multi_class="single_machine"), 3
    yield lambda: small(budgetron.Forgetron, kernel=squared), 2
    yield (
        lambda: budgetron.Budgetron(budget=10, random_state=0),
        2,
    )  # 102 rows end in the choice of a width
    yield lambda: budgetron.DriftingThreshold(feature=1), 2
    yield experts, 2


CALLS = {
    "partial_fit": lambda model, X, y: model.partial_fit(X, y),
    "fit": lambda model, X, y: model.fit(X, y),
    "prequential": lambda model, X, y: budgetron.prequential(model, X, y),
    "learn_one": lambda model, X, y: model.learn_one(X[0], y[0]),
    "predict": lambda model, X, y: model.predict(X),
    "predict_one": lambda model, X, y: model.predict_one(X[0]),
    "copy": lambda model, X, y: copy(model),
    "deepcopy": lambda model, X, y: deepcopy(model),
    "pickle": lambda model, X, y: pickle.dumps(model),
    "properties": lambda model, X, y: [getattr(model, name, 0) for name in dir(type(model))],
}

MODELS = [*models()]


def law(before, model, after, X, y):
    """What is known is known wholly, and it goes on from there like others."""
    known = facts(copy(model))
    assert known in (facts(before), facts(after))
    other = deepcopy(before if known == facts(before) else after)
    if hasattr(model, "learn_one"):
        for row, label in zip(X, y, strict=True):
            assert model.predict_one(row) == other.predict(row[None])[0]
            model.learn_one(row, label)
            other.partial_fit(row[None], [label])
        assert facts(copy(model)) == facts(copy(other))
    np.testing.assert_array_equal(
        model.partial_fit(X, y).decision_function(X), other.partial_fit(X, y).decision_function(X)
    )


@pytest.mark.parametrize("part", range(10))
def test_a_call_is_made_or_not_made_wherever_it_is_interrupted(part):
    rng, done = random.Random(part), 0
    while done < INTERRUPTS / 10:
        new, classes = rng.choice(MODELS)
        X, y = rows_and_labels(classes, late=rng.random() < 0.5, seed=rng.randrange(10**6))
        before = new().partial_fit(X[:KNOWN], y[:KNOWN])
        name = rng.choice([name for name in CALLS if hasattr(before, name) or name[0] in "cdp"])
        if name in ("learn_one", "predict_one") and not hasattr(before, "learn_one"):
            continue
        if rng.random() < 0.5 and hasattr(before, "learn_one"):
            before.learn_one(X[0], y[0])
        after = deepcopy(before)
        CALLS[name](after, X[KNOWN:], y[KNOWN:])
        lines = lines_of(partial(CALLS[name], deepcopy(before), X[KNOWN:], y[KNOWN:]))
        for _ in range(3):
            model = deepcopy(before)
            model.predict(X[:2])
            error = rng.choice([KeyboardInterrupt, MemoryError])
            call = partial(CALLS[name], model, X[KNOWN:], y[KNOWN:])
            done += interrupted_at(rng.randrange(1, lines + 1), call, error)
            law(before, model, after, X[:5], y[:5])


@pytest.mark.parametrize("name", ["Forgetron", "RandomizedBudgetPerceptron", "ProjectronPlusPlus"])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_a_signal_leaves_a_learner_that_can_go_on(name, classes):
    X, y = rows_and_labels(classes, length=2000, late=True)
    before = getattr(budgetron, name)(budget=50, random_state=0).partial_fit(X[:KNOWN], y[:KNOWN])
    start = perf_counter()
    after = deepcopy(before).partial_fit(X[KNOWN:], y[KNOWN:])
    seconds, rng = perf_counter() - start, random.Random(classes)
    outcomes = []
    for _ in range(8):
        model = deepcopy(before)
        call = partial(model.partial_fit, X[KNOWN:], y[KNOWN:])
        outcomes.append(interrupted_after(rng.uniform(1e-4, seconds), call))
        law(before, model, after, X[:5], y[:5])
    assert any(outcomes)


@pytest.mark.parametrize("classes", [2, 3])
def test_rows_that_are_learned_one_by_one_are_learned_wholly_or_not_at_all(classes):
    X, y = rows_and_labels(classes, length=400)
    new = [
        small(budgetron.Forgetron),
        small(budgetron.Forgetron, probability=True),
        small(budgetron.Budgetron, class_weight="balanced"),
    ]
    for model in new:
        model.partial_fit(X[:KNOWN], y[:KNOWN])
        alone, rng, seen = deepcopy(model), random.Random(0), KNOWN
        while seen < len(y):

            def learn():
                for t in range(model.n_seen_, len(y)):  # noqa: B023
                    model.learn_one(X[t], y[t])  # noqa: B023

            interrupted_at(int(10 ** rng.uniform(0, 3.5)), learn)
            seen = model.n_seen_
        for t in range(KNOWN, len(y)):
            alone.learn_one(X[t], y[t])
        assert facts(copy(model)) == facts(copy(alone))


def test_a_row_that_no_machine_takes_is_gone_wherever_it_is_interrupted():
    X, y = rows_and_labels(3)
    before = small(budgetron.Forgetron, kernel="poly").partial_fit(X, y)

    def refused(model):
        with pytest.raises(ValueError, match="large"):
            model.learn_one(np.full(3, 1e200), 0)

    for line in range(1, lines_of(partial(refused, deepcopy(before))) + 1, 7):
        model = deepcopy(before)
        model.predict_one(X[0])
        interrupted_at(line, partial(refused, model))
        law(before, model, before, X[:2], y[:2])


@pytest.mark.parametrize(
    "name", ["Forgetron", "Budgetron", "RestartingExperts", "DriftingThreshold"]
)
def test_a_learner_of_river_never_forgets_where_its_features_are(name):
    rng = random.Random(1)
    parameters = {"feature": "b"} if name == "DriftingThreshold" else {"seed": 1}
    model = getattr(river, name)(**parameters)
    stream = [
        ({letter: rng.gauss(0, 1) for letter in rng.sample("abcdefgh", 3)}, rng.random() < 0.5)
        for _ in range(60)
    ]
    twin = deepcopy(model)
    for x, y in stream:
        twin.learn_one(x, y)
    t = 0
    while t < len(stream):
        x, y = stream[t]
        columns, seen = dict(model._features.columns), getattr(model.estimator, "n_seen_", 0)
        interrupted_at(int(10 ** rng.uniform(0, 5)), partial(model.learn_one, x, y))
        now = copy(model.estimator)
        t = getattr(now, "n_seen_", 0)
        assert columns.items() <= model._features.columns.items()
        assert t == seen or {*x} <= {*model._features.columns} or name == "DriftingThreshold"
    assert facts(copy(model).estimator) == facts(copy(twin).estimator)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("name", "budget", "width"),
    [("Forgetron", 4000, 400), ("ProjectronPlusPlus", 1000, 50), ("Budgetron", 500, 20)],
)
def test_an_interrupt_is_answered_at_once(name, budget, width, storage):
    rng = np.random.default_rng(0)
    X = storage(rng.normal(size=(15000, width)))
    y = rng.choice([-1, 1], 15000)
    model = getattr(budgetron, name)(budget=budget, gamma=1 / width, random_state=0)
    model.partial_fit(X[:2000], y[:2000])
    waited = []
    for at in (0.05, 0.1, 0.2):
        start = perf_counter()
        assert interrupted_after(at, lambda: model.partial_fit(X[2000:], y[2000:]))
        waited.append(perf_counter() - start - at)
    assert min(waited) < 0.1
    assert model.n_seen_ == 2000
