"""The ten digits in one pass: what many classes cost beside two."""

from __future__ import annotations

from time import perf_counter

from threadpoolctl import threadpool_limits

import budgetron
from budgetron import prequential

from ..contenders.ours import finds_its_width, made
from ..showing import Exhibit, Table, data_of, grouped
from ..timing import best_and_median
from ..workloads import WORKLOADS

NAME = "classes"
TITLE = "Ten classes beside two"
LEARNERS = (
    "Perceptron",
    "RandomizedBudgetPerceptron",
    "LeastRecentBudgetPerceptron",
    "Forgetron",
    "Stoptron",
    "PassiveAggressiveI",
    "ProjectronPlusPlus",
    "Budgetron",
)
TWO, REST = "two classes", "one class against the rest"
SINGLE, SHARED = "a single machine", "shared supports"


def measure(scale):
    """Yield time and mistakes of two classes, and of ten in each way that a learner has."""
    rows = min(scale.rows, scale.measured)
    digits, halves = WORKLOADS["digits"].classes(rows), WORKLOADS["digits"].stream(rows)
    X = digits.X.astype("float32")
    ways = {
        TWO: (halves.y, {"budget": scale.budget}),
        REST: (digits.y, {"budget": scale.budget, "multi_class": "one_vs_rest"}),
        SINGLE: (digits.y, {"budget": 3 * scale.budget, "multi_class": "single_machine"}),
        SHARED: (digits.y, {"budget": scale.budget, "multi_class": "shared"}),
    }
    names = [name for name in LEARNERS if scale.learners is None or name in scale.learners]
    with threadpool_limits(1):
        for name in names:
            known = getattr(budgetron, name)._ways_for_classes
            gamma = "auto" if finds_its_width(name) else halves.gamma
            common = {"gamma": gamma, "dtype": "float32", "random_state": 0}
            own = {
                way: (y, parameters)
                for way, (y, parameters) in ways.items()
                if parameters.get("multi_class") in {None, *known}
            }
            for y, parameters in own.values():
                prequential(made(name, **common, **parameters), X[:300], y[:300])  # compiled
            for repeat in range(scale.repeats):
                for way, (y, parameters) in own.items():
                    learner = made(name, **common, **parameters)
                    start = perf_counter()
                    trace = prequential(learner, X, y)
                    yield {
                        "is_real": digits.is_real,
                        "learner": name,
                        "way": way,
                        "budget": learner.get_params().get("budget"),
                        "rows": len(y),
                        "seconds": perf_counter() - start,
                        "mistakes": int(trace.mistakes.sum()),
                        "size": int(trace.sizes[-1]),
                        "repeat": repeat,
                    }


def show(records):
    """Seconds, and how many times those of two classes."""
    best = {key: best_and_median(own)[0] for key, own in grouped(records, "learner", "way").items()}
    lines = [
        (
            name,
            way,
            f"{own[0]['budget']:,}" if own[0]["budget"] else "none",
            f"{best[name, way]:.2f}",
            best[name, way] / best[name, TWO],
            f"{own[0]['mistakes'] / own[0]['rows']:.2%}",
            f"{own[0]['size']:,}",
        )
        for (name, way), own in grouped(records, "learner", "way").items()
    ]
    data = data_of(records[0], "MNIST")
    columns = ("learner", "classes", "budget", "seconds", "times two classes", "mistakes")
    return Exhibit(
        [
            f"The first {records[0]['rows']:,} rows of {data}, float32, one thread: 0 to 4 against"
            " 5 to 9; ten machines with a budget each; one machine with three times the budget"
            " for all; ten machines on common supports, one budget for all. Budgetron has that way"
            " alone.",
            Table("Many classes", (*columns, "supports"), lines),
        ]
    )
