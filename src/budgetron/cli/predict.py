"""`budgetron predict`: what a saved model says of rows that may have no labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import typer

from ..keyed import KeyedClassifier
from ..reading import Reader, ReadOptions
from ..reading.plan import Format
from .checkpoint import read_checkpoint
from .console import make_console
from .errors import UsageError
from .outputs import AsideFile, GrowingFile, as_csv, refuse_to_overwrite
from .read_options import TAB, Aside, Inputs
from .streams import write_data
from .taken import taken

__all__ = ["Decimal", "Delimiter", "Encoding", "FileFormat", "of_model", "predict", "refuse_keys"]

STDOUT = "-"

FileFormat = Annotated[
    Format | None,
    typer.Option("--format", help="Of the input, if its name does not tell and it is another one."),
]
Delimiter = Annotated[str | None, typer.Option(help="Of CSV, if it is another one.")]
Encoding = Annotated[str | None, typer.Option(help="Of the input, if it is another one.")]
Decimal = Annotated[str | None, typer.Option(metavar="[.|,]", help="Of CSV, if it is another one.")]


def predict(
    model: Annotated[str, typer.Argument(help="A file that budgetron run has written.")],
    inputs: Inputs,
    output: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Where to; - is standard output, as if not given."),
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="A column for each class as well.")
    ] = False,
    id: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Which row is which, to be written as well."),
    ] = None,
    format: FileFormat = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    aside: Aside = None,
) -> None:
    """Write a CSV of what a model predicts for each row, and the score of the predicted class.

    The input is read as the model's own was; labels are not looked at, and need not be there.
    """
    output = None if output == STDOUT else output
    refuse_to_overwrite([model, *inputs], output, aside)
    bad = None if aside is None else AsideFile(aside)
    how = {"format": format, "delimiter": delimiter, "encoding": encoding, "decimal": decimal}
    learner, reader = of_model(model, inputs, how, id, bad, labelled=False)
    if probabilities and not hasattr(learner, "predict_proba"):
        reader.close()
        raise UsageError(f"{model} has no probabilities: run it with --set probability=True")
    make_console(stderr=True).print(taken(reader.plan), soft_wrap=True)
    with ExitStack() as stack:
        if bad is not None:
            stack.enter_context(bad)
        write: Callable[[bytes], None] = write_data
        if output is not None:
            write = stack.enter_context(GrowingFile(output)).write
        for lines in _predictions(learner, reader, probabilities):
            write(lines)


def of_model(
    model: str,
    inputs: list[str],
    how: Mapping[str, Any],
    id: str | None,
    bad: AsideFile | None,
    *,
    labelled: bool,
    skip: int = 0,
) -> tuple[Any, Reader]:
    """A saved learner, and what reads rows for it as its own were read."""
    learner, checkpoint = read_checkpoint(model)
    if how["delimiter"] in TAB:
        how = {**how, "delimiter": "\t"}
    own = checkpoint.next_plan
    if checkpoint.key is not None and id not in (None, checkpoint.key):
        raise UsageError(f"{model} has a learner for each {checkpoint.key}: that is the id")
    plan = replace(own, id=checkpoint.key or id, weight=None, unlabelled=True)
    if labelled and plan.target is None:
        label = checkpoint.late.get("label")
        plan = replace(plan, target=label, labels=_kind_of(learner.classes_))
    reader = Reader(
        inputs,
        plan,
        adapt=ReadOptions(**how),
        labelled=labelled,
        skip=skip,
        fixed=True,
        on_bad=None if bad is None else bad.put,
    )
    return learner, reader


def refuse_keys(learner: Any) -> None:
    """Raise a UsageError for learners behind keys."""
    if isinstance(learner, KeyedClassifier):
        raise UsageError("a model with a learner for each key can only run and predict")


def _kind_of(classes: np.ndarray) -> Any:
    return {"i": "integer", "f": "number", "b": "boolean"}.get(classes.dtype.kind, "text")


def _predictions(learner: Any, reader: Reader, probable: bool) -> Iterator[bytes]:
    names = ["row", *([] if reader.plan.id is None else [reader.plan.id]), "prediction", "score"]
    if probable:
        names += [f"probability of {label}" for label in learner.classes_]
    yield as_csv(*(np.array([name]) for name in names))
    for chunk in reader:
        whose = {"keys": chunk.ids} if isinstance(learner, KeyedClassifier) else {}
        scores = learner.decision_function(chunk.X, **whose)
        scores = scores.max(axis=1) if scores.ndim == 2 else np.abs(scores)
        shares = learner.predict_proba(chunk.X, **whose).T if probable else ()
        ids = () if chunk.ids is None else (chunk.ids,)
        yield as_csv(chunk.rows, *ids, learner.predict(chunk.X, **whose), scores, *shares)
