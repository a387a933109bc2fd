"""A River classifier's constructor and documentation, made from those of its estimator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature, signature
from typing import Any

from ..estimators.documentation import entries, joined, sections

__all__ = ["NOT_OF_RIVER", "constructor", "documentation"]

NOT_OF_RIVER = {"random_state", "epochs", "shuffle", "device"}
"""Parameters that an estimator has and its River classifier has not."""

SELF = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)

ATTRIBUTES = """estimator
    The `budgetron.{}` that learns. It has the supports, and the counts: `estimator.n_mistakes_`."""


def constructor(classifier: type, estimator: type, own: dict[str, Any]) -> Callable[..., None]:
    """An `__init__` with the estimator's parameters, and others with these defaults.

    What scikit-learn calls `random_state` is River's `seed`, one of the others, and there is no
    `fit`, of which some parameters are. A type that the classifier states is said in place of the
    estimator's.
    """
    stated = {name: it for each in classifier.__mro__[::-1] for name, it in _annotations(each)}
    parameters = signature(estimator).parameters.values()
    known = [it for it in parameters if it.name not in NOT_OF_RIVER]
    others = [Parameter(name, Parameter.KEYWORD_ONLY, default=own[name]) for name in own]
    typed = [it.replace(annotation=stated.get(it.name, it.annotation)) for it in (*known, *others)]
    takes = Signature([SELF, *typed], return_annotation=None)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        if "random_state" in kwargs and "seed" in own:
            raise TypeError("what is random_state in scikit-learn is seed in River: say seed=")
        given = takes.bind(self, *args, **kwargs)
        given.apply_defaults()
        vars(self).update(
            {name: value for name, value in given.arguments.items() if name != "self"}
        )
        self._set_out()

    __init__.__signature__ = takes  # type: ignore[attr-defined]
    return __init__


def _annotations(classifier: type) -> Iterable[tuple[str, Any]]:
    return vars(classifier).get("__annotations__", {}).items()


def documentation(classifier: type, estimator: type) -> str | None:
    """What the estimator does and whose it is, and all parameters in full."""
    known = entries([*classifier.__mro__, estimator], "Parameters")
    if not known:  # there are no docstrings with `python -OO`
        return None
    told = sections(estimator.__doc__)
    return joined(
        {
            "": told[""],
            "Parameters": "\n".join(known[name] for name in signature(classifier).parameters),
            "Attributes": ATTRIBUTES.format(estimator.__name__),
            "References": told["References"],
        }
    )
