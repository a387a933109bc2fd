"""The 126 ways to split ten digits five against five, learned in one pass."""

from __future__ import annotations

from functools import partial
from statistics import fmean

import numpy as np

from budgetron.datasets import mnist_problems
from budgetron.engine import NoRecord, together

from ..filling import at_work
from ..limiting import limited, threads_to_try
from ..showing import Asked, Exhibit, Table, data_of, grouped
from ..timing import best_and_median, in_turns
from ..workloads import WORKLOADS

NAME = "problems"
TITLE = "126 digit problems in one pass"
LEARNER, DTYPE = "Forgetron", "float32"
AT_LEAST = 8


def measure(scale):
    """Yield the time of all problems in one pass, and of some of them alone."""
    digits = WORKLOADS["digits"].classes(scale.measured)
    gamma = WORKLOADS["digits"].stream(scale.measured).gamma
    X, problems = np.ascontiguousarray(digits.X, DTYPE), mnist_problems()
    signs = [np.where(np.isin(digits.y, [*problem]), 1.0, -1.0) for problem in problems]
    evenly = np.linspace(0, len(problems) - 1, scale.passes or len(problems)).astype(int)
    for budget in sorted({scale.small_budget, scale.budget // 3, scale.budget}):
        _pass(1, budget, X[:300], [own[:300] for own in signs[:2]], gamma)()  # compiled
        makers = {}
        for threads in threads_to_try():
            makers[threads, "together"] = partial(_pass, threads, budget, X, signs, gamma)
            for i in evenly:
                what = threads, f"problem {i}"
                makers[what] = partial(_pass, threads, budget, X, [signs[i]], gamma)
        for (threads, what), repeat, seconds in in_turns(makers, scale.repeats):
            yield {
                "is_real": digits.is_real,
                "learner": LEARNER,
                "dtype": DTYPE,
                "budget": budget,
                "threads": threads,
                "what": what,
                "problems": len(problems) if what == "together" else 1,
                "rows": len(X),
                "seconds": seconds,
                "repeat": repeat,
            }


def _pass(threads, budget, X, signs, gamma):
    learners = [at_work(LEARNER, budget, X, gamma) for _ in signs]
    return limited(threads, partial(together, learners, X, signs, [NoRecord() for _ in signs]))


def show(records):
    """One pass against as many as there are problems."""
    facts = next(record for record in records if record["what"] == "together")
    lines, ratios, many = [], {}, facts["problems"]
    for (budget, threads), own in grouped(records, "budget", "threads").items():
        times = {what: best_and_median(each)[0] for (what,), each in grouped(own, "what").items()}
        one_pass = times.pop("together")
        passes = many * fmean(times.values())
        ratios[f"budget {budget}, threads: {threads}"] = passes / one_pass
        lines.append((budget, threads, f"{one_pass:.2f}", f"{passes:.2f}", passes / one_pass))
        alone = len(times)
    timed = "each of which was timed" if alone == many else f"as extrapolated from {alone} of them"
    columns = ("budget", "threads", "one pass", f"{many} passes", "ratio")
    return Exhibit(
        [
            f"{facts['learner']}s, {facts['dtype']}, over the first {facts['rows']:,} rows of"
            f" {data_of(facts, 'MNIST')}: all {many} problems in one pass, in which the learners"
            " share the kernel values of the supports that they have in common, against"
            f" {many} passes, {timed}, with the same number of threads; best times. A pass of its"
            " own is too small for a second thread.",
            Table("Seconds", columns, lines),
        ],
        [
            Asked(
                f"{many} digit problems in one pass, over as many passes, {where}",
                f"at least {AT_LEAST} x faster",
                f"{ratio:.1f} x",
                ratio >= AT_LEAST,
            )
            for where, ratio in ratios.items()
        ],
    )
