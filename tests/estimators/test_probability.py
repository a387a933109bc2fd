"""Probabilities while learning."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from budgetron import Forgetron, Perceptron, RandomizedBudgetPerceptron, prequential
from budgetron.core.platt import STATE_SIZE, calibrate, probability
from budgetron.datasets import load_spam
from estimators.learners import over_kinds, over_learners, small, stream

X, y = stream()


def test_they_are_off_unless_asked_for():
    assert not hasattr(Perceptron().fit(X, y), "predict_proba")


@over_learners
def test_two_probabilities_follow_the_score(learner):
    model = small(learner, probability=True).fit(X, y)
    chances, scores = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (np.diff(chances[np.argsort(scores), 1]) >= 0).all()
    assert (chances > 0).all()


@over_kinds
def test_they_do_not_change_what_is_learned(learner):
    with_them, without = small(learner, probability=True).fit(X, y), small(learner).fit(X, y)
    np.testing.assert_array_equal(with_them.dual_coef_, without.dual_coef_)


def test_they_are_calibrated_on_scores_before_each_update():
    model = Forgetron(20, gamma=0.5, probability=True)
    trace = prequential(model, X, y)
    state = np.zeros(STATE_SIZE)
    calibrate(state, trace.scores, y.astype(float))
    scores = model.decision_function(X)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], probability(state, scores))


def test_class_weights_do_not_move_them():
    """What is frequent stays likely, whatever a mistake on it costs."""
    plain = RandomizedBudgetPerceptron(20, gamma=0.5, random_state=0, probability=True)
    heavy = RandomizedBudgetPerceptron(
        20, gamma=0.5, random_state=0, probability=True, class_weight={1: 5.0}
    )
    rate = (y == 1).mean()
    for model in (plain, heavy):
        assert abs(model.fit(X, y).predict_proba(X)[:, 1].mean() - rate) < 0.15


def test_mails_are_spam_with_the_probability_said():
    spam = load_spam()
    half = len(spam.y) // 2
    model = Forgetron(100, probability=True).fit(spam.X[:half], spam.y[:half])
    losses, naive, told = [], [], []
    for first in range(half, len(spam.y), 200):
        rows, labels = spam.X[first : first + 200], spam.y[first : first + 200]
        chances = model.predict_proba(rows)
        losses.append(log_loss(labels, chances, labels=model.classes_))
        logistic = 1 / (1 + np.exp(-model.decision_function(rows)))
        naive.append(log_loss(labels, logistic, labels=model.classes_))
        told.append(abs(chances[:, 1].mean() - (labels == model.classes_[1]).mean()))
        model.partial_fit(rows, labels)
    assert np.mean(losses) < np.mean(naive) / 2
    assert np.mean(told) < 0.1


def test_three_probabilities_add_up_and_agree_with_the_classes():
    labels = np.where(X[:, 2] > 0.8, 3, y)
    model = Forgetron(50, gamma=0.5, probability=True).fit(X, labels)
    chances = model.predict_proba(X)
    assert chances.shape == (len(y), 3)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances.argmax(axis=1) == model.decision_function(X).argmax(axis=1)).mean() > 0.8


def test_the_average_has_none():
    with pytest.raises(ValueError, match="probability or average"):
        Perceptron(average=True, probability=True).fit(X, y)


def test_one_class_is_certain():
    model = Perceptron(probability=True).fit(X, np.zeros(len(y)))
    assert model.predict_proba(X).tolist() == [[1.0]] * len(y)
