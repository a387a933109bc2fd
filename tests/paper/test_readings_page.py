"""The page about how the papers are read, and those who refer to its items."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ITEMS = [
    int(number)
    for number in re.findall(r"^(\d+)\. ", (ROOT / "docs/readings.md").read_text(), re.MULTILINE)
]
CITED = re.compile(r"readings\.md, (?:items? )?(\d+(?:(?:-|, | and )\d+)*)")


def test_items_are_numbered_without_a_gap():
    assert [*range(1, len(ITEMS) + 1)] == ITEMS != []


def test_items_that_are_referred_to_are_there():
    cited = {
        int(number)
        for folder in ("src", "tests")
        for path in (ROOT / folder).rglob("*.py")
        for numbers in CITED.findall(path.read_text())
        for number in re.findall(r"\d+", numbers)
    }
    assert len(cited) > 15
    assert cited <= {*ITEMS}
