"""What can be seen of a run with many classes."""

from itertools import pairwise

import numpy as np

from budgetron.engine import Record
from laws.runs import Run, dense


def run(engine, learner, X, labels, cuts=(), **options):
    """Let `one_by_one` or `blocked` go over the stream, called once for each piece of it."""
    records = []
    for first, last in pairwise([0, *cuts, len(labels)]):
        record = Record(last - first, learner.classes)
        engine(learner, X[first:last], labels[first:last], record, **options)
        records.append(record)
    return Run(
        np.concatenate([record.scores for record in records]),
        np.concatenate([record.events for record in records]),
        dense(learner.supports),
        learner.weights,
    )


def winners(scores):
    """The class of the highest score, of equal ones the first."""
    return scores.argmax(axis=1)
