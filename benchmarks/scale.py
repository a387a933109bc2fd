"""How much is measured: enough to see that all works, what BENCHMARKS.md shows, or longer."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["SCALES", "Scale"]


@dataclass(frozen=True)
class Scale:
    """The sizes that all sections share.

    Attributes
    ----------
    name : str
    rows : int
        Of a stream, at most.
    seconds : float
        That one run of a contender may take; a slower one stops at a mark of the stream.
    repeats : int
        Of whole runs.
    turns : int
        Of short pieces.
    budget, small_budget, tiny_budget : int
        Those of most tables: of batches, of single rows, and as small as it goes.
    budgets, features : tuple of int
        Those that costs are shown over.
    measured : int
        Rows that a full learner goes over, where it is set against the bare evaluation.
    length : int
        Of the long stream.
    passes : int or None
        How many of the 126 digit problems are also learned alone; all if None.
    lines : int
        Of the CSV file that the command line learns.
    permutations : int
        Of a stream whose order is free.
    workloads, learners : tuple of str, or None
        The only ones to be measured; all if None.
    """

    name: str
    rows: int
    seconds: float
    repeats: int
    turns: int
    budget: int
    small_budget: int
    tiny_budget: int
    budgets: tuple[int, ...]
    features: tuple[int, ...]
    measured: int
    length: int
    passes: int | None
    lines: int
    permutations: int
    workloads: tuple[str, ...] | None = None
    learners: tuple[str, ...] | None = None


USUAL = Scale(
    name="usual",
    rows=100_000,
    seconds=5.0,
    repeats=3,
    turns=7,
    budget=1000,
    small_budget=100,
    tiny_budget=50,
    budgets=(100, 500, 1000, 3000),
    features=(10, 30, 100, 300, 1000, 3000),
    measured=8192,
    length=300_000,
    passes=6,
    lines=300_000,
    permutations=5,
)
FULL = replace(
    USUAL,
    name="full",
    seconds=20.0,
    repeats=7,
    turns=15,
    length=1_000_000,
    passes=None,
    lines=2_000_000,
    permutations=10,
)
QUICK = Scale(
    name="quick",
    rows=600,
    seconds=0.5,
    repeats=1,
    turns=1,
    budget=40,
    small_budget=20,
    tiny_budget=10,
    budgets=(20, 40),
    features=(10, 30),
    measured=200,
    length=2000,
    passes=2,
    lines=2000,
    permutations=1,
    workloads=("a9a", "spam"),
    learners=("Budgetron", "Forgetron", "ProjectronPlusPlus"),
)
SCALES = {scale.name: scale for scale in (QUICK, USUAL, FULL)}
