"""A picture of errors along a stream, for `budgetron run` and `budgetron race`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..evaluation import RunningMetrics, TrustHistory
from ..evaluation.baselines import BASELINES
from ..reading.escaping import escaped_within
from .errors import UsageError

__all__ = ["Chart", "check_chart", "draw"]

PICTURES = (".svg", ".png", ".pdf")
POINTS = 32

Chart = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A picture of the errors along the stream, and of whom the best Budgetron trusts,"
        f" {', '.join(PICTURES)} by its name.",
    ),
]


def check_chart(path: Path | None) -> None:
    """Raise a UsageError if no picture can be drawn there."""
    if path is None:
        return
    if path.suffix not in PICTURES:
        raise UsageError(f"{path} must end in one of {', '.join(PICTURES)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"a chart needs more ({error}): pip install 'budgetron[report]'"
        ) from error


def draw(
    path: Path,
    inputs: Iterable[str],
    learners: dict[str, RunningMetrics],
    trusts: dict[str, TrustHistory] | None = None,
) -> None:
    """Draw the errors of learners and of the baselines.

    Parameters
    ----------
    path : path
    inputs : iterable of str
        Named in the title.
    learners : dict of str to RunningMetrics
        Of the same stream, the best one first.
    trusts : dict of str to TrustHistory, optional
        Whom learners trusted; that of the first is drawn below.
    """
    from ..papers.exhibit import Figure, Series
    from ..papers.report.looks import looks_of
    from ..papers.report.pictures import save_picture

    def series(name: str, rows: np.ndarray, errors: np.ndarray) -> Series:
        return Series(name, rows.tolist(), (100 * errors).tolist())

    told = {name: metrics.errors(POINTS) for name, metrics in learners.items()}
    drawn = [series(name, errors[:, 0], errors[:, 1]) for name, errors in told.items()]
    errors = next(iter(told.values()))
    drawn += [series(it, errors[:, 0], errors[:, 2 + i]) for i, it in enumerate(BASELINES)]
    names = " ".join(Path(each).name for each in inputs)
    label = "error on the rows since the point before, %"
    figure = escaped_within(Figure(names, "rows", label, tuple(drawn), names))
    save_picture(figure, looks_of(figure.series), path, escaped_within(_trust(trusts or {})))


def _trust(trusts: dict[str, TrustHistory]) -> Any:
    """A figure of whom the first learner that has experts trusts; None if there is none."""
    from ..papers.exhibit import Figure, Series

    for name, trust in trusts.items():
        if len(trust.rows) > 1:
            title = f"Whom {name} trusts"
            series = tuple(Series(it, trust.rows, own) for it, own in trust.experts.items())
            return Figure(title, "rows", "trust", series, title)
    return None
