"""Machine code on disk: damaged, shared, old, or nowhere to be kept; the answer is always right.

Most of this is shown with a small function, compiled as those of the package are.
"""

import hashlib
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import budgetron
from budgetron.core.kept_code import HOMES, SOURCES
from engine.fresh import in_a_young_process

MODULE = """
from budgetron.core.compiled import compiled

@compiled
def triple(x):
    return 3 * x

@compiled
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s
"""

SCRIPT = """
import json, warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import numpy as np
    from mine import total, triple
    answers = [triple(7), triple(0.5), total(np.arange(4.0)), total(np.arange(4))]
hits = sum(sum(function.stats.cache_hits.values()) for function in (triple, total))
print(json.dumps([answers, hits, [str(warning.message) for warning in told]]))
"""

ANSWERS = [21, 1.5, 6.0, 6.0]
FROM_DISK = [ANSWERS, len(ANSWERS), []]
COMPILED = [ANSWERS, 0, []]


def with_mine(directory):
    """A directory with a copy of the package, and a module with compiled functions beside it."""
    home = Path(budgetron.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__", "*.xz")
    shutil.copytree(home, directory / "budgetron", ignore=ignored)
    (directory / "mine.py").write_text(MODULE)
    return directory


@pytest.fixture
def mine(tmp_path):
    """Where all of it may be changed."""
    return with_mine(tmp_path)


@pytest.fixture
def package(mine):
    """The copy."""
    return mine / "budgetron"


def used(mine, **environment):
    return in_a_young_process(SCRIPT, path=mine, **environment)


def contents(cache):
    return {path.name: path.read_bytes() for path in cache.glob("budgetron-*/*")}


# ------------------------------------------------------------------------------------- damaged


def emptied(data):
    return b""


def halved(data):
    return data[: len(data) // 2]


def shortened(data):
    return data[:-1]


def lengthened(data):
    return data + b"\0"


def doubled(data):
    return data + data


def random_bytes(data):
    return random.Random(0).randbytes(len(data))


def a_bit_flipped_in_the_machine_code(data):
    place = data.index(b"\x7fELF") + 200 if b"\x7fELF" in data else len(data) // 2
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def a_pickle_of_something_else(data):
    content = pickle.dumps("something else")
    return hashlib.sha256(content).digest() + content


DAMAGES = [
    *(emptied, halved, shortened, lengthened, doubled, random_bytes),
    *(a_bit_flipped_in_the_machine_code, a_pickle_of_something_else),
]


def test_damaged_files_heal(mine):
    cache = mine / "cache"
    assert used(mine, NUMBA_CACHE_DIR=str(cache)) == COMPILED
    whole = contents(cache)
    assert len(whole) == len(ANSWERS)
    for turn in range(3):
        paths = sorted(cache.glob("budgetron-*/*"))
        data = [path.read_bytes() for path in paths]
        for i, path in enumerate(paths):
            in_place_of_another = data[i - 1]
            damaged = DAMAGES[i](data[i]), DAMAGES[i + len(ANSWERS)](data[i]), in_place_of_another
            path.write_bytes(damaged[turn])
        assert used(mine, NUMBA_CACHE_DIR=str(cache)) == COMPILED
        assert contents(cache).keys() == whole.keys()
    assert used(mine, NUMBA_CACHE_DIR=str(cache)) == FROM_DISK


def test_a_learner_learns_the_same_from_a_damaged_cache(tmp_path):
    script = """
    import json
    import numpy as np
    import budgetron
    X = np.random.default_rng(0).normal(size=(60, 3))
    learner = budgetron.Stoptron(budget=5, gamma=0.5).fit(X, np.where(X[:, 0] > 0, 1, -1))
    print(json.dumps(learner.dual_coef_.tolist()))
    """
    script = textwrap.dedent(script)
    usual = in_a_young_process(script)
    (tmp_path / SOURCES).mkdir()
    kept = [path for home in HOMES for path in (home.path / SOURCES).glob("*.nbc")]
    for i, path in enumerate(kept):
        (tmp_path / SOURCES / path.name).write_bytes(DAMAGES[i % len(DAMAGES)](path.read_bytes()))
    damaged = contents(tmp_path)
    assert in_a_young_process(script, NUMBA_CACHE_DIR=str(tmp_path)) == usual
    healed = [name for name, data in contents(tmp_path).items() if data != damaged.get(name)]
    assert any("walk.walk" in name for name in healed)


# ---------------------------------------------------------------------------------- old and shared


def age(directory, days):
    then = time.time() - 86400 * days
    os.utime(directory, (then, then))


def test_caches_of_older_sources_leave_the_package(mine, package):
    own = package / "__pycache__"
    assert used(mine) == COMPILED
    (before,) = own.glob("budgetron-*")
    rule = package / "rules" / "forgetron.py"
    rule.write_text(rule.read_text() + "\n# changed\n")
    assert used(mine) == COMPILED
    (after,) = own.glob("budgetron-*")
    assert after != before
    assert used(mine) == FROM_DISK


def test_a_shared_directory_keeps_what_was_used_in_the_last_month(mine):
    cache = mine / "cache"
    names = {"recent": "budgetron-0123456789ab", "old": "budgetron-ba9876543210"}
    others = {"also-old": "budgetron-notes", "longer": "budgetron-0123456789abc"}
    for name in (*names.values(), *others.values()):
        (cache / name).mkdir(parents=True)
        (cache / name / "something").write_text("")
        age(cache / name, 29 if name == names["recent"] else 31)
    used(mine, NUMBA_CACHE_DIR=str(cache))
    left = {path.name for path in cache.iterdir()}
    assert names["old"] not in left
    assert {names["recent"], *others.values()} < left


def test_a_cache_that_is_used_is_not_old(mine):
    cache = mine / "cache"
    used(mine, NUMBA_CACHE_DIR=str(cache))
    (own,) = cache.iterdir()
    age(own, 100)
    assert used(mine, NUMBA_CACHE_DIR=str(cache)) == FROM_DISK
    assert time.time() - own.stat().st_mtime < 86400


def test_processes_that_compile_at_once_do_not_disturb_each_other(mine):
    cache = mine / "cache"
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(mine), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    command = [sys.executable, "-c", SCRIPT]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(4)]
    for process in running:
        told, _ = process.communicate()
        assert process.returncode == 0
        assert json.loads(told)[::2] == [ANSWERS, []]
    assert used(mine, NUMBA_CACHE_DIR=str(cache)) == FROM_DISK
    assert len(contents(cache)) == len(ANSWERS)


# ------------------------------------------------------------------------------- nowhere to be kept


def nowhere(package):
    """An environment without a place to write in: the package has none, the user has no home."""
    (package / "__pycache__").write_text("no directory")
    below = str(package / "__pycache__" / "below")
    return {"NUMBA_CACHE_DIR": "", "HOME": below, "XDG_CACHE_HOME": below}


def test_without_a_place_to_keep_it_code_is_compiled_with_one_warning(mine, package):
    answers, hits, told = used(mine, **nowhere(package))
    assert (answers, hits) == (ANSWERS, 0)
    assert len(told) == 1 and "NUMBA_CACHE_DIR" in told[0]


def test_a_directory_that_was_named_is_the_only_one(mine, package):
    cache = str(package / "__init__.py" / "below")
    assert len(used(mine, NUMBA_CACHE_DIR=cache)[-1]) == 1
    assert contents(package / "__pycache__") == {}


def test_the_warning_is_no_error_where_warnings_are(mine, package):
    script = SCRIPT.replace('"always"', '"error"')
    answers, _, _ = in_a_young_process(script, path=mine, **nowhere(package))
    assert answers == ANSWERS


def test_the_next_place_is_taken(mine, package):
    environment = nowhere(package) | {"XDG_CACHE_HOME": str(mine / "home")}
    assert used(mine, **environment) == COMPILED
    assert used(mine, **environment) == FROM_DISK
    assert len(contents(mine / "home" / "budgetron")) == len(ANSWERS)


def test_a_cache_that_can_only_be_read_is_read(mine):
    """Writing fails here as on a file system that is mounted read-only."""
    cache = mine / "cache"
    used(mine, NUMBA_CACHE_DIR=str(cache))
    script = FAILING.format(error="EROFS") + SCRIPT
    assert in_a_young_process(script, path=mine, NUMBA_CACHE_DIR=str(cache)) == FROM_DISK


FAILING = """
import errno, os, pathlib
def fail(path, *_, **__):
    with open(path, "wb") as file:
        file.write(b"half of it")
    raise OSError(errno.{error}, os.strerror(errno.{error}))
pathlib.Path.write_bytes = fail
"""


def test_a_full_disk_leaves_nothing_behind(mine):
    cache = mine / "cache"
    script = FAILING.format(error="ENOSPC") + SCRIPT
    environment = {"NUMBA_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(mine / "home")}
    answers, hits, told = in_a_young_process(script, path=mine, **environment)
    assert (answers, hits, len(told)) == (ANSWERS, 0, 1)
    assert contents(cache) == contents(mine / "home" / "budgetron") == {}
