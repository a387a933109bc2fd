"""Raw results: a file of JSON Lines for each section, the machine first, then every measurement."""

from __future__ import annotations

import json
from pathlib import Path

from .machine import described

__all__ = ["directory_of", "keep", "machine_of", "read"]

HERE = Path(__file__).parent / "results"


def directory_of(scale):
    """Where the results of a scale are kept; those of the quick one are not for the repository."""
    return HERE / scale.name


def keep(path, measurements):
    """Write measurements down as they come; they replace older ones when all are there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with open(unfinished, "w") as file:
        file.write(json.dumps({"machine": described()}) + "\n")
        for measurement in measurements:
            file.write(json.dumps(measurement) + "\n")
            file.flush()
    unfinished.replace(path)


def read(path):
    """The measurements of a section."""
    return _lines(path)[1:]


def machine_of(path):
    """What they were made on."""
    return _lines(path)[0]["machine"]


def _lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]
