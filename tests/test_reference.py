"""The reference has every public name, and no other."""

import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest

from budgetron.registry import LEARNERS

ROOT = Path(__file__).parent.parent
API = ROOT / "docs" / "api"
with_learners = runpy.run_path(str(ROOT / "scripts" / "site_learners.py"))["with_learners"]
SHOWN = [
    name
    for page in API.glob("*.md")
    for name in re.findall(r"^::: (\S+)$", with_learners(page.read_text()), flags=re.MULTILINE)
]
MODULES = (
    "budgetron", "budgetron.adversaries", "budgetron.bounds", "budgetron.certificates",
    "budgetron.comparators", "budgetron.datasets", "budgetron.drift", "budgetron.evaluation",
    "budgetron.keyed", "budgetron.reading", "budgetron.rules", "budgetron.saving",
    "budgetron.streams",
)  # fmt: skip
ELSEWHERE = {
    "budgetron.Certificate": "budgetron.certificates.Certificate",
    "budgetron.certify": "budgetron.certificates.certify",
    "budgetron.evaluation.Trace": "budgetron.Trace",
    "budgetron.evaluation.prequential": "budgetron.prequential",
    "budgetron.load": "budgetron.saving.load",
    "budgetron.loads": "budgetron.saving.loads",
    **{
        f"budgetron.{name}": f"budgetron.estimators.{row.module}.{name}"
        for name, row in LEARNERS.items()
    },
}


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module):
    names = {f"{module}.{name}" for name in import_module(module).__all__}
    assert {ELSEWHERE.get(name, name) for name in names} <= {*SHOWN}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_every_name_exists(name):
    module, _, last = name.rpartition(".")
    assert hasattr(import_module(module), last)


def test_no_name_is_there_twice():
    assert len(SHOWN) == len({*SHOWN})
