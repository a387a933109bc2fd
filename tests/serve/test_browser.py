"""The page in a browser, beside a real service that is fed a drifting stream."""

import shutil

import numpy as np
import pytest

from budgetron.client import Client, ServiceError
from budgetron.streams import ShiftingHyperplanes
from client.served import Served

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

EVIL = "<img src=x onerror=hacked=1>"
EVIL_SCRIPT = "</script><script>hacked=1</script>"
EVIL_LINK = "javascript:hacked=1//'\"><svg onload=hacked=1>"
SHIFT = 1500
SETTINGS = {"classes": [EVIL, "ok"], "features": [EVIL_SCRIPT, EVIL_LINK, "heat"]}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    service = Served(tmp_path_factory.mktemp("data"))
    yield service
    service.kill()


@pytest.fixture(scope="module")
def service(served):
    with Client(served.url) as service:
        yield service


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, served):
    """Opens the page, and says afterwards that nothing went wrong in it."""
    views, wrong, asked = [], [], []

    def opened(width, name, scheme="light"):
        view = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
        view.on("console", lambda told: wrong.append(told.text))
        view.on("pageerror", lambda error: wrong.append(str(error)))
        view.on("request", lambda request: asked.append(request.url))
        view.goto(f"{served.url}/#{name}")
        view.locator("#status[data-is=live]").wait_for()
        views.append(view)
        return view

    yield opened
    for view in views:
        assert not view.evaluate("'hacked' in window")
        view.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((served.url, "data:"))] == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_an_alarm_is_seen_when_the_stream_shifts(opened, service, width, scheme):
    name = f"drift-{width}"
    service.create(name, "Perceptron", {"kernel": "linear"}, **SETTINGS)
    view = opened(width, name, scheme)
    stream = ShiftingHyperplanes(dimension=3, every=10_000, random_state=0).take(SHIFT + 500)
    is_ok = (stream.y > 0) ^ (np.arange(SHIFT + 500) >= SHIFT)  # then it is the other way round
    X, y = stream.X, np.where(is_ok, "ok", EVIL)
    for first in range(0, SHIFT, 500):
        service.learn(name, X[first : first + 500], y[first : first + 500])
    view.locator("#figures", has_text=f"{SHIFT:,}").wait_for()
    assert view.locator("#alarms").inner_text() == "None so far."
    service.predict(name, X[0], id=EVIL)
    service.label(name, EVIL, "ok" if y[0] == EVIL else EVIL)
    for first in range(SHIFT, SHIFT + 500, 50):
        service.learn(name, X[first : first + 50], y[first : first + 50])
    alarm = view.locator("#alarms .alarm").first
    alarm.wait_for(timeout=10_000)
    assert SHIFT <= int(alarm.inner_text().replace(",", "").removeprefix("row ")) <= SHIFT + 500
    assert "Drift alarm at row" in view.locator("#announced").inner_text()
    assert view.locator("#chart .mark").count() >= 1
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    texts = view.locator("main").inner_text()
    assert EVIL in texts
    assert EVIL_SCRIPT in texts
    assert view.locator("main img, main script").count() == 0


def test_names_that_would_be_markup_are_text_or_refused(opened, service):
    with pytest.raises(ServiceError, match="name"):
        service.create(EVIL, "Forgetron", classes=[0, 1], features=1)
    service.create("keyed", "Forgetron", {"budget": 5}, **SETTINGS, keyed=True)
    X = np.random.default_rng(0).normal(size=(40, 3))
    service.learn("keyed", X, np.where(X[:, 0] > 0, "ok", EVIL), key=[EVIL, EVIL_LINK] * 20)
    view = opened(390, "keyed")
    view.locator("#keys", has_text=EVIL).wait_for()
    assert EVIL_LINK in view.locator("#keys").inner_text()
    assert "a learner for each" in view.locator("#figures").inner_text()
    assert not view.locator("#supports-section").is_visible()


def test_texts_that_are_long_or_hide_something_leave_the_page_as_it_is(opened, service):
    turned, long = "\u202elive", "x" * 900
    service.create("texts", "Forgetron", {"budget": 5}, classes=[turned, long], features=3)
    X = np.random.default_rng(0).normal(size=(60, 3))
    service.learn("texts", X, np.where(X[:, 0] * X[:, 1] > 0, turned, long))
    view = opened(390, "texts")
    view.locator("#mistakes", has_text="\\u202elive").wait_for()
    texts = view.locator("body").inner_text()
    assert "\u202e" not in texts
    assert "x" * 61 not in texts


def test_the_chart_is_read_by_keyboard(opened, service):
    service.create("keys", "Forgetron", {"budget": 5}, classes=[0, 1], features=1)
    for _ in range(3):
        service.learn("keys", np.ones((100, 1)), [0, 1] * 50)
    view = opened(1280, "keys")
    view.locator("#chart .dot").wait_for()
    view.locator("#chart").focus()
    view.keyboard.press("Home")
    assert view.locator("#reading").inner_text().startswith("Row 100,")
    view.keyboard.press("ArrowRight")
    assert view.locator("#reading").inner_text().startswith("Row 200,")
    service.create("fresh", "Forgetron", {"budget": 5}, classes=[0, 1], features=1)
    view.goto(f"{view.url.partition('#')[0]}#fresh")
    view.locator("#name", has_text="fresh").wait_for()
    view.locator("#chart", has_text="with the next rows").wait_for()
    assert view.locator("#reading").inner_text() == ""


def test_a_service_with_tokens_asks_for_one(browser, tmp_path):
    from budgetron.serve.configuration import new_token

    token, lines = new_token("somebody", "read")
    (tmp_path / "serve.toml").write_text(lines)
    served = Served(tmp_path / "data", "--config", tmp_path / "serve.toml")
    view = browser.new_page()
    view.goto(served.url)
    for given, told in (("wrong", "#wrong:not([hidden])"), (token, "#status[data-is=live]")):
        view.locator("#token").fill(given)
        view.keyboard.press("Enter")
        view.locator(told).wait_for()
    assert not view.locator("#door").is_visible()
    view.close()
    served.kill()
