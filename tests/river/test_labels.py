"""Labels of any kind, whenever they appear."""

from datetime import date
from enum import Enum
from itertools import product

import numpy as np
import pytest

from budgetron import river
from budgetron.river.labels import number
from covering import naming
from river_kinds import over_kernel_kinds, over_kinds
from river_learners import (
    dicts,
    knowledge,
    learned,
    small,
    stream,
)

Colour = Enum("Colour", "RED GREEN")

LABELS = {
    "bool": (False, True),
    "numpy bool": (np.False_, np.True_),
    "text": ("ham", "spam"),
    "whole numbers": (7, 3),
    "huge numbers": (2**80, -(2**80)),
    "fractions": (0.5, 1.5),
    "tuples": (("a", 1), ("b", 2)),
    "members": (Colour.RED, Colour.GREEN),
    "dates": (date(2020, 1, 1), date(2021, 1, 1)),
    "a mixture": (1, "one"),
    "sets": (frozenset({1}), frozenset({2})),
    "numbers in texts": ("1", "10"),
    "texts that end in nothing": ("a\0", "a"),
}


@over_kinds
def test_anything_hashable_is_a_label(learner):
    for name, labels in LABELS.items():
        X, y, _ = stream(classes=labels)
        model = learned(small(learner), X, y)
        assert {model.predict_one(x) for x in dicts(X)} <= {*labels}, name
        assert {*model.estimator.classes_.tolist()} == {*labels}, name
        assert model.estimator.n_seen_ == len(y), name


def test_what_is_predicted_is_plain_python():
    X, y, _ = stream(classes=(np.False_, np.True_))
    model = learned(small(river.Forgetron), X, y)
    assert type(model.predict_one({})) is bool


@over_kernel_kinds
def test_the_kind_of_the_labels_has_no_effect(learner):
    X, y, w = stream(classes=(0, 1, 2))
    names = [(0, "a"), (1, "b"), (2, "c")]
    told = learned(small(learner), X, y, w).estimator
    named = learned(small(learner), X, [str(label) for label in y], w).estimator
    assert told.n_updates_ == named.n_updates_
    np.testing.assert_array_equal(told.dual_coef_, named.dual_coef_)
    assert learned(small(learner), X, [names[label] for label in y], w).estimator.n_seen_ == 150


def test_the_order_of_classes_is_that_of_scikit_learn_where_it_has_one():
    for labels in ([3, -1, 2], ["b", "a", "é", "Z"], [True, False], [2.5, -1.0]):
        assert number(labels, []).classes.tolist() == np.unique(labels).tolist()


def test_other_labels_come_last_as_they_appear():
    first = number([(2,), "b", (1,), 3], [])
    assert first.classes.tolist() == [3, "b", (2,), (1,)]
    assert first.codes.tolist() == [2, 1, 3, 0]
    assert first.since.tolist() == [3, 1, 0, 2]
    again = number(["a", (0,)], first.classes.tolist())
    assert again.classes.tolist() == [3, "a", "b", (2,), (1,), (0,)]
    assert again.since.tolist() == [-1, 0, -1, -1, -1, 1]


@over_kinds
def test_nothing_is_predicted_before_anything_is_learned(learner):
    assert small(learner).predict_one({"a": 1.0}) is None
    model = small(learner)
    model.learn_one({"a": 1.0}, "only")
    assert model.predict_one({"a": -1.0}) == "only"


NO_LABELS = [[1], {}, np.ones(2), None, float("nan"), np.float64("nan"), np.datetime64("NaT")]


@over_kinds
def test_what_is_no_label_is_refused(learner):
    X, y, _ = stream(length=20)
    for model, label in product((small(learner), learned(small(learner), X, y)), NO_LABELS):
        before = knowledge(model)
        with naming(label):
            with pytest.raises((TypeError, ValueError)):
                model.learn_one({"a": 1.0, "new": 2.0}, label)
            assert knowledge(model) == before


def test_there_is_an_end_to_classes(monkeypatch):
    monkeypatch.setattr("budgetron.estimators.classes.MOST_CLASSES", 30)
    model = river.Perceptron(kernel="linear", max_features=4)
    for label in range(30):
        model.learn_one({"a": 1.0}, label)
    with pytest.raises(ValueError, match="more than 30"):
        model.learn_one({"new": 1.0}, 30)
    assert "new" not in model._features.columns


@pytest.mark.parametrize("learner", [river.DriftingThreshold, river.RestartingExperts])
def test_a_third_class_is_refused_where_there_can_be_two(learner):
    X, y, _ = stream(length=20)
    model = learned(small(learner), X, y)
    before = knowledge(model)
    with pytest.raises(ValueError, match="Only binary classification"):
        model.learn_one({"a": 1.0, "new": 1.0}, "third")
    assert knowledge(model) == before
    assert not model._multiclass
    assert small(river.Forgetron)._multiclass


@over_kernel_kinds
def test_probabilities_have_to_be_asked_for(learner):
    X, y, _ = stream(length=20)
    for model in (small(learner), learned(small(learner), X, y)):
        with pytest.raises(NotImplementedError, match="probability=True"):
            model.predict_proba_one({"a": 1.0})
    model = learned(small(learner, probability=True), X, y)
    assert sum(model.predict_proba_one({"a": 1.0}).values()) == pytest.approx(1)
    assert small(learner, probability=True).predict_proba_one({}) == {}
