"""Workloads as files, to send learners over them that are not in Python: docs/benchmarks/peers.md.

    python -m benchmarks.export WORKLOAD FILE

The rows are those of the benchmark, in its order, with labels of +1 and -1: as svmlight, or as CSV
with the label first if FILE ends so. Printed is the width of the kernel that ours begin with.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .contenders.contender import filled
from .scale import SCALES
from .workloads import WORKLOADS

__all__ = ["main", "write_csv", "write_svmlight"]


def main(arguments=None):
    """Write one, and say what it is."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    stream = WORKLOADS[options.workload].stream(SCALES["usual"].rows)
    write = write_csv if options.file.suffix == ".csv" else write_svmlight
    with open(options.file, "w") as file:
        write(stream, file)
    rows, features = stream.X.shape
    data = "" if stream.is_real else ", a stand-in: the data files are not there"
    print(f"{rows} rows of {features} features{data}; gamma {stream.gamma:g}")


def write_svmlight(stream, file):
    """What is not 0, by the number of its column, from 1 on."""
    for (names, values), label in zip(filled(stream.X), _signs(stream), strict=True):
        pairs = (f"{int(name) + 1}:{value!r}" for name, value in zip(names, values, strict=True))
        file.write(" ".join([f"{label:+d}", *pairs]) + "\n")


def write_csv(stream, file):
    """All values, the label first."""
    for row, label in zip(stream.X, _signs(stream), strict=True):
        values = row.toarray()[0] if stream.is_sparse else row
        file.write(",".join([f"{label:+d}", *map(repr, values.tolist())]) + "\n")


def _signs(stream):
    return [1 if label else -1 for label in stream.y.tolist()]


if __name__ == "__main__":
    main()
