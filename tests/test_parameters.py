"""Parameters: a clear error, or the value in the type that compiled code expects."""

import math
from fractions import Fraction
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from budgetron.parameters import Budget, NonNegative, Within, checked, one_of, real, whole


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_a_whole_number_becomes_an_int(value):
    assert whole("budget", value, least=1) == 3
    assert type(whole("budget", value, least=1)) is int


def test_the_least_whole_number_is_allowed_and_the_one_below_is_not():
    assert whole("budget", 1, least=1) == 1
    with pytest.raises(ValueError, match="budget must be at least 1, got 0"):
        whole("budget", 0, least=1)


@pytest.mark.parametrize("value", [1.5, 2.0, "3", True, np.True_, None, [3]])
def test_what_is_not_a_whole_number_is_refused(value):
    with pytest.raises(TypeError, match="budget must be a whole number, got "):
        whole("budget", value, least=1)


def test_a_whole_number_beyond_64_bits_is_refused():
    with pytest.raises(ValueError, match="budget"):
        whole("budget", 2**63, least=1)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2), Fraction(2)])
def test_a_real_number_becomes_a_float(value):
    assert real("gamma", value) == 2.0
    assert type(real("gamma", value)) is float


@pytest.mark.parametrize("value", ["2", True, None, 2j, [2.0]])
def test_what_is_not_a_real_number_is_refused(value):
    with pytest.raises(TypeError, match="gamma must be a number, got "):
        real("gamma", value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_real_number_is_finite(value):
    with pytest.raises(ValueError, match="gamma must be a finite number, got "):
        real("gamma", value)


def test_a_number_too_large_for_a_float_is_refused():
    with pytest.raises(ValueError, match="gamma"):
        real("gamma", 10**400)


@pytest.mark.parametrize(
    ("limits", "inside", "outside"),
    [
        ({"least": 0}, 0.0, -1e-300),
        ({"most": 1}, 1.0, math.nextafter(1, 2)),
        ({"above": 0}, 1e-300, 0.0),
        ({"below": 1}, math.nextafter(1, 0), 1.0),
        ({"least": 0, "below": 1}, 0.5, 1.0),
    ],
)
def test_limits_are_kept(limits, inside, outside):
    assert real("decay", inside, **limits) == inside
    with pytest.raises(ValueError, match=r"decay must be a finite number (at|above|below) "):
        real("decay", outside, **limits)


def test_the_error_names_all_limits():
    with pytest.raises(
        ValueError, match=r"^decay must be a finite number at least 0 and below 1, got 2$"
    ):
        real("decay", 2, least=0, below=1)


def test_one_of_the_words_is_allowed():
    assert one_of("kernel", "rbf", ("linear", "rbf")) == "rbf"


@pytest.mark.parametrize("value", ["RBF", "", None, 1, ["rbf"]])
def test_any_other_word_is_refused(value):
    with pytest.raises(ValueError, match=r"^kernel must be one of 'linear', 'rbf', got "):
        one_of("kernel", value, ("linear", "rbf"))


class Rule(NamedTuple):
    budget: Budget
    steps: int
    eta: NonNegative
    share: Annotated[float, Within(above=0, most=1)]
    patience: Annotated[float, Within(above=0, or_infinite=True)]
    careful: bool

    def check(self):
        if self.steps > self.budget:
            raise ValueError("steps must be at most the budget")


GOOD = {
    "budget": 3, "steps": -2, "eta": 0, "share": 1, "patience": math.inf, "careful": True,
}  # fmt: skip


def test_a_rule_has_its_parameters_in_the_types_that_it_names():
    rule = checked(Rule, **GOOD | {"budget": np.int8(3)})
    assert rule == Rule(3, -2, 0.0, 1.0, math.inf, True)
    assert [type(value) for value in rule] == [int, int, float, float, float, bool]


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("budget", 0, "budget must be at least 1, got 0"),
        ("steps", 1.0, "steps must be a whole number, got 1.0"),
        ("steps", 4, "steps must be at most the budget"),
        ("eta", -1.0, "eta must be a finite number at least 0, got -1.0"),
        ("eta", math.inf, "eta must be a finite number at least 0, got inf"),
        ("share", 0, "share must be a finite number at most 1 and above 0, got 0"),
        ("patience", -math.inf, "patience must be a finite number above 0, got -inf"),
        ("careful", 1, "careful must be true or false, got 1"),
    ],
)
def test_a_rule_refuses_other_parameters(name, value, problem):
    with pytest.raises((TypeError, ValueError)) as refused:
        checked(Rule, **GOOD | {name: value})
    assert str(refused.value) == problem
