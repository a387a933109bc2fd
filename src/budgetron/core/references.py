"""Tuples of many arrays, given from function to function as one address.

To the compiler a tuple is its numbers, seven and more for each array. A view has hundreds of them,
and to hand them all over at every call is a third of what a learner takes to compile. Nothing in a
tuple ever changes, which is said of each number that is read, so that a loop reads it once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import (
    NativeValue,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

__all__ = ["by_reference"]

ADDRESS = ir.IntType(8).as_pointer()

OWNERS = 2
"""The first numbers of an array say whose it is, which who borrows it need not know."""


class Reference(types.NamedTuple):  # type: ignore[name-defined]
    """The address of a tuple with these types of fields."""

    def __init__(self, fields: tuple[types.Type, ...], cls: type) -> None:
        super().__init__(fields, cls)
        self.name = f"Reference({self.name})"  # type: ignore[has-type]
        self._hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """All but the hash, which is another one in each process."""
        return self.__dict__ | {"_hash": None}


@register_model(Reference)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Reference) -> None:
        super().__init__(manager, kind, ADDRESS)


def by_reference(cls: type) -> type:
    """Give tuples of a class, and those in them, from function to function by their address."""
    typeof_impl.register(cls)(_kind_of)
    return cls


def _kind_of(value: Any, context: Any) -> types.Type:
    if isinstance(value, tuple) and _has_arrays(value):
        return Reference(tuple(_kind_of(field, context) for field in value), type(value))
    return typeof_impl(value, context)


def _has_arrays(value: Any) -> bool:
    is_tuple = isinstance(value, tuple)
    return any(map(_has_arrays, value)) if is_tuple else isinstance(value, np.ndarray)


def _layout(context: Any, kind: Reference) -> ir.LiteralStructType:
    return ir.LiteralStructType(
        [context.data_model_manager[field].get_data_type() for field in kind]
    )


@lower_getattr_generic(Reference)
def _field(context: Any, builder: Any, kind: Reference, address: Any, name: str) -> Any:
    place = kind.fields.index(name)
    fields = builder.bitcast(address, _layout(context, kind).as_pointer())
    found = _read(builder, cgutils.gep_inbounds(builder, fields, 0, place), kind[place])
    found = context.data_model_manager[kind[place]].from_data(builder, found)
    return impl_ret_borrowed(context, builder, kind[place], found)


def _read(builder: Any, place: Any, kind: types.Type | None = None) -> Any:
    """Number by number: of a whole tuple the compiler would forget that it does not change."""
    parts = place.type.pointee
    if not isinstance(parts, ir.LiteralStructType | ir.ArrayType):
        number = builder.load(place)
        number.set_metadata("invariant.load", builder.module.add_metadata([]))
        return number
    whole = ir.Constant(parts, None)
    for i in range(OWNERS if isinstance(kind, types.Array) else 0, len(parts)):
        part = _read(builder, cgutils.gep_inbounds(builder, place, 0, i))
        whole = builder.insert_value(whole, part, i)
    return whole


@unbox(Reference)
def _unboxed(kind: Reference, obj: Any, c: Any) -> NativeValue:
    """Write the fields down where the caller keeps them, and give the address."""
    builder = c.builder
    fields = cgutils.alloca_once(builder, _layout(c.context, kind))
    failed, cleanups = cgutils.false_bit, []
    for i, field in enumerate(kind):
        native = c.unbox(field, c.pyapi.tuple_getitem(obj, i))
        failed = builder.or_(failed, native.is_error)
        data = c.context.data_model_manager[field].as_data(builder, native.value)
        builder.store(data, cgutils.gep_inbounds(builder, fields, 0, i))
        if native.cleanup is not None:
            cleanups.append(native.cleanup)

    def cleanup() -> None:
        for clean in reversed(cleanups):
            clean()

    address = _hidden(builder, builder.bitcast(fields, ADDRESS))
    return NativeValue(address, is_error=failed, cleanup=cleanup if cleanups else None)


def _hidden(builder: Any, address: Any) -> Any:
    """The same, of which the compiler does not know that anything was written there just now."""
    same = ir.InlineAsm(ir.FunctionType(ADDRESS, [ADDRESS]), "", "=r,0,~{memory}", side_effect=True)
    return builder.call(same, [address])
