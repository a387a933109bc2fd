"""One learner of each kind, where River's side of it is what is tested."""

import pytest

from budgetron import river
from budgetron.river.classifier import KernelLearner

KINDS = (
    river.Budgetron,
    river.DriftingThreshold,
    river.Forgetron,
    river.FourierGradientDescent,
    river.ProjectronPlusPlus,
    river.RandomizedBudgetPerceptron,
    river.RestartingExperts,
    river.SecondOrderPerceptron,
)

WITH_KERNEL = tuple(kind for kind in KINDS if issubclass(kind, KernelLearner))


def over(learners):
    """Run a test over these learners."""
    return pytest.mark.parametrize("learner", learners, ids=[it.__name__ for it in learners])


over_kinds, over_kernel_kinds = over(KINDS), over(WITH_KERNEL)
