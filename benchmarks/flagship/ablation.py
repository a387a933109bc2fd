"""Every ingredient of Budgetron taken away, one at a time."""

from __future__ import annotations

from functools import partial

import numpy as np

from budgetron import Budgetron, prequential
from budgetron.evaluation import sweep

from ..showing import Exhibit, Table, grouped
from .made import board, runs, scaled, sphere
from .streams import CHANGING, TEN, Given, at_hand, rows_of

NAME = "flagship-ablation"
TITLE = "What each ingredient is worth"
WHOLE = "all of it"
FILTER = "cautious", "bold", "average"
VARIANTS = {
    WHOLE: {},
    "one width, which is given": {"gamma": "given"},
    "no scales": {"scale": "off"},
    "without the labels": {"experts": (*FILTER, "stack")},
    "without the stack": {"experts": (*FILTER, "labels")},
    "filters alone": {"experts": FILTER},
    "one filter alone, whose width is given": {"gamma": "given", "experts": FILTER},
    "no exchange of supports": {"exchange": "never"},
    "exchange without tests": {"exchange": "eager"},
    "no drift": {"drift": 0.0},
    "without the average": {"experts": ("cautious", "bold", "labels", "stack")},
    "without the bold expert": {"experts": ("cautious", "average", "labels", "stack")},
    "without the cautious expert": {"experts": ("bold", "average", "labels", "stack")},
    "no beginning anew": {"patience": None},
    "half the patience": {"patience": 10.0},
    "twice the patience": {"patience": 40.0},
    "no sharing of trust": {"sharing": 0.0},
    "ten times the sharing": {"sharing": 0.001},
    "a third of the noise": {"noise": 0.1},
    "three times the noise": {"noise": 0.9},
    "a third of the bold noise": {"bold_noise": 0.01},
    "three times the bold noise": {"bold_noise": 0.09},
    "a third of the drift": {"drift": 0.0007},
    "three times the drift": {"drift": 0.006},
}
PERMUTATIONS = 1


def _made(make, *how):
    return lambda: make(*how, np.random.default_rng(0))


MADE = (
    CHANGING,
    Given("36 squares", 1.0, _made(board, 6, 0.0)),
    Given("raw scales", 0.1, _made(scaled, sphere)),
    Given("labels in runs", 0.1, _made(runs, 0.0)),
)
"""Streams for which some ingredients are made; the widths that are given are guesses."""


def measure(scale):
    """Yield the mistakes of every variant on every stream."""
    streams = at_hand((*TEN, *MADE) if scale.workloads is None else TEN[-1:])
    return sweep(
        partial(_run, stream, permutation, variant, scale)
        for stream in streams
        for permutation in range(min(PERMUTATIONS, scale.permutations) if stream.is_free else 1)
        for variant in VARIANTS
    )


def _run(stream, permutation, variant, scale):
    X, y = rows_of(stream, permutation, scale.rows)
    options = VARIANTS[variant]
    given = {"gamma": stream.gamma} if options.get("gamma") == "given" else {}
    learner = Budgetron(scale.small_budget, **options | given)
    prequential(learner, X, y, [-1, 1])
    return {
        "stream": stream.name,
        "permutation": permutation,
        "variant": variant,
        "rows": len(y),
        "mistakes": learner.n_mistakes_,
    }


def show(records):
    """Errors, and the mean relative change."""
    errors = {
        key: 100 * np.mean([run["mistakes"] / run["rows"] for run in runs])
        for key, runs in grouped(records, "variant", "stream").items()
    }
    streams = list(dict.fromkeys(record["stream"] for record in records))
    lines = []
    for variant in dict.fromkeys(record["variant"] for record in records):
        changes = [
            np.log(max(errors[variant, stream], 1e-9) / max(errors[WHOLE, stream], 1e-9))
            for stream in streams
            if stream in {given.name for given in TEN}
        ]
        change = f"{100 * np.expm1(np.mean(changes)):+.1f} %" if variant != WHOLE else ""
        lines.append([variant, change, *(f"{errors[variant, stream]:.2f}" for stream in streams)])
    return Exhibit(
        [
            "Error in percent at a budget of 100. *Change*: the mean over the ten streams, of the"
            " relative change of the error (geometric). The rings that begin to move stand still"
            " for ten thousand rows before, and a tenth of their labels is wrong; the last three"
            " are of the streams above.",
            Table("Without", ("", "change", *streams), lines),
        ]
    )
