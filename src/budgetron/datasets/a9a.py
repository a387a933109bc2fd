"""Adult, the largest of its versions on LIBSVM's data page."""

import numpy as np
from scipy.sparse import csr_matrix, vstack

from ..parameters import one_of
from .data_file import DataFile, Home
from .dataset import Dataset
from .svmlight import svmlight

__all__ = ["load_a9a"]

_SOURCE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
_FILES = {
    "train": DataFile(
        names=("a9a", "a9a.xz"),
        source=_SOURCE + "a9a",
        sha256="f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
    ),
    "test": DataFile(
        names=("a9a.t", "a9a.t.xz"),
        source=_SOURCE + "a9a.t",
        sha256="1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
    ),
}
_SHAPES = {"train": (32_561, 123), "test": (16_281, 122)}

_DESCRIPTION = """\
People of the census of 1994, and whether they earn more than 50,000 dollars a year: fourteen
answers, those that are numbers cut at quantiles, as 123 columns of 0 and 1. In the training
split 4,150 of 32,561 rows lie in groups of equal rows whose labels differ."""

_PROVENANCE = """\
UCI Adult (B. Becker and R. Kohavi, 1996), prepared by J. Platt for LIBSVM's data page,
https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html#a9a."""

_LICENCE = "UCI gives Adult under CC BY 4.0."


def load_a9a(*, split: str = "train", data_home: Home = None, download: bool = True) -> Dataset:
    """Load Adult (a9a), whose training split is the Projectron paper's Adult9.

    Parameters
    ----------
    split : {"train", "test", "all"}, default="train"
        32,561 rows, of which 7,841 are positive; 16,281 rows, of which 3,846 are; or the one after
        the other.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        Sparse rows of 123 columns in the order of the file; ``y`` is 1 for more than 50,000.

    Raises
    ------
    FileNotFoundError
        If a file is missing and not to be downloaded.
    OSError
        If a file is damaged.
    """
    splits = _FILES if one_of("split", split, (*_FILES, "all")) == "all" else (split,)
    parts = [_FILES[part].read(svmlight(*_SHAPES[part]), data_home, download) for part in splits]
    for X, _ in parts:
        X.resize(X.shape[0], 123)
    return Dataset(
        name="a9a",
        X=csr_matrix(vstack([X for X, _ in parts])),
        y=(np.concatenate([labels for _, labels in parts]) > 0).astype(int),
        target_names=("<=50K", ">50K"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )
