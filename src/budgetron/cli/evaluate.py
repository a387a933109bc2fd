"""`budgetron evaluate`: how a saved model does on rows that it does not learn."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Any

import numpy as np
import typer

from ..evaluation import RunningMetrics, Trace
from ..reading.chunk import labelled_part
from .console import make_console, pairs
from .errors import UsageError
from .outputs import AsideFile, json_text, refuse_to_overwrite
from .predict import Decimal, Delimiter, Encoding, FileFormat, of_model, refuse_keys
from .read_options import Aside, Inputs
from .taken import taken, taken_as_dict
from .told_metrics import told_metrics

__all__ = ["evaluate"]


def evaluate(
    model: Annotated[str, typer.Argument(help="A file that budgetron run has written.")],
    inputs: Inputs,
    format: FileFormat = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    aside: Aside = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Say how well a model predicts labelled rows. Nothing is learned.

    Beside it are the errors of whoever says the commonest label of the rows before, and of whoever
    says the last one.
    """
    refuse_to_overwrite([model, *inputs], aside)
    bad = None if aside is None else AsideFile(aside)
    how = {"format": format, "delimiter": delimiter, "encoding": encoding, "decimal": decimal}
    learner, reader = of_model(model, inputs, how, None, bad, labelled=True)
    refuse_keys(learner)
    if not as_json:
        make_console().print(taken(reader.plan), soft_wrap=True)
    metrics, unlabelled = RunningMetrics(), 0
    with ExitStack() as stack:
        if bad is not None:
            stack.enter_context(bad)
        for chunk in reader:
            known = labelled_part(chunk)
            unlabelled += len(chunk) - len(known)
            if len(known):
                metrics.add(_said_of(learner, known.X, np.asarray(known.y)))
    summary = metrics.summary()
    if not summary["rows"]:
        raise UsageError(f"{' '.join(inputs)} has no labels: budgetron predict needs none")
    if as_json:
        told = {"model": model, "inputs": inputs, "unlabelled": unlabelled}
        typer.echo(json_text(told | summary | {"input": taken_as_dict(reader.plan)}))
        return
    rows = f"{summary['rows']:,}" + (f", and {unlabelled:,} unlabelled" * bool(unlabelled))
    make_console().print(pairs({"rows": rows} | told_metrics(summary)), soft_wrap=True)


def _said_of(learner: Any, X: Any, y: np.ndarray) -> Trace:
    """What a learner says of rows of which it learns nothing."""
    predictions, nothing = learner.predict(X), np.zeros(len(y), int)
    return Trace(
        scores=learner.decision_function(X),
        mistakes=predictions != y,
        updates=nothing > 0,
        sizes=nothing,
        evicted=nothing - 1,
        predictions=predictions,
        labels=y,
        classes=learner.classes_,
        probabilities=learner.predict_proba(X) if hasattr(learner, "predict_proba") else None,
        lessons=y,
        lessons_before=np.arange(len(y)),
    )
