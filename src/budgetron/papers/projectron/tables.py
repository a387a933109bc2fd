"""Tables 1-3: mistakes and sizes at the end of the stream."""

from __future__ import annotations

from collections.abc import Mapping

from ..exhibit import Exhibit, Scale, Table
from ..judgement import beside, judge
from ..online import is_at_hand
from ..task import Results, Task
from .agreement import numbers_of, percent_more
from .claims import claims_of
from .experiment import Contender, Experiment, Standing
from .printed import READING, VEHICLE, WEB_PAGES
from .runs import rows_of

__all__ = ["show_table", "show_vehicle", "vehicle_tasks"]


def show_table(experiment: Experiment, results: Results, scale: Scale) -> Exhibit:
    """One of the tables, ours beside the paper's."""
    outcomes = experiment.outcomes(experiment.contenders, results, scale)
    ours = {contender: Standing.of(runs) for contender, runs in outcomes.items()}
    claims = claims_of(experiment.budgets, ours)
    numbers = () if experiment.stand_in else numbers_of(experiment, outcomes)
    verdict, why = judge(claims, numbers, stand_in=experiment.stand_in)
    table = _beside_the_paper(experiment, ours)
    return Exhibit(
        verdict=verdict,
        why=why,
        settings=experiment.settings(scale),
        tables=(table, beside(numbers)) if numbers else (table,),
        claims=claims,
        numbers=tuple(numbers),
        reading=READING,
        stand_in=experiment.stand_in,
    )


def _beside_the_paper(experiment: Experiment, ours: Mapping[Contender, Standing]) -> Table:
    comparable = not experiment.stand_in
    rows = []
    for contender, paper in experiment.paper.items():
        mistakes, size = ours[contender]
        rows.append(
            (
                contender.algorithm,
                contender.budget,
                str(paper.mistakes),
                str(mistakes),
                round(mistakes.mean - paper.mistakes.mean, 2) if comparable else None,
                str(paper.size),
                str(size),
                round(percent_more(size.mean, paper.size.mean), 1) if comparable else None,
            )
        )
    return Table(
        caption=experiment.caption,
        columns=(
            "algorithm",
            "B",
            "% mistakes, paper",
            "% mistakes, ours",
            "difference",
            "size, paper",
            "size, ours",
            "difference in %",
        ),
        rows=tuple(rows),
    )


def vehicle_tasks(scale: Scale) -> list[Task]:
    """On Vehicle if its file is there, at full scale; else on what stands in for it."""
    at_hand = scale == "full" and is_at_hand(lambda: rows_of(VEHICLE.data))
    return (VEHICLE if at_hand else WEB_PAGES).tasks(scale)


def show_vehicle(results: Results, scale: Scale) -> Exhibit:
    """Table 2, or what stands in for it."""
    at_hand = all(task in results for task in VEHICLE.tasks(scale))
    return show_table(VEHICLE if at_hand else WEB_PAGES, results, scale)
