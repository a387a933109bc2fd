"""Files that were not written by this package, or have been changed since."""

import json
import tracemalloc

import numpy as np
import pytest

import budgetron
from budgetron.saving import SavedModelError
from saving.families import FAMILIES, FILES
from saving.tampering import changed, in_a_header, put_together, signed, taken_apart

HUGE = 10**12


def read(name):
    return (FILES / f"{name}.budgetron").read_bytes()


@pytest.fixture
def load(tmp_path):
    """Loads what is given as bytes, in memory that is in proportion to them."""

    def load_bytes(data):
        path = tmp_path / "model.budgetron"
        path.write_bytes(data)
        tracemalloc.start()
        try:
            return budgetron.load(path)
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
     (2**63).to_bytes(8, "little") + b"{}", in_a_header({}, b""), in_a_header(b"[]", b""),
     in_a_header({"__metadata__": {"format": "pt"}}, b""),
     in_a_header({"__metadata__": {"budgetron": "[]"}}, b""),
     in_a_header({"__metadata__": {"budgetron": "1"}}, b""),
     in_a_header({"__metadata__": []}, b"")],
    ids=lambda data: repr(data[:40]),
)  # fmt: skip
def test_what_is_no_saved_model_is_told(data, load):
    refused(load, data, "saved model|model must be")


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

    def change(model, header, arrays):
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
    ("version", 2, "of version 2, and this package reads up to 1"),
    ("version", 0, "version"),
    ("version", DELETED, "version"),
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
    ("learner/learned/classes/labels", [0, 1, 2], "has no machines"),
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
    (KEPT + "kernel/product", "1", "must be a number"),
    (KEPT + "kernel/product", 10**39, None),
    (KEPT + "dtype", "float16", "float64 or float32"),
    (KEPT + "dtype", "float32", "of float64, not of float32"),
    (KEPT + "sparse", True, "has no end"),
    (KEPT + "counts/size", 7, "more supports than the budget"),
    (KEPT + "counts/size", -1, "must be from 0"),
    (KEPT + "counts/size", 2**64, "must be from 0"),
    (KEPT + "counts/used", HUGE, "more supports than slots"),
    (KEPT + "counts/used", 5, "more supports than slots"),
    (KEPT + "counts/seen", 3, "more than seen"),
    (KEPT + "numbers/scale", 0.0, "scale"),
    (KEPT + "numbers/scale", -1.0, "scale"),
    (KEPT + "numbers/scale_sum", -1.0, "negative"),
    (KEPT + "numbers/largest_weight", -1.0, "negative"),
    (KEPT + "randomness", "0" * 16, "not all 0"),
    (KEPT + "randomness", "+" + "0" * 14 + "1", "hexadecimal"),
    (KEPT + "machines", [], "unknown fields"),
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
    def change(model, header, arrays):
        first, last = header[name]["data_offsets"]
        dtype = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "U32": "<u4"}[header[name]["dtype"]]
        array = np.frombuffer(bytes(arrays[first:last]), dtype).copy()
        array[place] = value
        arrays[first:last] = array.tobytes()

    return change


ARRAYS = [
    ("forgetron", "machine/order", 0, 7, "every slot once"),
    ("forgetron", "machine/order", 0, -1, "every slot once"),
    ("forgetron", "machine/order", 0, HUGE, "every slot once"),
    ("forgetron", "machine/weights", 0, np.nan, "weights are not all finite"),
    ("forgetron", "machine/values", 0, np.inf, "supports are not all finite"),
    ("forgetron", "machine/norms", 0, -1, "at least 0"),
    ("forgetron", "machine/births", slice(None), -1, "outside the stream"),
    ("forgetron", "machine/births", slice(None), 40, "outside the stream"),
    ("forgetron", "class_counts", 0, -1, "at least 0"),
    ("forgetron", "class_counts", 0, 2**63 - 1, "too large"),
    ("randomized-sparse", "machine/starts", 0, HUGE, "outside the pool"),
    ("randomized-sparse", "machine/starts", 0, -1, "outside the pool"),
    ("randomized-sparse", "machine/starts", 0, 2**63 - 1, "outside the pool"),
    ("randomized-sparse", "machine/lengths", 0, 2**63 - 1, "outside the pool"),
    ("randomized-sparse", "machine/lengths", 0, -1, "outside the pool"),
    ("randomized-sparse", "machine/features", -1, 4, "unknown feature"),
    ("randomized-sparse", "machine/features", 0, -1, "unknown feature"),
    ("projectron", "machine/memory/L", 0, 0, "diagonal"),
    ("projectron", "machine/memory/L", 0, -1, "diagonal"),
    ("projectron", "machine/memory/L", 1, 1e200, "too large"),
    ("second-order-span", "machine/memory/R", 0, 0, "diagonal"),
    ("probability", "calibration", 5, -1, "at least 0"),
    ("probability", "calibration", 4, 1e9, "not convex"),
    ("experts", "losses", 0, np.nan, "losses"),
    ("whitened-sparse", "whitening/rows/features", 0, 4, "unknown feature"),
    ("whitened-sparse", "whitening/rows/starts", 1, HUGE, "one after another"),
    ("whitened-sparse", "whitening/rows/starts", 0, 1, "one after another"),
]


@pytest.mark.parametrize(("file", "name", "place", "value", "why"), ARRAYS)
def test_wrong_numbers_in_arrays_are_told(file, name, place, value, why, load):
    refused(load, changed(read(file), array_set(name, place, value)), why)


@pytest.mark.parametrize("end", [None, -1, 10**12, 1.0, "1", True])
def test_a_pool_must_end_somewhere(end, load):
    change = set_model(KEPT + "end", end)
    refused(load, changed(read("randomized-sparse"), change), "end of the pool|outside the pool")


def test_supports_that_share_their_place_are_told(load):
    def overlap(model, header, arrays):
        end = model["learner"]["learned"]["machine"]["end"]
        array_set("machine/starts", slice(None), 0)(model, header, arrays)
        array_set("machine/lengths", slice(None), end)(model, header, arrays)

    refused(load, changed(read("randomized-sparse"), overlap), "share their place")


WAITING = [
    (array_set("waiting/labels", 0, 2), "unknown class"),
    (array_set("waiting/predictions", 0, -1), "unknown class"),
    (array_set("waiting/values", 0, np.nan), "not all finite"),
    (array_set("waiting/weights", 0, -1), "at least 0"),
    (array_set("waiting/due", 0, np.inf), "not all finite"),
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


def rename(old, new):
    def change(model, header, arrays):
        header[new] = header.pop(old)

    return change


def swap(a, b):
    def change(model, header, arrays):
        header[a], header[b] = header[b], header[a]

    return change


def shape(name, *lengths):
    def change(model, header, arrays):
        header[name]["shape"] = [*lengths]

    return change


def added(name):
    def change(model, header, arrays):
        header[name] = {"dtype": "F64", "shape": [0, HUGE], "data_offsets": [0, 0]}

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (rename("machine/order", "machine/../order"), "no array 'machine/order'"),
        (rename("machine/order", "/etc/passwd"), "no array 'machine/order'"),
        (added("../../extra"), "unknown arrays, such as '../../extra'"),
        (added(""), "unknown arrays"),
        (swap("machine/order", "machine/weights"), "not of int64"),
        (swap("machine/values", "machine/weights"), "shape"),
        (shape("machine/weights", HUGE), "damaged"),
        (shape("machine/weights", 2**63, 2), "damaged"),
        (shape("machine/weights", 1, 7), "shape"),
        (shape("machine/memory/scores", 0, HUGE), "damaged|shape"),
        (shape("machine/memory/scores", 2**63), "damaged|too large"),
        (shape("machine/memory/scores", 6, 1, 1), "damaged|too large"),
    ],
)
def test_wrong_arrays_are_told(change, why, load):
    refused(load, changed(read("forgetron"), change), why)


def test_a_learner_without_supports_cannot_claim_to_be_huge(load, tmp_path):
    X = np.zeros((1, 4))
    budgetron.Forgetron(gamma=1.0).partial_fit(X, [1], classes=[0, 1]).save(tmp_path / "m")

    def widen(model, header, arrays):
        model["learner"]["learned"]["width"] = HUGE
        header["machine/values"]["shape"][1] = HUGE + 2

    refused(load, changed((tmp_path / "m").read_bytes(), widen), "damaged|number of features")


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
        ('{"version":1,"sha256":"\u00e4"}', "no checksum"),
        ('{"version":1,"sha256":7}', "no checksum"),
    ],
    ids=lambda text: text[:30],
)
def test_json_that_is_none_is_told(text, why, load):
    refused(load, in_a_header({"__metadata__": {"budgetron": text}}, b""), why)


def test_repeated_keys_in_the_header_are_told(load):
    model, header, arrays = taken_apart(read("forgetron"))
    entry = json.dumps(header["machine/order"])
    text = json.dumps(
        {"__metadata__": {"budgetron": json.dumps(model | {"sha256": "0" * 64})}} | header
    )
    doubled = text[:-1] + f', "machine/order": {entry}}}'
    refused(load, signed(in_a_header(doubled.encode(), arrays)), "repeated")


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
    def nest(model, header, arrays):
        inner = {"class": "Forgetron", "parameters": {}, "learned": None}
        for _ in range(180):
            inner = {
                "class": "RestartingExperts",
                "parameters": {"experts": {"list": [{"learner": inner}]}},
                "learned": None,
            }
        model["learner"] = inner
        header.clear()
        return b""

    refused(load, changed(read("forgetron"), nest), "nested too deeply")


def test_machines_must_learn_alike(load):
    path = "learner/learned/machine/machines/1/kernel/product"
    refused(load, changed(read("one-vs-rest"), set_model(path, 3.0)), "do not learn alike")
