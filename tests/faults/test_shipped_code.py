"""Machine code that a wheel brings along: used where it fits, and never where it does not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from numba.core.registry import cpu_target

from benchmarks.wheels import installed
from budgetron.core.kept_code import KIND_OF_PROCESSOR, _target_of_shipped
from engine.fresh import in_a_fresh_process
from faults.test_compile_cache import ANSWERS, COMPILED, FROM_DISK, SCRIPT, mine, package, with_mine

__all__ = ["mine", "package"]

ROOT = Path(__file__).parents[2]
OF_THE_KIND = {"NUMBA_CPU_NAME": KIND_OF_PROCESSOR, "NUMBA_CPU_FEATURES": ""}

pytestmark = pytest.mark.skipif(
    _target_of_shipped(cpu_target.target_context.codegen()) is None,
    reason="shipped code is not for this processor",
)


def used(mine, **environment):
    """Numba looks at its environment when it is imported: it may not have been before."""
    return in_a_fresh_process(SCRIPT, path=mine, **environment)


@pytest.fixture(scope="module")
def compiled_ahead(tmp_path_factory):
    """Code for the kind of processors."""
    elsewhere, home = with_mine(tmp_path_factory.mktemp("elsewhere")), tmp_path_factory.mktemp("c")
    assert used(elsewhere, NUMBA_CACHE_DIR=str(home), **OF_THE_KIND) == COMPILED
    assert len(list(home.glob("budgetron-*/*.nbc"))) == len(ANSWERS)
    return home


@pytest.fixture
def shipped(package, compiled_ahead):
    """Where the package has it."""
    return Path(shutil.copytree(compiled_ahead, package / "machine_code"))


def test_shipped_code_is_used_and_nothing_is_written(mine, shipped, tmp_path):
    cache = tmp_path / "empty"
    assert used(mine, NUMBA_CACHE_DIR=str(cache)) == FROM_DISK
    assert not cache.exists()


def test_code_for_a_named_processor_is_compiled(mine, shipped, tmp_path):
    cache = str(tmp_path / "empty")
    assert used(mine, NUMBA_CACHE_DIR=cache, NUMBA_CPU_NAME="generic") == COMPILED


def test_a_processor_of_another_kind_compiles(mine, shipped, tmp_path):
    """As one that has no AVX, or may not use it."""
    cache = str(tmp_path / "empty")
    assert used(mine, NUMBA_CACHE_DIR=cache, NUMBA_ENABLE_AVX="0") == COMPILED


def test_damaged_code_is_compiled_anew_and_left_alone(mine, shipped, tmp_path):
    for path in shipped.glob("budgetron-*/*.nbc"):
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    before = {path: path.read_bytes() for path in shipped.glob("budgetron-*/*.nbc")}
    cache = str(tmp_path / "empty")
    assert used(mine, NUMBA_CACHE_DIR=cache) == COMPILED
    assert used(mine, NUMBA_CACHE_DIR=cache) == FROM_DISK
    assert {path: path.read_bytes() for path in shipped.glob("budgetron-*/*.nbc")} == before


def test_code_of_other_sources_is_not_used(mine, package, shipped, tmp_path):
    rule = package / "rules" / "forgetron.py"
    rule.write_text(rule.read_text() + "\n# changed\n")
    assert used(mine, NUMBA_CACHE_DIR=str(tmp_path / "empty")) == COMPILED


# --------------------------------------------------------------------------------------- wheels

FIRST_FIT = """
import json
import budgetron
from budgetron.core.threshold import follow
budgetron.DriftingThreshold().fit([[0.1], [0.9]], [0, 1])
print(json.dumps([budgetron.__file__, sum(follow.stats.cache_hits.values())]))
"""


def build(directory, **environment):
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(directory)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = directory.glob("*.whl")
    return wheel


def test_a_wheel_with_code_is_for_its_python_and_its_learners_need_not_compile(tmp_path):
    wheel = build(tmp_path, BUDGETRON_SHIP_CODE="DriftingThreshold")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-{python}-manylinux_2_17_x86_64" in wheel.name
    there = installed(wheel, tmp_path / "environment")
    own = {"HOME": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [there, "-c", FIRST_FIT], env=os.environ | own, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    source, hits = json.loads(done.stdout)
    assert source.startswith(str(tmp_path / "environment"))
    assert hits == 1
    assert not (tmp_path / "cache").exists()


def test_a_wheel_without_code_is_for_all(tmp_path):
    wheel = build(tmp_path, BUDGETRON_SHIP_CODE="")
    assert wheel.name.endswith("-py3-none-any.whl")
    with ZipFile(wheel) as archive:
        assert not any("machine_code" in name for name in archive.namelist())
