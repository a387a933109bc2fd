"""Saved models with something wrong in them, in a process of their own with little memory.

`python -m saving.fuzzing 50000` tells what became of so many of them.
"""

import json
import os
import random
import resource
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from copy import deepcopy

import numpy as np
from scipy import sparse

from budgetron.saving import SavedModelError, load_with_notes, save
from saving.families import FILES
from saving.tampering import SIZES, put_together, resigned, taken_apart

MEGABYTES = 256
"""So much more memory than what the same learners take without anything wrong."""

SECONDS = 2
"""To load a file."""

NUMBERS = [
    *(0, 1, -1, 2, 3, 5, 7, 100, 2**31, 2**40, 10**12, 2**62, 2**63 - 1, -(2**63), 2**64, 10**30),
    *(0.0, -0.0, 0.5, 1e-300, 5e-324, 1e300, -1e300, 1e-9, 1.7e308),
]
VALUES = [
    *NUMBERS,
    *(None, True, False, "", "inf", "nan", "os.system", "../../etc/passwd", "x" * 5000, [], {}),
    *([[]], [0], {"": 0}, {"float": "nan"}, {"list": []}, {"learner": {}}, "Perceptron", "float32"),
    *("Stoptron", "Forgetron", "object", "str1000000000", "int8", "F64", [10**12], [0, 10**12]),
    *("0" * 16, "f" * 16, "RandomizedBudgetPerceptron", "balanced", "single_machine"),
]
WORDS = [
    *(b"\x00", b"\xff", b"{", b"}", b'"', b"\\", b"NaN", b"Infinity", b"1e999", b"[" * 3000),
    *(b'{"a":' * 3000, b"9" * 5000, b"-", b"null", b",", b"\xff" * 8, b"\x00" * 8),
]


def places(tree, path=()):
    """The paths to all parts of a JSON document."""
    yield path
    if isinstance(tree, dict | list):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from places(part, (*path, key))


def at(tree, path):
    """The part at a path."""
    for key in path:
        tree = tree[key]
    return tree


def edit(tree, rng):
    """Something else in some place of a JSON document."""
    path = rng.choice([path for path in places(tree) if path])
    parent, key = at(tree, path[:-1]), path[-1]
    match rng.randrange(6):
        case 0:
            del parent[key]
        case 1 | 2:
            parent[key] = deepcopy(rng.choice(VALUES))
        case 3:
            parent[key] = deepcopy(at(tree, rng.choice([*places(tree)])))
        case 4 if isinstance(parent[key], int | float):
            parent[key] += rng.choice((-1, 1, 2, -2, 0.5))
        case _ if isinstance(parent, dict):
            parent[rng.choice(("new", "size", "../x", "order", "experts", str(key) + "/"))] = (
                deepcopy(parent[key]) if rng.random() < 0.5 else parent.pop(key)
            )
        case _:
            parent.insert(key, deepcopy(parent[key]))
    return tree


def scribble(entries, rng):
    """Other numbers in an array."""
    filled = [entry for entry in entries.values() if entry["bytes"] and entry["type"] in SIZES]
    if not filled:
        return
    entry = rng.choice(filled)
    form, arrays = "<" + entry["type"], entry["bytes"]
    step = struct.calcsize(form)
    for _ in range(rng.choice((1, 1, 2, 5))):
        place = step * rng.randrange(len(arrays) // step)
        if rng.random() < 0.2:
            other = step * rng.randrange(len(arrays) // step)
            arrays[place : place + step], arrays[other : other + step] = (
                arrays[other : other + step],
                arrays[place : place + step],
            )
            continue
        choices = [*NUMBERS, float("nan"), float("inf")]
        try:
            number = rng.choice(choices)
            arrays[place : place + step] = struct.pack(
                form, number if form in ("<d", "<f") else int(number)
            )
        except (struct.error, OverflowError, ValueError):
            arrays[place : place + step] = rng.randbytes(step)


def rearrange(entries, rng):
    """Arrays of other types or shapes, or in other places."""
    if not entries:
        return
    a, b = rng.choice([*entries]), rng.choice([*entries])
    shape = entries[a]["shape"]
    match rng.randrange(6):
        case 0:
            entries[a], entries[b] = entries[b], entries[a]
        case 1:
            entries[a]["type"] = rng.choice("dfbhiqIQzx")
        case 2:
            if shape:
                shape[rng.randrange(len(shape))] = rng.choice((0, 1, 2, 3, 5, 8, 10**9, 2**32 - 1))
        case 3:
            entries[a]["shape"] = rng.choice(([], shape[::-1], [*shape, 1], [*shape, 0, 7]))
        case 4:
            entries[a]["bytes"] = bytearray(rng.choice((b"", bytes(entries[b]["bytes"]), b"x" * 9)))
        case 5:
            entries["another"] = entries.pop(a) if rng.random() < 0.5 else deepcopy(entries[a])


def bitten(data, rng):
    """Other bytes anywhere."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(len(data))
        match rng.randrange(6):
            case 0 | 1:
                data[place] ^= 1 << rng.randrange(8)
            case 2:
                data[place:place] = rng.choice(WORDS)
            case 3:
                del data[place : place + rng.choice((1, 2, 8, 100))]
            case 4:
                data[place:place] = data[place : place + rng.choice((1, 8, 64))]
            case 5:
                del data[place:]
                data = data or bytearray(b"x")
    return bytes(data)


def mutated(files, rng):
    """One of the files, or two of them, with a few things wrong, and mostly the right checksum."""
    data = rng.choice(files)
    kind = rng.randrange(10)
    if kind == 0:
        return bitten(data, rng)
    if kind == 1:
        return resigned(bitten(data, rng))
    model, entries = taken_apart(data)
    if kind == 2:
        other = taken_apart(rng.choice(files))
        return put_together(*rng.choice(((model, other[1]), (other[0], entries))))
    if kind == 3:
        written = json.dumps(model).encode()
        place, word = rng.randrange(len(written)), rng.choice(WORDS)
        return put_together(written[:place] + word + written[place:], entries)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if kind in (4, 5, 6):
            part = rng.choice(("learner", "learner", "learner", "notes", None))
            if part is None or not isinstance(model.get(part), dict) or not model[part]:
                model = edit(model, rng)
            else:
                model[part] = edit(model[part], rng)
        elif kind in (7, 8):
            scribble(entries, rng)
        else:
            rearrange(entries, rng)
    return put_together(model, entries)


def learn_more(model):
    """Let a model that was loaded go on for 20 examples, and be saved again."""
    width = getattr(model, "n_features_in_", 4)
    if width > 10_000:
        return "too wide to try"
    X = np.random.default_rng(0).normal(size=(20, width))
    storage = getattr(getattr(model, "_learner", None), "sparse", False)
    X = sparse.csr_array(X) if storage else X
    classes = getattr(model, "classes_", np.array([0, 1]))
    y = classes[np.arange(20) % len(classes)]
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        del model.feature_names_in_
    if hasattr(model, "partial_fit"):
        model.partial_fit(X[:1], y[:1]).partial_fit(X[1:8], y[1:8])
        if hasattr(model, "learn_one"):
            for i in range(8, 12):
                model.learn_one(
                    X[[i]].toarray()[0] if storage else X[i], classes.tolist()[i % len(classes)]
                )
        model.partial_fit(X[12:], y[12:])
    elif not hasattr(model, "classes_"):
        model.fit(X, y)
    model.predict(X)
    if getattr(model, "probability", False):
        model.predict_proba(X)
    return "went on"


def attempt(path):
    """What becomes of a file."""
    start = time.perf_counter()
    try:
        model, notes = load_with_notes(path)
    except SavedModelError as error:
        return "refused", str(error)
    finally:
        seconds = time.perf_counter() - start
        if seconds > SECONDS:
            raise AssertionError(f"loading took {seconds:.1f} s")
    save(model, path, notes)
    try:
        return learn_more(model), ""
    except ValueError as error:
        return "went on to an error", str(error)


def limit_memory():
    """From now on no more than a little is to be had."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEGABYTES * 2**20,) * 2)


def main(many, start=0):
    """Mutate files, and tell what became of them."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    files = [path.read_bytes() for path in sorted(FILES.glob("*.budgetron"))]
    outcomes, reasons, wrong = Counter(), Counter(), []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "model.budgetron")
        for data in files:
            for _ in range(2):
                with open(path, "wb") as file:
                    file.write(data)
                assert attempt(path)[0] == "went on"
        limit_memory()
        begun = time.perf_counter()
        for seed in range(start, start + many):
            with open(path, "wb") as file:
                file.write(mutated(files, random.Random(f"saved models {seed}")))
            try:
                outcome, reason = attempt(path)
                outcomes[outcome] += 1
                reasons[outcome, reason[:50]] += 1
            except Exception:
                outcomes["wrong"] += 1
                wrong.append(f"seed {seed}: {traceback.format_exc(limit=-6)}")
            assert os.listdir(directory) == ["model.budgetron"]
    told = {"seconds": time.perf_counter() - begun, "outcomes": outcomes, "wrong": wrong[:20]}
    told["peak megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told["different reasons"] = len(reasons)
    if os.environ.get("BUDGETRON_FUZZ_REASONS"):
        told["reasons"] = [[*key, n] for key, n in reasons.most_common(150)]
    return told


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:]))))
