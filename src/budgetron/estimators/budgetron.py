"""Budgetron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..parameters import real, whole
from ..rules.budgetron import Budgetron as _Rule
from .kernel_classifier import KernelClassifier

__all__ = ["Budgetron"]

EXPERTS = "cautious", "bold", "average"


@dataclass(eq=False, repr=False)
class Budgetron(KernelClassifier):
    """The five papers in one learner: it needs a budget, and nothing has to be tuned.

    Each example is projected onto the span of the supports, and there a Kalman filter learns, whose
    weights may drift. Three experts read it: a cautious one, a bold one that takes longer steps,
    and the average of the cautious one. They are trusted by how well they have predicted lately.
    When the budget is full, an example that is new to the supports may take the place of the one
    that means least. The page "The flagship" says what can be proved of it.

    Its score is from -1 to 1, the experts' certainty weighed by the trust in them, and beyond that
    where all of them are certain. `dual_coef_` are the weights of their common hypothesis. Beside
    the supports it keeps two matrices of all supports by all supports, in float64.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports.
    noise : float, default=0.3
        The variance of labels around the margin, above 0: the smaller, the longer the steps.
    bold_noise : float, default=0.03
        The same for the bold expert.
    drift : float, default=0.002
        The variance that weights gain with each example, at least 0. Both are in units of
        1/k(x, x) of the first support.
    sharing : float, default=0.001
        The part of the trust that is shared out among the experts with each example, from 0 to 1:
        how soon another one can take the lead.
    exchange : bool, default=True
        Whether supports may be replaced when the budget is full.
    experts : tuple of str, default=("cautious", "bold", "average")
        Those that have a say.
    kernel, gamma, degree, coef0, normalize, zero_score, random_state, dtype
    class_weight, probability
        As in `KernelClassifier`.

    Examples
    --------
    >>> from budgetron import Budgetron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Budgetron(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])
    """

    budget: int = 100
    noise: float = 0.3
    bold_noise: float = 0.03
    drift: float = 0.002
    sharing: float = 0.001
    exchange: bool = True
    experts: tuple[str, ...] = EXPERTS

    def _rule(self) -> _Rule:
        experts = tuple(self.experts)
        if not experts or len({*experts}) < len(experts) or not {*experts} <= {*EXPERTS}:
            raise ValueError(f"experts must be some of {EXPERTS}, each once, got {self.experts!r}")
        return _Rule(
            whole("budget", self.budget, least=1),
            real("noise", self.noise, above=0),
            real("bold_noise", self.bold_noise, above=0),
            real("drift", self.drift, least=0),
            real("sharing", self.sharing, least=0, most=1),
            bool(self.exchange),
            *((name in experts) / len(experts) for name in EXPERTS),
        )
