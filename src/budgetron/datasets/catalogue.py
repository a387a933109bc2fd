"""What there is, without loading it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import (
    a9a,
    census_income,
    elec2,
    mnist,
    rcv1,
    reuters21578,
    sensit_vehicle,
    spam,
    spam_katakis,
    usenet,
    w8a,
)
from .data_file import DataFile, Home, data_directory

__all__ = ["Entry", "catalogue"]


class Entry(NamedTuple):
    """A data set as its loader returns it by default.

    Attributes
    ----------
    name : str
        `load_` and this is the loader.
    rows, features : int
    licence : str
    at_hand : bool
        Whether its files are there; it is not checked whether they are sound.
    """

    name: str
    rows: int
    features: int
    licence: str
    at_hand: bool


def catalogue(data_home: Home = None) -> list[Entry]:
    """All data sets.

    Parameters
    ----------
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.

    Returns
    -------
    list of Entry
    """
    directory = data_directory(data_home)

    def there(files: Iterable[DataFile]) -> bool:
        return all(any((directory / name).exists() for name in file.names) for file in files)

    reuters = there([reuters21578._LINES]) or there([reuters21578._ARCHIVE])
    katakis = there([spam_katakis._ROWS, spam_katakis._LABELS])
    entries = [
        (spam, "spam", 6_046, 2**16, True),
        (a9a, "a9a", 32_561, 123, there([a9a._FILES["train"]])),
        (
            census_income,
            "census_income",
            199_523,
            502,
            there([census_income._FILES["train"]]),
        ),
        (elec2, "elec2", 45_312, 6, there([elec2._FILE])),
        (mnist, "mnist", 60_000, 784, there(mnist._FILES["train"])),
        (rcv1, "rcv1", 804_414, 47_236, (directory / "RCV1").exists()),
        (reuters21578, "reuters21578", 21_578, 2**16, reuters),
        (sensit_vehicle, "sensit_vehicle", 78_823, 100, there([sensit_vehicle._RAW])),
        (spam_katakis, "spam_katakis", 9_324, 39_916, katakis),
        (usenet, "usenet1", 1_500, 99, there([usenet._USENET1])),
        (usenet, "usenet2", 1_500, 99, there([usenet._USENET2])),
        (w8a, "w8a", 49_749, 300, there([w8a._FILE])),
    ]
    return [
        Entry(name, rows, features, " ".join(module._LICENCE.split()), at_hand)
        for module, name, rows, features, at_hand in entries
    ]
