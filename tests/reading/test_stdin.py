"""Standard input: it cannot be read twice, and may never end."""

import gzip
import io
import json
import os
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from budgetron.reading import Reader, ReadingError, ReadOptions

SCRIPT = """
import json, sys
from budgetron.reading import Plan, Reader
for chunk in Reader("-", Plan.from_json(sys.argv[1]), skip=1):
    print(json.dumps([chunk.X.tolist(), chunk.y.tolist(), chunk.rows.tolist()]), flush=True)
"""
TABLE = pa.table({"a": [1, 2, 3], "b": [0.5, 0.25, 0.125], "label": ["x", "y", "x"]})


def chunks(data, monkeypatch, **options):
    """What is read if this comes through a pipe; the first row is skipped."""
    end, start = os.pipe()
    os.write(start, data)
    os.close(start)
    with open(end) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        return [
            [chunk.X.tolist(), chunk.y.tolist(), chunk.rows.tolist()]
            for chunk in Reader("-", ReadOptions(**options), skip=1)
        ]


def csv():
    return b"a,b,label\n1,0.5,x\n2,0.25,y\n3,0.125,x\n"


def jsonl():
    return "".join(json.dumps(row) + "\n" for row in TABLE.to_pylist()).encode()


def stream():
    file = io.BytesIO()
    with ipc.new_stream(file, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return file.getvalue()


@pytest.mark.parametrize(("format", "data"), [("csv", csv), ("jsonl", jsonl), ("arrow", stream)])
def test_standard_input(format, data, monkeypatch):
    expected = [[[[2, 0.25], [3, 0.125]], ["y", "x"], [1, 2]]]
    assert chunks(data(), monkeypatch, format=format) == expected
    assert chunks(gzip.compress(data()), monkeypatch, format=format) == expected


def test_parquet_cannot_come_through_a_pipe(monkeypatch):
    file = io.BytesIO()
    parquet.write_table(TABLE, file)
    told = "^- cannot be read: Parquet is read from its end: store it in a file$"
    with pytest.raises(ReadingError, match=told):
        chunks(file.getvalue(), monkeypatch, format="parquet")


def test_rows_are_delivered_when_they_arrive(tmp_path):
    (tmp_path / "rows.csv").write_bytes(csv())
    reader = Reader(tmp_path / "rows.csv", ReadOptions())
    reader.close()
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, reader.plan.to_json()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        process.stdin.write(csv() + b"4,1")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())[2] == [1, 2]
        process.stdin.write(b".5,y\n5,")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == [[[4, 1.5]], ["y"], [3]]
        process.stdin.write(b"2,x")
        process.stdin.close()
        assert json.loads(process.stdout.readline()) == [[[5, 2]], ["x"], [4]]
        assert process.stdout.read() == b""
