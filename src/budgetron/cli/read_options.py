"""The options that say how an input is to be read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, get_args

import typer

from ..reading import ReadingError, ReadOptions
from ..reading.plan import Format, Kind, Labels, Missing
from .errors import UsageError, unknown_name

__all__ = ["Aside", "Inputs", "InputsOrMails", "with_read_options"]

TAB = ("tab", "\\t")
KINDS = [kind for kind in get_args(Kind) if kind != "indexed"]

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT", help="Files of one format, packed or not; - is standard input."
    ),
]
InputsOrMails = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT",
        help="Files of one format, packed or not; - is standard input; the embedded mails if there"
        " is none.",
    ),
]
Aside = Annotated[
    str | None,
    typer.Option(
        "--aside",
        metavar="FILE",
        help="Write bad rows to this file, a JSON object each, and go on; else the first one"
        " stops.",
    ),
]


def _option(help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, **more)


def read_options(
    target: Annotated[
        str | None,
        _option(
            "Column of the labels: the one called label, target, y or class, else the last, if it"
            " has classes."
        ),
    ] = None,
    format: Annotated[
        Format | None, _option("What the input is; its name tells if this does not.")
    ] = None,
    delimiter: Annotated[
        str | None, _option("Between fields of CSV; tab is one. Found out if not given.")
    ] = None,
    quote: Annotated[str, _option("Around fields of CSV; none if empty.")] = '"',
    header: Annotated[
        bool | None,
        _option("Whether the first line of CSV names the columns. Found out if not given."),
    ] = None,
    encoding: Annotated[
        str | None, _option("Of a text that is not in UTF-8, such as latin-1.")
    ] = None,
    decimal: Annotated[
        str | None,
        _option("Point or comma in numbers of CSV; found out if not given.", metavar="[.|,]"),
    ] = None,
    ignore: Annotated[
        list[str] | None, _option("A column to leave out; can be repeated.", metavar="COLUMN")
    ] = None,
    kind: Annotated[
        list[str] | None,
        _option(
            f"What a column is, one of {', '.join(KINDS)}; one that would be left out, such as an"
            " id, is then kept; can be repeated.",
            metavar="COLUMN=KIND",
        ),
    ] = None,
    labels: Annotated[
        Labels | None, _option("What labels are; if given, there may be any number of classes.")
    ] = None,
    missing: Annotated[
        Missing, _option("A missing value makes a row bad, is 0, or 0 with a feature that says so.")
    ] = "error",
    standardize: Annotated[
        bool,
        _option(
            "Shift and scale columns of numbers to mean 0 and deviation 1, as they are by then.",
            "--standardize",
        ),
    ] = False,
    categories: Annotated[int, _option("Of a one-hot column, at most.")] = 32,
    buckets: Annotated[int, _option("Features of a hashed column, or one of words.")] = 2**16,
    features: Annotated[int | None, _option("Of svmlight: the largest index, and one.")] = None,
    sample: Annotated[int, _option("How many rows to look at before deciding the rest.")] = 1000,
) -> ReadOptions:
    """What is asked for, from the command line."""
    return ReadOptions(
        target=target,
        format=format,
        delimiter="\t" if delimiter in TAB else delimiter,
        quote=quote,
        header=header,
        encoding=encoding,
        decimal=decimal,
        ignore=tuple(ignore or ()),
        kinds=dict(map(_kind, kind or ())),
        labels=labels,
        missing=missing,
        standardize=standardize,
        categories=categories,
        buckets=buckets,
        features=features,
        sample=sample,
    )


def _kind(text: str) -> tuple[str, Any]:
    name, equals, kind = text.rpartition("=")
    if not equals:
        raise UsageError(f"a column's kind is given by column=kind, got {text!r}")
    if kind not in KINDS:
        raise unknown_name("there is no kind", kind, KINDS)
    return name, kind


def with_read_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of reading; it is told what they say as `options`."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    added = inspect.signature(read_options, eval_str=True).parameters

    @wraps(command)
    def with_options(**given: Any) -> None:
        asked = {name: given.pop(name) for name in added}
        try:
            options = read_options(**asked)
        except ReadingError as error:
            raise UsageError(str(error)) from error
        command(options=options, **given)

    parameters = [each for each in own if each.name != "options"]
    merged = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*parameters, *added.values())
    ]
    with_options.__signature__ = inspect.Signature(merged)  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in merged}
    return with_options
