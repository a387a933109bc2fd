"""Classes: of any type, given or found, two at most."""

import numpy as np
import pytest

from budgetron import Perceptron, prequential
from estimators.learners import over_kinds, small, stream

X, y = stream()

LABELS = {
    "signs": np.array([-1, 1]),
    "zero and one": np.array([0, 1]),
    "bytes": np.array([3, 7], np.uint8),
    "floats": np.array([-1.0, 1.0]),
    "strings": np.array(["ham", "spam"]),
    "objects": np.array(["ham", "spam"], object),
    "bools": np.array([False, True]),
}
over_labels = pytest.mark.parametrize("classes", LABELS.values(), ids=LABELS)


@over_labels
def test_classes_may_be_of_any_type(classes):
    labels = classes[(y > 0).astype(int)]
    model, by_sign = Perceptron().fit(X, labels), Perceptron().fit(X, y)
    np.testing.assert_array_equal(model.classes_, classes)
    np.testing.assert_array_equal(model.dual_coef_, by_sign.dual_coef_)
    np.testing.assert_array_equal(model.predict(X), classes[(by_sign.predict(X) > 0).astype(int)])


@over_labels
def test_predictions_have_the_type_of_the_classes(classes):
    labels = classes[(y > 0).astype(int)]
    model = Perceptron().fit(X, labels)
    assert model.classes_.dtype == classes.dtype
    assert model.predict(X).dtype == classes.dtype


@over_labels
def test_a_trace_predicts_in_the_type_of_the_classes(classes):
    labels = classes[(y > 0).astype(int)]
    trace = prequential(Perceptron(), X, labels)
    np.testing.assert_array_equal(trace.predictions != labels, trace.mistakes)


@over_kinds
def test_the_second_class_is_the_positive_one(learner):
    model = small(learner).fit(X, np.where(y > 0, "a", "b"))
    assert model.classes_.tolist() == ["a", "b"]
    assert (model.predict(X)[model.decision_function(X) > 0] == "b").all()


@over_kinds
def test_classes_given_at_the_first_call_may_come_later(learner):
    model = small(learner).partial_fit(X[y > 0][:5], y[y > 0][:5], classes=[1, -1])
    assert model.classes_.tolist() == [-1, 1]
    model.partial_fit(X[y < 0], y[y < 0])
    assert model.n_seen_ == 5 + (y < 0).sum()


def test_classes_may_be_repeated_at_later_calls():
    model = Perceptron().partial_fit(X[:9], y[:9], classes=[-1, 1])
    assert model.partial_fit(X[9:], y[9:], classes=[-1, 1]).n_seen_ == len(y)


@over_kinds
def test_a_single_class_is_learned_and_predicted(learner):
    model = small(learner).fit(X, np.full(len(y), "only"))
    assert model.classes_.tolist() == ["only"]
    assert set(model.predict(X)) == {"only"}
