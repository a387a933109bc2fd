"""At home in scikit-learn: pipelines, searches, frames, routed weights."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.ensemble import VotingClassifier
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from budgetron import Forgetron, PassiveAggressiveI, Perceptron, RandomizedBudgetPerceptron
from estimators.learners import over_kinds, small, stream

X, y = stream(400)


@over_kinds
def test_in_a_pipeline(learner):
    model = make_pipeline(StandardScaler(), small(learner)).fit(X, y)
    assert model.score(X, y) > 0.6
    assert clone(model).get_params().keys() == model.get_params().keys()


def test_in_a_search_over_budgets_and_widths():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), Forgetron()),
        {"forgetron__budget": [5, 100], "forgetron__gamma": [0.01, 0.5]},
        cv=TimeSeriesSplit(3),
    ).fit(X, y)
    assert search.best_params_["forgetron__budget"] == 100
    assert search.best_score_ > 0.7


def test_in_a_vote_and_under_a_calibrator():
    vote = VotingClassifier([("a", Perceptron(gamma=0.5)), ("b", Forgetron(gamma=0.5))]).fit(X, y)
    assert vote.score(X, y) > 0.7
    calibrated = CalibratedClassifierCV(RandomizedBudgetPerceptron(gamma=0.5, random_state=0), cv=3)
    assert calibrated.fit(X, y).predict_proba(X).shape == (400, 2)


def test_hashed_text():
    mails = ["cheap pills now", "meeting at noon", "pills pills", "lunch at noon"] * 20
    labels = ["spam", "ham", "spam", "ham"] * 20
    model = make_pipeline(HashingVectorizer(n_features=2**16), Perceptron(kernel="linear"))
    assert model.fit(mails, labels).predict(["cheap cheap pills"]).tolist() == ["spam"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_name_their_features(frame):
    columns = {name: X[:, i] for i, name in enumerate("abcd")}
    named = Forgetron(gamma=0.5).fit(frame(columns), y)
    assert named.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    plain = Forgetron(gamma=0.5).fit(X, y)
    np.testing.assert_array_equal(named.predict(frame(columns)), plain.predict(X))
    with pytest.raises(ValueError, match="feature names"):
        named.partial_fit(frame({name: columns[name] for name in "bacd"}), y)


@pytest.mark.parametrize("series", [pd.Series, pl.Series])
def test_labels_and_weights_may_be_series(series):
    model = Forgetron(gamma=0.5).fit(X, series(y), sample_weight=series(np.ones(len(y))))
    np.testing.assert_array_equal(model.dual_coef_, Forgetron(gamma=0.5).fit(X, y).dual_coef_)


def test_weights_are_routed():
    weights = np.where(y > 0, 3.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        learner = Perceptron(gamma=0.5).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, learner).fit(X, y, sample_weight=weights)
        cross_val_score(
            make_pipeline(scaler, learner.set_score_request(sample_weight=True)),
            X,
            y,
            params={"sample_weight": weights},
        )
        partly = Perceptron().set_partial_fit_request(sample_weight=True, classes=True)
        assert partly.get_metadata_routing().partial_fit.requests["sample_weight"] is True
    plain = Perceptron(gamma=0.5).fit(StandardScaler().fit_transform(X), y, weights)
    np.testing.assert_array_equal(routed[-1].dual_coef_, plain.dual_coef_)


def test_many_classes_in_a_cross_validation():
    rows, digits = load_digits(return_X_y=True)
    scores = cross_val_score(PassiveAggressiveI(gamma=0.1), rows / 16, digits, cv=3)
    assert scores.min() > 0.9
