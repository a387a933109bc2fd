"""`budgetron evaluate`: how a saved model does on rows that it does not learn."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import Annotated, Any

import numpy as np
import typer

from ..reading.chunk import labelled_part
from .console import make_console, pairs
from .errors import UsageError
from .outputs import AsideFile, json_text, refuse_to_overwrite
from .predict import Decimal, Delimiter, Encoding, FileFormat, of_model
from .read_options import Aside, Inputs
from .taken import taken, taken_as_dict

__all__ = ["evaluate"]


class Verdict:
    """How predictions compare with labels, and with what needs no model."""

    def __init__(self) -> None:
        self.rows = self.mistakes = self._as_before = 0
        self._labels: Counter[Any] = Counter()
        self._last: Any = None

    def add(self, labels: np.ndarray, predictions: np.ndarray) -> None:
        """Go on with further rows."""
        told = labels.tolist()
        self.rows += len(told)
        self.mistakes += int((labels != predictions).sum())
        self._as_before += sum(a == b for a, b in zip([self._last, *told], told, strict=False))
        self._labels.update(told)
        self._last = told[-1]

    def as_dict(self) -> dict[str, Any]:
        """The numbers."""
        commonest, times = self._labels.most_common(1)[0]
        return {
            "rows": self.rows,
            "mistakes": self.mistakes,
            "error": self.mistakes / self.rows,
            "commonest_class": commonest,
            "error_of_commonest_class": 1 - times / self.rows,
            "error_of_last_label": 1 - self._as_before / self.rows,
        }


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
    """Say how many labelled rows a model predicts wrongly. Nothing is learned.

    Beside it are the errors of whoever always says the commonest class of these rows, and of
    whoever says the label of the row before.
    """
    refuse_to_overwrite([model, *inputs], aside)
    bad = None if aside is None else AsideFile(aside)
    how = {"format": format, "delimiter": delimiter, "encoding": encoding, "decimal": decimal}
    learner, reader = of_model(model, inputs, how, None, bad, labelled=True)
    if not as_json:
        make_console().print(taken(reader.plan), soft_wrap=True)
    verdict, unlabelled = Verdict(), 0
    with ExitStack() as stack:
        if bad is not None:
            stack.enter_context(bad)
        for chunk in reader:
            known = labelled_part(chunk)
            unlabelled += len(chunk) - len(known)
            if len(known):
                verdict.add(np.asarray(known.y), learner.predict(known.X))
    if not verdict.rows:
        raise UsageError(f"{' '.join(inputs)} has no labels: budgetron predict needs none")
    numbers = verdict.as_dict()
    if as_json:
        told = {"model": model, "inputs": inputs, "unlabelled": unlabelled}
        typer.echo(json_text(told | numbers | {"input": taken_as_dict(reader.plan)}))
        return
    shown = {
        "rows": f"{numbers['rows']:,}" + (f", and {unlabelled:,} unlabelled" * bool(unlabelled)),
        "mistakes": f"{numbers['mistakes']:,}, {numbers['error']:.2%} of all predictions",
        f"always {numbers['commonest_class']}": f"{numbers['error_of_commonest_class']:.2%}",
        "last label": f"{numbers['error_of_last_label']:.2%}",
    }
    make_console().print(pairs(shown), soft_wrap=True)
