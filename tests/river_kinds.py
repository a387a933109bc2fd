"""One learner of each kind, where River's side of it is what is tested."""

import pytest

from budgetron import river

KINDS = (
    river.Budgetron,
    river.DriftingThreshold,
    river.Forgetron,
    river.FourierGradientDescent,
    river.ProjectronPlusPlus,
    river.RestartingExperts,
    river.SecondOrderPerceptron,
)

over_kinds = pytest.mark.parametrize("learner", KINDS, ids=[kind.__name__ for kind in KINDS])
