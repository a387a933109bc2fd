"""One page for all tests."""

import pytest

from budgetron.experiments.machine import Machine
from budgetron.experiments.task import Results, perform

pytest.importorskip("bokeh", reason="the page is drawn by Bokeh")

from budgetron.report import page
from report.papers import ARTIFACTS, PAPER


@pytest.fixture(scope="session")
def html_file(tmp_path_factory):
    directory = tmp_path_factory.mktemp("page")
    results = Results(directory / "results")
    perform([task for artifact in ARTIFACTS for task in artifact.tasks("quick")], results)
    Machine.here().keep(results.directory)
    file = directory / "report.html"
    file.write_text(page(results, "quick", [PAPER]), encoding="utf-8")
    return file
