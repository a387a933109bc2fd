"""Many classes on one dictionary, beside one learner for each class and nearest neighbours."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from budgetron import Budgetron, prequential
from budgetron.datasets import load_mnist

from ..showing import Asked, Exhibit, Table, grouped

NAME = "flagship-classes"
TITLE = "Many classes"
ROWS, EACH, NEIGHBOURS, PIECE = 5000, (20, 60), 5, 100
CLUSTERS = (3, 10, 40, 100)
FASTER = {10: 5.0, 100: 20.0}


def clusters(classes, rows=8000, width=8, per_class=3, spread=0.5):
    """Three balls for each class, anywhere."""
    rng = np.random.default_rng(20 + classes)
    centers = rng.normal(size=(classes * per_class, width))
    own = rng.integers(len(centers), size=rows)
    return centers[own] + spread * rng.normal(size=(rows, width)), own % classes


def digits(rows):
    """Ten digits; and forty letters, which are digits turned by quarters."""
    mnist, rng = load_mnist(), np.random.default_rng(3)
    some = rng.permutation(len(mnist.y))[:rows]
    X, y, turns = mnist.X[some], mnist.y[some].astype(int), rng.integers(4, size=rows)
    sheets = zip(X.reshape(-1, 28, 28), turns.tolist(), strict=True)
    turned = np.array([np.rot90(sheet, turn).ravel() for sheet, turn in sheets])
    return {"digits": (X, y), "letters": (turned, 4 * y + turns)}


def measure(scale):
    """Yield mistakes and time of the same memory, shared by all classes or one for each."""
    is_whole = scale.workloads is None
    if is_whole:
        streams = {f"{k} clusters": clusters(k) for k in CLUSTERS} | digits(ROWS)
    else:
        streams = {"3 clusters": clusters(3, rows=300)}
    for name, (X, y) in streams.items():
        classes, width = np.unique(y), X.shape[1]
        yield {
            "stream": name,
            "classes": len(classes),
            "what": "nearest neighbours",
            "budget": 0,
            "each": 0,
            "rows": len(y),
            **neighbours(X, y),
        }
        for each in EACH if is_whole else EACH[:1]:
            numbers = len(classes) * (each * (width + 3) + 2 * each**2)
            linear = width + 3 * len(classes)
            budget = int((np.sqrt(linear**2 + 8 * numbers) - linear) / 4)
            for what, run, own in (
                ("shared", shared, budget),
                ("shared, budget of one", shared, each),
                ("one for each class", one_for_each, each),
            ):
                with threadpool_limits(1):
                    found = run(own, X, y, classes)
                yield {
                    "stream": name,
                    "classes": len(classes),
                    "what": what,
                    "budget": own,
                    "each": each,
                    "rows": len(y),
                    **found,
                }


def shared(budget, X, y, classes):
    """A Budgetron of all classes."""
    Budgetron(budget).partial_fit(X[:200], y[:200], classes)  # compiled
    learner, start = Budgetron(budget), perf_counter()
    trace = prequential(learner, X, y, classes)
    seconds = perf_counter() - start
    memory = learner._learner.lead.state.memory
    arrays = (memory.inverse, memory.covariance, memory.weights, learner.support_vectors_)
    kept = sum(np.asarray(array).size for array in arrays)
    return {"mistakes": int(trace.mistakes.sum()), "seconds": seconds, "kept": kept}


def one_for_each(budget, X, y, classes):
    """A Budgetron for each class against all others; the highest score wins."""
    start, scores = perf_counter(), []
    for own in classes:
        scores.append(prequential(Budgetron(budget), X, y == own, [False, True]).scores)
    seconds = perf_counter() - start
    wrong = int((classes[np.argmax(scores, axis=0)] != y).sum())
    return {"mistakes": wrong, "seconds": seconds, "kept": 0}


def neighbours(X, y):
    """All rows so far, looked up in pieces."""
    start, wrong = perf_counter(), min(PIECE, len(y))
    for first in range(PIECE, len(y), PIECE):
        model = KNeighborsClassifier(NEIGHBOURS).fit(X[:first], y[:first])
        here = slice(first, first + PIECE)
        wrong += int((model.predict(X[here]) != y[here]).sum())
    return {"mistakes": wrong, "seconds": perf_counter() - start, "kept": X.size}


def show(records):
    """Errors at the same number of kept numbers, and speeds at the same budget."""
    lines, worse, faster = [], {}, {}
    nearest = {r["stream"]: 100 * r["mistakes"] / r["rows"] for r in records if r["each"] == 0}
    for (stream, each), own in grouped([r for r in records if r["each"]], "stream", "each").items():
        found = {r["what"]: r for r in own}
        errors = {what: 100 * r["mistakes"] / r["rows"] for what, r in found.items()}
        speeds = {what: r["rows"] / r["seconds"] for what, r in found.items()}
        same = found["shared"]
        numbers = same["budget"] * 3 * same["classes"] + 2 * same["budget"] ** 2
        lines.append(
            [
                *(stream, each, f"{errors['one for each class']:.2f}"),
                *(same["budget"], f"{errors['shared']:.2f}", same["kept"], numbers),
                f"{errors['shared, budget of one']:.2f}",
                f"{nearest[stream]:.2f}",
                *(speeds["one for each class"], speeds["shared"], speeds["shared, budget of one"]),
            ]
        )
        worse[stream, each] = errors["shared"] - errors["one for each class"]
        ratio = speeds["shared, budget of one"] / speeds["one for each class"]
        faster.setdefault(same["classes"], []).append(ratio)
    worst = max(worse, key=worse.get)
    columns = (
        *("stream", "budget of each", "error, %", "shared budget", "error, %"),
        *("numbers kept", "of these, weights and matrices", "error, % with the budget of one"),
        *("nearest neighbours, %", "rows/s, one for each", "rows/s, shared"),
        "rows/s, shared with the budget of one",
    )
    asked = [
        Asked(
            "points more than one for each class, at the same number of kept numbers",
            "none",
            f"{worse[worst]:+.2f} ({worst[0]}, {worst[1]} each)",
            worse[worst] <= 0,
        )
    ]
    for classes, wanted in FASTER.items():
        if classes in faster:
            least = min(faster[classes])
            asked.append(
                Asked(
                    f"rows/s of {classes} classes beside one for each, of the same budget",
                    f"at least {wanted:g} x",
                    f"{least:.1f} x",
                    least >= wanted,
                )
            )
    return Exhibit(["Widths not given, one thread.", Table("Errors", columns, lines)], asked)
