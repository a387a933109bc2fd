"""A small saved model of each family, and how it goes on: kept for ever beside this file.

`python -m saving.families` writes those that are not there yet. None is ever written again: a
version that cannot read them is wrong.
"""

import json
from pathlib import Path

import numpy as np
from scipy import sparse

import budgetron
from budgetron.kernels import polynomial

FILES = Path(__file__).parent / "files"
LENGTH, WIDTH = 40, 4


def rows(first, last):
    """A stream that is the same on every machine."""
    i, j = np.mgrid[first:last, 0:WIDTH]
    X = ((i * 37 + j * 101 + i * i * (3 * j + 1)) % 97) / 48 - 1
    X[(i * 7 + j * 3) % 5 == 0] = 0
    return X


def labels(X, classes):
    """They follow a curved border."""
    codes = (X[:, 0] + X[:, 1] ** 2 > 0.3).astype(int)
    if classes == 3:
        codes[X[:, 2] > 0.5] = 2
    return codes


class Family:
    """A learner, and what it learns from."""

    def __init__(self, model, *, storage=np.asarray, classes=2, names=None, weighted=False):
        self.model, self.classes, self.weighted = model, classes, weighted
        self._storage, self._names = storage, names

    def examples(self, first, last):
        """Rows, labels and weights."""
        X = rows(first, last)
        y = labels(X, self.classes) * (self.classes > 1 or first >= LENGTH)
        y = y if self._names is None else np.array(self._names)[y]
        weights = 0.5 + np.arange(first, last) % 3 / 2 if self.weighted else np.ones(last - first)
        return self._storage(X), y, weights

    def learn(self, model, first, last):
        """Go over some examples, a few at a time."""
        for start in range(first, last, 5):
            X, y, weights = self.examples(start, min(start + 5, last))
            model.partial_fit(X, y, sample_weight=weights)
        return model


def _with(cls, **parameters):
    return cls(**{"gamma": 0.5, "random_state": 7, **parameters})


def _experts():
    return budgetron.RestartingExperts(
        [
            _with(budgetron.Forgetron, budget=4),
            _with(budgetron.RandomizedBudgetPerceptron, budget=4),
            budgetron.DriftingThreshold(feature=1),
        ],
        restart_every=15,
        random_state=7,
    )


SPARSE = sparse.csr_array
WORDS = ["no", "yes", "änd\x00so"]

FAMILIES = {
    "forgetron": Family(_with(budgetron.Forgetron, budget=6)),
    "forgetron-single-machine": Family(
        _with(budgetron.Forgetron, budget=6, multi_class="single_machine", probability=True),
        classes=3,
    ),
    "randomized-sparse": Family(
        _with(budgetron.RandomizedBudgetPerceptron, budget=6), storage=SPARSE, names=WORDS
    ),
    "perceptron-float32": Family(_with(budgetron.Perceptron, dtype="float32", average=True)),
    "shifting-float32-sparse": Family(
        _with(budgetron.ShiftingPerceptron, dtype="float32", decay=20.0), storage=SPARSE
    ),
    "one-vs-rest": Family(
        _with(
            budgetron.LeastRecentBudgetPerceptron,
            budget=6,
            probability=True,
            class_weight="balanced",
        ),
        classes=3,
        names=["a", "b", "c"],
    ),
    "one-vs-rest-sparse": Family(
        _with(budgetron.RandomizedBudgetPerceptron, budget=4), storage=SPARSE, classes=3
    ),
    "probability": Family(
        _with(budgetron.PassiveAggressiveI, C=0.5, probability=True, class_weight={0: 2.0}),
        weighted=True,
    ),
    "budget-perceptron": Family(
        _with(budgetron.BudgetPerceptron, budget=6, kernel=polynomial(2, 0.5, 1.0))
    ),
    "modified": Family(_with(budgetron.ModifiedPerceptron, budget=6, evict="oldest")),
    "budgeted-passive-aggressive": Family(
        _with(budgetron.BudgetedPassiveAggressive, budget=6, C=0.5), weighted=True
    ),
    "ahpatron-sparse": Family(_with(budgetron.Ahpatron, budget=7), storage=SPARSE, classes=3),
    "norma": Family(_with(budgetron.Norma, budget=6), weighted=True),
    "budgeted-gradient-descent-sparse": Family(
        _with(budgetron.BudgetedGradientDescent, budget=6), storage=SPARSE
    ),
    "nystrom-gradient-descent": Family(
        _with(budgetron.NystromGradientDescent, budget=9, rank=4, average=True)
    ),
    "fourier-gradient-descent": Family(_with(budgetron.FourierGradientDescent, budget=5)),
    "fourier-one-vs-rest-sparse": Family(
        _with(budgetron.FourierGradientDescent, budget=5, dtype="float32"),
        storage=SPARSE,
        classes=3,
    ),
    "budgetron": Family(_with(budgetron.Budgetron, budget=6), weighted=True),
    "budgetron-widths-sparse": Family(
        _with(budgetron.Budgetron, budget=6, gamma="auto"), storage=SPARSE, classes=3
    ),
    "projectron": Family(_with(budgetron.ProjectronPlusPlus, budget=6)),
    "projectron-shared": Family(
        _with(budgetron.ProjectronPlusPlus, budget=6, multi_class="shared"), classes=3
    ),
    "second-order-budget-sparse": Family(
        _with(budgetron.LeastRecentBudgetSecondOrderPerceptron, budget=6), storage=SPARSE
    ),
    "second-order-span": Family(_with(budgetron.SecondOrderPerceptron, kernel="linear")),
    "second-order-pseudoinverse": Family(
        _with(budgetron.PseudoinverseSecondOrderPerceptron, kernel="linear")
    ),
    "second-order-adaptive": Family(_with(budgetron.AdaptiveSecondOrderPerceptron)),
    "one-class": Family(_with(budgetron.Forgetron, budget=6), classes=1),
    "random-state": Family(
        _with(
            budgetron.RandomizedBudgetPerceptron,
            budget=4,
            random_state=np.random.RandomState(np.random.MT19937(0)),
        )
    ),
    "threshold": Family(budgetron.DriftingThreshold(feature=1, gamma=0.05), names=[False, True]),
    "experts": Family(_experts()),
    "whitened": Family(budgetron.WhitenedPerceptron(gamma=0.5)),
    "whitened-sparse": Family(budgetron.WhitenedPerceptron(gamma=0.5), storage=SPARSE, classes=3),
}


def half_way(family):
    """The learner in the middle of its stream, as it is in the file."""
    if hasattr(family.model, "partial_fit"):
        return family.learn(family.model, 0, LENGTH)
    return family.model.fit(*family.examples(0, LENGTH))


def at_the_end(family, model):
    """What becomes of it."""
    if hasattr(model, "partial_fit"):
        family.learn(model, LENGTH, 2 * LENGTH)
    X = family.examples(0, 3 * LENGTH)[0]
    told = {
        "mistakes": model.n_mistakes_,
        "updates": model.n_updates_,
        "predictions": model.predict(X).tolist(),
        "scores": model.decision_function(X).tolist(),
    }
    if hasattr(model, "dual_coef_"):
        told["weights"] = model.dual_coef_.tolist()
    if hasattr(model, "predict_proba"):
        told["probabilities"] = model.predict_proba(X).tolist()
    return told


if __name__ == "__main__":
    for name, family in FAMILIES.items():
        path = FILES / f"{name}.budgetron"
        if not path.exists():
            half_way(family).save(path)
            end = at_the_end(family, budgetron.load(path))
            path.with_suffix(".json").write_text(json.dumps(end) + "\n")
