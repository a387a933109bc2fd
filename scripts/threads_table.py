"""What more threads bring, in one table: `python scripts/threads_table.py` from the repository.

On made streams with a full budget; every time is the best of several, taken in turns.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]

from benchmarks.bare import dense_evaluation  # noqa: E402
from benchmarks.filling import a_run, filled  # noqa: E402
from benchmarks.limiting import limited  # noqa: E402
from benchmarks.timing import in_turns  # noqa: E402
from budgetron.engine.blocked import block_length  # noqa: E402
from budgetron.engine.threads import processors  # noqa: E402

CLUSTERS, WRONG = 32, 0.1
"""Around how many centers, each with a label, the rows are, and how many labels are turned around:
a learner errs on every fifth row or so."""


def stream(rows, features, dtype, seed=0):
    """Rows of length about 1, all of whose features are filled, and labels of -1 and +1."""
    rng = np.random.default_rng(seed)
    centers, which = rng.normal(size=(CLUSTERS, features)), rng.integers(CLUSTERS, size=rows)
    X = (centers[which] + rng.normal(size=(rows, features))) / np.sqrt(2 * features)
    signs = np.where((which % 2 == 0) ^ (rng.random(rows) < WRONG), 1.0, -1.0)
    return X.astype(dtype), signs


def best_times(name, budget, features, dtype, threads, turns):
    """Seconds for a row by number of threads, of the learner and of the bare evaluation."""
    rows = 1024 if budget * features > 1e6 else 2048
    X, signs = stream(rows + max(8192, 3 * budget), features, dtype)
    learner, _ = filled(name, budget, X[rows:], signs[rows:], 0.5)
    supports = np.ascontiguousarray(learner.supports)
    bare = dense_evaluation(supports, X[:rows], block_length(learner), 0.5)
    makers = {}
    for count in threads:
        makers["learner", count] = partial(_limited_run, count, learner, X[:rows], signs[:rows])
        makers["bare", count] = partial(limited, count, bare)
    best = {}
    for key, _, seconds in in_turns(makers, turns):
        best[key] = min(best.get(key, np.inf), seconds / rows)
    return best


def _limited_run(count, learner, rows, labels):
    return limited(count, a_run(learner, rows, labels))


def numbers(kind):
    """A list in one argument."""
    return lambda text: [kind(each) for each in text.split(",")]


def main():
    """Print a line for each learner, budget, width and dtype."""
    tried = [count for count in (1, 2, 4, 8, 16) if count <= processors()]
    parser = argparse.ArgumentParser(description=__doc__)
    learners = ["RandomizedBudgetPerceptron", "Forgetron"]
    parser.add_argument("--learners", type=numbers(str), default=learners)
    parser.add_argument("--budgets", type=numbers(int), default=[500, 1000, 5000])
    parser.add_argument("--features", type=numbers(int), default=[123, 784])
    parser.add_argument("--dtypes", type=numbers(str), default=["float64", "float32"])
    parser.add_argument("--threads", type=numbers(int), default=tried)
    parser.add_argument("--turns", type=int, default=5)
    chosen, start = parser.parse_args(), perf_counter()
    counts = chosen.threads
    print(f"us a row; with n threads: times as fast as with {counts[0]}, and time over bare")
    each = product(chosen.features, chosen.budgets, chosen.learners)
    for features, budget, name in each:
        double = None
        for dtype in chosen.dtypes:
            with threadpool_limits(max(counts)):
                best = best_times(name, budget, features, dtype, counts, chosen.turns)
            one = best["learner", counts[0]]
            double = one if dtype == "float64" else double
            line = [f"{name:27} {budget:6} {features:4} {dtype} {one * 1e6:7.1f}"]
            for count in counts:
                ours, bare = best["learner", count], best["bare", count]
                line.append(f"{count:2}: {one / ours:5.2f} x {ours / bare:5.2f}")
            if dtype != "float64" and double:
                line.append(f"over float64: {double / one:.2f}")
            print(" | ".join(line), flush=True)
    print(f"{perf_counter() - start:.0f} s in all, the first runs compiled")


if __name__ == "__main__":
    main()
