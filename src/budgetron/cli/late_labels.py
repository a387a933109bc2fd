"""When labels come, in rows of the input, some of which may be bad; and from where."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..estimators import Waiting
from ..reading import Chunk
from .errors import UsageError

__all__ = ["Answers", "InPlace", "Told", "among", "moved"]


class Told(NamedTuple):
    """What becomes known of the rows of a chunk."""

    y: np.ndarray  # labels; any where there is none
    times: np.ndarray  # the rows of the input after whose predictions they come
    is_known: np.ndarray  # whether a label ever comes


class InPlace:
    """Labels that are in the input, and come so many rows later."""

    def __init__(self, delay: int) -> None:
        self._delay = float(delay)

    def of(self, chunk: Chunk) -> Told:
        """The labels of these rows."""
        times = chunk.rows + self._delay
        return Told(np.asarray(chunk.y), times, np.ones(len(times), bool))


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
            raise UsageError(f"{path} cannot be read: {error}") from error
        ids, labels = table[id].to_pylist(), table[label].to_pylist()
        if any(value is None or value == "" for value in (*ids, *labels)) or not ids:
            raise UsageError(f"{path} has rows without {id} or {label}, or none at all")
        self._places = {each: place for place, each in enumerate(ids)}
        if len(self._places) < len(ids):
            raise UsageError(f"{path} has several labels for one {id}")
        self._labels = table[label].to_numpy()
        self._times = table[arrival].to_numpy() if arrival else None
        self._delay = float(delay)

    def of(self, chunk: Chunk) -> Told:
        """The labels of rows that have their ids in the place of labels."""
        places = np.array([self._places.get(each, -1) for each in np.asarray(chunk.y).tolist()])
        times = chunk.rows + self._delay if self._times is None else self._times[places]
        is_known = places >= 0
        early = np.flatnonzero(is_known & ~(times >= chunk.rows))
        if len(early) > 0:
            row, time = chunk.rows[early[0]], times[early[0]]
            raise ValueError(f"the label of row {row} comes after row {time:g}, before its own")
        return Told(self._labels[places], np.where(is_known, times, np.inf), is_known)


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
