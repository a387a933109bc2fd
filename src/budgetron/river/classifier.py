"""What all learners share as classifiers of River."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from river.base import MiniBatchClassifier

from ..estimators import StreamClassifier
from ..estimators.single_rows import checked_weight
from ..parameters import whole
from .feature_index import FeatureIndex, Layout
from .frames import Frame, listed
from .labels import number
from .signatures import NOT_OF_RIVER, constructor, documentation

__all__ = ["KernelLearner", "StreamLearner"]

NONE_SO_FAR: Any = MappingProxyType({})


class StreamLearner(MiniBatchClassifier):
    """A learner of this package as a classifier of River.

    What a subclass learns with is an estimator, of which it has the parameters and the
    documentation: `class Forgetron(StreamLearner, learns_with=estimators.Forgetron)`.

    Parameters
    ----------
    max_features : int, default=65536
        The largest number of columns. Names get one each, in the order in which they appear; those
        beyond it share columns, chosen by a hash of the name.
    seed : int or None, default=None
        For the learners that draw: the estimator's `random_state`.
    """

    _estimator_class: ClassVar[type[StreamClassifier]]
    estimator: Any

    def __init_subclass__(cls, learns_with: Any = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        if learns_with is not None:
            cls._estimator_class = learns_with
            cls.__init__ = constructor(learns_with, cls._own_defaults())  # type: ignore[method-assign]
            cls.__doc__ = documentation(cls, learns_with)

    @classmethod
    def _own_defaults(cls) -> dict[str, Any]:
        """The parameters that the estimator does not have."""
        return {"max_features": 2**16, "seed": None}

    def _set_out(self) -> None:
        """Make what is to be learned with, once there are parameters."""
        self.estimator = self._estimator_class(**self._given_to_estimator())
        self._features = self._new_index()
        self._y_name: Any = None

    @property
    def _codes(self) -> dict[Any, int]:
        """The labels so far, and their numbers."""
        codes: dict[Any, int] = getattr(self.estimator, "_codes", NONE_SO_FAR)
        return codes

    def __getstate__(self) -> dict[str, Any]:
        """What is known between two calls; of names, at least those that have been learned."""
        return self.__dict__ | {
            "estimator": copy(self.estimator),
            "_features": copy(self._features),
        }

    def _given_to_estimator(self) -> dict[str, Any]:
        names = {*self._estimator_class._get_param_names()} - NOT_OF_RIVER
        return {name: getattr(self, name) for name in names} | {"random_state": self.seed}

    def _new_index(self) -> FeatureIndex:
        bound = whole("max_features", self.max_features, least=1)
        return FeatureIndex(bound, missing=self._takes_missing)

    @property
    def _takes_missing(self) -> bool:
        return bool(self.estimator.__sklearn_tags__().input_tags.allow_nan)

    @property
    def _multiclass(self) -> bool:
        return bool(self.estimator.__sklearn_tags__().classifier_tags.multi_class)

    def learn_one(self, x: Any, y: Any, w: float = 1.0) -> None:
        """Learn one more example.

        Parameters
        ----------
        x
            A dict of numbers.
        y
            Its label, which may be a new one.
        w
            By what the step is multiplied; at least 0.
        """
        weight = checked_weight(w)
        with self.estimator._access.learning:
            with self.estimator._access.row:  # where values are put is the same for all rows
                layout = self._features.read(x)
                row = layout.one_row()
            self._learn(layout, row, [y], [weight])

    def predict_one(self, x: Any) -> Any:
        """The label of one example; None before anything is learned.

        Parameters
        ----------
        x
            A dict of numbers.
        """
        return self._predicted(self._one_row(x))[0]

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The probability of each label that there has been; needs `probability=True`.

        Parameters
        ----------
        x
            A dict of numbers.
        """
        labels, shares = self._probabilities(self._one_row(x))
        return dict(zip(labels, shares[0].tolist(), strict=True))

    def learn_many(self, X: Any, y: Any, w: Any = None) -> None:
        """Learn the rows of a frame one after the other, as `learn_one` would.

        Parameters
        ----------
        X
            A frame of numbers, of any library that Narwhals knows.
        y
            A series of labels.
        w
            A series of weights; None for 1.
        """
        frame, labels, weights = Frame(X), listed(y), None if w is None else listed(w)
        with self.estimator._access.learning:
            layout = self._features.layout(frame.names)
            rows = layout.matrix(frame.values(layout.names, missing=self._takes_missing))
            if len(frame) > 0:
                self._learn(layout, rows, labels, weights)
                self._y_name = getattr(y, "name", None)

    def predict_many(self, X: Any) -> Any:
        """The labels of the rows of a frame, as a series of the same library.

        Parameters
        ----------
        X
            A frame of numbers, of any library that Narwhals knows.
        """
        frame = Frame(X)
        return frame.series(self._predicted(self._rows(frame)), self._y_name)

    def predict_proba_many(self, X: Any) -> Any:
        """The probabilities of the labels as a frame, with a column for each; see `probability`.

        Parameters
        ----------
        X
            A frame of numbers, of any library that Narwhals knows.
        """
        frame = Frame(X)
        labels, shares = self._probabilities(self._rows(frame))
        return frame.frame(shares, labels)

    def _rows(self, frame: Frame) -> Any:
        layout = self._features.layout(frame.names)
        return layout.matrix(frame.values(layout.names, missing=self._takes_missing))

    def _one_row(self, x: Any) -> Any:
        with self.estimator._access.row:
            return self._features.read(x).one_row()

    def _learn(
        self, layout: Layout, X: Any, labels: list[Any], weights: list[float] | None
    ) -> None:
        y = number(labels, self._codes)
        draft, _ = self.estimator._learned(X, y, None, weights, recorded=False)
        self._features.adopt(layout)  # first: names that are not learned do no harm
        self.estimator._commit(draft)

    def _predicted(self, X: Any) -> list[Any]:
        if not self._codes:
            return [None] * X.shape[0]
        if X.shape[0] == 0:
            return []
        with self.estimator._reading() as still:
            labels = [*still._codes]
            return [labels[place] for place in still._chosen(still._decision(X))]

    def _probabilities(self, X: Any) -> tuple[list[Any], np.ndarray]:
        """The labels so far, and a row of their probabilities for each row."""
        with self.estimator._reading() as still:
            if not hasattr(still, "predict_proba"):
                raise NotImplementedError("probabilities need probability=True")
            labels = [*getattr(still, "_codes", NONE_SO_FAR)]
            if not labels or X.shape[0] == 0:
                return labels, np.empty((X.shape[0], len(labels)))
            return labels, still.predict_proba(X)


class KernelLearner(StreamLearner):
    """A learner with a kernel, to which single rows go by the shortest way."""

    def learn_one(self, x: Any, y: Any, w: float = 1.0) -> None:
        """Learn one more example.

        Parameters
        ----------
        x
            A dict of numbers.
        y
            Its label, which may be a new one.
        w
            By what the step is multiplied; at least 0.
        """
        estimator = self.estimator
        with estimator._access.learning:
            code = self._codes.get(y)
            if code is None:
                super().learn_one(x, y, w)
                return
            with estimator._access.row:
                if estimator._access.readers:
                    estimator._leave_to_readers()
                cache = estimator._row_cache()
                layout, weight = self._features.read(x), checked_weight(w)
                cache.buffer.put_sparse(layout.columns, layout.row)
                if layout.new:
                    cache.buffer.check_as_put()
                    self._features.adopt(layout)
                estimator._learn_row(cache, code, weight)

    def predict_one(self, x: Any) -> Any:
        """The label of one example; None before anything is learned.

        Parameters
        ----------
        x
            A dict of numbers.
        """
        if not self._codes:
            return super().predict_one(x)
        with self.estimator._access.row:
            cache = self._with_row(x)
            scores = self.estimator._scores_of_row(cache)
            return cache.labels[self.estimator._choice_of_row(cache, scores)]

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The probability of each label that there has been; needs `probability=True`.

        Parameters
        ----------
        x
            A dict of numbers.
        """
        if not self._codes or not self.estimator.probability:
            return super().predict_proba_one(x)
        with self.estimator._access.row:
            return self.estimator._probabilities_of_row(self._with_row(x))

    def debug_one(self, x: Any, decimals: int = 3) -> str:
        """What is said of one example, and by whom.

        Parameters
        ----------
        x
            A dict of numbers.
        decimals
            How many to show.
        """
        if not self._codes:
            return "nothing has been learned yet"
        with self.estimator._access.row:
            cache = self._with_row(x)
            scores = self.estimator._scores_of_row(cache)
            label = cache.labels[self.estimator._choice_of_row(cache, scores)]
        names = cache.labels if len(scores) > 1 else cache.labels[-1:]
        told = {
            "predicted": repr(label),
            "score": _listed(zip(map(repr, names), scores, strict=True), decimals),
            "supports": str(self.estimator.support_vectors_.shape[0]),
        }
        if hasattr(self.estimator, "trust_"):
            told["trust"] = _listed(self.estimator.trust_.items(), decimals)
            if self.estimator.kernel == "rbf":
                told["widths"] = _listed(_widest_first(self.estimator.width_trust_), decimals)
        return "\n".join(f"{name}: {what}" for name, what in told.items())

    def _with_row(self, x: Any) -> Any:
        """Where the row has been put, to be scored."""
        layout, cache = self._features.read(x), self.estimator._row_cache()
        cache.buffer.put_sparse(layout.columns, layout.row)
        return cache


def _listed(pairs: Iterable[tuple[Any, float]], decimals: int) -> str:
    """Names and numbers on one line."""
    return ", ".join(f"{name} {number:.{decimals}f}" for name, number in pairs) or "none so far"


def _widest_first(trust: dict[Any, float]) -> list[tuple[str, float]]:
    """The widths by name, that of several last."""
    gammas = sorted(name for name in trust if name != "several")
    named = [(f"gamma={gamma:.3g}", trust[gamma]) for gamma in gammas]
    return named + [(name, it) for name, it in trust.items() if name == "several"]
