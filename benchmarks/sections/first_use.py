"""The first use of each learner in a new process: nothing compiled before, or from a wheel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from budgetron.registry import LEARNERS

from ..showing import Asked, Exhibit, Table, grouped
from ..wheels import installed

NAME = "first_use"
TITLE = "First use"
AT_MOST, MEDIAN_AT_MOST, FROM_WHEEL_BELOW = 8.0, 5.0, 1.0
EMPTY, WHEEL = "nothing compiled before", "from a wheel with machine code"

SCRIPT = """
import json, sys
from time import perf_counter, process_time

def seconds():
    return process_time(), perf_counter()

start = seconds()
import numpy as np
import budgetron
learner = getattr(budgetron, sys.argv[1])()
imported = seconds()
X = np.random.default_rng(0).random((1000, 10))
if "feature" in learner.get_params(deep=False):
    learner.set_params(feature=0)
y = (X[:, 0] > 0.5).astype(int)
learner.fit(X, y)
parts = zip(start, imported, seconds())
(a, b, c), (d, e, f) = parts
print(json.dumps({"import": b - a, "fit": c - b, "import_wall": e - d, "fit_wall": f - e}))
"""


def measure(scale):
    """Yield the seconds of each learner, in processes that find nothing."""
    wheels = sorted(Path("dist").glob("budgetron-*-cp*.whl"))
    with TemporaryDirectory() as directory:
        ways = {EMPTY: sys.executable}
        if wheels:
            ways[WHEEL] = installed(wheels[-1], directory)
        for repeat in range(min(scale.repeats, 3)):
            for name in LEARNERS:
                if scale.learners is None or name in scale.learners:
                    for way, python in ways.items():
                        facts = {"way": way, "learner": name, "repeat": repeat}
                        yield facts | first_use(name, python)


def first_use(name, python):
    """Processor and wall seconds of a learner's import and first fit by a Python, on one thread."""
    with TemporaryDirectory() as empty:
        own = {"HOME": empty, "NUMBA_CACHE_DIR": empty, "OPENBLAS_NUM_THREADS": "1"}
        command = [python, "-c", SCRIPT, name]
        done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the first use of {name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def show(records):
    """The fewest seconds of each learner."""
    parts = "import", "fit", "import_wall", "fit_wall"
    tables, asked = [], []
    for (way,), own in grouped(records, "way").items():
        seconds = {
            name: [min(record[part] for record in of_it) for part in parts]
            for (name,), of_it in grouped(own, "learner").items()
        }
        lines = [(name, *(f"{part:.2f}" for part in them)) for name, them in seconds.items()]
        columns = ("learner", "import", "first fit", "import, wall", "first fit, wall")
        tables.append(Table(f"Seconds of the processor, and by the clock: {way}", columns, lines))
        asked += (_asked_of_wheel if way == WHEEL else _asked_of_compiling)(seconds)
    words = (
        "`import`, and `fit` on 1000 dense rows of 10 features, in a process of its own that finds"
        " no machine code but what the package brings along; one thread."
    )
    return Exhibit([words, *tables], asked)


def _asked_of_compiling(seconds):
    totals = {name: imported + fit for name, (imported, fit, *_) in seconds.items()}
    worst, middle = max(totals, key=totals.get), median(totals.values())
    return [
        Asked(
            "import and first fit with nothing compiled, every learner alone",
            f"at most {AT_MOST:.0f} s of the processor",
            f"{totals[worst]:.1f} s ({worst})",
            totals[worst] <= AT_MOST,
        ),
        Asked(
            "the median of all learners",
            f"at most {MEDIAN_AT_MOST:.0f} s",
            f"{middle:.1f} s",
            middle <= MEDIAN_AT_MOST,
        ),
    ]


def _asked_of_wheel(seconds):
    fits = {name: fit for name, (_, fit, *_) in seconds.items()}
    worst = max(fits, key=fits.get)
    return [
        Asked(
            "first fit of any learner from a wheel, after import",
            f"below {FROM_WHEEL_BELOW:.0f} s",
            f"{fits[worst]:.2f} s ({worst})",
            fits[worst] < FROM_WHEEL_BELOW,
        )
    ]
