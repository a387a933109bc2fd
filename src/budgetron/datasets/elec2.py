"""The price of electricity in New South Wales."""

from __future__ import annotations

from io import BytesIO

import numpy as np

from .data_file import DataFile, Home
from .dataset import Dataset

__all__ = ["load_elec2"]

_FILE = DataFile(
    names=("elec.csv", "elec2.csv.xz"),
    source="https://raw.githubusercontent.com/scikit-multiflow/streaming-datasets/master/elec.csv",
    sha256="cdf901433885f29eca6911f70c0eeafb50d90596c879c30c5b99f5a2e8e734ff",
)

_DESCRIPTION = """\
Half hours of the electricity market of New South Wales, from May 1996 to December 1998, and whether
the price is above its mean over the last 24 hours. The columns are the time of the day, price and
demand in New South Wales and in Victoria, and the transfer between them, each scaled to [0, 1] over
the whole stream. Labels come in runs: to repeat the last one is right for 85 of 100 rows."""

_PROVENANCE = """\
M. Harries, "Splice-2 comparative evaluation: electricity pricing" (1999), normalized by J. Gama,
by way of https://github.com/scikit-multiflow/streaming-datasets."""

_LICENCE = "Not stated."


def load_elec2(*, data_home: Home = None, download: bool = True) -> Dataset:
    """Load the electricity market stream.

    Parameters
    ----------
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        45,312 dense rows of 6 columns, in the order of time; ``y`` is 1 if the price is up.

    Raises
    ------
    FileNotFoundError
        If the file is missing and not to be downloaded.
    OSError
        If the file is damaged.
    """
    feature_names, table = _FILE.read(_parse, data_home, download)
    return Dataset(
        name="elec2",
        X=np.ascontiguousarray(table[:, :-1]),
        y=table[:, -1].astype(int),
        target_names=("down", "up"),
        feature_names=feature_names,
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )


def _parse(contents: bytes) -> tuple[tuple[str, ...], np.ndarray]:
    header = contents[: contents.index(b"\n")].decode()
    return tuple(header.split(",")[:-1]), np.loadtxt(BytesIO(contents), delimiter=",", skiprows=1)
