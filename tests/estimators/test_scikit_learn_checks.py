"""scikit-learn's own checks, over learners of every kind."""

import warnings

import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator

from budgetron import (
    DriftingThreshold,
    Perceptron,
    PseudoinverseSecondOrderPerceptron,
    RestartingExperts,
    SecondOrderPerceptron,
    WhitenedPerceptron,
)
from estimators.learners import IN_EVERY_LAYOUT

REPEATED = "an example of weight 2 takes one step twice as long, which is not two steps"
UNWEIGHTED = "what it stores of a mistake beside its label has no weight"
ORTHOGONAL = "whitening makes independent examples orthogonal: scores are 0, and rounding decides"

EVERY_LEARNER = {
    "check_sample_weight_equivalence_on_dense_data": REPEATED,
    "check_sample_weight_equivalence_on_sparse_data": REPEATED,
}
EXPECTED_FAILURES = {
    SecondOrderPerceptron: {"check_class_weight_classifiers": UNWEIGHTED},
    PseudoinverseSecondOrderPerceptron: {"check_class_weight_classifiers": UNWEIGHTED},
    WhitenedPerceptron: {
        "check_class_weight_classifiers": ORTHOGONAL,
        "check_classifiers_train": ORTHOGONAL,
        "check_methods_subset_invariance": ORTHOGONAL,
    },
}


@pytest.mark.parametrize(
    "estimator",
    [
        *(learner() for learner in IN_EVERY_LAYOUT),
        WhitenedPerceptron(),
        DriftingThreshold(feature=0),
        RestartingExperts(random_state=0),
        RestartingExperts([Perceptron()], random_state=0),
    ],
    ids=str,
)
def test_a_learner_is_a_good_scikit_learn_classifier(estimator):
    expected = EVERY_LEARNER | EXPECTED_FAILURES.get(type(estimator), {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        results = check_estimator(estimator, expected_failed_checks=expected)
    failed = {result["check_name"] for result in results if result["status"] == "xfail"}
    certain = {name for name, why in expected.items() if why != ORTHOGONAL}
    assert certain <= failed <= {*expected}
