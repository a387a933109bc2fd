"""Newswire stories of 1987."""

from __future__ import annotations

import json
import re
import tarfile
from html import unescape
from io import BytesIO
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.preprocessing import MultiLabelBinarizer

from .bag_of_words import bags_of_words
from .data_file import DataFile, Home, data_directory
from .dataset import Dataset

__all__ = ["load_reuters21578"]

_N_STORIES = 21_578
_ARCHIVE = DataFile(
    names=("reuters21578.tar.gz",),
    source=(
        "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/"
        "reuters21578.tar.gz"
    ),
)
_LINES = DataFile(
    names=("reuters21578.jsonl.xz",),
    source=_ARCHIVE.source,
    sha256="335918e1a3dedfcda421cb95aa98aca6be8b86b66bc90d9e766e418b49a76285",
    downloadable=False,
)

_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_DATE = re.compile(r"(\d+)-([A-Z]{3})-(\d{4}) +\d*?(\d\d:\d\d:\d\d\.\d+)")  # one has hour 605

_DESCRIPTION = """\
21,578 stories of Reuters' newswire in order of time, 11,367 of them with one or more of 120 topics.
Each row holds the words of title and body, hashed, with weight log(1 + count), scaled to length
one; 737 stories have neither title nor body, and their rows are zero."""

_PROVENANCE = """\
D. Lewis, "Reuters-21578, Distribution 1.0",
https://archive.ics.uci.edu/dataset/137/reuters+21578+text+categorization+collection."""

_LICENCE = """\
Copyright Reuters Ltd.; free for research. Publications are asked to use the name "Reuters-21578,
Distribution 1.0"."""


class _Story(NamedTuple):
    time: str
    number: int
    text: str
    topics: list[str]


def load_reuters21578(
    *, n_features: int = 2**16, data_home: Home = None, download: bool = True
) -> Dataset:
    """Load Reuters-21578 as hashed bags of words, in order of time.

    It stands in for RCV1 in the experiments of "Tracking the best hyperplane with a simple budget
    Perceptron". Words are hashed as by `load_spam`: no row knows of stories that arrive later.

    The file is reuters21578.jsonl.xz, one story a line, or the archive of the original files, of
    which no checksum is known: it is checked by its number of stories.

    Parameters
    ----------
    n_features : int, default=2**16
        Number of columns that the words are hashed into.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        21,578 sparse rows; ``y`` is a sparse matrix with a column for each topic, in alphabetical
        order. ``against_rest`` makes two classes of them, `budgetron.streams.ShiftingDataset` a
        stream whose topic of interest changes.

    Raises
    ------
    FileNotFoundError
        If the file is missing and not to be downloaded.
    OSError
        If the file is damaged.
    """
    if (data_directory(data_home) / _LINES.names[0]).exists():
        stories = _LINES.read(_parse_lines, data_home, download)
    else:
        stories = _ARCHIVE.read(_parse_archive, data_home, download)
    stories.sort()
    topics = MultiLabelBinarizer(sparse_output=True)
    return Dataset(
        name="reuters21578",
        X=bags_of_words((story.text for story in stories), n_features),
        y=csr_matrix(topics.fit_transform([story.topics for story in stories]), dtype=np.uint8),
        target_names=tuple(map(str, topics.classes_)),
        times=np.array([story.time for story in stories], dtype="datetime64[ms]"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )


def _parse_lines(contents: bytes) -> list[_Story]:
    return [
        _story(
            row["date"],
            row["id"],
            row.get("title", ""),
            row.get("body", ""),
            row.get("topics", []),
        )
        for row in map(json.loads, contents.splitlines())
    ]


def _parse_archive(contents: bytes) -> list[_Story]:
    with tarfile.open(fileobj=BytesIO(contents)) as archive:
        files = [archive.extractfile(name) for name in archive.getnames() if name.endswith(".sgm")]
        text = "".join(file.read().decode("latin-1") for file in files if file is not None)
    stories = [_parse_story(story) for story in text.split("</REUTERS>")[:-1]]
    if len(stories) != _N_STORIES:
        raise ValueError(f"it holds {len(stories)} stories, not {_N_STORIES}")
    return stories


def _parse_story(story: str) -> _Story:
    return _story(
        _between("<DATE>", "</DATE>", story),
        _between('NEWID="', '"', story),
        unescape(_between("<TITLE>", "</TITLE>", story)),
        unescape(_between("<BODY>", "</BODY>", story)),
        re.findall("<D>(.*?)</D>", _between("<TOPICS>", "</TOPICS>", story)),
    )


def _between(start: str, end: str, text: str) -> str:
    return text.partition(start)[2].partition(end)[0]


def _story(date: str, number: str, title: str, body: str, topics: list[str]) -> _Story:
    found = _DATE.search(date)
    if found is None:
        raise ValueError(f"story {number} has the date {date!r}")
    day, month, year, time = found.groups()
    moment = f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}T{time}"
    return _Story(moment, int(number), f"{title}\n{body}", topics)
