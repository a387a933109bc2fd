"""The table of learners is complete."""

from inspect import isclass

import budgetron
from budgetron.estimators import KernelClassifier
from laws.learners import LEARNERS


def test_every_public_learner_has_its_line():
    public = {getattr(budgetron, name) for name in budgetron.__all__}
    learners = {thing for thing in public if isclass(thing) and issubclass(thing, KernelClassifier)}
    others = {budgetron.WhitenedPerceptron}  # which learns a whole stream at once
    assert {case.estimator for case in LEARNERS} == learners - others
