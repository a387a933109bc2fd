"""`budgetron certify`: mistakes against bound."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from typing import Annotated, Any

import typer
from scipy import sparse

import budgetron

from ..datasets import load_spam
from ..reading import Chunk, Reader, ReadOptions
from ..reading.chunk import joined, labelled_part, part
from .errors import UsageError
from .learner_options import Settings, complete, learner_named
from .outputs import json_text
from .read_options import InputsOrMails, with_read_options
from .taken import ColumnNotes

__all__ = ["certify"]

MOST_BYTES = 1 << 30


@with_read_options
def certify(
    *,
    learner: Annotated[
        str, typer.Argument(help="A learner, such as Forgetron.", autocompletion=complete)
    ],
    inputs: InputsOrMails = None,
    settings: Settings = None,
    rows: Annotated[
        int | None, typer.Option(min=1, help="So many rows from the beginning; all if not given.")
    ] = None,
    drift_rate: Annotated[float | None, typer.Option(help="lambda of the drift paper.")] = None,
    gamma: Annotated[float | None, typer.Option(help="gamma of the drift paper.")] = None,
    dimension: Annotated[int | None, typer.Option(help="d of the drift paper.")] = None,
    shifts: Annotated[int | None, typer.Option(help="K of the drift paper.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    options: ReadOptions,
) -> None:
    """Say how many mistakes a learner makes on a stream, and how many it could make at most.

    To find the best competitor in hindsight the whole stream is held in memory, up to 1 GB.
    """
    estimator = learner_named(learner, settings or ())
    X, y = _whole(inputs, options, rows)
    try:
        certificate = budgetron.certify(
            estimator,
            X,
            y,
            drift_rate=drift_rate,
            gamma=gamma,
            dimension=dimension,
            shifts=shifts,
        )
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from error
    typer.echo(json_text(certificate.as_dict()) if as_json else str(certificate))


def _whole(inputs: list[str] | None, options: ReadOptions, rows: int | None) -> tuple[Any, Any]:
    if not inputs:
        spam = load_spam()
        return spam.X[:rows], spam.y[:rows]
    reader = Reader(inputs, replace(options, unlabelled=True))
    notes = ColumnNotes(reader.plan)
    chunks: Any = iter(reader)
    with closing(chunks):
        parts = _first(map(labelled_part, chunks), rows)
    if not parts:
        raise UsageError(f"{' '.join(inputs)} has no rows")
    whole = joined(parts)
    notes.add(whole.X)
    return whole.X, whole.y


def _first(chunks: Iterable[Chunk], rows: int | None) -> list[Chunk]:
    """So many rows, unless they are too many."""
    parts: list[Chunk] = []
    held = count = 0
    for chunk in chunks:
        chunk = part(chunk, slice(0, None if rows is None else rows - count))
        parts.append(chunk)
        count += len(chunk.rows)
        held += _bytes(chunk.X)
        if held > MOST_BYTES:
            raise UsageError(
                f"a certificate needs the whole stream in memory, and {count:,} rows take more"
                f" than {MOST_BYTES >> 30} GB: certify a part with --rows {count // 2}"
            )
        if count == rows:
            break
    return parts


def _bytes(X: Any) -> int:
    if sparse.issparse(X):
        return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)
    return int(X.nbytes)
