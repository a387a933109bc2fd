"""The spam stream that comes with the package."""

import json
import lzma
from importlib.resources import files
from typing import Any

import numpy as np

from .bag_of_words import bags_of_words
from .data_file import check
from .dataset import Dataset

__all__ = ["load_spam", "load_spam_texts"]

_FILE = files(__package__) / "spam.jsonl.xz"
_SHA256 = "835d00f8bb3014cc10756a0dd76091214543a06d03d1dc2e777a25646b2a1e53"

_DESCRIPTION = """\
6,046 mails in order of arrival, 1,896 of them spam. Almost all of the early mails are spam and few
of the late ones. Each row holds the words of the sender, the subject and the body, hashed, with
weight log(1 + count), scaled to length one. Headers and texts that mail software, mailing lists or
the makers of the corpus added, and that would give the label away, have been removed. Times are
local to the host that received the mail."""

_PROVENANCE = """\
SpamAssassin public corpus, https://spamassassin.apache.org/old/publiccorpus/, reduced to sender,
subject and body by scripts/embed_spam.py."""

_LICENCE = """\
Passed on as public domain (database ODC PDDL 1.0, contents CC0 1.0). The readme of the original
corpus says that copyright for the text of the mails remains with their senders."""


def load_spam(*, n_features: int = 2**16) -> Dataset:
    """Load the spam stream as hashed bags of words.

    Hashing looks at one mail at a time, so no row knows of mails that arrive later.

    Parameters
    ----------
    n_features : int, default=2**16
        Number of columns that the words are hashed into. From ``2**14`` on, more make no difference
        to the mistakes of a linear or a Gaussian learner.

    Returns
    -------
    Dataset
        6,046 sparse rows of length one, in order of arrival; ``y`` is 1 for spam and 0 for ham.

    Raises
    ------
    OSError
        If the data file is damaged.

    Examples
    --------
    >>> from budgetron.datasets import load_spam
    >>> spam = load_spam()
    >>> spam.X.shape, int(spam.y.sum())
    ((6046, 65536), 1896)
    """
    rows = _rows()
    return Dataset(
        name="spam",
        X=bags_of_words((row["text"] for row in rows), n_features),
        y=_labels(rows),
        target_names=("ham", "spam"),
        times=np.array([row["received"] for row in rows], dtype="datetime64[s]"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )


def load_spam_texts() -> tuple[list[str], np.ndarray]:
    """Load the spam stream as text.

    Returns
    -------
    texts : list of str
        The mails in order of arrival: sender on the first line, subject on the second, then body.
    y : ndarray of shape (6046,)
        1 for spam and 0 for ham.

    Raises
    ------
    OSError
        If the data file is damaged.
    """
    rows = _rows()
    return [row["text"] for row in rows], _labels(rows)


def _rows() -> list[dict[str, Any]]:
    packed = _FILE.read_bytes()
    check(_FILE, packed, _SHA256)
    return [json.loads(line) for line in lzma.decompress(packed).splitlines()]


def _labels(rows: list[dict[str, Any]]) -> np.ndarray:
    return np.array([row["spam"] for row in rows])
