"""The sources run without the compiler, without a warning, and mean the same."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from laws.runs import Run, assert_same
from laws.small_runs import small_runs

TESTS = Path(__file__).parents[1]


def test_without_the_compiler_every_run_is_the_same(tmp_path):
    file = tmp_path / "runs.npz"
    subprocess.run(
        [sys.executable, "-W", "error", "-m", "laws.small_runs", file],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=TESTS,
        check=True,
    )
    uncompiled = np.load(file)
    for name, run in small_runs().items():
        same = Run(*(uncompiled[f"{name} {field}"] for field in Run._fields))
        assert_same(same, run, tolerance=1e-5 if "float32" in name else 1e-9)
