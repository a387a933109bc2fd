"""The same rows come out of every format."""

import io
import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, feather, ipc, parquet
from sklearn.datasets import dump_svmlight_file

from budgetron.reading import Column, Reader, ReadingError, ReadOptions
from reading.everything import everything

ROWS = 300
TABLE = pa.table(
    {
        "size": np.cos(np.arange(ROWS)),
        "count": np.arange(ROWS) % 7,
        "colour": [("red", "green", "blue")[i % 3] for i in range(ROWS)],
        "good": [i % 4 == 0 for i in range(ROWS)],
        "label": [("ham", "spam")[i % 5 == 0] for i in range(ROWS)],
    }
)
X = [
    [i[0], i[1], i[2] == "blue", i[2] == "green", i[2] == "red", 0, i[3]]
    for i in zip(*TABLE.drop(["label"]).to_pydict().values(), strict=True)
]


def write_csv(path):
    csv.write_csv(TABLE, path)


def write_jsonl(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in TABLE.to_pylist()))


def write_parquet(path):
    parquet.write_table(TABLE, path, row_group_size=70)


def write_feather(path):
    feather.write_feather(TABLE, path, chunksize=70, compression="zstd")


def write_stream(path):
    with ipc.new_stream(path, TABLE.schema) as writer:
        writer.write_table(TABLE, max_chunksize=70)


WRITERS = {
    "rows.csv": write_csv,
    "rows.jsonl": write_jsonl,
    "rows.parquet": write_parquet,
    "rows.feather": write_feather,
    "rows.arrows": write_stream,
}


@pytest.fixture(params=WRITERS)
def file(request, tmp_path):
    path = tmp_path / request.param
    WRITERS[request.param](path)
    return path


def test_every_format_gives_the_same_rows(file):
    read = everything(file)
    assert read.X == X
    assert read.y == TABLE["label"].to_pylist()
    assert read.rows == list(range(ROWS))
    assert not read.bad


@pytest.mark.parametrize("chunk_rows", [1, 64, 299, 300, 10_000])
def test_any_chunk_size_gives_the_same_rows(file, chunk_rows):
    read = everything(file, chunk_rows=chunk_rows)
    assert (read.X, read.rows) == (X, list(range(ROWS)))
    whole, rest = divmod(ROWS, chunk_rows)
    assert read.sizes == [chunk_rows] * whole + [rest] * (rest > 0)


@pytest.mark.parametrize("skip", [0, 1, 70, 157, 299, 300, 1000])
def test_a_run_that_stopped_goes_on(file, skip):
    plan = everything(file).plan
    read = everything(file, plan, skip=skip, chunk_rows=50)
    assert (read.X, read.rows) == (X[skip:], list(range(ROWS))[skip:])


def test_a_plan_reads_other_formats_too(file, tmp_path):
    write_csv(tmp_path / "first.csv")
    plan = everything(tmp_path / "first.csv").plan
    read = everything(file, ReadOptions())
    stored = type(plan).from_json(plan.to_json().replace('"csv"', f'"{read.plan.format}"'))
    assert everything(file, stored).same_rows(read)


def test_several_files_are_one_stream(file):
    read = everything([file, str(file)], skip=100)
    assert (X + X)[100:] == read.X
    assert read.rows == list(range(100, 2 * ROWS))


def test_labels_need_not_be_there(file, tmp_path):
    plan = everything(file).plan
    read = everything(file, plan, labelled=False)
    assert read.y is None and read.X == X


def test_columns_may_be_in_any_order_with_others_between(tmp_path):
    (tmp_path / "a.csv").write_text("u,v,label\n1,2,yes\n3,4,no\n")
    (tmp_path / "b.csv").write_text("label,w,v,u\nno,x,6,5\n")
    read = everything([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert (read.X, read.y) == ([[1, 2], [3, 4], [5, 6]], ["yes", "no", "no"])


def test_a_column_that_is_not_there(file):
    plan = everything(file).plan
    columns = (*plan.columns, Column("gone", "number"))
    with pytest.raises(ReadingError, match="column 'gone'"):
        for _ in Reader(file, replace(plan, columns=columns)):
            pass


@pytest.mark.parametrize(
    ("text", "rows", "labels"),
    [
        ("a,b,label\n1,2,x\n3,4,y\n", [[1, 2], [3, 4]], ["x", "y"]),
        ("a,b,label\r\n1,2,x\r\n3,4,y\r\n", [[1, 2], [3, 4]], ["x", "y"]),
        ("a;b;label\n1;2;x\n3;4;y", [[1, 2], [3, 4]], ["x", "y"]),
        ("a\tb\tlabel\n1\t2\tx\n", [[1, 2]], ["x"]),
        ("a|b|label\n1|2|x\n", [[1, 2]], ["x"]),
        ("\ufeffa,b,label\n1,2,x\n", [[1, 2]], ["x"]),
        ('"a","b","label"\n"1","2","x, ""y""\nz"\n', [[1, 2]], ['x, "y"\nz']),
        ("1,2,x\n3,4,y\n", [[1, 2], [3, 4]], ["x", "y"]),
        ("\n\na,b,label\n\n1,2,x\n\r\n3,4,y\n\n", [[1, 2], [3, 4]], ["x", "y"]),
        ("a,b,label\n 1 ,+2,x\n-.5,1e3,y\n", [[1, 2], [-0.5, 1000]], ["x", "y"]),
    ],
)
def test_dialects_of_csv(tmp_path, text, rows, labels):
    (tmp_path / "rows.csv").write_bytes(text.encode())
    read = everything(tmp_path / "rows.csv")
    assert (read.X, read.y, read.bad) == (rows, labels, [])


def test_dialects_that_must_be_told(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("p:q:x\nr:s:y\np:s:x\nr:q:x\n")
    read = everything(path, ReadOptions(delimiter=":", header=False))
    assert read.plan.names == ("0", "1", "2")
    assert len(read.X) == 4
    path.write_text("1,2,5\n3,4,6\n")
    assert everything(path, ReadOptions(header=True)).X == [[3, 4]]
    path.write_text('label,pipe\nx,5"\ny,6"\n')
    read = everything(path, ReadOptions(quote="", kinds={"pipe": "one-hot"}))
    assert read.plan.columns[0].categories == ('5"', '6"')


def test_svmlight_is_read_as_scikit_learn_writes_it(tmp_path):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 9)) < 0.3, rng.normal(size=(200, 9)).round(6), 0)
    y = rng.integers(-1, 2, 200)
    X[0, 8] = 1
    for zero_based in (True, False):
        dump_svmlight_file(X, y, str(tmp_path / "rows.svm"), zero_based=zero_based, comment="hm")
        read = everything(tmp_path / "rows.svm")
        assert read.plan.width == 16
        first = 0 if zero_based else 1
        assert np.array_equal(np.array(read.X)[:, first : first + 9], X)
        assert read.y == y.tolist() and isinstance(read.y[0], int)
        assert everything(tmp_path / "rows.svm", ReadOptions(features=11)).plan.width == 11


def test_svmlight_without_labels(tmp_path):
    (tmp_path / "labelled.svm").write_text("1 1:2 3:4\n-1 2:1\n")
    (tmp_path / "bare.svm").write_text("1:2 3:4\n2:1\n")
    plan = everything(tmp_path / "labelled.svm").plan
    read = [everything(tmp_path / f"{n}.svm", plan, labelled=False) for n in ("labelled", "bare")]
    assert read[0].X == read[1].X == [[0, 2, 0, 4], [0, 0, 1, 0]]


def test_csv_without_header_and_labels(tmp_path):
    (tmp_path / "labelled.csv").write_text("x,1,2\ny,3,4\n")
    (tmp_path / "bare.csv").write_text("1,2\n3,4\n")
    plan = everything(tmp_path / "labelled.csv", ReadOptions(target=0)).plan
    for name in ("labelled", "bare"):
        read = everything(tmp_path / f"{name}.csv", plan, labelled=False)
        assert (read.X, read.y) == ([[1, 2], [3, 4]], None)


def test_a_file_that_never_had_labels(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    assert everything(tmp_path / "rows.csv", labelled=False).X == [[1, 2]]
    (tmp_path / "rows.csv").write_text("a,class\n1,2\n")
    assert everything(tmp_path / "rows.csv", labelled=False).X == [[1]]


def test_types_of_parquet(tmp_path):
    table = pa.table(
        {
            "decimal": pa.array([1, 2], pa.decimal128(5, 2)),
            "small": pa.array([1, None], pa.uint8()),
            "known": pa.array(["u", "v"]).dictionary_encode(),
            "coded": pa.array([7, 8]).dictionary_encode(),
            "large": pa.array(["u", "v"], pa.large_string()),
            "nothing": pa.nulls(2),
            "when": pa.array([0, 1500], pa.timestamp("ms", "Europe/Rome")),
            "y": pa.array([3, 4], pa.int16()),
        }
    )
    parquet.write_table(table, tmp_path / "rows.parquet")
    kinds = {"known": "one-hot", "large": "one-hot", "when": "seconds"}
    read = everything(tmp_path / "rows.parquet", ReadOptions(kinds=kinds, missing="zero"))
    assert read.X == [[1, 1, 1, 0, 0, 7, 1, 0, 0, 0, 0], [2, 0, 0, 1, 0, 8, 0, 1, 0, 0, 1.5]]
    assert read.y == [3, 4]


@pytest.mark.parametrize("name", ["rows.parquet", "rows.feather", "rows.jsonl"])
def test_nested_values_are_refused(name, tmp_path):
    table = pa.table({"a": [[1], [2]], "b": [1, 2], "label": [1, 2]})
    if name == "rows.parquet":
        parquet.write_table(table, tmp_path / name)
    elif name == "rows.feather":
        feather.write_feather(table, tmp_path / name)
    else:
        (tmp_path / name).write_text("".join(json.dumps(r) + "\n" for r in table.to_pylist()))
    with pytest.raises(ReadingError, match="column 'a' holds lists or objects"):
        Reader(tmp_path / name)
    assert everything(tmp_path / name, ReadOptions(ignore=("a",))).X == [[1], [2]]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["rows.dat"], "does not tell the format"),
        (["-"], "does not tell the format"),
        (["rows.csv", "rows.jsonl"], "one format, not csv and jsonl"),
        (["gone.csv"], "No such file"),
        (["directory.csv"], "Is a directory"),
        ([], "nothing to read"),
    ],
)
def test_what_cannot_be_opened(names, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"1,2\n"))))
    (tmp_path / "directory.csv").mkdir()
    for name in ("rows.dat", "rows.csv", "rows.jsonl"):
        (tmp_path / name).write_text("1,2\n")
    with pytest.raises(ReadingError, match=message):
        Reader(names)


def test_a_pipe_that_is_written_otherwise_is_looked_at_once(tmp_path, monkeypatch):
    (tmp_path / "rows.csv").write_text("a,b,y\n1.5,2,in\n3,4.5,out\n")
    (tmp_path / "piped").write_text("a;b\n1,5;2\n3;4,5\n", encoding="utf-16")
    first = Reader(str(tmp_path / "rows.csv"))
    first.close()
    how = ReadOptions(delimiter=";", decimal=",", encoding="utf-16")
    with (tmp_path / "piped").open() as piped:
        monkeypatch.setattr("sys.stdin", piped)
        (chunk,) = Reader("-", first.plan, adapt=how, labelled=False)
    assert chunk.X.tolist() == [[1.5, 2], [3, 4.5]]
