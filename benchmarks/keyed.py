"""Learners behind keys: rows a second while they are at work, and a million of them on disk.

    python -m benchmarks.keyed [--keys 1000000] [--live 20000] [--learner Forgetron] ...

First, all learners are in memory, and batches come with ten rows of each key. Then rows come one
by one, as on Spark, to a learner that is at hand, or that is made of bytes first and bytes of it
afterwards, once in ten rows. Then there are more keys than may be in memory: each gets ten rows,
and some come again. That takes minutes, and some gigabytes of disk.
"""

from __future__ import annotations

import argparse
import tempfile
from time import perf_counter, process_time

import numpy as np
from sklearn.base import clone

import budgetron
from budgetron.keyed import KeyedClassifier

from . import resident

__all__ = ["main", "measure_eviction", "measure_state", "measure_warm"]

WIDTH, ROWS = 10, 10
IN_A_BATCH = 1000
CLASSES = [-1, 1]


def batch(keys, rng):
    """Ten rows of each key, in any order; what a label means differs from key to key."""
    whose = rng.permutation(np.repeat(keys, ROWS))
    X = rng.normal(size=(len(whose), WIDTH))
    curved = X[:, 0] * (-1) ** whose + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=len(whose))
    return X, np.where(curved > 0, 1, -1), whose


def measure_warm(estimator, *, keys=IN_A_BATCH, batches=10, filling=10):
    """Seconds of the processor for each row, of full learners that are all in memory."""
    rng, keyed = np.random.default_rng(0), KeyedClassifier(estimator)
    for _ in range(filling):
        X, y, whose = batch(np.arange(keys), rng)
        keyed.partial_fit(X, y, CLASSES, keys=whose)
    seconds = []
    for _ in range(batches):
        X, y, whose = batch(np.arange(keys), rng)
        start = process_time()
        keyed.partial_fit(X, y, keys=whose)
        seconds.append(process_time() - start)
    return {"rows_per_second": keys * ROWS / float(np.median(seconds)), "keys": keys}


def measure_state(estimator, *, filling=2000, touches=50):
    """Bytes of a full learner, and how long it takes to save, to load, and to ask and learn."""
    X, y, _ = batch(np.zeros(filling // ROWS, int), np.random.default_rng(2))
    learner = clone(estimator).partial_fit(X, y, CLASSES)
    data = learner.dumps()
    seconds = {"save": [], "load": [], "rows": []}
    for first in range(0, touches * ROWS, ROWS):
        start = process_time()
        learner = budgetron.loads(data)
        loaded = process_time()
        for x, label in zip(X[first : first + ROWS], y[first : first + ROWS].tolist(), strict=True):
            learner.ask_one(x)
            learner.learn_one(x, label)
        learned = process_time()
        data = learner.dumps()
        for name, since, until in (
            *(("load", start, loaded), ("rows", loaded, learned)),
            ("save", learned, process_time()),
        ):
            seconds[name].append(until - since)
    save, load, rows = (1e6 * float(np.median(seconds[name])) for name in ("save", "load", "rows"))
    return {
        "bytes": len(data),
        "microseconds_to_save": save,
        "microseconds_to_load": load,
        "microseconds_a_row": rows / ROWS,
        "microseconds_a_row_loaded_and_saved": (save + load + rows) / ROWS,
    }


def measure_eviction(estimator, directory, *, keys, live):
    """How long it takes to have so many learners, and how much memory, if few may be in it."""
    rng = np.random.default_rng(1)
    keyed, known = KeyedClassifier(estimator, live=live, evict=directory), resident.is_known()
    X, y, whose = batch(np.arange(IN_A_BATCH), rng)
    KeyedClassifier(clone(estimator)).partial_fit(X, y, CLASSES, keys=whose)  # compiles
    before = resident.present() if known else 0
    if known:
        resident.forget_the_peak()
    start = perf_counter()
    for first in range(0, keys, IN_A_BATCH):
        X, y, whose = batch(np.arange(first, min(keys, first + IN_A_BATCH)), rng)
        keyed.partial_fit(X, y, CLASSES, keys=whose)
    filled = perf_counter()
    again = max(1, keys // (20 * IN_A_BATCH))
    for _ in range(again):
        X, y, whose = batch(rng.choice(keys, min(keys, IN_A_BATCH), replace=False), rng)
        keyed.partial_fit(X, y, keys=whose)
    seconds = perf_counter() - filled
    return {
        "keys": len(keyed),
        "live": keyed.n_live_,
        "megabytes": (resident.peak() - before) / 2**20 if known else None,
        "megabytes_on_disk": keyed.bytes_on_disk_ / 2**20,
        "new_keys_per_second": keys / (filled - start),
        "rows_per_second_from_disk": again * min(keys, IN_A_BATCH) * ROWS / seconds,
    }


def main(arguments=None):
    options = _parser().parse_args(arguments)
    estimator = getattr(budgetron, options.learner)(budget=options.budget, random_state=0)
    warm = measure_warm(estimator, keys=min(options.keys, IN_A_BATCH))
    print(f"{estimator}, {WIDTH} features, {ROWS} rows of each key in a batch")
    print(f"at work: {warm['rows_per_second']:,.0f} rows/s on one core, {warm['keys']:,} keys")
    told = measure_state(estimator)
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        told |= measure_eviction(estimator, directory, keys=options.keys, live=options.live)
    for name, value in told.items():
        print(f"{name.replace('_', ' ')}: {'not known' if value is None else f'{value:,.0f}'}")


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.keyed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--live", type=int, default=20_000)
    parser.add_argument("--learner", default="Forgetron")
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--directory", help="on a disk with room for them")
    return parser


if __name__ == "__main__":
    main()
