"""Memory and time of `budgetron run` over a CSV file, short and long."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

from budgetron import Forgetron, prequential
from budgetron.reading import Reader

from ..resident import is_known
from ..showing import Exhibit, Table, grouped
from ..timing import best_and_median

NAME = "command"
TITLE = "The command line"
SHORT, COLUMNS, AT_ONCE = 10_000, 20, 50_000
TELLING_ITS_PEAK = """
import atexit, runpy, sys
from benchmarks.resident import peak
atexit.register(lambda: print(peak(), file=sys.stderr))
runpy.run_module("budgetron", run_name="__main__")
"""


def measure(scale):
    """Yield peak and time of a whole process, and what reading and learning cost."""
    if not is_known():
        return
    with tempfile.TemporaryDirectory() as directory:
        for lines in sorted({min(SHORT, scale.lines // 2), scale.lines}):
            path = Path(directory) / f"{lines}.csv"
            _generate(path, lines)
            _run(path)  # compiled
            for repeat in range(scale.repeats):
                told, peak = _run(path)
                reading, learning = _shares(path)
                yield {
                    "rows": lines,
                    "peak": peak,
                    "seconds": told["seconds"],
                    "reading": reading,
                    "learning": learning,
                    "mistakes": told["mistakes"],
                    "repeat": repeat,
                }


def _generate(path, lines):
    rng = np.random.default_rng(0)
    with open(path, "w") as file:
        file.write(",".join([*(f"x{i}" for i in range(COLUMNS)), "label"]) + "\n")
        for first in range(0, lines, AT_ONCE):
            X = rng.normal(size=(min(AT_ONCE, lines - first), COLUMNS))
            y = X[:, 0] + X[:, 1] ** 2 > 1
            formats = ["%.5g"] * COLUMNS + ["%d"]
            np.savetxt(file, np.column_stack([X, y]), fmt=formats, delimiter=",")


def _run(path):
    command = ["run", str(path), "-l", "Forgetron", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", TELLING_ITS_PEAK, *command],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout), int(done.stderr.splitlines()[-1])


def _shares(path):
    """Processor time of reading and of learning, in turns over the same rows."""
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


def show(records):
    """Megabytes and seconds by the length of the file."""
    lines = []
    for (rows,), own in grouped(records, "rows").items():
        seconds, _ = best_and_median(own)
        reading, _ = best_and_median(own, "reading")
        learning, _ = best_and_median(own, "learning")
        peak, _ = best_and_median(own, "peak")
        lines.append(
            (
                f"{rows:,}",
                f"{peak / 2**20:.0f}",
                f"{seconds:.2f}",
                f"{rows / seconds:,.0f}",
                reading / learning,
            )
        )
    return Exhibit(
        [
            f"`budgetron run` with a Forgetron over a CSV file of {COLUMNS} columns; the peak is"
            " that of the whole process, Python and libraries included. What reading costs and what"
            " learning costs is their processor time, in turns over the same rows.",
            Table(
                "By the length of the file",
                ("rows", "peak, megabytes", "seconds", "rows/s", "reading over learning"),
                lines,
            ),
        ]
    )
