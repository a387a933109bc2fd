"""What a GPU brings, beside all cores of the machine that it is in."""

from __future__ import annotations

from functools import cache, partial
from time import perf_counter

import numpy as np
from scipy.linalg import cholesky, solve_triangular

import budgetron
from budgetron.core.edits.span import BEGAN, LEARNED, LOOKED, ROSE, Span
from budgetron.core.foresight import is_foreseen
from budgetron.core.memory import FactorMemory
from budgetron.core.state import LARGEST_NORM, LARGEST_WEIGHT, SEEN, SIZE, USED
from budgetron.datasets import load_mnist
from budgetron.engine.device import device_called
from budgetron.registry import LEARNERS
from budgetron.rules.budgetron import OFTEN

from ..showing import Asked, Exhibit, Table, grouped
from ..timing import best_and_median

NAME = "gpu"
TITLE = "A GPU"
DEVICES = "cuda", "cpu"
WIDTH = 784
FULL = {
    "Budgetron": (5_000,),
    "RandomizedBudgetPerceptron": (50_000, 100_000),
    "LeastRecentBudgetPerceptron": (50_000, 100_000),
    "Forgetron": (50_000, 100_000),
    "ProjectronPlusPlus": (10_000,),
}
"""With which budgets each of them is measured."""

ROWS = {"cuda": 200_000, "cpu": 4_096}
ROWS_WITH_FACTOR = {"cuda": 16_384, "cpu": 512}
ROWS_WITH_SPAN = {"cuda": 32_768, "cpu": 1_024}
REPEATS = {"cuda": 2, "cpu": 1}
SAME_ROWS, SAME_BUDGET = 50_000, 1_000
WITHOUT_BUDGET = {"ModifiedPerceptron"}
"""What a GPU is for only then."""

CLASSES_BUDGET = 10_000
AT_FIRST = 2_048
"""So many rows are learned before a clock runs."""


def is_possible():
    """Whether there is a GPU."""
    try:
        return device_called("cuda") is not None
    except (ImportError, RuntimeError):
        return False


def measure(scale):
    """Yield what is the same, and times, on the GPU and on all cores."""
    names = [name for name in supported() if scale.learners is None or name in scale.learners]
    gpu = {"gpu": _name_of_gpu()}
    own = [(name, budget) for name, budgets in FULL.items() for budget in budgets if name in names]
    each = [partial(speeds, *one) for one in own]
    each += [partial(ten_classes, scale.rows), *(partial(same, name) for name in names)]
    for measured in each:
        for record in measured():
            yield gpu | record


def supported():
    """The learners that a GPU is for."""
    ones = {name: getattr(budgetron, name)() for name in LEARNERS}
    rules = {
        name: one._rule()
        for name, one in ones.items()
        if hasattr(one, "_rule") and hasattr(one, "partial_fit")
    }
    return [name for name, rule in rules.items() if is_foreseen(rule)]


def same(name):
    """Learn tied and untied rows on both, and compare."""
    has_budget = "budget" in getattr(budgetron, name)().get_params() and name not in WITHOUT_BUDGET
    own = {"budget": SAME_BUDGET} if has_budget else {}
    if name == "Budgetron":  # of one width
        own["gamma"] = "scale"
    for kind, (X, y) in {"tied": tied(SAME_ROWS), "noisy": noisy(SAME_ROWS, 32)}.items():
        learners = [
            getattr(budgetron, name)(random_state=0, device=device, **own) for device in DEVICES
        ]
        there, here = (budgetron.prequential(one, X, y, classes=[-1, 1]) for one in learners)
        yield {
            "what": "same",
            "learner": name,
            "stream": kind,
            "rows": len(X),
            "updates": int(here.updates.sum()),
            "same_updates": bool((here.updates == there.updates).all()),
            "same_victims": bool((here.evicted == there.evicted).all()),
            "same_bytes": learners[0].dumps() == learners[1].dumps(),
            "scores_off_by": float(np.abs(here.scores - there.scores).max()),
        }


def speeds(name, budget):
    """Learn, and predict, with a full budget."""
    for device in DEVICES:
        learner = full(name, budget).set_params(device=device)
        memory = learner._learner.state.memory
        kinds = (FactorMemory, ROWS_WITH_FACTOR), (Span, ROWS_WITH_SPAN), (object, ROWS)
        rows = next(rows for kind, rows in kinds if isinstance(memory, kind))[device]
        X, y = noisy(max(ROWS.values()) + AT_FIRST)
        first, then = slice(0, min(rows, AT_FIRST)), slice(AT_FIRST, AT_FIRST + rows)
        learner.partial_fit(X[first], y[first])
        for repeat in range(REPEATS[device]):
            updates, start = learner.n_updates_, perf_counter()
            learner.partial_fit(X[then], y[then])
            seconds = perf_counter() - start
            yield {
                "what": "speed",
                "learner": name,
                "budget": budget,
                "device": device,
                "rows": rows,
                "seconds": seconds,
                "updates": int(learner.n_updates_ - updates),
                "repeat": repeat,
            }
        learner.predict(X[first])
        start = perf_counter()
        learner.predict(X[then])
        yield {
            "what": "prediction",
            "learner": name,
            "budget": budget,
            "device": device,
            "rows": rows,
            "seconds": perf_counter() - start,
        }


def ten_classes(most):
    """The ten digits, one against the rest, in one pass; nothing where they are not at hand."""
    try:
        train, test = (load_mnist(split=split, download=False) for split in ("train", "test"))
    except FileNotFoundError:
        return
    X, y = train.X[:most].astype(float), train.y[:most]
    for device in DEVICES:
        learner = budgetron.RandomizedBudgetPerceptron(
            budget=CLASSES_BUDGET, random_state=0, device=device
        )
        learner.fit(X[:AT_FIRST], y[:AT_FIRST])
        start = perf_counter()
        learner.fit(X, y)
        seconds = perf_counter() - start
        wrong = learner.predict(test.X) != test.y
        yield {
            "what": "classes",
            "device": device,
            "rows": len(X),
            "seconds": seconds,
            "predicting": perf_counter() - start - seconds,
            "mistakes": int(learner.n_mistakes_),
            "error": float(wrong.mean()),
        }


@cache
def noisy(length, width=WIDTH, seed=0):
    """Rows of which every fourth or fifth is a mistake, whoever learns."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], size=length)
    X = rng.normal(size=(length, width))
    X[:, :4] += 0.75 * y[:, None]
    return X, np.where(rng.random(length) < 0.15, -y, y)


def tied(length, width=8):
    """Rows whose scores are often exactly 0."""
    rng = np.random.default_rng(0)
    X = rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], size=(length, width))
    return X, np.where(X[:, 0] + X[:, 1] > X[:, 2] + rng.choice([0, 0, 0, 0.2], length), 1, -1)


def full(name, budget):
    """A learner whose budget is full: every row has become a support."""
    learner = getattr(budgetron, name)(budget=budget, random_state=0, gamma=1 / WIDTH / 2)
    learner.partial_fit(*noisy(4, seed=1), classes=[-1, 1])
    X, y = noisy(budget, seed=2)
    machine = getattr(learner._learner, "lead", learner._learner)
    machine.make_room_for(budget, 0)
    state, norms = machine.state, np.einsum("ij,ij->i", X, X)
    state.rows.values[:budget, :-2] = X
    state.rows.values[:budget, -2], state.rows.values[:budget, -1] = norms, 1
    state.rows.norms[:budget], state.weights[:budget], state.weight_time[:budget] = norms, y, 0
    state.births[:budget], state.order[:] = np.arange(budget), np.arange(len(state.order))
    state.counts[[SIZE, USED, SEEN]] = budget
    state.numbers[[LARGEST_NORM, LARGEST_WEIGHT]] = norms.max(), 1
    if isinstance(state.memory, FactorMemory):
        state.memory.L[:budget, :budget] = cholesky(machine.kernel(X, X), lower=True)
    if isinstance(state.memory, Span):
        fill_span(state.memory, machine.rule, machine.kernel(X, X), y)
    return learner


def fill_span(span, rule, K, y):
    """Let a filter have learned as many labels as it has supports, and exchanged its first ones."""
    n = len(K)
    L = cholesky(K, lower=True)
    span.inverse[:n, :n] = np.tril(solve_triangular(L, np.eye(n), lower=True))
    P = np.linalg.inv(np.eye(n) + L.T @ L / rule.noise)
    span.covariance[:n, :n] = (P + P.T) / 2
    span.weights[:] = 0
    span.weights[:, 0, :n] = P @ (L.T @ y) / rule.noise
    span.ages[[LEARNED, ROSE]], span.ages[[BEGAN, LOOKED]] = n, 0
    span.least[:], span.exchanges[0] = -1, n // OFTEN


def _name_of_gpu():
    properties = device_called("cuda").arrays.cuda.runtime.getDeviceProperties(0)
    return properties["name"].decode()


def show(records):
    """Rows a second, and how many times those of all cores."""
    of = {what: [r for r in records if r["what"] == what] for what in ("same", "classes")}
    pieces = [
        f"On one {records[0]['gpu']}, in float64, with {WIDTH} features, beside all cores of the"
        " same machine; the rows come in one call, and each fourth or fifth is an update (with"
        " Budgetron, whose matrices on the CPU are one thread's work, three of four).",
        _speeds_shown("Rows a second learned with a full budget", "speed", records),
        _speeds_shown("Rows a second predicted", "prediction", records),
        Table(
            "The same rows on both",
            ("learner", "stream", "rows", "updates", "same updates", "same bytes", "scores off by"),
            [
                (
                    *(r["learner"], r["stream"], r["rows"], r["updates"]),
                    *("yes" if r[each] else "no" for each in ("same_updates", "same_bytes")),
                    f"{r['scores_off_by']:.1e}",
                )
                for r in of["same"]
            ],
        ),
        Table(
            f"MNIST, one class against the rest, {CLASSES_BUDGET:,} supports each at most",
            ("device", "rows", "seconds", "seconds for 10,000", "mistakes", "error on these"),
            [
                (
                    *(r["device"], r["rows"], r["seconds"], r["predicting"], r["mistakes"]),
                    f"{100 * r['error']:.2f} %",
                )
                for r in of["classes"]
            ],
        ),
    ]
    return Exhibit([each for each in pieces if each], _asked(records))


def speeds_by_device(records, what):
    """By learner, budget and device."""
    own = [record for record in records if record["what"] == what]
    return {
        key: each[0]["rows"] / best_and_median(each)[0]
        for key, each in grouped(own, "learner", "budget", "device").items()
    }


def _speeds_shown(title, what, records):
    found = speeds_by_device(records, what)
    lines = []
    for name, budget in dict.fromkeys(key[:2] for key in found):
        there, here = (found.get((name, budget, device)) for device in DEVICES)
        lines.append((name, budget, there, here, there / here if there and here else None))
    return Table(title, ("learner", "budget", "GPU", "all cores", "times"), lines)


def _asked(records):
    found, asked = speeds_by_device(records, "speed"), []
    for name, budgets in FULL.items():
        for budget in budgets:
            there, here = (found.get((name, budget, device)) for device in DEVICES)
            if there is None or here is None:
                continue
            least, times = (None, 20) if budget < 50_000 else (150_000, 50)
            if budget > 50_000:
                least, times = 100_000, None
            what = f"{name} on a GPU, {budget:,} supports"
            if least:
                of = f"at least {least:,} rows/s", f"{there:,.0f}", there >= least
                asked.append(Asked(what, *of))
            if times:
                of = f"{times} times all cores", f"{there / here:.0f}", there >= times * here
                asked.append(Asked(what, *of))
    equal = [record for record in records if record["what"] == "same"]
    same_all = all(record["same_updates"] for record in equal)
    wrong = sum(not record["same_updates"] for record in equal)
    what = f"The same updates on both, {len(equal)} runs"
    return [*asked, Asked(what, "all", f"{len(equal) - wrong}", same_all)] if equal else asked
