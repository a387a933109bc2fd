"""Labels that come late: Budgetron beside models of River, all of them with the same delay."""

from __future__ import annotations

import numpy as np
from river import forest, linear_model, neighbors, preprocessing
from scipy import sparse
from threadpoolctl import threadpool_limits

from budgetron import Budgetron, prequential

from ..showing import Asked, Exhibit, Table, grouped
from .made import sphere
from .streams import TEN, at_hand, rows_of

NAME = "flagship-late"
TITLE = "Late labels"
STREAMS = ("Elec2", "a9a", "mails")
DELAYS = (0, 1, 10, 100, 1000)
ROWS, BUDGET, PHASE = 5000, 100, 2000
MOST_FEATURES = 200
"""Of a stream that trees and neighbours are tried on, so as to end today."""
POINTS, STILL_POINTS = 1.0, 1.5


def shifts(rng, rows=ROWS, width=5):
    """A plane with noise, which is another one after every two thousand rows."""
    X, y = rng.normal(size=(rows, width)), np.empty(rows)
    for start in range(0, rows, PHASE):
        here = slice(start, start + PHASE)
        noisy = X[here] @ rng.normal(size=width) + 0.3 * rng.normal(size=len(X[here]))
        y[here] = np.where(noisy > 0, 1, -1)
    return X, y


MADE = {"shifts": shifts, "sphere": sphere}


def of_river():
    """What people take."""
    scale = preprocessing.StandardScaler
    return {
        "logistic regression": scale() | linear_model.LogisticRegression(),
        "nearest neighbours": scale() | neighbors.KNNClassifier(n_neighbors=5),
        "forest": forest.ARFClassifier(n_models=10, seed=1),
    }


def measure(scale):
    """Yield the mistakes of each model with each delay."""
    is_whole = scale.workloads is None
    rows, names = (ROWS, STREAMS) if is_whole else (400, ())
    streams = {name: make(np.random.default_rng(0), rows) for name, make in MADE.items()}
    for stream in at_hand(stream for stream in TEN if stream.name in names):
        X, y = rows_of(stream, 0, rows)
        streams[stream.name] = X, y
    for name, (X, y) in streams.items():
        for delay in DELAYS:
            with threadpool_limits(1):
                trace = prequential(Budgetron(BUDGET), X, y, [-1, 1], delay=delay)
            mistakes = {"Budgetron": int(trace.mistakes[delay:].sum())}
            for model, found in mistakes_of_river(X, y, delay).items():
                mistakes[model] = found
            for model, found in mistakes.items():
                yield {
                    "stream": name,
                    "delay": delay,
                    "model": model,
                    "rows": len(y) - delay,
                    "mistakes": found,
                }


def mistakes_of_river(X, y, delay):
    """Ask about each row, and tell the label of the one that is so many rows older."""
    X = sparse.csr_array(X) if X.shape[1] > MOST_FEATURES else X
    if sparse.issparse(X):
        rows = [dict(zip(r.indices.tolist(), r.data.tolist(), strict=True)) for r in map(_row, X)]
        models = {"logistic regression": linear_model.LogisticRegression()}
    else:
        rows, models = [dict(enumerate(row)) for row in X.tolist()], of_river()
    labels, mistakes = (y > 0).tolist(), {}
    for name, model in models.items():
        wrong = 0
        for t, x in enumerate(rows):
            wrong += t >= delay and model.predict_one(x) is not labels[t]
            if t >= delay:
                model.learn_one(rows[t - delay], labels[t - delay])
        mistakes[name] = wrong
    return mistakes


def _row(row):
    return sparse.csr_array(row.reshape(1, -1))


def show(records):
    """Errors by stream and delay."""
    models = ["Budgetron", *of_river()]
    errors = {
        (r["stream"], r["delay"], r["model"]): 100 * r["mistakes"] / r["rows"] for r in records
    }
    lines, behind = [], {}
    for stream, delay in grouped(records, "stream", "delay"):
        own = {m: errors[stream, delay, m] for m in models if (stream, delay, m) in errors}
        lines.append([stream, delay, *(f"{own[m]:.2f}" if m in own else "" for m in models)])
        if delay > 0:
            behind[stream, delay] = own["Budgetron"] - min(own.values())
    worst = max(behind, key=behind.get)
    still = errors["sphere", 100, "Budgetron"] - errors["sphere", 0, "Budgetron"]
    return Exhibit(
        [
            f"The first {records[0]['rows']:,} rows, budget {BUDGET}, widths not given. The label"
            " of row t is learned after row t + delay has been predicted; rows before any label is"
            " known do not count. Models of River with standardized features; of more than 200"
            " features, logistic regression alone.",
            Table("Error, %", ("stream", "delay", *models), lines),
        ],
        [
            Asked(
                "points behind the first",
                f"at most {POINTS:g}",
                f"{behind[worst]:.2f} ({worst[0]}, {worst[1]} rows late);"
                f" within it in {sum(b <= POINTS for b in behind.values())} of {len(behind)}",
                behind[worst] <= POINTS,
            ),
            Asked(
                "points that a stream which stands still loses, 100 rows late",
                f"at most {STILL_POINTS:g}",
                f"{still:.2f}",
                still <= STILL_POINTS,
            ),
        ],
    )
