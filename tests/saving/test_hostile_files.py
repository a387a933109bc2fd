"""Files that were not written by this package, or have been changed since."""

import tracemalloc

import numpy as np
import pytest

import budgetron
from budgetron.saving import SavedModelError
from saving.families import FAMILIES, FILES
from saving.tampering import changed, put_together, taken_apart

HUGE = 10**12


def read(name):
    return (FILES / f"{name}.budgetron").read_bytes()


@pytest.fixture
def load():
    """Loads what is given as bytes, in memory that is in proportion to them."""

    def load_bytes(data):
        tracemalloc.start()
        try:
            return budgetron.loads(data)
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 2**20 + 50 * len(data)

    return load_bytes


def refused(load, data, why):
    with pytest.raises(SavedModelError, match=why):
        load(data)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_taken_apart_can_be_put_together(name, load):
    assert type(load(put_together(*taken_apart(read(name))))) is type(FAMILIES[name].model)


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"\x80\x04\x95", b"PK\x03\x04" + bytes(100), b"\x00" * 100, b"\xff" * 100,
     b"budgetron", b"budgetron\x02", put_together(b"[]", b""), put_together(b"1", b"")],
    ids=lambda data: repr(data[:40]),
)  # fmt: skip
def test_what_is_no_saved_model_is_told(data, load):
    refused(load, data, "saved model|model must be")


def test_another_version_is_told(load):
    for version in (0, 1, 3):
        data = put_together(*taken_apart(read("forgetron")), version)
        refused(load, data, f"of version {version}, and this package reads version 2")


def test_what_is_no_bytes_is_told():
    with pytest.raises(TypeError, match="a saved model is bytes, got str"):
        budgetron.loads("budgetron")


@pytest.mark.parametrize("name", FAMILIES)
def test_every_cut_is_noticed(name, load):
    data = read(name)
    for length in {*range(0, len(data), max(1, len(data) // 60)), len(data) - 1}:
        refused(load, data[:length], "cut off|damaged")


def test_every_altered_byte_is_noticed(load):
    data = read("threshold")
    for place in range(len(data)):
        with pytest.raises(SavedModelError):
            load(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])


def test_bytes_at_the_end_are_noticed(load):
    refused(load, read("forgetron") + b"x", "damaged")


def set_model(path, value):
    *parents, last = path.split("/")

    def change(model, entries):
        for key in parents:
            model = model[int(key) if isinstance(model, list) else key]
        if value is DELETED:
            del model[last]
        else:
            model[int(last) if isinstance(model, list) else last] = value

    return change


DELETED = "nothing at all"
KEPT = "learner/learned/machine/"
DOCUMENTS = [
    ("learner/class", "Unheard", "no learner of this package"),
    ("learner/class", "os.system", "no learner of this package"),
    ("learner/class", "StreamClassifier", "no learner of this package"),
    ("learner/class", "KernelClassifier", "no learner of this package"),
    ("learner/parameters/unheard", 1, "unknown fields: 'unheard'"),
    ("learner/parameters/kernel", {"function": "os.system"}, "unknown kind: 'function'"),
    ("learner/parameters/class_weight", {"dict": [[0, -1.0]]}, "too small"),
    ("learner/parameters/class_weight", {"dict": [[0, "x"]]}, "must be a number"),
    ("learner/parameters/class_weight", {"dict": [[[], 1]]}, "plain values"),
    ("learner/parameters/gamma", 10**30, "too large"),
    ("learner/parameters/probability", "yes", "true or false"),
    ("learner/parameters/multi_class", "single_machine", "has no newcomer"),
    ("learner/parameters/multi_class", "shared", "multi_class is unknown"),
    ("learner/learned/width", HUGE, "the number of features must be"),
    ("learner/learned/width", 0, "the number of features must be"),
    ("learner/learned/width", 5, "which does not fit"),
    ("learner/learned/width", 4.0, "whole number"),
    ("learner/learned/width", True, "whole number"),
    ("learner/learned/feature_names", ["a"], "1 names for 4 features"),
    ("learner/learned/feature_names", ["a", "b", "c", 4], "must be a string"),
    ("learner/learned/classes/labels", [1, 0], "not in order"),
    ("learner/learned/classes/labels", [0, 0], "not in order"),
    ("learner/learned/classes/labels", [0, "a"], "not of int64"),
    ("learner/learned/classes/labels", [], "too few"),
    ("learner/learned/classes/labels", [*range(5000)], "too many"),
    ("learner/learned/classes/labels", [0, 1, 2], "which does not fit"),
    ("learner/learned/classes/dtype", "str1000000000", "str1000000000"),
    ("learner/learned/classes/dtype", "object,os", "labels cannot be of"),
    ("learner/learned/classes/dtype", "int8", None),
    ("learner/learned/twin", {}, "unknown fields: 'twin'"),
    (KEPT + "rule/name", "Unheard", "no rule of this package"),
    (KEPT + "rule/name", "Learner", "no rule of this package"),
    (KEPT + "rule/budget", 0, "budget must be at least 1"),
    (KEPT + "rule/budget", 3, "more supports than the budget"),
    (KEPT + "rule/budget", 1e3, "whole number"),
    (KEPT + "rule/budget", 2**70, "budget must be"),
    (KEPT + "kernel/degree", HUGE, "degree must be"),
    (KEPT + "kernel/product", 1.0, "unknown fields"),
    (KEPT + "sparse", True, "lengths|which does not fit"),
    (KEPT + "machines", [], "unknown fields"),
    (KEPT + "dtype", "float16", "float64 or float32"),
    (KEPT + "dtype", "float32", "of float64, not of float32"),
    ("notes", [], "notes"),
    ("unheard", 1, "unknown fields"),
]


@pytest.mark.parametrize(("path", "value", "why"), DOCUMENTS, ids=lambda x: str(x)[:60])
def test_a_wrong_document_is_told(path, value, why, load):
    data = changed(read("forgetron"), set_model(path, value))
    if why is None:
        load(data).partial_fit(np.eye(4) / 1e30, [0, 1, 0, 1])
    else:
        refused(load, data, why)


def array_set(name, place, value):
    def change(model, entries):
        entry = entries[name]
        array = np.frombuffer(entry["bytes"], f"<{entry['type']}")
        array = array.astype(np.float64 if array.dtype.kind == "f" else array.dtype.kind + "8")
        array[place] = value
        entry["type"], entry["bytes"] = (
            array.dtype.char.replace("l", "q").replace("L", "Q"),
            array.tobytes(),
        )

    return change


SIZE, USED, SEEN, MISTAKES = range(4)  # of counts
SCALE, SCALE_SUM, LARGEST_NORM, LARGEST_WEIGHT = range(4)  # of numbers
ARRAYS = [
    ("forgetron", "counts", SIZE, 7, "more supports than the budget"),
    ("forgetron", "counts", SIZE, -1, "at least 0"),
    ("forgetron", "counts", SIZE, 5, "does not fit"),
    ("forgetron", "counts", USED, HUGE, "more slots than the budget"),
    ("forgetron", "counts", USED, 5, "more supports than slots"),
    ("forgetron", "counts", SEEN, 3, "more than seen"),
    ("forgetron", "counts", SEEN, 2**62, "too large"),
    ("forgetron", "numbers", SCALE, 0.0, "scale"),
    ("forgetron", "numbers", SCALE, -1.0, "scale"),
    ("forgetron", "numbers", SCALE, np.nan, "not all finite"),
    ("forgetron", "numbers", SCALE_SUM, -1.0, "negative"),
    ("forgetron", "numbers", LARGEST_WEIGHT, -1.0, "negative"),
    ("forgetron", "randomness", 0, 0, "must not be 0"),
    ("forgetron", "kernel", 0, np.inf, "not all finite"),
    ("forgetron", "seeds", 0, -1, "at least 0"),
    ("forgetron", "order", 0, 7, "every slot once"),
    ("forgetron", "order", 0, -1, "every slot once"),
    ("forgetron", "order", 0, HUGE, "every slot once"),
    ("forgetron", "weights", 0, np.nan, "weights are not all finite"),
    ("forgetron", "values", 0, np.inf, "supports are not all finite"),
    ("forgetron", "norms", 0, -1, "at least 0"),
    ("forgetron", "births", slice(None), -1, "outside the stream"),
    ("forgetron", "births", slice(None), 40, "outside the stream"),
    ("forgetron", "births", 0, 39, "order of their births"),
    ("one-vs-rest", "class_counts", 0, -1, "at least 0"),
    ("one-vs-rest", "class_counts", 0, 2**63 - 1, "too large"),
    ("one-vs-rest", "counts of all", 0, 41, "more mistakes than examples"),
    ("one-vs-rest", "counts 2", SEEN, 41, "do not learn alike"),
    ("randomized-sparse", "lengths", 0, 2**63 - 1, "do not fill their place"),
    ("randomized-sparse", "lengths", 0, -1, "do not fill their place"),
    ("randomized-sparse", "lengths", 0, 0, "do not fill their place"),
    ("randomized-sparse", "features", -1, 4, "unknown feature"),
    ("randomized-sparse", "features", 0, -1, "unknown feature"),
    ("projectron", "L", 0, 0, "diagonal"),
    ("projectron", "L", 0, -1, "diagonal"),
    ("projectron", "L", 1, 1e200, "too large"),
    ("second-order-span", "R", 0, 0, "diagonal"),
    ("probability", "calibration", 5, -1, "at least 0"),
    ("probability", "calibration", 4, 1e9, "not convex"),
    ("experts", "losses", 0, np.nan, "losses"),
    ("whitened-sparse", "features", 0, 4, "unknown feature"),
    ("whitened-sparse", "starts", 1, HUGE, "one after another"),
    ("whitened-sparse", "starts", 0, 1, "one after another"),
]


@pytest.mark.parametrize(("file", "name", "place", "value", "why"), ARRAYS)
def test_wrong_numbers_in_arrays_are_told(file, name, place, value, why, load):
    refused(load, changed(read(file), array_set(name, place, value)), why)


WAITING = [
    (array_set("labels", 0, 2), "unknown class"),
    (array_set("predictions", 0, -1), "unknown class"),
    (array_set("values 2", 0, np.nan), "not all finite"),
    (array_set("weights 2", 0, -1), "at least 0"),
    (array_set("due", 0, np.inf), "not all finite"),
    (set_model("waiting/width", 3), "other features"),
    (set_model("waiting/examples/dtype", "int64"), "cannot be of"),
    (set_model("waiting/why", 1), "unknown fields"),
    (set_model("waiting", DELETED), "unknown arrays"),
]


@pytest.mark.parametrize(("change", "why"), WAITING)
def test_rows_that_wait_are_checked(change, why, load, tmp_path):
    X, y = np.eye(4), ["a", "b", "a", "b"]
    learner = budgetron.Forgetron()
    waiting = budgetron.prequential(learner, X, y, delay=2).waiting
    learner.save(tmp_path / "waiting", waiting=waiting)
    refused(load, changed((tmp_path / "waiting").read_bytes(), change), why)


def left_out(name):
    def change(model, entries):
        del entries[name]

    return change


def swap(a, b):
    def change(model, entries):
        entries[a], entries[b] = entries[b], entries[a]

    return change


def told(name, kind, *lengths):
    def change(model, entries):
        entries[name]["type"], entries[name]["shape"] = kind, [*lengths]

    return change


def added(kind, *lengths):
    def change(model, entries):
        entries["another"] = {"type": kind, "shape": lengths, "bytes": b""}

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (left_out("order"), "array 'order'"),
        (left_out("scores"), "no array 'scores'"),
        (added("d", 0), "unknown arrays"),
        (added("z", 0, HUGE), "unknown arrays"),
        (swap("births", "weights"), "not of int64"),
        (swap("values", "weights"), "shape"),
        (told("weights", "d", 2**32 - 1), "shape"),
        (told("weights", "d", 1, 6), "shape"),
        (told("weights", "d", 6, 1, 1, 1), "damaged"),
        (told("weights", "x", 6), "of a type"),
        (told("weights", "f", 6), "of float32, not of float64"),
        (told("weights", "z", 6), "is not there"),
        (told("scores", "d", 0), "shape"),
    ],
)
def test_wrong_arrays_are_told(change, why, load):
    refused(load, changed(read("forgetron"), change), why)


def test_an_array_that_ends_too_soon_is_told(load):
    def cut(model, entries):
        del entries["scores"]["bytes"][-1]

    refused(load, changed(read("forgetron"), cut), "cut off")


def test_a_learner_of_one_support_cannot_claim_to_be_huge(load, tmp_path):
    X = np.zeros((1, 4))
    budgetron.Forgetron(gamma=1.0).partial_fit(X, [1], classes=[0, 1]).save(tmp_path / "m")

    def widen(model, entries):
        model["learner"]["learned"]["width"] = 2**31 - 1
        entries["values"]["shape"][1] = 2**31 - 1

    refused(load, changed((tmp_path / "m").read_bytes(), widen), "cut off")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"version":1,"version":1}', "repeated"),
        ('{"version":NaN}', "NaN is no JSON"),
        ('{"version":-Infinity}', "Infinity is no JSON"),
        ('{"version":1e999}', "too large a number"),
        ('{"version":' + "9" * 10_000 + "}", "too long"),
        ("[" * 100_000, "no JSON"),
        ('{"a":' * 100_000, "no JSON"),
    ],
    ids=lambda text: text[:30],
)
def test_json_that_is_none_is_told(text, why, load):
    refused(load, put_together(text.encode(), b""), why)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("learner/learned/restart_every", 0, "restart_every must be"),
        ("learner/learned/experts", [], "no experts"),
        ("learner/learned/experts/0/learning", False, "named must be"),
        ("learner/learned/experts/0/learner/learned", None, "has not begun"),
        ("learner/learned/tally/seen", 39.0, "another stream"),
        (
            "learner/learned/experts/0/learner/class",
            "WhitenedPerceptron",
            "unknown fields|on the way",
        ),
        ("learner/learned/experts/2/learner/class", "RestartingExperts", "unknown fields"),
        ("learner/learned/experts/2/learner/learned/column", 4, "column must be"),
    ],
)
def test_wrong_experts_are_told(path, value, why, load):
    refused(load, changed(read("experts"), set_model(path, value)), why)


def test_a_twin_must_be_one(load):
    data = read("one-class")
    refused(load, changed(data, set_model("learner/learned/twin", None)), "the learner must be")
    change = set_model("learner/learned/twin/learner", {})
    refused(load, changed(data, change), "unknown fields")
    change = set_model("learner/learned/twin/learned/classes/labels", [1])
    refused(load, changed(data, change), "twin is of another kind")


def test_experts_within_experts_within_experts_are_told(load):
    def nest(model, entries):
        inner = {"class": "Forgetron", "parameters": {}, "learned": None}
        for _ in range(180):
            inner = {
                "class": "RestartingExperts",
                "parameters": {"experts": {"list": [{"learner": inner}]}},
                "learned": None,
            }
        model["learner"] = inner
        entries.clear()

    refused(load, changed(read("forgetron"), nest), "nested too deeply")
