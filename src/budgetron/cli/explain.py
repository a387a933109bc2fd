"""`budgetron explain`: why a saved model predicts what it does for one row."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict
from typing import Annotated, Any

import typer

from ..estimators import Explanation
from ..reading import Chunk, Reader
from .errors import UsageError
from .outputs import json_text
from .predict import Decimal, Delimiter, Encoding, FileFormat, of_model, refuse_keys
from .read_options import Inputs

__all__ = ["explain"]


def explain(
    model: Annotated[str, typer.Argument(help="A file that budgetron run has written.")],
    inputs: Inputs,
    row: Annotated[int, typer.Option(min=0, help="Which row of the input, counted from 0.")] = 0,
    format: FileFormat = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with all supports.")] = False,
) -> None:
    """Say which of the rows that were learned speak for a prediction, and which against it.

    The input is read as the model's own was; labels are not looked at, and need not be there. A
    support's row is the number of rows that were learned before it.
    """
    how = {"format": format, "delimiter": delimiter, "encoding": encoding, "decimal": decimal}
    learner, reader = of_model(model, inputs, how, None, None, labelled=False, skip=row)
    refuse_keys(learner)
    explanation = learner.explain(_first_row(reader, row))
    typer.echo(json_text(_plain(explanation)) if as_json else explanation.text())


def _chunks(reader: Reader) -> Generator[Chunk]:
    yield from reader


def _first_row(reader: Reader, row: int) -> Any:
    """The features of the first row that is not skipped; if that is bad, reading says why."""
    with closing(_chunks(reader)) as chunks:
        for chunk in chunks:
            if len(chunk.rows) > 0:
                return chunk.X[:1]
    raise UsageError(f"there is no row {row}: the first one is --row 0, and the input ends before")


def _plain(explanation: Explanation) -> dict[str, Any]:
    sayings = {
        name: [asdict(each) for each in getattr(explanation, name)]
        for name in ("supports", "experts", "widths")
    }
    return {
        "prediction": explanation.label,
        "rival": explanation.rival,
        "scores": {str(label): score for label, score in explanation.scores.items()},
        "rows_learned": explanation.n_seen,
        "note": explanation.note,
        **sayings,
    }
