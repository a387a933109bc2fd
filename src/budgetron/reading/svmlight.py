"""svmlight: a label, and pairs of an index and a value, in each line."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import load_svmlight_file

from .chunk import Chunk, Encoded
from .errors import ReadingError
from .inference import check_labels
from .plan import Column, Labels, Missing, Plan, ReadOptions
from .source import Source
from .text import TextInput

__all__ = ["SvmLight"]

_INDEX = re.compile(rb"\s(\d{1,9}):")
_EXACT = 2**53
_UNLABELLED = re.compile(rb"^(?=\d+:)", re.MULTILINE)


class SvmLight(TextInput):
    """Lines of pairs: index i becomes feature i."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, comment="#")

    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it."""
        rows = [line.partition(b"#")[0] for line in self.head(options.sample)]
        labels = [row.split(None, 1)[0] for row in rows if row.strip()]
        if not labels:
            raise ReadingError(f"{self.source.path} has no rows")
        largest = max(
            (int(index) for row in rows for index in _INDEX.findall(b" " + row)), default=0
        )
        width = options.features or 1 << largest.bit_length()
        whole = all(re.fullmatch(rb"[-+]?\d+", label) for label in labels)
        kind: Labels = options.labels or ("integer" if whole else "number")
        if options.id or options.weight or options.target:
            raise ReadingError("svmlight has a label, then features: no --target, --id or --weight")
        if labelled:
            check_labels("label", labels, "integer" if whole else "number", options)
        features = Column("features", "indexed", width)
        classes = tuple(dict.fromkeys(label.decode("ascii", "replace") for label in labels))
        return Plan(
            *("svmlight", (features,), "label", kind, options.missing),
            encoding=options.encoding,
            classes=classes,
        )

    def parser(self, plan: Plan, labelled: bool) -> Callable[[bytes], Encoded]:
        """What parses a block of rows."""
        if plan.labels not in ("integer", "number"):
            raise ReadingError("labels in svmlight are numbers")
        if plan.missing == "indicator":
            raise ReadingError("nothing is missing in svmlight: --missing zero, not indicator")

        def parse(block: bytes) -> Encoded:
            if not labelled:
                block = _UNLABELLED.sub(b"0 ", block)
            try:
                X, y = load_svmlight_file(io.BytesIO(block), n_features=plan.width, zero_based=True)
            except (ValueError, OverflowError) as error:
                raise ReadingError(str(error)) from error
            problems = _without_infinities(X, plan.missing)
            rows = np.arange(X.shape[0])
            if not labelled:
                return Encoded(Chunk(X, None, rows), problems)
            wrong = ~np.isfinite(y)
            if plan.labels == "integer":
                wrong |= (np.abs(y) > _EXACT) | (y != np.rint(y))
                y = np.where(wrong, 0, y).astype(int)
            for index in np.flatnonzero(wrong):
                problems.setdefault(int(index), f"its label is no {plan.labels}")
            return Encoded(Chunk(X, y, rows, np.ones(len(rows), bool)), problems)

        return parse


def _without_infinities(X: csr_matrix, missing: Missing) -> dict[int, str]:
    """Take out values that are no finite numbers; if that is an error, say where."""
    where = np.flatnonzero(~np.isfinite(X.data))
    X.data[where] = 0
    if missing == "zero":
        return {}
    rows = np.searchsorted(X.indptr, where, side="right") - 1
    return {int(row): "a value is not finite" for row in rows}
