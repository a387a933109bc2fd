"""Random tables, written and read back."""

import csv
import io
import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from budgetron.reading import ReadOptions, source, text
from reading.everything import everything

numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)
tables = st.integers(0, 4).flatmap(
    lambda columns: st.lists(
        st.tuples(texts, st.booleans(), *[numbers] * columns), min_size=1, max_size=30
    )
)
KINDS = {"flag": "boolean", **{f"x{i}": "number" for i in range(4)}}


def named(table):
    names = ["label", "flag", *(f"x{i}" for i in range(len(table[0]) - 2))]
    return [dict(zip(names, row, strict=True)) for row in table]


def write_csv(path, rows, delimiter=",", quoting=csv.QUOTE_ALL, end="\n"):
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, rows[0], delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(file.getvalue().encode())


def write_jsonl(path, rows, ascii_only=True):
    lines = (json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows)
    path.write_bytes("".join(lines).encode())


def write_parquet(path, rows):
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)


def write_feather(path, rows):
    feather.write_feather(pa.Table.from_pylist(rows), path, chunksize=7)


WRITERS = {
    "rows.csv": write_csv,
    "rows.jsonl": write_jsonl,
    "rows.parquet": write_parquet,
    "rows.feather": write_feather,
}


def check(name, write, table, **options):
    rows = named(table)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, name)
        write(path, rows, **options)
        kinds = {column: KINDS[column] for column in rows[0] if column in KINDS}
        asked = ReadOptions(
            kinds=kinds, header=True, labels="text", delimiter=options.get("delimiter", ",")
        )
        whole = everything(path, asked)
        assert not whole.bad
        assert whole.y == [row["label"] for row in rows]
        assert [list(row.values())[1:] for row in rows] == whole.X
        for skip in (1, len(rows) // 2):
            rest = everything(path, whole.plan, skip=skip, chunk_rows=3)
            assert (rest.X, rest.y, rest.rows) == (
                whole.X[skip:],
                whole.y[skip:],
                whole.rows[skip:],
            )


@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name", WRITERS)
@given(table=tables)
def test_what_was_written_is_read(name, table):
    check(name, WRITERS[name], table)


@settings(max_examples=60, deadline=None)
@given(table=tables, delimiter=st.sampled_from(",;\t|: "), end=st.sampled_from(["\n", "\r\n"]))
def test_dialects(table, delimiter, end):
    check("rows.csv", write_csv, table, delimiter=delimiter, end=end)


@settings(max_examples=40, deadline=None)
@given(table=tables)
def test_json_in_utf8(table):
    check("rows.jsonl", write_jsonl, table, ascii_only=False)


@settings(max_examples=60, deadline=None)
@given(table=tables, block=st.integers(1, 200))
@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
def test_blocks_of_any_size(name, table, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "BLOCK", block)
        patch.setattr(text, "BLOCK", block)
        patch.setattr(text, "_GLANCE", 8)
        check(name, WRITERS[name], table)
