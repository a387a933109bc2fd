"""Learners compiled ahead."""

import os
import subprocess
import sys

import pytest

from cli.commands import run
from engine.fresh import in_a_fresh_process

USED = """
import json
import numpy as np
from numba.core import event
from budgetron import DriftingThreshold

class Counter(event.Listener):
    compiled = 0
    def on_start(self, event):
        Counter.compiled += 1
    def on_end(self, event):
        pass

X = np.random.default_rng(0).random((20, 1))
with event.install_listener("numba:compile", Counter()):
    learner = DriftingThreshold().fit(X, X[:, 0] > 0.5)
    learner.predict(X)
print(json.dumps(Counter.compiled))
"""


def test_what_is_compiled_ahead_is_not_compiled_later(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "budgetron", "warm", "driftingthreshold"]
    done = subprocess.run(command, env=os.environ | cache, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("driftingthreshold: ")
    assert in_a_fresh_process(USED, **cache) == 0


@pytest.mark.parametrize("rows", ["sparse", "both"])
def test_rows_of_any_kind_can_be_asked_for(rows):
    assert run("warm", "DriftingThreshold", "--rows", rows, "--dtype", "both").exit_code == 0


def test_a_learner_that_learns_no_single_rows_is_compiled_too():
    assert run("warm", "WhitenedPerceptron").exit_code == 0


def test_nothing_is_compiled_if_a_name_is_wrong():
    done = run("warm", "Stoptron", "Stoptorn")
    assert done.exit_code == 2
    assert "Stoptorn" in done.stderr and "Stoptron:" not in done.stdout
