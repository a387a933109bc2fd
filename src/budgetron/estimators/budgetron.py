"""Budgetron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_random_state

from ..core.kernel import Kernel, OwnKernel, Rows, squared_norms
from ..core.missing import values_in
from ..core.panel import LABELS, STACK
from ..engine import MISSING_REFUSED, Pool, Record, gamma_of, hear
from ..parameters import checked, one_of, real
from ..rules.budgetron import Budgetron as _Rule
from .documentation import documented
from .explanation import Verdict, parts_of_supports, sayings
from .forecasts import calibrate_all
from .kernel_classifier import KernelClassifier
from .pool_rows import PoolRows
from .stream_classifier import steady

__all__ = ["Budgetron"]

FILTER_EXPERTS = "cautious", "bold", "average"
EXPERTS = *FILTER_EXPERTS, "labels", "stack"


@documented
@dataclass(eq=False, repr=False)
class Budgetron(PoolRows, KernelClassifier):
    """The five papers in one learner: it needs a budget, and nothing has to be tuned.

    Each example is projected onto the span of the supports, and there a Kalman filter learns, whose
    weights may drift. Three experts read it: a cautious one, a bold one that takes longer steps,
    and the average of the cautious one. When the budget is full, an example that is new to the
    supports may take the place of the one that means least; when predictions have been worse than
    none, all but the supports is forgotten.

    Filters of several widths begin together, in the memory of one; those that predict badly are
    dropped, and the others get their room. Beside them there are an expert that knows the labels
    alone, for streams whose labels come in runs or are mostly the same, and a stack, which adds up
    what features and labels say. All are trusted by how well they have predicted lately. Features
    whose scale is far from that of the others are scaled, and those that only ever grow, like the
    number of a row or the time, are left out. The page "The flagship" says how, and what can be
    proved of it.

    Its score is from -1 to 1, the experts' certainty weighed by the trust in them, and beyond that
    where all of them are certain. `support_vectors_` and `dual_coef_` are those of the most trusted
    filter, the weights being those of its experts' common hypothesis. Beside the supports it keeps
    two matrices of all supports by all supports, in float64, three weights for each support and
    class, and twelve numbers for each feature. If labels come late, it wants to know what it
    predicted: see `ask_one` and `prequential`.

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
    experts : "all", or some of "cautious", "bold", "average", "labels", "stack", default="all"
        Those that have a say: one, or a tuple, with one of the first three among them.
    patience : float or None, default=20.0
        When predictions have been worse than none by so much, everything but the supports is
        forgotten; above 0. To predict nothing loses 1, a certain prediction 0 or 4, and half of the
        usual loss is allowed beside. None: never, and the average never begins anew either.
    gamma : float, "scale" or "auto", default="auto"
        "auto", for the Gaussian kernel: several widths are tried, around 1 over the median squared
        distance between two of the first ten examples. For another kernel it is as "scale", which
        is 1/|x|^2 for the first example x. In scikit-learn, "auto" is 1/n_features, and "scale" is
        1/(n_features X.var()) over all examples.
    scale : {"auto", "off"}, default="auto"
        "auto", where the width is chosen as well: features are divided by powers of two, if their
        scales are far apart. Not for sparse rows, unless they are mostly full.
    missing : {"error", "center"}, default="error"
        What becomes of a value that is NaN: it is refused, or, where the width is chosen as well,
        it counts as the center of its feature: the median of those of the first ten examples that
        are not missing, and 0 for sparse rows.
    coef0 : float or "auto", default="auto"
        What the linear and the polynomial kernel add to the product, at least 0: an intercept.
        "auto" is |x|^2 of the first example x for the linear kernel, and 1 for the polynomial one.
    multi_class : {"shared"}, default="shared"
        All classes have the same supports and the same covariance, and weights of their own.

    Attributes
    ----------
    trust_ : dict of str to float
        How much each expert is trusted at present; the first three, in all filters together.
    width_trust_ : dict of float to float
        How much the filters are trusted, by their gamma; that of several widths has "several".
    expert_mistakes_ : dict of str to int
        How many mistakes each of them would have made by itself: the first three in the most
        trusted filter, since it was opened.
    gamma_ : float
        That of the most trusted filter.
    scales_ : ndarray of shape (n_features_in_,)
        What features are divided by.
    n_restarts_ : int
        How often the most trusted filter has begun anew.

    Examples
    --------
    >>> from budgetron import Budgetron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Budgetron(budget=8).fit(X, y).predict([[0, 0], [1, 0]])
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
    scale: Literal["auto", "off"] = "auto"
    missing: Literal["error", "center"] = "error"
    coef0: float | Literal["auto"] = "auto"  # type: ignore[assignment]
    multi_class: Literal["shared"] = "shared"

    _ways_for_classes: ClassVar[tuple[str, ...]] = ("shared",)
    _finite = "allow-nan"

    def _experts(self) -> tuple[str, ...]:
        """Those that have a say."""
        experts = EXPERTS if self.experts == "all" else self.experts
        experts = (experts,) if isinstance(experts, str) else tuple(experts)
        if len({*experts}) < len(experts) or not {*experts} <= {*EXPERTS}:
            raise ValueError(
                f'experts must be "all" or some of {EXPERTS}, each once, got {self.experts!r}'
            )
        if not {*experts} & {*FILTER_EXPERTS}:
            raise ValueError(f"one of {FILTER_EXPERTS} must be among the experts {experts}")
        return experts

    def _rule(self) -> _Rule:
        own = [name for name in self._experts() if name in FILTER_EXPERTS]
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
            **{f"{name}_trust": (name in own) / len(own) for name in FILTER_EXPERTS},
            columns=1,
        )

    @property
    def _finds_width(self) -> bool:
        return self.gamma == "auto" and self.kernel == "rbf"

    def _takes_missing(self) -> bool:
        """Whether values may be missing, if that can be."""
        takes = one_of("missing", self.missing, ("error", "center")) == "center"
        if takes and not self._finds_width:
            raise ValueError(
                'missing="center" needs the automatic width of the Gaussian kernel (gamma="auto",'
                ' kernel="rbf"), which finds the center; or put an imputer before the learner'
            )
        return takes

    def _rows(self, X: Any, *, reset: bool) -> Rows:
        is_new = reset or not self.__sklearn_is_fitted__()
        takes_missing = self._takes_missing() if is_new else self._learner.missing
        X = super()._rows(X, reset=reset)
        if not takes_missing and np.isnan(values_in(X)).any():
            raise ValueError(MISSING_REFUSED)
        return X

    def _new_learner(self, X: Rows) -> Any:
        super()._new_learner(X)  # which checks all parameters
        scale = one_of("scale", self.scale, ("auto", "off"))
        return Pool(
            self._rule(),
            None if self._finds_width else self._kernel(X),
            X.shape[1],
            sparse=sparse.issparse(X),
            zero_is_mistake=self.zero_score == "mistake",
            classes=len(self.classes_),
            scaled=scale == "auto",
            missing=self._takes_missing(),
            labels="labels" in self._experts(),
            stack="stack" in self._experts(),
        )

    def _kernel(self, X: Rows) -> Kernel | OwnKernel:
        gamma, coef0 = self.gamma, self.coef0
        if coef0 == "auto":
            coef0 = float(squared_norms(X[:1])[0]) or 1.0 if self.kernel == "linear" else 1.0
        resolved = clone(self).set_params(gamma="scale" if gamma == "auto" else gamma, coef0=coef0)
        return KernelClassifier._kernel(resolved, X)

    def _check(self, X: Rows) -> None:
        self._use_device()
        if self._learner.given_kernel is not None:
            super()._check(X)  # else there is no kernel yet: the pool looks at rows as they come

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "center"
        return tags

    @steady
    def trust_(self) -> dict[str, float]:
        """How much each expert is trusted at present."""
        pool = self._learner
        inner, others = _trust_within(pool).sum(axis=0), pool.panel.trust[[LABELS, STACK]]
        return dict(zip(EXPERTS, [*inner.tolist(), *others.tolist()], strict=True))

    @steady
    def width_trust_(self) -> dict[Any, float]:
        """How much each width is trusted at present."""
        pool = self._learner
        return dict(zip(_names_of_widths(pool), pool.panel.trust.tolist(), strict=False))

    @steady
    def expert_mistakes_(self) -> dict[str, int]:
        """How many mistakes each expert would have made by itself."""
        pool = self._learner
        others = pool.panel.mistakes[[LABELS, STACK]].tolist()
        own = pool.lead.state.memory.mistakes.tolist()
        return dict(zip(EXPERTS, [*own, *others], strict=True))

    @steady
    def gamma_(self) -> float:
        """That of the most trusted filter."""
        return gamma_of(self._learner.lead)

    @steady
    def scales_(self) -> np.ndarray:
        """What features are divided by."""
        columns = self._learner.columns
        if columns is None:
            return np.ones(self.n_features_in_)
        return 1 / columns.factors_of(np.arange(self.n_features_in_))

    @steady
    def n_restarts_(self) -> int:
        """How often the most trusted filter has begun anew."""
        return int(self._learner.state.memory.restarts[0])

    def _seed(self) -> None:
        check_random_state(self.random_state)
        self._seeds = 0  # nothing is drawn

    def _add_class(self, place: int) -> None:
        self._note_class(place)
        if len(self.classes_) > 2:
            self._learner.add_class(place)

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        codes = np.where(np.signbit(labels), 0, 1)
        places = np.minimum(codes, len(self.classes_) - 1)
        self._learner.learn(X, codes, self._heavy(places, np.abs(labels)), record)
        if self.probability:
            calibrate_all(self._calibration, record, labels[None])

    def _count(self, record: Record) -> None:
        if len(self.classes_) > 2:
            self._learner.count(record)

    def _speakers(self, X: Rows, verdict: Verdict) -> dict[str, Any]:
        pool, many = self._learner, len(self._learner.filters)
        heard, trust, inner = hear(pool, X), pool.panel.trust, _trust_within(pool)
        panel, readings = verdict.certainty(heard.panel), verdict.certainty(heard.readings)
        total = inner.sum(axis=0)
        read = (inner * readings).sum(axis=0) / np.where(total > 0, total, 1)
        experts = sayings(EXPERTS, [*total, *trust[many:]], [*read, *panel[many:]])
        own, parts = self._experts(), verdict.seen_from(heard.parts)
        told = parts_of_supports(heard.births, parts, heard.instances, pool.seen)
        told["experts"] = tuple(each for each in experts if each.name in own)
        if self._finds_width:
            names = _names_of_widths(pool)
            order = sorted(range(many), key=lambda j: (names[j] == "several", names[j]))
            shown = [name if name == "several" else f"gamma={name:.3g}" for name in names]
            each = [(shown[j], trust[j], panel[j]) for j in order]
            told["widths"] = sayings(*zip(*each, strict=True)) if each else ()
        return told

    def _decide(self, X: Rows, *, average: bool = False) -> np.ndarray:
        return self._learner.decide(X)


def _trust_within(pool: Pool) -> np.ndarray:
    """How much each expert is trusted in each filter: (filters, experts)."""
    juries = np.array([one.state.memory.jury for one in pool.filters])
    return pool.panel.trust[: len(juries), None] * juries.reshape(-1, len(FILTER_EXPERTS))


def _names_of_widths(pool: Pool) -> list[Any]:
    """The gamma of each filter, or "several"."""
    return [
        "several" if getattr(one.kernel, "multiscale", False) else gamma_of(one)
        for one in pool.filters
    ]
