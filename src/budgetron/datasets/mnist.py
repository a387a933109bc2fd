"""Handwritten digits."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..parameters import one_of
from .data_file import DataFile, Home
from .dataset import Dataset

__all__ = ["load_mnist", "mnist_problems"]


def _idx_file(name: str, sha256: str) -> DataFile:
    source = f"https://ossci-datasets.s3.amazonaws.com/mnist/{name}"
    return DataFile(names=(f"mnist/{name}", name), source=source, sha256=sha256)


_FILES = {
    "train": (
        _idx_file(
            "train-images-idx3-ubyte.gz",
            "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        ),
        _idx_file(
            "train-labels-idx1-ubyte.gz",
            "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        ),
    ),
    "test": (
        _idx_file(
            "t10k-images-idx3-ubyte.gz",
            "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        ),
        _idx_file(
            "t10k-labels-idx1-ubyte.gz",
            "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
        ),
    ),
}

_DESCRIPTION = """\
Digits written by clerks and by pupils: 28 x 28 pixels row by row, from 0 for paper to 1 for ink."""

_PROVENANCE = """\
Y. LeCun, C. Cortes and C. Burges, the MNIST database of handwritten digits, by way of the mirror
https://ossci-datasets.s3.amazonaws.com/mnist/."""

_LICENCE = "CC BY-SA 3.0, as others say; the page of its makers does not."


def load_mnist(*, split: str = "train", data_home: Home = None, download: bool = True) -> Dataset:
    """Load MNIST, of which the Forgetron paper uses the training split.

    Parameters
    ----------
    split : {"train", "test", "all"}, default="train"
        60,000 rows, 10,000 rows, or the one after the other.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        Dense rows of 784 columns between 0 and 1, in float32 and in the order of the file; ``y`` is
        the digit. ``load_mnist().against_rest(digits)`` has two classes.

    Raises
    ------
    FileNotFoundError
        If a file is missing and not to be downloaded.
    OSError
        If a file is damaged.

    See Also
    --------
    mnist_problems : The paper's ways to make two classes of ten.
    """
    splits = _FILES if one_of("split", split, (*_FILES, "all")) == "all" else (split,)
    files = [_FILES[part] for part in splits]
    images = np.concatenate([file.read(_idx, data_home, download) for file, _ in files])
    digits = np.concatenate([file.read(_idx, data_home, download) for _, file in files])
    return Dataset(
        name="mnist",
        X=images.reshape(len(images), -1) / np.float32(255),
        y=digits.astype(int),
        target_names=tuple("0123456789"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )


def mnist_problems() -> list[frozenset[int]]:
    """The 126 ways to split the ten digits five against five, as in the Forgetron paper.

    Returns
    -------
    list of frozenset
        The five digits on the side of digit 0, in lexicographic order.

    Examples
    --------
    >>> from budgetron.datasets import mnist_problems
    >>> len(mnist_problems())
    126
    >>> sorted(mnist_problems()[0]), sorted(mnist_problems()[-1])
    ([0, 1, 2, 3, 4], [0, 6, 7, 8, 9])

    The first problem is ``load_mnist().against_rest(mnist_problems()[0])``.

    References
    ----------
    O. Dekel, S. Shalev-Shwartz and Y. Singer, "The Forgetron: a kernel-based Perceptron on a fixed
    budget", NIPS 18 (2005), Section 5.
    """
    return [frozenset((0, *others)) for others in combinations(range(1, 10), 4)]


def _idx(contents: bytes) -> np.ndarray:
    n_dimensions = contents[3]
    shape = np.frombuffer(contents, ">u4", n_dimensions, offset=4)
    return np.frombuffer(contents, np.uint8, offset=4 + 4 * n_dimensions).reshape(shape)
