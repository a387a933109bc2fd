"""Every artifact can be asked for by its name."""

import pytest

from budgetron.papers.registry import PAPERS, chosen


def test_all_artifacts_are_there_in_the_order_of_the_papers():
    everything = chosen()
    assert everything == [artifact for paper in PAPERS for artifact in paper.artifacts]
    assert len({artifact.key for artifact in everything}) == len(everything)
    assert all(artifact.title for artifact in everything)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_a_paper_has_its_own_artifacts(paper):
    assert paper.artifacts
    assert {artifact.paper for artifact in paper.artifacts} == {paper.name}
    assert chosen(paper.name) == paper.artifacts
    assert paper.title and paper.source


def test_one_artifact_can_be_chosen():
    assert [artifact.key for artifact in chosen("drift/thresholds")] == ["drift/thresholds"]


@pytest.mark.parametrize("name", ["", "nobody", "drift/", "drift/figure-9", "figure-1"])
def test_an_unknown_name_is_told_what_there_is(name):
    with pytest.raises(LookupError, match=r"there are .*drift, .*drift/figure-1"):
        chosen(name)
