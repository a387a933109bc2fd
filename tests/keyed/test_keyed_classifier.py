"""Learners behind keys do what each would do alone, whatever comes between."""

import hashlib
import os
import pickle
import random
import threading
from copy import deepcopy
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import SGDClassifier

import budgetron
from budgetron import Budgetron, Forgetron, RandomizedBudgetPerceptron, Trace, prequential
from budgetron.keyed import KeyedClassifier, classifier, load, loads
from budgetron.keyed.batch import Groups
from budgetron.saving import SavedModelError
from covering import naming
from faults.interrupts import interrupted_at, lines_of

RNG = np.random.default_rng(0)
LENGTH, KEYS = 600, 12
X = RNG.normal(size=(LENGTH, 3))
KEY = RNG.integers(0, KEYS, LENGTH)
Y = np.where(X[:, 0] * (-1) ** KEY + X[:, 1] ** 2 > 0.3, "yes", "no")
MANY = np.where(X[:, 2] > 0.8, "maybe", Y)
CLASSES = ["no", "yes"]

LEARNERS = [
    Forgetron(budget=6),
    RandomizedBudgetPerceptron(budget=4, random_state=3),
    budgetron.Projectron(budget=6, probability=True),
    budgetron.RandomizedBudgetPerceptron(budget=4, class_weight="balanced", random_state=1),
    Budgetron(budget=6),
    budgetron.RestartingExperts(random_state=2),
]


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch):
    monkeypatch.setattr(classifier, "AT_ONCE", 2)


def storages(tmp_path):
    return {}, {"live": 3}, {"live": 3, "evict": tmp_path / "shelf"}


def in_pieces(keyed, y, classes, rng):
    """The trace of the stream, cut at random, with the classifier saved in between."""
    cuts, traces = sorted({0, *rng.sample(range(1, LENGTH), 5), LENGTH}), []
    for first, last in pairwise(cuts):
        here = slice(first, last)
        traces.append(keyed.trace(X[here], y[here], classes, keys=KEY[here]))
        if rng.random() < 0.3:
            keyed = loads(keyed.dumps(), evict=keyed.evict)
    return keyed, Trace.joined(traces)


@pytest.mark.parametrize("estimator", LEARNERS, ids=lambda it: type(it).__name__)
def test_each_key_is_as_if_it_were_alone(estimator, tmp_path):
    rng = random.Random(str(estimator))
    for options in storages(tmp_path):
        keyed, trace = in_pieces(KeyedClassifier(estimator, **options), Y, CLASSES, rng)
        for key in range(KEYS):
            at = np.flatnonzero(key == KEY)
            alone = keyed.new_learner(key)
            own = prequential(alone, X[at], Y[at], CLASSES)
            with naming(f"{options} {key}"):
                for name in ("predictions", "mistakes", "updates", "sizes", "evicted"):
                    assert np.array_equal(getattr(own, name), getattr(trace, name)[at]), name
                assert trace.scores[at] == pytest.approx(own.scores, rel=1e-9, abs=1e-11)
                learner = keyed.learner(key)
                assert learner.n_mistakes_ == alone.n_mistakes_
                assert np.array_equal(learner.predict(X), alone.predict(X))
                if type(estimator) in (Forgetron, RandomizedBudgetPerceptron):
                    assert learner.dumps() == alone.dumps()
        assert keyed.n_mistakes_ == trace.mistakes.sum() and keyed.n_seen_ == LENGTH


def test_more_than_two_classes_have_a_column_each():
    keyed = KeyedClassifier(Forgetron(budget=6, probability=True))
    trace = keyed.trace(X, MANY, keys=KEY)
    assert trace.scores.shape == trace.probabilities.shape == (LENGTH, 3)
    for key in range(KEYS):
        at = np.flatnonzero(key == KEY)
        alone = prequential(keyed.new_learner(key), X[at], MANY[at])
        columns = np.searchsorted(trace.classes, alone.classes)
        assert np.array_equal(alone.predictions, trace.predictions[at])
        assert trace.scores[at][:, columns] == pytest.approx(alone.scores, abs=1e-11)
    assert keyed.decision_function(X, keys=KEY).shape == (LENGTH, 3)
    assert keyed.predict_proba(X, keys=KEY).sum(axis=1) == pytest.approx(1)


def test_the_whole_has_the_same_bytes_however_the_stream_is_cut(tmp_path):
    whole = KeyedClassifier(Forgetron(budget=6, random_state=0)).partial_fit(
        X, Y, CLASSES, keys=KEY
    )
    for seed in range(5):
        for options in storages(tmp_path):
            other, _ = in_pieces(
                KeyedClassifier(Forgetron(budget=6, random_state=0), **options),
                Y,
                CLASSES,
                random.Random(seed),
            )
            other.live, other.evict = whole.live, whole.evict
            assert other.dumps() == whole.dumps()


def test_prequential_and_frames_of_every_library():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.insert(1, "shop", [f"shop {key}" for key in KEY])
    others = pl.from_pandas(frame), pa.Table.from_pandas(frame)
    first = KeyedClassifier(Forgetron(random_state=0), key="shop")
    trace = prequential(first, frame, Y, CLASSES)
    assert first.feature_names_in_.tolist() == ["a", "b", "c"]
    for table in others:
        keyed = KeyedClassifier(Forgetron(random_state=0), key="shop").partial_fit(
            table, Y, CLASSES
        )
        assert keyed.dumps() == first.dumps()
        assert np.array_equal(keyed.predict(table), first.predict(frame))
    assert trace.mistakes.sum() == first.n_mistakes_
    with pytest.raises(ValueError, match="feature names"):
        first.predict(frame.rename(columns={"a": "z"}))
    assert prequential(clone(first), frame, Y, CLASSES, progress=True).mistakes.sum() > 0


def test_keys_in_a_column_of_numbers_or_of_a_sparse_matrix():
    table = np.column_stack([X[:, :1], KEY, X[:, 1:]])
    apart = KeyedClassifier(Forgetron()).partial_fit(X, Y, CLASSES, keys=KEY)
    inside = KeyedClassifier(Forgetron(), key=1).partial_fit(table, Y, CLASSES)
    assert np.array_equal(inside.predict(table), apart.predict(X, keys=KEY))
    assert inside.keys_ == apart.keys_ == sorted(set(KEY.tolist()))
    rows = KeyedClassifier(Forgetron(), key=1).partial_fit(sparse.csr_array(table), Y, CLASSES)
    assert rows.n_mistakes_ == apart.n_mistakes_


def test_single_rows(tmp_path):
    for options in storages(tmp_path):
        together = KeyedClassifier(Forgetron(budget=6, random_state=0)).partial_fit(
            X, Y, CLASSES, keys=KEY
        )
        alone = KeyedClassifier(Forgetron(budget=6, random_state=0), **options)
        alone.partial_fit(X[:1], Y[:1], CLASSES, keys=KEY[:1])
        for x, label, key in zip(X[1:], Y[1:], KEY[1:], strict=True):
            alone.learn_one(x, label, key)
        alone.live, alone.evict = None, None
        assert alone.dumps() == together.dumps()
        assert [alone.predict_one(x, k) for x, k in zip(X[:9], KEY[:9], strict=True)] == (
            together.predict(X[:9], keys=KEY[:9]).tolist()
        )


def test_a_key_that_nobody_knows_is_as_a_learner_that_has_seen_nothing():
    keyed = KeyedClassifier(Forgetron(probability=True)).partial_fit(X, Y, CLASSES, keys=KEY)
    assert keyed.predict(X[:1], keys=["?"]).tolist() == ["yes"] == [keyed.predict_one(X[0], "?")]
    assert keyed.decision_function(X[:1], keys=["?"]).tolist() == [0]
    assert keyed.predict_proba(X[:1], keys=["?"]).tolist() == [[0.5, 0.5]]
    assert "?" not in keyed.keys_
    with pytest.raises(KeyError):
        keyed.learner("?")


def test_prediction_changes_nothing(tmp_path):
    keyed = KeyedClassifier(Forgetron(), live=2, evict=tmp_path).partial_fit(X, Y, keys=KEY)
    data, live = keyed.dumps(), keyed.n_live_
    keyed.predict(X, keys=KEY), keyed.decision_function(X, keys=KEY), keyed.predict_one(X[0], 1)
    assert keyed.dumps() == data and keyed.n_live_ == live == 2


BAD = {
    "no key": ({"keys": None}, "there are no keys"),
    "a missing key": ({"keys": [None] * 5}, "key is missing"),
    "another missing key": ({"keys": [1, 2, 3, pd.NA, 5]}, "key is missing"),
    "a NaN key": ({"keys": [1, 2, 3, np.nan, 5]}, "key is missing"),
    "a key that is none": ({"keys": [1.5] * 5}, "whole number or a string"),
    "a key that may be rounded": ({"keys": [1, 2, 3, 2.0**53, 5]}, "may be rounded"),
    "a float32 key": ({"keys": np.float32([1, 2, 3, 2**24 + 1, 5])}, "may be rounded"),
    "a key of too many digits": ({"keys": [1, 2, -(10**5000), 4, 5]}, "more than 600 digits"),
    "too few keys": ({"keys": [1, 2]}, "2 keys for 5 rows"),
    "keys in two columns": ({"keys": np.ones((5, 2))}, "one for each row"),
    "keys in a frame": ({"keys": pd.DataFrame({"key": [1, 2, 3, 4, 5]})}, "one for each row"),
    "keys in another frame": ({"keys": pl.DataFrame({"key": [1] * 5})}, "one for each row"),
    "keys in one string": ({"keys": "abcde"}, "one for each row"),
    "keys in one number": ({"keys": 5}, "one for each row"),
    "keys without an order": ({"keys": {1, 2, 3, 4, 5}}, "one for each row"),
    "another width": ({"X": np.ones((5, 2))}, "features"),
    "NaN": ({"X": np.full((5, 3), np.nan)}, "NaN"),
    "an unknown label": ({"y": ["no", "yes", "no", "maybe", "no"]}, "'maybe' is not one of"),
    "labels of another kind": ({"y": [1, 2, 3, 4, 5]}, "not one of"),
    "too few labels": ({"y": ["no"]}, "inconsistent"),
    "a negative weight": ({"sample_weight": -np.ones(5)}, "Negative"),
    "rows that are too large": ({"X": np.full((5, 3), 1e200)}, "too large"),
}


@pytest.mark.parametrize(("change", "why"), BAD.values(), ids=BAD)
def test_bad_input_changes_nothing(change, why):
    new, keyed = (KeyedClassifier(Forgetron(budget=5)) for _ in range(2))
    keyed.partial_fit(X, Y, CLASSES, keys=KEY)
    before = keyed.dumps()
    good = {"X": X[:5], "y": Y[:5], "keys": [3, 3, 4, 5, "new"]}
    both = ((keyed, None), (new, CLASSES))
    for each, classes in both[: 1 if why == "features" else 2]:
        with pytest.raises(ValueError, match=why):
            each.partial_fit(**good | change, classes=classes)
    assert keyed.dumps() == before and not hasattr(new, "classes_")


def test_wrong_columns_and_parameters_are_told():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for keyed, table, why in (
        (KeyedClassifier(Forgetron(random_state=0), key="shop"), frame, "no column 'shop'"),
        (KeyedClassifier(Forgetron(random_state=0), key="shop"), X, "has no names"),
        (KeyedClassifier(Forgetron(), key=1), frame, "columns have names"),
        (KeyedClassifier(Forgetron(), key="0"), pd.DataFrame(X), "no column '0'"),
        (KeyedClassifier(Forgetron(), key="a"), frame[["a", "a", "b"]], "one for each row"),
        (KeyedClassifier(Forgetron(), key=7), X, "no column 7"),
        (KeyedClassifier(Forgetron(), key=0, live=0), X, "live must be at least 1"),
    ):
        with pytest.raises(ValueError, match=why):
            keyed.partial_fit(table, Y)
    own_kernel = KeyedClassifier(Forgetron(kernel=lambda A, B: A @ B.T), live=3)
    with pytest.raises(SavedModelError, match="kernel cannot be saved"):
        own_kernel.partial_fit(X, Y, keys=KEY)
    assert own_kernel.set_params(live=None).partial_fit(X, Y, keys=KEY).n_seen_ == LENGTH
    for estimator in (SGDClassifier(), budgetron.WhitenedPerceptron(), "Forgetron"):
        with pytest.raises(TypeError, match="must be a learner of this package"):
            KeyedClassifier(estimator).partial_fit(X, Y, keys=KEY)
    with pytest.raises(TypeError, match="name or the number of a column, got True"):
        KeyedClassifier(Forgetron(), key=True).partial_fit(X, Y)
    with pytest.raises(NotFittedError):
        KeyedClassifier(Forgetron()).predict(X, keys=KEY)
    with pytest.raises(ValueError, match="when its row is predicted, or never"):
        prequential(KeyedClassifier(Forgetron(), key=0), X.round(), Y, delay=2)
    with pytest.raises(TypeError, match="no certificate"):
        prequential(KeyedClassifier(Forgetron(), key=0), X.round(), Y, certify=True)


def test_rows_without_a_label_are_only_predicted():
    times = np.where(np.arange(LENGTH) % 3 == 0, np.inf, np.arange(LENGTH))
    keyed = KeyedClassifier(Forgetron(budget=6, random_state=0))
    trace = keyed.trace(X, Y, CLASSES, keys=KEY, delay=times)
    assert keyed.n_seen_ == np.isfinite(times).sum()
    for key in range(KEYS):
        at = np.flatnonzero(key == KEY)
        own = np.where(np.isfinite(times[at]), np.arange(len(at)), np.inf)
        alone = prequential(keyed.new_learner(key), X[at], Y[at], CLASSES, delay=own)
        assert np.array_equal(alone.predictions, trace.predictions[at])


def test_who_is_forgotten_begins_anew():
    keyed = KeyedClassifier(Forgetron(), live=2, evict="forget")
    for key in (1, 2, 3, 1):
        keyed.partial_fit(X[:5], Y[:5], CLASSES, keys=[key] * 5)
    assert keyed.keys_ == [1, 3] and keyed.learner(1).n_seen_ == 5


def test_copies_of_learners_that_are_forgotten_are_whole():
    keyed = KeyedClassifier(Forgetron(), live=4, evict="forget")
    keyed.partial_fit(X, Y, CLASSES, keys=KEY)
    for other in (deepcopy(keyed), pickle.loads(pickle.dumps(keyed))):
        assert other.dumps() == keyed.dumps() and other.n_live_ == 4
    whole = KeyedClassifier(Forgetron(), live=4).partial_fit(X, Y, CLASSES, keys=KEY)
    kept = loads(whole.dumps(), evict="forget")
    assert kept.keys_ == keyed.keys_  # whoever learned last


def test_the_shelf_is_there_as_long_as_the_process_is(tmp_path):
    """Whoever kills it: its file has no name."""
    keyed = KeyedClassifier(Forgetron(), live=2, evict=tmp_path).partial_fit(X, Y, keys=KEY)
    other = deepcopy(keyed)
    assert [*tmp_path.iterdir()] == []
    assert min(keyed.bytes_on_disk_, other.bytes_on_disk_) >= 4096
    del keyed
    assert len(other) == KEYS


def test_a_shelf_is_of_one_process(tmp_path, monkeypatch):
    keyed = KeyedClassifier(Forgetron(), live=2, evict=tmp_path).partial_fit(X, Y, keys=KEY)
    before = keyed.dumps()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: 1)  # as if forked
        with pytest.raises(OSError, match="for another process: pickle them"):
            keyed.partial_fit(X, Y, keys=KEY)
    assert keyed.dumps() == before


def test_a_full_disk_loses_nobody(tmp_path, monkeypatch):
    """A batch has been learned, if its learners cannot be put away."""
    monkeypatch.setattr(classifier, "AT_ONCE", 1000)
    keyed = KeyedClassifier(Forgetron(budget=6, random_state=0), live=2, evict=tmp_path)
    keyed.partial_fit(X[:30], Y[:30], CLASSES, keys=KEY[:30])
    shelf = keyed._learned.learners._shelf
    shelf._connection.execute(f"PRAGMA max_page_count = {shelf.bytes_on_disk // 4096}")
    with pytest.raises(OSError, match="database or disk is full"):
        keyed.partial_fit(X[30:], Y[30:], keys=KEY[30:])
    whole = KeyedClassifier(Forgetron(budget=6, random_state=0), live=2)
    assert len(keyed) == KEYS
    assert keyed.dumps() == whole.partial_fit(X, Y, CLASSES, keys=KEY).dumps()
    shelf._connection.execute("PRAGMA max_page_count = 1000000")
    keyed.learn_one(X[0], Y[0], 0)
    assert keyed.n_live_ == 2 and len(keyed) == KEYS


@pytest.mark.parametrize("evict", [None, "shelf"])
def test_an_interrupt_on_the_way_to_the_shelf_counts_nobody_twice(evict, tmp_path):
    def crowded():
        keyed = KeyedClassifier(
            Forgetron(budget=6, random_state=0), live=50, evict=evict and tmp_path
        )
        keyed.partial_fit(X[:20], Y[:20], CLASSES, keys=KEY[:20])
        keyed._learned.learners.live = 3
        return keyed

    before, lines = crowded().dumps(), lines_of(crowded()._learned.learners.rest)
    for line in range(lines - 30, lines + 1):
        keyed = crowded()
        with naming(line):
            assert interrupted_at(line, keyed._learned.learners.rest)
            assert keyed.dumps() == before and len(loads(before)) == len(keyed)


def test_saved_pickled_and_copied(tmp_path):
    keyed = KeyedClassifier(Budgetron(budget=6), live=4).partial_fit(
        X[:300], Y[:300], CLASSES, keys=KEY[:300]
    )
    keyed.save(tmp_path / "keyed")
    others = [load(tmp_path / "keyed"), loads(keyed.dumps()), deepcopy(keyed)]
    others += [pickle.loads(pickle.dumps(keyed)), load(tmp_path / "keyed", evict=tmp_path)]
    for each in (keyed, *others):
        each.partial_fit(X[300:], Y[300:], keys=KEY[300:])
    assert {each.dumps() for each in others} == {keyed.dumps()}
    assert loads(KeyedClassifier(Forgetron(), key="k").dumps()).key == "k"


def test_bytes_do_not_depend_on_what_has_been_saved_in_between():
    table = np.column_stack([KEY, X])
    for state in (None, 0, np.random.RandomState(3)):
        learner = RandomizedBudgetPerceptron(budget=3, random_state=state)
        keyed = KeyedClassifier(learner, key=np.int64(0), live=np.int64(5)).partial_fit(table, Y)
        again = loads(keyed.dumps())
        assert again.dumps() == keyed.dumps() and (again.key, again.live) == (0, 5)
        assert again.new_learner("new").random_state == keyed.new_learner("new").random_state


def test_parameters_that_change_later():
    """Learners go on as they began, here and wherever they are loaded; `live` counts at once."""
    keyed = KeyedClassifier(Forgetron(budget=6)).partial_fit(X, Y, CLASSES, keys=KEY)
    keyed.set_params(estimator__budget=3)
    for other in (keyed, loads(keyed.dumps()), deepcopy(keyed)):
        other.partial_fit(X, Y, keys=["new"] * LENGTH)
        assert other.learner("new").budget == 6
    keyed.set_params(estimator=budgetron.Perceptron())
    assert np.array_equal(deepcopy(keyed).predict(X, keys=KEY), keyed.predict(X, keys=KEY))
    assert keyed.set_params(live=2).partial_fit(X, Y, keys=KEY).n_live_ == 2
    before = keyed.dumps()
    for call in (keyed.dumps, partial(keyed.partial_fit, X, Y, keys=KEY)):
        keyed.set_params(live="many")
        with pytest.raises(TypeError, match="live must be a whole number"):
            call()
    assert keyed.set_params(live=2).dumps() == before
    assert keyed.fit(X, Y, keys=KEY).learner(0).dual_coef_.size > 6


def test_damaged_bytes_are_refused():
    data = KeyedClassifier(Forgetron(budget=3)).partial_fit(X[:40], Y[:40], keys=KEY[:40]).dumps()
    rng = random.Random(0)
    for length in rng.sample(range(len(data)), 40):
        with pytest.raises(SavedModelError):
            loads(data[:length])
    for place in rng.sample(range(len(data)), 200):
        with pytest.raises(SavedModelError):
            loads(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
    at, other = data.index(b"#1") + 1, b"0"
    with pytest.raises(SavedModelError, match="a key is repeated, or not in its place"):
        loads(data[:at] + other + data[at + 1 :])
    with pytest.raises(SavedModelError, match="not a saved model"):
        budgetron.loads(data)
    with pytest.raises(SavedModelError, match="no saved learners behind keys"):
        loads(Forgetron().dumps())
    with pytest.raises(TypeError):
        loads("keyed")


@pytest.mark.parametrize("live", [None, 4])
@pytest.mark.parametrize(
    ("other", "why"),
    [
        (Forgetron(), "of another kind"),
        (Forgetron().fit(X[:, :2], Y), "of another kind"),
        (budgetron.Perceptron().fit(X, Y), "of another kind"),
        (Forgetron().fit(X, MANY), "of other classes"),
    ],
    ids=["unfitted", "narrow", "Perceptron", "of more classes"],
)
def test_a_learner_of_another_kind_is_told_when_it_is_read(other, why, live):
    """Whoever puts it there can also make the checksum."""
    keyed = KeyedClassifier(Forgetron(), live=live).partial_fit(X, Y, CLASSES, keys=KEY)
    kept = [*keyed._learned.learners.kept()]
    data, own = keyed.dumps()[:-32], kept[3][1].data
    place = data.index(own)
    body = data[: place - 8] + len(other.dumps()).to_bytes(8, "little") + other.dumps()
    body += data[place + len(own) :]
    with pytest.raises(SavedModelError, match=f"behind the key 11 is a learner {why}"):
        loads(body + hashlib.sha256(body).digest()).predict(X, keys=KEY)


@pytest.mark.parametrize("live", [None, 4])
@pytest.mark.parametrize(
    "estimator",
    [Forgetron(budget=6, random_state=0), Budgetron(budget=6, gamma=1.0, random_state=0)],
    ids=["Forgetron", "Budgetron"],
)
def test_an_interrupt_leaves_whole_batches(estimator, live):
    some = slice(150)
    before = KeyedClassifier(estimator, live=live).partial_fit(X, Y, CLASSES, keys=KEY).dumps()
    states, after = {before}, loads(before)
    for here in Groups.stretches(KEY[some].tolist(), live or KEYS):
        after.partial_fit(X[here], Y[here], keys=KEY[here])
        states.add(after.dumps())

    def go_on(keyed):
        keyed.partial_fit(X[some], Y[some], keys=KEY[some])

    lines = lines_of(partial(go_on, loads(before)))
    for line in random.Random(0).sample(range(1, lines + 1), 25):
        keyed = loads(before)
        assert interrupted_at(line, partial(go_on, keyed))
        assert keyed.dumps() in states
        if keyed.dumps() == before:
            go_on(keyed)
            assert keyed.dumps() == after.dumps()


@pytest.mark.parametrize("live", [None, 4])
def test_an_interrupt_leaves_a_single_row_learned_or_not(live):
    keyed = KeyedClassifier(Forgetron(budget=6, random_state=0), live=live)
    before = keyed.partial_fit(X, Y, CLASSES, keys=KEY).dumps()
    for key in (KEY[-1].item(), "new"):
        learn = [loads(before).learn_one, X[0], "no", key]
        lines, after = lines_of(partial(*learn)), loads(before).learn_one(*learn[1:]).dumps()
        for line in random.Random(0).sample(range(1, lines + 1), 40):
            other = loads(before)
            assert other.predict_one(X[0], key) in CLASSES
            if interrupted_at(line, partial(other.learn_one, *learn[1:])):
                with naming(f"{key} {line}"):
                    assert other.dumps() in (before, after)
                    assert other.n_seen_ == LENGTH + (other.dumps() == after)


def test_a_row_that_no_learner_takes_leaves_all_as_they_were():
    keyed = KeyedClassifier(Forgetron(kernel="linear", budget=6, random_state=0))
    keyed.partial_fit(X, Y, CLASSES, keys=KEY)
    before, absurd = keyed.dumps(), X[:100].copy()
    absurd[-1] = 1e200
    with pytest.raises(ValueError, match="too large"):
        keyed.partial_fit(absurd, Y[:100], keys=KEY[:100])
    assert keyed.dumps() == before


def test_threads_see_whole_batches():
    keyed = KeyedClassifier(Forgetron(budget=6, random_state=0)).partial_fit(
        X[:1], Y[:1], CLASSES, keys=[0]
    )
    wrong, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            seen = keyed.n_seen_
            if (seen - 1) % 100:
                wrong.append(seen)
            keyed.predict(X[:20], keys=KEY[:20])
            loads(keyed.dumps())

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for first in range(0, LENGTH, 100):
        here = slice(first, first + 100)
        keyed.partial_fit(X[here], Y[here], keys=KEY[here])
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong


def test_metrics_of_each_key():
    keyed = KeyedClassifier(Forgetron(), live=3)
    trace = keyed.trace(X, Y, CLASSES, keys=KEY)
    told = keyed.metrics()
    for key in range(KEYS):
        at = key == KEY
        assert told[key]["rows"] == at.sum() and told[key]["mistakes"] == trace.mistakes[at].sum()
    assert [*keyed.metrics(keys=[2])] == [2]
    errors = {key: it["error"] for key, it in told.items()}
    found = keyed.extremes(3)
    assert [errors[key] for key in found["worst"]] == sorted(errors.values())[: -3 - 1 : -1]
    assert [errors[key] for key in found["best"]] == sorted(errors.values())[:3]
    assert [*keyed.extremes(1, rows=LENGTH)["worst"]] == []


def test_fit_forgets_and_clones_share_nothing():
    keyed = KeyedClassifier(Forgetron(), key=None).partial_fit(X, Y, keys=KEY)
    keyed.fit(X[:50], Y[:50], keys=["a"] * 50)
    assert keyed.keys_ == ["a"] and len(keyed) == 1
    assert not hasattr(clone(keyed), "classes_")


def test_seeds_are_of_the_key_and_the_random_state():
    first = KeyedClassifier(RandomizedBudgetPerceptron(budget=3, random_state=1))
    seeds = {key: first.new_learner(key).random_state for key in (1, "1", 2)}
    assert len({*seeds.values()}) == 3
    assert clone(first).new_learner(2).random_state == seeds[2]
    other = KeyedClassifier(RandomizedBudgetPerceptron(budget=3, random_state=2))
    assert other.new_learner(2).random_state != seeds[2]
