"""Threads that read while one learns see a learner as it is between two calls, and nothing else.

`BUDGETRON_THREAD_SECONDS=60` for a long run.
"""

import os
import pickle
import random
from copy import copy, deepcopy
from itertools import pairwise
from threading import Event, Thread
from time import monotonic

import numpy as np
import pytest
from scipy import sparse

import budgetron
from budgetron import river
from estimators.learners import small
from faults.interrupts import saving_at
from saving.models import experts, facts

SECONDS = float(os.environ.get("BUDGETRON_THREAD_SECONDS", "0.3"))
ROWS, KNOWN = 400, 120

KINDS = {
    "supports": (lambda: small(budgetron.Forgetron, budget=60), 2, np.asarray),
    "sparse supports": (lambda: small(budgetron.RandomizedBudgetPerceptron), 2, sparse.csr_array),
    "many classes": (lambda: small(budgetron.Forgetron, probability=True), 3, np.asarray),
    "one machine": (
        lambda: small(budgetron.Forgetron, multi_class="single_machine"),
        3,
        np.asarray,
    ),
    "a factor": (lambda: small(budgetron.ProjectronPlusPlus), 2, np.asarray),
    "all examples": (lambda: small(budgetron.SecondOrderPerceptron), 2, np.asarray),
    "a span": (lambda: small(budgetron.Budgetron), 2, np.asarray),
    "a span of three classes": (lambda: budgetron.Budgetron(budget=10), 3, sparse.csr_array),
    "random features": (lambda: small(budgetron.FourierGradientDescent), 2, np.asarray),
    "an own kernel": (
        lambda: small(budgetron.Forgetron, kernel=lambda A, B: (1 + A @ B.T) ** 2),
        2,
        np.asarray,
    ),
    "experts": (experts, 2, np.asarray),
    "a threshold": (lambda: budgetron.DriftingThreshold(feature=1), 2, np.asarray),
}


class Stream:
    """Rows to be learned, calls to learn them by, and all that is known after each call."""

    def __init__(self, new, classes, storage):
        rng = np.random.default_rng(0)
        self.dense = rng.normal(size=(ROWS, 4)) * (rng.random((ROWS, 4)) < 0.8)
        self.X = storage(self.dense)
        noisy = self.dense[:, 0] + self.dense[:, 1] ** 2 - 1 + 0.3 * rng.normal(size=ROWS)
        self.y = np.digitize(noisy, [-0.5, 0.5][: classes - 1])
        self.start = new().partial_fit(self.X[:KNOWN], self.y[:KNOWN])
        ends = np.cumsum([KNOWN, *rng.choice([1, 1, 1, 2, 7, 70], ROWS)])
        self.calls = [*pairwise([*ends[ends < ROWS].tolist(), ROWS])]
        one = deepcopy(self.start)
        self.known = {KNOWN: facts(copy(one))}
        for first, last in self.calls:
            self.learn(one, first, last)
            self.known[last] = facts(copy(one))

    def learn(self, model, first, last):
        """Learn some rows, a single one by the shortest way."""
        if last == first + 1 and hasattr(model, "learn_one"):
            model.learn_one(self.dense[first], self.y[first])
        else:
            model.partial_fit(self.X[first:last], self.y[first:last])


def reads(stream, directory):
    """What others do with a model meanwhile; a copy is returned where there is one."""

    def saved(model):
        path = directory / f"{random.random()}.budgetron"
        model.save(path)
        return budgetron.load(path)

    def predicted(model):
        return model.predict(stream.X[:50])

    def predicted_one(model):
        return model.predict_one(stream.dense[3]) if hasattr(model, "predict_one") else None

    def looked_at(model):
        return [getattr(model, name, None) for name in dir(type(model)) if name.endswith("_")]

    def pickled(model):
        return pickle.loads(pickle.dumps(model))

    # a function of the user's can be neither saved nor pickled, and a deep copy shares it
    if callable(getattr(stream.start, "kernel", None)):
        return [copy, deepcopy, predicted, predicted_one, looked_at]
    return [copy, deepcopy, pickled, saved, predicted, predicted_one, looked_at]


@pytest.mark.parametrize("kind", KINDS)
def test_readers_see_whole_states(kind, tmp_path):
    stream = Stream(*KINDS[kind])
    model, stop, faults, read = [deepcopy(stream.start)], Event(), [], []

    def watch(action):
        try:
            while not stop.is_set():
                seen = action(model[0])
                if isinstance(seen, type(stream.start)):
                    read.append(seen.n_seen_)
                    assert facts(copy(seen)) == stream.known[seen.n_seen_], action
        except BaseException as error:
            faults.append(error)
            stop.set()

    threads = [Thread(target=watch, args=(read,)) for read in reads(stream, tmp_path)]
    for thread in threads:
        thread.start()
    end = monotonic() + SECONDS
    while monotonic() < end and not stop.is_set():
        model[0] = deepcopy(stream.start)
        for call in stream.calls:
            stream.learn(model[0], *call)
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults, faults
    assert facts(copy(model[0])) == stream.known[ROWS]
    assert len({*read}) > 1


def test_two_that_learn_wait_for_each_other():
    stream = Stream(*KINDS["many classes"])
    model, faults = deepcopy(stream.start), []

    def learn(seed):
        rng = random.Random(seed)
        try:
            for _ in range(150):
                t = rng.randrange(ROWS - 5)
                stream.learn(model, t, t + rng.choice([1, 1, 5]))
        except BaseException as error:
            faults.append(error)

    before, threads = model.n_seen_, [Thread(target=learn, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    rows = sum(
        rng.choice([1, 1, 5])
        for rng in map(random.Random, range(4))
        for _ in range(150)
        if rng.randrange(ROWS - 5) >= 0
    )
    assert model.n_seen_ == before + rows


@pytest.mark.parametrize("name", ["Forgetron", "Budgetron", "RestartingExperts"])
def test_a_learner_of_river_is_copied_whole_while_names_appear(name):
    model, stop, faults = getattr(river, name)(seed=0), Event(), []

    def watch():
        try:
            while not stop.is_set():
                seen = deepcopy(model)
                supports = getattr(seen.estimator, "support_vectors_", None)
                if supports is not None and supports.nnz:
                    assert supports.indices.max() < len(seen._features.columns)
                seen.learn_one({"a": 1.0}, True)
                model.predict_one({"b": 1.0, "never": 2.0})
        except BaseException as error:
            faults.append(error)

    threads = [Thread(target=watch) for _ in range(3)]
    for thread in threads:
        thread.start()
    rng, end, t = random.Random(0), monotonic() + SECONDS, 0
    while monotonic() < end:
        model.learn_one(
            {f"name {t % 5000}": rng.gauss(0, 1), "b": rng.gauss(0, 1)}, rng.random() < 0.5
        )
        t += 1
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults, faults


def test_a_handler_may_save_in_the_middle_of_anything(tmp_path):
    stream = Stream(*KINDS["many classes"])
    once = deepcopy(stream.start).learn_one(stream.dense[KNOWN], stream.y[KNOWN])
    known = facts(copy(stream.start)), facts(copy(once))
    for line in range(1, 150, 2):
        model = deepcopy(stream.start)
        model.predict_one(stream.dense[0])
        path = tmp_path / f"{line}.budgetron"
        saving_at(line, lambda: stream.learn(model, KNOWN, KNOWN + 1), model, path)  # noqa: B023
        assert facts(copy(budgetron.load(path))) in known
        assert facts(copy(model)) == known[1]
