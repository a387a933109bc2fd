"""Tuples that compiled functions give to each other by their address."""

import gc
import sys
from typing import NamedTuple

import numpy as np
import pytest

from budgetron.core.compiled import by_class, by_reference, inlined, not_kept
from budgetron.core.references import Reference


class Inner(NamedTuple):
    values: np.ndarray
    matrix: np.ndarray
    is_on: bool


@by_reference
class Outer(NamedTuple):
    inner: Inner
    total: np.ndarray
    factor: float


@by_class
def weight_of(f, i):
    """Nothing, unless said otherwise."""
    return 0.0


@weight_of.register(Outer)
def _(f, i):
    return f.factor * f.inner.values[i]


@inlined
def add_up(f, first):
    for i in range(first, len(f.inner.values)):
        f.total[0] += weight_of(f, i) * f.inner.matrix[i, 1]


@not_kept
def summed(f, first):
    """Small enough to become part of what calls it from Python."""
    f.total[0] = 0.0
    if f.inner.is_on:
        add_up(f, first)
    return f.total[0]


@not_kept
def doubled(f):
    """Writes where it reads."""
    for i in range(len(f.inner.values)):
        f.inner.values[i] += f.inner.values[len(f.inner.values) - 1 - i] * f.factor
        f.total[0] = f.inner.values[0]
    return f.total[0]


def outer(size, factor=2.0, is_on=True):
    matrix = np.arange(2.0 * size).reshape(size, 2)
    return Outer(Inner(np.arange(1.0, size + 1), matrix, is_on), np.zeros(1), factor)


def test_fields_are_found_and_written_on_at_any_depth():
    for size in (1, 2, 7, 100):  # other tuples at other calls
        f = outer(size)
        expected = 2 * float(f.inner.values @ f.inner.matrix[:, 1])
        assert summed(f, 0) == f.total[0] == expected
        assert summed(outer(size, is_on=False), 0) == 0
    assert isinstance(summed.signatures[0][0], Reference)


def test_what_is_written_is_read_again():
    for size in (2, 5, 64):
        compiled, plain = outer(size, 0.5), outer(size, 0.5)
        assert doubled(compiled) == doubled.py_func(plain)
        np.testing.assert_array_equal(compiled.inner.values, plain.inner.values)


def test_nobody_owns_more_than_before():
    f = outer(5)
    before = [sys.getrefcount(array) for array in (f.inner.values, f.inner.matrix, f.total)]
    for _ in range(10):
        summed(f, 0)
    assert before == [sys.getrefcount(a) for a in (f.inner.values, f.inner.matrix, f.total)]


def test_an_exception_leaves_the_garbage_collector_as_it_was():
    before = gc.get_threshold()
    with pytest.raises(Exception, match="values"):
        not_kept(lambda f: f.no_such_values)(outer(3))
    assert gc.get_threshold() == before
    not_kept(lambda f: f.total[0])(outer(3))
    assert gc.get_threshold() == before


def test_a_field_of_another_type_is_other_machine_code():
    f = outer(3)
    with_floats = f._replace(inner=f.inner._replace(values=f.inner.values.astype(np.float32)))
    assert summed(with_floats, 0) == summed(f, 0)
