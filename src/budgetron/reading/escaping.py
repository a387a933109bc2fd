"""Texts from data, as they can be shown to people."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

__all__ = ["escaped", "escaped_within"]

# C0, DEL and C1; what changes the direction of writing, has no width, or ends a line; surrogates.
# The two joiners, U+200C and U+200D, are part of ordinary words.
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def escaped(text: str, keep: str = "") -> str:
    r"""The same text, with escapes in place of what a terminal would obey or a reader not see.

    Parameters
    ----------
    text : str
    keep : str, default=""
        What is left as it is, such as line ends.

    Returns
    -------
    str

    Examples
    --------
    >>> from budgetron.reading.escaping import escaped
    >>> print(escaped("caf\xe9 \x1b[31m\u202e"))
    café \x1b[31m\u202e
    """
    return _CONTROLS.sub(lambda found: found[0] if found[0] in keep else _escape(found[0]), text)


def escaped_within(value: Any) -> Any:
    """The same dataclass, tuple or list, with all texts in it escaped."""
    match value:
        case str():
            return escaped(value)
        case tuple() | list():
            make = getattr(value, "_make", type(value))  # a named tuple wants its parts one by one
            return make(map(escaped_within, value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {each.name: escaped_within(getattr(value, each.name)) for each in fields(value)}
    return replace(value, **parts)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
