"""A classifier made from a rule of the user's own."""

from dataclasses import field, fields, make_dataclass
from typing import Any, get_args, get_type_hints

from ..core.rule import update
from .documentation import documented, entries, joined, sections
from .kernel_classifier import KernelClassifier

__all__ = ["make_classifier"]


def make_classifier(rule: type[Any], name: str | None = None) -> type[KernelClassifier]:
    """A classifier that learns by a rule of your own.

    Its parameters are the rule's, with the same defaults, beside those that all classifiers have;
    they are checked by the rule's annotations. The page "A rule of your own" shows how a rule is
    written.

    Parameters
    ----------
    rule : class
        A `NamedTuple` of numbers, with an update that `budgetron.rules.updates` has registered.
    name : str or None, default=None
        The name of the classifier; None for that of the rule, without "Rule" at its end. Kept under
        this name in the module of the rule, it can be pickled. It cannot be saved: files hold no
        code.

    Returns
    -------
    class
        A subclass of `KernelClassifier`.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> from budgetron import make_classifier
    >>> from budgetron.rules import MISTAKE, Budget, add, remove, size, updates
    >>> class OldestOutRule(NamedTuple):
    ...     budget: Budget = 100
    >>> @updates(OldestOutRule, on=MISTAKE)
    ... def forget_the_oldest(rule, f, y):
    ...     if size(f) == rule.budget:
    ...         remove(f, 0)
    ...     add(f, weight=y)
    >>> OldestOut = make_classifier(OldestOutRule)
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> OldestOut(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])
    """
    _check(rule)
    kinds = get_type_hints(rule)
    parameters = [
        (own, kinds[own], field(default=rule._field_defaults[own]))
        if own in rule._field_defaults
        else (own, kinds[own])
        for own in rule._fields
    ]
    made = make_dataclass(
        name or rule.__name__.removesuffix("Rule") or rule.__name__,
        parameters,
        bases=(KernelClassifier,),
        namespace={
            "_rule_class": rule,
            "__doc__": _documentation(rule),
        },
        eq=False,
        repr=False,
    )
    made.__module__ = rule.__module__  # and not the one that makes it, as from Python 3.12 on
    return documented(made)


def _check(rule: Any) -> None:
    if not (isinstance(rule, type) and issubclass(rule, tuple) and hasattr(rule, "_fields")):
        raise TypeError(f"a rule must be a NamedTuple of its parameters, got {rule!r}")
    if rule not in update.registry:
        raise ValueError(
            f"{rule.__name__} has no update: register a function by budgetron.rules.updates"
        )
    for own, kind in get_type_hints(rule).items():
        if kind not in (int, float, bool):
            raise TypeError(
                f"the parameter {own} of {rule.__name__} must be an int, a float or a bool"
            )
    common = {each.name for each in fields(KernelClassifier)} & {*rule._fields}
    if common:
        raise ValueError(
            f"all classifiers have a parameter {min(common)}: give that of {rule.__name__}"
            " another name"
        )


def _documentation(rule: Any) -> str:
    """What the rule says of itself, and all its parameters."""
    told, known = sections(rule.__doc__), entries([rule], "Parameters")
    if told[""].startswith(f"{rule.__name__}("):  # what Python writes if nobody does
        told[""] = f"Learns by the rule {rule.__name__}."
    own = [known.get(name) or _entry(rule, name) for name in rule._fields]
    return joined(told | {"Parameters": "\n".join(own)})


def _entry(rule: Any, name: str) -> str:
    hint = get_type_hints(rule, include_extras=True)[name]
    kind, *limits = get_args(hint) or (hint,)
    default = f", default={rule._field_defaults[name]}" if name in rule._field_defaults else ""
    about = [f"Of the rule {rule.__name__}", *filter(None, map(str, limits))]
    return f"{name} : {kind.__name__}{default}\n    {'; '.join(about)}."
