"""Memory and time of `budgetron run` over a CSV: python benchmarks/command_line.py [ROWS].

The peak is that of a whole process, once over 10,000 rows and once over all. What reading costs
and what learning costs is the processor time of each in turn, over the same rows.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

from budgetron import Forgetron, prequential
from budgetron.reading import Reader

SHORT, COLUMNS, AT_ONCE = 10_000, 20, 50_000


def generate(path, rows):
    rng = np.random.default_rng(0)
    with open(path, "w") as file:
        file.write(",".join([*(f"x{i}" for i in range(COLUMNS)), "label"]) + "\n")
        for first in range(0, rows, AT_ONCE):
            X = rng.normal(size=(min(AT_ONCE, rows - first), COLUMNS))
            y = X[:, 0] + X[:, 1] ** 2 > 1
            np.savetxt(
                file, np.column_stack([X, y]), fmt=["%.5g"] * COLUMNS + ["%d"], delimiter=","
            )


def run(path):
    command = [sys.executable, "-m", "budgetron", "run", path, "-l", "Forgetron", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    told = json.loads(process.stdout.read())
    _, _, usage = os.wait4(process.pid, 0)
    return told, usage.ru_maxrss / 1024


def shares(path):
    """Processor time of reading and of learning."""
    chunks, learner = iter(Reader(path)), Forgetron()
    prequential(Forgetron(), *next(iter(Reader(path)))[:2])  # compiled
    reading = learning = 0.0
    while True:
        start = process_time()
        chunk = next(chunks, None)
        read = process_time()
        if chunk is None:
            return reading, learning
        prequential(learner, chunk.X, chunk.y)
        reading, learning = reading + read - start, learning + process_time() - read


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    with tempfile.TemporaryDirectory() as directory:
        peaks = {}
        for length in (SHORT, rows):
            path = Path(directory) / f"{length}.csv"
            generate(path, length)
            run(path)
            told, peaks[length] = run(path)
            print(
                f"{length:,} rows: {peaks[length]:.0f} MB, {told['seconds']:.1f} s,"
                f" {told['rows_per_second']:,.0f} rows/s, error {told['error']:.2%}"
            )
        print(f"{peaks[rows] - peaks[SHORT]:+.0f} MB")
        reading, learning = shares(path)
        print(f"reading {reading:.1f} s, learning {learning:.1f} s, {reading / learning:.2f} x")


if __name__ == "__main__":
    main()
