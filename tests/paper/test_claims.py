"""What the papers say of their results, on the results that are kept: one test for each statement.

Statements that do not hold on our numbers are listed in `unmet_claims.txt` and are expected to
fail; the reason of the failure is what was measured instead.
"""

from pathlib import Path

import pytest

from budgetron.papers.registry import chosen
from budgetron.papers.task import Results

RESULTS = Results(Path(__file__).parents[2] / "results" / "full")
UNMET = set((Path(__file__).parent / "unmet_claims.txt").read_text().splitlines())


def kept_claims():
    """The claims of every artifact whose results are kept, by artifact and statement."""
    claims = {}
    for artifact in chosen():
        try:  # which tasks there are can depend on the data at hand
            if all(task in RESULTS for task in artifact.tasks("full")):
                for claim in artifact.show(RESULTS, "full").claims:
                    claims[f"{artifact.key}: {claim.statement}"] = claim
        except OSError:
            continue
    return claims


CLAIMS = kept_claims()


def expected(name):
    unmet = pytest.mark.xfail(reason=CLAIMS[name].measured, strict=True)
    return pytest.param(name, marks=[unmet] if name in UNMET else [], id=name)


@pytest.mark.parametrize("name", [expected(name) for name in CLAIMS])
def test_the_paper_says(name):
    assert CLAIMS[name].holds, CLAIMS[name].measured


def test_results_are_kept_for_most_artifacts():
    assert len(CLAIMS) >= 60


@pytest.mark.parametrize("name", sorted(UNMET))
def test_an_unmet_claim_is_a_claim(name):
    if not any(name.startswith(claim.split(": ")[0] + ": ") for claim in CLAIMS):
        pytest.skip("the results of this artifact are not at hand")
    assert name in CLAIMS
