"""Budgetron beside learners of the papers, over budgets, on streams that everybody has."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ..datasets import load_spam
from ..streams import OrbitingRings
from .exhibit import Artifact, Claim, Exhibit, Figure, Scale, Series, Table
from .judgement import judge
from .online import learner_of, summary
from .task import Outcome, Results, Task, does

__all__ = ["ARTIFACTS"]

BUDGETS = 25, 50, 100, 200, 400
OTHERS = (
    "ProjectronPlusPlus",
    "LeastRecentBudgetSecondOrderPerceptron",
    "Ahpatron",
    "Forgetron",
    "RandomizedBudgetPerceptron",
)
LEARNERS = "Budgetron", *OTHERS
DRAWING = {"RandomizedBudgetPerceptron": {"random_state": 0}}
STREAMS = {"mails": 0.5, "orbiting rings": 2.0}
"""The streams, with the width of the kernel that all learners have."""
ROWS: dict[Scale, int] = {"quick": 5_000, "full": 20_000}


@does("flagship-budgets")
def _over_budgets(stream: str, learner: str, rows: int) -> Outcome:
    X, y = _rows(stream, rows)
    own: dict[str, Any] = {"gamma": STREAMS[stream], **DRAWING.get(learner, {})}
    runs = [summary(learner_of(learner, {"budget": budget, **own}), X, y) for budget in BUDGETS]
    return {key: [run[key] for run in runs] for key in ("rows", "mistakes", "size", "seconds")}


@lru_cache(maxsize=2)
def _rows(stream: str, rows: int) -> tuple[Any, np.ndarray]:
    if stream == "mails":
        mails = load_spam()
        return mails.X[:rows], mails.y[:rows]
    rings = OrbitingRings(angle=0.001).take(rows)
    return rings.X, rings.y


def _task(stream: str, learner: str, scale: Scale) -> Task:
    return Task.of("flagship-budgets", stream=stream, learner=learner, rows=ROWS[scale])


def _tasks(scale: Scale) -> list[Task]:
    return [_task(stream, learner, scale) for stream in STREAMS for learner in LEARNERS]


def _show(results: Results, scale: Scale) -> Exhibit:
    errors = {
        (stream, learner): _errors(results[_task(stream, learner, scale)])
        for stream in STREAMS
        for learner in LEARNERS
    }
    claims = tuple(claim for stream in STREAMS for claim in _claims(stream, errors))
    verdict, why = judge(claims)
    return Exhibit(
        verdict,
        why.replace("the paper says", "the page about it says"),
        f"One pass over the mails that come with the package and over {ROWS[scale]:,} rows of two"
        " orbiting rings, in their order; the width of the Gaussian kernel is the same for all:"
        f" gamma is {' and '.join(f'{gamma:g}' for gamma in STREAMS.values())}.",
        tables=tuple(_table(stream, errors) for stream in STREAMS),
        figures=tuple(_figure(stream, errors) for stream in STREAMS),
        claims=claims,
    )


def _errors(outcome: Outcome) -> list[float]:
    pairs = zip(outcome["mistakes"], outcome["rows"], strict=True)
    return [100 * mistakes / rows for mistakes, rows in pairs]


def _claims(stream: str, errors: dict[tuple[str, str], list[float]]) -> list[Claim]:
    own = errors[stream, "Budgetron"]
    best = [min(errors[stream, other][i] for other in OTHERS) for i in range(len(BUDGETS))]
    ahead = [theirs - ours for ours, theirs in zip(own, best, strict=True)]
    return [
        Claim(
            f"On the {stream}, Budgetron errs least of these learners at a budget of 100.",
            ahead[BUDGETS.index(100)] > 0,
            f"{own[BUDGETS.index(100)]:.2f} % against {best[BUDGETS.index(100)]:.2f}",
        ),
        Claim(
            f"On the {stream}, it errs least at every budget.",
            min(ahead) > 0,
            "the best other makes " + ", ".join(f"{gap:+.2f}" for gap in ahead) + " points more",
        ),
    ]


def _table(stream: str, errors: dict[tuple[str, str], list[float]]) -> Table:
    return Table(
        f"Mistakes in percent on the {stream}, by budget",
        ("learner", *map(str, BUDGETS)),
        tuple((learner, *errors[stream, learner]) for learner in LEARNERS),
    )


def _figure(stream: str, errors: dict[tuple[str, str], list[float]]) -> Figure:
    own, last = errors[stream, "Budgetron"], errors[stream, "Budgetron"][-1]
    return Figure(
        f"Mistakes over budgets, {stream}",
        "budget",
        "mistakes (%)",
        tuple(Series(learner, BUDGETS, errors[stream, learner]) for learner in LEARNERS),
        f"Mistakes fall with the budget; those of Budgetron from {own[0]:.1f} to {last:.1f} %.",
        log_x=True,
    )


ARTIFACTS = [
    Artifact("flagship", "budgets", "Mistakes over budgets", _tasks, _show),
]
"""Not from a paper, but beside them."""
