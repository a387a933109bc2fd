"""Incomes in the Current Population Surveys of 1994 and 1995."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.resources import files
from io import StringIO
from sys import intern

import numpy as np
from scipy.sparse import csr_matrix, hstack, vstack

from ..parameters import one_of
from .data_file import DataFile, Home
from .dataset import Dataset

__all__ = ["load_census_income"]

_SOURCE = "https://archive.ics.uci.edu/ml/machine-learning-databases/census-income-mld/"
_FILES = {
    "train": DataFile(
        names=("census-income.data.gz",),
        source=_SOURCE + "census-income.data.gz",
    ),
    "test": DataFile(
        names=("census-income.test.gz",),
        source=_SOURCE + "census-income.test.gz",
        sha256="98402b1ab879573d0a7f38a699a40258080e25e33d3401e7bf9c96d3fa0fab8c",
    ),
}
_N_ROWS = {"train": 199_523, "test": 99_762}
_CODEBOOK = files(__package__) / "census_income.json"  # values, largest value, or null to leave out
_MISSING = "?"
_LABELS = {"- 50000.": 0, "50000+.": 1}

Codebook = Mapping[str, Sequence[str] | float | None]

_DESCRIPTION = """\
People of the Current Population Surveys of 1994 and 1995 and whether their income is above 50,000
dollars: 33 answers that are categories and 7 that are numbers. The weights of the survey's
stratified sample are left out."""

_PROVENANCE = """\
T. Lane and R. Kohavi, Census-Income (KDD), https://archive.ics.uci.edu/dataset/117/census+income+kdd."""

_LICENCE = "CC BY 4.0."


def load_census_income(
    *, split: str = "train", data_home: Home = None, download: bool = True
) -> Dataset:
    """Load Census-Income (KDD), whose training split is the Forgetron paper's census-income.

    Each of the 33 categorical answers has a column of 0 and 1 for each value that the codebook of
    the data set allows, and a missing answer ("?") is 0 in all of them. Industry and occupation
    codes, year, veterans benefits and the like are categories, though written as numbers. Each of
    the 7 numbers is divided by the largest value that it has in the survey: age by 90, wage per
    hour by 9,999, capital gains and dividends by 99,999, capital losses by 4,608, persons worked
    for the employer by 6 and weeks worked by 52. All columns thus lie between 0 and 1, and are the
    same ones for both splits.

    No checksum is known for the training split: it is checked by its number of rows, the number of
    answers in each, and their values.

    Parameters
    ----------
    split : {"train", "test", "all"}, default="train"
        199,523 rows; 99,762 rows, of which 6,186 are positive; or the one after the other.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        Sparse rows in the order of the file; ``y`` is 1 for an income above 50,000.

    Raises
    ------
    FileNotFoundError
        If a file is missing and not to be downloaded.
    OSError
        If a file is damaged.
    """
    splits = _FILES if one_of("split", split, (*_FILES, "all")) == "all" else (split,)
    codebook = json.loads(_CODEBOOK.read_text())
    parts = [
        _FILES[part].read(partial(_parse, codebook, _N_ROWS[part]), data_home, download)
        for part in splits
    ]
    return Dataset(
        name="census_income",
        X=csr_matrix(vstack([X for X, _ in parts])),
        y=np.concatenate([y for _, y in parts]),
        target_names=("- 50000", "50000+"),
        feature_names=_feature_names(codebook),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )


def _parse(codebook: Codebook, n_rows: int, contents: bytes) -> tuple[csr_matrix, np.ndarray]:
    lines = csv.reader(StringIO(contents.decode()))
    rows = [[intern(answer.strip()) for answer in line] for line in lines]
    if len(rows) != n_rows:
        raise ValueError(f"it holds {len(rows)} rows, not {n_rows}")
    *answers, labels = zip(*rows, strict=True)
    columns = [
        _encode(values, column)
        for values, column in zip(codebook.values(), answers, strict=True)
        if values is not None
    ]
    return csr_matrix(hstack(columns)), np.array([_LABELS[label] for label in labels])


def _encode(values: Sequence[str] | float, column: Sequence[str]) -> csr_matrix:
    if not isinstance(values, Sequence):
        return csr_matrix(np.array(column, dtype=float)[:, None] / values)
    place = {value: index for index, value in enumerate(values)} | {_MISSING: -1}
    places = np.array([place[answer] for answer in column])
    present = np.flatnonzero(places >= 0)
    ones = np.ones(len(present))
    return csr_matrix((ones, (present, places[present])), shape=(len(column), len(values)))


def _feature_names(codebook: Codebook) -> tuple[str, ...]:
    names: list[str] = []
    for question, values in codebook.items():
        if isinstance(values, Sequence):
            names += [f"{question}: {value}" for value in values]
        elif values is not None:
            names.append(question)
    return tuple(names)
