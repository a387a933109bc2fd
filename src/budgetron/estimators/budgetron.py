"""Budgetron as a scikit-learn classifier."""

from __future__ import annotations

from copy import copy
from dataclasses import KW_ONLY, dataclass
from math import inf
from typing import Any, Literal

import numpy as np
from sklearn.base import clone

from ..core.kernel import Kernel, OwnKernel, Rows
from ..engine import Record
from ..parameters import checked, one_of, real
from ..rules.budgetron import Budgetron as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier
from .stream_classifier import steady
from .warm_up import MILESTONES, WarmUp, width_for

__all__ = ["Budgetron"]

EXPERTS = "cautious", "bold", "average"


@documented
@dataclass(eq=False, repr=False)
class Budgetron(KernelClassifier):
    """The five papers in one learner: it needs a budget, and nothing has to be tuned.

    Each example is projected onto the span of the supports, and there a Kalman filter learns, whose
    weights may drift. Three experts read it: a cautious one, a bold one that takes longer steps,
    and the average of the cautious one. They are trusted by how well they have predicted lately.
    When the budget is full, an example that is new to the supports may take the place of the one
    that means least; when predictions have been worse than none, all but the supports is forgotten.
    The page "The flagship" says what can be proved of it.

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
        The variance that weights gain with each example, at least 0, in units of their first
        variance, which is 1/k(x, x) of the first support.
    sharing : float, default=0.0001
        The part of the trust that is shared out among the experts with each example, from 0 to 1:
        how soon another one can take the lead.
    exchange : {"careful", "eager", "never"}, default="careful"
        Whether supports are replaced when the budget is full: only if little speaks for them, or
        whenever an example that is far from all of them is a mistake, or not at all.
    experts : {"all", "cautious", "bold", "average"} or tuple of these, default="all"
        Those that have a say.
    patience : float or None, default=20.0
        When predictions have been worse than none by so much, everything but the supports is
        forgotten; above 0. To predict nothing loses 1, a certain prediction 0 or 4, and half of the
        usual loss is allowed beside. None: never, and the average never begins anew either.
    gamma : float, "scale" or "auto", default="auto"
        "auto", for the Gaussian kernel, is 1 over the mean squared distance between two of the
        first examples: it is chosen after 10 examples and again after 100, each time by learning
        them anew. Before, and for another kernel, it is as "scale", which is 1/|x|^2 for the first
        example x. In scikit-learn, "auto" is 1/n_features, and "scale" is 1/(n_features X.var())
        over all examples.

    Attributes
    ----------
    trust_ : dict of str to float
        How much each expert is trusted at present. For more than two classes, a list of these.
    expert_mistakes_ : dict of str to int
        How many mistakes each of them would have made by itself. The same.
    n_restarts_ : int
        How often it has begun anew; for more than two classes, in all.

    Examples
    --------
    >>> from budgetron import Budgetron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Budgetron(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    Budgetron, "The flagship: the five papers in one learner", a page of the documentation, 2026.
    """

    budget: int = 100
    _: KW_ONLY
    noise: float = 0.3
    bold_noise: float = 0.03
    drift: float = 0.002
    sharing: float = 0.0001
    exchange: Literal["careful", "eager", "never"] = "careful"
    experts: str | tuple[str, ...] = "all"
    patience: float | None = 20.0
    gamma: float | Literal["scale", "auto"] = "auto"

    def _rule(self) -> _Rule:
        experts = EXPERTS if self.experts == "all" else self.experts
        experts = (experts,) if isinstance(experts, str) else tuple(experts)
        if not experts or len({*experts}) < len(experts) or not {*experts} <= {*EXPERTS}:
            raise ValueError(
                f'experts must be "all" or some of {EXPERTS}, each once, got {self.experts!r}'
            )
        exchange = one_of("exchange", self.exchange, ("careful", "eager", "never"))
        return checked(
            _Rule,
            budget=self.budget,
            noise=self.noise,
            bold_noise=self.bold_noise,
            drift=self.drift,
            sharing=self.sharing,
            exchange=exchange != "never",
            careful=exchange == "careful",
            patience=inf if self.patience is None else real("patience", self.patience, above=0),
            **{f"{name}_trust": (name in experts) / len(experts) for name in EXPERTS},
        )

    @steady
    def trust_(self) -> Any:
        """How much each expert is trusted at present."""
        return self._of_experts("trust")

    @steady
    def expert_mistakes_(self) -> Any:
        """How many mistakes each expert would have made by itself."""
        return self._of_experts("mistakes")

    @steady
    def n_restarts_(self) -> int:
        """How often it has begun anew, for all classes together."""
        return sum(int(machine.state.memory.restarts[0]) for machine in self._machines)

    @property
    def _machines(self) -> list[Any]:
        return getattr(self._learner, "machines", [self._learner])

    def _of_experts(self, what: str) -> Any:
        each = [
            dict(zip(EXPERTS, getattr(machine.state.memory, what).tolist(), strict=True))
            for machine in self._machines
        ]
        return each if len(each) > 1 else each[0]

    def _begin(self, X: Rows) -> None:
        super()._begin(X)
        is_open = self.gamma == "auto" and self.kernel == "rbf"
        self._warm_up: WarmUp | None = WarmUp() if is_open else None

    def _draft(self) -> Budgetron:
        draft = super()._draft()
        if self.__dict__.get("_warm_up") is not None:
            draft._warm_up = copy(self._warm_up)
        return draft

    def _kernel(self, X: Rows) -> Kernel | OwnKernel:
        if self.gamma == "auto":
            return self._with(gamma="scale")._kernel(X)
        return super()._kernel(X)

    def _with(self, **parameters: Any) -> Budgetron:
        """One that has learned nothing, with some parameters changed."""
        return clone(self).set_params(**parameters)

    def _advance(self, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        start, end = 0, len(codes)
        while self._warm_up is not None and start < end:
            here = slice(start, min(start + self._warm_up.left, end))
            self._advance_in(here, X, codes, weights, record)
            if self._warm_up.add(X[here], self.classes_[codes[here]], weights[here]):
                self._choose_width(self._warm_up)
            start = here.stop
        if start == 0:
            super()._advance(X, codes, weights, record)
        elif start < end:
            self._advance_in(slice(start, end), X, codes, weights, record)

    def _advance_in(
        self, here: slice, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record
    ) -> None:
        classes = len(self.classes_)
        part = Record(here.stop - here.start, classes if classes > 2 else None)
        super()._advance(X[here], codes[here], weights[here], part)
        record.include(here.start, part, np.arange(classes))

    def _decide_which_was_first(self, place: int) -> None:
        warm_up = self._warm_up
        super()._decide_which_was_first(place)
        self._warm_up = warm_up  # of the two that were learned, one alone has it

    def _choose_width(self, warm_up: WarmUp) -> None:
        """Learn the examples of the warm-up again, with the width that suits them."""
        X, _, weights = warm_up.joined()
        width = width_for(X)
        if width is not None:
            again = self._with(gamma=width)
            labels = warm_up.numbered(self.classes_, named=self._named)
            again._learn(X, labels, None, weights, recorded=False)
            self._learner.hand_over_to(again._learner)
            if len(self.classes_) == 1:
                self._were_it_first._learner.hand_over_to(again._were_it_first._learner)
                self._were_it_first = again._were_it_first
            self._learner, self._calibration = again._learner, again._calibration
        if warm_up.seen == MILESTONES[-1]:
            self._warm_up = None
