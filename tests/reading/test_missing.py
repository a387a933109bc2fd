"""What becomes of missing values."""

import pytest

from budgetron.reading import Reader, ReadingError, ReadOptions
from reading.everything import everything

CSV = "n,c,b,y\n" + "".join(
    f"{n},{c},{b},{i % 2}\n"
    for i, (n, c, b) in enumerate(
        [
            ("1", "p", "true"),
            ("2", "q", "false"),
            ("", "p", "true"),
            ("3", "", "true"),
            ("4", "q", ""),
            ("NaN", "q", "true"),
            ("-inf", "p", "false"),
            ("1e999", "p", "false"),
            ("NA", "p", "?"),
            ("5", "p", "true"),
            ("6", "q", "true"),
        ]
    )
)
JSONL = """
{"n": 1, "c": "p", "b": true, "y": 0}
{"n": 2, "c": "q", "b": false, "y": 1}
{"c": "p", "b": true, "y": 0}
{"n": 3, "c": "", "b": true, "y": 1}
{"n": 4, "c": "q", "b": null, "y": 0}
{"n": NaN, "c": "q", "b": true, "y": 1}
{"n": -Infinity, "c": "p", "b": false, "y": 0}
{"n": 1e999, "c": "p", "b": false, "y": 1}
{"n": null, "c": "p", "y": 0}
{"n": 5, "c": "p", "b": true, "y": 1}
{"n": 6, "c": "q", "b": true, "y": 0}
"""
NAMES = ["rows.csv", "rows.jsonl"]
ZERO = [
    [1, 1, 0, 0, 1],
    [2, 0, 1, 0, 0],
    [0, 1, 0, 0, 1],
    [3, 0, 0, 0, 1],
    [4, 0, 1, 0, 0],
    [0, 0, 1, 0, 1],
    [0, 1, 0, 0, 0],
    [0, 1, 0, 0, 0],
    [0, 1, 0, 0, 0],
    [5, 1, 0, 0, 1],
    [6, 0, 1, 0, 1],
]
MISSING = [{2, 5, 6, 7, 8}, {3}, {4, 8}]


@pytest.fixture(params=NAMES)
def file(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(CSV if request.param == "rows.csv" else JSONL.lstrip())
    return path


def test_error(file):
    read = everything(file)
    assert read.rows == [0, 1, 9, 10]
    assert [ZERO[row] for row in read.rows] == read.X
    header = file.suffix == ".csv"
    assert [(bad.row, bad.line - header) for bad in read.bad] == [(i, i + 1) for i in range(2, 9)]
    assert read.bad[0].reason == "column 'n' has no value"
    assert read.bad[1].reason == "column 'c' has no value"


def test_zero(file):
    read = everything(file, ReadOptions(missing="zero"))
    assert (read.X, read.bad) == (ZERO, [])


def test_indicator(file):
    read = everything(file, ReadOptions(missing="indicator"))
    n, c, b = MISSING
    assert [
        [row[0], i in n, *row[1:4], i in c, row[4], i in b] for i, row in enumerate(ZERO)
    ] == read.X
    assert not read.bad


def test_zero_in_columns_of_other_kinds(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("d,h,w,y\n,,,0\n1970-01-02,p,one two three,1\n1970-01-03,p,two,0\n")
    kinds = {"d": "seconds", "h": "hashed", "w": "words"}
    read = everything(path, ReadOptions(kinds=kinds, missing="zero", buckets=4))
    assert read.X[0] == [0] * 9
    assert [row[0] for row in read.X] == [0, 0, 86400]  # since the first date
    assert sum(read.X[1][1:5]) == 1 and any(read.X[1][5:])
    read = everything(path, ReadOptions(kinds=kinds, missing="indicator", buckets=4))
    assert read.X[0] == [0, 1, 1, 1] + [0] * 8


def test_infinite_labels_are_bad(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,y\n1,0.5\n2,inf\n3,nan\n4,1\n")
    read = everything(path)
    assert (read.y, [bad.line for bad in read.bad]) == ([0.5, 1], [3, 4])


@pytest.mark.parametrize("missing", ["error", "zero", "indicator"])
@pytest.mark.parametrize("label", ["", "NA"])
def test_a_missing_label_is_always_bad(tmp_path, missing, label):
    path = tmp_path / "rows.csv"
    path.write_text(f"a,y\n1,0\n2,{label}\n3,1\n")
    read = everything(path, ReadOptions(missing=missing))
    assert [(bad.line, bad.reason) for bad in read.bad] == [(3, "it has no label")]
    assert read.rows == [0, 2]


def test_svmlight(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("1 1:2\n0 1:nan 2:1\n1 2:-inf\nnan 1:1\n0 1:3\n")
    read = everything(path)
    assert (read.rows, [bad.line for bad in read.bad]) == ([0, 4], [2, 3, 4])
    read = everything(path, ReadOptions(missing="zero"))
    assert read.X == [[0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 3, 0, 0]]
    with pytest.raises(ReadingError, match="nothing is missing in svmlight"):
        for _ in Reader(path, ReadOptions(missing="indicator")):
            pass
