"""Columns of numbers on one scale, which runs with the stream."""

import datetime as dt
import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from budgetron.reading import Column, Plan, Reader, ReadingError, ReadOptions
from reading.everything import everything

ROWS = 60
RNG = np.random.default_rng(0)
HEIGHT, WEALTH = RNG.normal(170, 9, ROWS).round(1), RNG.lognormal(10, 1, ROWS).round(2)
DAYS = [dt.datetime(2024, 1, 1, 12) + dt.timedelta(days=int(d)) for d in RNG.integers(0, 99, ROWS)]
COLOURS = RNG.choice(["red", "green"], ROWS)
OPTIONS = ReadOptions(kinds={"day": "seconds"}, standardize=True, sample=40)


def write_csv(path):
    rows = zip(HEIGHT, WEALTH, DAYS, COLOURS, strict=True)
    lines = [f"{h},{w},{d:%Y-%m-%d %H:%M:%S},{c},{i % 2}" for i, (h, w, d, c) in enumerate(rows)]
    path.write_text("\n".join(["height,wealth,day,colour,label", *lines]) + "\n")


def as_table():
    columns = {"height": HEIGHT, "wealth": WEALTH, "day": DAYS, "colour": COLOURS}
    return pa.table(columns | {"label": np.arange(ROWS) % 2})


def write_parquet(path):
    parquet.write_table(as_table(), path)


def write_jsonl(path):
    rows = as_table().to_pylist()
    path.write_text("\n".join(json.dumps(row | {"day": str(row["day"])}) for row in rows))


def running(raw, sampled):
    """Each row by mean and deviation of the sample and of all rows up to itself."""
    return np.array(
        [
            (raw[t] - seen.mean(axis=0)) / seen.std(axis=0)
            for t in range(len(raw))
            for seen in [np.concatenate([raw[:sampled], raw[: t + 1]])]
        ]
    )


@pytest.mark.parametrize("write", [write_csv, write_parquet, write_jsonl])
def test_numbers_and_dates_have_the_scale_of_the_rows_so_far(tmp_path, write):
    path = tmp_path / f"rows.{write.__name__.removeprefix('write_')}"
    write(path)
    read = everything(path, OPTIONS)
    seconds = np.array([day.replace(tzinfo=dt.UTC).timestamp() for day in DAYS])
    raw = np.column_stack([HEIGHT, WEALTH, seconds - seconds[0]])
    np.testing.assert_allclose(np.array(read.X)[:, :3], running(raw, 40), rtol=1e-9)
    assert {*np.array(read.X)[:, 3:].ravel()} == {0.0, 1.0}
    again = Plan.from_json(read.plan.to_json())
    assert again == read.plan
    assert everything(path, again).X == read.X


@pytest.mark.parametrize("texts", [False, True])
def test_any_cut_and_a_stored_plan_go_on_bit_for_bit(tmp_path, texts):
    path, rng = tmp_path / "rows.csv", np.random.default_rng(1)
    values = rng.lognormal(size=(500, 2)) * np.linspace(1, 50, 500)[:, np.newaxis]
    gaps = rng.random((500, 2)) < 0.1
    words = [f"w{t % 40} of" if texts else t % 3 for t in range(500)]
    fields = np.where(gaps, "", values.round(4).astype(str))
    lines = [
        f"{a},{b},{w},{t % 2}" for t, ((a, b), w) in enumerate(zip(fields, words, strict=True))
    ]
    path.write_text("\n".join(["a,b,c,label", *lines]) + "\n")
    options = ReadOptions(standardize=True, missing="zero", sample=50, buckets=16)
    whole = everything(path, options)
    assert [row[:2] for row in whole.X] != [
        row[:2] for row in everything(path, whole.plan, fixed=True).X
    ]
    for rows in (1, 7, 64):
        assert everything(path, options, chunk_rows=rows).X == whole.X
    assert whole.X[123:] == everything(path, options, skip=123).X
    first = tmp_path / "first.csv"
    first.write_text("\n".join(["a,b,c,label", *lines[:201]]) + "\n")
    later = tmp_path / "later.csv"
    later.write_text("\n".join(["a,b,c,label", *lines[201:]]) + "\n")
    reader = Reader(first, options)
    assert sum(len(chunk) for chunk in reader) == 201
    reached = Plan.from_json(reader.plan_by_now.to_json())
    assert whole.X[201:] == everything(later, reached).X


def test_a_column_that_rises_stays_where_it_is(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("t,label\n" + "".join(f"{t},{t % 2}\n" for t in range(20_000)))
    X = np.array(everything(path, ReadOptions(standardize=True, kinds={"t": "number"})).X)
    assert np.abs(X).max() < 2.2 and np.ptp(X[10_000:]) < 0.1


def test_a_missing_value_is_the_mean(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n10,0\n,1\n30,0\n")
    read = everything(path, ReadOptions(standardize=True, missing="zero"))
    assert read.X[1] == [0] and read.X[0][0] < 0 < read.X[2][0]


@pytest.mark.parametrize("constant", ["0.1", "-7", "1e300"])
def test_a_column_that_does_not_vary_is_only_shifted(tmp_path, constant):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n" + f"{constant},0\n" * 7)
    assert everything(path, ReadOptions(standardize=True)).X == [[0]] * 7


def test_what_is_too_far_away_is_as_far_as_can_be(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b,label\n1e308,0.001,0\n-1e308,-0.001,1\n1e308,1e308,1\n")
    read = everything(path, ReadOptions(standardize=True, sample=2))
    assert np.array(read.X)[:, 0].tolist() == [1e9, -1e9, 1e9]
    assert 1e3 < read.X[2][1] <= 1e9


def test_plans_of_before_are_read(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n1,0\n2,1\n")
    plan = everything(path, ReadOptions()).plan
    stored = json.loads(plan.to_json())
    for column in stored["columns"]:
        for name in ("center", "spread", "origin", "format", "seen"):
            del column[name]
    assert Plan.from_json(json.dumps(stored)) == plan


@pytest.mark.parametrize(
    "parts",
    [
        ("number", 1, (), 0.0, 0.0),
        ("number", 1, (), 0.0, -1.0),
        ("number", 1, (), float("nan"), 1.0),
        ("number", 1, (), 0.0, float("inf")),
        ("hashed", 8, (), 1.0, 1.0),
    ],
)
def test_impossible_scales_are_refused(parts):
    with pytest.raises(ReadingError, match="column 'a'"):
        Column("a", *parts)
