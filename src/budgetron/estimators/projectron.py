"""Projectron and Projectron++ as scikit-learn classifiers."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from typing import ClassVar

from ..core.triggers import ZeroScore
from ..parameters import LARGEST_WHOLE, checked, real, whole
from ..rules import projectron as rules
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["Projectron", "ProjectronPlusPlus"]


@documented
@dataclass(eq=False, repr=False)
class Projectron(AveragingClassifier):
    """The Perceptron that projects a mistake onto its supports, unless it is too far from them.

    How much to keep is said in one of three ways. `norm_bound` is the paper's: eta is chosen in
    each round so that the mistakes are bounded against any competitor of that norm. `eta` fixes
    the distance up to which a mistake is projected. A `budget` alone stores mistakes until it is
    full and projects from then on; beside one of the others it is a cap. With none, eta is 0.1.
    An example in the span of the supports is always projected, so none is wasted on a duplicate.

    Parameters
    ----------
    norm_bound : float or None, default=None
        U in the paper, above 0.
    eta : float or None, default=None
        A distance, not its square; at least 0.
    budget : int or None, default=None
        The largest number of supports.
    zero_score : {"positive", "mistake"}, default="mistake"
        A score of zero is a mistake whatever the label, as in the paper, or predicts +1.

    Examples
    --------
    >>> from budgetron import Projectron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = Projectron(gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron",
    ICML 2008, Algorithm 2 and Eq. (13).
    """

    norm_bound: float | None = None
    eta: float | None = None
    budget: int | None = None
    zero_score: ZeroScore = field(default="mistake", kw_only=True)

    def _rule(self) -> rules.Projectron | rules.ProjectronPlusPlus:
        eta, norm_bound, budget = self._limits()
        return checked(rules.Projectron, eta=eta, norm_bound=norm_bound, budget=budget)

    def _limits(self) -> tuple[float, float, int]:
        """Eta, norm bound and budget, as the rule wants them."""
        if self.norm_bound is not None and self.eta is not None:
            raise ValueError("norm_bound and eta are two ways to say the same: give one of them")
        budget = LARGEST_WHOLE if self.budget is None else whole("budget", self.budget, least=1)
        eta, norm_bound = 0.1 if self.budget is None else 0.0, 0.0
        if self.norm_bound is not None:
            eta, norm_bound = 0.0, real("norm_bound", self.norm_bound, above=0)
            if norm_bound <= 0.75:
                self._warn_of_nothing(f"norm_bound={norm_bound:g}")
        elif self.eta is not None:
            eta = real("eta", self.eta, least=0)
            if eta >= 1:
                self._warn_of_nothing(f"eta={eta:g}")
        return eta, norm_bound, budget

    def _warn_of_nothing(self, cause: str) -> None:
        if self.kernel == "rbf" or self.normalize:
            warnings.warn(
                f"with {cause} and k(x, x) = 1 every example is near enough to nothing at all to"
                " be projected onto it: the learner will stay at f = 0",
                UserWarning,
                stacklevel=2,
            )


@documented
@dataclass(eq=False, repr=False)
class ProjectronPlusPlus(Projectron):
    """The Projectron that also projects margin errors, where that makes progress.

    A correct prediction with a margin below 1 is projected if Eq. (16) of the paper is not
    negative, with U = `norm_bound`, or 1/`eta`, or, with a `budget` alone, always.

    Examples
    --------
    >>> from budgetron import ProjectronPlusPlus
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = ProjectronPlusPlus(gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron",
    ICML 2008, Sec. 4.1.
    """

    _ways_for_classes: ClassVar[tuple[str, ...]] = ("one_vs_rest", "single_machine", "shared")

    def _rule(self) -> rules.ProjectronPlusPlus:
        eta, norm_bound, budget = self._limits()
        competitor = norm_bound
        if norm_bound == 0 and not (self.eta is None and self.budget is not None):
            competitor = 1 / eta if eta > 0 else math.inf
        return checked(
            rules.ProjectronPlusPlus,
            eta=eta,
            norm_bound=norm_bound,
            budget=budget,
            competitor=competitor,
        )
