"""Processes for tests are what the tests take them for."""

import json
import sys

import pytest

from engine.fresh import in_a_fresh_process, in_a_young_process

SCRIPT = """
import json, os, sys
ours = [name for name in sys.modules if name.partition(".")[0] in ("budgetron", "pytest")]
print(json.dumps([ours, os.environ["TOLD"], sys.path[0], sys.stdin.read()]))
"""


def test_a_young_process_knows_nothing_of_the_package_and_what_it_is_told(tmp_path):
    for turn in "12":
        assert in_a_young_process(SCRIPT, path=tmp_path, TOLD=turn) == [[], turn, str(tmp_path), ""]


def test_it_imports_from_where_a_fresh_one_does():
    script = "import budgetron, json; print(json.dumps(budgetron.__file__))"
    assert in_a_young_process(script) == in_a_fresh_process(script)


@pytest.mark.parametrize("process", [in_a_fresh_process, in_a_young_process])
def test_what_goes_wrong_is_told(process):
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        process("1 / 0")
    with pytest.raises(AssertionError, match="enough"):
        process("raise SystemExit('enough')")
    assert process(f"print({json.dumps(sys.executable)!r})") == sys.executable
