"""The Passive-Aggressive family as scikit-learn classifiers."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules import passive_aggressive as rules
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["PassiveAggressive", "PassiveAggressiveI", "PassiveAggressiveII"]


@documented
@dataclass(eq=False, repr=False)
class PassiveAggressive(AveragingClassifier):
    """Each margin below 1 is repaired by the smallest step that does.

    Examples
    --------
    >>> from budgetron import PassiveAggressive
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> PassiveAggressive(gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer, "Online passive-aggressive
    algorithms", JMLR 7 (2006) 551-585.
    """

    _rule_class = rules.PassiveAggressive


@documented
@dataclass(eq=False, repr=False)
class PassiveAggressiveI(AveragingClassifier):
    """Passive-Aggressive with steps of at most C: robust against label noise.

    Parameters
    ----------
    C : float, default=1.0
        The largest weight, above 0.

    Examples
    --------
    >>> from budgetron import PassiveAggressiveI
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> PassiveAggressiveI(gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer, "Online passive-aggressive
    algorithms", JMLR 7 (2006) 551-585.
    """

    C: float = 1.0

    _rule_class = rules.PassiveAggressiveI


@documented
@dataclass(eq=False, repr=False)
class PassiveAggressiveII(AveragingClassifier):
    """Passive-Aggressive with steps damped by 1/(2C): robust against label noise.

    Parameters
    ----------
    C : float, default=1.0
        The larger, the less damping; above 0.

    Examples
    --------
    >>> from budgetron import PassiveAggressiveII
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> PassiveAggressiveII(gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer, "Online passive-aggressive
    algorithms", JMLR 7 (2006) 551-585.
    """

    C: float = 1.0

    _rule_class = rules.PassiveAggressiveII
