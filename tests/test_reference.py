"""The reference has every public name, and no other."""

import re
import runpy
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from budgetron.estimators.documentation import entries
from budgetron.registry import LEARNERS
from covering import naming

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


def test_every_parameter_of_a_class_is_explained():
    for name in SHOWN:
        module, _, last = name.rpartition(".")
        it = getattr(import_module(module), last)
        if not isinstance(it, type) or issubclass(it, BaseException):
            continue
        parameters = signature(it).parameters.values()
        asked = {
            one.name for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        }
        told = {
            word
            for title in ("Parameters", "Attributes")
            for names in entries(it.__mro__, title)
            for word in names.split(", ")
        }
        with naming(name):
            assert asked <= told


def test_no_name_is_there_twice():
    assert len(SHOWN) == len({*SHOWN})
