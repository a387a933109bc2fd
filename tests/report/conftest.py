"""One page for all tests."""

import pytest

from budgetron.papers.machine import Machine
from budgetron.papers.task import Results, perform

pytest.importorskip("bokeh", reason="the page is drawn by Bokeh")

from budgetron.papers.report import page
from report.papers import ARTIFACTS, PAPER


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    results = Results(tmp_path_factory.mktemp("page") / "results")
    perform([task for artifact in ARTIFACTS for task in artifact.tasks("quick")], results)
    Machine.here().keep(results.directory)
    return results


@pytest.fixture(scope="session")
def html_file(results):
    file = results.directory.parent / "report.html"
    file.write_text(page(results, "quick", [PAPER]), encoding="utf-8")
    return file
