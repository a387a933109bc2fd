"""Measures `device="cuda"` beside all cores of the same machine; for one that has a GPU.

    python scripts/gpu_record.py [--out FOLDER] [--seconds 420]

Prints tables, and writes gpu.json into the folder: whether both learn the same, rows a second, and
where the time goes. A part that fails or would take too long is reported, and the next one begins.
"""

import argparse
import json
import os
import platform
import time
import traceback
from functools import partial
from pathlib import Path

import numpy as np

import budgetron
from budgetron.engine import on_device
from budgetron.engine.group import KernelGroup
from budgetron.engine.learner import Learner

THREE = ("RandomizedBudgetPerceptron", "LeastRecentBudgetPerceptron", "Forgetron")
OTHERS = (
    *("Perceptron", "ShiftingPerceptron", "ExponentialDecayPerceptron", "Stoptron", "Norma"),
    *("ModifiedPerceptron", "PassiveAggressive", "PassiveAggressiveI", "PassiveAggressiveII"),
)
WIDTH = 784


def noisy(length, width=WIDTH, seed=0):
    """Rows of which every fourth or fifth is a mistake, whoever learns."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], size=length)
    X = rng.normal(size=(length, width))
    X[:, :4] += 0.75 * y[:, None]
    return X, np.where(rng.random(length) < 0.15, -y, y)


def tied(length, width=8, seed=0):
    """Rows whose scores are often exactly 0."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], size=(length, width))
    y = np.where(X[:, 0] + X[:, 1] > X[:, 2] + rng.choice([0, 0, 0, 0.2], length), 1, -1)
    return X, y


class Clock:
    """How long calls of some functions take."""

    def __init__(self, synchronize):
        self.seconds, self._synchronize = {}, synchronize

    def watch(self, owner, name):
        """Count the time of a method."""
        method = getattr(owner, name)

        def timed(*arguments, **named):
            self._synchronize()
            start = time.perf_counter()
            result = method(*arguments, **named)
            self._synchronize()
            key = f"{owner.__name__}.{name}"
            self.seconds[key] = self.seconds.get(key, 0) + time.perf_counter() - start
            return result

        setattr(owner, name, timed)
        return lambda: setattr(owner, name, method)


def same_updates(name, length):
    """Both learn tied and untied rows; what is kept must be the same."""
    told = {}
    for kind, (X, y) in {"tied": tied(length), "noisy": noisy(length, 32)}.items():
        given = getattr(getattr(budgetron, name)(), "budget", None)
        budget = {} if given is None else {"budget": 1000}
        if name in OTHERS and not budget:
            X, y = X[: length // 5], y[: length // 5]
        traces, dumps = [], []
        for device in ("cpu", "cuda"):
            learner = getattr(budgetron, name)(random_state=0, device=device, **budget)
            traces.append(budgetron.prequential(learner, X, y, classes=[-1, 1]))
            dumps.append(learner.dumps())
        here, there = traces
        told[kind] = {
            "rows": len(X),
            "updates": int(here.updates.sum()),
            "same_updates": bool((here.updates == there.updates).all()),
            "same_victims": bool((here.evicted == there.evicted).all()),
            "same_bytes": dumps[0] == dumps[1],
            "scores_off_by": float(np.abs(here.scores - there.scores).max()),
        }
    return told


def full(name, budget, device):
    """A learner whose budget is full, filled without scoring: every row becomes a support."""
    learner = getattr(budgetron, name)(budget=budget, random_state=0, gamma=1 / WIDTH / 2)
    X, y = noisy(4, seed=9)
    learner.partial_fit(X, y, classes=[-1, 1])
    machine = learner._learner
    machine.make_room_for(budget, 0)
    X, y = noisy(budget, seed=8)
    state = machine.state
    used = budget
    state.rows.values[:used, :-2] = X
    norms = np.einsum("ij,ij->i", X, X)
    state.rows.norms[:used] = norms
    state.rows.values[:used, -2], state.rows.values[:used, -1] = norms, 1
    state.weights[:used] = y
    state.weight_time[:used] = 0
    state.births[:used] = np.arange(used)
    state.order[:] = np.arange(len(state.order))
    counts = dict(zip(("size", "used", "seen"), (used, used, used), strict=True))
    for place, value in enumerate(counts.values()):
        state.counts[place] = value
    state.numbers[2] = norms.max()
    state.numbers[3] = 1.0
    return learner.set_params(device=device)


def speed(name, budget, device, rows, profiled=None):
    """Rows a second with a full budget."""
    learner = full(name, budget, device)
    X, y = noisy(rows + 2048, seed=1)
    learner.partial_fit(X[:2048], y[:2048])
    before = learner.n_updates_
    start = time.perf_counter()
    machine = learner._draft()
    copying = time.perf_counter() - start
    del machine
    undo = [] if profiled is None else profiled()
    start = time.perf_counter()
    learner.partial_fit(X[2048:], y[2048:])
    seconds = time.perf_counter() - start
    for each in undo:
        each()
    return {
        "rows": rows,
        "seconds": seconds,
        "rows_per_second": rows / seconds,
        "rows_per_second_without_copying": rows / max(seconds - copying, 1e-9),
        "copying": copying,
        "updates": int(learner.n_updates_ - before),
    }


def profile(name, budget, rows):
    """Where the time of a call goes, each part waited for."""
    import cupy

    clock = Clock(cupy.cuda.Device().synchronize)
    parts = [
        *((on_device.OnDevice, part) for part in ("look_ahead", "look_within", "share", "lend")),
        (on_device.OnDevice, "take_back"),
        (on_device.Mirror, "follow"),
        (Learner, "walk"),
        (KernelGroup, "learn"),
    ]
    told = speed(name, budget, "cuda", rows, lambda: [clock.watch(*part) for part in parts])
    return told | {"parts": clock.seconds}


def ten_classes(rows=60_000, budget=10_000):
    """One against the rest on made digits: ten clouds of 784 features that overlap."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(10, WIDTH)) * 0.12
    y = rng.integers(10, size=rows + 10_000)
    X = centres[y] + rng.normal(size=(len(y), WIDTH)) * 0.6
    told = {}
    for device, many in (("cuda", rows), ("cpu", 4_000)):
        learner = budgetron.RandomizedBudgetPerceptron(budget=budget, random_state=0, device=device)
        start = time.perf_counter()
        learner.fit(X[:many], y[:many])
        seconds = time.perf_counter() - start
        start = time.perf_counter()
        wrong = float((learner.predict(X[rows:]) != y[rows:]).mean())
        told[device] = {
            "rows": many,
            "seconds": seconds,
            "error": wrong,
            "predicting": time.perf_counter() - start,
        }
    return told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=os.environ.get("OUT", "."))
    parser.add_argument("--seconds", type=float, default=420)
    options = parser.parse_args()
    end, told = time.perf_counter() + options.seconds, {"machine": platform.processor()}
    tasks = {
        "speed": {
            f"{name} {budget} {device}": partial(speed, name, budget, device, rows)
            for budget in (50_000, 100_000)
            for name in THREE
            for device, rows in (
                ("cuda", 8_192 if name == "Forgetron" else 100_000),
                ("cpu", 2_048),
            )
            if device == "cuda" or budget == 50_000
        },
        "profile": {
            f"{name} {budget}": partial(
                profile, name, budget, 4_096 if name == "Forgetron" else 40_960
            )
            for budget in (50_000, 100_000)
            for name in THREE
        },
        "same": {name: partial(same_updates, name, 50_000) for name in (*THREE, *OTHERS)},
        "ten classes": {"one against the rest": ten_classes},
    }
    try:
        import cupy

        told["gpu"] = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:
        told["gpu"] = repr(error)
    told["cores"] = os.cpu_count()
    print(told, flush=True)
    for section, parts in tasks.items():
        told[section] = {}
        for title, task in parts.items():
            if time.perf_counter() > end:
                told[section][title] = "no time left"
                continue
            start = time.perf_counter()
            try:
                told[section][title] = task()
            except BaseException as error:
                told[section][title] = "".join(traceback.format_exception(error)[-4:])
            took = time.perf_counter() - start
            print(f"[{took:.1f} s] {section}: {title}: {told[section][title]}", flush=True)
            Path(options.out, "gpu.json").write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
