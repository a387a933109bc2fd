"""Tables 1-3 and Figures 1-3 of the Projectron paper: who needs how many supports.

F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron", ICML 2008,
Section 5.
"""

from functools import partial

from ..exhibit import Artifact
from .figures import (
    Draw,
    curve_tasks,
    error_over_rows,
    error_over_size,
    show_figure,
    size_over_rows,
)
from .printed import ADULT, SYNTHETIC
from .tables import show_table, show_vehicle, vehicle_tasks

__all__ = ["ARTIFACTS"]

_table = partial(Artifact, "projectron")


def _figure(name: str, title: str, draw: Draw) -> Artifact:
    return Artifact("projectron", name, title, curve_tasks, partial(show_figure, draw))


ARTIFACTS = [
    _table(
        "table-1", "Table 1: mistakes and sizes on Adult9", ADULT.tasks, partial(show_table, ADULT)
    ),
    _table("table-2", "Table 2: mistakes and sizes on Vehicle", vehicle_tasks, show_vehicle),
    _table(
        "table-3",
        "Table 3: mistakes and sizes on two Gaussians",
        SYNTHETIC.tasks,
        partial(show_table, SYNTHETIC),
    ),
    _figure("figure-1", "Figure 1: mistakes over time on Adult9", error_over_rows),
    _figure("figure-2", "Figure 2: sizes over time on Adult9", size_over_rows),
    _figure("figure-3", "Figure 3: mistakes over sizes on Adult9", error_over_size),
]
"""The paper's tables and figures, in order."""
