"""Independent runs give the same wherever they are done, and each has one core."""

import os
import signal
import time
from functools import partial

import joblib
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from budgetron.evaluation import sweep
from budgetron.papers.drifting_hyperplanes import runs_of
from budgetron.papers.task import Results, perform
from cli.commands import run


def squared_slowly(number):
    time.sleep(0.02 * (3 - number))
    return number**2


def threads():
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)


def refused():
    raise ValueError("not this one")


@pytest.mark.parametrize("jobs", [None, 2])
def test_outcomes_come_in_the_order_of_the_calls_or_as_they_are_done(jobs):
    calls = [partial(squared_slowly, number) for number in range(4)]
    assert [*sweep(calls, jobs)] == [0, 1, 4, 9]
    assert sorted(sweep(calls, jobs, as_they_come=True)) == [0, 1, 4, 9]


def test_a_call_has_one_core_and_leaves_the_others_as_they_were():
    with threadpool_limits(2):
        assert [*sweep([threads] * 2)] == [1, 1]
        assert threads() == 2
    assert [*sweep([threads] * 2, jobs=2)] == [1, 1]


def test_what_joblib_is_told_counts_where_no_number_is_given():
    with joblib.parallel_config(n_jobs=2):
        assert os.getpid() not in [*sweep([os.getpid] * 3)]
        assert [*sweep([os.getpid], jobs=1)] == [os.getpid()]


@pytest.mark.parametrize("jobs", [None, 2])
def test_an_error_is_raised_here(jobs):
    with pytest.raises(ValueError, match="not this one"):
        [*sweep([refused, threads], jobs)]


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    here = {
        "host": "127.0.0.1",
        "dashboard_address": "127.0.0.1:0",
        "worker_dashboard_address": None,
    }
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **here) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_a_cluster_that_loses_a_worker_has_the_results_of_one_process(cluster, tmp_path):
    tasks, done = runs_of(5, "random", runs=120, length=3000), 0
    workers = cluster.run(os.getpid)

    def kill_one(some):
        nonlocal done
        done += some
        if done == 1:
            os.kill(next(iter(workers.values())), signal.SIGKILL)

    with joblib.parallel_config("dask"):
        perform(tasks, Results(tmp_path / "cluster"), progress=kill_one)
    perform(tasks, Results(tmp_path / "alone"))
    alone, spread = [Results(tmp_path / name) for name in ("alone", "cluster")]
    assert done == len(tasks) == 6
    assert {**alone} == {**spread}


def test_a_race_on_a_cluster_is_the_race(cluster, tmp_path):
    path = tmp_path / "stream.csv"
    path.write_text("a,b,label\n" + "".join(f"{k % 7},{k % 3},{k % 5 % 2}\n" for k in range(300)))
    options = ("race", path, "-l", "Forgetron budget=20", "-l", "Perceptron")
    tables = [run(*options, *more) for more in ((), ("--scheduler", cluster.scheduler.address))]
    here, there = [[line.split()[:4] for line in it.stdout.splitlines()] for it in tables]
    assert here == there and len(here) > 4
