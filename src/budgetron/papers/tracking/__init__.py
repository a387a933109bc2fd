"""Topics that change in a stream of newswire stories: Section 4 of the tracking paper.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167.
"""

from __future__ import annotations

from ..exhibit import Artifact
from .chunks import show_chunks
from .corpus import SHIFTS, TOPICS
from .costs import COSTS
from .figures import show_course, show_shifts, show_without_shifts
from .runs import chunk_tasks, group_tasks, runs_task

__all__ = ["ARTIFACTS"]

ARTIFACTS: list[Artifact] = [
    Artifact(
        "tracking",
        "table-1",
        "Table I: supports on single chunks",
        chunk_tasks,
        show_chunks,
    ),
    COSTS,
    Artifact(
        "tracking",
        "figure-3",
        "Figure 3: error over the budget without shifts",
        lambda scale: group_tasks(scale, 0),
        show_without_shifts,
    ),
    Artifact(
        "tracking",
        "figure-4",
        "Figure 4: error over the budget with 1, 3 and 7 shifts",
        lambda scale: [
            *chunk_tasks(scale, SHIFTS[1:]),
            *(
                runs_task(scale, 0, dataset, name)
                for dataset in range(TOPICS)
                for name in ("PERC", "SOP")
            ),
            *(task for shifts in SHIFTS[1:] for task in group_tasks(scale, shifts)),
        ],
        show_shifts,
    ),
    Artifact(
        "tracking",
        "figure-5",
        "Figure 5: error in the course of 7 shifts",
        lambda scale: group_tasks(scale, 7),
        show_course,
    ),
]
