"""Whatever happens to a run, it can be gone on with, and nobody can tell afterwards.

`BUDGETRON_KILLS=200` for a long run.
"""

import os
import random
import time

import numpy as np
import pytest

from budgetron import prequential
from budgetron.saving import load_with_notes
from cli.process import finish, start
from cli.streams_of_rows import write_csv

KILLS = int(os.environ.get("BUDGETRON_KILLS", "12"))
IN_A_ROW = 3
"""Then a run may go on to its end: on a busy machine it might never get there otherwise."""


class Place:
    """A directory with the files of one run."""

    def __init__(self, directory, stream, learner):
        directory.mkdir()
        self.model, self.predictions, self.aside = (
            directory / name for name in ("model.budgetron", "predictions.csv", "aside.jsonl")
        )
        self.command = (
            *("run", stream, "--learner", learner, "--set", "budget=60", "--set", "gamma=2"),
            *("--model", self.model, "--predictions", self.predictions, "--aside", self.aside),
            *("--window", 100, "--checkpoint-every", 300, "--resume"),
        )

    def left(self):
        return self.predictions.read_bytes(), self.aside.read_bytes(), state(self.model)


def state(path):
    """What a model knows, and what it would do next, to the last bit."""
    learner, notes = load_with_notes(path)
    tally = notes["run"]["tally"] | {"seconds": 0}
    known = [learner.dual_coef_.tobytes(), learner.support_vectors_.tobytes()]
    X = np.random.default_rng(9).uniform(-1, 1, size=(500, 4))
    trace = prequential(learner, X, np.where(X[:, 0] > 0, "in", "out"))
    return tally, known, trace.scores.tobytes(), trace.evicted.tobytes(), learner.n_seen_


@pytest.mark.parametrize("learner", ["Projectron", "RandomizedBudgetPerceptron"])
def test_runs_that_are_killed_again_and_again_end_like_one_that_is_not(tmp_path, learner):
    stream = tmp_path / "stream.csv"
    write_csv(stream, 5_000, bad_every=799)
    whole = Place(tmp_path / "whole", stream, learner)
    assert finish(*whole.command) == 0
    began = time.perf_counter()
    assert finish(*whole.command[:-1]) == 0
    seconds = time.perf_counter() - began
    moments, kills, chains = random.Random(learner), 0, 0
    while kills < KILLS // 2:
        place = Place(tmp_path / f"chain-{chains}", stream, learner)
        chains += 1
        for _ in range(IN_A_ROW):
            process = start(*place.command)
            process.join(moments.uniform(0, seconds))
            process.kill()
            process.join()
            if process.exitcode == 0:
                break
            assert process.exitcode == -9
            kills += 1
        else:
            assert finish(*place.command) == 0
        assert place.left() == whole.left()
