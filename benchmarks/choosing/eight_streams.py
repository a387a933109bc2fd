"""Every learner on eight streams, with one gamma for each stream.

It is chosen on the beginning of the stream, and so is the linear model's loss; all learners but
Budgetron, which chooses its own, get that gamma, and otherwise their defaults. Errors are the same
in every run. Speeds are not: they are kept with two digits.
"""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

import budgetron
from budgetron import prequential
from budgetron.evaluation.race import on_a_budget
from budgetron.kernels import linear

from .streams import at_hand
from .tables import BUDGETS, DTYPES, FACTORS, LINEAR, PICTURED, show

__all__ = ["NAME", "TITLE", "measure", "show"]

NAME = "choosing"
TITLE = "Which learner"
CHOSEN_ON = 2000  # rows at most, and a quarter of the stream
SHORT = 10_000  # longer streams leave a growing second-order learner too many supports to solve for
ON_THE_WAY = (25, 50, 200, 400, 800)  # budgets of the picture, beside those of all
TRACED = ("RandomizedBudgetPerceptron", "Forgetron", "Projectron", "ProjectronPlusPlus")
IN_BOTH_DTYPES, DENSE = ("RandomizedBudgetPerceptron", "Forgetron"), ("a9a", "MNIST")

GROWING = (
    budgetron.Perceptron(),
    budgetron.ShiftingPerceptron(),
    budgetron.ExponentialDecayPerceptron(),
    budgetron.PassiveAggressive(),
    budgetron.PassiveAggressiveI(),
    budgetron.PassiveAggressiveII(),
)
GROWING_AND_SOLVING = (
    budgetron.SecondOrderPerceptron(),
    budgetron.AdaptiveSecondOrderPerceptron(),
)
LOSSES = {
    "hinge": SGDClassifier(random_state=0),
    "logistic": SGDClassifier(loss="log_loss", random_state=0),
    "PA-I, C = 0.01": SGDClassifier(penalty=None, learning_rate="pa1", eta0=0.01, random_state=0),
}


def measure(scale):
    """Yield what is known of each stream, every run over it, and runs in both dtypes."""
    for stream in at_hand(scale):
        with threadpool_limits(1):
            facts = _facts(stream)
            yield {"what": "stream", "stream": stream.name, **facts}
            for learner in _learners(stream, scale):
                if learner.gamma != "auto":
                    learner.set_params(gamma=facts["gamma"])
                budget = learner.get_params().get("budget")
                yield _run(stream, type(learner).__name__, budget, _outcome(learner, stream))
            outcome = _outcome_of_linear(LOSSES[facts["linear"]], stream)
            yield _run(stream, LINEAR, None, outcome)
            if stream.name in DENSE:
                yield from _in_both_dtypes(stream, facts["gamma"])


def _run(stream, learner, budget, outcome):
    return {
        "what": "run",
        "stream": stream.name,
        "learner": learner,
        "budget": budget,
        **outcome,
    }


def _learners(stream, scale):
    """All that go over a stream."""
    on_budgets = [
        learner
        for budget in BUDGETS
        for learner in (
            *on_a_budget(budget),
            budgetron.ModifiedPerceptron(budget=budget, random_state=0),
        )
    ]
    solving = GROWING_AND_SOLVING if len(stream.y) <= SHORT else ()
    traced = [
        learner
        for budget in (ON_THE_WAY if stream.name in PICTURED else ())
        for learner in on_a_budget(budget)
        if type(learner).__name__ in TRACED
    ]
    for learner in (*on_budgets, *GROWING, *solving, *traced):
        if scale.learners is None or type(learner).__name__ in scale.learners:
            yield clone(learner)


def _facts(stream):
    """Its shape, how often two simple rules err, and what is chosen on its beginning."""
    beginning = stream.first(min(CHOSEN_ON, len(stream.y) // 4))
    scale = 1 / float(np.median(linear().diagonal(beginning.X[:200])))
    gammas = [_of_two_digits(scale * Fraction(factor)) for factor in FACTORS]
    errors = [_outcome(budgetron.Perceptron(gamma=gamma), beginning)["error"] for gamma in gammas]
    losses = {loss: _outcome_of_linear(it, beginning)["error"] for loss, it in LOSSES.items()}
    return {
        "rows": len(stream.y),
        "features": int(stream.X.shape[1]),
        "rarer": round(float(np.bincount(stream.y).min() / len(stream.y)), 5),
        "last": round(float((stream.y[1:] != stream.y[:-1]).mean()), 5),
        "gamma": gammas[int(np.argmin(errors))],
        "linear": min(losses, key=losses.get),
        "by_gamma": dict(zip(map(str, gammas), errors, strict=True)),
    }


def _outcome(learner, stream):
    """Error, largest size and speed of a learner of the package; compiling is not counted."""
    prequential(clone(learner), stream.X[:300], stream.y[:300])
    start = perf_counter()
    trace = prequential(clone(learner), stream.X, stream.y)
    seconds = perf_counter() - start
    return {
        "error": round(float(trace.mistakes.mean()), 5),
        "size": int(trace.sizes.max()),
        "rows_per_second": _of_two_digits(len(stream.y) / seconds),
    }


def _outcome_of_linear(model, stream):
    """The same for a model of scikit-learn, a row at a time, with its checks left out."""
    model, wrong, classes = clone(model), 0, np.unique(stream.y)
    start = perf_counter()
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for t in range(len(stream.y)):
            x, label = stream.X[t : t + 1], stream.y[t : t + 1]
            wrong += t == 0 or model.predict(x)[0] != label[0]
            model.partial_fit(x, label, classes)
    seconds = perf_counter() - start
    return {
        "error": round(float(wrong / len(stream.y)), 5),
        "size": None,
        "rows_per_second": _of_two_digits(len(stream.y) / seconds),
    }


def _in_both_dtypes(stream, gamma):
    """Dense rows in both dtypes in turn, and the best speed of three of each."""
    dense = stream.as_dense()
    for name in IN_BOTH_DTYPES:
        learner = getattr(budgetron, name)(budget=BUDGETS[-1], gamma=gamma, random_state=0)
        outcomes = [
            (dtype, _outcome(clone(learner).set_params(dtype=dtype), dense))
            for _ in range(3)
            for dtype in DTYPES
        ]
        for dtype in DTYPES:
            own = [outcome for of, outcome in outcomes if of == dtype]
            yield {
                "what": "dtype",
                "stream": stream.name,
                "learner": name,
                "budget": BUDGETS[-1],
                "dtype": dtype,
                "error": own[0]["error"],
                "rows_per_second": max(outcome["rows_per_second"] for outcome in own),
            }


def _of_two_digits(number):
    return float(f"{number:.2g}")
