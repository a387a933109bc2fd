"""Independent slow reference for the learners, written from the papers alone.

Standard library only, but for the matrices of projectron.py and second_order.py, which are numpy's;
nothing here knows the package under test.
"""

from .arithmetic import Number, Vector, divide, is_exact, total
from .kernels import Kernel, gaussian, linear, normalized, polynomial
from .learners import (
    ForgetronRound,
    budget_perceptron,
    exponential_decay_perceptron,
    forgetron,
    largest_phi,
    least_recent_budget_perceptron,
    modified_perceptron,
    passive_aggressive,
    passive_aggressive_i,
    passive_aggressive_ii,
    perceptron,
    psi,
    randomized_budget_perceptron,
    shifting_perceptron,
    stoptron,
)
from .projectron import ProjectronRound, projectron, projectron_plus_plus
from .rounds import Round, Stream, Supports, Trial, ZeroScore, compare, evaluate, is_mistake
from .second_order import (
    PseudoinverseRound,
    SecondOrderRound,
    adaptive_second_order_perceptron,
    least_recent_budget_second_order_perceptron,
    pseudoinverse_second_order_perceptron,
    randomized_budget_second_order_perceptron,
    second_order_perceptron,
    second_order_perceptron_primal,
    whitened,
    whitened_perceptron,
)

__all__ = [
    "ForgetronRound",
    "Kernel",
    "Number",
    "ProjectronRound",
    "PseudoinverseRound",
    "Round",
    "SecondOrderRound",
    "Stream",
    "Supports",
    "Trial",
    "Vector",
    "ZeroScore",
    "adaptive_second_order_perceptron",
    "budget_perceptron",
    "compare",
    "divide",
    "evaluate",
    "exponential_decay_perceptron",
    "forgetron",
    "gaussian",
    "is_exact",
    "is_mistake",
    "largest_phi",
    "least_recent_budget_perceptron",
    "least_recent_budget_second_order_perceptron",
    "linear",
    "modified_perceptron",
    "normalized",
    "passive_aggressive",
    "passive_aggressive_i",
    "passive_aggressive_ii",
    "perceptron",
    "polynomial",
    "projectron",
    "projectron_plus_plus",
    "pseudoinverse_second_order_perceptron",
    "psi",
    "randomized_budget_perceptron",
    "randomized_budget_second_order_perceptron",
    "second_order_perceptron",
    "second_order_perceptron_primal",
    "shifting_perceptron",
    "stoptron",
    "total",
    "whitened",
    "whitened_perceptron",
]
