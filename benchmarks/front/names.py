"""Who is on the front page, by a name that is short, and always in the same look."""

from __future__ import annotations

from ..contenders.ours import FLAGSHIP

__all__ = [
    "FOREST",
    "LINEAR",
    "LOOKS",
    "OURS",
    "OWN",
    "PICTURED",
    "followed",
    "listed",
    "named",
    "pictured",
    "ranging",
    "two_digits",
]

PICTURED = "a9a", "digits"
"""Where a linear model is hard to beat, and where a kernel pays."""

OWN = "Budgetron"
OURS = {
    OWN: FLAGSHIP,
    "Projectron++": "ProjectronPlusPlus",
    "Forgetron": "Forgetron",
    "Randomized Budget": "RandomizedBudgetPerceptron",
}
LINEAR, FOREST = "best linear model", "random forest"
PEERS = {
    LINEAR: lambda run: run.family == "linear",
    "Fourier features": lambda run: run.name.startswith("RBFSampler") and _takes_batches(run),
    "Nystroem": lambda run: run.name.startswith("Nystroem") and _takes_batches(run),
    FOREST: lambda run: run.name.startswith("ARF"),
    "Hoeffding tree": lambda run: run.name.startswith("HoeffdingAdaptive"),
    "nearest neighbours": lambda run: run.family == "neighbours",
}
LOOKS = {name: look for look, name in enumerate([*OURS, *PEERS])}


def named(learner, runs):
    """Those of a learner of ours, in batches and float64, with less memory first."""
    own = [
        run
        for run in runs
        if (run.facts.get("learner"), run.facts.get("dtype")) == (learner, "float64")
        and run.facts["at_once"] is None
    ]
    return sorted(own, key=lambda run: run.facts["numbers"])


def followed(runs, names=tuple(LOOKS)):
    """The runs of each name that has any."""
    found = {
        name: named(OURS[name], runs) if name in OURS else [*filter(PEERS[name], runs)]
        for name in names
    }
    return {name: own for name, own in found.items() if own}


def pictured(fields):
    """The workloads that have panels."""
    return {workload: fields[workload] for workload in PICTURED if workload in fields}


def listed(names):
    """Names in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def ranging(numbers):
    """From the least to the most."""
    numbers = [*numbers]
    least, most = two_digits(min(numbers)), two_digits(max(numbers))
    return least if least == most else f"{least} to {most}"


def two_digits(number):
    """A number for a sentence."""
    kept = float(f"{number:.2g}")
    return f"{kept:,.0f}" if kept >= 10 else str(kept)


def _takes_batches(run):
    return run.facts["library"] == "scikit-learn" and run.facts["at_once"] > 1
