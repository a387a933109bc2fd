"""scikit-learn's own checks, over every learner."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from estimators.learners import LEARNERS


@parametrize_with_checks([learner() for learner in LEARNERS])
def test_a_learner_is_a_good_scikit_learn_classifier(estimator, check):
    check(estimator)
