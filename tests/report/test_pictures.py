"""The figures as files."""

import xml.etree.ElementTree as ET

from budgetron.papers.report import pictures
from report.papers import PAPER, VERDICTS, exhibit


def test_every_figure_becomes_two_files(results, tmp_path):
    written = pictures(results, "quick", tmp_path / "pictures", papers=[PAPER])
    figures = sum(len(exhibit(verdict).figures) for verdict in VERDICTS)
    assert len(written) == len(set(written)) == 2 * figures > 0
    for path in written:
        if path.suffix == ".svg":
            assert ET.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(b"\x89PNG")


def test_the_same_results_make_the_same_picture(results, tmp_path):
    once = pictures(results, "quick", tmp_path / "once", papers=[PAPER])
    again = pictures(results, "quick", tmp_path / "again", papers=[PAPER])
    for one, other in zip(once, again, strict=True):
        assert one.read_bytes() == other.read_bytes()
