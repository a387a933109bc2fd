"""The page runs what is in its file, and nothing else."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "src" / "budgetron" / "serve" / "page" / "index.html"


@pytest.mark.parametrize("part", ["script", "style"])
def test_the_policy_allows_this_very_text(part):
    text = PAGE.read_text(encoding="utf-8")
    (own,) = re.findall(rf"<{part}>(.*?)</{part}>", text, flags=re.DOTALL)
    expected = "sha256-" + b64encode(sha256(own.encode()).digest()).decode()
    assert f"{part}-src '{expected}'" in text


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_made_of_markup():
    text = PAGE.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
    assert not re.findall(
        r"https?://|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text
    )
