"""What is not public of Numba, and makes compiling and calling faster; nothing depends on it.

`compiled` does without this module where a version of Numba has moved what it needs, or where the
environment variable BUDGETRON_PUBLIC_NUMBA is set. Tried with Numba 0.68.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from llvmlite.binding import parse_assembly
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.options import DefaultOptions

from .interruptible import interruptible
from .references import by_reference

__all__ = ["AS_ENTRY", "AS_PIECE", "UNCOUNTED", "by_reference", "compile_apart"]

UNCOUNTED: dict[str, Any] = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}
"""Without this option the compiler counts references to every array that a function is given: a
third of the time of a walk."""


SELDOM = 100_000
"""So many objects are made between two collections."""


class _Piece(JITCodeLibrary):
    """Code that is there to become part of other code, and is never run by itself.

    The compiler optimises every function together with all that it calls and makes machine code of
    it, so that this would happen to a piece at every level above it: most of the time that a
    learner takes to compile.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        """Make no machine code, but the variables that functions find their constants by."""
        self._finalize_dynamic_globals()
        variables = [str(v) for v in self._final_module.global_variables if "NumbaEnv" in v.name]
        self._codegen._add_module(parse_assembly("\n".join(variables)))
        self._codegen._engine.finalize_object()
        self._finalized = True


class _Flags(Flags):
    """Options of the compiler, which it compares with each other at every call of a function."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Flags):
            return self._chosen() == other._chosen()
        return super().__eq__(other)

    def __hash__(self) -> int:
        return _SAME_FOR_ALL

    def _chosen(self) -> dict[str, Any]:
        options = self.options
        return {k: v for k, v in self._values.items() if v != options[k].default}


_SAME_FOR_ALL = hash(Flags())


class _Compiler(Compiler):
    def __init__(self, *given: Any) -> None:
        super().__init__(*(_Flags(one) if isinstance(one, Flags) else one for one in given))


class _EntryCompiler(_Compiler):
    def _compile_core(self) -> Any:
        with _little_garbage_collected():
            return super()._compile_core()


@contextmanager
def _little_garbage_collected() -> Iterator[None]:
    """Not as often as usual: the compiler keeps what it makes, and it would be searched in vain.

    Who compiles has Numba's lock, so that nobody else is in here.
    """
    before = gc.get_threshold()
    ours = (max(before[0], SELDOM), *before[1:]) if before[0] else before
    gc.set_threshold(*ours)
    try:
        yield
    finally:
        if gc.get_threshold() == ours:
            gc.set_threshold(*before)


class _PieceCompiler(_Compiler):
    def _compile_core(self) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = _Piece(codegen, self.state.func_id.func_qualname)
        return super()._compile_core()


_STEPS = "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"

AS_PIECE: dict[str, Any] = (
    {"pipeline_class": _PieceCompiler, "no_cfunc_wrapper": True}
    if all(hasattr(JITCodeLibrary, step) for step in _STEPS)
    else {}
)
"""How a piece is compiled; it needs no second entrance for C, either."""

AS_ENTRY: dict[str, Any] = {"pipeline_class": _EntryCompiler, "no_cfunc_wrapper": True}
"""How what is called from Python is compiled."""


def compile_apart(entry: Any) -> None:
    """Let an entry point be compiled by a thread that no signal interrupts.

    An exception in the middle of the compiler can leave its lock behind, and then every other
    thread would wait for it for ever.
    """
    if hasattr(entry, "_compile_for_args"):
        entry._compile_for_args = partial(interruptible, entry._compile_for_args)
