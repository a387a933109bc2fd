"""The site in a browser, opened from disk: pages are found, and nothing sticks out.

Tested is what `make docs` has made, if it is there and no page has changed since.
"""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOME = ROOT / "site" / "index.html"
SOURCES = [ROOT / "mkdocs.yml", *(ROOT / "docs").rglob("*.*"), *(ROOT / "scripts").glob("site_*")]
if not HOME.is_file() or HOME.stat().st_mtime < max(it.stat().st_mtime for it in SOURCES):
    pytest.skip("there is no site of these pages: make docs", allow_module_level=True)
CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize(
    ("words", "page"),
    {
        "imbalanced": "imbalanced.html",
        "missing values": "missing-values.html",
        "delay": "late-labels.html",
        "GPU": "scaling.html",
        "prequential": "running.html",
    }.items(),
)
def test_search_from_disk_finds_the_right_page_first(browser, words, page):
    view = browser.new_page()
    asked = []
    view.on("request", lambda request: asked.append(request.url))
    view.goto(HOME.as_uri())
    view.locator(".md-search__input").click()
    view.wait_for_function("typeof __index !== 'undefined'")
    view.keyboard.type(words)
    found = view.locator(".md-search-result__item > a")
    found.first.wait_for()
    view.wait_for_timeout(200)  # until the last key has been searched for
    pages = [Path(link.split("?")[0].split("#")[0]) for link in hrefs(found)]
    view.close()
    assert pages[0].name == page
    assert not any("source" in it.parts for it in pages)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def hrefs(found):
    return found.evaluate_all("links => links.map((link) => link.getAttribute('href'))")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", ["index", "gallery", "tutorials/imbalance", "learners"])
def test_nothing_sticks_out_of_the_screen(browser, page, width):
    view = browser.new_page(viewport={"width": width, "height": 900})
    view.goto((HOME.parent / f"{page}.html").as_uri())
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    broken = "[...document.images].filter((it) => !it.complete || !it.naturalWidth).length"
    assert view.evaluate(broken) == 0
    view.close()
