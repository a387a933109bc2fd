"""Rows of every wrong kind: a documented error, and a learner that is as it was.

A second learner is fed only what the first one took, and must end up with the same bits.
`BUDGETRON_FUZZ_ROWS=100000` for a long run.
"""

import os
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from budgetron import river
from budgetron.core.state import MAINTAINED_AT
from budgetron.river.classifier import KernelLearner
from river_kinds import KINDS, over_kinds
from river_learners import NAMES, knowledge, small

ROWS = int(os.environ.get("BUDGETRON_FUZZ_ROWS", "600"))

NO_NUMBERS = ["1", "", np.str_("2"), None, [1.0], [], {}, 1j, np.complex64(1), b"1", object(),
              np.ones(2), np.ones(1), np.array(1.0), np.timedelta64(1), float, ...]  # fmt: skip
NO_FINITE_NUMBERS = [np.nan, np.inf, -np.inf, 1e200, -1e308, 10**400, Fraction(10**400), -(10**309)]
NUMBERS = [
    0,
    1,
    -3,
    True,
    np.float32(0.5),
    np.int8(-2),
    np.bool_(True),
    Fraction(1, 3),
    1e-300,
    -0.0,
]
NO_ROWS = [None, [], [1.0, 2.0], (), "text", 3, 2.5, np.ones(4), {1, 2}, object(), [("a", 1.0)]]
NO_LABELS = [[1], {}, set(), np.ones(2), None, np.nan, float("nan"), [[]], bytearray(b"a")]
NO_WEIGHTS = [-1, -1e-9, np.nan, np.inf, "1", None, 1j, [1.0], np.ones(2), {}, 10**400]
STRANGE_NAMES = [0, 1.5, None, ("a", 1), "", "ü", frozenset({1}), b"a", True]

DOCUMENTED = (ValueError, TypeError)


class Fuzz:
    """Draws rows, labels and weights, and says whether they can be learned."""

    def __init__(self, seed, labels):
        self.rng, self.labels = random.Random(seed), labels
        self.picked = self.rng.choice

    def number(self):
        if self.rng.random() < 0.2:
            return self.picked(NUMBERS)
        return self.picked([self.rng.gauss(0, 1), 0.1, -0.3])

    def row(self):
        names = [name for name in NAMES if self.rng.random() < 0.85]
        if self.rng.random() < 0.1:
            names += [f"name {self.rng.randrange(40)}"]
        if self.rng.random() < 0.05:
            names += [self.picked(STRANGE_NAMES)]
        if self.rng.random() < 0.02:
            names = [f"name {i}" for i in range(self.rng.randrange(120))]
        self.rng.shuffle(names)
        return {name: self.number() for name in names}

    def label(self):
        rare = self.rng.random() < 0.01
        return self.picked(self.labels if rare else self.labels[:2])

    def weight(self):
        return self.picked([1.0, 1.0, 1, 0.5, 0.0, 2, True])

    def draw(self):
        """A row, a label, a weight, and whether the row and everything are good."""
        x, y, w = self.row(), self.label(), self.weight()
        kind = self.rng.random()
        if kind < 0.15:
            name = self.picked([*x, "a", "new name"])
            return {**x, name: self.picked(NO_NUMBERS)}, y, w, False, False
        if kind < 0.3:
            name = self.picked([*x, "a", "new name"])
            return {**x, name: self.picked(NO_FINITE_NUMBERS)}, y, w, False, False
        if kind < 0.35:
            return self.picked(NO_ROWS), y, w, False, False
        if kind < 0.4:
            return x, self.picked(NO_LABELS), w, True, False
        if kind < 0.45:
            return x, y, self.picked(NO_WEIGHTS), True, False
        return x, y, w, True, True


def state_of(estimator, *, to_the_last_bit=True):
    """A little that almost any change would change, and that costs little to look at."""
    learner = getattr(estimator, "_learner", None)
    machines = getattr(learner, "machines", [learner] if learner is not None else [])
    arrays = [getattr(estimator, name, None) for name in ("_ends", "_counts", "_tally", "_losses")]
    arrays += [estimator.__dict__.get("_calibration"), estimator.__dict__.get("_class_counts")]
    for one in machines:  # a factor may be looked after between any two rows
        arrays += [np.delete(one.state.counts, MAINTAINED_AT), one.state.randomness]
        numbers = [one.weights, one.state.numbers]
        arrays += numbers if to_the_last_bit else [it.round(6) for it in numbers]
    return [it.tobytes() for it in arrays if it is not None], vars(estimator).get("_codes")


def outcome(call, *arguments):
    """Whether a call went well; only documented errors may come out of it."""
    try:
        call(*arguments)
    except DOCUMENTED:
        return False
    return True


VARIANTS = {
    "plain": {},
    "probability": {"probability": True},
    "balanced": {"class_weight": "balanced"},
    "linear": {"kernel": "linear"},
    "shared columns": {"max_features": 6},
}


def cases():
    for learner in KINDS:
        variants = VARIANTS if learner is river.RandomizedBudgetPerceptron else {"plain": {}}
        for name, parameters in variants.items():
            yield pytest.param(learner, parameters, id=f"{learner.__name__}-{name}")


def rows_for(learner):
    return ROWS if issubclass(learner, KernelLearner) else ROWS // 10


@pytest.mark.parametrize(("learner", "parameters"), [*cases()])
def test_a_river_learner_takes_what_is_good_and_nothing_else(learner, parameters):
    model, shadow = small(learner, **parameters), small(learner, **parameters)
    labels = [False, True, "third", (4,), 5] if model._multiclass else [False, True]
    fuzz = Fuzz(1, labels)
    only_looks_at_a = learner is river.DriftingThreshold
    for _ in range(rows_for(learner)):
        x, y, w, row_is_good, all_is_good = fuzz.draw()
        before = state_of(model.estimator, to_the_last_bit=False)
        predicted = outcome(model.predict_one, x)
        assert state_of(model.estimator, to_the_last_bit=False) == before
        before = state_of(model.estimator), len(model._features.columns)
        went_well = outcome(model.learn_one, x, y, w)
        if not only_looks_at_a:
            assert went_well == all_is_good, (x, y, w)
            assert predicted == row_is_good or not model.estimator.__sklearn_is_fitted__(), x
        if went_well:
            shadow.learn_one(x, y, w)
        else:
            assert (state_of(model.estimator), len(model._features.columns)) == before
    assert knowledge(model) == knowledge(shadow)
    assert model.estimator.n_seen_ > rows_for(learner) / 3


def as_array(x, fuzz):
    """A row of an estimator from one of River, or something that is none."""
    if not isinstance(x, dict):
        return x
    x = [x.get(name, 0.0) for name in NAMES] + [
        value for name, value in x.items() if name not in NAMES
    ]
    form = fuzz.rng.random()
    if form < 0.9:
        x = x[: len(NAMES)]
    if form < 0.4 and all(isinstance(value, float) for value in x):
        return np.array(x)
    return x


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@over_kinds
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_an_estimator_takes_what_is_good_and_nothing_else(learner, storage):
    given = {} if learner is river.DriftingThreshold else {"max_features": 64}
    parameters = small(learner, **given).estimator.get_params()
    if learner is river.DriftingThreshold:
        parameters["feature"] = 0
    model, shadow = (type(small(learner).estimator)(**parameters) for _ in range(2))
    first = storage([[0.1, 0.2, 0.0, 0.4], [0.9, -0.2, 0.3, 0.1]])
    for one in (model, shadow):
        one.partial_fit(first, [0, 1])
    multiclass = model.__sklearn_tags__().classifier_tags.multi_class
    fuzz = Fuzz(2, [0, 1, 2, 3, -1] if multiclass else [0, 1])
    by_row = hasattr(model, "learn_one")
    for t in range(rows_for(learner)):
        x, y, w, _, _ = fuzz.draw()
        x, before = as_array(x, fuzz), state_of(model, to_the_last_bit=False)
        if by_row:
            outcome(model.predict_one, x)
        if t % 10 == 0:
            outcome(model.predict, [x])
        assert state_of(model, to_the_last_bit=False) == before
        before = state_of(model)

        def learn(one, x=x, y=y, w=w, in_batch=t % 10 == 0 or not by_row):
            if in_batch:
                one.partial_fit([x], [y], sample_weight=[w])
            else:
                one.learn_one(x, y, w)

        if outcome(learn, model):
            learn(shadow)
        else:
            assert state_of(model) == before
    assert knowledge(model) == knowledge(shadow)
