"""The spam stream: what it holds, and that damage is noticed."""

import hashlib

import numpy as np
import pytest
from scipy import sparse

from budgetron.datasets import Dataset, load_spam, load_spam_texts, spam


@pytest.fixture(scope="module")
def stream() -> Dataset:
    return load_spam()


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return load_spam_texts()[0]


def test_shapes(stream):
    assert stream.X.shape == (6046, 2**16)
    assert stream.y.shape == stream.times.shape == (6046,)
    assert sparse.issparse(stream.X)
    assert stream.X.format == "csr"
    assert stream.X.dtype == np.float64


def test_one_row_is_a_matrix(stream):
    assert stream.X[0].shape == (1, 2**16)


def test_labels(stream):
    assert stream.target_names == ("ham", "spam")
    assert np.bincount(stream.y).tolist() == [4150, 1896]


def test_share_of_spam_falls(stream):
    first, *_, last = np.array_split(stream.y, 10)
    assert first.mean() > 0.95
    assert last.mean() < 0.10


def test_order_of_arrival(stream):
    assert (np.diff(stream.times) >= np.timedelta64(0)).all()
    assert str(stream.times[0]) == "2001-06-25T13:11:28"
    assert str(stream.times[-1]) == "2002-12-04T11:58:43"


def test_rows_have_length_one(stream):
    np.testing.assert_allclose(sparse.linalg.norm(stream.X, axis=1), 1)
    assert (stream.X.data > 0).all()


def test_same_every_time(stream):
    again = load_spam()
    assert (stream.X != again.X).nnz == 0
    assert (stream.y == again.y).all()
    assert (stream.times == again.times).all()


def test_rows_do_not_depend_on_later_mails(stream, monkeypatch):
    start = spam._rows()[:10]
    monkeypatch.setattr(spam, "_rows", lambda: start)
    assert (stream.X[:10] != load_spam().X).nnz == 0


def test_number_of_features():
    assert load_spam(n_features=2**10).X.shape == (6046, 2**10)


def test_texts(stream, texts):
    assert len(texts) == 6046
    assert (load_spam_texts()[1] == stream.y).all()
    assert texts[0].splitlines()[:2] == ["@arabia.com", "*THE LEGAL CABLE TV DESCRAMBLER*"]


@pytest.mark.parametrize("trace", ["deathtospam", "taint.org", "zzzz", "yyyy", "mailman/listinfo"])
def test_traces_of_the_collection_are_gone(texts, trace):
    assert not any(trace in text.lower() for text in texts)


def test_size():
    assert len(spam._FILE.read_bytes()) <= 5_000_000


def test_damaged_file(tmp_path, monkeypatch):
    data = bytearray(spam._FILE.read_bytes())
    data[len(data) // 2] ^= 1
    damaged = tmp_path / "spam.jsonl.xz"
    damaged.write_bytes(data)
    monkeypatch.setattr(spam, "_FILE", damaged)
    with pytest.raises(OSError, match="damaged") as caught:
        load_spam()
    assert str(damaged) in str(caught.value)
    assert hashlib.sha256(data).hexdigest() in str(caught.value)
    assert spam._SHA256 in str(caught.value)


def test_terms_are_stated(stream):
    assert stream.name == "spam"
    assert stream.description
    assert "SpamAssassin" in stream.provenance
    assert "public domain" in stream.licence
