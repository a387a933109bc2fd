"""Errors against memory, and against speed."""

from __future__ import annotations

from math import isclose

from ..contenders.ours import FLAGSHIP
from ..sections.contest import best_of
from ..showing import Line, Picture
from .names import FOREST, LINEAR, LOOKS, OWN, followed, pictured, ranging, two_digits

__all__ = ["against_memory", "against_speed"]

BYTES = 8
"""Of a number."""
FEWEST = 1000
"""Who does not get through so many rows is not in the picture."""
IN_WORDS = OWN, LINEAR, FOREST

MEMORY = """\
Each learner has the memory of 50, 100 or 1,000 rows; a linear model takes what it needs. Memory
that is full stays as it is, however long the stream: B rows, and for `Budgetron` two matrices of
B x B."""
SPEED = """\
One core, in batches if a learner takes them, over the same rows: as many as the slowest got through
in its time. Further right is faster, lower is better. In words, Budgetron has the memory of 100
rows."""


def against_memory(fields):
    """Of those who saw the whole stream and keep a known number of numbers."""
    panels, words = {}, []
    for workload, runs in pictured(fields).items():
        lines = {}
        for name, own in followed(runs).items():
            whole = [run for run in own if run.is_whole and run.facts["numbers"]]
            shown = [best_of(whole)] if whole and name == LINEAR else whole
            points = {run.facts["numbers"] * BYTES / 1000: _percent(run, run.rows) for run in shown}
            if points:
                lines[name] = Line(LOOKS[name], sorted(points.items()))
        if lines:
            panels[workload] = lines
            words += _with_little(workload, lines)
    if not panels:
        return []
    picture = Picture(
        "front-memory",
        "Mistakes against memory, for Budgetron and others",
        "memory, kilobytes",
        "mistakes, %",
        panels,
        log_y=False,
    )
    return ["## Error against memory", MEMORY, "\n".join(words), picture]


def _with_little(workload, lines):
    """The errors of all that have about the memory of 100 rows, as Budgetron has in between."""
    if OWN not in lines:
        return
    sizes = [size for size, _ in lines[OWN].points]
    size = _middle(sizes)
    errors = {
        name: error
        for name, line in lines.items()
        for other, error in line.points
        if isclose(size, other, rel_tol=0.05)
    }
    told = (f"{name} {errors[name]:.1f} %" for name in sorted(errors, key=errors.get))
    yield f"- On {workload}, in {two_digits(size)} kB: {', '.join(told)}."


def against_speed(fields):
    """Of all who got through as many rows."""
    panels, words = {}, []
    for workload, runs in pictured(fields).items():
        found = followed([run for run in runs if run.rows >= FEWEST])
        if not found:
            continue
        rows = min(max(run.rows for run in own) for own in found.values())
        lines = {}
        for name, own in found.items():
            there = [run for run in own if run.at(rows)]
            if name == LINEAR:
                there = [min(there, key=lambda run: run.mistakes(rows))]
            points = [(run.speed(rows), _percent(run, rows)) for run in there]
            lines[name] = Line(LOOKS[name], points)
        is_whole = rows == runs[0].facts["rows"]
        panels[workload if is_whole else f"{workload}, the first {rows:,} rows"] = lines
        told = (
            f"{name} {error:.1f} % at {two_digits(speed)} rows a second"
            for name in IN_WORDS
            if name in lines
            for speed, error in [_middle(lines[name].points)]
        )
        words.append(f"- On {workload}: {', '.join(told)}.")
    if not panels:
        return []
    picture = Picture(
        "front-speed",
        "Mistakes against rows a second, for Budgetron and others",
        "rows a second",
        "mistakes, %",
        panels,
        log_y=False,
    )
    return ["## Error against speed", SPEED, "\n".join([*words, *_row_by_row(fields)]), picture]


def _row_by_row(fields):
    speeds = [
        run.speed(run.rows)
        for runs in fields.values()
        for run in runs
        if run.facts.get("learner") == FLAGSHIP and run.facts["at_once"] == 1
    ]
    if speeds:
        yield (
            f"- A row at a time, by `predict_one` and `learn_one`: Budgetron {ranging(speeds)} rows"
            " a second, depending on the stream."
        )


def _middle(values):
    """Of those with less and more memory."""
    return values[(len(values) - 1) // 2]


def _percent(run, rows):
    return 100 * run.mistakes(rows) / rows
