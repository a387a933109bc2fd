"""Thirty-four faults, put into copies of the package one at a time: the tests named must notice.

`python scripts/mutate.py` tries all of them, `python scripts/mutate.py 3 7` some. Nothing is
compiled, so that a fault in a rule costs no more than one in a formula; a table at the end says
which tests noticed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """A change of one place in a file, and the tests that have to notice it."""

    file: str
    right: str
    wrong: str
    tests: str
    only: str = ""  # what the tests' names have to contain


BLOCKED = "tests/laws/test_blocked_equals_one_by_one.py"
REFERENCE = "tests/laws/test_equals_the_slow_reference.py"

FAULTS = [
    # rules
    Fault("rules/forgetron.py", "> rule.budget", ">= rule.budget", "tests/rules/test_forgetron.py"),
    Fault("rules/forgetron.py", "15 / 32 * M - Q", "15 / 32 * M", "tests/rules/test_forgetron.py"),
    Fault(
        "rules/randomized_budget_perceptron.py",
        "draw(f, rule.budget)",
        "draw(f, rule.budget - 1)",
        REFERENCE,
        "RandomizedBudgetPerceptron",
    ),
    Fault("rules/norma.py", "1 - rule.step * ", "1 - ", "tests/rules/test_norma.py"),
    Fault("rules/projectron.py", "loss(f, y) - tau * norm", "loss(f, y)", REFERENCE, "PlusPlus"),
    # the engine
    Fault("core/walk.py", "errors[t] = error_bound(f, mass, mass, roundoff)", "errors[t] = 0.0",
          BLOCKED, "Stoptron"),
    Fault("core/edits/supports.py", "    withdraw(f, slot)\n", "", BLOCKED, "LeastRecentBudgetP"),
    Fault("core/edits/supports.py", "    scale_ahead(f, factor)\n", "", BLOCKED, "Forgetron"),
    Fault("core/triggers.py", "(score >= 0)", "(score > 0)", "tests/rules/test_perceptron.py"),
    Fault("core/walk.py", "counts[UPDATES] += events[t, WAS_UPDATE]", "counts[UPDATES] += mistake",
          "tests/rules/test_passive_aggressive.py"),
    Fault("engine/winner.py", "<= WIDE * (errors", "< 0 * (errors",
          "tests/engine/test_winner.py"),
    Fault("engine/winner.py", "<= WIDE * (errors", "<= 0 * (errors", "tests/engine/test_winner.py"),
    # bounds
    Fault("bounds/forgetron.py", "2 * norm**2 + 4 * hinge_loss", "2 * norm**2 + 2 * hinge_loss",
          "tests/bounds/test_bound.py"),
    Fault("bounds/projectron.py", "2 * (1 - eta * norm)", "2 * (1 + eta * norm)",
          "tests/bounds/test_bound.py"),
    Fault("bounds/second_order.py", "np.log1p(np.maximum(eigenvalues, 0)", "np.log1p(0.5 *"
          " np.maximum(eigenvalues, 0)", "tests/bounds/test_random_streams.py"),
    Fault("bounds/drift.py", "(1 - 1 / e) * sqrt(drift_rate) / 4", "sqrt(drift_rate) / 4",
          "tests/bounds/test_bound.py"),
    # saving
    Fault("saving/file.py", "    os.replace(temporary, path)", "    os.rename(path, path)",
          "tests/saving/test_files.py"),
    Fault("saving/file.py", 'demand(len(members) == len(pairs)', "demand(True",
          "tests/saving/test_hostile_files.py", "repeat or twice or key"),
    Fault("saving/file.py", 'demand(same, "the saved model is damaged', 'demand(True, "',
          "tests/saving/test_hostile_files.py tests/saving/test_bytes.py"),
    # reading
    Fault("reading/escaping.py", r"\u061c\u200b", r"\u200b", "tests/faults/test_terminals.py"),
    Fault("reading/escaping.py", r"\u2060-\u206f", r"\u2060-\u2064",
          "tests/faults/test_terminals.py", "control_character"),
    Fault("reading/escaping.py", r"\ufeff", "", "tests/faults/test_terminals.py",
          "control_character"),
    Fault("reading/inference.py", "abs(value) < 2**63", "abs(value) <= 2**63",
          "tests/reading/test_columns.py"),
    Fault("reading/inference.py", "abs(value) < 2**63", "abs(value) < 2**64",
          "tests/reading/test_columns.py tests/reading/test_formats.py"),
    # learners behind keys, the log of the service, the rows on a device
    Fault("keyed/learners.py", "key=lambda item: item[1].used", "key=lambda item: -item[1].used",
          "tests/keyed/test_keyed_classifier.py", "forgotten_begins_anew"),
    Fault("keyed/learners.py", "sorted(((to_bytes(key), it) for key, it in self._at_work()),"
          " key=itemgetter(0))", "[(to_bytes(key), it) for key, it in self._at_work()]",
          "tests/keyed/test_keyed_classifier.py", "the_whole_has_the_same_bytes"),
    Fault("serve/log.py", "if len(content) == length and _checksum(content) == checksum else",
          "if len(content) == length else", "tests/serve/test_durability.py",
          "damaged_in_the_middle"),
    Fault("engine/descent.py", "np.where(births < self._since, births, NOBODY)", "births",
          "tests/engine/test_on_device.py", "met_since"),
    Fault("engine/device.py", "if needed > free:", "if needed > free + 1e15:",
          "tests/engine/test_on_device.py", "does_not_suffice"),
    Fault("engine/threads.py", "            self._faults.append(fault)\n", "",
          "tests/engine/test_threads.py"),
    Fault("keyed/learners.py", "own[key].is_shelved if key in own else key in found", "False",
          "tests/keyed/test_keyed_classifier.py", "as_if_it_were_alone and Forgetron"),
    Fault("serve/log.py", "            os.fdatasync(self._file)\n", "",
          "tests/serve/test_durability.py", "full_disk"),
    Fault("serve/grouping.py", 'row.advice if row.version == version else b""', "row.advice",
          "tests/serve/test_grouping.py"),
    Fault("serve/grouping.py", "job.weight or [1.0] * job.rows", "job.weight or [0.0] * job.rows",
          "tests/serve/test_grouping.py"),
]  # fmt: skip


def mutated(fault: Fault, home: Path) -> None:
    """Put a copy of the package with the fault into a folder."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "budgetron", home / "budgetron", ignore=ignored)
    file = home / "budgetron" / fault.file
    text = file.read_text()
    if text.count(fault.right) < 1:
        raise SystemExit(f"{fault.file} no longer has {fault.right!r}")
    file.write_text(text.replace(fault.right, fault.wrong, 1))


def noticed(home: Path, fault: Fault) -> str:
    """The first test that fails, or nothing."""
    chosen = ["-k", fault.only] if fault.only else []
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header",
         "--tb=no", "-o", "testpaths=tests", *fault.tests.split(), *chosen],
        env=os.environ | {"PYTHONPATH": str(home), "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode not in (0, 1):
        raise SystemExit(f"{fault.tests} could not be run:\n{done.stdout}{done.stderr}")
    return failed[0].split(" - ")[0].removeprefix("FAILED ") if failed else ""


def main() -> None:
    """Try the faults that are asked for."""
    survived = 0
    for number in [*map(int, sys.argv[1:])] or range(len(FAULTS) + 1):
        fault = FAULTS[number - 1] if number else FAULTS[0]._replace(wrong=FAULTS[0].right)
        with tempfile.TemporaryDirectory() as home:
            mutated(fault, Path(home))
            by = noticed(Path(home), fault)
        ok = bool(by) == bool(number)
        survived += not ok
        what = f"{fault.right.strip()!r} -> {fault.wrong.strip()!r}" if number else "no fault"
        print(f"{number:2} {'ok' if ok else 'NO'} {fault.file}: {what}: {by or 'all pass'}",
              flush=True)  # fmt: skip
    raise SystemExit(bool(survived))


if __name__ == "__main__":
    main()
