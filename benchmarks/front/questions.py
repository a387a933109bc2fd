"""The questions in their order, and where to read on."""

from __future__ import annotations

from ..sections.contest import runs_by_workload
from .costs import cores, gpu, speed_by_budget
from .errors import against_memory, against_speed
from .verdicts import verdicts

__all__ = ["elsewhere", "show"]

INTRODUCTION = """\
`Budgetron` is for labelled streams whose classes no straight line separates. It learns row by row,
in memory that is fixed when it is made, and follows what drifts. It is given a budget, the number
of rows that it may keep; nothing else is tuned. Is that what you need?"""
ELSEWHERE = """\
Elsewhere: [which learner of the package](docs/choosing.md), on eight streams; [the flagship,
measured](docs/flagship-results.md), also on streams that were made to be hard; [KOL and
FORKS](docs/benchmarks/peers.md), C++ that can be run beside ours."""


def show(records, links):
    """Who is better where, and five questions with a picture each."""
    fields = runs_by_workload(records.get("contest", ()))
    return [
        INTRODUCTION,
        *verdicts(fields, links),
        *against_memory(fields),
        *against_speed(fields),
        *speed_by_budget(records.get("budgets", ()), links),
        *cores(records.get("threads", ()), links),
        *gpu(records.get("gpu", ()), links),
    ]


def elsewhere(details):
    """The pages behind this one, and others."""
    return ["## All that was measured", "\n".join(details), ELSEWHERE, "## How it was measured"]
