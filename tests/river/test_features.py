"""Names appear and vanish, their order has no effect, and their number is bounded."""

import pickle
import random
import subprocess
import sys
from collections import Counter, OrderedDict, defaultdict
from fractions import Fraction
from itertools import product
from types import MappingProxyType

import numpy as np
import pytest

from budgetron import river
from budgetron.river.feature_index import FeatureIndex, spelled_out
from covering import naming
from river_kinds import over_kernel_kinds, over_kinds
from river_learners import (
    NAMES,
    dicts,
    knowledge,
    learned,
    small,
    stream,
)


def shuffled(x, rng):
    names = [*x]
    rng.shuffle(names)
    return {name: x[name] for name in names}


@over_kinds
def test_the_order_of_names_has_no_effect_to_the_last_bit(learner):
    X, y, w = stream()
    rng = random.Random(0)
    straight, mixed = small(learner), small(learner)
    for x, label, weight in zip(dicts(X), y, w, strict=True):
        assert straight.predict_one(x) == mixed.predict_one(shuffled(x, rng))
        straight.learn_one(x, label, weight)
        mixed.learn_one(shuffled(x, rng), label, weight)
    assert knowledge(straight) == knowledge(mixed)


@over_kernel_kinds
def test_a_missing_name_is_a_zero(learner):
    X, y, _ = stream()
    X[np.random.default_rng(0).random(X.shape) < 0.4] = 0
    full, gaps = small(learner), small(learner)
    full.learn_one(dicts(X)[0], y[0])
    gaps.learn_one(dicts(X)[0], y[0])
    for x, label in zip(dicts(X), y, strict=True):
        thin = {name: value for name, value in x.items() if value}
        assert full.predict_one(x) == gaps.predict_one(thin) == full.predict_one(thin)
        full.learn_one(x, label)
        gaps.learn_one(thin, label)
    supports = [model.estimator.support_vectors_.toarray() for model in (full, gaps)]
    np.testing.assert_array_equal(*supports)


@over_kernel_kinds
def test_a_name_that_is_new_in_prediction_counts_and_is_not_kept(learner):
    X, y, _ = stream(length=40)
    model = learned(small(learner), X, y)
    before = knowledge(model)
    model.predict_one({**dicts(X)[0], "new": 3.0, ("another", 1): 2.0})
    assert knowledge(model) == before
    others = river.FourierGradientDescent, river.Budgetron  # who have more to say than supports
    if model.kernel == "rbf" and learner not in others:
        model.predict_one({"new": 1e3})  # far away from everything
        cache = model.estimator._row_cache()
        assert abs(model.estimator._scores_of_row(cache)[0]) < 1e-9


@pytest.mark.parametrize("bound", [1, 2, 3, 5])
def test_names_beyond_the_bound_share_columns(bound):
    X, y, w = stream()
    rng = random.Random(1)
    one, mixed = (small(river.Forgetron, max_features=bound) for _ in range(2))
    for x, label, weight in zip(dicts(X), y, w, strict=True):
        assert one.predict_one(x) == mixed.predict_one(shuffled(x, rng))
        one.learn_one(x, label, weight)
        mixed.learn_one(shuffled(x, rng), label, weight)
    assert knowledge(one) == knowledge(mixed)
    assert len(one._features.columns) == min(bound, 4)
    assert one.estimator.support_vectors_.shape[1] == bound
    pd = pytest.importorskip("pandas")
    many = small(river.Forgetron, max_features=bound)
    many.learn_many(pd.DataFrame(X, columns=NAMES), pd.Series(y), pd.Series(w))
    assert (many.estimator.support_vectors_ != one.estimator.support_vectors_).nnz == 0


def test_values_that_share_a_column_are_added():
    index = FeatureIndex(1, missing=False)
    layout = index.read({"a": 1.5, "b": 2.0, "c": -0.5})
    assert layout.columns.tolist() == [0]
    assert layout.row.tolist() == [3.0]


def test_memory_is_bounded_whatever_names_come():
    model = river.RandomizedBudgetPerceptron(budget=5, max_features=50, seed=0)
    for i in range(400):
        model.learn_one({f"name {i}": 1.0, f"other {i % 7}": 0.5}, i % 3 == 0)
    before = len(pickle.dumps(model))
    for i in range(400, 4000):
        model.learn_one({f"name {i}": 1.0, f"other {i % 7}": 0.5}, i % 3 == 0)
    assert len(model._features.columns) == 50
    assert len(pickle.dumps(model)) < 1.1 * before


def test_wide_rows_come_and_go():
    model = river.Forgetron(budget=5, seed=0)
    for i in range(60):
        model.learn_one({f"name {j}": 1.0 + j for j in range(1 if i % 2 else 300)}, i % 3 == 0)
        model.predict_one({f"name {j}": 1.0 + j for j in range(700)})
    assert model.estimator.n_seen_ == 60


def test_the_hash_of_a_name_is_the_same_in_every_process(capsys):
    names = "['a', ('b', 1), 2, 2.5, None, 'ü', '']"
    script = (
        "from budgetron.river.feature_index import FeatureIndex as F\n"
        f"i = F(1000); print([i._column(name, {{}}) for name in {names}])"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": ":".join(sys.path)},
    )
    exec(script, {})  # names have other hashes here
    assert capsys.readouterr().out == elsewhere.stdout


def test_equal_names_are_spelled_alike():
    assert spelled_out(1) == spelled_out(1.0) == spelled_out(True) != spelled_out("1")
    assert spelled_out((1, "a")) == spelled_out((1.0, "a"))


@pytest.mark.parametrize("kind", [OrderedDict, Counter, MappingProxyType])
def test_any_mapping_is_a_row(kind):
    X, y, _ = stream(length=30)
    model = learned(small(river.Forgetron), X, y)
    x = {"d": 1.0, "a": 2.0}
    assert model.predict_one(kind(x)) == model.predict_one(x)


def test_a_row_with_a_default_is_not_changed():
    X, y, _ = stream(length=30)
    model = learned(small(river.Forgetron), X, y)
    x = defaultdict(float, {"a": 1.0, "b": 0.0, "e": 2.0, "f": 1.0})
    model.predict_one(x)
    model.learn_one(x, True)
    assert [*x] == ["a", "b", "e", "f"]


NUMBERS = [1, True, np.float32(1), np.int8(1), np.uint64(1), np.bool_(True), Fraction(1), 1.0]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: type(number).__name__)
def test_all_real_numbers_are_values(number):
    X, y, _ = stream(length=30)
    model, other = (learned(small(river.Forgetron), X, y) for _ in range(2))
    model.learn_one({"a": number, "new": number}, True)
    other.learn_one({"a": 1.0, "new": 1.0}, True)
    assert knowledge(model) == knowledge(other)
    assert model.predict_one({"c": number}) == other.predict_one({"c": 1.0})


BAD = {
    "text": "1.5",
    "numpy text": np.str_("1.5"),
    "bytes": b"1",
    "None": None,
    "list": [1.0],
    "dict": {},
    "complex": 1j,
    "numpy complex": np.complex128(1),
    "array": np.ones(1),
    "0-d array": np.array(1.0),
    "duration": np.timedelta64(3),
    "NaN": float("nan"),
    "infinity": float("inf"),
    "-infinity": -np.inf,
    "huge": 1e200,
    "huge int": 10**400,
    "huge fraction": Fraction(10**400),
}


def two(learner):
    """A new learner, and one that has learned."""
    X, y, _ = stream(length=20)
    return small(learner), learned(small(learner), X, y)


@over_kinds
def test_what_is_no_number_is_refused_and_changes_nothing(learner):
    for model, name in product(two(learner), BAD):
        if learner is river.DriftingThreshold and name == "huge":
            continue  # it has no kernel that it would be too large for
        bad, before = {"new": 1.0, "a": BAD[name], "b": 1.0}, knowledge(model)
        with naming(name):
            for label in (True, False, "new label"):
                with pytest.raises((TypeError, ValueError)):
                    model.learn_one(bad, label)
            if model.predict_one({}) is not None:
                with pytest.raises((TypeError, ValueError)):
                    model.predict_one(bad)
            assert knowledge(model) == before


def test_a_scaler_that_knows_nothing_yet_may_predict():
    assert river.Forgetron().predict_one({"a": np.nan}) is None
    with pytest.raises(TypeError, match="'a' must be a number, got str"):
        river.Forgetron().predict_one({"a": "1"})


@over_kinds
def test_what_is_no_row_is_refused(learner):
    for model, row in product(two(learner), [None, [1.0, 2.0], (1.0,), "text", 3.0, np.ones(4)]):
        before = knowledge(model)
        with naming(row):
            with pytest.raises(TypeError, match="a row must be a dict"):
                model.learn_one(row, True)
            with pytest.raises(TypeError, match="a row must be a dict"):
                model.predict_one(row)
            assert knowledge(model) == before


@over_kinds
def test_what_is_no_weight_is_refused(learner):
    for model, weight in product(two(learner), [-1.0, np.nan, np.inf, "1", None, 1j, [1.0]]):
        before = knowledge(model)
        with naming(weight):
            for label in (True, "new label"):
                with pytest.raises((TypeError, ValueError)):
                    model.learn_one({"a": 1.0, "new": 1.0}, label, weight)
            assert knowledge(model) == before


@over_kernel_kinds
def test_rows_without_names_are_zeros(learner):
    model = small(learner)
    for label in [True, False, True, False]:
        model.learn_one({}, label)
        assert model.predict_one({}) in {True, False}
    assert model.estimator.n_seen_ == 4


def test_a_first_row_of_zeros_counts_its_names():
    model = river.RandomizedBudgetPerceptron(seed=0)
    model.learn_one(dict.fromkeys(NAMES, 0.0), True)
    assert model.estimator._learner.kernel.norms == pytest.approx(-1 / 4)


def test_a_threshold_is_on_the_only_feature_or_on_the_one_that_is_named():
    model = river.DriftingThreshold()
    with pytest.raises(ValueError, match="say feature="):
        model.learn_one({"a": 0.1, "b": 0.2}, True)
    model.learn_one({"b": 0.9}, True)
    model.learn_one({}, False)
    assert [model.predict_one({"b": b}) for b in (0.9, 0.0)] == [True, False]
    with pytest.raises(ValueError, match="say feature="):
        model.predict_one({"a": 0.1})
    model = river.DriftingThreshold(feature="b")
    model.learn_one({"a": "not looked at", "b": 0.9}, True)
    assert model.estimator.n_seen_ == 1


@pytest.mark.parametrize("bound", [0, -1, 2.5, "9", None])
def test_the_bound_is_a_whole_number(bound):
    with pytest.raises((TypeError, ValueError), match="max_features"):
        river.Forgetron(max_features=bound)
