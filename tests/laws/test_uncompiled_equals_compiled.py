"""The sources run without the compiler, without a warning, and mean the same in every layout."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from laws.learners import LEARNERS, layouts
from laws.runs import Run, assert_same
from laws.small_runs import ALL_LAYOUTS, small_run

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def uncompiled(tmp_path_factory):
    """The run of a learner in a layout."""
    file = tmp_path_factory.mktemp("uncompiled") / "runs.npz"
    subprocess.run(
        [sys.executable, "-W", "error", "-m", "laws.small_runs", file],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=TESTS,
        check=True,
    )
    arrays = np.load(file)
    return lambda case, layout: Run(*(arrays[f"{case} {layout} {name}"] for name in Run._fields))


def tolerance(layout):
    return 1e-5 if "float32" in layout else 1e-9


def test_without_the_compiler_every_run_is_the_same(uncompiled):
    for case in LEARNERS:
        for layout in layouts(case):
            expected = small_run(case, layout)
            where = f"{case}, {layout}"
            assert_same(uncompiled(case, layout), expected, tolerance(layout), where)


def test_without_the_compiler_every_layout_makes_the_same_run(uncompiled):
    for case in LEARNERS:
        for layout in ALL_LAYOUTS:
            run, where = uncompiled(case, layout), f"{case}, {layout}"
            assert_same(run, uncompiled(case, "dense"), tolerance(layout), where)
