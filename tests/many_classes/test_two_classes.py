"""With two classes, the joint space is that of the kernel 2 k, and there is nothing new in it."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from budgetron.engine import blocked, one_by_one
from budgetron.kernels import Kernel, gaussian, linear, polynomial
from laws.runs import assert_close
from laws.runs import run as binary_run
from many_classes.learners import (
    FREE_OF_SCALE,
    RULES,
    at_work,
    binary_at_work,
    gaussian_stream,
    over,
    tied_stream,
)
from many_classes.runs import run

SQUARED = polynomial(2, 1.0, 1.0)
TWICE_SQUARED = polynomial(2, np.sqrt(2), np.sqrt(2))

over_engines = pytest.mark.parametrize("engine", [one_by_one, blocked])


def assert_alike(rule, engine, stream, kernel, binary_kernel, factor=1.0):
    X, labels = stream(classes=2)
    signs = np.copysign(labels[:, 1], 2 * labels[:, 0] - 1)
    many = run(engine, at_work(rule, kernel, X, 2, zero_is_mistake=True), X, labels)
    learner = binary_at_work(rule, binary_kernel, X, zero_is_mistake=True)
    binary = binary_run(engine, learner, X, signs)
    assert_array_equal(many.events, binary.events)
    assert_array_equal(many.supports, binary.supports)
    assert_close(many.weights, np.array([-binary.weights, binary.weights]), 1e-9)
    assert_close(many.scores[:, 1] - many.scores[:, 0], factor * binary.scores, 1e-9)


@over(RULES)
@over_engines
@pytest.mark.parametrize("stream", [gaussian_stream, tied_stream])
def test_every_rule_is_the_binary_one_with_twice_the_linear_kernel(rule, engine, stream):
    assert_alike(rule, engine, stream, linear(), Kernel(product=2.0))


@over(RULES)
@over_engines
def test_every_rule_is_the_binary_one_with_twice_the_quadratic_kernel(rule, engine):
    assert_alike(rule, engine, gaussian_stream, SQUARED, TWICE_SQUARED)


@over(FREE_OF_SCALE)
@over_engines
@pytest.mark.parametrize("stream", [gaussian_stream, tied_stream])
def test_rules_that_know_no_scale_make_the_same_mistakes_with_the_same_kernel(rule, engine, stream):
    assert_alike(rule, engine, stream, gaussian(0.5), gaussian(0.5), factor=2.0)
