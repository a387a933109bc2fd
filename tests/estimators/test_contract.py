"""What every learner promises as a scikit-learn classifier."""

from inspect import signature

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

import budgetron
from budgetron import (
    Forgetron,
    Perceptron,
    ProjectronPlusPlus,
    RandomizedBudgetPerceptron,
    prequential,
)
from budgetron.kernels import gaussian, linear, polynomial
from estimators.learners import (
    EXPANSIONS,
    facts,
    over_kinds,
    over_learners,
    over_learners_with_supports,
    over_storages,
    small,
    storages,
    stream,
)


def dense(X):
    return X if isinstance(X, np.ndarray) else X.toarray()


@over_kinds
def test_fitting_returns_the_learner_itself(learner):
    X, y = stream()
    model = small(learner)
    assert model.fit(X, y) is model
    assert model.partial_fit(X, y) is model


@over_kinds
def test_fitting_is_one_pass_of_partial_fitting(learner):
    X, y = stream()
    assert facts(small(learner).fit(X, y)) == facts(small(learner).partial_fit(X, y))


@over_kinds
def test_fitting_forgets_what_was_learned_before(learner):
    X, y = stream()
    again = small(learner).fit(X[:, :2], np.where(y > 0, "a", "b")).fit(X, y)
    assert facts(again) == facts(small(learner).fit(X, y))


@over_kinds
def test_partial_fitting_goes_on_where_it_was(learner):
    X, y = stream()
    model = small(learner).partial_fit(X[:100], y[:100])
    half = model.n_seen_, model.n_mistakes_
    model.partial_fit(X[100:], y[100:])
    assert half[0] == 100
    assert model.n_seen_ == 200
    assert model.n_mistakes_ > half[1]


@pytest.mark.parametrize("learner", EXPANSIONS)
def test_the_score_is_the_sum_over_the_supports(learner):
    X, y = stream()
    model = small(learner).fit(X, y)
    expected = model._learner.kernel(X, model.support_vectors_) @ model.dual_coef_.T
    np.testing.assert_allclose(model.decision_function(X), expected[:, 0], atol=1e-9)


@over_storages
@pytest.mark.parametrize(
    ("parameters", "kernel"),
    [
        ({"kernel": "linear"}, linear()),
        ({"kernel": "linear", "normalize": True}, linear(normalize=True)),
        ({"kernel": "poly", "degree": 2, "coef0": 1.0}, polynomial(2, 0.5, 1.0)),
        (
            {"kernel": "poly", "degree": 2, "coef0": 1.0, "normalize": True},
            polynomial(2, 0.5, 1.0, normalize=True),
        ),
        ({"kernel": "rbf"}, gaussian(0.5)),
        ({"kernel": lambda A, B: dense(A) @ dense(B).T}, linear()),
    ],
    ids=["linear", "normalized linear", "polynomial", "normalized polynomial", "rbf", "own"],
)
def test_the_score_is_the_sum_over_the_supports_under_every_kernel(storage, parameters, kernel):
    X, y = stream()
    model = small(Forgetron, **parameters).fit(storage(X), y)
    expected = kernel(X, dense(model.support_vectors_)) @ model.dual_coef_.T
    np.testing.assert_allclose(model.decision_function(storage(X)), expected[:, 0], atol=1e-9)


@pytest.mark.parametrize("learner", [Forgetron, budgetron.Ahpatron, ProjectronPlusPlus])
def test_a_score_in_float32_is_the_same_to_its_seven_digits(learner):
    X, y = stream()
    model = small(learner, dtype="float32").fit(X, y)
    supports = model.support_vectors_.astype(float)
    expected = model._learner.kernel(X, supports) @ model.dual_coef_.T
    scale = abs(model.dual_coef_).sum()
    assert model.support_vectors_.dtype == model._learner.dtype
    np.testing.assert_allclose(model.decision_function(X), expected[:, 0], atol=1e-5 * scale)


@over_kinds
def test_predictions_follow_the_sign_of_the_score(learner):
    X, y = stream()
    model = small(learner).fit(X, y)
    expected = np.where(model.decision_function(X) >= 0, 1, -1)
    np.testing.assert_array_equal(model.predict(X), expected)


@over_learners
def test_learning_helps(learner):
    X, y = stream(400)
    assert small(learner).fit(X[:300], y[:300]).score(X[300:], y[300:]) > 0.65


@over_learners_with_supports
def test_supports_are_rows_of_the_stream_in_the_order_they_came_in(learner):
    X, y = stream()
    for storage in storages(learner).values():
        model = small(learner).fit(storage(X), y)
        supports = dense(model.support_vectors_)
        places = [int(np.flatnonzero((x == X).all(axis=1))[0]) for x in supports]
        assert model.dual_coef_.shape == (1, len(supports))
        assert supports.shape[1] == X.shape[1]
        assert len(supports) > 1
        assert places == sorted(places)


@over_learners
def test_a_learner_counts_what_it_saw(learner):
    X, y = stream()
    model = small(learner)
    trace = prequential(model, X, y)
    assert (model.n_seen_, model.n_mistakes_, model.n_updates_) == (
        200,
        trace.mistakes.sum(),
        trace.updates.sum(),
    )
    assert trace.sizes[-1] == model.dual_coef_.size


@over_learners
def test_a_trace_says_what_the_learner_would_have_said_before_each_example(learner):
    X, y = stream(60)
    trace, model = prequential(small(learner), X, y), small(learner)
    for t in range(1, 60):
        model.partial_fit(X[t - 1 : t], y[t - 1 : t], classes=[-1, 1])
        assert trace.scores[t] == pytest.approx(model.decision_function(X[t : t + 1])[0], abs=1e-12)
        assert trace.predictions[t] == model.predict(X[t : t + 1])[0]
        assert trace.sizes[t - 1] == model.dual_coef_.size


@over_kinds
def test_what_is_new_has_nothing_to_say(learner):
    with pytest.raises(NotFittedError):
        learner().predict([[1.0]])
    assert not hasattr(learner(), "support_vectors_")
    assert not hasattr(learner(), "n_seen_")


@over_kinds
def test_a_copy_by_parameters_is_new_and_learns_the_same(learner):
    X, y = stream()
    model = small(learner).fit(X, y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "classes_")
    assert facts(copy.fit(X, y)) == facts(model)


@over_kinds
def test_parameters_can_be_read_and_set(learner):
    model = learner().set_params(gamma=0.25, zero_score="mistake")
    assert model.get_params()["gamma"] == 0.25
    assert model.zero_score == "mistake"
    with pytest.raises(ValueError, match="Invalid parameter 'beta'"):
        model.set_params(beta=1)


@over_kinds
def test_the_parameters_that_were_changed_are_shown(learner):
    assert repr(learner()) == f"{learner.__name__}()"
    assert repr(learner(gamma=0.25)) == f"{learner.__name__}(gamma=0.25)"
    X, y = stream()
    assert repr(learner(gamma=0.25).fit(X, y)) == f"{learner.__name__}(gamma=0.25)"


@pytest.mark.parametrize(
    ("learner", "name", "value"),
    [
        (RandomizedBudgetPerceptron, "budget", 300),
        (budgetron.LeastRecentBudgetPerceptron, "budget", 300),
        (budgetron.BudgetPerceptron, "budget", 300),
        (Forgetron, "budget", 300),
        (budgetron.Stoptron, "budget", 300),
        (budgetron.ShiftingPerceptron, "decay", 0.5),
        (budgetron.ExponentialDecayPerceptron, "decay", 0.5),
        (budgetron.PassiveAggressiveI, "C", 0.5),
        (budgetron.PassiveAggressiveII, "C", 0.5),
    ],
)
def test_a_learners_own_parameter_may_come_without_its_name(learner, name, value):
    assert learner(value).get_params() == learner(**{name: value}).get_params()


@over_learners
def test_common_parameters_need_their_names(learner):
    own = [p for p in signature(learner).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    with pytest.raises(TypeError, match="positional argument"):
        learner(*[1] * len(own), "linear")


def test_the_seed_decides_what_is_forgotten():
    X, y = stream()
    runs = [
        facts(RandomizedBudgetPerceptron(10, random_state=seed).fit(X, y)._learner.state)
        for seed in (0, 0, 1)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_a_generator_of_random_numbers_goes_on_from_fit_to_fit():
    X, y = stream()
    model = RandomizedBudgetPerceptron(10, random_state=np.random.RandomState(0))
    assert facts(model.fit(X, y)._learner.state) != facts(model.fit(X, y)._learner.state)


def test_gamma_scales_with_the_first_example():
    X, y = stream()
    X[0] = [1.0, 2.0, 0.0, 1.0]
    scaled, fixed = (Perceptron(gamma=gamma, random_state=0) for gamma in ("scale", 1 / 6))
    assert facts(scaled.fit(X, y)._learner) == facts(fixed.fit(X, y)._learner)


def test_gamma_scales_alike_for_dense_and_sparse_rows_of_any_precision():
    X, y = stream()
    X = X.astype(np.float32)
    layouts = [X, X.astype(float), csr_array(X), csr_array(X.astype(float))]
    gammas = [Forgetron().fit(layout, y)._learner.kernel.norms for layout in layouts]
    np.testing.assert_allclose(gammas, gammas[0], rtol=1e-14)


def test_gamma_scales_with_the_number_of_features_if_the_first_example_is_zero():
    X, y = stream()
    X[0] = 0
    scaled, fixed = (Perceptron(gamma=gamma, random_state=0) for gamma in ("scale", 1 / 4))
    assert facts(scaled.fit(X, y)._learner) == facts(fixed.fit(X, y)._learner)


def test_a_built_in_kernel_may_be_given_as_an_object():
    X, y = stream()
    by_name, by_object = small(Perceptron), small(Perceptron, kernel=gaussian(0.5))
    assert facts(by_object.fit(X, y)._learner) == facts(by_name.fit(X, y)._learner)


def test_a_zero_score_is_the_positive_class_unless_it_is_a_mistake():
    X, y = [[1.0]], [1]
    assert Perceptron().partial_fit(X, y, classes=[-1, 1]).n_mistakes_ == 0
    assert Perceptron(zero_score="mistake").partial_fit(X, y, classes=[-1, 1]).n_mistakes_ == 1
    assert Perceptron().partial_fit(X, [-1], classes=[-1, 1]).n_mistakes_ == 1


def test_the_forgetron_takes_a_zero_score_for_a_mistake():
    assert Forgetron().partial_fit([[1.0]], [1], classes=[-1, 1]).n_mistakes_ == 1


def test_far_away_from_all_supports_a_tiny_score_still_has_its_sign():
    model = Perceptron(gamma=10.0).partial_fit([[0.0]], [-1], classes=[-1, 1])
    assert model.decision_function([[2.0]]) == pytest.approx(-np.exp(-40), rel=1e-12, abs=0)
    assert model.predict([[2.0]]).tolist() == [-1]


@over_kinds
def test_a_learner_works_inside_scikit_learn(learner):
    X, y = stream()
    assert cross_val_score(small(learner), X, y, cv=3).min() > 0.5
