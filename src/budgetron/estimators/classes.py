"""Which classes there are, and when they appear."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

__all__ = ["NONE_KNOWN", "Numbered", "balanced", "comparable", "not_too_many", "numbered"]

MOST_CLASSES = 1000
"""More are taken for labels that are no classes: every class needs memory of its own."""

NONE_KNOWN = np.zeros(0)

NUMERIC = "biuf"


class Numbered(NamedTuple):
    """Labels as places among all classes, and when these are met."""

    classes: np.ndarray  # in order
    codes: np.ndarray
    since: np.ndarray  # the row before which each class is met, -1 for those of old

    def stretches(self) -> Iterator[tuple[int, int, np.ndarray]]:
        """The stretches of rows in which no class appears, and which classes are known there."""
        bounds = np.unique([0, *self.since[self.since > 0], len(self.codes)])
        for first, last in pairwise(bounds):
            yield int(first), int(last), np.flatnonzero(self.since <= first)

    def arrivals(self, row: int) -> np.ndarray:
        """The places of the classes that are met before a row."""
        return np.flatnonzero(self.since == row)

    def among(self, is_told: np.ndarray, *, at_once: bool) -> Numbered:
        """The same with rows between them that have no label, and 0 in its place.

        Classes that are met with the first label may be met at once, before rows that have none.
        """
        at, codes, since = np.flatnonzero(is_told), np.zeros(len(is_told), int), self.since.copy()
        codes[at], later = self.codes, since > 0 if at_once or len(at) == 0 else since >= 0
        since[later] = at[since[later]]
        return Numbered(self.classes, codes, since)

    def at_first(self) -> Numbered:
        """The classes that are met before the first row, and no labels."""
        own = self.since <= 0
        return Numbered(self.classes[own], self.codes[:0], self.since[own])


def numbered(
    y: np.ndarray, known: np.ndarray, named: Any, *, closed: bool, at_once: int
) -> Numbered:
    """Number the labels, those of new classes too.

    Parameters
    ----------
    y : ndarray
        Labels.
    known : ndarray
        The classes so far, in order.
    named : array or None
        All classes, as the user names them.
    closed : bool
        Whether the classes have been named before, so that there can be no others.
    at_once : int
        How many classes may be met before their first example without its making a difference.
    """
    listed = known if named is None else _named(named, known, closed=closed)
    codes, strange = _places(y, listed)
    since = np.where(np.isin(listed, known), -1, 0) if len(known) else np.zeros(len(listed), int)
    if not strange.any():
        return Numbered(listed, codes, since)
    if closed or named is not None:
        label = y[strange].tolist()[0]
        raise ValueError(
            f"label {label!r} is not one of the classes {listed}; classes that are named are named"
            " once, and are all there are"
        )
    new, rows = _new_classes(y, strange, listed)
    rows[np.argsort(rows, kind="stable")[: max(0, at_once - len(known))]] = 0
    classes = np.concatenate([listed, new]) if len(listed) else new
    order = np.argsort(classes, kind="stable")
    codes, _ = _places(y, classes[order])
    return Numbered(classes[order], codes, np.concatenate([since, rows])[order].astype(int))


def _named(named: Any, known: np.ndarray, *, closed: bool) -> np.ndarray:
    listed = np.unique(named)
    if len(listed) == 0:
        raise ValueError("classes must not be empty")
    if len(known) and (closed or not np.isin(known, listed).all()):
        if np.array_equal(listed, known):
            return known
        raise ValueError(f"classes are {known} since the first call, got {named}")
    return not_too_many(listed)


def _places(y: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each label is among the classes, and whether it is none of them."""
    if len(classes) == 0 or not comparable(y, classes):
        return np.zeros(len(y), int), np.ones(len(y), bool)
    try:
        codes = np.searchsorted(classes, y)
    except TypeError:  # an object among strings
        return np.zeros(len(y), int), np.ones(len(y), bool)
    codes[codes == len(classes)] = 0
    return codes, classes[codes] != y


def comparable(y: np.ndarray, classes: np.ndarray) -> bool:
    """Whether both are numbers, or neither is."""
    return (y.dtype.kind in NUMERIC) == (classes.dtype.kind in NUMERIC)


def _new_classes(
    y: np.ndarray, strange: np.ndarray, known: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The classes that are not known, and the rows where they first appear."""
    rows = np.flatnonzero(strange)
    label = y[rows].tolist()[0]
    if len(known) == 0:
        check_classification_targets(y)
    elif not comparable(y, known):
        raise ValueError(f"label {label!r} is of another kind than the classes {known}")
    elif y.dtype.kind == "f" and not (y[rows] == np.round(y[rows])).all():
        raise ValueError(f"label {label!r} is a number beside the classes {known}")
    try:
        new, at = np.unique(y[rows], return_index=True)
    except TypeError as error:
        raise ValueError(f"labels cannot be put in order: {error}") from None
    not_too_many(np.concatenate([known, new]) if len(known) else new)
    return new, rows[at]


def not_too_many(classes: np.ndarray) -> np.ndarray:
    """The classes, if these can be all that there are."""
    if len(classes) > MOST_CLASSES:
        raise ValueError(f"{len(classes)} classes are more than {MOST_CLASSES}")
    return classes


def balanced(codes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Weights that give all classes seen so far the same sum; `counts` go on with the codes.

    That of an example is n / (k n_c), where n examples of k classes have been seen, it included,
    and n_c of its own.
    """
    running = counts + np.cumsum(codes[:, None] == np.arange(len(counts)), axis=0)
    counts += np.bincount(codes, minlength=len(counts))
    own = running[np.arange(len(codes)), codes]
    return running.sum(axis=1) / (np.count_nonzero(running, axis=1) * own)
