"""Threads: they share the work, change nothing, and leave BLAS as it was."""

import os
from contextlib import ExitStack, suppress
from threading import Barrier, Event, Thread, current_thread, enumerate, main_thread
from time import process_time, sleep

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from budgetron import ProjectronPlusPlus
from budgetron.engine import Learner, Record, decide, group, threads, together
from budgetron.engine.threads import ThreadTeam, threads_allowed
from budgetron.kernels import gaussian
from budgetron.rules.forgetron import Forgetron
from streams import over_storages, signs


@pytest.fixture
def two_for_everything(monkeypatch):
    monkeypatch.setattr(group, "threads_allowed", lambda: 2)
    for work in ("WORTH_A_SECOND", "WORTH_A_THREAD", "LARGE"):
        monkeypatch.setattr(group, work, 0)
    monkeypatch.setattr(group, "MANY_SUPPORTS", 0)


def learners(X, many):
    rules = [Forgetron(20), ProjectronPlusPlus(budget=15)._rule()]
    kind = {"sparse": not isinstance(X, np.ndarray)}
    return [Learner(rules[i % 2], gaussian(0.3), X.shape[1], **kind) for i in range(many)]


def run(X, all_labels, many):
    labels = [all_labels[i % 3] for i in range(many)]
    own, records = learners(X, many), [Record(X.shape[0]) for _ in range(many)]
    together(own, X, labels, records)
    return own, records


@over_storages
@pytest.mark.parametrize("many", [1, 3, 12])
def test_threads_change_nothing(storage, many, request):
    X = np.random.default_rng(0).normal(size=(900, 5))
    X, labels = storage(X), [signs(column > 0) for column in X.T]
    alone, records = run(X, labels, many)
    request.getfixturevalue("two_for_everything")
    beside, others = run(X, labels, many)
    for a, b, record, other in zip(alone, beside, records, others, strict=True):
        np.testing.assert_array_equal(record.events, other.events)
        np.testing.assert_array_equal(a.births, b.births)
        np.testing.assert_allclose(a.weights, b.weights, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(decide(a, X), decide(b, X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("many", [0, 1, 2, 7])
def test_everything_is_done_once(size, many):
    with ExitStack() as stack:
        done = []
        ThreadTeam(size, stack).do(many, done.extend)
    assert sorted(done) == [*range(many)]


def test_what_goes_wrong_in_a_thread_is_heard_of():
    def fail(part):
        raise ArithmeticError(part)

    with ExitStack() as stack, pytest.raises(ArithmeticError):
        ThreadTeam(2, stack).do(4, fail)


def test_what_goes_wrong_in_one_thread_is_the_end_for_all():
    done, wrong = [], Event()

    def fail_in_a_helper(part):
        if current_thread() is not main_thread():
            wrong.set()
            raise ArithmeticError
        wrong.wait(10)
        done.append(part)

    with ExitStack() as stack, pytest.raises(ArithmeticError):
        ThreadTeam(2, stack).each([range(i, i + 1) for i in range(1000)], fail_in_a_helper)
    assert len(done) < 100


def test_after_an_error_nobody_is_at_it_any_more():
    at_work, entered = [], Event()

    def task(part):
        if current_thread() is main_thread():
            entered.wait(10)
            raise KeyboardInterrupt
        at_work.append(part)
        entered.set()
        sleep(0.05)
        at_work.remove(part)

    for _ in range(5):
        entered.clear()
        with ExitStack() as stack:
            team = ThreadTeam(3, stack)
            with pytest.raises(KeyboardInterrupt):
                team.each([range(i, i + 1) for i in range(9)], task)
            assert not at_work


def helpers_of(many, stack):
    """The threads that a team works with."""
    seen = set()

    def look(part):
        seen.add(current_thread())
        sleep(0.02)

    ThreadTeam(many, stack).each([range(i, i + 1) for i in range(4 * many)], look)
    return seen - {current_thread()}


def test_helpers_are_the_same_from_call_to_call_and_go_home(monkeypatch):
    monkeypatch.setattr(threads, "IDLE", 0.5)
    with ExitStack() as stack:
        first = helpers_of(3, stack)
        with ExitStack() as other:
            assert not helpers_of(3, other)  # others have them
    with ExitStack() as stack:
        assert helpers_of(3, stack) == first
        sleep(1)  # they go home
        assert not any(thread.is_alive() for thread in first)
        assert len(helpers_of(3, stack)) in (0, 2)
    with ExitStack() as stack:
        assert len(helpers_of(3, stack)) == 2
    sleep(1)
    assert not any(thread.name == "budgetron" for thread in enumerate())


def test_helpers_that_wait_use_no_processor():
    with ExitStack() as stack:
        helpers_of(2, stack)
        sleep(0.01)
        before = process_time()
        sleep(0.2)
        assert process_time() - before < 0.1
    before = process_time()
    sleep(0.2)
    assert process_time() - before < 0.1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_helpers_of_its_own():
    with ExitStack() as stack:
        helpers_of(2, stack)
        child = os.fork()
        if child == 0:
            with ExitStack() as own:
                os._exit(0 if len(helpers_of(2, own)) == 1 else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_blas_is_left_as_it_was():
    with threadpool_limits(2):
        before = threads_allowed()
        with suppress(ArithmeticError), ExitStack() as stack:
            ThreadTeam(1, stack)
            ThreadTeam(1, stack)
            assert threads_allowed() == 1
            raise ArithmeticError
        assert threads_allowed() == before


def test_blas_is_left_as_it_was_by_teams_that_overlap():
    first_in, first_out = Barrier(2), Barrier(2)

    def overlap():
        first_in.wait()
        with ExitStack() as stack:
            ThreadTeam(1, stack)
            first_out.wait()
            first_out.wait()

    with threadpool_limits(2):
        before = threads_allowed()
        other = Thread(target=overlap)
        other.start()
        with ExitStack() as stack:
            ThreadTeam(1, stack)
            first_in.wait()
            first_out.wait()
        first_out.wait()
        other.join()
        assert threads_allowed() == before


def test_small_work_is_for_one_thread():
    X = np.zeros((5000, 100))

    def threads(many, rows=X):
        return group.threads_for(group.work_of_block(many, rows), 16)

    assert threads(learners(X, 1)) == threads(learners(X, 12), X[:100]) == 1
    assert threads(learners(X, 12)) == 12
    wide = np.zeros((5000, 1000))
    one, few, more = (
        threads([Learner(Forgetron(size), gaussian(1.0), 1000)], wide) for size in (50, 500, 5000)
    )
    assert 1 == one < few < more


def test_blas_is_kept_to_one_thread_whoever_had_limited_it():
    """A thread that learns for another one is not the one that called `threadpool_limits`."""
    seen = []

    def learn():
        with ExitStack() as stack:
            ThreadTeam(1, stack)
            seen.append(threads_allowed())
        seen.append(threads_allowed())

    with threadpool_limits(2):
        thread = Thread(target=learn)
        thread.start()
        thread.join()
        seen.append(threads_allowed())
    assert seen == [1, 2, 2]


def test_blas_is_kept_to_one_thread_until_the_last_one_leaves():
    """Else the digits of whoever is still at work would depend on when another one ends."""
    first, second = ExitStack(), ExitStack()
    with threadpool_limits(2):
        seen = []
        for stack in (first, second):
            ThreadTeam(1, stack)
            seen.append(threads_allowed())
        for stack in (first, second):
            stack.close()
            seen.append(threads_allowed())
    assert seen == [1, 1, 1, 2]
