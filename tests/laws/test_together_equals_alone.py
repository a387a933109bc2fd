"""Learners that go over a stream together, sharing kernel values, go as each does alone."""

import numpy as np

from budgetron.engine import Record, blocked, together
from budgetron.kernels import gaussian, linear
from covering import across
from laws.kernels import KERNELS
from laws.learners import LEARNERS, ONE_OF_EACH_KIND
from laws.runs import Run, assert_same, dense, run, weights_of
from streams import STORAGES, STREAMS


@across(KERNELS, "kernel", storage=STORAGES, stream=STREAMS, length=(7, 64, None))
def test_learners_together_go_as_each_does_alone(kernel, storage, stream, length):
    kernels = KERNELS[kernel]
    X, labels = stream()
    X = storage(X)
    cases = LEARNERS if storage is STORAGES["dense"] else ONE_OF_EACH_KIND
    learners = [case.at_work(kernels.engine, X) for case in cases]
    records = [Record(len(labels)) for _ in learners]
    half = len(labels) // 2
    for here in (slice(0, half), slice(half, None)):
        parts = [Record(len(labels[here])) for _ in learners]
        together(learners, X[here], [labels[here]] * len(learners), parts, length)
        for record, part in zip(records, parts, strict=True):
            record.scores[here], record.events[here] = part.scores, part.events
    for case, learner, record in zip(cases, learners, records, strict=True):
        alone = run(blocked, case.at_work(kernels.engine, X), X, labels)
        supports, weights = dense(learner.supports), weights_of(learner)
        beside = Run(record.scores, record.events, supports, weights)
        assert_same(beside, alone, case.tolerance, str(case))


def test_learners_of_two_kernels_do_not_mix():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(300, 3)), rng.choice([-1, 1], 300).astype(np.float64)
    case = LEARNERS[0]
    kernels = [gaussian(1.0), linear(), gaussian(1.0), gaussian(2.0)]
    learners = [case.at_work(kernel, X) for kernel in kernels]
    records = [Record(300) for _ in learners]
    together(learners, X, [labels] * len(learners), records)
    for kernel, record in zip(kernels, records, strict=True):
        alone = Record(300)
        blocked(case.at_work(kernel, X), X, labels, alone)
        np.testing.assert_array_equal(record.events, alone.events)
