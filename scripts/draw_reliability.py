"""Draw docs/reliability.svg, and print the tables of docs/probabilities.md.

    python scripts/draw_reliability.py

Reads a9a and elec2 from ``$BUDGETRON_DATA`` (see `budgetron.datasets`). Needs Matplotlib:
``pip install '.[report]'``. Takes a minute, and writes the same file every time.
"""

from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from budgetron import (
    Forgetron,
    PassiveAggressiveI,
    ProjectronPlusPlus,
    RandomizedBudgetPerceptron,
    prequential,
)
from budgetron.core.platt import STATE_SIZE, calibrate, probabilities, probability
from budgetron.datasets import load_a9a, load_elec2, load_spam
from budgetron.papers.report.looks import COLOURS
from budgetron.papers.report.pictures import STYLE

PICTURE = Path(__file__).parent.parent / "docs" / "reliability.svg"
BINS = 15


class Run(NamedTuple):
    """The scores of a learner over a stream, each taken before the label was known."""

    stream: str
    learner: str
    scores: np.ndarray
    labels: np.ndarray  # +1 and -1


def learners(gamma):
    return (
        RandomizedBudgetPerceptron(budget=500, gamma=gamma, random_state=0),
        Forgetron(budget=500, gamma=gamma),
        ProjectronPlusPlus(budget=100, gamma=gamma),
    )


def runs():
    for stream, data, gamma in (
        ("spam", load_spam(), "scale"),
        ("a9a", load_a9a(), 0.03),
        ("elec2", load_elec2(), "scale"),
    ):
        for learner in learners(gamma):
            scores = prequential(learner, data.X, data.y).scores
            labels = np.where(data.y == learner.classes_[1], 1.0, -1.0)
            yield Run(stream, type(learner).__name__, scores, labels)


def naive(run):
    return 1 / (1 + np.exp(-run.scores))


def online(run):
    state, chances = np.zeros(STATE_SIZE), np.empty(len(run.scores))
    for t in range(len(chances)):
        chances[t] = probability(state, run.scores[t : t + 1])[0]
        calibrate(state, run.scores[t : t + 1], run.labels[t : t + 1])
    return chances


def gradient_descent(run, rate=0.1, memory=1000):
    """Platt's sigmoid by stochastic gradient descent, at the best rate of 0.01, 0.03, 0.1."""
    slope, intercept, scale, chances = 1.0, 0.0, 0.0, np.empty(len(run.scores))
    for t, (score, label) in enumerate(zip(run.scores, run.labels, strict=True)):
        chances[t] = 1 / (1 + np.exp(-slope * score / (scale or 1) - intercept))
        scale += (abs(score) - scale) / min(t + 1, memory)
        x = score / (scale or 1)
        error = (label > 0) - 1 / (1 + np.exp(-slope * x - intercept))
        slope, intercept = max(0.0, slope + rate * error * x), intercept + rate * error
    return chances


def in_retrospect(run):
    """The sigmoid that fits the whole stream best, which is known at its end only."""
    x = (run.scores / np.abs(run.scores).mean())[:, None]
    return LogisticRegression(C=1e6).fit(x, run.labels > 0).predict_proba(x)[:, 1]


def log_loss(chances, hit):
    return -np.log(np.maximum(np.where(hit, chances, 1 - chances), 1e-15)).mean()


def brier_score(chances, hit):
    return ((chances - hit) ** 2).mean()


def calibration_error(chances, hit):
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return np.abs(np.bincount(bins, chances - hit)).sum() / len(hit)


FORECASTS = {
    "logistic of the score": naive,
    "gradient descent": gradient_descent,
    "online Platt": online,
    "Platt in retrospect": in_retrospect,
}


def print_table(over):
    print("| stream | learner | mistakes |", " | ".join(FORECASTS), "|")
    print("|---|---|---|" + "---|" * len(FORECASTS))
    for run in over:
        hit, cells = run.labels > 0, []
        for forecast in FORECASTS.values():
            chances = forecast(run)
            figures = (f(chances, hit) for f in (log_loss, brier_score, calibration_error))
            cells.append("{:.3f}, {:.3f}, {:.3f}".format(*figures))
        mistakes = ((run.scores >= 0) != hit).mean()
        print(f"| {run.stream} | `{run.learner}` | {mistakes:.1%} |", " | ".join(cells), "|")


def print_table_of_classes():
    """Ten classes, each with a learner of its own against the rest."""
    X, y = load_digits(return_X_y=True)
    labels = np.where(y[:, None] == np.arange(10), 1.0, -1.0)
    print("| learner | mistakes | log loss | expected calibration error of the likeliest class |")
    print("|---|---|---|---|")
    for learner in (
        RandomizedBudgetPerceptron(budget=200, random_state=0),
        ProjectronPlusPlus(budget=100),
        PassiveAggressiveI(),
    ):
        scores = np.empty((len(y), 10))
        for k in range(10):
            one = type(learner)(**learner.get_params())
            scores[:, k] = prequential(one, X, labels[:, k]).scores
        states, chances = np.zeros((10, STATE_SIZE)), np.empty((len(y), 10))
        for t in range(len(y)):
            chances[t] = probabilities(states, scores[t : t + 1])[0]
            for k in range(10):
                calibrate(states[k], scores[t : t + 1, k], labels[t : t + 1, k])
        loss = -np.log(chances[np.arange(len(y)), y]).mean()
        right = chances.argmax(1) == y
        error = calibration_error(chances.max(1), right)
        print(f"| `{type(learner).__name__}` | {1 - right.mean():.1%} | {loss:.3f} | {error:.3f} |")


def reliability(chances, hit):
    """Of each bin with 20 examples or more, the mean forecast and how often it came true."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    count = np.bincount(bins, minlength=BINS)
    full = count >= 20
    return tuple(np.bincount(bins, of, BINS)[full] / count[full] for of in (chances, hit))


def draw(over):
    with matplotlib.rc_context(STYLE):
        canvas = Figure(figsize=(6.4, 6.4), layout="constrained")
        panels = canvas.subplots(2, 2, sharex=True, sharey=True)
        for panel, run in zip(panels.flat, over, strict=True):
            hit = run.labels > 0
            panel.plot([0, 1], [0, 1], color="0.6", linewidth=1)
            for name, colour, marker, height in (
                ("logistic of the score", COLOURS[1], "s", 0.14),
                ("online Platt", COLOURS[0], "o", 0.06),
            ):
                chances = FORECASTS[name](run)
                points = reliability(chances, hit)
                panel.plot(*points, color=colour, marker=marker, markersize=4, label=name)
                error = f"error {calibration_error(chances, hit):.3f}"
                panel.text(1, height, error, color=colour, ha="right", va="center", fontsize=8)
            panel.set(title=f"{run.learner}, {run.stream}", aspect="equal")
        canvas.legend(*panel.get_legend_handles_labels(), loc="outside upper center", ncols=2)
        canvas.supxlabel("forecast probability of the positive class", fontsize=9)
        canvas.supylabel("how often it came", fontsize=9)
        canvas.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    done = list(runs())
    print_table(done)
    print()
    print_table_of_classes()
    shown = ("Forgetron", "ProjectronPlusPlus")
    draw([run for run in done if run.stream != "elec2" and run.learner in shown])
