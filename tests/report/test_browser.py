"""The page in a browser."""

import shutil

import pytest

from report.papers import PAPER

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CONTRAST = """selector => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => channels(color).slice(0, 3)
    .map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const opaque = (color) => channels(color).length < 4 || channels(color)[3] > 0;
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if (opaque(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll(selector)].map((element) => {
    const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
    return (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
  });
}"""

POINT = """([x, y]) => {
  const { frame } = Bokeh.index.roots.find((view) => view.model === [...plots.values()][1]);
  return [frame.x_scale.compute(x), frame.y_scale.compute(y)];
}"""

AXES = """() => [...plots.values()].flatMap((plot) => [...plot.below, ...plot.left])
  .map((axis) => axis.major_label_text_color)"""


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, html_file):
    visited = []

    def visit(width=1280, scheme="light"):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.complaints, page.requests = [], []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                page.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(html_file.as_uri())
        page.wait_for_selector("html[data-charts]")
        visited.append(page)
        return page

    yield visit
    for page in visited:
        page.close()


def test_it_opens_from_disk_without_complaints_or_requests(visit, html_file):
    page = visit()
    assert page.complaints == []
    assert [url for url in page.requests if not url.startswith(("data:", "blob:"))] == [
        html_file.as_uri()
    ]
    for artifact in PAPER.artifacts:
        assert page.locator(f"[data-artifact='{artifact.key}'] h3").is_visible()
    assert page.evaluate("plots.size") == page.locator(".chart").count() == 6


def test_a_legend_entry_switches_its_curve_off_and_on(visit):
    page = visit()
    chart, entry = page.locator(".chart").first, page.locator(".legend button").nth(1)
    before = chart.screenshot()
    entry.click()
    assert entry.get_attribute("aria-pressed") == "false"
    page.wait_for_timeout(300)
    without = chart.screenshot()
    assert without != before
    entry.press("Enter")
    assert entry.get_attribute("aria-pressed") == "true"
    page.wait_for_function("[...plots.values()][0].renderers.every((renderer) => renderer.visible)")
    entry.press("Space")
    assert page.evaluate(
        "[...plots.values()][0].renderers.filter((renderer) => !renderer.visible).length"
    )


def test_a_point_tells_its_values(visit):
    page = visit()
    chart = page.locator(".chart").nth(1)
    chart.scroll_into_view_if_needed()
    x, y = page.evaluate(POINT, [4, 14])  # the second curve of the short figure
    box = chart.bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y, steps=3)
    tooltip = page.locator(".bk-tooltip-content").first
    tooltip.wait_for()
    said = " ".join(tooltip.inner_text().split())
    assert "Perceptron" in said and "rows: 4" in said and "mistakes: 14 ± 1" in said


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_sticks_out_of_a_phone(visit, width):
    page = visit(width)
    for details in page.locator("details").all():
        details.evaluate("element => element.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = page.evaluate(
        """width => [...document.querySelectorAll("body *")]
          .filter((element) => !element.closest(".scroll table"))
          .filter((element) => element.getBoundingClientRect().right > width + 0.5)
          .map((element) => element.outerHTML.slice(0, 80))""",
        width,
    )
    assert outside == []
    chart = page.locator(".chart").first.bounding_box()
    assert chart["width"] > 0.8 * width
    assert page.evaluate("[...plots.values()].every((plot) => plot.inner_width > 150)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_background(visit, scheme):
    page = visit(scheme=scheme)
    texts = "p, li, a, h1, h2, h3, h4, td, th, caption, dd, dt, summary, button, .mark, .measured"
    ratios = page.evaluate(CONTRAST, texts)
    assert len(ratios) > 100
    assert min(ratios) >= 4.5
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
    assert dark == (scheme == "dark")
    quiet = page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--quiet').trim()"
    )
    assert {*page.evaluate(AXES)} == {quiet}


def test_charts_follow_when_the_scheme_changes(visit):
    page = visit(scheme="light")
    before = {*page.evaluate(AXES)}
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(200)
    assert before.isdisjoint(page.evaluate(AXES))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_curves_stand_out_from_the_background(visit, scheme):
    page = visit(scheme=scheme)
    page.add_style_tag(content=".legend svg { color: inherit }")
    page.evaluate(
        """() => document.querySelectorAll(".legend svg")
          .forEach((svg) => svg.style.color = svg.getAttribute("stroke"))"""
    )
    assert min(page.evaluate(CONTRAST, ".legend svg")) >= 3


def test_the_first_tab_stop_leads_past_the_contents(visit):
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["width"] > 50
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
