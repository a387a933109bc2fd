"""From a dict's names to columns, as names appear and vanish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Number
from operator import itemgetter
from struct import Struct, error
from typing import Any
from zlib import crc32

import numpy as np
from scipy import sparse

from .values import refuse_what_is_no_number, usual_numbers, with_nan

__all__ = ["FeatureIndex", "Layout", "OneFeature"]


class Layout:
    """Where the values of rows with certain names go.

    Attributes
    ----------
    columns : ndarray of int
        Each column once, in rising order.
    row : ndarray of float
        The values that were put in last, one for each column.
    new : dict
        Names that the index does not know yet, and the columns they are going to have.
    """

    def __init__(
        self,
        names: list[Any],
        columns: np.ndarray,
        new: dict[Any, int],
        width: int,
        *,
        missing: bool,
    ) -> None:
        self.names, self.new, self.width, self.size = names, new, width, len(names)
        self.columns, self._starts = np.unique(columns, return_index=True)
        self._is_shared, self._missing = len(self.columns) < self.size, missing
        self._values = self.row = np.zeros(self.size)
        self._pack, self._view = Struct(f"{self.size}d").pack_into, self._values.data
        self.take = _picked(names)

    def put(self, values: Sequence[Any]) -> None:
        """Put in the values of a row, in the order of the names."""
        if not usual_numbers.issuperset(map(type, values)):
            values = with_nan(values) if self._missing else values
            refuse_what_is_no_number(self.names, values)
        try:
            self._pack(self._view, 0, *values)
        except error:
            raise ValueError(
                "a whole number is too large to be a feature; scale the data"
            ) from None
        if self._is_shared:
            self.row = self._added_up(self._values)

    def matrix(self, values: np.ndarray) -> sparse.csr_array:
        """Rows of values, in the order of the names, as a matrix of the whole width."""
        if self._is_shared:
            values = self._added_up(values)
        rows, stored = values.shape
        parts = values.ravel(), np.tile(self.columns, rows), np.arange(rows + 1) * stored
        return sparse.csr_array(parts, shape=(rows, self.width))

    def one_row(self) -> sparse.csr_array:
        """The values that were put in last as a matrix of one row."""
        parts = self.row.copy(), self.columns.copy(), np.array([0, len(self.row)])
        return sparse.csr_array(parts, shape=(1, self.width))

    def _added_up(self, values: np.ndarray) -> np.ndarray:
        """Add the values that share a column."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.add.reduceat(values, self._starts, axis=-1)


class FeatureIndex:
    """Numbers names in the order in which they appear, up to a bound.

    A name beyond the bound shares a column that is drawn by a hash of it, always the same. Names
    that appear in the same row are numbered in an order of their own, so that a dict's order has
    no effect.

    Parameters
    ----------
    bound : int
        The largest number of columns.
    missing : bool, default=False
        Whether None may stand for a value, and becomes NaN.
    """

    def __init__(self, bound: int, *, missing: bool = False) -> None:
        self.bound, self._missing = bound, missing
        self.columns: dict[Any, int] = {}
        self._forget_layout()

    def _forget_layout(self) -> None:
        nowhere = np.zeros(0, np.int64)
        self._layout = Layout([], nowhere, {}, self.bound, missing=self._missing)

    def read(self, x: Any) -> Layout:
        """Put a row in the layout of its names; nothing is changed by it."""
        if type(x) is not dict:
            if not isinstance(x, Mapping):
                raise TypeError(f"a row must be a dict of features, got {type(x).__name__}")
            x = dict(x)
        layout = self._layout
        if len(x) != layout.size:
            layout = self.layout(x)
        try:
            values = layout.take(x)
        except KeyError:
            layout = self.layout(x)
            values = layout.take(x)
        layout.put(values)
        self._layout = layout
        return layout

    def adopt(self, layout: Layout) -> None:
        """Know the names of a layout from now on."""
        self.columns.update(layout.new)
        layout.new = {}

    def layout(self, names: Iterable[Any]) -> Layout:
        """The layout of rows with these names."""
        known, names = self.columns, [*names]
        strange = sorted((name for name in names if name not in known), key=spelled_out)
        new = dict(zip(strange, range(len(known), self.bound), strict=False))
        if len(new) < len(strange):
            names.sort(key=spelled_out)  # columns may be shared, and their values are added up
        columns = [self._column(name, new) for name in names]
        order = np.argsort(columns, kind="stable")
        placed = np.array(columns, np.int64)[order]
        ordered = [names[i] for i in order]
        return Layout(ordered, placed, new, self.bound, missing=self._missing)

    def _column(self, name: Any, new: dict[Any, int]) -> int:
        column = self.columns.get(name)
        if column is None:
            column = new.get(name)
        if column is None:
            column = crc32(spelled_out(name).encode("utf-8", "surrogatepass")) % self.bound
        return column

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name != "_layout"}
        return kept | {"columns": self.columns.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._forget_layout()


class OneFeature(FeatureIndex):
    """The index of a learner that looks at a single feature.

    Parameters
    ----------
    name : hashable, or None for the only name that rows have
    """

    def __init__(self, name: Any) -> None:
        super().__init__(1)
        self.name = name

    def read(self, x: Any) -> Layout:
        """Put in the value of the one feature, 0 if it is missing."""
        if not isinstance(x, Mapping):
            raise TypeError(f"a row must be a dict of features, got {type(x).__name__}")
        return super().read({name: x.get(name, 0.0) for name in self._only(x)})

    def layout(self, names: Iterable[Any]) -> Layout:
        """The layout of rows with these names, which is that of the one."""
        return super().layout(self._only(names))

    def _only(self, names: Iterable[Any]) -> list[Any]:
        if self.name is not None:
            return [self.name]
        named = [*dict.fromkeys([*self.columns, *names])]
        if len(named) != 1:
            raise ValueError(f"a threshold is on one of the {len(named)} features: say feature=")
        return named


def spelled_out(name: Any) -> str:
    """A name as a text that is the same in every process, and for equal names."""
    if isinstance(name, str):
        return f"'{name}"
    if isinstance(name, Number):
        return f"{hash(name)}"  # unlike that of a text, the same everywhere, and for 1 and 1.0
    if isinstance(name, tuple):
        return f"({','.join(map(spelled_out, name))})"
    return repr(name)


def _picked(names: list[Any]) -> Callable[[dict[Any, Any]], tuple[Any, ...]]:
    """The function that takes the values of these names out of a dict."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda x: tuple([x[name] for name in names])
