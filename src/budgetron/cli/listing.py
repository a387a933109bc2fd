"""`budgetron learners` and `budgetron datasets`: what there is."""

from __future__ import annotations

import re
from inspect import cleandoc, signature
from typing import Annotated, Any

import typer

from ..datasets.catalogue import catalogue
from ..estimators import AveragingClassifier, KernelClassifier, StreamClassifier
from .console import make_console, table
from .learner_options import learners
from .outputs import json_text

__all__ = ["list_datasets", "list_learners"]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
COMMON = {*signature(StreamClassifier).parameters}
OF_KERNELS = {*signature(KernelClassifier).parameters, *signature(AveragingClassifier).parameters}


def list_learners(as_json: AsJson = False) -> None:
    """List the learners, their own parameters and their papers.

    All but DriftingThreshold and RestartingExperts have those of a kernel as well: kernel, gamma,
    degree, coef0, normalize, and the like.
    """
    found = [_learner(name, learner) for name, learner in learners().items()]
    if as_json:
        typer.echo(json_text(found))
        return
    made = table("learner", "own parameters", "paper", "what it does")
    for each in found:
        own = ", ".join(f"{name}={value}" for name, value in each["parameters"].items())
        made.add_row(each["name"], own, each["place"], each["summary"])
    make_console().print(made)


def list_datasets(as_json: AsJson = False) -> None:
    """List the data sets, and whether their files are at hand."""
    found = catalogue()
    if as_json:
        typer.echo(json_text([each._asdict() for each in found]))
        return
    made = table("data set", "rows", "features", "at hand", "licence", right=("rows", "features"))
    for each in found:
        made.add_row(
            each.name,
            f"{each.rows:,}",
            f"{each.features:,}",
            "yes" if each.at_hand else "no",
            each.licence,
        )
    make_console().print(made)


def _learner(name: str, learner: type[StreamClassifier]) -> dict[str, Any]:
    text = cleandoc(learner.__doc__ or "")
    paper = " ".join(text.partition("References\n----------\n")[2].split()).rstrip(".")
    authors, _, rest = paper.partition(', "')
    first, place = re.split(", | and ", authors)[0].split()[-1], rest.partition('", ')[2]
    return {
        "name": name,
        "parameters": _own_parameters(learner),
        "summary": text.splitlines()[0],
        "paper": paper,
        "place": f"{first}, {place}",
    }


def _own_parameters(learner: type[StreamClassifier]) -> dict[str, Any]:
    common = OF_KERNELS if issubclass(learner, KernelClassifier) else COMMON
    return {
        name: parameter.default
        for name, parameter in signature(learner).parameters.items()
        if name not in common
    }
