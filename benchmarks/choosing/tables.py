"""The tables and pictures of docs/choosing.md, by the names of their places there."""

from __future__ import annotations

from ..showing import Curves, Exhibit, Table, grouped

__all__ = ["BUDGETS", "DTYPES", "FACTORS", "LINEAR", "PICTURED", "show"]

LINEAR = "linear"
BUDGETS = (100, 500)
DTYPES = ("float64", "float32")
PICTURED = ("a9a", "MNIST", "Elec2")
FACTORS = ("1/16", "1/4", "1", "4", "16", "64")
"""Of gamma, times one over the squared length of a row."""


def show(records):
    """All of them, of whatever was measured."""
    measured = Measured(records)
    return Exhibit(
        [
            _streams(measured),
            *(_errors(measured, budget) for budget in (*BUDGETS, None)),
            _supports(measured),
            _speeds(measured),
            _gammas(measured),
            _dtypes(measured),
            *(_curves(measured, name) for name in PICTURED if name in measured.streams),
        ]
    )


class Measured:
    """The records, by what they are of.

    Attributes
    ----------
    streams : dict
        What is known of each.
    names : dict
        The learners, by budget; None for those without.
    dtypes : list
    """

    def __init__(self, records):
        kinds = {what: own for (what,), own in grouped(records, "what").items()}
        runs = kinds["run"]
        self.streams = {record["stream"]: record for record in kinds["stream"]}
        self.dtypes = kinds.get("dtype", [])
        self.names = {
            budget: [*dict.fromkeys(run["learner"] for run in own if run["learner"] != LINEAR)]
            for (budget,), own in grouped(runs, "budget").items()
        }
        self._runs = {(run["learner"], run["budget"], run["stream"]): run for run in runs}

    def of(self, value, learner, budget, stream):
        """A value of a run, or None if there was none."""
        return self._runs.get((learner, budget, stream), {}).get(value)

    def errors(self, budget, stream):
        """Of all learners with this budget."""
        errors = [self.of("error", name, budget, stream) for name in self.names[budget]]
        return [error for error in errors if error is not None]


def _streams(measured):
    def line(name, facts):
        least = [min(measured.errors(it, name), default=None) for it in (*BUDGETS, None)]
        errors = [measured.of("error", LINEAR, None, name), *least]
        shape = (f"{facts['rows']:,}", f"{facts['features']:,}")
        simple = (_percent(facts["rarer"]), _percent(facts["last"]))
        return (name, *shape, *simple, *(_marked(error, errors) for error in errors))

    columns = ("stream", "rows", "features", "rarer class", "last label", LINEAR)
    kinds = (*(f"budget {budget}" for budget in BUDGETS), "no budget")
    return Table("streams", (*columns, *kinds), [line(*each) for each in measured.streams.items()])


def _errors(measured, budget):
    def cell(name, stream):
        error = measured.of("error", name, budget, stream)
        return _marked(error, measured.errors(budget, stream))

    last = [_percent(measured.of("error", LINEAR, None, stream)) for stream in measured.streams]
    return Table(
        f"errors with a budget of {budget}" if budget else "errors without a budget",
        ("error, %", *measured.streams),
        [*_lines(measured, measured.names[budget], cell), (LINEAR, *last)],
    )


def _supports(measured):
    def cell(name, stream):
        size = measured.of("size", name, None, stream)
        return None if size is None else f"{size:,}"

    lines = _lines(measured, measured.names[None], cell)
    return Table("supports", ("supports at the end", *measured.streams), lines)


def _speeds(measured):
    def speed(name, budget, stream):
        return _thousands(measured.of("rows_per_second", name, budget, stream))

    def at_both(name, stream):
        return " / ".join(speed(name, budget, stream) for budget in BUDGETS)

    def alone(name, stream):
        return speed(name, None, stream)

    lines = [
        *_lines(measured, measured.names[BUDGETS[0]], at_both),
        *_lines(measured, measured.names[None], alone),
        ("linear, row by row", *(alone(LINEAR, stream) for stream in measured.streams)),
    ]
    return Table("speeds", ("rows a second", *measured.streams), lines)


def _gammas(measured):
    lines = [
        (name, str(facts["gamma"]), *(_marked(error, errors) for error in errors))
        for name, facts in measured.streams.items()
        for errors in [facts["by_gamma"].values()]
    ]
    return Table("gammas", ("stream", "gamma chosen", *FACTORS), lines)


def _dtypes(measured):
    lines = []
    for (stream, learner), own in grouped(measured.dtypes, "stream", "learner").items():
        by_dtype = {record["dtype"]: record for record in own}
        speeds = [by_dtype[dtype]["rows_per_second"] for dtype in DTYPES]
        errors = [_percent(by_dtype[dtype]["error"]) for dtype in DTYPES]
        times = f"{speeds[1] / speeds[0]:.1f}"
        lines.append((f"{stream}, `{learner}`", *errors, *map(_thousands, speeds), times))
    columns = [f"{what}, {dtype}" for what in ("error", "rows a second") for dtype in DTYPES]
    return Table("dtypes", (f"budget of {BUDGETS[-1]}, dense rows", *columns, "times"), lines)


def _curves(measured, stream):
    budgets = sorted(budget for budget in measured.names if budget)
    traced = measured.names[budgets[0]]  # no others were measured at all budgets
    lines = {
        name: [(it, 100 * measured.of("error", name, it, stream)) for it in budgets]
        for name in traced
    }
    linear = 100 * measured.of("error", LINEAR, None, stream)
    lines[LINEAR] = [(budgets[0], linear), (budgets[-1], linear)]
    name = f"choosing-{stream.lower()}"
    title = f"{stream}: error against budget"
    return Curves(name, title, "budget", "error, %", lines, log_y=False, ticks=budgets)


def _lines(measured, names, cell):
    """A line for each learner, with a cell for each stream."""
    return [(f"`{name}`", *(cell(name, stream) for stream in measured.streams)) for name in names]


def _percent(error):
    return None if error is None else f"{100 * error:.1f}"


def _marked(error, errors):
    """In percent, and in bold if none of the errors is less in print."""
    least = min((it for it in errors if it is not None), default=None)
    text = _percent(error)
    return f"**{text}**" if text is not None and text == _percent(least) else text


def _thousands(number):
    if number is None:
        return ""
    return f"{number / 1000:.2g}k" if number < 100_000 else f"{number / 1000:.0f}k"
