"""Which tests run: all but those of the slow reference, the quick ones, or those of a learner."""

import gc
import os
import re
from functools import cache

import pytest
from hypothesis import settings

import budgetron
from budgetron.core.rule import contract
from budgetron.registry import LEARNERS

pytest.register_assert_rewrite("rules.by_hand", "laws.runs")

settings.register_profile("fast", max_examples=25, deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

NAMED = re.compile(
    "|".join(rf"(?<![A-Za-z]){name}(?![A-Za-z])" for name in sorted(LEARNERS, reverse=True))
)
SHARING = (
    *("tests/datasets/", "tests/report/", "tests/test_drift.py", "tests/test_race.py"),
    *("tests/test_trust.py", "tests/engine/test_compiled_once.py", "tests/faults/test_pages.py"),
    *("tests/faults/test_terminals.py", "tests/laws/test_uncompiled_equals_compiled.py"),
    *("tests/paper/test_drifting_hyperplanes.py", "tests/paper/test_projectron_tables.py"),
    *("tests/reading/test_cost.py", "tests/cli/test_kills.py"),
)
"""What they make is for all of their tests, and takes long."""


def pytest_addoption(parser):
    parser.addoption("--learner", help="all that concerns one learner, by the name of its class")


def pytest_configure(config):
    config.addinivalue_line("markers", "quick: one cell of a law for each learner (make quick)")
    config.addinivalue_line("markers", "gpu: needs a GPU, and is skipped without one")


def pytest_ignore_collect(collection_path):
    """The tests of the slow reference run when it changes: `make oracle`."""
    return True if collection_path.name == "oracle_tests" else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Examples are in the package alone: nothing is imported once more in search of them here."""
    collectors = yield
    return [collector for collector in collectors if type(collector) is pytest.Module]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One process compiles a learner, and not both: all tests that name it go to the same one.

    So do those of all learners that keep the same, which are compiled of the same pieces, and tests
    that share what takes long to make. Those of most tests come first; the rest goes to whoever is
    idle.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByMemory(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            for shared in SHARING:
                if file.startswith(shared):
                    return shared
            found = NAMED.search(nodeid)
            if not found and file.startswith("tests/core/"):  # functions compiled for one file
                return file
            return _memory_of(found[0]) if found else nodeid

    return ByMemory(config, log)


@cache
def _memory_of(name):
    learner = LEARNERS[name].estimator
    return contract(learner()._rule()).keeps.__name__ if hasattr(learner, "_rule") else name


def pytest_collection_finish():
    """What all tests have in common is not searched for garbage after each of them.

    Nor is it searched for as often as usual: a fifth of the time that the compiler takes is spent
    on looking for garbage among what it keeps.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.path.parent.name == "rules":
            item.add_marker(pytest.mark.quick)
    if learner := config.getoption("learner"):
        if learner not in budgetron.__all__:
            raise pytest.UsageError(f"--learner must be a learner's name: {learner}")
        chosen, others = [], []
        for item in items:
            (chosen if _concerns(item, learner) else others).append(item)
        config.hook.pytest_deselected(items=others)
        items[:] = chosen


def _concerns(item, learner):
    """Its name is in the test's, or the module is its own: its rule, its classifier, its test."""
    home = getattr(budgetron, learner).__module__.rpartition(".")[2]
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", learner).lower()
    in_name = re.search(rf"(?<![A-Za-z]){learner}(?![A-Za-z])", item.nodeid)
    return bool(in_name) or item.path.stem.removeprefix("test_") in {home, snake}
