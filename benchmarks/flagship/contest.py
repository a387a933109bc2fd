"""Budgetron on ten streams: the errors that were asked for, its own experts, and its rivals."""

from __future__ import annotations

from itertools import product

import numpy as np
from threadpoolctl import threadpool_limits

from budgetron import Budgetron, prequential

from ..showing import Asked, Exhibit, Table, grouped
from .rivals import RIVALS, WIDTHS, budget_of, numbers_of
from .streams import HELD_OUT, TEN, at_hand, rows_of

NAME = "flagship-contest"
TITLE = "Ten streams"
BUDGET, LARGER = 100, 400
MOST_BEHIND, WINS = 0.4, 8
EXPERTS = "cautious", "bold", "average", "labels", "stack"
OPENINGS = 3
"""Of filters, at the start."""
WHOLE_RUN = "labels", "stack"
"""Experts that are there whenever it starts over."""


def measure(scale):
    """Yield the mistakes of every run."""
    streams = TEN + HELD_OUT if scale.workloads is None else TEN[-1:]
    for stream in at_hand(streams):
        facts = {"stream": stream.name, "gamma": stream.gamma, "held_out": stream in HELD_OUT}
        with threadpool_limits(1):
            for record in _ours(stream, scale):
                yield facts | record
            for record in _theirs(stream, scale):
                yield facts | record


def _permutations(stream, scale):
    return range(scale.permutations if stream.is_free else 1)


def _ours(stream, scale):
    budgets = {BUDGET, *stream.asked} if scale.workloads is None else {scale.small_budget}
    for permutation in _permutations(stream, scale):
        X, y = rows_of(stream, permutation, scale.rows)
        for budget, width in product(sorted(budgets), ("given", "auto")):
            if (stream in HELD_OUT) and width == "given":
                continue
            learner = Budgetron(budget, gamma=stream.gamma if width == "given" else "auto")
            prequential(learner, X, y, [-1, 1])
            yield {
                "learner": "Budgetron",
                "budget": budget,
                "width": width,
                "permutation": permutation,
                "rows": len(y),
                "mistakes": learner.n_mistakes_,
                "experts": learner.expert_mistakes_,
                "started_over": learner._learner.openings > OPENINGS,
            }


def _theirs(stream, scale):
    X, y = rows_of(stream, 0, scale.rows)
    budget = BUDGET if scale.workloads is None else scale.small_budget
    numbers = numbers_of(budget, X)
    for rival in RIVALS:
        if scale.learners is not None and rival.name not in scale.learners:
            continue
        own = budget_of(rival, numbers, X)
        choices = [*product((stream.gamma * width for width in WIDTHS), rival.choices)]
        first = {}
        for i, (gamma, choice) in enumerate(choices):
            first[i] = _mistakes(rival.new(own, gamma, choice), X, y)
        best = min(first, key=first.get)
        gamma, choice = choices[best]
        for permutation in _permutations(stream, scale):
            if permutation > 0:
                X, y = rows_of(stream, permutation, scale.rows)
            yield {
                "learner": rival.name,
                "budget": own,
                "choice": {"gamma": gamma, **choice},
                "permutation": permutation,
                "rows": len(y),
                "mistakes": first[best]
                if permutation == 0
                else _mistakes(rival.new(own, gamma, choice), X, y),
            }
        X, y = rows_of(stream, 0, scale.rows)


def _mistakes(learner, X, y):
    return int(prequential(learner, X, y, [-1, 1]).mistakes.sum())


def show(records):
    """Errors, gaps to experts, and the nearest rivals."""
    asked = {stream.name: stream.asked for stream in TEN}
    ours = [record for record in records if record["learner"] == "Budgetron"]
    theirs = [record for record in records if record["learner"] != "Budgetron"]
    ten = [record for record in ours if not record["held_out"]]
    targets, lines = [], []
    for (name, budget), runs in grouped(
        [record for record in ten if record["width"] == "auto"], "stream", "budget"
    ).items():
        error, spread = _error(runs)
        alone = {
            expert: 100 * np.mean([run["experts"][expert] / run["rows"] for run in runs])
            for expert in runs[0]["experts"]
            if expert in WHOLE_RUN or not any(run["started_over"] for run in runs)
        }
        given = _error(
            [r for r in ten if (r["stream"], r["budget"], r["width"]) == (name, budget, "given")]
        )[0]
        wanted = asked[name].get(budget)
        lines.append(
            [
                *(name, budget, len(runs)),
                f"{error:.2f} ± {spread:.2f}" if len(runs) > 1 else f"{error:.2f}",
                f"{given:.2f}",
                *(f"{alone[expert]:.2f}" if expert in alone else None for expert in EXPERTS),
                f"{error - min(alone.values()):+.2f}",
            ]
        )
        if wanted is not None:
            targets.append(
                Asked(
                    f"{name}, budget {budget}: error",
                    f"at most {wanted} %",
                    f"{error:.2f} %",
                    error <= wanted,
                )
            )
    gaps = {line[0]: float(line[-1]) for line in lines}
    furthest = max(gaps, key=gaps.get)
    targets.append(
        Asked(
            "points behind its own best expert, at most",
            f"{MOST_BEHIND}",
            f"{gaps[furthest]:.2f} ({furthest})",
            gaps[furthest] <= MOST_BEHIND,
        )
    )
    beside = Beside(ours, theirs)
    won = [name for name in beside.streams if beside.lead(name) > 0]
    targets.append(
        Asked(
            "streams on which no other learner errs as little with as much memory",
            f"at least {WINS} of 10",
            f"{len(won)} of {len(beside.streams)}",
            len(won) >= WINS,
        )
    )
    return Exhibit(
        [
            "Error in percent, ± over permutations where the order is free. Budgetron is given the"
            " budget, and no more; *one width*: it is given that one of the kernel, too. *Behind*:"
            " the difference to its best expert of the same run, where the first three are those of"
            " the filter that is trusted at the end, and not known if it has started over.",
            Table(
                "Budgetron",
                *(
                    ("stream", "budget", "runs", "error", "one width"),
                    [line[:5] for line in lines],
                ),
            ),
            Table(
                "Its experts",
                ("stream", "budget", *EXPERTS, "behind"),
                [[*line[:2], *line[5:]] for line in lines],
            ),
            f"Every other learner on a budget, with the memory of Budgetron({BUDGET}), at the best"
            f" of {len(WIDTHS)} widths (and steps, where there are any) in hindsight; Budgetron"
            " with those that it finds. The twelve numbers that it keeps for each feature are not"
            " counted.",
            beside.table("Error at equal memory", beside.streams),
            "Census data were not looked at while the learner was made.",
            beside.table("Held out", beside.held_out),
        ],
        targets,
    )


class Beside:
    """The errors of all learners, by stream."""

    def __init__(self, ours, theirs):
        small = min(record["budget"] for record in ours)
        own = [record for record in ours if record["budget"] == small and record["width"] == "auto"]
        self._errors = {
            key: _error(runs)[0] for key, runs in grouped(own + theirs, "stream", "learner").items()
        }
        self._budgets = {
            (record["stream"], record["learner"]): record["budget"] for record in theirs
        }
        held = {record["stream"] for record in own if record["held_out"]}
        names = list(dict.fromkeys(record["stream"] for record in own))
        self.streams = [name for name in names if name not in held]
        self.held_out = [name for name in names if name in held]
        self._learners = list(dict.fromkeys(record["learner"] for record in theirs))

    def lead(self, stream):
        """By how many points Budgetron errs less than the best other learner."""
        others = [self._errors[stream, learner] for learner in self._learners]
        return min(others) - self._errors[stream, "Budgetron"]

    def table(self, caption, streams):
        """A line for each learner, the best error in bold."""
        lines = []
        for learner in ("Budgetron", *self._learners):
            line = [learner]
            for stream in streams:
                best = min(self._errors[stream, other] for other in ("Budgetron", *self._learners))
                error = self._errors[stream, learner]
                budget = self._budgets.get((stream, learner))
                shown = f"**{error:.2f}**" if error == best else f"{error:.2f}"
                line.append(f"{shown} ({budget})" if budget else shown)
            lines.append(line)
        return Table(f"{caption} (in brackets: its budget)", ("learner", *streams), lines)


def _error(runs):
    errors = [100 * run["mistakes"] / run["rows"] for run in runs]
    return float(np.mean(errors)), float(np.std(errors))
