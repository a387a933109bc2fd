"""The page has everything in it, and needs nothing else."""

import json
import platform
import re
from html.parser import HTMLParser

import pytest

from budgetron.papers.exhibit import MARKS
from budgetron.papers.report import page
from budgetron.papers.report.looks import COLOURS, MARKERS, looks_of
from budgetron.papers.report.numbers import MINUS, column, numbers_of, shown, typeset
from budgetron.papers.task import Results
from report.papers import ARTIFACTS, PAPER, VERDICTS, WITHOUT_DATA, exhibit

FIGURES = [figure for verdict in VERDICTS for figure in exhibit(verdict).figures]
VOID = {"meta", "link", "br", "wbr", "path", "img", "input"}


class Tree(HTMLParser):
    """Elements with their attributes and the text in them, and whether all are closed."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "text": "", **dict(attributes)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.elements.append({"tag": tag, "text": "", **dict(attributes)})

    def handle_endtag(self, tag):
        assert self.open and self.open[-1]["tag"] == tag, f"</{tag}> closes nothing"
        self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, tag=None, **attributes):
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if tag in (None, element["tag"])
            and all(element.get(name) == value for name, value in wanted.items())
        ]


@pytest.fixture(scope="module")
def html(html_file):
    return html_file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tree(html):
    tree = Tree(html)
    assert tree.open == []
    return tree


def words(element):
    return " ".join(element["text"].split())


@pytest.mark.parametrize(
    ("artifact", "verdict"), [*zip(ARTIFACTS, VERDICTS, strict=True)], ids=VERDICTS
)
def test_every_artifact_is_there_with_its_verdict_in_words(tree, artifact, verdict):
    (article,) = tree.all("article", data_artifact=artifact.key)
    text = words(article)
    assert artifact.title in text
    assert f"{MARKS[verdict]} {verdict.capitalize()}. Because it is {verdict}." in text
    assert "Seeds 0 to 9 & all else as printed." in text
    assert "As it is written." in text
    assert "✓ Holds: It is so." in text and "✗ Does not hold: It is not so." in text
    assert ("Stand-in data. w7a for w8a" in text) == (verdict == "not reproduced")


def test_the_contents_lead_to_every_artifact_and_give_its_verdict(tree):
    (contents,) = tree.all("nav")
    for artifact, verdict in zip(ARTIFACTS, VERDICTS, strict=True):
        assert f"{artifact.title} {MARKS[verdict]} {verdict}" in words(contents)
    assert f"{WITHOUT_DATA.title} ○ not run" in words(contents)
    anchors = {element["id"] for element in tree.elements if "id" in element}
    targets = {link["href"][1:] for link in tree.all("a") if link["href"].startswith("#")}
    assert targets <= anchors and len(targets) >= 2 + len(ARTIFACTS)


def test_what_was_not_run_says_so(tree):
    (article,) = tree.all("article", data_artifact=WITHOUT_DATA.key)
    assert "Not run. 0 of 1 tasks are done." in words(article)


def test_every_table_has_its_caption_its_headings_and_its_numbers(tree):
    captions = [words(caption) for caption in tree.all("caption")]
    for verdict in VERDICTS:
        for table in exhibit(verdict).tables:
            assert table.caption in captions
    for figure in FIGURES:
        assert numbers_of(figure).caption in captions
    assert {"ours", "paper", "difference"} <= {words(heading) for heading in tree.all("th")}
    assert {"12.25", "0.25"} <= {words(cell) for cell in tree.all("td")}
    for box in tree.all("div", class_="scroll"):
        assert box["tabindex"] == "0" and box["role"] == "region" and box["aria-label"]


def test_every_chart_has_words_for_those_who_cannot_see_it_and_a_table_behind_it(tree):
    charts = tree.all("div", class_="chart")
    descriptions = [
        figure.description for verdict in VERDICTS for figure in exhibit(verdict).figures
    ]
    assert [chart["aria-label"] for chart in charts] == descriptions
    assert all(chart["role"] == "img" for chart in charts)
    assert len(tree.all("details", class_="numbers")) == len(charts)
    assert len(tree.all("button")) == sum(len(figure.series) for figure in FIGURES)


def test_every_chart_is_sound_json(tree):
    items = tree.all("script", type="application/json")
    assert len(items) == len(tree.all("div", class_="chart"))
    for item in items:
        assert json.loads(item["text"])["doc"]["roots"]


def test_nothing_is_loaded_from_anywhere(html, tree):
    for element in tree.elements:
        assert not element.get("src")
        assert element.get("href", "#").startswith(("#", "data:"))
        assert "srcset" not in element and "@import" not in element.get("style", "")
    for style in tree.all("style"):
        assert "@import" not in style["text"] and "url(" not in style["text"]
    assert len(html.encode()) < 5_000_000


def test_landmarks_and_a_way_past_the_contents(tree):
    for landmark in ("header", "nav", "main", "footer"):
        assert len(tree.all(landmark)) == 1
    assert tree.all("a")[0]["href"] == "#main"
    assert len(tree.all("h1")) == 1
    ids = [element["id"] for element in tree.elements if "id" in element]
    assert len(ids) == len({*ids})


def test_the_machine_is_named_by_its_kind_alone(tree):
    (footer,) = tree.all("footer")
    text = words(footer)
    assert re.search(r"Last run on \d{4}-\d\d-\d\d", text)
    assert f"Python {platform.python_version()}" in text and "Numba" in text and "cores" in text
    assert platform.node() not in text.split()


def test_names_cannot_break_the_page(html):
    assert "Forgetron <b>" not in html
    assert "Forgetron &lt;b&gt;" in html


def test_without_results_there_is_no_page(tmp_path):
    with pytest.raises(LookupError, match="budgetron reproduce --full"):
        page(Results(tmp_path / "none"), "full", [PAPER])


def test_a_learner_in_the_paper_has_the_colour_of_the_learner_here():
    (long, short) = exhibit("reproduced").figures
    looks = looks_of([*long.series, *short.series])
    assert looks["Perceptron (paper)"].colour == looks["Perceptron"].colour
    assert looks["Perceptron (paper)"].is_paper and not looks["Perceptron"].is_paper
    assert len({look.colour for look in looks.values()}) == 3
    assert len({(COLOURS[n % len(COLOURS)], n % len(MARKERS)) for n in range(35)}) == 35


def test_numbers_are_printed_alike_within_a_column():
    assert column([1, 22, None, float("nan")]) == ["1", "22", "", ""]
    assert column([-6.664, 0.8945]) == [f"{MINUS}6.66", "0.89"]
    assert column([float("inf"), 0.5]) == ["∞", "0.5"]
    assert column(["a", 3.0]) == ["a", "3"]
    assert shown(-12345.6) == f"{MINUS}12,346" and shown(0.00012345) == "0.000123"


def test_sentences_have_true_minus_signs_and_whole_terms():
    assert typeset("ends at -4 %, with d = 5") == f"ends at {MINUS}4\xa0%, with d\xa0=\xa05"
    assert typeset("seeds 0-9, B-1 and one-by-one") == "seeds 0-9, B-1 and one-by-one"


def test_the_table_behind_a_chart_has_every_point():
    figure = exhibit("reproduced").figures[1]
    table = numbers_of(figure)
    assert table.columns[:3] == ("rows", "Perceptron", "±")
    assert [row[:3] for row in table.rows] == [
        (x, y, 1.0) for x, y in zip(figure.series[0].x, figure.series[0].y, strict=True)
    ]
