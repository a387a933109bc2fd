"""Nothing from data is run by a page."""

import json
import shutil
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

pytest.importorskip("bokeh", reason="the page is drawn by Bokeh")

from budgetron.papers.exhibit import Artifact, Claim, Exhibit, Figure, Series, Table
from budgetron.papers.machine import Machine
from budgetron.papers.report import page
from budgetron.papers.task import Results, Task, does, perform
from cli.commands import run
from faults.hostile import EVIL, IMAGE, NAME, PLAIN, SCRIPT, SHOWN, controls, write_hostile

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@does("hostile-report")
def outcome():
    return {"text": EVIL + PLAIN}


def hostile_paper():
    tasks = [Task.of("hostile-report")]

    def show(results, scale):
        text = results[tasks[0]]["text"]
        curves = tuple(Series(f"{text}{n}", [1.0, 2.0, 3.0], [n, 2.0, 1.0]) for n in range(2))
        return Exhibit(
            verdict="reproduced",
            why=text,
            settings=text,
            tables=(Table(text, (text, text), ((text, text), (text, 1.5))),),
            figures=(Figure(text, text, text, curves, text),),
            claims=(Claim(text, True, text),),
            reading=text,
            stand_in=text,
        )

    def fails(scale):
        raise FileNotFoundError(2, "there is none", EVIL)

    artifacts = [
        Artifact("hostile", "table-1", "Table 1", lambda scale: tasks, show),
        Artifact("hostile", "table-2", "Table 2", fails, show),
    ]
    return SimpleNamespace(name="hostile", title="Hostile", source="1999", artifacts=artifacts)


@pytest.fixture(scope="module")
def html_file(tmp_path_factory):
    results = Results(tmp_path_factory.mktemp("pages") / "results")
    paper = hostile_paper()
    perform(paper.artifacts[0].tasks("quick"), results)
    Machine("2020-01-01", *([EVIL, 2] + 5 * [EVIL])).keep(results.directory)
    file = results.directory.parent / "report.html"
    file.write_text(page(results, "quick", [paper]), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    place = tmp_path_factory.mktemp("pictures")
    write_hostile(place / NAME)
    chart = place / "chart.svg"
    told = run("race", place / NAME, "--delimiter", ",", "-l", "Forgetron", "--chart", chart)
    assert told.exit_code == 0
    return chart


class Elements(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style"} & {*self.open}:
            self.texts.append(data)


def test_a_page_has_no_element_that_data_have_made(html_file):
    found = Elements(html_file.read_text(encoding="utf-8"))
    assert "img" not in found.tags
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert found.tags.count("script") == 1 + 2  # a chart, Bokeh, the page's own
    text = "".join(found.texts)
    assert SCRIPT in text and IMAGE in text and SHOWN in text and PLAIN in text
    values = "".join(value or "" for _, value in found.attributes)
    assert controls(text) | controls(values) <= {"\u00a0"}  # of our own
    assert "there is none" in text


def test_a_chart_of_a_page_has_escaped_texts(html_file):
    text = html_file.read_text(encoding="utf-8")
    start = text.index(">", text.index('type="application/json"')) + 1
    chart = json.loads(text[start : text.index("</script>", start)])
    assert controls(json.dumps(chart, ensure_ascii=False)) == set()
    assert "onerror" in json.dumps(chart)


def test_a_picture_has_no_element_that_data_have_made(picture):
    tree = ElementTree.parse(picture)
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert not {"script", "image", "img", "foreignObject", "a"} & tags
    names = {name for element in tree.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on")]
    assert controls(picture.read_text(encoding="utf-8")) == set()
    assert r"evil\x1b]0;t\x07\x9b\u202e$a^b$" in picture.read_text(encoding="utf-8")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_no_script_of_data_runs_in_a_browser(html_file, picture):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for file in (html_file, picture):
            page = browser.new_page()
            requests = []
            page.on("request", lambda request, to=requests: to.append(request.url))
            page.goto(file.as_uri())
            if file == html_file:
                page.wait_for_selector("html[data-charts]")
                for button in page.locator(".legend button").all():
                    button.click()
                box = page.locator(".chart").first.bounding_box()
                for step in range(1, 20):
                    page.mouse.move(
                        box["x"] + box["width"] * step / 20, box["y"] + box["height"] / 2
                    )
                assert SCRIPT in page.locator("main").inner_text()
            page.wait_for_timeout(300)
            assert page.evaluate("window.hacked") is None
            others = [url for url in requests if not url.startswith(("data:", "blob:"))]
            assert others == [file.as_uri()]
            page.close()
        browser.close()
