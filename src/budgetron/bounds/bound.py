"""A number with the theorem it comes from and the assumptions under which it holds."""

from __future__ import annotations

from typing import NamedTuple, Self

__all__ = ["Assumption", "AssumptionError", "Bound", "at_most", "below", "require"]

ROUNDING = 1e-9
"""Measured quantities may miss a limit by this part of it, or of 1 if that is more: k(x, x) of a
unit row is 1 + 1e-16."""


class Assumption(NamedTuple):
    """What a theorem assumes, whether it is so, and the measured value that decides it.

    Attributes
    ----------
    statement : str
        What is assumed, in the theorem's words.
    holds : bool
    reason : str
        The measured value that decides it.
    """

    statement: str
    holds: bool
    reason: str


class AssumptionError(ValueError):
    """A theorem says nothing here, because some of its assumptions fail.

    Attributes
    ----------
    theorem : str
    assumptions : tuple of Assumption
        All of the theorem's assumptions, those that hold and those that fail.
    """

    def __init__(self, theorem: str, assumptions: tuple[Assumption, ...]) -> None:
        self.theorem = theorem
        self.assumptions = assumptions
        failed = "; ".join(f"{a.statement}, but {a.reason}" for a in assumptions if not a.holds)
        super().__init__(f"{theorem} assumes {failed}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, tuple[Assumption, ...]]]:
        return type(self), (self.theorem, self.assumptions)


class Bound(float):
    """A bound that holds: a float that knows its theorem and the assumptions that were checked.

    Parameters
    ----------
    value : float
    theorem : str
    assumptions : tuple of Assumption

    Examples
    --------
    >>> from budgetron.bounds import perceptron
    >>> bound = perceptron.additive_mistakes(norm=3, hinge_loss=2)
    >>> bound
    Bound(13.0, 'Forgetron, Theorem 1')
    >>> bound < 20
    True
    """

    theorem: str
    assumptions: tuple[Assumption, ...]

    def __new__(cls, value: float, theorem: str, assumptions: tuple[Assumption, ...]) -> Self:
        """A float with two attributes."""
        bound = super().__new__(cls, value)
        bound.theorem, bound.assumptions = theorem, assumptions
        return bound

    def __repr__(self) -> str:
        return f"Bound({float(self)!r}, {self.theorem!r})"

    def __getnewargs__(self) -> tuple[float, str, tuple[Assumption, ...]]:  # type: ignore[override]
        return float(self), self.theorem, self.assumptions


def require(theorem: str, *assumptions: Assumption) -> tuple[Assumption, ...]:
    """The assumptions, if all of them hold; else an error that names those that fail."""
    if not all(assumption.holds for assumption in assumptions):
        raise AssumptionError(theorem, assumptions)
    return assumptions


def at_most(statement: str, value: float, limit: float) -> Assumption:
    """An assumption that a measured value is at most `limit`, up to rounding."""
    holds = value <= limit + ROUNDING * max(1.0, abs(limit))
    return Assumption(statement, holds, f"it is {value:.6g} against {limit:.6g}")


def below(statement: str, value: float, limit: float) -> Assumption:
    """An assumption that a value is below `limit`."""
    return Assumption(statement, value < limit, f"it is {value:.6g} against {limit:.6g}")
