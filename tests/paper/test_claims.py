"""What the papers say of their results, on the results that are kept.

What does not hold on our numbers has a reason in `budgetron.papers.reasons`, and nothing else has.
"""

from pathlib import Path

import pytest

from budgetron.papers.reasons import REASONS, unmet
from budgetron.papers.registry import chosen
from budgetron.papers.task import Results
from scripts.papers_page import PAGE, page

ROOT = Path(__file__).parents[2]
RESULTS = Results(ROOT / "results" / "full")


@pytest.fixture(scope="module")
def exhibits():
    """Those of every artifact whose results are kept; which tasks there are can depend on data."""
    shown = {}
    for artifact in chosen():
        try:
            if all(task in RESULTS for task in artifact.tasks("full")):
                shown[artifact.key] = artifact.show(RESULTS, "full")
        except OSError:
            continue
    return shown


def test_results_are_kept_for_most_artifacts(exhibits):
    assert len(exhibits) >= 15
    assert sum(len(exhibit.claims) for exhibit in exhibits.values()) >= 60
    assert sum(len(exhibit.numbers) for exhibit in exhibits.values()) >= 50


def test_what_is_unmet_has_a_reason_and_nothing_else_has(exhibits):
    for key, exhibit in exhibits.items():
        assert {what for what, _ in unmet(exhibit)} == {*REASONS.get(key, {})}, key
    assert {*REASONS} <= {artifact.key for artifact in chosen()}


def test_the_page_is_made_of_these_results():
    assert PAGE.read_text(encoding="utf-8") == page(RESULTS)
