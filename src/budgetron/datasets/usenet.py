"""A reader of newsgroups whose interests change."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from scipy.io import loadmat

from ..parameters import whole
from .data_file import DataFile, Home
from .dataset import Dataset

__all__ = ["load_usenet1", "load_usenet2"]

_SOURCE = (
    "https://raw.githubusercontent.com/Isilendil/ConceptDrift/"
    "f4425d86dd6fc1ffc02d5117523a5fd9c5788361/data/"
)
_USENET1 = DataFile(
    names=("usenet1.mat",),
    source=_SOURCE + "usenet1.mat",
    sha256="e9a5ff16809c16946accf794254ce65195991743afe4124c05d28cbe56dfcf91",
)
_USENET2 = DataFile(
    names=("usenet2.mat",),
    source=_SOURCE + "usenet2.mat",
    sha256="02809ddadb6db957565aae58f23859cdb4e6fc595cd8043459ee24c9e5c67086",
)

_DESCRIPTION = """\
1,500 messages of three newsgroups as sets of 99 words, in five batches of 300. After each batch the
reader is interested in other groups: """

_PROVENANCE = """\
I. Katakis, G. Tsoumakas and I. Vlahavas, "An ensemble of classifiers for coping with recurring
contexts in data streams", ECAI (2008), http://mlkd.csd.auth.gr/concept_drift.html, with the
orderings of P. Zhao, S. Hoi, J. Wang and B. Li, "Online transfer learning", Artificial Intelligence
216 (2014)."""

_LICENCE = "Not stated."


def load_usenet1(
    *, ordering: int | None = None, data_home: Home = None, download: bool = True
) -> Dataset:
    """Load Usenet1, where all interests turn into their opposite after each batch.

    Parameters
    ----------
    ordering : int, optional
        One of the 20 orderings of the file, from 0 on, each of which keeps the batches and shuffles
        the messages within them; by default the order in which the messages are stored.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        1,500 dense rows of 99 columns of 0 and 1; ``y`` is 1 for a message of interest.

    Raises
    ------
    FileNotFoundError
        If the file is missing and not to be downloaded.
    OSError
        If the file is damaged.
    """
    change = "what was of interest no longer is, and the other way round."
    return _load("usenet1", _USENET1, change, ordering, data_home, download)


def load_usenet2(
    *, ordering: int | None = None, data_home: Home = None, download: bool = True
) -> Dataset:
    """Load Usenet2, where the interest moves from one newsgroup to another after each batch.

    Parameters
    ----------
    ordering : int, optional
        One of the 20 orderings of the file, from 0 on, each of which keeps the batches and shuffles
        the messages within them; by default the order in which the messages are stored.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        1,500 dense rows of 99 columns of 0 and 1; ``y`` is 1 for a message of interest.

    Raises
    ------
    FileNotFoundError
        If the file is missing and not to be downloaded.
    OSError
        If the file is damaged.
    """
    change = "one group at a time is."
    return _load("usenet2", _USENET2, change, ordering, data_home, download)


def _load(
    name: str, file: DataFile, change: str, ordering: int | None, data_home: Home, download: bool
) -> Dataset:
    table, orderings = file.read(_parse, data_home, download)
    if ordering is not None:
        if whole("ordering", ordering, least=0) >= len(orderings):
            raise ValueError(f"ordering must be below {len(orderings)}, got {ordering}")
        table = table[orderings[ordering]]
    return Dataset(
        name=name,
        X=table[:, 1:].astype(float),
        y=(table[:, 0] > 0).astype(int),
        target_names=("not of interest", "of interest"),
        description=_DESCRIPTION + change,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )


def _parse(contents: bytes) -> tuple[np.ndarray, np.ndarray]:
    variables = loadmat(BytesIO(contents))
    return variables["data"], variables["ID_ALL"].astype(int) - 1
