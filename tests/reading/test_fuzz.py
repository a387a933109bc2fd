"""Whatever is in a file, only documented errors are raised, soon, and nothing is lost."""

import io
import json
import os
import random
import time
from dataclasses import replace

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from budgetron.reading import Reader, ReadingError, ReadOptions, source, text
from budgetron.reading.formats import format_of
from reading.everything import everything, told

FILES = int(os.environ.get("BUDGETRON_FUZZ", "350"))  # 10000 for a long run
SECONDS = 5
OPTIONS = ReadOptions(buckets=16, ignore=("text",), standardize=True)

TABLE = pa.table(
    {
        "size": [0.5 * i for i in range(20)],
        "colour": [("red", "green", "blue")[i % 3] for i in range(20)],
        "text": [f"some words, {'about' if i % 2 else 'of'} {i}" for i in range(20)],
        "code": [f"{i * 7919 % 20}x" for i in range(20)],
        "good": [i % 4 == 0 for i in range(20)],
        "label": [i % 2 for i in range(20)],
    }
)


def _lines(table):
    return "".join(json.dumps(row) + "\n" for row in table.to_pylist()).encode()


def _csv(table):
    lines = [",".join(table.column_names)]
    for row in table.to_pylist():
        row["text"] = '"' + row["text"].replace("of", 'o""f\n') + '"'
        lines.append(",".join(map(str, row.values())))
    return "\n".join(lines).encode()


def _svmlight(table):
    return "".join(
        f"{row['label']} 1:{row['size']} {i + 3}:1 # {i}\n"
        for i, row in enumerate(table.to_pylist())
    ).encode()


def _parquet(table):
    file = io.BytesIO()
    parquet.write_table(table, file, row_group_size=8)
    return file.getvalue()


def _arrow(opened):
    def write(table):
        file = io.BytesIO()
        with opened(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=8)
        return file.getvalue()

    return write


WHOLE = {
    "whole.csv": _csv(TABLE),
    "crlf.csv": b"\xef\xbb\xbf" + _csv(TABLE).replace(b"\n", b"\r\n").replace(b",", b";"),
    "whole.jsonl": _lines(TABLE),
    "whole.svm": _svmlight(TABLE),
    "whole.parquet": _parquet(TABLE),
    "whole.arrow": _arrow(ipc.new_file)(TABLE),
    "stream.arrows": _arrow(ipc.new_stream)(TABLE),
}
WORDS = [
    *(b'"', b'""', b"'", b"\x00", b"\xff", b"\r", b"\n", b"\r\n", b",", b";", b"\t", b" ", b":"),
    *(b"null", b"NaN", b"inf", b"1e999", b"-1", b"99999999999999999999", b"{", b"}", b"[", b"[[[["),
    *(b"#", b"\\", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"{}", b"\n\n\n", b'\n"\n', b"true", b"x"),
    *(
        b"\x7f\xff\xff\xff",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\x7f",
        b"null\n",
        b"\n3\n",
        b"\\ud800",
    ),
]


def mutated(data, rng):
    """The same, with a few things wrong."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        place = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0:
                data[place:place] = rng.choice(WORDS)
            case 1:
                data[place : place + 1] = bytes([rng.randrange(256)])
            case 2:
                del data[place : place + rng.choice((1, 2, 10, 100))]
            case 3:
                data[place:place] = data[place : place + rng.choice((1, 10, 100))]
            case 4:
                data[place : place + 4] = rng.choice(WORDS)
            case 5 if rng.random() < 0.2:
                del data[place:]
    return bytes(data)


def attempt(path, plan):
    """What is read, or the error."""
    start = time.perf_counter()
    try:
        read = everything(path, plan)
    except ReadingError:
        return None
    finally:
        assert time.perf_counter() - start < SECONDS
    rows = sorted([*read.rows, *(bad.row for bad in read.bad)])
    assert rows == list(range(len(rows)))
    assert read.rows == sorted(read.rows)
    return read


@pytest.mark.parametrize("name", WHOLE)
def test_mutated_files(name, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(WHOLE[name])
    first = everything(path, OPTIONS)
    assert first.rows == list(range(20)) and not first.bad
    has_lines = format_of([name]) in ("csv", "jsonl", "svmlight")
    outcomes = {"read": 0, "bad rows": 0, "refused": 0}
    for seed in range(FILES // len(WHOLE)):
        rng = random.Random(f"{name} {seed}")
        path.write_bytes(mutated(WHOLE[name], rng))
        plan = rng.choice((first.plan, OPTIONS, replace(OPTIONS, missing="zero", sample=7)))
        read = attempt(path, plan)
        outcomes["refused" if read is None else "bad rows" if read.bad else "read"] += 1
        if read is not None and has_lines and seed % 3 == 0:
            with monkeypatch.context() as patch:
                block = rng.choice((7, 64, 300))
                patch.setattr(source, "BLOCK", block)
                patch.setattr(text, "BLOCK", block)
                patch.setattr(text, "_GLANCE", 8)
                again = attempt(path, read.plan)
            assert again is not None and again.same_rows(read), (seed, told(read), told(again))
    assert outcomes["read"], outcomes
    assert outcomes["bad rows" if has_lines else "refused"], outcomes


def test_mutated_bytes_never_stop_a_reader_that_raises(tmp_path):
    path = tmp_path / "raised.csv"
    raised = 0
    for seed in range(FILES // 20):
        path.write_bytes(mutated(WHOLE["whole.csv"], random.Random(seed)))
        try:
            for _ in Reader(path):
                pass
        except ReadingError:
            raised += 1
    assert raised > 0
