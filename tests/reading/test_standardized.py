"""Columns of numbers on one scale, as the first rows have it."""

import datetime as dt
import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from budgetron.reading import Column, Plan, ReadingError, ReadOptions
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


@pytest.mark.parametrize("write", [write_csv, write_parquet, write_jsonl])
def test_numbers_and_dates_have_the_scale_of_the_first_rows(tmp_path, write):
    path = tmp_path / f"rows.{write.__name__.removeprefix('write_')}"
    write(path)
    read = everything(path, OPTIONS)
    seconds = np.array([day.replace(tzinfo=dt.UTC).timestamp() for day in DAYS])
    raw = np.column_stack([HEIGHT, WEALTH, seconds])
    expected = (raw - raw[:40].mean(axis=0)) / raw[:40].std(axis=0)
    np.testing.assert_allclose(np.array(read.X)[:, :3], expected, rtol=1e-9)
    assert {*np.array(read.X)[:, 3:].ravel()} == {0.0, 1.0}
    again = Plan.from_json(read.plan.to_json())
    assert again == read.plan
    assert everything(path, again).X == read.X


def test_a_missing_value_is_the_mean(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n10,0\n,1\n30,0\n")
    assert everything(path, ReadOptions(standardize=True, missing="zero")).X == [[-1], [0], [1]]


@pytest.mark.parametrize("constant", ["0.1", "-7", "1e300"])
def test_a_column_that_does_not_vary_is_only_shifted(tmp_path, constant):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n" + f"{constant},0\n" * 7)
    assert everything(path, ReadOptions(standardize=True)).X == [[0]] * 7


def test_numbers_that_are_too_large_to_have_a_deviation_stay_as_they_are(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n1e308,0\n-1e308,1\n")
    assert everything(path, ReadOptions(standardize=True)).X == [[1e308], [-1e308]]


def test_a_value_that_is_not_finite_on_its_scale_makes_a_row_bad(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n" + "0.001,0\n-0.001,1\n" * 5 + "1e308,0\n1,1\n")
    read = everything(path, ReadOptions(standardize=True, sample=10))
    assert len(read.X) == 11
    assert "has no value" in read.bad[0].reason


def test_plans_of_before_are_read(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,label\n1,0\n2,1\n")
    plan = everything(path, ReadOptions()).plan
    stored = json.loads(plan.to_json())
    for column in stored["columns"]:
        del column["center"], column["spread"]
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
