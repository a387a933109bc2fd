"""Writes what type checkers and editors know of the classifiers of River.

These are made from the list of learners when `budgetron.river` is imported, which no type checker
does. Run it when a parameter changes; a test says so.
"""

from inspect import Parameter, signature
from pathlib import Path

from budgetron import river
from budgetron.river.classifier import KernelLearner

STUB = Path(river.__file__).with_suffix(".pyi")

HEAD = """# Written by scripts/river_types.py.

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from ..core.triggers import ZeroScore
from .classifier import KernelLearner, StreamLearner

__all__ = [
    {names},
]
"""
CLASS = """
@dataclass(eq=False, repr=False)
class {name}({base}):
    {fields}
"""


def stub():
    """The text of the file."""
    names = ",\n    ".join(f'"{name}"' for name in river.__all__)
    learners = [getattr(river, name) for name in river.__all__]
    return HEAD.format(names=names) + "".join(map(shown, learners))


def shown(learner):
    """One class, as if its parameters were the fields of a dataclass."""
    base = KernelLearner if issubclass(learner, KernelLearner) else learner.__base__
    fields, by_name = [], False
    for it in signature(learner).parameters.values():
        if it.kind is Parameter.KEYWORD_ONLY and not by_name:
            fields.append("_: KW_ONLY")
            by_name = True
        fields.append(f"{it.name}: {it.annotation} = {it.default!r}".replace("'", '"'))
    return CLASS.format(name=learner.__name__, base=base.__name__, fields="\n    ".join(fields))


if __name__ == "__main__":
    STUB.write_text(stub())
