"""When labels come, in rows of the input, some of which may be bad; and from where."""

from __future__ import annotations

from collections import deque
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

from ..estimators import Waiting
from ..reading import Chunk
from ..reading.chunk import part
from .errors import UsageError

__all__ = ["Answers", "Asked", "InPlace", "InStream", "Told", "among", "moved"]


SOMETIME = 2.0**52
"""The row after which labels come of which nobody knows when they do."""


FINE = 2**20
"""So many labels that come one after the other, without a row to predict, are told apart."""

MOST_ASKED = 100_000
"""Rows that wait for an answer; the oldest are given up."""


class Told(NamedTuple):
    """What becomes known of the rows of a chunk."""

    y: np.ndarray  # labels; any where there is none
    times: np.ndarray  # the rows of the input after whose predictions they come
    is_known: np.ndarray  # whether a label is known to come


class InPlace:
    """Labels that are in the input, and come so many rows later; some rows may have none."""

    def __init__(self, delay: int) -> None:
        self._delay = float(delay)

    def of(self, chunk: Chunk) -> Told:
        """The labels of these rows."""
        is_known = np.asarray(chunk.is_labelled)
        times = np.where(is_known, chunk.rows + self._delay, np.inf)
        return Told(np.asarray(chunk.y), times, is_known)


class Asked(NamedTuple):
    """A row that was predicted, and whose label is to come in a later one."""

    id: str
    score: float  # as it was predicted, of the predicted class


class TakenApart(NamedTuple):
    """The rows of a chunk that are to be predicted, and the labels that come with the others."""

    chunk: Chunk
    told: Told
    waiting: Waiting | None  # with these labels
    answered: np.ndarray  # which of those that wait have just got theirs
    scores: np.ndarray  # with which these were predicted
    asked: list[Asked]  # the others that wait for theirs
    unasked: int  # labels that come to nobody


class InStream:
    """Labels that come in a later row of the input, which has the same id.

    A row without a label waits for one. A label comes to the row with its id that waits longest;
    where none does, a row that has features as well is one with a label of its own.

    Parameters
    ----------
    delay : int
        How many rows later labels come that a row has of its own.

    Attributes
    ----------
    asked : list of Asked
        The rows that wait, oldest first.
    unasked : int
        How many labels have come to nobody.
    """

    def __init__(self, delay: int) -> None:
        self._own = InPlace(delay)
        self.asked: list[Asked] = []
        self.unasked = 0

    def of(self, chunk: Chunk) -> Told:
        """The labels that these rows have of their own."""
        return self._own.of(chunk)

    def taken_apart(self, chunk: Chunk, waiting: Waiting | None, since: int) -> TakenApart:
        """Tell the rows to predict from those that are labels of others.

        Parameters
        ----------
        chunk : Chunk
        waiting : Waiting or None
            What waits since a row of the input.
        since : int
            That row.
        """
        places: dict[str, deque[int]] = {}
        for place, each in enumerate(self.asked):
            places.setdefault(each.id, deque()).append(place)
        own, old = self._own.of(chunk), len(self.asked)
        y, times, is_known = own.y.copy(), own.times.copy(), own.is_known.copy()
        is_row, answers, unasked = np.ones(len(chunk), bool), {}, 0
        bare = np.asarray(chunk.is_bare)
        for t, id in enumerate(np.asarray(chunk.ids).tolist()):
            if not own.is_known[t]:
                places.setdefault(id, deque()).append(old + t)
                times[t] = SOMETIME
            elif places.get(id):
                is_row[t], place = False, places[id].popleft()
                if place < old:
                    answers[place] = t
                else:
                    y[place - old], times[place - old] = own.y[t], _moment(chunk.rows[t])
                    is_known[place - old] = True
            elif bare[t]:
                is_row[t] = False
                unasked += 1
        told = Told(y[is_row], times[is_row], is_known[is_row])
        which, scores = np.zeros(0, int), np.array([self.asked[place].score for place in answers])
        if waiting is not None and answers:
            rows = list(answers.values())
            which = np.flatnonzero(since + waiting.due >= SOMETIME / 2)[list(answers)]
            labels = waiting.y.astype(np.result_type(waiting.y, own.y), copy=True)
            due = waiting.due.copy()
            labels[which], due[which] = own.y[rows], _moment(chunk.rows[rows]) - since
            waiting = replace(waiting, y=labels, due=due)
        asked = [each for place, each in enumerate(self.asked) if place not in answers]
        return TakenApart(part(chunk, is_row), told, waiting, which, scores, asked, unasked)

    def note(self, apart: TakenApart, scores: np.ndarray) -> None:
        """Remember the rows that have been predicted, and whose labels are to come."""
        self.asked, self.unasked = apart.asked, self.unasked + apart.unasked
        for t in np.flatnonzero(apart.told.times == SOMETIME):
            self.asked.append(Asked(str(np.asarray(apart.chunk.ids)[t]), float(scores[t])))

    def forget(self, waiting: Waiting, since: int) -> Waiting:
        """What waits, without the oldest rows, if there are too many that nobody answers."""
        many = len(self.asked) - MOST_ASKED
        if many <= 0:
            return waiting
        kept = np.ones(len(waiting), bool)
        kept[np.flatnonzero(since + waiting.due >= SOMETIME / 2)[:many]] = False
        self.asked = self.asked[many:]
        parts = {each.name: getattr(waiting, each.name)[kept] for each in fields(Waiting)}
        return Waiting(**parts)


class Answers:
    """Labels that are in another file, a CSV, by the ids of their rows.

    Parameters
    ----------
    path : str
        With a header; packed or not.
    id, label : str
        Columns.
    arrival : str or None
        Column of the rows after whose predictions labels come, by their numbers from 0.
    delay : int
        How many rows later they come, if there is no such column.
    """

    def __init__(self, path: str, id: str, label: str, arrival: str | None, delay: int) -> None:
        import pyarrow as pa  # which takes long
        from pyarrow import csv

        wanted = [id, label, *([arrival] if arrival else [])]
        types = {id: pa.string()} | ({arrival: pa.float64()} if arrival else {})
        how = csv.ConvertOptions(column_types=types, include_columns=wanted)
        try:
            table = csv.read_csv(path, convert_options=how)
        except (OSError, pa.ArrowException) as error:
            raise UsageError(
                f"{path} cannot be read: {error}; --id and --target (else label) name its columns"
            ) from error
        ids, labels = table[id].to_pylist(), table[label].to_pylist()
        if any(value is None or value == "" for value in (*ids, *labels)) or not ids:
            raise UsageError(
                f"{path} has rows without {id} or {label}, or none at all: name the columns with"
                " --id and --target"
            )
        self._places = {each: place for place, each in enumerate(ids)}
        if len(self._places) < len(ids):
            raise UsageError(f"{path} has several labels for one {id}")
        self._labels = table[label].to_numpy()
        self._times = table[arrival].to_numpy() if arrival else None
        self._delay = float(delay)

    def of(self, chunk: Chunk) -> Told:
        """The labels of these rows."""
        places = np.array([self._places.get(each, -1) for each in np.asarray(chunk.ids).tolist()])
        times = chunk.rows + self._delay if self._times is None else self._times[places]
        is_known = places >= 0
        early = np.flatnonzero(is_known & ~(times >= chunk.rows))
        if len(early) > 0:
            row, time = chunk.rows[early[0]], times[early[0]]
            raise ValueError(f"the label of row {row} comes after row {time:g}, before its own")
        return Told(self._labels[places], np.where(is_known, times, np.inf), is_known)


def _moment(rows: Any) -> Any:
    """When the labels in these rows come: after those of the rows before, and in their order."""
    return rows + 0.5 + rows % FINE / (2 * FINE)


def among(times: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Times in rows of the input, as places among some of its rows that follow each other.

    What comes after a row that is bad comes after the last good one before it.
    """
    within = np.searchsorted(rows, np.floor(times), side="right") - 1 + times % 1
    end = rows[-1] + 1
    return np.where(times < end, within, len(rows) + times - end)


def moved(waiting: Waiting | None, since: int, rows: np.ndarray) -> Waiting | None:
    """What waits since a row of the input, to be met among these rows."""
    return waiting and replace(waiting, due=among(since + waiting.due, rows))
