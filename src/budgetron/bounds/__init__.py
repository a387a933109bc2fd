"""The papers' theorems: one function each, and one module for each paper; and our own.

A function takes measured numbers, such as the norm and the hinge loss of a competitor, and returns
a `Bound`, or raises an `AssumptionError` that says which of the theorem's assumptions fails.
"""

from . import drift, flagship, forgetron, perceptron, projectron, second_order, tracking
from .bound import Assumption, AssumptionError, Bound

__all__ = [
    "Assumption",
    "AssumptionError",
    "Bound",
    "drift",
    "flagship",
    "forgetron",
    "perceptron",
    "projectron",
    "second_order",
    "tracking",
]
