"""The reference has every public name, and no other."""

import re
from importlib import import_module
from pathlib import Path

import pytest

API = Path(__file__).parent.parent / "docs" / "api"
SHOWN = {
    name
    for page in API.glob("*.md")
    for name in re.findall(r"^::: (\S+)$", page.read_text(), flags=re.MULTILINE)
}
MODULES = (
    "budgetron", "budgetron.adversaries", "budgetron.bounds", "budgetron.certificates",
    "budgetron.comparators", "budgetron.datasets", "budgetron.drift", "budgetron.reading",
    "budgetron.saving", "budgetron.streams",
)  # fmt: skip
ELSEWHERE = {
    "budgetron.Certificate": "budgetron.certificates.Certificate",
    "budgetron.certify": "budgetron.certificates.certify",
    "budgetron.load": "budgetron.saving.load",
}


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module):
    names = {f"{module}.{name}" for name in import_module(module).__all__}
    assert {ELSEWHERE.get(name, name) for name in names} <= SHOWN


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_every_name_exists(name):
    module, _, last = name.rpartition(".")
    assert hasattr(import_module(module), last)
