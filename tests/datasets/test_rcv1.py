"""RCV1 on top of scikit-learn's fetcher, with a corpus of four stories in its place."""

import hashlib
import re

import joblib
import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import _rcv1

from budgetron.datasets import load_rcv1, rcv1

NUMBERS = np.array([2290, 2286, 26_151, 2300], dtype=np.uint32)
X = csr_matrix(np.diag([1.0, 2.0, 3.0, 4.0]))
TOPICS = csr_matrix(np.array([[1, 0], [0, 1], [1, 1], [0, 1]], dtype=np.uint8))


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A data directory with four stories, as scikit-learn keeps them."""
    monkeypatch.setattr(rcv1, "_SHAPE", X.shape)
    folder = tmp_path / "home" / "RCV1"
    folder.mkdir(parents=True)
    names = np.array(["C11", "ECAT"], dtype=object)
    for name, value in {
        "samples": X,
        "sample_id": NUMBERS,
        "sample_topics": TOPICS,
        "topics_names": names,
    }.items():
        joblib.dump(value, folder / f"{name}_py3.pkl")
    return folder.parent


@pytest.fixture
def published(site, monkeypatch):
    """Put a first file on the site that scikit-learn fetches from."""

    def published(contents, checksum):
        file, *others = _rcv1.XY_METADATA
        source = site.publish(file.filename, contents)
        file = file._replace(url=source, checksum=checksum)
        monkeypatch.setattr(_rcv1, "XY_METADATA", (file, *others))

    return published


def test_stories_are_in_the_order_of_their_numbers(kept):
    stories = load_rcv1(data_home=kept, download=False)
    assert stories.X.toarray().sum(axis=1).tolist() == [2, 1, 4, 3]
    assert stories.y.toarray().tolist() == [[0, 1], [1, 0], [0, 1], [1, 1]]
    assert stories.target_names == ("C11", "ECAT")
    assert stories.against_rest([0]).y.tolist() == [0, 1, 0, 1]


def test_another_number_of_stories_is_an_error(kept, monkeypatch):
    monkeypatch.setattr(rcv1, "_SHAPE", (5, 4))
    with pytest.raises(OSError, match="damaged"):
        load_rcv1(data_home=kept, download=False)


def test_half_a_file_is_an_error_that_names_the_folder(kept):
    path = kept / "RCV1" / "samples_py3.pkl"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(OSError, match=re.escape(str(kept / "RCV1"))):
        load_rcv1(data_home=kept, download=False)


def test_without_download_missing_files_are_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="fetch_rcv1"):
        load_rcv1(data_home=tmp_path, download=False)


@pytest.mark.parametrize("part", [0, 10, 39])
def test_a_download_that_is_cut_off_is_an_error_with_both_checksums(published, tmp_path, part):
    contents = b"2286 1:0.5 2:0.5\n2287 1:0.3 3:0.4 4:0.1\n"
    expected = hashlib.sha256(contents).hexdigest()
    published(contents[:part], expected)
    with pytest.raises(OSError, match=expected) as caught:
        load_rcv1(data_home=tmp_path / "home")
    assert hashlib.sha256(contents[:part]).hexdigest() in str(caught.value)
    assert [path.name for path in (tmp_path / "home").rglob("*")] == ["RCV1"]
