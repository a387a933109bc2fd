"""What a machine is made of: a rule, a kernel, and random numbers."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np

from .. import rules
from ..core.kernel import Kernel
from ..parameters import checked
from .checking import SavedModelError, demand, fields, flag, real, text, whole

__all__ = [
    "describe_form",
    "describe_kernel",
    "describe_randomness",
    "describe_rule",
    "restore_form",
    "restore_kernel",
    "restore_randomness",
    "restore_rule",
]

MOST_DEGREE = 1000
"""A kernel value takes so many steps."""

INFINITE = "inf"


@cache
def _known_rules() -> dict[str, type]:
    """All rules of this package."""
    modules = [import_module(f"{rules.__name__}.{m.name}") for m in iter_modules(rules.__path__)]
    return {name: getattr(module, name) for module in modules for name in module.__all__}


def describe_kernel(kernel: Any) -> dict[str, Any]:
    """The numbers that make a kernel."""
    demand(
        isinstance(kernel, Kernel),
        'a kernel that is a Python function cannot be saved: use "linear", "poly" or "rbf"',
    )
    product, norms, constant = map(float, kernel[:3])
    numbers = product, norms, constant, int(kernel.degree), *map(bool, kernel[4:])
    return dict(zip(Kernel._fields, numbers, strict=True))


def restore_kernel(document: Any) -> Kernel:
    """The kernel of these numbers."""
    fields(document, "the kernel", Kernel._fields[:-1], ("multiscale",))
    return Kernel(
        product=real(document["product"], "the kernel's product"),
        norms=real(document["norms"], "the kernel's norms"),
        constant=real(document["constant"], "the kernel's constant"),
        degree=whole(document["degree"], "the kernel's degree", least=1, most=MOST_DEGREE),
        exponential=flag(document["exponential"], "the kernel's exponential"),
        normalize=flag(document["normalize"], "the kernel's normalize"),
        multiscale=flag(document.get("multiscale", False), "the kernel's multiscale"),
    )


def describe_form(kernel: Any) -> dict[str, Any]:
    """What a kernel is, beside its numbers; what it is not is left out."""
    told = describe_kernel(kernel)
    return {name: told[name] for name in FORM if told[name]}


def restore_form(document: Any) -> Kernel:
    """A kernel of this form."""
    fields(document, "the kernel", FORM[:1], FORM[1:])
    return restore_kernel(Kernel()._asdict() | document)


FORM = Kernel._fields[3:]


def describe_rule(rule: Any) -> dict[str, Any]:
    """The name and the parameters of a rule."""
    name = type(rule).__name__
    demand(_known_rules().get(name) is type(rule), f"{name} is no rule of this package")
    given = {key: INFINITE if value == math.inf else value for key, value in rule._asdict().items()}
    return {"name": name, **given}


def restore_rule(document: Any) -> Any:
    """The rule of this name."""
    demand(isinstance(document, dict), "the rule must be a JSON object")
    name = text(document.get("name"), "the rule's name")
    demand(name in _known_rules(), f"{name[:60]!r} is no rule of this package")
    rule: Any = _known_rules()[name]
    fields(document, f"the rule {name}", ("name", *rule._fields))
    try:
        return _rule(rule, *(document[key] for key in rule._fields))
    except (TypeError, ValueError) as error:
        raise SavedModelError(f"the rule {name}: {str(error)[:200]}") from None


@lru_cache(256, typed=True)
def _rule(rule: Any, *told: Any) -> Any:
    given = zip(rule._fields, told, strict=True)
    return checked(rule, **{key: math.inf if it == INFINITE else it for key, it in given})


def describe_randomness(state: np.ndarray) -> str:
    """The state of the generator in hexadecimal."""
    return f"{int(state[0]):016x}"


def restore_randomness(written: Any) -> np.ndarray:
    """The state of the generator, which is never 0."""
    found = re.fullmatch("[0-9a-f]{16}", text(written, "the randomness"))
    demand(found and int(written, 16), "the randomness must be 16 hexadecimal digits, not all 0")
    return np.array([int(written, 16)], np.uint64)
