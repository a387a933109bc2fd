"""Newswire stories of 1996 and 1997."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import fetch_rcv1

from .data_file import Home, data_directory
from .dataset import Dataset

__all__ = ["load_rcv1"]

_SHAPE = (804_414, 47_236)

_DESCRIPTION = """\
804,414 stories of Reuters' newswire, from August 1996 to August 1997, in the order of their
numbers, which is that of time. Each row holds the weights log TF-IDF of stems, scaled to length
one; each story has one or more of 103 topics."""

_PROVENANCE = """\
D. Lewis, Y. Yang, T. Rose and F. Li, "RCV1: a new benchmark collection for text categorization
research", Journal of Machine Learning Research 5 (2004), the vectors LYRL2004, by way of
scikit-learn's fetch_rcv1."""

_LICENCE = "The vectors are published with the paper; the stories themselves are Reuters'."


def load_rcv1(*, data_home: Home = None, download: bool = True) -> Dataset:
    """Load Reuters Corpus Volume 1 in order of time.

    The files (about 0.7 GB) are fetched, checked and kept by scikit-learn's `fetch_rcv1`, in the
    folder RCV1 of the data directory. "Tracking the best hyperplane with a simple budget
    Perceptron" uses the first 20,000 stories.

    Parameters
    ----------
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch files that are missing.

    Returns
    -------
    Dataset
        804,414 sparse rows of 47,236 columns; ``y`` is a sparse matrix with a column for each
        topic. ``against_rest`` makes two classes of them, `budgetron.streams.ShiftingDataset` a
        stream whose topic of interest changes.

    Raises
    ------
    FileNotFoundError
        If the files are missing and not to be downloaded.
    OSError
        If a file is damaged.
    """
    directory = data_directory(data_home)
    try:
        corpus = fetch_rcv1(data_home=directory, download_if_missing=download)
    except FileNotFoundError as missing:
        raise FileNotFoundError(
            f"{directory} has no RCV1: allow the download, or name by data_home or BUDGETRON_DATA"
            " a directory where scikit-learn's fetch_rcv1 has put it"
        ) from missing
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{directory / 'RCV1'} is damaged ({error})") from error
    if corpus.data.shape != _SHAPE or corpus.target.shape[0] != _SHAPE[0]:
        raise OSError(
            f"{directory / 'RCV1'} is damaged: it holds {corpus.data.shape} rows and columns and"
            f" {corpus.target.shape[0]} labels, not {_SHAPE}"
        )
    order = np.argsort(corpus.sample_id, kind="stable")
    return Dataset(
        name="rcv1",
        X=csr_matrix(corpus.data)[order],
        y=csr_matrix(corpus.target)[order],
        target_names=tuple(map(str, corpus.target_names)),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )
