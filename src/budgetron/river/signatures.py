"""A River classifier's constructor and documentation, made from those of its estimator."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature, cleandoc, signature
from typing import Any

__all__ = ["constructor", "documentation"]

SELF = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)

OF_RIVER = """
Parameters
----------
max_features : int, default=65536
    The largest number of columns. Names get one each, in the order in which they appear; those
    beyond it share columns, chosen by a hash of the name.
seed : int or None, default=None
    River's name for `random_state`, and used if that is None.
"""

ATTRIBUTES = """Attributes
----------
estimator
    The `budgetron.{}` that learns. It has the supports, and the counts: `estimator.n_mistakes_`.
"""


def constructor(estimator: type, own: dict[str, Any]) -> Callable[..., None]:
    """An `__init__` with the estimator's parameters, and others with these defaults."""
    others = [Parameter(name, Parameter.KEYWORD_ONLY, default=own[name]) for name in own]
    takes = Signature([SELF, *signature(estimator).parameters.values(), *others])

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        given = takes.bind(self, *args, **kwargs)
        given.apply_defaults()
        vars(self).update(
            {name: value for name, value in given.arguments.items() if name != "self"}
        )
        self._set_out()

    __init__.__signature__ = takes  # type: ignore[attr-defined]
    return __init__


def documentation(classifier: type, estimator: type) -> str:
    """What the estimator does and whose it is, and all parameters in full."""
    entries = dict(_entries(OF_RIVER))
    for part in [*reversed(estimator.__mro__), classifier]:
        entries |= dict(_entries(vars(part).get("__doc__") or ""))
    named = [entries[name] for name in signature(classifier).parameters]
    text = cleandoc(estimator.__doc__ or "")
    parts = [
        text.partition("\n\nParameters\n")[0],
        "\n".join(["Parameters\n----------", *named]),
        ATTRIBUTES.format(estimator.__name__).rstrip(),
        "".join(text.partition("References\n----------\n")[1:]),
    ]
    return "\n\n".join(parts) + "\n"


def _entries(docstring: str) -> Iterator[tuple[str, str]]:
    """The parameters of a docstring that it explains itself, each with its entry."""
    _, _, section = cleandoc(docstring).partition("Parameters\n----------\n")
    for entry in re.split(r"\n(?=\S)", section.partition("\n\n")[0]):
        name, colon, _ = entry.partition(" : ")
        if colon:
            yield name, entry
