"""Ctrl-C and SIGTERM keep what is learned."""

import os
import signal
import threading
import time

import pytest

from budgetron.saving import load_with_notes
from cli.process import finish, start
from cli.streams_of_rows import write_csv
from cli.test_kills import state


def rows_kept(model):
    return load_with_notes(model)[1]["run"]["tally"]["rows"] if model.exists() else 0


def pour(text, pipe, done):
    """Write to a pipe, and leave it open for a while."""
    with open(pipe, "wb") as file:
        file.write(text)
        file.flush()
        done.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_it_learned_and_can_be_gone_on_with(tmp_path, number):
    write_csv(tmp_path / "stream.csv", 2_000)
    text = (tmp_path / "stream.csv").read_bytes()
    pipe, model, told = (tmp_path / name for name in ("pipe.csv", "model", "told"))
    os.mkfifo(pipe)
    common = ("-l", "Projectron", "-s", "budget=30", "--window", 100, "--checkpoint-every", 100)
    command = ("run", pipe, *common, "--model", model)
    done = threading.Event()
    pouring = threading.Thread(target=pour, args=(text[: len(text) * 3 // 4], pipe, done))
    pouring.start()
    process = start(*command, "--sample", 10, output=told)
    while rows_kept(model) < 1_000:
        time.sleep(0.01)
    os.kill(process.pid, number)
    process.join()
    done.set()
    pouring.join()
    assert process.exitcode == 130
    assert rows_kept(model) % 100 == 0
    assert f"{rows_kept(model):,} rows were done and are kept in {model}" in told.read_text()
    assert "--resume" in told.read_text()

    pouring = threading.Thread(target=pour, args=(text, pipe, done))
    pouring.start()
    assert finish(*command, "--resume") == 0
    pouring.join()
    whole = tmp_path / "whole"
    assert finish("run", tmp_path / "stream.csv", *common, "--model", whole) == 0
    assert state(model) == state(whole)
