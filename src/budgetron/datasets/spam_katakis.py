"""The spam stream of Katakis and others."""

from io import BytesIO

import numpy as np
from scipy.sparse import csr_matrix, load_npz

from .data_file import DataFile, Home
from .dataset import Dataset

__all__ = ["load_spam_katakis"]

_PAGE = "http://mlkd.csd.auth.gr/concept_drift.html"
_ROWS = DataFile(
    names=("spam_katakis.npz",),
    source=_PAGE,
    sha256="ce56158d51ae2fec5f6a55fe57a3e242e83deb197ba14fb2d049aa5b11c1da0d",
    downloadable=False,
)
_LABELS = DataFile(
    names=("spam_katakis_labels.npy",),
    source=_PAGE,
    sha256="077fdd8d7e1e9e720a3554f5afef9e8df0e19696723f8a1af1200c04e7d20dc9",
    downloadable=False,
)

_DESCRIPTION = """\
9,324 mails in order of arrival as sets of 39,916 words. They are from the SpamAssassin collection,
like those of `load_spam`."""

_PROVENANCE = f"""\
I. Katakis, G. Tsoumakas and I. Vlahavas, "Tracking recurring contexts using ensemble classifiers:
an application to email filtering", Knowledge and Information Systems 22 (2010), {_PAGE}."""

_LICENCE = "Not stated."


def load_spam_katakis(*, data_home: Home = None, download: bool = True) -> Dataset:
    """Load the spam stream of Katakis, Tsoumakas and Vlahavas.

    Its authors publish a RAR archive, which is not read here and so not downloaded either: rows and
    labels must lie in the data directory, as a sparse matrix saved by SciPy (spam_katakis.npz) and
    an array saved by NumPy (spam_katakis_labels.npy).

    Parameters
    ----------
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Taken for the sake of uniformity.

    Returns
    -------
    Dataset
        9,324 sparse rows of 39,916 columns of 0 and 1, in order of arrival; ``y`` is 1 for
        the 2,387 mails that are spam.

    Raises
    ------
    FileNotFoundError
        If a file is missing.
    OSError
        If a file is damaged.
    """
    X = _ROWS.read(lambda contents: load_npz(BytesIO(contents)), data_home, download)
    y = _LABELS.read(lambda contents: np.load(BytesIO(contents)), data_home, download)
    return Dataset(
        name="spam_katakis",
        X=csr_matrix(X, dtype=float),
        y=y.astype(int),
        target_names=("ham", "spam"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )
