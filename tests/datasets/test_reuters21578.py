"""Reuters-21578: the stories at hand, and small archives of the original form."""

import gzip
import io
import tarfile
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import issparse, linalg

from budgetron.datasets import load_reuters21578, reuters21578
from budgetron.streams import ShiftingDataset

STORIES = [
    """<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5545" NEWID="2">
<DATE> 2-MAR-1987 09:15:05.40</DATE>
<TOPICS><D>grain</D><D>wheat</D></TOPICS>
<PLACES><D>usa</D></PLACES>
<TEXT>&#2;
<TITLE>WHEAT &lt;W> UP</TITLE>
<DATELINE>    CHICAGO, March 2 - </DATELINE><BODY>Prices of wheat
rose &amp; rose.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
""",
    """<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<DATE>26-FEB-1987 15:01:01.79</DATE>
<TOPICS></TOPICS>
<PLACES></PLACES>
<TEXT TYPE="UNPROC">&#2;
nothing that is marked
&#3;</TEXT>
</REUTERS>
""",
    """<REUTERS TOPICS="YES" LEWISSPLIT="TEST" CGISPLIT="TRAINING-SET" OLDID="5546" NEWID="3">
<DATE>31-MAR-1987 605:12:19.12</DATE>
<TOPICS><D>earn</D></TOPICS>
<PLACES></PLACES>
<TEXT TYPE="BRIEF">&#2;
<TITLE>PROFITS UP
</TITLE>&#3;</TEXT>
</REUTERS>
""",
]


def archive(*files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in (("README.txt", "not a story"), *files):
            member = tarfile.TarInfo(name)
            member.size = len(text.encode("latin-1"))
            tar.addfile(member, io.BytesIO(text.encode("latin-1")))
    return packed.getvalue()


@pytest.fixture
def publish(site, monkeypatch):
    """Put an archive on the site."""
    monkeypatch.setattr(reuters21578, "_N_STORIES", len(STORIES))

    def publish(packed):
        source = site.publish("reuters21578.tar.gz", packed)
        monkeypatch.setattr(reuters21578, "_ARCHIVE", replace(reuters21578._ARCHIVE, source=source))
        return source

    return publish


@pytest.fixture
def small(publish, tmp_path):
    publish(archive(("reut2-000.sgm", "".join(STORIES[:2])), ("reut2-001.sgm", STORIES[2])))
    return load_reuters21578(data_home=tmp_path / "home")


def test_rows_and_topics(at_hand):
    reuters = at_hand(load_reuters21578)
    assert issparse(reuters.X) and issparse(reuters.y)
    assert reuters.X.shape == (21_578, 2**16)
    assert reuters.y.shape == (21_578, len(reuters.target_names)) == (21_578, 120)
    counts = dict(zip(reuters.target_names, reuters.y.sum(axis=0).A1, strict=True))
    most = {"earn": 3987, "acq": 2448, "money-fx": 801, "crude": 634, "grain": 628, "trade": 551}
    assert {topic: counts[topic] for topic in most} == most
    assert (reuters.y.getnnz(axis=1) > 0).sum() == 11_367


def test_order_of_time(at_hand):
    times = at_hand(load_reuters21578).times
    assert (np.diff(times) >= np.timedelta64(0)).all()
    assert str(times[0]) == "1987-02-26T15:01:01.790"
    assert str(times[-1]) == "1987-10-20T22:53:18.250"


def test_rows_have_length_one_but_for_stories_without_words(at_hand):
    lengths = linalg.norm(at_hand(load_reuters21578).X, axis=1)
    assert (lengths == 0).sum() == 737
    np.testing.assert_allclose(lengths[lengths > 0], 1)


def test_a_topic_against_the_rest(at_hand):
    reuters = at_hand(load_reuters21578)
    assert reuters.against_rest([reuters.target_names.index("acq")]).y.sum() == 2448


def test_a_stream_whose_topic_changes(at_hand):
    reuters = at_hand(load_reuters21578)
    topics = [reuters.target_names.index(topic) for topic in ("earn", "acq")]
    sample = ShiftingDataset(reuters.X, reuters.y, topics).take(21_578)
    half = 21_578 // 2
    assert (sample.y[:half] == 1).sum() == reuters.y[:half, topics[0]].sum()
    assert (sample.y[half:] == 1).sum() == reuters.y[half:, topics[1]].sum()


def test_the_original_archive_is_read_as_well(small):
    assert [str(time) for time in small.times] == [
        "1987-02-26T15:01:01.790", "1987-03-02T09:15:05.400", "1987-03-31T05:12:19.120",
    ]  # fmt: skip
    assert small.target_names == ("earn", "grain", "wheat")
    assert small.y.toarray().tolist() == [[0, 0, 0], [0, 1, 1], [1, 0, 0]]
    assert small.X.getnnz(axis=1).tolist() == [0, 6, 2]


def test_a_story_is_the_same_in_the_archive_and_in_the_lines():
    lines = reuters21578._parse_lines(
        b'{"title": "WHEAT <W> UP", "body": "Prices of wheat\\nrose & rose.\\n Reuter\\n",'
        b' "date": " 2-MAR-1987 09:15:05.40", "topics": ["grain", "wheat"], "id": "2"}\n'
    )
    assert reuters21578._parse_story(STORIES[0]) == lines[0]


@pytest.mark.parametrize(
    "packed",
    [
        archive(("reut2-000.sgm", "".join(STORIES[:2]))),
        archive(("reut2-000.sgm", "".join(STORIES)[:-20])),
        archive(("reut2-000.sgm", "".join(STORIES).replace("MAR", "XYZ"))),
        archive(),
        archive(("reut2-000.sgm", "".join(STORIES)))[:-30],
        gzip.compress(b"no archive"),
    ],
    ids=["a story too few", "half a story", "no such month", "no stories", "cut off", "no archive"],
)
def test_a_wrong_archive_is_an_error_and_is_not_kept(publish, tmp_path, packed):
    source = publish(packed)
    with pytest.raises(OSError, match="damaged") as caught:
        load_reuters21578(data_home=tmp_path / "home")
    assert source in str(caught.value)
    assert not (tmp_path / "home").exists()


def test_without_a_file_the_error_says_where_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="reuters21578-mld"):
        load_reuters21578(data_home=tmp_path, download=False)
