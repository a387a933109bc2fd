"""The runs: each algorithm over each data set, with all its budgets and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from ...bounds.tracking import recommended_decay
from ..exhibit import Scale
from ..online import learner_of, summary
from ..task import Outcome, Task, does
from .corpus import SHIFTS, TOPICS, corpus_at_hand, dataset_of

__all__ = [
    "BASELINES",
    "DECAYS",
    "FIRST",
    "LEARNERS",
    "LEAST_RECENT",
    "RANDOMIZED",
    "SECOND",
    "SEEDS",
    "chunk_tasks",
    "chunks_task",
    "group_tasks",
    "runs_task",
    "theorem_decay",
]

KERNEL = {"kernel": "poly", "degree": 4, "gamma": 1.0, "coef0": 1.0, "normalize": True}
SECOND_ORDER = {"a": 1.0}
DECAYS = (0.1, 0.3, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""From which the Shifting Perceptron's is chosen for each group, as the paper's authors did."""

LEARNERS = {
    "PERC": "Perceptron",
    "SPA": "ShiftingPerceptron",
    "RBP": "RandomizedBudgetPerceptron",
    "LBP": "LeastRecentBudgetPerceptron",
    "FA": "Forgetron",
    "CKS": "BudgetPerceptron",
    "SOP": "SecondOrderPerceptron",
    "RBSOP": "RandomizedBudgetSecondOrderPerceptron",
    "LBSOP": "LeastRecentBudgetSecondOrderPerceptron",
}
BASELINES = {
    "RBP": "PERC",
    "LBP": "PERC",
    "FA": "PERC",
    "CKS": "PERC",
    "RBSOP": "SOP",
    "LBSOP": "SOP",
}
"""The budget algorithms, and what each is without a budget."""

FIRST = ("RBP", "LBP", "FA", "CKS")
SECOND = ("RBSOP", "LBSOP")
LEAST_RECENT = ("LBP", "FA", "LBSOP")
RANDOMIZED = ("RBP", "RBSOP")
SEEDS: dict[Scale, int] = {"quick": 2, "full": 5}


@does("tracking-runs")
def run_all(
    corpus: str,
    rows: int,
    shifts: int,
    dataset: int,
    learner: str,
    common: dict[str, Any],
    runs: list[dict[str, Any]],
) -> Outcome:
    """One learner over one data set, once for each of its own parameters."""
    X, y = dataset_of(corpus, rows, shifts, dataset)
    return {"runs": [summary(learner_of(learner, {**common, **own}), X, y) for own in runs]}


@does("tracking-chunks")
def run_chunks(
    corpus: str, rows: int, shifts: int, dataset: int, learner: str, common: dict[str, Any]
) -> Outcome:
    """One learner over each chunk of one data set, from the beginning every time."""
    X, y = dataset_of(corpus, rows, shifts, dataset)
    ends = np.linspace(0, rows, shifts + 2, dtype=int)
    chunks = [slice(first, last) for first, last in pairwise(ends)]
    return {
        "mistakes": [
            summary(learner_of(learner, common), X[chunk], y[chunk])["mistakes"] for chunk in chunks
        ]
    }


def _settings(scale: Scale, shifts: int, dataset: int, name: str) -> dict[str, Any]:
    corpus = corpus_at_hand()
    return {
        "corpus": corpus.name,
        "rows": corpus.rows[scale],
        "shifts": shifts,
        "dataset": dataset,
        "learner": LEARNERS[name],
        "common": KERNEL | (SECOND_ORDER if name.endswith("SOP") else {}),
    }


def _own(scale: Scale, shifts: int, name: str) -> list[dict[str, Any]]:
    """The parameters of a learner's runs."""
    if name == "SPA":
        return [{"decay": decay} for decay in (theorem_decay(shifts), *DECAYS)]
    if name not in BASELINES:
        return [{}]
    seeds = range(SEEDS[scale]) if name in RANDOMIZED else (None,)
    return [
        {"budget": budget} | ({} if seed is None else {"random_state": seed})
        for budget in corpus_at_hand().budgets[scale]
        for seed in seeds
    ]


def theorem_decay(shifts: int) -> float:
    """Theorem 2's decay for targets of equal norm, each orthogonal to the one before."""
    return recommended_decay(norm=1, total_shift=shifts * sqrt(2))


def runs_task(scale: Scale, shifts: int, dataset: int, name: str) -> Task:
    """One algorithm over one data set, with all its budgets and seeds."""
    settings = _settings(scale, shifts, dataset, name)
    return Task.of("tracking-runs", **settings, runs=_own(scale, shifts, name))


def chunks_task(scale: Scale, shifts: int, dataset: int, name: str) -> Task:
    """One algorithm on each chunk of one data set, each time from nothing."""
    return Task.of("tracking-chunks", **_settings(scale, shifts, dataset, name))


def group_tasks(scale: Scale, shifts: int) -> list[Task]:
    """All algorithms over all data sets of a group."""
    return [
        runs_task(scale, shifts, dataset, name) for dataset in range(TOPICS) for name in LEARNERS
    ]


def chunk_tasks(scale: Scale, groups: Sequence[int] = SHIFTS) -> list[Task]:
    """PERC and SOP on the chunks of all data sets of some groups."""
    return [
        chunks_task(scale, shifts, dataset, name)
        for shifts in groups
        for dataset in range(TOPICS)
        for name in ("PERC", "SOP")
    ]
