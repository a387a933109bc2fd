"""`budgetron warm`: learners compiled ahead, so that nobody waits for it later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter
from typing import Annotated, Any, Literal

import numpy as np
import typer
from scipy import sparse

from ..estimators import StreamClassifier
from ..estimators.single_rows import SingleRows
from .console import make_console
from .learner_options import complete, learner_named, learners

__all__ = ["warm"]

ROWS, FEATURES, BUDGET = 600, 8, 10
"""So many rows that a small budget is full for long."""


def warm(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LEARNER]...", help="All if not given.", autocompletion=complete),
    ] = None,
    rows: Annotated[
        Literal["dense", "sparse", "both"], typer.Option(help="How rows are kept.")
    ] = "dense",
    dtype: Annotated[
        Literal["float64", "float32", "both"], typer.Option(help="In which numbers are kept.")
    ] = "float64",
) -> None:
    """Compile learners now, and keep the machine code for all processes to come.

    It is that for two classes and for more, for many rows and for one, as a learner is compiled
    without further settings. Where it is kept, and what it depends on, is told in
    docs/reliability.md.
    """
    console = make_console()
    for name in names or learners():
        learner_named(name)  # all of them are there before the first is compiled
    for name in names or learners():
        start = perf_counter()
        for is_sparse in _both(rows, "dense", "sparse"):
            for kind in _both(dtype, "float64", "float32"):
                _use(name, is_sparse=is_sparse == "sparse", dtype=kind)
        console.print(f"{name}: {perf_counter() - start:.1f} s", soft_wrap=True)


def _both(chosen: str, *all_of_them: str) -> tuple[str, ...]:
    return all_of_them if chosen == "both" else (chosen,)


def _use(name: str, *, is_sparse: bool, dtype: str) -> None:
    """Let a learner do all that it is compiled for."""
    rng = np.random.default_rng(0)
    X: Any = rng.random((ROWS, FEATURES))
    if is_sparse:
        X = sparse.csr_array(X * (X > 0.5))
    for classes in (2, 3):
        y = rng.integers(classes, size=ROWS)
        for learner in _forms(name, dtype):
            with suppress(ValueError):  # of learners for two classes, or for dense rows
                learner.fit(X, y)
                learner.predict(X)
                if hasattr(learner, "predict_proba"):
                    learner.predict_proba(X[:2])
                if isinstance(learner, SingleRows) and hasattr(learner, "learn_one"):
                    row = X[:1].toarray()[0] if is_sparse else X[0]
                    learner.predict_one(row)
                    learner.learn_one(row, y[0])


def _forms(name: str, dtype: str) -> Iterator[StreamClassifier]:
    """The learner as it is, and with a small budget, forecasting."""
    common = {"dtype": dtype, "feature": 0, "random_state": 0}
    for own in ({}, {"budget": BUDGET, "probability": True}):
        learner = learner_named(name)
        known, wished = learner.get_params(deep=False), common | own
        yield learner.set_params(**{key: wished[key] for key in wished.keys() & known.keys()})
