"""A row at a time, without validation by scikit-learn: the same learner."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from budgetron import Forgetron, Perceptron, RandomizedBudgetPerceptron
from budgetron.engine import SingleRow
from estimators.learners import facts, over_kinds, over_learners, over_storages, small, stream

X, y = stream()
THREE = np.where(X[:, 2] > 0.8, 3, y)


@over_learners
def test_single_rows_teach_what_a_batch_teaches(learner):
    assert_rows_teach_what_a_batch_teaches(learner, np.asarray, "float64")


@over_kinds
def test_single_sparse_rows_teach_what_a_batch_teaches(learner):
    assert_rows_teach_what_a_batch_teaches(learner, sparse.csr_array, "float64")


@over_storages
def test_a_full_learner_is_made_ready_for_single_rows_once(storage, monkeypatch):
    model = RandomizedBudgetPerceptron(budget=20, random_state=0)
    model.partial_fit(storage(X[:1]), y[:1])
    for x, label in zip(X, np.roll(y, 1), strict=True):
        model.learn_one(x, label)
    assert model.dual_coef_.size == 20
    calls, prepare = [], SingleRow._prepare
    monkeypatch.setattr(SingleRow, "_prepare", lambda row: (calls.append(row), prepare(row)))
    before = model.n_updates_
    for x, label in zip(X, np.roll(y, 2), strict=True):
        model.learn_one(x, label)
    assert model.n_updates_ > before + 40  # more than fit into the pool of sparse rows
    assert len(calls) <= 1  # the pool may have to grow once more


@over_storages
def test_single_rows_in_float32_teach_what_a_batch_teaches(storage):
    assert_rows_teach_what_a_batch_teaches(Forgetron, storage, "float32")


def assert_rows_teach_what_a_batch_teaches(learner, storage, dtype):
    batch = small(learner, dtype=dtype).partial_fit(storage(X), y)
    rows = small(learner, dtype=dtype).partial_fit(storage(X[:1]), y[:1])
    for x, label in zip(X[1:], y[1:], strict=True):
        rows.learn_one(x, label)
    assert (rows.n_seen_, rows.n_updates_, rows.n_mistakes_) == (
        batch.n_seen_,
        batch.n_updates_,
        batch.n_mistakes_,
    )
    np.testing.assert_allclose(rows.dual_coef_, batch.dual_coef_, atol=1e-6)
    assert [rows.predict_one(x) for x in X] == rows.predict(X).tolist()


@over_learners
def test_single_rows_of_three_classes_teach_what_a_batch_teaches(learner):
    batch = small(learner, probability=True).partial_fit(X, THREE)
    rows = small(learner, probability=True)
    for x, label in zip(X, THREE, strict=True):
        rows.learn_one(x, label)
    assert (rows.n_updates_, rows.n_mistakes_) == (batch.n_updates_, batch.n_mistakes_)
    np.testing.assert_allclose(rows.dual_coef_, batch.dual_coef_, atol=1e-6)
    assert [rows.predict_one(x) for x in X] == rows.predict(X).tolist()
    single = [rows.predict_proba_one(x) for x in X[:20]]
    np.testing.assert_allclose(
        [[chances[c] for c in (-1, 1, 3)] for chances in single], rows.predict_proba(X[:20])
    )


@over_kinds
def test_weights_and_probabilities_of_single_rows(learner):
    weights = np.random.default_rng(0).choice([0, 0.5, 2], len(y))
    common = {"probability": True, "class_weight": "balanced"}
    batch = small(learner, **common).partial_fit(X, y, sample_weight=weights)
    rows = small(learner, **common)
    for x, label, weight in zip(X, y, weights, strict=True):
        rows.learn_one(x, label, sample_weight=weight)
    assert rows.n_updates_ == batch.n_updates_
    np.testing.assert_allclose(rows.dual_coef_, batch.dual_coef_, atol=1e-6)
    chances = [rows.predict_proba_one(x)[1] for x in X]
    np.testing.assert_allclose(chances, batch.predict_proba(X)[:, 1], atol=1e-6)


def test_rows_and_batches_may_alternate():
    batch = RandomizedBudgetPerceptron(10, gamma=0.5, random_state=0).partial_fit(X, y)
    mixed = RandomizedBudgetPerceptron(10, gamma=0.5, random_state=0)
    for t in range(0, len(y), 10):
        mixed.partial_fit(X[t : t + 7], y[t : t + 7])
        for x, label in zip(X[t + 7 : t + 10], y[t + 7 : t + 10], strict=True):
            mixed.learn_one(x, label)
    assert mixed.n_updates_ == batch.n_updates_
    np.testing.assert_array_equal(mixed.support_vectors_, batch.support_vectors_)
    np.testing.assert_array_equal(mixed.dual_coef_, batch.dual_coef_)


@pytest.mark.parametrize("copy", [deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_goes_on_alone(copy):
    model = Forgetron(10, gamma=0.5).partial_fit(X[:50], y[:50])
    model.learn_one(X[50], y[50])
    other = copy(model)
    before = facts(model._learner)
    for x, label in zip(X[51:], y[51:], strict=True):
        other.learn_one(x, label)
    assert facts(model._learner) == before
    model.partial_fit(X[51:], y[51:])
    np.testing.assert_array_equal(model.support_vectors_, other.support_vectors_)
    np.testing.assert_allclose(model.dual_coef_, other.dual_coef_, rtol=1e-9)


def test_a_kernel_of_ones_own_takes_single_rows():
    def kernel(A, B):
        return (A @ B.T + 1) ** 2

    batch = Perceptron(kernel=kernel).partial_fit(X, y)
    rows = Perceptron(kernel=kernel)
    for x, label in zip(X, y, strict=True):
        rows.learn_one(x, label)
    np.testing.assert_allclose(rows.dual_coef_, batch.dual_coef_)
    assert rows.predict_one(X[0]) == batch.predict(X[:1])[0]


def test_the_average_takes_single_rows():
    model = Perceptron(gamma=0.5, average=True).partial_fit(X, y)
    model.learn_one(X[0], y[0])
    assert [model.predict_one(x) for x in X] == model.predict(X).tolist()


BAD = {
    "too few features": ([1.0, 2.0], ValueError),
    "a single number": (1.0, ValueError),
    "a matrix": (np.ones((1, 4)), ValueError),
    "nan": ([1.0, np.nan, 0.0, 0.0], ValueError),
    "infinity": ([1.0, np.inf, 0.0, 0.0], ValueError),
    "too large": ([1.0, 1e200, 0.0, 0.0], ValueError),
    "text": (["1", "2", "3", "4"], ValueError),
    "complex": ([1j, 0, 0, 0], ValueError),
    "nothing": (None, ValueError),
    "objects": ([1.0, None, 0.0, 0.0], ValueError),
}


@over_storages
@pytest.mark.parametrize(("row", "error"), BAD.values(), ids=BAD)
def test_a_bad_row_changes_nothing(storage, row, error):
    model = small(RandomizedBudgetPerceptron).partial_fit(storage(X), y)
    before = facts(model._learner)
    with pytest.raises(error):
        model.learn_one(row, 1)
    with pytest.raises(error):
        model.predict_one(row)
    assert facts(model._learner) == before
    assert model.learn_one(X[0], 1).n_seen_ == len(y) + 1


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_a_bad_weight_changes_nothing(weight):
    model = small(Perceptron).partial_fit(X, y)
    before = facts(model._learner)
    with pytest.raises(ValueError, match="sample_weight"):
        model.learn_one(X[0], 1, sample_weight=weight)
    assert facts(model._learner) == before


def test_a_row_too_large_for_float32_is_refused():
    model = RandomizedBudgetPerceptron(dtype="float32").fit(X, y)
    with pytest.raises(ValueError, match="infinity"):
        model.learn_one([1e200, 0.0, 0.0, 0.0], 1)


@over_kinds
def test_predicting_single_rows_changes_nothing(learner):
    model = small(learner).partial_fit(X, y)
    before = facts(model._learner)
    for x in X:
        model.predict_one(x)
    assert facts(model._learner) == before


def test_what_is_new_predicts_nothing():
    with pytest.raises(NotFittedError):
        Perceptron().predict_one([1.0])


def test_probabilities_are_to_be_asked_for():
    with pytest.raises(AttributeError, match="probability=True"):
        Perceptron().fit(X, y).predict_proba_one(X[0])


def test_a_row_with_more_values_than_any_before_is_learned():
    wide = sparse.csr_array(np.eye(1, 300))
    model = Perceptron(kernel="linear").partial_fit(wide, [-1], classes=[-1, 1])
    model.learn_one(np.ones(300), 1)
    assert model.n_updates_ == 2
    assert model.predict_one(np.ones(300)) == 1
