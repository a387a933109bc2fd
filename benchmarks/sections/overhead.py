"""How close the engine comes to the bare kernel evaluation, and how far it leaves a loop behind."""

from __future__ import annotations

from copy import deepcopy
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from budgetron.engine import Record, blocked
from budgetron.engine.blocked import block_length

from ..bare import dense_evaluation, projecting_evaluation
from ..contenders.ours import FLAGSHIP
from ..filling import a_run, filled
from ..loops import LOOPS
from ..showing import Asked, Exhibit, Table, data_of, grouped
from ..timing import best_and_median, in_turns
from ..workloads import WORKLOADS

NAME = "overhead"
TITLE = "The engine beside the bare kernel evaluation"
REMOVING = (
    "RandomizedBudgetPerceptron",
    "LeastRecentBudgetPerceptron",
    "Forgetron",
    "Stoptron",
)
SOLVING = (*(name for name in LOOPS if name not in REMOVING), FLAGSHIP)
LARGEST_FOR_SOLVING = 1000
PROJECTING = "Projectron", "ProjectronPlusPlus"
FORGETTING_SECOND_ORDER = (
    "RandomizedBudgetSecondOrderPerceptron",
    "LeastRecentBudgetSecondOrderPerceptron",
)
OVER_PRODUCTS, SECOND_ORDER_OVER_BARE = 1.5, 10
WAS_UPDATE = 1
AT_MOST = {100: 1.7, 500: 1.3, 1000: 1.15, 3000: 1.15}
"""Times the bare evaluation, by budget."""
IN_LOOP = 1024


def measure(scale):
    """Yield the time of each learner, of the bare evaluation and of the loop, in turns."""
    stream = WORKLOADS["a9a"].stream(scale.rows)
    signs = np.where(stream.y, 1.0, -1.0)
    for name in (*REMOVING, *SOLVING):
        if scale.learners is not None and name not in scale.learners:
            continue
        for dtype in ("float64", "float32") if name in REMOVING else ("float64",):
            X = np.ascontiguousarray(stream.X, dtype)
            for budget in scale.budgets:
                if name in SOLVING and budget > LARGEST_FOR_SOLVING:
                    continue
                facts = {
                    "is_real": stream.is_real,
                    "learner": name,
                    "dtype": dtype,
                    "budget": budget,
                }
                with threadpool_limits(1):
                    for record in _times(name, budget, X, signs, stream.gamma, scale):
                        yield facts | record


def _times(name, budget, X, signs, gamma, scale):
    learner, first = filled(name, budget, X[: -scale.measured], signs, gamma)
    rows, labels = X[first:][: scale.measured], signs[first:][: scale.measured]
    supports, weights = learner.supports, learner.weights
    bare = dense_evaluation(np.ascontiguousarray(supports), rows, block_length(learner), gamma)

    def loop():
        run = LOOPS[name](supports.copy(), weights.copy(), budget, gamma)
        return partial(run, rows[:IN_LOOP], labels[:IN_LOOP])

    ours = partial(a_run, learner, rows, labels)
    makers = {"learner": ours, "bare": lambda: bare}
    if name in LOOPS:
        makers["loop"] = loop
    if name in PROJECTING:
        record = Record(len(rows))
        blocked(deepcopy(learner), rows, labels, record)
        products = projecting_evaluation(
            np.ascontiguousarray(supports),
            *(rows, block_length(learner), gamma, record.events[:, WAS_UPDATE] == 1),
        )
        makers["products"] = lambda: products
    for what, repeat, seconds in in_turns(makers, scale.turns):
        yield {
            "what": what,
            "supports": learner.size,
            "rows": min(IN_LOOP, len(rows)) if what == "loop" else len(rows),
            "seconds": seconds,
            "repeat": repeat,
        }


def show(records):
    """Ratios by budget, those of the best times and those of the medians."""
    budgets = sorted({record["budget"] for record in records})
    ratios = {
        key: Ratios(own) for key, own in grouped(records, "learner", "dtype", "budget").items()
    }
    lines = []
    for name, dtype in grouped(records, "learner", "dtype"):
        line = [name, dtype]
        for budget in budgets:
            ratio = ratios.get((name, dtype, budget))
            line += (
                [ratio.over_bare(0), ratio.over_bare(1), ratio.loop_over()] if ratio else [None] * 3
            )
        lines.append(line)
    columns = [
        f"{budget}: {what}" for budget in budgets for what in ("over bare", "median", "loop")
    ]
    data = data_of(records[0], "a9a")
    return Exhibit(
        [
            f"On {data}, with a full budget, on one thread. *Over bare*: the learner's time over"
            " that of evaluating the same kernel blocks with NumPy and learning nothing (best of"
            " the repeats, and median). *Loop*: how many times longer a plain NumPy loop over the"
            " rows takes for the same rule; there is none for Budgetron.",
            Table("Time by budget", ("learner", "dtype", *columns), lines),
            "A learner that projects cannot do without the kernel, and two triangular solves for"
            " each row that changes it: these products alone, by NumPy and BLAS's dtrsm, a block at"
            " a time.",
            Table(
                "Projecting learners over their necessary products",
                ("learner", *(str(budget) for budget in budgets)),
                [
                    (name, *(_over_products(ratios, name, budget) for budget in budgets))
                    for name in PROJECTING
                ],
            ),
        ],
        [*_asked(ratios)],
    )


class Ratios:
    """Of one learner at one budget."""

    def __init__(self, records):
        self._times = {
            what: [seconds / own[0]["rows"] for seconds in best_and_median(own)]
            for (what,), own in grouped(records, "what").items()
        }

    def over_bare(self, which):
        """Of the best times (0) or the medians (1)."""
        return self._times["learner"][which] / self._times["bare"][which]

    def over_products(self):
        """The learner's best time over that of the products it cannot do without, if measured."""
        if "products" not in self._times:
            return None
        return self._times["learner"][0] / self._times["products"][0]

    def loop_over(self):
        """How many times longer the loop takes, if there is one."""
        if "loop" not in self._times:
            return None
        return self._times["loop"][0] / self._times["learner"][0]


def _over_products(ratios, name, budget):
    ratio = ratios.get((name, "float64", budget))
    return ratio and ratio.over_products()


def _asked(ratios):
    for names, over, at_most, what in (
        (
            PROJECTING,
            Ratios.over_products,
            OVER_PRODUCTS,
            "projecting learners over their products",
        ),
        (
            FORGETTING_SECOND_ORDER,
            lambda ratio: ratio.over_bare(0),
            SECOND_ORDER_OVER_BARE,
            "second-order learners on a budget over the bare kernel evaluation",
        ),
    ):
        own = {
            name: over(ratios[name, "float64", LARGEST_FOR_SOLVING])
            for name in names
            if (name, "float64", LARGEST_FOR_SOLVING) in ratios
        }
        own = {name: ratio for name, ratio in own.items() if ratio is not None}
        if own:
            worst = max(own, key=own.get)
            yield Asked(
                f"{what} at budget {LARGEST_FOR_SOLVING}",
                f"at most {at_most:g} x",
                f"{own[worst]:.2f} x ({worst})",
                own[worst] <= at_most,
            )
    for budget, at_most in AT_MOST.items():
        own = {
            (name, dtype): ratio.over_bare(0)
            for (name, dtype, size), ratio in ratios.items()
            if size == budget and name in REMOVING
        }
        if own:
            worst = max(own, key=own.get)
            yield Asked(
                f"removal learners over the bare kernel evaluation at budget {budget}",
                f"at most {at_most:g} x",
                f"{own[worst]:.2f} x ({', '.join(worst)})",
                own[worst] <= at_most,
            )
