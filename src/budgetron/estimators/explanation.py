"""Why a row is predicted as it is: who speaks for the predicted class, and who against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from ..core.kernel import Rows

__all__ = ["ExpertSaying", "Explanation", "SupportPart", "Verdict", "parts_of_supports", "sayings"]

MOST = 5
"""So many supports for a class are shown, and so many against it."""


@dataclass(frozen=True)
class SupportPart:
    """What one support adds to a score.

    Attributes
    ----------
    row : int
        When it was learned: how many examples had been seen before it. Where no label came late,
        that is its number in the stream, from 0. (In `Budgetron`, the ten examples that widths are
        opened with count as if those of weight 0 among them had come before.)
    age : int
        How many examples have been seen since.
    part : float
        What it adds: its weight times the kernel's value. Above 0 it speaks for the predicted
        class, below 0 against it.
    share : float
        The same as a share of what all supports say, for and against: from -1 to 1.
    """

    row: int
    age: int
    part: float
    share: float


@dataclass(frozen=True)
class ExpertSaying:
    """What one expert says, and how much it is trusted.

    Attributes
    ----------
    name : str
    trust : float
        From 0 to 1.
    says : float
        How certain it is of the predicted class, from -1, for its rival, to 1.
    """

    name: str
    trust: float
    says: float


@dataclass(frozen=True)
class Verdict:
    """What a row is taken for, by the places of classes, and on which side others are.

    Attributes
    ----------
    place : int
        That of the predicted class.
    rival : int or None
        That of the class it is compared with; None if there is no other.
    """

    place: int
    rival: int | None

    @classmethod
    def of(cls, scores: np.ndarray, place: int, classes: int) -> Verdict:
        """The rival is the other one of two classes, and of more that of the next highest score."""
        if classes < 3:
            return cls(place, 1 - place if classes == 2 else None)
        others = scores.copy()
        others[place] = -np.inf
        return cls(place, int(others.argmax()))

    def seen_from(self, columns: np.ndarray) -> np.ndarray:
        """What is said of the predicted class, given a row for each class, or one for the last."""
        if len(columns) > 1:
            return columns[self.place] - columns[self.rival]
        return columns[0] if self.place >= (self.rival or 0) else -columns[0]

    def certainty(self, said: np.ndarray) -> np.ndarray:
        """The same of what has a number for each class in its last dimension, from -1 to 1."""
        seen = self.seen_from(np.moveaxis(said, -1, 0))
        return seen if said.shape[-1] == 1 else seen / 2


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why one row is predicted as it is.

    Printed, it is a short report: the five supports that say most for the predicted class, and the
    five that say most against it. Numbers are as seen from that class.

    Attributes
    ----------
    label : label
        The predicted class.
    rival : label or None
        The class that it is compared with: the other one of two, or that of the next highest
        score. None if there is no other.
    scores : dict of label to float
        The scores, as `decision_function` has them: of two classes, that of the second.
    supports : tuple of SupportPart
        Those that say anything, the one that says most first. Their parts add up to the score that
        speaks for the label, or to how far it is above the rival's; in `Budgetron`, where others
        have a say as well, to what the filters say on the mean, before that is cut off.
    experts : tuple of ExpertSaying
        Whom the learner listens to, if there are several: the experts of `Budgetron` and of
        `RestartingExperts`.
    widths : tuple of ExpertSaying
        The same by the width of the kernel, for a `Budgetron` that finds it: the widest first.
    note : str
        What else there is to say, where there are no supports.
    n_seen : int
        How many examples had been seen.
    instances : array or CSR matrix of shape (len(supports), n_features)
        The supports' features, as they came.
    feature_names : tuple of str or None
        Their names, if the learner has been fitted with them.
    """

    label: Any
    rival: Any
    scores: dict[Any, float]
    supports: tuple[SupportPart, ...] = ()
    experts: tuple[ExpertSaying, ...] = ()
    widths: tuple[ExpertSaying, ...] = ()
    note: str = ""
    n_seen: int = 0
    instances: Any = field(default=None)
    feature_names: tuple[str, ...] | None = None

    @property
    def speaking_for(self) -> tuple[SupportPart, ...]:
        """The supports that speak for the predicted class, the one that says most first."""
        return tuple(each for each in self.supports if each.part > 0)

    @property
    def speaking_against(self) -> tuple[SupportPart, ...]:
        """Those that speak against it."""
        return tuple(each for each in self.supports if each.part < 0)

    def frame(self) -> Any:
        """The supports as a frame of pandas, which has to be there.

        It has a column for each feature as well, unless rows are sparse.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        parts = ["row", "age", "part", "share"]
        columns = {name: [getattr(each, name) for each in self.supports] for name in parts}
        if self.instances is not None and not sparse.issparse(self.instances):
            names = self.feature_names or [f"x{i}" for i in range(self.instances.shape[1])]
            for name, values in zip(names, self.instances.T, strict=True):
                columns[f"{name} (feature)" if name in parts else name] = values
        return pd.DataFrame(columns)

    def text(self, decimals: int = 3) -> str:
        """A report for people to read.

        Parameters
        ----------
        decimals : int, default=3
            How many to show.
        """
        rather = "" if self.rival is None else f", rather than {self.rival!r}"
        scores = (f"{label!r} {score:.{decimals}f}" for label, score in self.scores.items())
        lines = [f"predicted: {self.label!r}{rather}", f"score: {', '.join(scores)}"]
        lines += [self.note] if self.note else []
        for heading, sayings in (("expert", self.experts), ("width", self.widths)):
            if sayings:
                cells = [
                    (each.name, f"{each.trust:.{decimals}f}", f"{each.says:+.{decimals}f}")
                    for each in sayings
                ]
                lines += ["", *_table((heading, "trust", "says"), cells)]
        for heading, speaking in (("for", self.speaking_for), ("against", self.speaking_against)):
            if speaking:
                lines += ["", *_of_supports(f"supports {heading} it", speaking, decimals)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text()


def sayings(
    names: Sequence[str], trust: Sequence[float], says: Sequence[float]
) -> tuple[ExpertSaying, ...]:
    """What experts say, given a number of each kind for each of them."""
    each = zip(names, map(float, trust), map(float, says), strict=True)
    return tuple(ExpertSaying(*one) for one in each)


def parts_of_supports(
    births: np.ndarray, parts: np.ndarray, instances: Rows, seen: int
) -> dict[str, Any]:
    """What an explanation says of supports, given what each adds to the score."""
    order = np.argsort(-np.abs(parts), kind="stable")
    order = order[parts[order] != 0]
    whole = np.abs(parts).sum()
    supports = tuple(
        SupportPart(row, seen - 1 - row, part, part / float(whole))
        for row, part in zip(births[order].tolist(), parts[order].tolist(), strict=True)
    )
    return {"supports": supports, "instances": instances[order]}


def _of_supports(heading: str, supports: Sequence[SupportPart], decimals: int) -> Iterable[str]:
    cells = [
        (f"row {each.row:,}", f"{each.age:,}", f"{each.part:+.{decimals}f}", f"{each.share:+.1%}")
        for each in supports[:MOST]
    ]
    rest = supports[MOST:]
    if rest:
        part, share = (sum(getattr(each, name) for each in rest) for name in ("part", "share"))
        cells.append((f"{len(rest):,} more", "", f"{part:+.{decimals}f}", f"{share:+.1%}"))
    return _table((heading, "age", "part", "share"), cells)


def _table(heading: tuple[str, ...], cells: Iterable[tuple[str, ...]]) -> Iterable[str]:
    """Lines of columns, all but the first of which are numbers."""
    rows = [heading, *cells]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        numbers = (f"{each:>{width}}" for each, width in zip(others, widths[1:], strict=True))
        yield "  ".join([f"{first:{widths[0]}}", *numbers])
