"""Compilation: once, kept on disk, never stale; and what runs compiled runs plain."""

import re
import shutil
import textwrap
from pathlib import Path
from typing import NamedTuple

import numba
import pytest
from numba.core.registry import cpu_target

import budgetron
from budgetron.core.compiled import (
    PUBLIC,
    by_class,
    compiled,
    inlined,
    inlined_reassociated,
    plain,
)
from budgetron.core.kept_code import COMPILED
from engine.fresh import in_a_fresh_process, in_a_young_process

# ------------------------------------------------------------------------------- in this process


class Square(NamedTuple):
    side: float


class Circle(NamedTuple):
    radius: float


class Blob(NamedTuple):
    size: float


@by_class
def area(shape, unit):
    """The area, unknown unless said otherwise."""
    return -1.0


@area.register(Square)
def _(shape, unit):
    return shape.side**2 * unit


@area.register(Circle)
def _(shape, unit):
    return 3.0 * shape.radius**2 * unit


@numba.njit
def twice_the_area(shape, unit):
    return 2 * area(shape, unit)


@numba.njit
def area_by_name(shape):
    return area(shape=shape, unit=10.0)


SHAPES = [(Square(2.0), 4.0), (Circle(2.0), 12.0), (Blob(2.0), -1.0)]


@pytest.mark.parametrize(("shape", "expected"), SHAPES)
def test_python_finds_the_body_by_the_class_of_the_first_argument(shape, expected):
    assert area(shape, 1.0) == expected


@pytest.mark.parametrize(("shape", "expected"), SHAPES)
def test_the_compiler_finds_the_same_body(shape, expected):
    assert twice_the_area(shape, 1.0) == 2 * expected


def test_the_compiler_finds_it_by_keywords_too():
    assert area_by_name(Square(2.0)) == 40.0


def test_a_new_body_touches_nothing_else():
    class Line(NamedTuple):
        length: float

    @area.register(Line)
    def nothing(shape, unit):
        return 0.0

    assert area(Line(5.0), 1.0) == twice_the_area(Line(5.0), 1.0) == 0.0
    assert twice_the_area(Square(2.0), 1.0) == 8.0


def test_registering_gives_the_function_back():
    class Point(NamedTuple):
        x: float

    def body(shape, unit):
        return 0.5

    assert area.register(Point)(body) is body


def test_plain_gives_back_what_was_compiled():
    def function(x):
        return x + 1

    assert plain(numba.njit(function)) is function
    assert plain(function) is function


@pytest.mark.parametrize("mark", [inlined, inlined_reassociated])
def test_an_inlined_function_is_itself_in_python_and_part_of_what_is_compiled(mark):
    @mark
    def double(x):
        return 2 * x

    @numba.njit
    def quadruple(x):
        return double(double(x))

    assert not hasattr(double, "py_func")
    assert double(3) == 6
    assert quadruple(3) == 12


def test_a_piece_has_no_machine_code_but_in_what_it_is_part_of():
    @inlined
    def half_of_it(x):
        return x / 2

    @numba.njit
    def quarter_of_it(x):
        return half_of_it(half_of_it(x))

    assert quarter_of_it(4.0) == 1.0
    engine = cpu_target.target_context.codegen()._engine
    functions = [name for name in engine._defined_symbols if "NumbaEnv" not in name]
    assert any("quarter_of_it" in name for name in functions)
    assert not any("half_of_it" in name for name in functions)


def test_a_piece_can_raise():
    @inlined
    def root(x):
        if x < 0:
            raise ValueError("below zero")
        return x**0.5

    @numba.njit
    def root_of_both(x, y):
        return root(x) + root(y)

    assert root_of_both(4.0, 9.0) == 5.0
    with pytest.raises(ValueError, match="below zero"):
        root_of_both(4.0, -1.0)


def test_marking_a_function_leaves_numbas_settings_alone():
    before = numba.config.CACHE_DIR
    compiled(lambda x: x)
    assert before == numba.config.CACHE_DIR


# ---------------------------------------------------------------------------- in fresh processes


def test_without_what_is_private_of_numba_the_run_is_the_same(tmp_path):
    script = """
    import json
    import numpy as np
    import sys
    import budgetron
    from budgetron.core import compiled
    from budgetron.core.spinning import new_cell, spin
    assert [spin(new_cell(), awaited, 3) for awaited in (0, 1)] == [True, False]
    atomic = "budgetron.core.atomics" in sys.modules
    X = np.random.default_rng(0).normal(size=(60, 3))
    learner = budgetron.Stoptron(budget=5, gamma=0.5).fit(X, np.where(X[:, 0] > 0, 1, -1))
    print(json.dumps([bool(compiled._AS_PIECE), atomic, learner.dual_coef_.tolist()]))
    """
    script = textwrap.dedent(script)
    usual = in_a_young_process(script)
    plainly = {PUBLIC: "1", "NUMBA_OPT": "0"}  # to optimise every piece by itself takes long
    without = in_a_fresh_process(script, NUMBA_CACHE_DIR=str(tmp_path), **plainly)
    assert usual[:2] == [True, True]
    assert without == [False, False, usual[2]]


def test_a_numba_that_has_moved_what_is_private_is_done_with(tmp_path):
    script = """
    import json
    import numba.core.codegen
    del numba.core.codegen.JITCodeLibrary
    from budgetron.core.compiled import _AS_PIECE, inlined, not_kept

    @inlined
    def double(x):
        return 2 * x

    compiled = not_kept(lambda x: double(double(x)))
    print(json.dumps([bool(_AS_PIECE), compiled(3)]))
    """
    script = textwrap.dedent(script)
    assert in_a_fresh_process(script, NUMBA_CACHE_DIR=str(tmp_path)) == [False, 12]


@pytest.fixture
def package(tmp_path):
    """The package, copied to where it may be changed."""
    home = Path(budgetron.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__", "*.xz")
    return Path(shutil.copytree(home, tmp_path / "budgetron", ignore=ignored))


def used_cache(package):
    script = """
    import json
    from budgetron.core.kept_code import HOMES, SOURCES
    print(json.dumps(str(HOMES[0].path / SOURCES)))
    """
    return in_a_young_process(textwrap.dedent(script), path=package.parent)


def test_a_cache_is_that_of_the_sources_and_of_no_others(package):
    before = used_cache(package)
    assert before.startswith(str(package))
    assert used_cache(package) == before
    rule = package / "rules" / "forgetron.py"
    rule.write_text(rule.read_text() + "\n# changed\n")
    assert used_cache(package) != before


def test_what_is_made_of_a_changed_piece_is_compiled_anew(package):
    """As a walk is made of rules, in a file that does not change with them."""
    (package.parent / "mine.py").write_text(
        textwrap.dedent("""
        from budgetron.core.compiled import compiled
        from budgetron.core.random import draw_below

        @compiled
        def drawn(randomness):
            return draw_below(randomness, 1)
        """)
    )
    script = """
    import json
    import numpy as np
    from mine import drawn
    answer = drawn(np.ones(1, np.uint64))
    print(json.dumps([answer, sum(drawn.stats.cache_hits.values())]))
    """
    script = textwrap.dedent(script)
    assert in_a_young_process(script, path=package.parent) == [0, 0]
    assert in_a_young_process(script, path=package.parent) == [0, 1]
    piece = package / "core" / "random.py"
    piece.write_text(piece.read_text().replace(">> 32\n", "+ (7 << 32) >> 32\n"))
    assert in_a_young_process(script, path=package.parent) == [7, 0]


def test_a_rule_from_elsewhere_does_not_spoil_the_cache_for_those_who_do_not_have_it(tmp_path):
    (tmp_path / "elsewhere.py").write_text(
        textwrap.dedent("""
        from typing import NamedTuple
        from budgetron.core.edits.supports import add
        from budgetron.core.rule import updates
        from budgetron.core.triggers import MISTAKE

        class Mine(NamedTuple):
            weight: float

        @updates(Mine, on=MISTAKE)
        def add_with_my_weight(rule, f, y):
            add(f, weight=rule.weight * y)
        """)
    )
    with_it = """
    import json
    import numpy as np
    from budgetron.engine import Learner, NoRecord, one_by_one
    from budgetron.kernels import linear
    from elsewhere import Mine
    learner = Learner(Mine(3.0), linear(), 1)
    one_by_one(learner, np.ones((1, 1)), np.array([-1.0]), NoRecord())
    print(json.dumps(learner.weights.tolist()))
    """
    without_it = """
    import json
    import budgetron
    learner = budgetron.Perceptron().partial_fit([[0.0]], [-1], classes=[-1, 1])
    print(json.dumps(learner.dual_coef_.tolist()))
    """
    with_it, without_it = textwrap.dedent(with_it), textwrap.dedent(without_it)
    assert in_a_young_process(with_it, path=tmp_path) == [-3.0]
    assert in_a_young_process(without_it) == [[-1.0]]


def test_what_only_calls_machine_code_has_none():
    package = Path(budgetron.__file__).parent
    marks = re.compile(r"^@(compiled|inlined|pasted|by_class|numba)", re.MULTILINE)
    for source in package.rglob("*.py"):
        if source.relative_to(package).parts[0] not in COMPILED:
            assert not marks.search(source.read_text()), source
