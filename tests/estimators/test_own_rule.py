"""A classifier from a rule of one's own, in one call."""

import pickle
from inspect import signature
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from sklearn.base import clone

from budgetron import LeastRecentBudgetPerceptron, load, make_classifier, prequential
from budgetron.rules import MISTAKE, Budget, Positive, Within, add, remove, size, updates
from budgetron.saving import SavedModelError
from streams import gaussian_stream, over_streams


class OldestOutRule(NamedTuple):
    """The oldest makes room.

    Parameters
    ----------
    budget : int, default=7
        So many.
    """

    budget: Budget = 7
    step: Positive = 1.0
    share: Annotated[float, Within(above=0, most=1)] = 0.5


@updates(OldestOutRule, on=MISTAKE)
def forget_the_oldest(rule, f, y):
    if size(f) == rule.budget:
        remove(f, 0)
    add(f, weight=rule.step * y)


OldestOut = make_classifier(OldestOutRule)


@over_streams
def test_it_learns_as_the_same_rule_of_the_package_does(stream):
    X, y = stream()
    ours, theirs = OldestOut(gamma=0.5), LeastRecentBudgetPerceptron(budget=7, gamma=0.5)
    trace, expected = prequential(ours, X, y), prequential(theirs, X, y)
    assert trace.scores.tolist() == expected.scores.tolist()
    assert trace.sizes.max() == 7
    assert np.array_equal(ours.dual_coef_, theirs.dual_coef_)


def test_one_machine_for_many_classes_is_a_promise_of_the_rule():
    class InOneMachineRule(NamedTuple):
        budget: Budget = 7
        step: Positive = 1.0

    updates(InOneMachineRule, on=MISTAKE, multiclass=True)(forget_the_oldest)
    X, y = gaussian_stream(length=100)
    y[X[:, 2] > 0.5] = 2
    common = {"budget": 7, "gamma": 0.5, "multi_class": "single_machine"}
    ours = make_classifier(InOneMachineRule)(**common).fit(X, y)
    theirs = LeastRecentBudgetPerceptron(**common).fit(X, y)
    assert np.array_equal(ours.dual_coef_, theirs.dual_coef_)
    with pytest.raises(ValueError, match="OldestOutRule has no single machine"):
        OldestOut(**common).fit(X, y)


def test_its_parameters_are_the_rules_and_the_common_ones():
    common = [
        name for name in signature(LeastRecentBudgetPerceptron).parameters if name != "budget"
    ]
    assert [*signature(OldestOut).parameters] == ["budget", "step", "share", *common]
    assert OldestOut().get_params().items() >= {"budget": 7, "step": 1.0, "gamma": "scale"}.items()
    assert OldestOut(3).set_params(step=2.0).get_params()["step"] == 2.0
    assert repr(clone(OldestOut(budget=3, gamma=0.5))) == "OldestOut(budget=3, gamma=0.5)"


def test_a_parameter_without_a_default_has_to_be_given():
    class NoDefaultRule(NamedTuple):
        budget: int

    updates(NoDefaultRule, on=MISTAKE)(forget_the_oldest)
    with pytest.raises(TypeError, match="budget"):
        make_classifier(NoDefaultRule)()
    assert clone(make_classifier(NoDefaultRule)(3)).budget == 3


def test_every_parameter_is_explained():
    doc = OldestOut.__doc__
    assert doc.startswith("The oldest makes room.\n\nParameters\n")
    assert "budget : int, default=7\n    So many.\n" in doc
    assert (
        "share : float, default=0.5\n    Of the rule OldestOutRule; at most 1 and above 0.\n" in doc
    )
    assert "degree : int, default=3\n" in doc and "support_vectors_ :" in doc


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"budget": 0}, "budget must be at least 1, got 0"),
        ({"step": -1.0}, "step must be a finite number above 0, got -1.0"),
        ({"share": "all"}, "share must be a number, got 'all'"),
    ],
)
def test_the_rule_refuses_bad_parameters(parameters, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        OldestOut(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_it_can_be_pickled_where_it_is_kept_under_its_name():
    learner = OldestOut(budget=3, gamma=0.5).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    again = pickle.loads(pickle.dumps(learner))
    assert type(again) is OldestOut
    assert np.array_equal(again.dual_coef_, learner.dual_coef_)


@pytest.mark.parametrize("fitted", [False, True])
def test_it_is_not_saved_since_files_hold_no_code(tmp_path, fitted):
    learner, path = OldestOut(), tmp_path / "own.budgetron"
    if fitted:
        learner.fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(SavedModelError, match="OldestOut is no learner of this package"):
        learner.save(path)
    with pytest.raises(FileNotFoundError):
        load(path)


def test_a_name_can_be_given():
    made = make_classifier(OldestOutRule, "Mine")
    assert (made.__name__, made.__qualname__, made.__module__) == ("Mine", "Mine", __name__)


class Plain:
    pass


class WithoutUpdate(NamedTuple):
    budget: Budget = 3


class WithText(NamedTuple):
    word: str = "no"


class WithGamma(NamedTuple):
    gamma: float = 1.0


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (Plain, "a rule must be a NamedTuple of its parameters, got "),
        (OldestOutRule(), "a rule must be a NamedTuple of its parameters, got "),
        (WithoutUpdate, "WithoutUpdate has no update: register a function by budgetron.rules"),
        (WithText, "the parameter word of WithText must be an int, a float or a bool"),
        (WithGamma, "all classifiers have a parameter gamma: give that of WithGamma another name"),
    ],
)
def test_what_is_no_rule_is_refused(rule, problem):
    if rule in (WithText, WithGamma):
        updates(rule, on=MISTAKE)(forget_the_oldest)
    with pytest.raises((TypeError, ValueError), match=problem):
        make_classifier(rule)
