"""Waiting without sleeping, for what is there within microseconds."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from .compiled import compiled_in_place

__all__ = ["TURNS", "new_cell", "spin"]

TURNS = 15000
"""How often it is looked for at most: for about 100 microseconds."""

PAUSE = {"x86_64": "llvm.x86.sse2.pause", "AMD64": "llvm.x86.sse2.pause"}
"""What processors are told by a thread that only waits."""


def new_cell() -> np.ndarray:
    """A number that other threads wait for, alone in its part of the processors' caches."""
    return np.zeros(16, np.int64)


def number_in(cell):
    """What is in a cell just now."""
    return cell[0]


def pause():
    """Let a processor know that this thread only waits."""


@compiled_in_place
def spin(cell, awaited, turns):
    """Wait until the number in a cell is as large as awaited, but not for ever."""
    for _ in range(turns):
        if number_in(cell) >= awaited:
            return True
        pause()
    return False


@overload(number_in)
def _(cell):
    return lambda cell: _loaded(cell)


@overload(pause)
def _():
    return lambda: _paused()


@intrinsic
def _loaded(context: Any, cell: Any) -> Any:
    """Read from memory each time: the compiler does not know that others write on it."""

    def load(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = cgutils.create_struct_proxy(signature.args[0])(target, builder, arguments[0])
        return builder.load_atomic(array.data, "acquire", 8)

    return types.int64(cell), load


@intrinsic
def _paused(context: Any) -> Any:
    def wait(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = PAUSE.get(platform.machine())
        if name:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return target.get_dummy_value()

    return types.void(), wait
