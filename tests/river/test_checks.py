"""River's own checks, each of them a test of each learner."""

import re
import warnings

import pytest
from river import checks

from budgetron import river
from river_learners import LEARNERS

EXPECTED_FAILURES: dict[str, str] = {}  # "learner-variant-check": why

ABOUT_PROBABILITIES = re.compile("proba|labels|matches|shuffle|pickling|pure|before")
WITH_PROBABILITIES = (river.Forgetron, river.ProjectronPlusPlus, river.SecondOrderPerceptron)
"""They are made of scores, whatever the learner."""

ONE_OF_EACH_KIND = (
    river.Budgetron,
    river.DriftingThreshold,
    river.Forgetron,
    river.FourierGradientDescent,
    river.ProjectronPlusPlus,
    river.RestartingExperts,
    river.SecondOrderPerceptron,
)
"""They meet all of River's data sets, the others the first one."""


def variants(learner):
    """The learner as River would make it, and with probabilities where they are to be asked for."""
    for parameters in learner._unit_test_params():
        yield "plain", parameters
        if learner in WITH_PROBABILITIES:
            yield "probability", {**parameters, "probability": True}


def cases():
    for learner in LEARNERS:
        for variant, parameters in variants(learner):
            model = learner(**parameters)
            seen = {}
            for check in checks.yield_checks(model):
                if variant == "probability" and not ABOUT_PROBABILITIES.search(check.__name__):
                    continue
                number = seen[check.__name__] = seen.get(check.__name__, -1) + 1
                if number > 0 and learner not in ONE_OF_EACH_KIND:
                    continue
                name = f"{learner.__name__}-{variant}-{check.__name__}-{number}"
                reason = EXPECTED_FAILURES.get(f"{learner.__name__}-{variant}-{check.__name__}")
                marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
                yield pytest.param(model, check, id=name, marks=marks)


@pytest.mark.parametrize(("model", "check"), [*cases()])
def test_river_check(model, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # River's data sets are not closed
        check(model.clone())


def test_no_check_is_skipped():
    assert all(learner()._unit_test_skips() == set() for learner in LEARNERS)


def test_every_learner_with_partial_fit_is_there():
    import budgetron

    with_partial_fit = {
        name for name in budgetron.__all__ if hasattr(getattr(budgetron, name), "partial_fit")
    }
    assert set(river.__all__) == with_partial_fit - {"WhitenedPerceptron"}
