"""What can be said of a run: its mistakes, the bound, and whether the bound's assumptions hold."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ..bounds import Assumption

__all__ = ["Certificate", "Statement"]


@dataclass(frozen=True)
class Statement:
    """What one theorem says of a run.

    Attributes
    ----------
    theorem : str
    bound : float or None
        With the competitor's hinge loss in all rounds; None if an assumption fails.
    bound_of_this_run : float or None
        With the hinge loss in the rounds that the learner learned from alone, if it is known which
        they are. The competitor was not chosen for them.
    sense : str
        "always", or in what expectation.
    assumptions : tuple of Assumption
    competitor : dict or None
        "norm", "hinge_loss" and "total_shift" of the competitor, if the theorem speaks of one.
    """

    theorem: str
    bound: float | None
    bound_of_this_run: float | None
    sense: str
    assumptions: tuple[Assumption, ...]
    competitor: dict[str, float] | None = None


@dataclass(frozen=True)
class Certificate:
    """The mistakes of a run beside what the papers guarantee.

    Attributes
    ----------
    learner : str
    rows : int
    mistakes : float
        Signs that were wrong; for `RestartingExperts`, the number to expect from its draws.
    statements : tuple of Statement
        One for each theorem about the learner, the smallest bound first.
    """

    learner: str
    rows: int
    mistakes: float
    statements: tuple[Statement, ...]

    @property
    def bound(self) -> float | None:
        """The smallest bound that holds; None if there is none."""
        return self.statements[0].bound if self.statements else None

    @property
    def theorem(self) -> str | None:
        """Where it comes from."""
        return None if self.bound is None else self.statements[0].theorem

    @property
    def ratio(self) -> float | None:
        """Mistakes divided by the bound."""
        return self.mistakes / self.bound if self.bound else None

    def as_dict(self) -> dict[str, Any]:
        """All of it, in plain types."""
        statements = [
            asdict(statement) | {"assumptions": [a._asdict() for a in statement.assumptions]}
            for statement in self.statements
        ]
        short = {"theorem": self.theorem, "bound": self.bound, "ratio": self.ratio}
        return asdict(self) | short | {"statements": statements}

    def as_json(self) -> str:
        """All of it, as JSON."""
        return json.dumps(self.as_dict(), indent=2)

    def __str__(self) -> str:
        lines = [self.learner, f"{_number(self.mistakes)} mistakes in {self.rows:,} rows"]
        if not self.statements:
            lines.append("  the five papers have no bound for this learner")
        for statement in self.statements:
            lines += self._lines_of(statement)
        return "\n".join(lines)

    def _lines_of(self, statement: Statement) -> list[str]:
        ticks = [
            f"    {'✓' if a.holds else '✗'} {a.statement}: {a.reason}"
            for a in statement.assumptions
        ]
        if statement.bound is None:
            return [f"  no bound by {statement.theorem}", *ticks]
        sense = "" if statement.sense == "always" else f", {statement.sense}"
        lines = [
            f"  at most {_number(statement.bound)} by {statement.theorem}{sense}",
            f"    {self._share(statement.bound)}",
        ]
        if statement.competitor:
            lines.append(f"    against {_described(statement.competitor)}")
        if statement.bound_of_this_run not in (None, statement.bound):
            own = statement.bound_of_this_run or 0.0
            lines.append(
                f"    at most {_number(own)} with its loss in the learner's rounds alone,"
                f" {self._share(own)}"
            )
        return [*lines, *ticks]

    def _share(self, bound: float) -> str:
        if bound >= self.rows > self.mistakes:
            return "which says nothing, since there are no more rows"
        return f"of which the run made {self.mistakes / bound:.1%}" if bound else "as it should be"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"


def _described(competitor: dict[str, float]) -> str:
    shift = competitor["total_shift"]
    moving = f", which moves by {shift:.3g} in all," if shift > 0 else ""
    return (
        f"a competitor of norm {competitor['norm']:.3g}{moving}"
        f" with a hinge loss of {_number(competitor['hinge_loss'])} in all rounds"
    )
