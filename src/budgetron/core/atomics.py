"""How a thread reads what another one writes, and tells its processor that it only waits.

Like `private_numba`, this is built of pieces of Numba that are not public.
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

__all__ = ["number_in", "pause"]

PAUSE = {"x86_64": "llvm.x86.sse2.pause", "AMD64": "llvm.x86.sse2.pause"}
"""What processors are told by a thread that only waits."""


def number_in(cell):
    """What is in a cell just now."""
    return cell[0]


def pause():
    """Let a processor know that this thread only waits."""


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
