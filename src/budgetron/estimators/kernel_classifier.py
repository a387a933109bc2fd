"""What all learners share that are a rule and a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from threading import local
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from ..core.kernel import (
    Kernel,
    OwnKernel,
    Rows,
    largest_norm,
    largest_squared_norm,
    largest_value,
    scale_gamma,
    squared_norms,
)
from ..core.platt import STATE_SIZE, mirrored, probabilities, probability
from ..core.triggers import ZeroScore
from ..engine import (
    CPU,
    DEVICES,
    Learner,
    MulticlassLearner,
    OneVsRest,
    Record,
    SharedLearner,
    decide,
    kernel_values,
    kind_of_learner,
    learn,
    refuse_unless_foreseen,
)
from ..kernels import gaussian, linear, polynomial
from ..parameters import LARGEST_WEIGHT, checked, one_of, real
from .classes import balanced
from .documentation import documented
from .explanation import Verdict, parts_of_supports
from .forecasts import calibrate_all
from .in_parts import in_parts
from .single_rows import SingleRows, machines_of
from .stream_classifier import steady

__all__ = ["KernelClassifier", "learn_together"]

DEVICE_PIECE = 32768
"""So many examples keep a device busy for a while."""


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class KernelClassifier(SingleRows):
    """A rule and a kernel, as a classifier with `fit`, `partial_fit` and `predict`.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"} or callable, default="rbf"
        `<x, y> + coef0`, `(gamma <x, y> + coef0)^degree`, `exp(-gamma |x - y|^2)`, or a function of
        two matrices of rows that returns the matrix of kernel values.
    gamma : float or "scale", default="scale"
        Of the polynomial and the Gaussian kernel; above 0. "scale" is 1/|x|^2 for the first example
        x (1/n_features if that is zero, or below 1e-180; where a sparse matrix stores its zeros,
        they are the features). In scikit-learn it is 1/(n_features X.var()), which needs all
        examples; its "auto" is not here, and means something else in `Budgetron`.
    degree : int, default=3
        Of the polynomial kernel; at least 1.
    coef0 : float, default=0.0
        What the linear and the polynomial kernel add to the product; at least 0. Above 0 it is an
        intercept, which the papers do without.
    normalize : bool, default=False
        Whether to divide k(x, y) by sqrt(k(x, x) k(y, y)).
    zero_score : {"positive", "mistake"}, default="positive"
        What a score of exactly zero is: a prediction of the positive class, or always a mistake.
    random_state : int, RandomState or None, default=None
        For the learners that draw.
    dtype : {"float64", "float32"}, default="float64"
        In which instances are kept and the kernel is evaluated. Decisions are as exact in float32:
        a score that float32 cannot tell from a threshold is evaluated in float64. Learners that
        project or solve work in float64 in any case: seven digits are too few for that.
    class_weight : dict, "balanced" or None, default=None
        By what the steps of each class's examples are multiplied, at most 1e12; 1 for classes that
        are not in the dict. "balanced" is n / (k n_c) for the n examples of k classes seen so far,
        n_c of which are of the example's class.
    probability : bool, default=False
        Whether to calibrate scores as they come, before their labels are learned, and so to have
        `predict_proba`.
    multi_class : {"one_vs_rest", "single_machine", "shared"}, default="one_vs_rest"
        How more than two classes are learned: with a machine and a budget for each, that tells it
        from all others; with a single one that sets the right class's score against the highest
        wrong one; or with a machine for each on common supports, one budget and one factor for all.
        The second-order learners, the modified Perceptron, Ahpatron, Budgetron and gradient descent
        have no single machine. Projectron++ and Budgetron share supports.
    device : {"cpu", "cuda"}, default="cpu"
        Where the kernel is evaluated. A GPU pays with budgets of thousands, and learns the same; it
        takes CuPy (`pip install "budgetron[gpu]"`), a kernel that is built in, and a learner that
        only adds, removes, scales and projects, or `Budgetron`. What is saved goes on with "cpu"
        when it is loaded, until `set_params(device="cuda")`.

    Attributes
    ----------
    classes_ : ndarray
        The classes. Of two, the second is the positive one; of more, each has a budget of its own.
    n_features_in_ : int
        The number of features.
    support_vectors_ : array or CSR matrix of shape (size, n_features_in_)
        The supports, oldest first.
    dual_coef_ : ndarray of shape (1, size), or (n_classes, size) for more than two classes
        Their weights.
    n_seen_, n_mistakes_, n_updates_ : int
        Examples seen, predictions that were wrong, and examples that changed the learner.
    """

    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    random_state: Any = None
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    device: Literal["cpu", "cuda"] = "cpu"

    _rule_class: ClassVar[Any]

    def _rule(self) -> Any:
        """The rule whose parameters are those of the same names, checked."""
        given = {name: getattr(self, name) for name in self._rule_class._fields}
        return checked(self._rule_class, **given)

    @steady
    def support_vectors_(self) -> Rows:
        """The supports, oldest first."""
        return self._learner.supports

    @steady
    def dual_coef_(self) -> np.ndarray:
        """The weights of the supports."""
        return np.atleast_2d(self._learner.weights)

    @steady
    def n_seen_(self) -> int:
        """Examples seen."""
        return self._learner.seen

    @steady
    def n_mistakes_(self) -> int:
        """Predictions that were wrong."""
        return self._learner.mistakes

    @steady
    def n_updates_(self) -> int:
        """Examples that changed the learner."""
        return self._learner.updates

    @property
    def _kernel_of_instances(self) -> Kernel | OwnKernel:
        """The kernel whose space the hypotheses for the user's instances are in."""
        return self._learner.kernel

    @available_if(lambda self: self.probability)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probabilities of the classes, calibrated on the stream so far; see `probability`.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)

        Returns
        -------
        ndarray of shape (n_examples, n_classes)
        """
        with self._reading() as still:
            return still._probabilities(still._decision(X))

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        if scores.ndim == 2:
            return probabilities(self._calibration, scores)
        if len(self.classes_) == 1:
            return np.ones((len(scores), 1))
        second = probability(self._calibration[0], scores)
        return np.column_stack([1 - second, second])

    def _begin(self, X: Rows) -> None:
        self._learner: Any = self._new_learner(X)
        self._class_counts = np.zeros(len(self.classes_), np.int64)
        self._calibration = np.zeros(
            (len(self.classes_) if len(self.classes_) > 2 else 1, STATE_SIZE)
        )
        _check_class_weight(self.class_weight)

    def _check(self, X: Rows) -> None:
        self._use_device()
        _refuse_overflow(X, self._learner.kernel, self._learner.dtype)

    def _use_device(self) -> None:
        """Go on where `device` says."""
        device = one_of("device", self.device, (CPU, *DEVICES))
        if device != CPU:
            refuse_unless_foreseen(self._rule(), device)
        self._learner.use(device)

    def _seed(self) -> None:
        self._seeds = _first_number(self.random_state)
        self._learner.reseed(self._next_seed())
        if len(self.classes_) > 2 and self.multi_class == "shared":
            self._learner = SharedLearner.instead_of(self._learner, len(self.classes_))
        elif len(self.classes_) > 2 and not self._has_single_machine:
            machines = [self._learner.fresh(self._next_seed()) for _ in self.classes_]
            self._learner = OneVsRest(machines)

    def _next_seed(self) -> int:
        self._seeds += 1
        return self._seeds - 1

    def _note_class(self, place: int) -> None:
        """Have counts and a calibration for one more class, the `place`-th."""
        self._class_counts = np.insert(self._class_counts, place, 0)
        if len(self.classes_) == 3:
            second = self._calibration[0]
            self._calibration = np.stack([mirrored(second), second])
        if len(self.classes_) > 2:
            self._calibration = np.insert(self._calibration, place, 0.0, axis=0)

    def _add_class(self, place: int) -> None:
        self._note_class(place)
        if self._has_single_machine:
            self._learner.add_class(place)
        elif len(self.classes_) > 2 and self.multi_class == "shared":
            if len(self.classes_) == 3:
                self._learner = SharedLearner.instead_of(self._learner, 2)
            self._learner.add_class(place)
        elif len(self.classes_) > 2:
            if len(self.classes_) == 3:
                self._learner = OneVsRest.of_two(self._learner, self._next_seed())
            self._learner.add_class(place, self._next_seed())

    _ways_for_classes: ClassVar[tuple[str, ...]] = ("one_vs_rest", "single_machine")

    @property
    def _has_single_machine(self) -> bool:
        return self.multi_class == "single_machine"

    @property
    def _at_once(self) -> int:  # type: ignore[override]
        return 1 if self._has_single_machine else 2

    def _longest_step(self, rows: int) -> float:
        own = isinstance(self._learner.kernel, OwnKernel)  # runs in Python, in its user's thread
        return 0.0 if own else self._learner.longest_step(rows)

    @property
    def _piece(self) -> int:
        return super()._piece if self.device == CPU else DEVICE_PIECE

    def _draft(self) -> Self:
        draft = super()._draft()
        if self.__sklearn_is_fitted__():
            draft._learner, draft._calibration = self._learner.copied(), self._calibration.copy()
            if "_class_counts" in self.__dict__:  # whoever whitens has none
                draft._class_counts = self._class_counts.copy()
        return draft

    def _share(self, common: dict[Any, Any]) -> None:
        for machine in machines_of(self._learner):
            machine.share(common)

    def _advance(self, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        if len(self.classes_) > 2:
            self._learner.learn(X, codes, self._heavy(codes, weights), record)
            if self.probability:
                own = codes == np.arange(len(self.classes_))[:, None]
                labels = np.where(own, weights, -weights)
                calibrate_all(self._calibration, record, labels)
        else:
            super()._advance(X, codes, weights, record)

    def _count(self, record: Record) -> None:
        if isinstance(self._learner, OneVsRest):
            self._learner.count(record)

    def _heavy(self, codes: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The examples' weights times those of their classes, which count the ones that are told.

        Weights may be labels, too.
        """
        told, heavy = ~np.isnan(weights), weights.copy()
        heavy[told] *= self._weights_of_classes(codes[told], self._class_counts)
        return heavy

    def _is_mistake(self, scores: np.ndarray, predictions: np.ndarray, y: np.ndarray) -> np.ndarray:
        """A tie is one, too, if that is how zeros are read."""
        wrong = super()._is_mistake(scores, predictions, y)
        if self.zero_score == "mistake" and scores.ndim == 1:
            return wrong | (scores == 0)
        if self.zero_score == "mistake" and self._has_single_machine:
            return wrong | ((scores == scores.max(axis=1)[:, None]).sum(axis=1) > 1)
        return wrong

    def _weights_of_classes(self, codes: np.ndarray, counts: np.ndarray) -> np.ndarray | float:
        """By what the steps of these examples are multiplied; `counts` go on with them."""
        if self.class_weight is None:
            return 1.0
        if isinstance(self.class_weight, str):
            return balanced(codes, counts)
        return np.array([self.class_weight.get(label, 1.0) for label in self.classes_])[codes]

    def _weight_of_class(self, code: int, counts: np.ndarray) -> float:
        if self.class_weight is None:
            return 1.0
        return float(np.ravel(self._weights_of_classes(np.array([code]), counts))[0])

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        codes = np.where(np.signbit(labels), 0, len(self.classes_) - 1)
        heavy = self._heavy(codes, labels)
        if self._has_single_machine:
            self._learner.learn(X, codes, np.abs(heavy), record)
        else:
            learn([self._learner], X, [heavy], [record])
        if self.probability:
            calibrate_all(self._calibration, record, labels[None])

    def _scores(self, X: Rows) -> np.ndarray:
        return self._decide(X)

    def _decide(self, X: Rows, *, average: bool = False) -> np.ndarray:
        if isinstance(self._learner, MulticlassLearner | OneVsRest):
            return self._learner.decide(X, average=average)
        return decide(self._learner, X, average=average)

    def _speakers(self, X: Rows, verdict: Verdict) -> dict[str, Any]:
        learner = self._learner
        parts = verdict.seen_from(self.dual_coef_ * kernel_values(learner, X))
        return parts_of_supports(learner.births, parts, learner.supports, learner.seen)

    def _new_learner(self, X: Rows) -> Learner:
        one_of("dtype", self.dtype, ("float64", "float32"))
        zero_score = one_of("zero_score", self.zero_score, ("positive", "mistake"))
        options: dict[str, Any] = {
            "sparse": sparse.issparse(X),
            "dtype": self.dtype,
            "zero_is_mistake": zero_score == "mistake",
        }
        rule, kernel, width = self._rule(), self._kernel(X), X.shape[1]
        one_of("multi_class", self.multi_class, self._ways_for_classes)
        if self._has_single_machine:
            return MulticlassLearner(rule, kernel, width, len(self.classes_), **options)
        return kind_of_learner(rule)(rule, kernel, width, **options)

    def _kernel(self, X: Rows) -> Kernel | OwnKernel:
        if isinstance(self.kernel, Kernel):
            return self.kernel._replace(normalize=self.kernel.normalize or bool(self.normalize))
        if callable(self.kernel):
            return OwnKernel(self.kernel, bool(self.normalize), largest_value(self.dtype))
        gamma = self.gamma
        if isinstance(gamma, str):
            one_of("gamma", gamma, ("scale",))
            gamma = scale_gamma(float(squared_norms(X[:1])[0]), _n_features(X))
        kernels = {
            "linear": linear(self.coef0, normalize=bool(self.normalize)),
            "poly": polynomial(self.degree, gamma, self.coef0, normalize=bool(self.normalize)),
            "rbf": gaussian(gamma),
        }
        return kernels[one_of("kernel", self.kernel, tuple(kernels))]


def learn_together(
    classifiers: Sequence[KernelClassifier], X: Rows, labels: np.ndarray, records: Sequence[Record]
) -> None:
    """Let classifiers of two classes that began together go over the same examples.

    Where their kernels are the same, it is evaluated once for all.
    """
    learners = [classifier._learner for classifier in classifiers]
    learn(learners, X, [labels] * len(learners), records)


_own = local()


def _first_number(random_state: Any) -> int:
    """What `check_random_state(random_state).randint(2**31)` is.

    A generator is not made for each number: that takes longer than to learn ten rows.
    """
    if not isinstance(random_state, Integral):
        return int(check_random_state(random_state).randint(2**31))
    if not hasattr(_own, "generator"):
        _own.generator = np.random.RandomState(0)
    _own.generator.seed(random_state)
    return int(_own.generator.randint(2**31))


def _n_features(X: Rows) -> int:
    """The features that the first example could have had."""
    stored = X[:1].nnz if sparse.issparse(X) else 0
    return int(stored or X.shape[1])


def _check_class_weight(class_weight: Any) -> None:
    if isinstance(class_weight, Mapping):
        for label, weight in class_weight.items():
            real(f"class_weight[{label!r}]", weight, least=0, most=LARGEST_WEIGHT)
    elif class_weight is not None and not isinstance(class_weight, str):
        raise TypeError(f'class_weight must be a dict, "balanced" or None, got {class_weight!r}')
    elif class_weight is not None:
        one_of("class_weight", class_weight, ("balanced",))


def _refuse_overflow(X: Rows, kernel: Kernel | OwnKernel, dtype: np.dtype[Any]) -> None:
    largest = max(in_parts(X, largest_squared_norm))
    if not largest <= largest_norm(kernel, dtype):
        raise ValueError(
            f"an example of squared norm {largest:g} is too large for the kernel in {dtype};"
            " scale the data"
        )
