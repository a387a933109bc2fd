"""Measure every learner on eight streams, for docs/choosing.md.

    python scripts/measure_learners.py

Reads the data from ``$BUDGETRON_DATA`` (see `budgetron.datasets`). Needs Matplotlib and
threadpoolctl: ``pip install '.[cli,report]'``.

What has been measured is in docs/measured.json and is not measured again: delete the file, or a
part of it, to do so. Then the tables of docs/choosing.md, between their markers, and the picture
docs/budgets.svg are made from it; ``--page`` does only that. Takes a quarter of an hour.

One gamma is chosen for each stream, on its beginning, and so is the linear model's loss; all
learners but Budgetron, which chooses its own, get that gamma, and otherwise their defaults. Errors
are the same in every run. Speeds
are not: they are kept with two digits.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

import budgetron
from budgetron import datasets, prequential
from budgetron.evaluation.race import on_a_budget
from budgetron.kernels import linear
from budgetron.papers.report.looks import COLOURS
from budgetron.papers.report.pictures import STYLE

DOCS = Path(__file__).resolve().parents[1] / "docs"
MEASURED = DOCS / "measured.json"
PAGE = DOCS / "choosing.md"
PICTURE = DOCS / "budgets.svg"

BUDGETS = (100, 500)
ON_THE_WAY = (25, 50, 100, 200, 400, 800)
CHOSEN_ON = 2000  # rows at most, and a quarter of the stream
FACTORS = (1 / 16, 1 / 4, 1, 4, 16, 64)
SHORT = 10_000  # longer streams leave a growing second-order learner too many supports to solve for

STREAMS = {
    "a9a": datasets.load_a9a,
    "w8a": datasets.load_w8a,
    "MNIST": lambda: datasets.load_mnist().against_rest(datasets.mnist_problems()[0]),
    "Elec2": datasets.load_elec2,
    "spam": datasets.load_spam,
    "spam (Katakis)": datasets.load_spam_katakis,
    "Usenet 1": datasets.load_usenet1,
    "Usenet 2": datasets.load_usenet2,
}
LONGEST = {"MNIST": 20_000}
SORTED = ("w8a",)  # by class in the file: shuffled here
GROWING = (
    budgetron.Perceptron(),
    budgetron.ShiftingPerceptron(),
    budgetron.ExponentialDecayPerceptron(),
    budgetron.PassiveAggressive(),
    budgetron.PassiveAggressiveI(),
    budgetron.PassiveAggressiveII(),
)
GROWING_AND_SOLVING = (
    budgetron.SecondOrderPerceptron(),
    budgetron.AdaptiveSecondOrderPerceptron(),
)
LINEAR = {
    "hinge": SGDClassifier(random_state=0),
    "logistic": SGDClassifier(loss="log_loss", random_state=0),
    "PA-I, C = 0.01": SGDClassifier(penalty=None, learning_rate="pa1", eta0=0.01, random_state=0),
}
TRACED = (
    budgetron.RandomizedBudgetPerceptron,
    budgetron.Forgetron,
    budgetron.Projectron,
    budgetron.ProjectronPlusPlus,
)
DTYPES, DENSE = ("float64", "float32"), ("a9a", "MNIST")
PICTURED = ("a9a", "MNIST", "Elec2")


@dataclass
class Stream:
    """Rows and labels, in order."""

    name: str
    X: object
    y: np.ndarray

    def first(self, rows):
        return Stream(self.name, self.X[:rows], self.y[:rows])


def loaded(name):
    data = STREAMS[name]()
    stream = Stream(name, data.X, data.y).first(LONGEST.get(name))
    if name in SORTED:
        order = np.random.default_rng(0).permutation(len(stream.y))
        stream = Stream(name, stream.X[order], stream.y[order])
    return stream


def of_two_digits(number):
    return float(f"{number:.2g}")


def measured(learner, stream):
    """Error, largest size and speed of a learner of the package; compiling is not counted."""
    prequential(clone(learner), stream.X[:300], stream.y[:300])
    learner, start = clone(learner), perf_counter()
    trace = prequential(learner, stream.X, stream.y)
    seconds = perf_counter() - start
    return {
        "error": round(float(trace.mistakes.mean()), 5),
        "size": int(trace.sizes.max()),
        "rows_per_second": of_two_digits(len(stream.y) / seconds),
    }


def measured_linear(model, stream):
    """The same for a model of scikit-learn, a row at a time, with its checks left out."""
    model, wrong, classes = clone(model), 0, np.unique(stream.y)
    start = perf_counter()
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for t in range(len(stream.y)):
            x, label = stream.X[t : t + 1], stream.y[t : t + 1]
            wrong += t == 0 or model.predict(x)[0] != label[0]
            model.partial_fit(x, label, classes)
    seconds = perf_counter() - start
    return {
        "error": round(wrong / len(stream.y), 5),
        "size": None,
        "rows_per_second": of_two_digits(len(stream.y) / seconds),
    }


def choices(stream):
    """Gamma and the linear loss, chosen on the beginning of the stream."""
    beginning = stream.first(min(CHOSEN_ON, len(stream.y) // 4))
    scale = 1 / float(np.median(linear().diagonal(beginning.X[:200])))
    gammas = [of_two_digits(scale * factor) for factor in FACTORS]
    errors = [measured(budgetron.Perceptron(gamma=gamma), beginning)["error"] for gamma in gammas]
    losses = {name: measured_linear(model, beginning)["error"] for name, model in LINEAR.items()}
    return {
        "rows": len(stream.y),
        "features": int(stream.X.shape[1]),
        "commoner": round(float(np.bincount(stream.y).min() / len(stream.y)), 5),
        "last": round(float((stream.y[1:] != stream.y[:-1]).mean()), 5),
        "gamma": gammas[int(np.argmin(errors))],
        "linear": min(losses, key=losses.get),
        "by_gamma": dict(zip(map(str, gammas), errors, strict=True)),
    }


def learners(stream):
    """All that go over it, each with its name and budget."""
    for budget in BUDGETS:
        for learner in on_a_budget(budget):
            yield type(learner).__name__, budget, learner
    for learner in GROWING:
        yield type(learner).__name__, None, learner
    if len(stream.y) <= SHORT:
        for learner in GROWING_AND_SOLVING:
            yield type(learner).__name__, None, learner
    if stream.name in PICTURED:
        for kind in TRACED:
            for budget in ON_THE_WAY:
                drawn = {"random_state": 0} if kind is budgetron.RandomizedBudgetPerceptron else {}
                yield kind.__name__, budget, kind(budget=budget, **drawn)


def measure():
    done = json.loads(MEASURED.read_text()) if MEASURED.exists() else {"streams": {}, "runs": []}
    known = {(run["stream"], run["learner"], run["budget"]) for run in done["runs"]}

    def keep(stream, learner, budget, outcome):
        known.add((stream, learner, budget))
        done["runs"].append({"stream": stream, "learner": learner, "budget": budget, **outcome})
        write(done)
        print(stream, learner, budget, outcome, flush=True)

    for name in STREAMS:
        stream = loaded(name)
        if name not in done["streams"]:
            done["streams"][name] = choices(stream)
            print(name, done["streams"][name], flush=True)
        facts = done["streams"][name]
        for kind, budget, learner in learners(stream):
            if (name, kind, budget) not in known:
                if learner.gamma != "auto":
                    learner.set_params(gamma=facts["gamma"])
                keep(name, kind, budget, measured(learner, stream))
        if (name, "linear", None) not in known:
            keep(name, "linear", None, measured_linear(LINEAR[facts["linear"]], stream))
    measure_dtypes(done)


def compare_dtypes(stream, learner):
    """Both dtypes in turn, and the best speed of three of each."""
    outcome = {"stream": stream.name, "learner": type(learner).__name__}
    for _ in range(3):
        for dtype in DTYPES:
            run = measured(clone(learner).set_params(dtype=dtype), stream)
            outcome[f"error_{dtype}"] = run["error"]
            speed = f"rows_per_second_{dtype}"
            outcome[speed] = max(outcome.get(speed, 0.0), run["rows_per_second"])
    return outcome


def measure_dtypes(done):
    if "dtypes" in done:
        return
    done["dtypes"] = []
    for name in DENSE:
        stream = loaded(name)
        if issparse(stream.X):
            stream = Stream(name, stream.X.toarray(), stream.y)
        for learner in (
            budgetron.RandomizedBudgetPerceptron(random_state=0),
            budgetron.Forgetron(),
        ):
            learner.set_params(budget=500, gamma=done["streams"][name]["gamma"])
            done["dtypes"].append(compare_dtypes(stream, learner))
            print(done["dtypes"][-1], flush=True)
    write(done)


def write(done):
    """JSON with a line for each stream and run."""
    streams = [f"{json.dumps(name)}: {json.dumps(it)}" for name, it in done["streams"].items()]
    parts = [f'"streams": {{\n{listed(streams)}\n}}']
    for key in [*done][1:]:
        parts.append(f'"{key}": [\n{listed(map(json.dumps, done[key]))}\n]')
    MEASURED.write_text("{" + ", ".join(parts) + "}\n")


def listed(items):
    return ",\n".join(f"  {item}" for item in items)


class Table:
    """What was measured, by learner and budget."""

    def __init__(self, done):
        self.streams = {name: done["streams"][name] for name in STREAMS}
        self.dtypes = done["dtypes"]
        self.runs = {(run["learner"], run["budget"], run["stream"]): run for run in done["runs"]}

    def of(self, learner, budget, stream):
        return self.runs.get((learner, budget, stream))

    def names(self, budget):
        """Those with a run over every short stream, in the order of the race."""
        if budget is None:
            return [type(learner).__name__ for learner in (*GROWING, *GROWING_AND_SOLVING)]
        measured = {learner for learner, *_ in self.runs}
        return [name for it in on_a_budget(budget) if (name := type(it).__name__) in measured]

    def best(self, budget, stream):
        runs = [self.of(name, budget, stream) for name in self.names(budget)]
        return min(filter(None, runs), key=lambda run: run["error"])


def percent(error):
    return f"{100 * error:.1f}"


def thousands(number):
    return f"{number / 1000:.2g}k" if number < 100_000 else f"{number / 1000:.0f}k"


def rows_of(*rows):
    first, *others = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([first, "|---|" + "---:|" * (len(rows[0]) - 1), *others])


def streams_table(table):
    def line(name, facts):
        best = [table.best(budget, name) for budget in (*BUDGETS, None)]
        errors = [table.of("linear", None, name)["error"], *(run["error"] for run in best)]
        cells = [f"**{percent(e)}**" if e == min(errors) else percent(e) for e in errors]
        shape = (f"{facts['rows']:,}", f"{facts['features']:,}")
        return (name, *shape, *(percent(facts[key]) for key in ("commoner", "last")), *cells)

    head = ("stream", "rows", "features", "rarer class", "last label", "linear",
            "budget 100", "budget 500", "no budget")  # fmt: skip
    return rows_of(head, *(line(*each) for each in table.streams.items()))


def errors_table(budget):
    def table_of(table):
        names = table.names(budget)
        least = {
            stream: min(run["error"] for run in runs if run)
            for stream in table.streams
            for runs in [[table.of(name, budget, stream) for name in names]]
        }

        def cell(name, stream):
            run = table.of(name, budget, stream)
            if run is None:
                return ""
            error = percent(run["error"])
            return f"**{error}**" if error == percent(least[stream]) else error

        lines = [(f"`{name}`", *(cell(name, stream) for stream in table.streams)) for name in names]
        linear_line = [percent(table.of("linear", None, s)["error"]) for s in table.streams]
        return rows_of(("error, %", *table.streams), *lines, ("linear", *linear_line))

    return table_of


def sizes_table(table):
    def cell(name, stream):
        run = table.of(name, None, stream)
        return f"{run['size']:,}" if run else ""

    lines = [(f"`{name}`", *(cell(name, s) for s in table.streams)) for name in table.names(None)]
    return rows_of(("supports at the end", *table.streams), *lines)


def speeds_table(table):
    def cell(name, budget, stream):
        run = table.of(name, budget, stream)
        return thousands(run["rows_per_second"]) if run else ""

    lines = [
        (f"`{name}`", *(" / ".join(cell(name, b, s) for b in BUDGETS) for s in table.streams))
        for name in table.names(BUDGETS[0])
    ]
    lines += [
        (f"`{name}`", *(cell(name, None, s) for s in table.streams)) for name in table.names(None)
    ]
    lines.append(("linear, row by row", *(cell("linear", None, s) for s in table.streams)))
    return rows_of(("rows a second", *table.streams), *lines)


def gammas_table(table):
    def line(name, facts):
        errors = [*facts["by_gamma"].values()]
        cells = [f"**{percent(e)}**" if e == min(errors) else percent(e) for e in errors]
        return (name, str(facts["gamma"]), *cells)

    head = ("stream", "gamma chosen", *("1/16", "1/4", "1", "4", "16", "64"))
    return rows_of(head, *(line(*each) for each in table.streams.items()))


def dtypes_table(table):
    def line(measured_one):
        speeds = [measured_one[f"rows_per_second_{dtype}"] for dtype in DTYPES]
        errors = [percent(measured_one[f"error_{dtype}"]) for dtype in DTYPES]
        ratio = f"{speeds[1] / speeds[0]:.1f}"
        kind = f"`{measured_one['learner']}`"
        return (f"{measured_one['stream']}, {kind}", *errors, *map(thousands, speeds), ratio)

    head = ("budget of 500, dense rows", *(f"error, {dtype}" for dtype in DTYPES),
            *(f"rows a second, {dtype}" for dtype in DTYPES), "times")  # fmt: skip
    return rows_of(head, *map(line, table.dtypes))


TABLES = {
    "streams": streams_table,
    "errors with a budget of 100": errors_table(100),
    "errors with a budget of 500": errors_table(500),
    "errors without a budget": errors_table(None),
    "supports": sizes_table,
    "speeds": speeds_table,
    "gammas": gammas_table,
    "dtypes": dtypes_table,
}


def page_of(text, done):
    """The page with its tables made anew."""
    table = Table(done)
    for name, made_from in TABLES.items():
        begin, end = f"<!-- measured: {name} -->\n", "\n<!-- end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        before, *after = pattern.split(text)
        if len(after) != 1:
            raise ValueError(f"the page has {len(after)} places for {name!r}")
        text = before + begin + made_from(table) + end + after[0]
    return text


def draw(done):
    table = Table(done)
    with matplotlib.rc_context(STYLE):
        canvas = Figure(figsize=(5.2, 8.4), layout="constrained")
        for panel, stream in zip(canvas.subplots(len(PICTURED)), PICTURED, strict=True):
            for kind, colour, marker in zip(TRACED, COLOURS, "osD^", strict=False):
                runs = [table.of(kind.__name__, budget, stream) for budget in ON_THE_WAY]
                errors = [100 * run["error"] for run in runs]
                style = {"color": colour, "marker": marker, "markersize": 4}
                panel.plot(ON_THE_WAY, errors, label=kind.__name__, **style)
            linear_error = 100 * table.of("linear", None, stream)["error"]
            panel.axhline(linear_error, color="0.5", linestyle="--", label="linear")
            panel.set(title=stream, ylabel="error, %", xscale="log", ylim=(0, None))
            panel.set_xticks(ON_THE_WAY, map(str, ON_THE_WAY))
            panel.minorticks_off()
        panel.set_xlabel("budget")
        handles = panel.get_legend_handles_labels()
        canvas.legend(*handles, loc="outside upper center", ncols=2)
        canvas.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    if "--page" not in sys.argv:
        with threadpool_limits(1):
            measure()
    outcome = json.loads(MEASURED.read_text())
    PAGE.write_text(page_of(PAGE.read_text(), outcome))
    draw(outcome)
