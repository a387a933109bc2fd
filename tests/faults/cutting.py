"""Random streams for random learners, cut into calls at random, and what can be seen of a run."""

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy import sparse

import budgetron
from budgetron import prequential, river
from budgetron.core.rule import contract
from estimators.learners import LEARNERS

FEATURES = ("a", "b", "c", "d")
PREFIXES = (0, 0, 1, 9, 10, 11, 40, 99, 100)

WITHOUT_KERNEL = ["DriftingThreshold", "RestartingExperts"]
EVERY_LEARNER = [*(learner.__name__ for learner in LEARNERS), *WITHOUT_KERNEL]
A_FEW = ["Perceptron", "Forgetron", "PassiveAggressiveI", "ProjectronPlusPlus", "Budgetron"]
"""One of each way to find weights."""


@dataclass
class Case:
    """A learner and a stream, chosen by a seed."""

    seed: int
    name: str
    rng: Any = field(init=False, repr=False)

    def __post_init__(self):
        self.rng = np.random.default_rng(self.seed)
        self.count = 2 if self.name in WITHOUT_KERNEL else int(self.rng.choice([1, 2, 3, 5]))
        self.length = int(self.rng.integers(20, 200))
        self.parameters = self._parameters()
        self.is_sparse = bool(self.rng.random() < 0.4)
        self.dense, self.y = self._stream()
        self.X = sparse.csr_array(self.dense) if self.is_sparse else self.dense
        self.weights = None
        if self.rng.random() < 0.3:
            self.weights = self.rng.choice([0.0, 0.5, 1.0, 2.0], size=self.length)
        self.named = np.unique(self.y) if self.rng.random() < 0.3 else None

    def __str__(self):
        kind = [self.kind, "sparse" * self.is_sparse, "weighted" * (self.weights is not None)]
        named = "" if self.named is None else "named"
        return f"{self.seed} {self.name} {self.parameters} {self.count} classes {kind} {named}"

    def _parameters(self):
        if self.name == "DriftingThreshold":
            return {"feature": 0}
        if self.name == "RestartingExperts":
            experts = [budgetron.Forgetron(5, gamma=0.5), budgetron.Perceptron(gamma=0.5)]
            return {"experts": [*experts, budgetron.Projectron(budget=5, gamma=0.5)]}
        learner, choose = getattr(budgetron, self.name), self.rng.choice
        own = learner().get_params()
        given = {"gamma": 0.5}
        if "budget" in own:
            given["budget"] = int(choose([1, 3, 10, 30]))
        if self.name == "NystromGradientDescent":
            given["rank"] = given["budget"]
        if self.name == "PseudoinverseSecondOrderPerceptron":
            given |= {"kernel": "poly", "degree": 2, "coef0": 1.0}
        elif self.name != "FourierGradientDescent" and self.rng.random() < 0.4:
            given |= [{"kernel": "linear"}, {"kernel": "poly", "degree": 2, "coef0": 1.0}][
                int(self.rng.integers(2))
            ]
        elif self.name == "Budgetron":
            given["gamma"] = str(choose(["auto", "scale"]))
        if self.rng.random() < 0.4:
            given["dtype"] = "float32"
        if self.rng.random() < 0.2:
            given["zero_score"] = str(choose(["positive", "mistake"]))
        if self.rng.random() < 0.2:
            given["probability"] = True
        if self.rng.random() < 0.2:
            given["class_weight"] = "balanced"
        if "average" in own and not {"budget", "probability"} & {*given}:
            given["average"] = bool(self.rng.random() < 0.3)
        if self.count > 1 and self.rng.random() < 0.3 and contract(learner()._rule()).multiclass:
            given["multi_class"] = "single_machine"
        return given

    def _stream(self):
        rng, length = self.rng, self.length
        self.kind = str(rng.choice(["grid", "whole numbers", "repeated", "normal"]))
        if self.kind == "grid":
            X = rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], size=(length, 4))
        elif self.kind == "whole numbers":
            X = rng.integers(-1, 2, size=(length, 4)).astype(float)
        elif self.kind == "repeated":
            X = rng.normal(size=(6, 4))[rng.integers(6, size=length)]
        else:
            X = rng.normal(size=(length, 4))
        if self.name == "DriftingThreshold":
            X = np.abs(X)
        y = rng.integers(self.count, size=length)
        if rng.random() < 0.5:
            y = np.digitize(
                X[:, 0] * X[:, 1] + X[:, 2], np.linspace(-0.5, 0.5, self.count + 1)[1:-1]
            )
        for late in range(2, self.count):  # some classes appear late
            since = int(rng.integers(length))
            y[:since][y[:since] == late] = rng.integers(2)
        y[: int(rng.choice(PREFIXES))] = rng.integers(self.count)
        if self.parameters.get("dtype") == "float32":
            X = X.astype(np.float32).astype(float)
        return X, np.array(["e", "b", "d", "a", "c"])[y]

    @property
    def decides_as_it_predicts(self):
        """Whether `predict` says what a trace does; for averages and drawn experts it does not."""
        return self.name != "RestartingExperts" and not self.parameters.get("average")

    @cached_property
    def comparable(self):
        """The rows that are of no new class, after the first two classes have been met."""
        _, first = np.unique(self.y, return_index=True)
        rows = np.ones(self.length, bool)
        if self.named is None:
            rows[first] = False
            rows[: np.sort(first)[1] if len(first) > 1 else self.length] = False
        return rows

    @property
    def needs_no_names(self):
        """Whether naming the classes changes nothing: there are two, and no single machine."""
        is_single = self.parameters.get("multi_class") == "single_machine"
        return len(np.unique(self.y)) == 2 and not is_single

    def new(self):
        """The learner, before it has learned."""
        given = dict(self.parameters)
        if self.name != "DriftingThreshold":
            given["random_state"] = 0
        return getattr(budgetron, self.name)(**given)

    def new_in_river(self):
        """The same as a classifier of River."""
        given = dict(self.parameters)
        if self.name == "DriftingThreshold":
            given["feature"] = FEATURES[0]
        else:
            given["seed"] = 0
            given["max_features"] = 8
        return getattr(river, self.name)(**given)

    def weights_of(self, here):
        """Of some rows."""
        return None if self.weights is None else self.weights[here]

    def weight_of(self, t):
        """Of one row."""
        return 1.0 if self.weights is None else float(self.weights[t])


class Run:
    """What is seen while a stream is learned: None, or -1, where nobody looked."""

    def __init__(self, case):
        self.case = case
        self.predictions = np.full(case.length, None, object)
        self.mistakes, self.updates = np.full((2, case.length), -1)

    def finish(self, estimator, predict):
        """See what has been learned."""
        case = self.case
        self.counts = estimator.n_seen_, estimator.n_mistakes_, estimator.n_updates_
        self.classes = [*estimator._codes]
        self.last = [*predict(case.dense)]
        self.supports = np.zeros((0, 4))
        if hasattr(estimator, "support_vectors_") and estimator._learner.size:
            rows = estimator.support_vectors_
            self.supports = (rows.toarray() if sparse.issparse(rows) else rows)[:, :4]
        return self

    def differences(self, other):
        """In what another run differs."""
        rows = self.case.comparable
        for name in ("counts", "classes", "last"):
            if getattr(self, name) != getattr(other, name):
                yield f"{name}: {getattr(self, name)} and {getattr(other, name)}"
        if not np.array_equal(self.supports, other.supports):
            yield f"{len(self.supports)} and {len(other.supports)} supports"
        for name, unseen in (("predictions", None), ("mistakes", -1), ("updates", -1)):
            one, two = getattr(self, name), getattr(other, name)
            both = rows & (one != unseen) & (two != unseen)
            if (one[both] != two[both]).any():
                yield f"{name} of rows {np.flatnonzero(both & (one != two))[:5]}"


def whole(case, named):
    """Learned in one call."""
    learner, seen = case.new(), Run(case)
    trace = prequential(learner, case.X, case.y, named, sample_weight=case.weights)
    seen.predictions[:] = trace.predictions
    seen.mistakes[:], seen.updates[:] = trace.mistakes, trace.updates
    return seen.finish(learner, learner.predict)


def cut(case, rng):
    """Learned in pieces of any length, each of them in any way."""
    learner, seen, first = case.new(), Run(case), 0
    ways = ["fit", "trace"] if case.name in WITHOUT_KERNEL else ["fit", "trace", "rows"]
    while first < case.length:
        last = min(case.length, first + int(rng.choice([1, 1, 2, 4, 5, 20, 70])))
        here, way = slice(first, last), str(rng.choice(ways))
        X, y = case.X[here], case.y[here]
        if first > 0 and case.decides_as_it_predicts:
            seen.predictions[first] = learner.predict(X)[0]
        if way == "trace" or (first == 0 and case.named is not None):
            trace = prequential(learner, X, y, case.named, sample_weight=case.weights_of(here))
            seen.predictions[here] = trace.predictions
            seen.mistakes[here], seen.updates[here] = trace.mistakes, trace.updates
        elif way == "fit":
            learner.partial_fit(X, y, sample_weight=case.weights_of(here))
        else:
            if first == 0:  # how rows are stored is known from the first one
                learner.partial_fit(X[:1], y[:1], sample_weight=case.weights_of(slice(1)))
            for t in range(max(first, 1), last):
                if t > 0 and case.decides_as_it_predicts:
                    seen.predictions[t] = learner.predict_one(case.dense[t])
                learner.learn_one(case.dense[t], case.y[t].item(), sample_weight=case.weight_of(t))
        first = last
    return seen.finish(learner, learner.predict)


def row_by_row(case):
    """Learned by `learn_one`, and at last predicted by `predict_one`."""
    learner, seen = case.new(), Run(case)
    learner.partial_fit(case.X[:1], case.y[:1], case.named, case.weights_of(slice(1)))
    for t in range(1, case.length):
        if t > 0 and case.decides_as_it_predicts:
            seen.predictions[t] = learner.predict_one(case.dense[t])
        learner.learn_one(case.dense[t], case.y[t].item(), sample_weight=case.weight_of(t))
    return seen.finish(learner, lambda X: map(learner.predict_one, X))


def in_river(case, rng):
    """Learned by River's `learn_one` and `learn_many`."""
    import pandas as pd

    learner, seen, first = case.new_in_river(), Run(case), 0
    as_frame = partial(pd.DataFrame, columns=FEATURES)
    frame = as_frame(case.dense)
    while first < case.length:
        last = first + int(rng.choice([1, 3, 30]))
        if rng.random() < 0.5:
            w = None if case.weights is None else pd.Series(case.weights[first:last])
            learner.learn_many(frame[first:last], pd.Series(case.y[first:last]), w)
        else:
            for t in range(first, min(last, case.length)):
                x = dict(zip(FEATURES, case.dense[t].tolist(), strict=True))
                if t > 0 and case.decides_as_it_predicts:
                    seen.predictions[t] = learner.predict_one(x)
                learner.learn_one(x, case.y[t].item(), case.weight_of(t))
        first = last
    return seen.finish(learner.estimator, lambda X: learner.predict_many(as_frame(X)))


def differences(case, *, and_in_river=True):
    """In what ways to learn the stream of a case differ from learning it in one call."""
    expected, rng = whole(case, case.named), np.random.default_rng(case.seed + 1)
    runs = {"cut": cut(case, rng), "cut again": cut(case, rng)}
    if case.name not in WITHOUT_KERNEL:
        runs["row by row"] = row_by_row(case)
    if case.named is None and and_in_river:
        runs["in river"] = in_river(case, rng)
    if case.named is None and case.needs_no_names:
        runs["named"] = whole(case, np.unique(case.y))
    return [
        f"{case}, {way}: {difference}"
        for way, run in runs.items()
        for difference in run.differences(expected)
    ]
