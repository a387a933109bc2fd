"""A bad row is told and set apart, and the rows around it are delivered."""

import pickle
import re

import pytest

from budgetron.reading import BadRow, Reader, ReadingError, ReadOptions, text
from reading.everything import everything, told

GOOD = {"csv": "1.5,2,yes\n", "jsonl": '{"a": 1.5, "b": 2, "y": "yes"}\n', "svm": "1 1:1.5 2:2\n"}
BAD = [
    ("csv", "1,2\n", "it has 2 fields instead of 3"),
    ("csv", "1,2,yes,4\n", "it has 4 fields instead of 3"),
    ("csv", "1,two,yes\n", "column 'b' is no number: invalid value 'two'"),
    ("csv", "1,2,\n", "it has no label"),
    ("csv", "1,,yes\n", "column 'b' has no value"),
    ("csv", "  \n", "it has 1 fields instead of 3"),
    ("csv", '1,2,"yes\n', "it has .* fields instead of 3|not closed|one row in one line"),
    ("csv", '1"x,2,"yes\n', "it has .* fields|one row in one line|is no number"),
    ("csv", "1,2,yes\r3,4,no\n", "it is not one row in one line"),
    ("csv", "1,2,\udcff\n", "not in UTF-8"),
    ("csv", "1,\x002,yes\n", "column 'b' is no number"),
    ("jsonl", '{"a": 1, "b": 2, "y": "yes"\n', "it is not JSON"),
    ("jsonl", '{"a": 1, "b": 2, "y": "yes"} {}\n', "it is not JSON"),
    ("jsonl", "[1, 2]\n", "it is not an object"),
    ("jsonl", "null\n", "it is not an object"),
    ("jsonl", '{"a": "1", "b": 2, "y": "yes"}\n', "column 'a' is no number"),
    ("jsonl", '{"a": 1, "b": 2, "y": 3}\n', "column 'y' is no text"),
    ("jsonl", '{"a": 1, "b": 2}\n', "it has no label"),
    ("jsonl", '{"a": 1, "b": 2, "y": "\\ud800"}\n', "surrogates not allowed"),
    ("jsonl", '{"a": 1, "b": 2, "y": "\udcff"}\n', "it is not JSON: .*invalid start byte"),
    ("jsonl", '{"a": 1' + "0" * 400 + ', "b": 2, "y": "x"}\n', "int too large"),
    ("jsonl", '{"a": ' + "[" * 100_000 + "\n", "it is not JSON"),
    ("svm", "1 1:x\n", "could not convert string to float"),
    ("svm", "1 1\n", "unpack"),
    ("svm", "yes 1:1\n", "could not convert string to float"),
    ("svm", "1:1 2:1\n", "could not convert string to float"),
    ("svm", "1 2:1 1:1\n", "should be sorted"),
    ("svm", "1.5 1:1\n", "its label is no integer"),
    ("svm", "1 99:1\n", "n_features was set to 4"),
    ("svm", "1 1:1 99999999999:1\n", "too large"),
]


def written(tmp_path, ending, rows):
    path = tmp_path / f"rows.{ending}"
    header = "a,b,y\n" if ending == "csv" else ""
    path.write_bytes((header + "".join(rows)).encode("utf-8", "surrogateescape"))
    return path, bool(header)


@pytest.mark.parametrize(("ending", "bad", "reason"), BAD)
@pytest.mark.parametrize("place", [1, 37, 99])
def test_bad_rows_are_set_apart(ending, bad, reason, place, tmp_path):
    rows = [GOOD[ending]] * 100
    plan = everything(written(tmp_path, ending, rows)[0]).plan
    rows[place] = bad
    path, header = written(tmp_path, ending, rows)
    read = everything(path, plan)
    assert read.rows == [row for row in range(100) if row != place]
    assert len(read.X) == len(read.y) == 99
    assert len({tuple(row) for row in read.X}) == 1
    assert told(read) == [(place + 1 + header, place, bad.encode("utf-8", "surrogateescape"))]
    assert re.search(reason, read.bad[0].reason)


@pytest.mark.parametrize(("ending", "bad", "reason"), BAD)
def test_a_bad_row_stops_a_reader_after_the_rows_before_it(ending, bad, reason, tmp_path):
    rows = [GOOD[ending]] * 100
    plan = everything(written(tmp_path, ending, rows)[0]).plan
    rows[60] = bad
    path, header = written(tmp_path, ending, rows)
    delivered = []
    reader = Reader(path, plan)

    def read():
        for chunk in reader:
            delivered.extend(chunk.rows)

    with pytest.raises(BadRow, match=reason) as caught:
        read()
    assert delivered == list(range(60))
    assert caught.value.line == 61 + header
    assert str(caught.value).startswith(f"{path}, line {61 + header}: ")


@pytest.mark.parametrize("ending", GOOD)
def test_a_resumed_reader_does_not_tell_again(ending, tmp_path):
    rows = [GOOD[ending]] * 20
    rows[4] = rows[12] = "?\n"
    path, _ = written(tmp_path, ending, rows)
    first = everything(path)
    assert [bad.row for bad in first.bad] == [4, 12]
    for skip in range(21):
        again = everything(path, first.plan, skip=skip)
        assert again.rows == [row for row in first.rows if row >= skip]
        assert told(again) == [bad for bad in told(first) if bad[1] >= skip]


@pytest.mark.parametrize("ending", GOOD)
def test_every_other_row_is_bad(ending, tmp_path):
    path, _ = written(tmp_path, ending, [GOOD[ending], "?\n"] * 150)
    read = everything(path)
    assert read.rows == list(range(0, 300, 2))
    assert [bad.row for bad in read.bad] == list(range(1, 300, 2))


def test_one_bad_row_does_not_make_all_later_chunks_small(tmp_path):
    path, _ = written(tmp_path, "csv", ["1,2,yes\n"] * 10 + ["1\n"] + ["1,2,yes\n"] * 5000)
    read = everything(path)
    assert [bad.row for bad in read.bad] == [10]
    assert len(read.sizes) < 50


@pytest.mark.parametrize("ending", GOOD)
def test_bad_rows_count_in_all_files(ending, tmp_path):
    path, header = written(tmp_path, ending, [GOOD[ending], GOOD[ending], "?\n"])
    read = everything([path, path])
    assert read.rows == [0, 1, 3, 4]
    assert [(bad.row, bad.line) for bad in read.bad] == [(2, 3 + header), (5, 3 + header)]


def test_reasons_are_short(tmp_path):
    path, _ = written(tmp_path, "csv", ["1,2,yes\n"] * 20 + [f"1,{'x' * 10_000},yes\n"])
    (bad,) = everything(path).bad
    assert len(bad.reason) < 250 and len(bad.raw) > 10_000


def test_lines_are_counted_as_an_editor_does(tmp_path):
    rows = ["\n", '1,2,"yes\n\nno"\n', "x,2,yes\n", "\r\n", '1,,"a\nb"\n', "1,2\n"]
    path, _ = written(tmp_path, "csv", ["1,2,yes\n"] * 50 + rows)
    read = everything(path)
    assert [(bad.line, bad.row) for bad in read.bad] == [(56, 51), (58, 52), (60, 53)]
    assert read.bad[1].raw == b'1,,"a\nb"\n'
    assert read.y[-1] == "yes\n\nno"


def test_an_open_quote_costs_its_line_only(tmp_path):
    rows = ["1,2,yes\n"] * 50
    rows[20] = '1,"2,yes\n'
    path, _ = written(tmp_path, "csv", rows)
    read = everything(path)
    assert (read.rows, [bad.line for bad in read.bad]) == ([*range(20), *range(21, 50)], [22])
    assert read.bad[0].reason == "a quote is not closed"
    rows[30] = '1,2,"x\n'
    path, _ = written(tmp_path, "csv", rows)
    assert [bad.line for bad in everything(path).bad] == [22, 32]


def test_a_quote_that_opens_late_costs_its_line_only(tmp_path):
    path, _ = written(tmp_path, "csv", ["1,p,q\n", "2,r,s\n"] * 20 + ['1,x"y,"z\n', '1,p,"q"\n'])
    read = everything(path)
    assert (read.rows, [bad.row for bad in read.bad]) == ([*range(40), 41], [40])


def test_a_line_too_many_does_not_hide_a_line_too_few(tmp_path):
    rows = ["1,p,q\n", "2,r,s\n"] * 20
    rows[5:7] = ["1,p,q\r1,p,q\n"]
    path, _ = written(tmp_path, "csv", [*rows, '1,x"y,"z\n', '1,p,"q"\n'])
    read = everything(path)
    assert [bad.row for bad in read.bad] == [5, 39]
    assert set(read.y) == {"q", "s"}


def test_long_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "LONGEST", 3_000_000)
    label = "x" * 1_000_000
    rows = ["1,2,yes\n", f"1,2,{label}\n", f"1,2,{label * 4}\n", "1,2,no\n", '1,2,"', label * 4]
    path, _ = written(tmp_path, "csv", rows)
    read = everything(path, ReadOptions(kinds={"a": "number", "b": "number"}))
    assert read.y == ["yes", label, "no"]
    assert [(bad.line, bad.reason) for bad in read.bad] == [
        (4, "the line is longer than 3,000,000 bytes"),
        (6, "the line is longer than 3,000,000 bytes"),
    ]


@pytest.mark.parametrize(
    ("name", "contents", "message"),
    [
        ("rows.csv", b"", "has no rows"),
        ("rows.csv", b"\n\r\n\n", "has no rows"),
        ("rows.csv", b"a,b,label\n", "has no rows"),
        ("rows.csv", b"a,b,label", "has no rows"),
        ("rows.csv", b"\xff\xfea\x00,\x00b\x00", "is in UTF-16"),
        ("rows.jsonl", b"", "has no rows"),
        ("rows.jsonl", b"{}\n", "has no rows"),
        ("rows.svm", b"# nothing\n", "has no rows"),
        ("rows.parquet", b"", "cannot be read"),
        ("rows.parquet", b"a,b\n1,2\n", "cannot be read"),
        ("rows.arrow", b"", "cannot be read"),
        ("rows.arrow", b"ARROW1", "cannot be read"),
        ("rows.feather", b"FEA1", "cannot be read"),
        ("rows.csv", b"\x00" * 1000, "learn from|has no rows"),
        ("rows.csv", b'"' * 1001, "has no rows"),
    ],
)
def test_files_without_rows(name, contents, message, tmp_path):
    (tmp_path / name).write_bytes(contents)
    with pytest.raises(ReadingError, match=message):
        everything(tmp_path / name)


def test_no_rows_are_no_chunks_if_the_plan_is_known(tmp_path):
    path, _ = written(tmp_path, "csv", ["1,2,yes\n"])
    plan = everything(path).plan
    path.write_text("a,b,y\n")
    assert everything(path, plan).rows == []
    path.write_text("")
    with pytest.raises(ReadingError, match="has no header"):
        everything(path, plan)


def test_bad_rows_can_be_sent_to_another_process():
    bad = BadRow("rows.csv", 3, 1, "it has no label", b"1,2,\n")
    again = pickle.loads(pickle.dumps(bad))
    assert str(again) == str(bad) == "rows.csv, line 3: it has no label"
    assert (again.row, again.raw) == (1, b"1,2,\n")
    assert isinstance(bad, ValueError)
