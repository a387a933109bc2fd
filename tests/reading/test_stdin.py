"""Standard input: it cannot be read twice, and may never end."""

import gzip
import io
import json
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from budgetron.reading import Reader, ReadOptions

SCRIPT = """
import json, sys
from budgetron.reading import Plan, Reader, ReadingError, ReadOptions
plan = Plan.from_json(sys.argv[2]) if len(sys.argv) > 2 else ReadOptions(format=sys.argv[1])
try:
    for chunk in Reader("-", plan, skip=1):
        print(json.dumps([chunk.X.tolist(), chunk.y.tolist(), chunk.rows.tolist()]), flush=True)
except ReadingError as error:
    print(json.dumps(str(error)))
"""
TABLE = pa.table({"a": [1, 2, 3], "b": [0.5, 0.25, 0.125], "label": ["x", "y", "x"]})


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def output(format, data):
    with started(format) as process:
        out, _ = process.communicate(data, timeout=60)
    assert process.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


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
def test_standard_input(format, data):
    expected = [[[[2, 0.25], [3, 0.125]], ["y", "x"], [1, 2]]]
    assert output(format, data()) == expected
    assert output(format, gzip.compress(data())) == expected


def test_parquet_cannot_come_through_a_pipe():
    file = io.BytesIO()
    parquet.write_table(TABLE, file)
    assert output("parquet", file.getvalue()) == [
        "- cannot be read: Parquet is read from its end: store it in a file"
    ]


def test_rows_are_delivered_when_they_arrive(tmp_path):
    (tmp_path / "rows.csv").write_bytes(csv())
    reader = Reader(tmp_path / "rows.csv", ReadOptions())
    reader.close()
    with started("csv", reader.plan.to_json()) as process:
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
