"""The names that others build on."""

from inspect import ismodule

import pytest

import budgetron
from budgetron.estimators import KernelClassifier
from budgetron.registry import LEARNERS

OWN = {
    "Perceptron": set(),
    "ShiftingPerceptron": {"decay"},
    "ExponentialDecayPerceptron": {"decay"},
    "RandomizedBudgetPerceptron": {"budget"},
    "LeastRecentBudgetPerceptron": {"budget"},
    "BudgetPerceptron": {"budget"},
    "Forgetron": {"budget"},
    "Budgetron": {
        "budget",
        "noise",
        "bold_noise",
        "drift",
        "sharing",
        "exchange",
        "experts",
        "patience",
        "scale",
        "missing",
    },
    "Stoptron": {"budget"},
    "PassiveAggressive": set(),
    "PassiveAggressiveI": {"C"},
    "PassiveAggressiveII": {"C"},
    "BudgetedPassiveAggressive": {"budget", "C"},
    "Ahpatron": {"budget", "margin", "norm_bound"},
    "NystromGradientDescent": {"budget", "rank", "step"},
    "FourierGradientDescent": {"budget", "step"},
    "ModifiedPerceptron": {"budget", "evict"},
    "Projectron": {"norm_bound", "eta", "budget"},
    "ProjectronPlusPlus": {"norm_bound", "eta", "budget"},
    "SecondOrderPerceptron": {"a"},
    "AdaptiveSecondOrderPerceptron": {"c", "radius"},
    "PseudoinverseSecondOrderPerceptron": set(),
    "WhitenedPerceptron": set(),
    "RandomizedBudgetSecondOrderPerceptron": {"budget", "a"},
    "LeastRecentBudgetSecondOrderPerceptron": {"budget", "a"},
}
WITHOUT_KERNEL = {
    "DriftingThreshold": {"gamma", "feature", "random_state", "epochs", "shuffle"},
    "RestartingExperts": {
        "experts", "restart_every", "drift_rate", "setting", "random_state", "epochs", "shuffle",
    },
}  # fmt: skip
EVICTING = {
    "Budgetron",
    "BudgetedPassiveAggressive", "Ahpatron", "FourierGradientDescent",
    "RandomizedBudgetPerceptron", "LeastRecentBudgetPerceptron", "BudgetPerceptron", "Forgetron",
    "RandomizedBudgetSecondOrderPerceptron", "LeastRecentBudgetSecondOrderPerceptron",
}  # fmt: skip
COMMON = {
    "kernel", "gamma", "degree", "coef0", "normalize", "zero_score", "random_state", "dtype",
    "class_weight", "probability", "multi_class", "device", "epochs", "shuffle",
}  # fmt: skip
FITTED = {
    "classes_", "n_features_in_", "support_vectors_", "dual_coef_", "n_seen_", "n_mistakes_",
    "n_updates_",
}  # fmt: skip

WITH_KERNEL = [n for n, row in LEARNERS.items() if issubclass(row.estimator, KernelClassifier)]

over_learners = pytest.mark.parametrize("name", WITH_KERNEL)


def test_the_public_names_are_sorted():
    assert budgetron.__all__ == sorted(budgetron.__all__)


def test_the_public_names_are_the_learners_and_how_to_run_them():
    values = {"Certificate", "Explanation", "Prediction", "Trace", "Waiting"}
    functions = {"certify", "load", "loads", "make_classifier", "prequential"}
    assert set(budgetron.__all__) == {*LEARNERS, *values, *functions}


def test_a_learner_keeps_its_name():
    assert {*OWN, *WITHOUT_KERNEL} <= {*LEARNERS}


def test_nothing_else_is_public():
    names = {name for name in dir(budgetron) if not name.startswith("_")}
    assert {n for n in names if not ismodule(getattr(budgetron, n))} == set(budgetron.__all__)


@pytest.mark.parametrize("name", OWN)
def test_a_learner_has_its_own_parameters_and_the_common_ones(name):
    parameters = getattr(budgetron, name)().get_params()
    average = set() if name in EVICTING else {"average"}
    assert parameters.keys() == OWN[name] | COMMON | average


@pytest.mark.parametrize("name", WITHOUT_KERNEL)
def test_a_learner_without_a_kernel_has_its_own_parameters(name):
    assert getattr(budgetron, name)().get_params().keys() == WITHOUT_KERNEL[name]


@pytest.mark.parametrize("name", WITHOUT_KERNEL)
def test_a_learner_without_a_kernel_works_with_its_defaults(name):
    X, y = [[0.1], [0.9], [0.2], [0.8]] * 5, [0, 1, 0, 1] * 5
    learner = getattr(budgetron, name)().fit(X, y)
    assert learner.predict(X[:4]).tolist() == y[:4]
    counts = {"classes_", "n_features_in_", "n_seen_", "n_mistakes_", "n_updates_"}
    assert {attribute for attribute in counts if hasattr(learner, attribute)} == counts


@over_learners
def test_a_learner_works_with_its_defaults(name):
    X, y = [[-1, 0], [1, 0], [0, -1], [1, 1]] * 5, [0, 1, 0, 1] * 5
    assert getattr(budgetron, name)().fit(X, y).predict(X[:4]).tolist() == y[:4]


@over_learners
def test_a_fitted_learner_has_the_attributes_that_others_read(name):
    learner = getattr(budgetron, name)().fit([[0.0], [1.0]], [0, 1])
    assert {attribute for attribute in FITTED if hasattr(learner, attribute)} == FITTED


@pytest.mark.parametrize("name", OWN)
def test_a_zero_score_is_a_mistake_by_default_where_the_papers_say_so(name):
    expected = (
        "mistake" if name in {"Forgetron", "Projectron", "ProjectronPlusPlus"} else "positive"
    )
    assert getattr(budgetron, name)().zero_score == expected


def test_a_trace_has_one_entry_for_each_example():
    trace = budgetron.prequential(budgetron.Perceptron(), [[0.0], [1.0]], [0, 1])
    assert isinstance(trace, budgetron.Trace)
    for entry in ("scores", "predictions", "mistakes", "updates", "sizes"):
        assert len(getattr(trace, entry)) == 2
    assert trace.mistakes.dtype == trace.updates.dtype == bool


@pytest.mark.parametrize(
    "part", ["adversaries", "bounds", "datasets", "drift", "saving", "streams"]
)
def test_the_parts_are_there_without_being_imported(part):
    assert ismodule(getattr(budgetron, part))


def test_there_are_no_other_parts():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = budgetron.nothing
