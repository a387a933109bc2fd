"""Docstrings that explain every parameter and attribute, made from those of the base classes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import cleandoc, signature
from typing import Any, TypeVar

__all__ = ["documented", "entries", "joined", "sections"]

T = TypeVar("T", bound=type[Any])

TITLE = re.compile(r"(?:\A|\n\n)(\w+)\n---+\n")
TITLES = "", "Parameters", "Attributes", "Notes", "Examples", "References"


def documented(learner: T) -> T:
    """Complete what a class says of its parameters and attributes by what its bases say.

    Parameters are in the order of the signature, attributes in that of the classes. What a class
    writes about one takes the place of what its bases do.
    """
    known = entries(learner.__mro__, "Parameters")
    if known:  # there are no docstrings with `python -OO`
        parts = sections(learner.__doc__)
        named = [known[name] for name in signature(learner).parameters if name in known]
        parts["Parameters"] = "\n".join(named)
        parts["Attributes"] = "\n".join(entries(learner.__mro__, "Attributes").values())
        learner.__doc__ = joined(parts)
    return learner


def sections(docstring: str | None) -> dict[str, str]:
    """The sections of a docstring by title; what comes before them is called ""."""
    summary, *rest = TITLE.split(cleandoc(docstring or ""))
    return {"": summary, **dict(zip(rest[::2], rest[1::2], strict=True))}


def entries(classes: Iterable[type], title: str) -> dict[str, str]:
    """What is said of each name in a section, by the first of the classes that does."""
    found: dict[str, str] = {}
    for each in reversed([*classes]):
        text = sections(vars(each).get("__doc__")).get(title)
        told = re.split(r"\n(?=\S)", text) if text else []
        found |= {entry.partition(" : ")[0]: entry for entry in told}
    return found


def joined(parts: dict[str, str]) -> str:
    """A docstring of these sections, in their usual order."""
    there = [title for title in TITLES if parts.get(title)]
    headings = {title: f"{title}\n{'-' * len(title)}\n" if title else "" for title in there}
    return "\n\n".join(headings[title] + parts[title] for title in there) + "\n"
