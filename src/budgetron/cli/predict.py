"""`budgetron predict`: what a saved model says of rows that may have no labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Annotated, Any

import numpy as np
import typer

from ..reading import Reader
from .checkpoint import read_checkpoint
from .errors import UsageError
from .outputs import AsideFile, GrowingFile, as_csv, refuse_to_overwrite
from .read_options import Aside, Inputs
from .streams import write_data

__all__ = ["predict"]


def predict(
    model: Annotated[str, typer.Argument(help="A file that budgetron run has written.")],
    inputs: Inputs,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where to; standard output if not given.")
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="A column for each class as well.")
    ] = False,
    aside: Aside = None,
) -> None:
    """Write a CSV of what a model predicts for each row.

    The input is read as the model's own was; labels are not looked at, and need not be there.
    """
    refuse_to_overwrite([model, *inputs], output, aside)
    learner, checkpoint = read_checkpoint(model)
    if probabilities and not hasattr(learner, "predict_proba"):
        raise UsageError(f"{model} has no probabilities: run it with --set probability=True")
    bad = None if aside is None else AsideFile(aside)
    reader = Reader(
        inputs, checkpoint.plan, labelled=False, on_bad=None if bad is None else bad.put
    )
    with ExitStack() as stack:
        if bad is not None:
            stack.enter_context(bad)
        write: Callable[[bytes], None] = write_data
        if output is not None:
            write = stack.enter_context(GrowingFile(output)).write
        for lines in _predictions(learner, reader, probabilities):
            write(lines)


def _predictions(learner: Any, reader: Reader, probable: bool) -> Iterator[bytes]:
    names = ["row", "prediction"]
    if probable:
        names += [f"probability of {label}" for label in learner.classes_]
    yield as_csv(*(np.array([name]) for name in names))
    for chunk in reader:
        shares = learner.predict_proba(chunk.X).T if probable else ()
        yield as_csv(chunk.rows, learner.predict(chunk.X), *shares)
