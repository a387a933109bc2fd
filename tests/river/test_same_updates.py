"""One row at a time, frames of any length, and scikit-learn's way: the same updates."""

from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import sparse

from budgetron import river
from budgetron.river.frames import Frame
from covering import naming
from river_kinds import over_kernel_kinds, over_kinds
from river_learners import NAMES, dicts, learned, small, stream

STREAMS = {
    "two classes": {},
    "three classes": {"classes": ("x", "y", "z")},
    "a late class": {"classes": (0, 1, 2), "late": 60},
    "a late first class": {"classes": (2, 1, 0), "late": 60},
}


def streams_for(learner, seed):
    """Each of them, every other one with weights, of another seed the other ones."""
    for i, (name, kind) in enumerate(STREAMS.items()):
        if small(learner)._multiclass or len(kind.get("classes", ())) <= 2:
            X, y, w = stream(seed=seed, **kind)
            yield name, X, y, w if (i + seed) % 2 else None


def counts(estimator):
    return estimator.n_seen_, estimator.n_mistakes_, estimator.n_updates_


def assert_same(one, other):
    """Two estimators have learned the same."""
    assert counts(one) == counts(other)
    assert one.classes_.tolist() == other.classes_.tolist()
    if hasattr(one, "support_vectors_"):
        np.testing.assert_array_equal(*(it.support_vectors_.toarray() for it in (one, other)))
        np.testing.assert_allclose(one.dual_coef_, other.dual_coef_, rtol=1e-6, atol=1e-9)


def has_clear_winner(model, X):
    """Whether the highest of three scores is so by more than rounding."""
    scores = model.estimator.decision_function(model._rows(Frame(pd.DataFrame(X, columns=NAMES))))
    if scores.ndim == 1:
        return np.ones(len(scores), bool)
    ranked = np.sort(scores, axis=1)
    return ranked[:, -1] - ranked[:, -2] > 1e-9


def in_frames(model, X, y, w, cuts=(0, 1, 40, 97, 150)):
    for first, last in pairwise(cuts):
        here = slice(first, last)
        weights = None if w is None else pd.Series(w[here])
        model.learn_many(pd.DataFrame(X[here], columns=NAMES), pd.Series(y[here]), weights)
    return model


@over_kinds
def test_learn_many_is_a_loop_of_learn_one(learner):
    for seed in range(2):
        for name, X, y, w in streams_for(learner, seed):
            with naming(f"{name}, seed {seed}"):
                one = learned(small(learner), X, y, w)
                many = in_frames(small(learner), X, y, w)
                assert_same(one.estimator, many.estimator)
                assert one._features.columns == many._features.columns
                clear = has_clear_winner(one, X)
                of_one = np.array([one.predict_one(x) for x in dicts(X)])
                of_many = many.predict_many(pd.DataFrame(X, columns=NAMES)).to_numpy()
                assert of_one[clear].tolist() == of_many[clear].tolist()


@over_kernel_kinds
def test_learn_one_is_partial_fit(learner):
    for name, X, y, w in streams_for(learner, 7):
        with naming(name):
            model = learned(small(learner), X, y, w)
            estimator = small(learner).estimator
            wide = sparse.csr_array(np.hstack([X, np.zeros((len(X), 60))]))
            estimator.partial_fit(wide, y, sample_weight=w)
            assert_same(model.estimator, estimator)
            clear = has_clear_winner(model, X)
            predicted = np.array([model.predict_one(x) for x in dicts(X)])
            assert predicted[clear].tolist() == estimator.predict(wide)[clear].tolist()


@over_kernel_kinds
def test_probabilities_are_those_of_partial_fit(learner):
    for kind in STREAMS.values():
        X, y, w = stream(seed=3, **kind)
        model = learned(small(learner, probability=True), X, y, w)
        many = in_frames(small(learner, probability=True), X, y, w)
        estimator = small(learner, probability=True).estimator
        wide = sparse.csr_array(np.hstack([X, np.zeros((len(X), 60))]))
        expected = estimator.partial_fit(wide, y, sample_weight=w).predict_proba(wide)
        of_one = [[*model.predict_proba_one(x).values()] for x in dicts(X)]
        of_many = many.predict_proba_many(pd.DataFrame(X, columns=NAMES))
        np.testing.assert_allclose(of_one, expected, rtol=1e-5)
        np.testing.assert_allclose(of_many, expected, rtol=1e-5)
        assert [*of_many.columns] == [*model.predict_proba_one({})] == estimator.classes_.tolist()


@over_kernel_kinds
def test_classes_have_their_weights(learner):
    X, y, _ = stream()
    for weights in ("balanced", {True: 2.0}):
        one = learned(small(learner, class_weight=weights), X, y)
        many = in_frames(small(learner, class_weight=weights), X, y, None)
        assert_same(one.estimator, many.estimator)


def test_the_threshold_is_that_of_the_estimator():
    X, y, w = stream()
    X = np.abs(X) / 3
    model = learned(river.DriftingThreshold(feature="b", gamma=0.02), X, y, w)
    estimator = model._estimator_class(gamma=0.02, feature=1).partial_fit(X, y, sample_weight=w)
    assert counts(model.estimator) == counts(estimator)
    assert model.estimator.interval_ == estimator.interval_


def test_the_experts_are_those_of_the_estimator():
    X, y, w = stream()
    model = learned(small(river.RestartingExperts), X, y, w)
    estimator = small(river.RestartingExperts).estimator
    wide = sparse.csr_array(np.hstack([X, np.zeros((len(X), 60))]))
    estimator.partial_fit(wide, y, sample_weight=w)
    assert counts(model.estimator) == counts(estimator)
    assert model.estimator.shares_.tolist() == estimator.shares_.tolist()
    for one, other in zip(model.estimator.experts_, estimator.experts_, strict=True):
        assert counts(one) == counts(other)
