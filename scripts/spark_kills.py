"""Kill Spark again and again while it learns a stream, and compare with one process.

    python scripts/spark_kills.py [--keys 10000] [--rows 1000000] [--kills 10] ...

A learner for each key goes over Parquet files on Spark: a driver, its JVM, and an executor for each
core, with a Python worker each. At random moments one of them is killed (-9), and whatever does not
go on by itself is started again from the checkpoint. Files come into view as the kills go on, so
that there are rows left for each of them, however fast or slow the machine is. In the end every
prediction and every learner is compared with those of a loop over all rows in one process: to the
last bit. It needs `pip install 'budgetron[spark]'`, and Java 17 or newer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter, sleep

import numpy as np
import pandas as pd

import budgetron

FEATURES = [f"x{place}" for place in range(10)]
CLASSES = ["no", "yes"]
SCHEMA = "number long, key string, label string, " + ", ".join(f"{x} double" for x in FEATURES)
VICTIMS = "executor", "driver", "worker", "JVM"
STATE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
PATIENCE = 600
"""Seconds to wait for a micro-batch; then something is wrong."""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=50_000, help="rows of a micro-batch")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--learner", default="Forgetron")
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the data and of the moments")
    parser.add_argument("--folder", type=Path, help="where to put everything, and leave it")
    parser.add_argument("--drive", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.drive:
        drive(options)
        return
    if batches(options) < 2 * options.kills:
        parser.error(
            "there are to be two micro-batches for each kill: fewer rows in each, or kills"
        )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("asked to end"))  # and Spark with it
    is_left = options.folder is not None
    options.folder = (options.folder or Path(mkdtemp(prefix="budgetron-spark-"))).resolve()
    if not survives(options):
        sys.exit(f"what there is to see is in {options.folder}")
    if not is_left:
        shutil.rmtree(options.folder)


def survives(options):
    """Whether Spark says what one process says, whatever is killed."""
    rows = make_rows(options)
    write_rows(rows, options)
    start = perf_counter()
    predictions, learners = in_one_process(rows, options)
    alone = perf_counter() - start
    print(f"one process: {len(rows) / alone:,.0f} rows/s, {len(learners):,} keys", flush=True)
    start, recoveries = perf_counter(), killed_on_the_way(options)
    taken = perf_counter() - start
    wrong, others = compared(predictions, learners, options)
    report(options, len(rows), taken, recoveries)
    print(
        f"{wrong:,} of {len(rows):,} predictions differ, {others:,} of {len(learners):,} learners"
    )
    return wrong == others == 0


def make_rows(options):
    """Keys that are not equally frequent, each with a border of its own; a tenth has no label."""
    rng = np.random.default_rng(options.seed)
    keys = (options.keys * rng.random(options.rows) ** 1.5).astype(int)
    X = rng.normal(size=(options.rows, len(FEATURES)))
    borders = rng.normal(size=(options.keys, 2))
    y = X[:, 0] * borders[keys, 0] + X[:, 1] * X[:, 2] * borders[keys, 1] > 0
    frame = pd.DataFrame(X, columns=FEATURES)
    frame.insert(0, "number", np.arange(options.rows))
    frame.insert(1, "key", [f"customer {key}" for key in keys.tolist()])
    labels = np.where(y, CLASSES[1], CLASSES[0]).astype(object)
    labels[rng.random(options.rows) < 0.1] = None
    frame.insert(2, "label", labels)
    return frame


def write_rows(rows, options):
    """A file for each micro-batch, its rows in any order; none is in view."""
    for name in ("rows", "later"):
        (options.folder / name).mkdir(parents=True)
    for number, first in enumerate(range(0, len(rows), options.batch)):
        path = options.folder / "later" / f"{number:05}.parquet"
        some = rows[first : first + options.batch].sample(frac=1.0, random_state=number)
        some.to_parquet(path, index=False)
        os.utime(path, (1e9 + number, 1e9 + number))  # by which Spark sorts files


def show(options, many):
    """Have the first so many files in view."""
    for path in (options.folder / "later").iterdir():
        if int(path.stem) < many:
            path.rename(options.folder / "rows" / path.name)


def new_learner(options):
    return getattr(budgetron, options.learner)(budget=options.budget, random_state=0)


def in_one_process(rows, options):
    """The loop that Spark has to equal: what it says of every row, and the learners at the end."""
    learners, said = {}, []
    each = zip(rows["key"], rows["label"], rows[FEATURES].to_numpy(), strict=True)
    for key, label, x in each:
        learner = learners.get(key)
        if learner is None:
            learner = learners[key] = new_learner(options)
        asked = learner.ask_one(x)
        said.append((asked.label, None if asked.label is None else asked.score))
        if label is not None and asked.label is None:
            learner.partial_fit(x[None], [label], CLASSES)
        elif label is not None:
            learner.learn_one(x, label)
    return said, {key: own for key, own in learners.items() if hasattr(own, "classes_")}


def drive(options):
    """What a user would write; and at its end a file with all that is to be compared."""
    from pyspark.sql import SparkSession

    from budgetron import spark

    session = (
        SparkSession.builder.master(f"local-cluster[{options.cores},1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", options.cores)
        .config("spark.sql.streaming.stateStore.providerClass", STATE)
        .config("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")
        .config("spark.shuffle.io.maxRetries", 1)  # whom it asks has been killed
        .config("spark.shuffle.io.retryWait", "1s")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    place = options.folder
    stream = session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
    predictions = spark.learn_stream(
        stream.parquet(str(place / "rows")),
        new_learner(options),
        key="key",
        label="label",
        features=FEATURES,
        order="number",
        classes=CLASSES,
    )
    query = predictions.writeStream.option("checkpointLocation", str(place / "checkpoint")).start(
        str(place / "predictions"), format="parquet"
    )
    told, last, parent = -1, batches(options) - 1, os.getppid()
    with open(place / "progress.jsonl", "a") as file:
        while told < last:
            for progress in query.recentProgress:
                if progress["batchId"] > told and progress["numInputRows"] > 0:
                    seconds = progress["durationMs"]["triggerExecution"] / 1e3
                    line = {"rows": progress["numInputRows"], "seconds": seconds}
                    file.write(json.dumps(line | {"is_first": told < 0}) + "\n")
                    file.flush()
                    told = progress["batchId"]
            if os.getppid() != parent:
                sys.exit("nobody waits for this any more")
            query.awaitTermination(0.1)  # raises what stopped it
    query.stop()
    said = session.read.parquet(str(place / "predictions"))
    said = said.select("number", "prediction", "score")
    said.write.parquet(str(place / "said"), mode="overwrite")
    models = spark.models(session, place / "checkpoint")
    models.write.parquet(str(place / "models"), mode="overwrite")


class Cluster:
    """A driver, its JVM, its executors and their Python workers: all processes of one session."""

    def __init__(self, options):
        program, *arguments = sys.argv
        own = [str(Path(program).resolve()), *arguments, "--folder", str(options.folder), "--drive"]
        environment = os.environ | {
            "OPENBLAS_NUM_THREADS": "1",
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_HOME": str(spark_home(options.folder / "spark")),
            "SPARK_LOCAL_DIRS": str(options.folder / "local"),
            "SPARK_LOCAL_HOSTNAME": "localhost",  # of a machine whose own name leads nowhere
        }
        self.log = options.folder / "driver.log"
        with open(self.log, "a") as log:
            self.driver = subprocess.Popen(
                [sys.executable, *own],
                env=environment,
                cwd=options.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def processes(self):
        """The parent and the command of each that has not ended, by its number."""
        found = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                state, parent, _, session = (
                    (path / "stat").read_text().rpartition(")")[2].split()[:4]
                )
                command = (path / "cmdline").read_text()
            except OSError:  # it has just ended
                continue
            if int(session) == self.driver.pid and state not in "ZX":
                found[int(path.name)] = int(parent), command
        return found

    def kill(self, victim, moments):
        """Whether there was one to be killed."""
        found = self.processes()
        daemons = {own for own, (_, command) in found.items() if "pyspark.daemon" in command}
        executors = {own for own, (_, command) in found.items() if "ExecutorBackend" in command}
        chosen = {
            "driver": [self.driver.pid],
            "JVM": [own for own, (_, command) in found.items() if "SparkSubmit" in command],
            "executor": sorted(executors),
            "worker": sorted(own for own in daemons if found[own][0] in daemons),
        }[victim]
        try:
            os.kill(moments.choice(chosen), signal.SIGKILL)
        except (IndexError, ProcessLookupError):  # there is none yet, or it has just ended
            return False
        return True

    def wait_for(self, is_so):
        """Wait until something is so; if the driver ends before, or nothing happens, say why."""
        start = perf_counter()
        while not is_so():
            ended, is_late = self.driver.poll() is not None, perf_counter() - start > PATIENCE
            if (ended or is_late) and not is_so():
                what = f"ended with {self.driver.returncode}" if ended else f"hung for {PATIENCE} s"
                last = "".join(self.log.read_text(errors="replace").splitlines(True)[-30:])
                raise RuntimeError(f"the driver {what}; its last lines:\n{last}")
            sleep(0.02)

    def end(self):
        """Nothing of it is left."""
        while left := self.processes():
            for own in left:
                try:
                    os.kill(own, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            self.driver.poll()
            sleep(0.05)


def spark_home(place):
    """What pip has installed, in a folder where executors may write."""
    if not place.exists():
        place.mkdir()
        for path in Path(find_spec("pyspark").origin).parent.iterdir():
            (place / path.name).symlink_to(path)
    return place


def killed_on_the_way(options):
    """Seconds from each kill to the next micro-batch, by victim."""
    moments, recoveries = random.Random(options.seed), []
    stretch = batches(options) // options.kills
    cluster = Cluster(options)
    try:
        for kill, victim in zip(range(options.kills), cycle(VICTIMS), strict=False):
            last = stretch * (kill + 1)
            show(options, last - 1)  # and one more when somebody has been killed, to go on with
            goal = last - moments.randrange(1, stretch)
            cluster.wait_for(_more_than(goal - 2, options))
            cluster.wait_for(_random_moment(moments, options))
            cluster.wait_for(partial(cluster.kill, victim, moments))
            start = perf_counter()
            if victim in ("driver", "JVM"):
                cluster.end()
                cluster = Cluster(options)
            before = _committed(options)
            show(options, last)
            cluster.wait_for(_more_than(before, options))
            recoveries.append((victim, perf_counter() - start))
            print(f"{victim} killed, next micro-batch after {recoveries[-1][1]:.1f} s", flush=True)
        show(options, batches(options))
        cluster.wait_for(lambda: cluster.driver.poll() == 0)
        return recoveries
    finally:
        cluster.end()


def batches(options):
    """How many micro-batches there are to be, of a file each."""
    return -(-options.rows // options.batch)


def _committed(options):
    """Micro-batches that are whole."""
    place = options.folder / "checkpoint" / "commits"
    numbers = [int(path.name) for path in place.glob("[0-9]*")] if place.exists() else []
    return max(numbers, default=-1) + 1


def _more_than(many, options):
    """Says whether so many micro-batches are whole, and one more."""
    return lambda: _committed(options) > many


def _random_moment(moments, options):
    """Says whether it has come: some time in a micro-batch, or that one is whole already."""
    seconds = [it["seconds"] for it in _progress(options) if not it["is_first"]]
    end = perf_counter() + moments.uniform(0.0, np.median(seconds) if seconds else 1.0)
    is_whole = _more_than(_committed(options), options)
    return lambda: perf_counter() >= end or is_whole()


def _progress(options):
    path = options.folder / "progress.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def compared(predictions, learners, options):
    """How many predictions and how many learners are not the same, to the last bit."""
    said = pd.read_parquet(options.folder / "said").sort_values("number")
    models = pd.read_parquet(options.folder / "models")
    if said["number"].tolist() != [*range(len(predictions))]:
        print(f"{len(said):,} rows were predicted, and there are {len(predictions):,}")
        return len(predictions), len(learners)
    found = zip(said["prediction"], said["score"].astype(object), strict=True)
    wrong = sum(
        label != own or (own is not None and score != f)
        for (label, score), (own, f) in zip(found, predictions, strict=True)
    )
    kept = {key: bytes(model) for key, model in zip(models["key"], models["model"], strict=True)}
    alone = {key: own.dumps() for key, own in learners.items()}
    return wrong, sum(kept.get(key) != alone.get(key) for key in {*kept, *alone})


def report(options, rows, taken, recoveries):
    rates = [it["rows"] / it["seconds"] for it in _progress(options) if not it["is_first"]]
    models = pd.read_parquet(options.folder / "models")["model"].map(len)
    stored = sum(path.stat().st_size for path in (options.folder / "checkpoint").rglob("*.*"))
    print(f"Spark, {options.cores} cores: {np.median(rates):,.0f} rows/s, the median micro-batch;")
    print(f"{rows / taken:,.0f} rows/s with {len(recoveries)} kills, starts included")
    print(f"state: {models.mean():,.0f} bytes a key, {models.sum() / 1e6:.1f} MB, and")
    print(f"{stored / 1e6:.1f} MB of checkpoint")
    for victim in VICTIMS:
        own = [seconds for each, seconds in recoveries if each == victim]
        if own:
            print(f"{victim}: {len(own)} kills, {np.mean(own):.1f} s to the next micro-batch,")
            print(f"{max(own):.1f} s at most")


if __name__ == "__main__":
    main()
