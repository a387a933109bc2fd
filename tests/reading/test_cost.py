"""Reading is cheap, and memory does not grow with the input."""

import json
import subprocess
import sys

import numpy as np
import pytest
from pyarrow import csv, feather, parquet, table

SCRIPT = """
import json, resource, sys, time
from budgetron import Forgetron  # which takes longer to import than files to read
from budgetron.reading import Reader

def peak():  # in kilobytes on Linux
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

rows, early, start = 0, None, time.process_time()
for chunk in Reader(sys.argv[1], on_bad=lambda bad: None):
    rows += len(chunk.rows)
    if early is None and rows > 40_000:
        early = peak()
print(json.dumps([rows, peak() - early, rows / (time.process_time() - start)]))
"""
ROWS = 300_000
WRITERS = {
    "rows.csv": csv.write_csv,
    "rows.parquet": parquet.write_table,
    "rows.feather": feather.write_feather,
}


def measured(path):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)], capture_output=True, check=True, timeout=100
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.normal(size=ROWS).round(6) for i in range(20)}
    return table({**columns, "label": rng.integers(0, 2, ROWS)})


@pytest.mark.parametrize("name", WRITERS)
def test_memory_is_flat(name, numbers, tmp_path):
    WRITERS[name](numbers, tmp_path / name)
    rows, growth, speed = measured(tmp_path / name)
    assert rows == ROWS
    assert growth < 30e6 < numbers.nbytes
    assert speed > 100_000


def test_memory_is_flat_if_a_quote_is_never_closed(tmp_path):
    path = tmp_path / "rows.csv"
    lines = "".join(f'{i},"some words about {i % 7}",{i % 2}\n' for i in range(1000))
    path.write_text("a,b,label\n" + lines * 500 + '1,"oh,1\n' + lines * 1500)
    rows, growth, _ = measured(path)
    assert rows == 2_000_000
    assert growth < 150e6
