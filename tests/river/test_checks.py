"""River's own checks, each of them a test of learners of each kind."""

import re
import warnings

import pytest
from river import checks

from budgetron import river
from covering import naming
from river_kinds import KINDS
from river_learners import LEARNERS

ABOUT_PROBABILITIES = re.compile("proba|labels|matches|shuffle|pickling|pure|before")
WITH_PROBABILITIES = (river.Forgetron, river.ProjectronPlusPlus, river.SecondOrderPerceptron)
"""They are made of scores, whatever the learner."""

ON_ALL_DATA_SETS = (river.DriftingThreshold, river.Forgetron)
LONG = "check_bounded_memory_growth"  # seconds of River's, on what all learners have in common


def variants(learner):
    """The learner as River would make it, and with probabilities where they are to be asked for."""
    for parameters in learner._unit_test_params():
        yield "plain", parameters
        if learner in WITH_PROBABILITIES:
            yield "probability", {**parameters, "probability": True}


def chosen(learner, variant, model):
    """All checks; for most learners, and if they are long, on River's first data set alone."""
    seen = set()
    for check in checks.yield_checks(model):
        name, again = check.__name__, check.__name__ in seen
        seen.add(name)
        if variant == "probability" and not ABOUT_PROBABILITIES.search(name):
            continue
        if again and (name == LONG or learner not in ON_ALL_DATA_SETS):
            continue
        yield name, check


@pytest.mark.parametrize(
    ("learner", "variant", "parameters"),
    [
        pytest.param(learner, variant, parameters, id=f"{learner.__name__}-{variant}")
        for learner in KINDS
        for variant, parameters in variants(learner)
    ],
)
def test_river_checks(learner, variant, parameters):
    model = learner(**parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # River's data sets are not closed
        for name, check in chosen(learner, variant, model):
            with naming(name):
                check(model.clone())


def test_no_check_is_skipped():
    assert all(learner()._unit_test_skips() == set() for learner in LEARNERS)


def test_every_learner_with_partial_fit_is_there():
    import budgetron

    with_partial_fit = {
        name for name in budgetron.__all__ if hasattr(getattr(budgetron, name), "partial_fit")
    }
    assert set(river.__all__) == with_partial_fit - {"WhitenedPerceptron"}
