"""`fit` over tables: several passes, in a random order."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from budgetron import Budgetron, DriftingThreshold, Forgetron, WhitenedPerceptron

X, y = load_iris(return_X_y=True)


def test_a_sorted_table_is_learned_as_well_as_by_others():
    theirs = cross_val_score(make_pipeline(StandardScaler(), SGDClassifier(random_state=0)), X, y)
    ours = cross_val_score(Budgetron(shuffle=True, random_state=0), X, y)
    assert ours.mean() >= theirs.mean() > 0.9


def test_passes_are_calls_of_partial_fit():
    learner = Forgetron(epochs=3, shuffle=True, random_state=0)
    random, expected = np.random.RandomState(0), Forgetron(random_state=0)
    weights = np.linspace(0, 2, len(y))
    for _ in range(3):
        order = random.permutation(len(y))
        expected.partial_fit(X[order], y[order], sample_weight=weights[order])
    for rows in (X, sparse.coo_array(X), pd.DataFrame(X)):
        learner.fit(rows, y, weights)
        assert learner.n_seen_ == 3 * len(y)
        np.testing.assert_allclose(learner.decision_function(rows), expected.decision_function(X))
    order = np.random.RandomState(1).permutation(len(y))
    twice = Forgetron(epochs=2).fit(X[order], y[order])
    once = Forgetron().fit(X[order], y[order]).partial_fit(X[order], y[order])
    np.testing.assert_array_equal(twice.decision_function(X), once.decision_function(X))


def test_learners_of_other_kinds_shuffle_too():
    two = y < 2
    for learner in (WhitenedPerceptron(), DriftingThreshold(feature=2)):
        learner.set_params(shuffle=True, epochs=2, random_state=0)
        again = learner.fit(X[two] / 8, y[two]).predict(X[two] / 8)
        assert learner.n_seen_ == 200
        np.testing.assert_array_equal(learner.fit(X[two] / 8, y[two]).predict(X[two] / 8), again)


def test_what_epochs_cannot_be_is_refused_and_changes_nothing():
    learner = Forgetron(shuffle=True, random_state=0).fit(X, y)
    before = learner.decision_function(X)
    for bad in (0, 1.5, "all"):
        with pytest.raises((TypeError, ValueError), match="epochs"):
            learner.set_params(epochs=bad).fit(X, y)
    np.testing.assert_array_equal(learner.decision_function(X), before)
