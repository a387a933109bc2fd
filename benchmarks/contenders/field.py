"""All who go over one stream."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

from . import of_scikit_learn
from .matching import numbers_of
from .ours import (
    can_go_row_by_row,
    dtypes_of,
    finds_its_width,
    in_batches,
    learners,
    matched_budget,
    row_by_row,
)

__all__ = ["field", "missing_libraries"]

BATCH = 100
GROWING = ("Perceptron", "PassiveAggressiveI")
"""For what no budget would give."""
PEERS = {"river": "River", "vowpalwabbit": "Vowpal Wabbit"}


def missing_libraries():
    """The peers that are not installed."""
    return [name for module, name in PEERS.items() if find_spec(module) is None]


def field(stream, scale):
    """The contenders for a stream: with two sizes of memory, and ours with a third.

    The third is small, as is that of linear models. Row by row there is one size.
    """
    budgets = scale.budget, scale.small_budget, scale.tiny_budget
    much, little, least = (numbers_of(budget, stream.width) for budget in budgets)
    names = learners(scale, on_a_budget=True)

    def fitting(name, numbers):
        return matched_budget(name, stream, numbers)

    ours = [
        in_batches(name, stream, fitting(name, numbers), dtype)
        for name in names
        for numbers in (much, little, least)
        for dtype in dtypes_of(name)
    ]
    ours += [
        in_batches(name, stream, None)
        for name in learners(scale, on_a_budget=False)
        if name in GROWING
    ]
    if can_go_row_by_row(stream):
        ours += [row_by_row(name, stream, fitting(name, little)) for name in names]
    widths = tuple({"gamma": gamma} for gamma in stream.gammas)
    contenders = [
        each if finds_its_width(each.settings["learner"]) else replace(each, choices=widths)
        for each in ours
    ]
    for numbers in (much, little):
        contenders += of_scikit_learn.mapped(stream, numbers, BATCH)
    contenders += of_scikit_learn.mapped(stream, little, 1)
    for at_once in (1, BATCH):
        contenders += of_scikit_learn.linear(stream, at_once)
    if find_spec("river"):
        of_river = import_module(".of_river", __package__)
        contenders += [*of_river.linear(stream), *of_river.mapped(stream, little)]
        contenders += [*of_river.trees(stream), of_river.nearest(stream, scale.small_budget)]
    if find_spec("vowpalwabbit"):
        of_vw = import_module(".of_vowpal_wabbit", __package__)
        contenders += [of_vw.linear(stream), of_vw.kernel_machine(stream)]
    return [*{(each.library, each.name): each for each in contenders}.values()]
