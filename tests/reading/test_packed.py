"""Packed inputs are unpacked, whatever their names, and damage is told."""

import bz2
import gzip
import lzma

import pyarrow as pa
import pytest

from budgetron.reading import Reader, ReadingError, ReadOptions
from reading.everything import everything

ROWS, MANY = 10_000, 100_000  # of which a part is whole in every format if the end is cut off
KEPT = ReadOptions(kinds={"a": "number", "b": "number"})  # although they count rows


def text(rows):
    return ("a,b,label\n" + "".join(f"{i},{i * i},{i % 2}\n" for i in range(rows))).encode()


def zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd}


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("named", [True, False])
def test_packed_files(ending, named, tmp_path):
    path = tmp_path / ("rows.csv" + (ending if named else ""))
    path.write_bytes(PACKERS[ending](text(ROWS)))
    read = everything(path, KEPT)
    assert [[i, i * i] for i in range(ROWS)] == read.X
    assert read.y == [i % 2 for i in range(ROWS)]


@pytest.mark.parametrize("ending", PACKERS)
def test_two_packed_parts_in_one_file(ending, tmp_path):
    path = tmp_path / f"rows.csv{ending}"
    half = len(text(ROWS // 2))
    parts = (text(ROWS)[:half], text(ROWS)[half:])
    path.write_bytes(b"".join(PACKERS[ending](part) for part in parts))
    assert everything(path, KEPT).rows == list(range(ROWS))


@pytest.mark.parametrize("ending", PACKERS)
def test_a_packed_file_that_was_cut_off_gives_its_rows_and_then_an_error(ending, tmp_path):
    path = tmp_path / f"rows.csv{ending}"
    whole = PACKERS[ending](text(MANY))
    path.write_bytes(whole[: len(whole) * 9 // 10])
    rows = []
    reader = Reader(path, KEPT)

    def read():
        for chunk in reader:
            rows.extend(chunk.X[:, 0])

    with pytest.raises(ReadingError, match=r"rows.csv.* cannot be read"):
        read()
    assert MANY / 2 < len(rows) < MANY
    assert rows == list(range(len(rows)))


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("size", [1, 5, 12, 20])
def test_the_start_of_a_packed_file(ending, size, tmp_path):
    path = tmp_path / f"rows.csv{ending}"
    path.write_bytes(PACKERS[ending](text(ROWS))[:size])
    with pytest.raises(ReadingError):
        everything(path)


def test_a_text_that_begins_like_a_packed_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("BZh9,label\n1,2\n")
    assert everything(path).X == [[1]]
