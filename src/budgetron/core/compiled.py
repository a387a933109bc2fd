"""How plain Python functions of this package become machine code.

`compiled` and `compiled_in_place` mark entry points that are called from Python; they are kept on
disk (see `kept_code`), so only the first use after an install pays for the compilation. `inlined`
marks a piece that entry points are made of. `by_class` makes a function whose body is chosen by the
class of its first argument.

All of them leave a function that also runs uncompiled: set `NUMBA_DISABLE_JIT=1` to step through a
learner in a debugger. Kernels written in Python run that way too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, singledispatch
from inspect import signature
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from .interruptible import interruptible

__all__ = [
    "by_class",
    "by_reference",
    "compiled",
    "compiled_in_place",
    "compiled_reassociated",
    "direct",
    "inlined",
    "inlined_reassociated",
    "not_kept",
    "pasted",
    "plain",
    "writeable",
]

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

REASSOCIATED = {"reassoc", "contract", "nsz"}

PUBLIC = "BUDGETRON_PUBLIC_NUMBA"
"""An environment variable: if it is set, nothing of Numba is used that is not public."""


class _Private(NamedTuple):
    """What is used of Numba that is not public; nothing, unless this Numba is as it was."""

    as_entry: Mapping[str, Any] = MappingProxyType({})
    as_piece: Mapping[str, Any] = MappingProxyType({})
    uncounted: Mapping[str, Any] = MappingProxyType({})
    compile_apart: Callable[[Any], None] = lambda entry: None
    keep_code: Callable[[Any], None] = lambda entry: None
    by_reference: Callable[[type], type] = lambda cls: cls

    @classmethod
    def found(cls) -> _Private:
        """What there is, if it is wanted."""
        if os.environ.get(PUBLIC):
            return cls()
        try:
            from .kept_code import keep_code
            from .private_numba import (
                AS_ENTRY,
                AS_PIECE,
                UNCOUNTED,
                by_reference,
                compile_apart,
            )
        except (ImportError, AttributeError):
            return cls()
        return cls(AS_ENTRY, AS_PIECE, UNCOUNTED, compile_apart, keep_code, by_reference)


_PRIVATE = _Private.found()
_AS_PIECE, _UNCOUNTED = _PRIVATE.as_piece, _PRIVATE.uncounted


def compiled(function: F, **options: Any) -> F:
    """Compile `function` at its first call and keep the machine code on disk."""
    entry = _entry(function, **options)
    _PRIVATE.keep_code(entry)
    return entry


def _entry(function: F, **options: Any) -> F:
    entry: F = numba.njit(nogil=True, **_PRIVATE.as_entry, **options)(function)
    _PRIVATE.compile_apart(entry)
    return entry


def compiled_in_place(function: F) -> F:
    """Like `compiled`, for a function that works on the arrays it is given and makes none.

    Neither it nor what it calls may return an array.
    """
    return compiled(function, **_UNCOUNTED)


def compiled_reassociated(function: F) -> F:
    """Like `compiled_in_place`, and the compiler may sum in any order, the same at every call."""
    return compiled(function, fastmath=REASSOCIATED, **_UNCOUNTED)


def pasted(function: F) -> F:
    """Like `inlined`, and the body becomes part of its callers and is compiled with their options.

    It takes the compiler longer, and is worth it inside the innermost loops.
    """
    return register_jitable(inline="always", **_AS_PIECE)(function)


def inlined(function: F) -> F:
    """Let compiled functions call `function`; from Python it stays what it is."""
    return register_jitable(**_AS_PIECE)(function) if _AS_PIECE else register_jitable(function)


def inlined_reassociated(function: F) -> F:
    """Like `inlined`, and the compiler may sum in any order, the same at every call."""
    return register_jitable(fastmath=REASSOCIATED, **_AS_PIECE)(function)


def by_reference(cls: C) -> C:
    """Let compiled functions give tuples of a class to each other by their address.

    Nothing else changes, but that the compiler takes less time.
    """
    _PRIVATE.by_reference(cls)
    return cls


def direct(function: F, arguments: tuple[Any, ...]) -> Callable[[], F]:
    """What gives the machine code for arguments of the same types as these, and no others.

    To find it by the types of many arguments takes longer than a single row does. A function stands
    before it so that whoever goes over all that a learner refers to, as River does to measure it,
    does not get into the compiler.
    """
    compile_for = getattr(function, "compile", None)
    if compile_for is None:
        return lambda: function
    key = function, *map(_kind, arguments)
    code: Any = _machine_code.get(key)
    if code is None:
        kinds = tuple(numba.typeof(argument) for argument in arguments)
        known = function.overloads.get(kinds)  # type: ignore[attr-defined]
        code = interruptible(compile_for, kinds) if known is None else known.entry_point
        _machine_code[key] = code
    return lambda: code


_machine_code: dict[Any, Any] = {}


def _kind(value: Any) -> Any:
    """All that the compiler's type of a value depends on, found faster than that type."""
    if isinstance(value, tuple):
        return (type(value), *map(_kind, value))
    if isinstance(value, np.ndarray):
        flags = value.flags
        order = flags.c_contiguous, flags.f_contiguous and value.ndim > 1
        return value.dtype, value.ndim, order, flags.writeable, flags.aligned
    return type(value)


def writeable(array: np.ndarray, dtype: Any = None) -> np.ndarray:
    """The same in one piece; to the compiler, what cannot be written on is of another type."""
    array = np.ascontiguousarray(array, dtype)
    return array if array.flags.writeable else array.copy()


def plain(function: F) -> F:
    """The function that `compiled` was given."""
    return getattr(function, "py_func", function)


@cache
def not_kept(function: F) -> F:
    """Like `compiled_in_place`, without being kept on disk.

    What is kept names the classes of its arguments, and a process that does not know one of them
    cannot read it: rules from outside the package take this form.
    """
    return _entry(plain(function), **_UNCOUNTED)


def by_class(function: Callable[..., Any]) -> Any:
    """Make `function` generic in the class of its first argument, a `NamedTuple`.

    `function.register(cls)` adds an implementation. Python finds it with `singledispatch`, and the
    compiler by the tuple's class, so that a new implementation touches nothing else.
    """
    generic = singledispatch(function)
    bodies: dict[type | None, Callable[..., Any]] = {}

    def choose(*arguments: Any, **named: Any) -> Callable[..., Any] | None:
        first = arguments[0] if arguments else next(iter(named.values()))
        if isinstance(first, types.NamedTuple | types.NamedUniTuple):
            known = (c for c in first.instance_class.__mro__ if c in bodies)
            return bodies.get(next(known, None), function)
        return None

    choose.__signature__ = signature(function)  # type: ignore[attr-defined]
    overload(generic, strict=False, jit_options=_AS_PIECE)(choose)
    register_for_python = generic.register

    def register(cls: type) -> Callable[[F], F]:
        def keep(body: F) -> F:
            bodies[cls] = body
            register_for_python(cls)(body)
            return body

        return keep

    generic.register = register  # type: ignore[assignment]
    return generic
