"""How good predictions were, beside those that take no learning, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .baselines import Baselines
from .stretches import Stretches

if TYPE_CHECKING:
    from .trace import Trace

__all__ = ["RunningMetrics"]

SAMPLE = 10_000
"""Numbers that are kept for the area under the ROC curve: one for each of the last rows where there
are two classes, and one for each row and class where there are more."""

MISTAKES, MAJORITY, LAST_LABEL, ROWS, LOSS, LOSS_ROWS = range(6)
"""Places in a row of sums."""

LEAST = np.finfo(float).eps
"""The smallest probability, as in scikit-learn's log loss."""


class RunningMetrics:
    """The metrics of a stream of any length, in all and along it.

    Counts are kept in stretches, at most 64, that become longer with the stream; the area under
    the ROC curve is that of the last rows: 10,000, and 10,000/k where there are k > 2 classes. All
    else is about all rows.

    Parameters
    ----------
    baselines : Baselines, optional
        Those that have heard labels before the stream, if there were any.

    Examples
    --------
    >>> from budgetron import Forgetron, prequential
    >>> from budgetron.evaluation import RunningMetrics
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 25, [-1, 1, -1, 1] * 25
    >>> learner, metrics = Forgetron(gamma=2), RunningMetrics()
    >>> for first in range(0, 100, 20):  # chunks, of a stream that may be endless
    ...     metrics.add(prequential(learner, X[first : first + 20], y[first : first + 20]))
    >>> told = metrics.summary()
    >>> told["mistakes"], told["majority"]["mistakes"], told["last_label"]["mistakes"]
    (4, 51, 100)
    """

    def __init__(self, baselines: Baselines | None = None) -> None:
        self._baselines = Baselines() if baselines is None else baselines
        self._places: dict[Any, int] = {}  # of the classes, in the order in which they were met
        self._stretches = Stretches(LOSS_ROWS + 1)
        self._sample = np.zeros((0, 1))
        self._sample_codes = np.zeros(0, int)

    def add(self, trace: Trace, is_labelled: np.ndarray | None = None) -> None:
        """Go on with these rows.

        Parameters
        ----------
        trace : Trace
            Of the rows that follow those before.
        is_labelled : ndarray of bool, optional
            Which rows count: those that have labels at all. All if it is not given.
        """
        simple, is_new = self._baselines.go_on(trace.labels, trace.lessons, trace.lessons_before)
        which = np.ones(len(trace), bool) if is_labelled is None else is_labelled
        if not which.any():
            return
        labels, predictions = (
            self._coded(each[which]) for each in (trace.labels, trace.predictions)
        )
        sums = np.zeros((len(labels), LOSS_ROWS + 1))
        sums[:, MISTAKES], sums[:, MAJORITY : LAST_LABEL + 1] = trace.mistakes[which], simple[which]
        sums[:, ROWS] = 1
        if trace.probabilities is not None:
            own = self._columns(trace.classes, trace.probabilities[which])
            known = ~is_new[which]
            chances = np.clip(own[np.arange(len(labels)), labels], LEAST, 1)
            sums[:, LOSS], sums[:, LOSS_ROWS] = np.where(known, -np.log(chances), 0), known
        if len(trace.classes) == 2:
            scores = trace.scores if trace.probabilities is None else trace.probabilities[:, 1]
            is_second = labels == self._coded(trace.classes)[1]
            self._keep(is_second.astype(int), scores[which, None])
        elif trace.probabilities is not None and len(trace.classes) > 2:
            self._keep(labels, own)
        self._stretches.add(sums, labels, predictions, len(self._places))

    def summary(self) -> dict[str, Any]:
        """All metrics of all rows, in plain types.

        Returns
        -------
        dict
            "rows", "mistakes" and "error"; the same of "majority", which says the label that was
            commonest until then, and of "last_label", which repeats the last that was known; then
            scikit-learn's metrics of the predictions: "accuracy", "balanced_accuracy", "f1_macro",
            "kappa"; "log_loss", of the rows whose class had been met before, and "roc_auc", of
            the last "roc_auc_rows" rows and, of more than two classes, the mean over all, each
            against the rest; None where something is not defined. "classes", and for each of them
            "f1" and a row of "confusion_matrix", with a column for each class that was predicted.
        """
        sums, confusion = self._stretches.totals()
        order, classes = self._in_order()
        return (
            _counted(sums)
            | _scored(confusion)
            | {
                "log_loss": _mean(sums[LOSS], sums[LOSS_ROWS]),
                "roc_auc": self._roc_auc(),
                "roc_auc_rows": len(self._sample),
                "classes": classes,
                "f1": _f1_of_classes(confusion)[order].tolist(),
                "confusion_matrix": confusion[np.ix_(order, order)].tolist(),
            }
        )

    def curve(self, points: int = 32) -> dict[str, list[Any]]:
        """The metrics in stretches of the stream.

        Parameters
        ----------
        points : int, default=32
            The largest number of stretches.

        Returns
        -------
        dict
            "rows" at the end of each stretch, and of each "error", "majority_error",
            "last_label_error", "balanced_accuracy", "f1_macro", "kappa" and "log_loss".
        """
        stretches = self._stretches.coarser(points)
        told: list[dict[str, Any]] = []
        for end, sums, confusion in stretches:
            counted = _counted(sums)
            told.append(
                {
                    "rows": end,
                    "error": counted["error"],
                    "majority_error": counted["majority"]["error"],
                    "last_label_error": counted["last_label"]["error"],
                    **_scored(confusion),
                    "log_loss": _mean(sums[LOSS], sums[LOSS_ROWS]),
                }
            )
        names = told[0] if told else ()
        return {name: [each[name] for each in told] for name in names}

    def errors(self, points: int) -> np.ndarray:
        """The share of mistakes in each stretch, and of the two baselines.

        Parameters
        ----------
        points : int
            How many stretches there are at most.

        Returns
        -------
        ndarray of shape (n_stretches, 4)
            Rows at the end of the stretch; errors of the predictions, the majority and the last
            label.
        """
        stretches = [*self._stretches.coarser(points)]
        return np.array([[end, *(sums[:ROWS] / sums[ROWS])] for end, sums, _ in stretches])

    def to_json(self) -> dict[str, Any]:
        """All of it, to go on with later."""
        return {
            "baselines": self._baselines.to_json(),
            "classes": [*self._places],
            "stretches": self._stretches.to_json(),
            "sample": [self._sample_codes.tolist(), self._sample.tolist()],
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        """What `to_json` has told."""
        metrics = cls()
        metrics._baselines = Baselines.from_json(document["baselines"])
        metrics._places = {label: place for place, label in enumerate(document["classes"])}
        metrics._stretches = Stretches.from_json(LOSS_ROWS + 1, document["stretches"])
        codes, sample = document["sample"]
        if codes:
            metrics._sample, metrics._sample_codes = np.array(sample, float), np.array(codes, int)
        return metrics

    def _coded(self, labels: np.ndarray) -> np.ndarray:
        """The places of labels, those that are new being the last."""
        unique, inverse = np.unique(labels, return_inverse=True)
        places = [self._places.setdefault(it, len(self._places)) for it in unique.tolist()]
        return np.array(places, int)[inverse]

    def _columns(self, classes: np.ndarray, chances: np.ndarray) -> np.ndarray:
        """Probabilities, by the places of classes."""
        places = self._coded(classes)
        columns = np.zeros((len(chances), len(self._places)))
        columns[:, places] = chances
        return columns

    def _keep(self, codes: np.ndarray, values: np.ndarray) -> None:
        """Add to the sample; what is of another kind is dropped."""
        before, width = self._sample, values.shape[1]
        same = (before.shape[1] == 1) == (width == 1)
        since = 0 if same else len(before)
        before = np.pad(before[since:, :width], ((0, 0), (0, max(0, width - before.shape[1]))))
        most = SAMPLE // width
        self._sample = np.concatenate([before, values])[-most:]
        self._sample_codes = np.concatenate([self._sample_codes[since:], codes])[-most:]

    def _roc_auc(self) -> float | None:
        from sklearn.metrics import roc_auc_score

        codes, values = self._sample_codes, self._sample
        present = np.unique(codes)
        if len(present) < 2:
            return None
        if values.shape[1] == 1:
            return float(roc_auc_score(codes, values[:, 0]))
        each = [roc_auc_score(codes == own, values[:, own]) for own in present]
        return float(np.mean(each))

    def _in_order(self) -> tuple[Sequence[int], list[Any]]:
        labels = sorted(self._places)
        return [self._places[label] for label in labels], labels


def _counted(sums: np.ndarray) -> dict[str, Any]:
    rows = int(sums[ROWS])

    def one(place: int) -> dict[str, Any]:
        return {"mistakes": int(sums[place]), "error": _mean(sums[place], rows) or 0.0}

    baselines = {"majority": one(MAJORITY), "last_label": one(LAST_LABEL)}
    return {"rows": rows, **one(MISTAKES), **baselines}


def _scored(confusion: np.ndarray) -> dict[str, float | None]:
    """What scikit-learn says of counts: each pair of label and prediction, as often as it came."""
    from sklearn.metrics import accuracy_score, cohen_kappa_score, precision_recall_fscore_support

    labels, predictions = np.nonzero(confusion)
    if len(labels) == 0:
        return dict.fromkeys(("accuracy", "balanced_accuracy", "f1_macro", "kappa"))
    weights = confusion[labels, predictions]
    pairs: Any = (labels, predictions)
    met = np.union1d(labels, predictions)
    _, recall, f1, support = precision_recall_fscore_support(
        *pairs, labels=met, sample_weight=weights, zero_division=0.0
    )
    return {
        "accuracy": float(accuracy_score(*pairs, sample_weight=weights)),
        "balanced_accuracy": float(recall[support > 0].mean()),
        "f1_macro": float(f1.mean()),
        "kappa": float(cohen_kappa_score(*pairs, sample_weight=weights)) if len(met) > 1 else None,
    }


def _f1_of_classes(confusion: np.ndarray) -> np.ndarray:
    from sklearn.metrics import f1_score

    labels, predictions = np.nonzero(confusion)
    if len(labels) == 0:
        return np.zeros(len(confusion))
    return np.asarray(
        f1_score(
            labels,
            predictions,
            labels=np.arange(len(confusion)),
            average=None,
            sample_weight=confusion[labels, predictions],
            zero_division=0.0,
        )
    )


def _mean(total: float, count: float) -> float | None:
    return float(total / count) if count else None
