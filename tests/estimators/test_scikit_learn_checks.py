"""scikit-learn's own checks, over every learner."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from budgetron import (
    DriftingThreshold,
    LeastRecentBudgetSecondOrderPerceptron,
    ModifiedPerceptron,
    Perceptron,
    PseudoinverseSecondOrderPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    RestartingExperts,
    SecondOrderPerceptron,
    WhitenedPerceptron,
)
from estimators.learners import LEARNERS

REPEATED = "an example of weight 2 takes one step twice as long, which is not two steps"
UNWEIGHTED = "what it stores of a mistake beside its label has no weight"
REFLECTED = "a reflection is whole or none"
ORTHOGONAL = "whitening makes independent examples orthogonal: scores are 0, and rounding decides"

EVERY_LEARNER = {
    "check_sample_weight_equivalence_on_dense_data": REPEATED,
    "check_sample_weight_equivalence_on_sparse_data": REPEATED,
}
EXPECTED_FAILURES = {
    ModifiedPerceptron: {"check_class_weight_classifiers": REFLECTED},
    SecondOrderPerceptron: {"check_class_weight_classifiers": UNWEIGHTED},
    PseudoinverseSecondOrderPerceptron: {"check_class_weight_classifiers": UNWEIGHTED},
    RandomizedBudgetSecondOrderPerceptron: {"check_class_weight_classifiers": UNWEIGHTED},
    LeastRecentBudgetSecondOrderPerceptron: {"check_class_weight_classifiers": UNWEIGHTED},
    WhitenedPerceptron: {
        "check_class_weight_classifiers": ORTHOGONAL,
        "check_classifiers_train": ORTHOGONAL,
        "check_methods_subset_invariance": ORTHOGONAL,
    },
}


def expected_failures(estimator):
    return EVERY_LEARNER | EXPECTED_FAILURES.get(type(estimator), {})


@parametrize_with_checks(
    [
        *(learner() for learner in LEARNERS),
        WhitenedPerceptron(),
        DriftingThreshold(feature=0),
        RestartingExperts(random_state=0),
        RestartingExperts([Perceptron()], random_state=0),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_a_learner_is_a_good_scikit_learn_classifier(estimator, check):
    check(estimator)
