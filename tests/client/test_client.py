"""What is asked of a service by both clients and by `budgetron send`, over a real connection."""

import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from budgetron import Forgetron, prequential
from budgetron.client import AsyncClient, Client, ServiceError
from budgetron.keyed import KeyedClassifier
from cli.commands import run
from client.served import Served

NAMES = ["heat", "load"]
PARAMETERS = {"budget": 20, "random_state": 0}
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2)).round(3)
Y = np.where(X @ [1, -2] > 0, "ok", "broken")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    service = Served(tmp_path_factory.mktemp("data"))
    yield service
    service.kill()


@pytest.fixture(scope="module")
def client(served):
    with Client(served.url, timeout=60) as client:
        yield client


@pytest.fixture
def model(client, request):
    """The name of a new model."""
    name = request.node.originalname
    client.create(name, "Forgetron", PARAMETERS, classes=["broken", "ok"], features=NAMES)
    yield name
    client.delete(name)


@pytest.fixture(scope="module")
def plain():
    learner = Forgetron(**PARAMETERS)
    return learner, prequential(learner, X, Y, classes=["broken", "ok"])


def test_a_service_learns_what_a_learner_does(client, model, plain):
    said = [client.learn(model, dict(zip(NAMES, X[0], strict=True)), Y[0])]
    said += client.learn(model, X[1:150], Y[1:150])
    asked = client.predict(model, X[150:], id=[f"row {i}" for i in range(150, 200)])
    assert {it["row"] for it in asked} == {150}
    for i in range(150, 200):
        client.label(model, f"row {i}", Y[i])
    learner, trace = plain
    assert [it["mistake"] for it in said] == trace.mistakes[:150].tolist()
    assert [it["row"] for it in said] == [*range(150)]
    assert client.state(model).dumps() == learner.dumps()
    told = client.model(model)
    assert (told["row"], told["classes"], told["features"]) == (200, ["broken", "ok"], NAMES)
    assert client.models() == [told]
    assert client.metrics(model)["overall"]["rows"] == 200
    assert client.explain(model, X[0])["label"] == client.predict(model, X[0])["label"]


def test_a_model_is_brought_along_kept_and_taken_back(client, plain):
    learner, _ = plain
    assert client.create("brought", learner)["row"] == 200
    kept = client.snapshot("brought")
    client.learn("brought", X[:50], Y[:50])
    assert client.state("brought").dumps() != learner.dumps()
    assert kept["id"] in [it["id"] for it in client.snapshots("brought")]
    assert client.rollback("brought", kept["id"])["version"] == 2
    assert client.state("brought").dumps() == learner.dumps()
    client.delete("brought")


@pytest.mark.parametrize(
    ("code", "where", "wrong"),
    [
        ("bad_row", {"row": 0, "field": "x"}, lambda c, m: c.learn(m, [1, 2, 3], "ok")),
        ("bad_label", {"row": 1, "field": "y"}, lambda c, m: c.learn(m, X[:2], ["ok", "no"])),
        ("unknown_id", {"row": 0, "id": "x"}, lambda c, m: c.label(m, "x", "ok")),
        ("no_model", {}, lambda c, m: c.predict("another", X)),
        ("exists", {}, lambda c, m: c.create(m, "Forgetron")),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_what_is_refused_says_where_and_changes_nothing(client, model, code, where, wrong):
    before = client.state(model).dumps()
    with pytest.raises(ServiceError) as caught:
        wrong(client, model)
    assert (caught.value.code, caught.value.where) == (code, where)
    assert client.state(model).dumps() == before


def test_many_at_a_time_and_news_of_them(served, client, model):
    async def ask():
        async with AsyncClient(served.url) as service:
            news = service.events(model)
            first = await anext(news)
            await asyncio.gather(
                *(service.learn(model, x, y) for x, y in zip(X[:50], Y[:50], strict=True))
            )
            last = first
            while last["event"] != "metrics" or last["row"] < 50:
                last = await anext(news)
            await news.aclose()
            return first, last

    first, last = asyncio.run(ask())
    assert (first["event"], first["row"], last["row"]) == ("metrics", 0, 50)
    assert next(client.events(model))["overall"] == last["overall"]


def test_rows_are_learned_once_whatever_is_killed_on_the_way(tmp_path, plain):
    """Requests are named, so that the one whose answer was lost is not learned again."""
    served = Served(tmp_path / "data")
    with Client(served.url) as service:
        service.create("m", "Forgetron", PARAMETERS, classes=["broken", "ok"], features=2)
        service.learn("m", X[0], Y[0], request_id="first")
        said = []

        def learn():
            said.extend(service.learn("m", x, y)["row"] for x, y in zip(X[1:], Y[1:], strict=True))

        thread = threading.Thread(target=learn)
        thread.start()
        while len(said) < 60:
            assert thread.is_alive()
        served.kill()
        served.start()
        thread.join(60)
        assert said == [*range(1, 200)]
        assert service.learn("m", X[0], Y[0], request_id="first")["row"] == 0
        learner = service.state("m")
    served.kill()
    assert learner.dumps() == plain[0].dumps()


def test_nobody_is_there_or_somebody_else(tmp_path):
    with Client("http://127.0.0.1:9", patience=0.3) as nobody, pytest.raises(ServiceError) as told:
        nobody.models()
    assert told.value.code == "unreachable"
    with pytest.raises(ValueError, match="begins with http"):
        Client("127.0.0.1:8080")


def csv(path, rows, columns):
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def send(served, path, model, *options):
    return run("send", path, "--url", served.url, "--model", model, "--json", *options)


def test_a_file_is_sent_and_goes_on_where_it_stopped(served, client, model, plain, tmp_path):
    rows = [(*x, y) for x, y in zip(X, Y, strict=True)]
    path = csv(tmp_path / "rows.csv", rows, [*NAMES, "label"])
    told = json.loads(send(served, path, model, "--batch", "64", "--run", "once").stdout)
    assert (told["rows"], told["mistakes"]) == (200, int(plain[1].mistakes.sum()))
    again = json.loads(
        send(served, path, model, "--batch", "64", "--run", "once", "--from", "128").stdout
    )
    assert (again["rows"], again["model"]["row"]) == (72, 200)
    assert client.state(model).dumps() == plain[0].dumps()


def test_labels_that_come_later_are_learned_when_they_come(served, client, model, tmp_path):
    rows = []
    for i in range(60):
        rows.append((f"r{i}", *X[i], ""))
        if i >= 10:
            rows.append((f"r{i - 10}", "", "", Y[i - 10]))
    path = csv(tmp_path / "late.csv", rows, ["id", *NAMES, "label"])
    told = json.loads(send(served, path, model, "--id", "id").stdout)
    assert (told["answers"], told["waiting"], told["model"]["row"]) == (50, 10, 50)
    trace = prequential(Forgetron(**PARAMETERS), X[:60], Y[:60], classes=["broken", "ok"], delay=10)
    assert told["mistakes"] == int(trace.mistakes[:50].sum())


def test_each_key_has_a_learner_of_its_own(served, client, tmp_path):
    client.create(
        "keyed", "Forgetron", PARAMETERS, classes=["broken", "ok"], features=2, keyed=True
    )
    keys = [f"k{i % 3}" for i in range(len(X))]
    rows = [(*x, key, y) for x, y, key in zip(X, Y, keys, strict=True)]
    path = csv(tmp_path / "keyed.csv", rows, [*NAMES, "who", "label"])
    send(served, path, "keyed", "--key", "who")
    own = KeyedClassifier(Forgetron(**PARAMETERS)).partial_fit(X, Y, keys=keys)
    state = client.state("keyed")
    assert state.predict(X, keys=keys).tolist() == own.predict(X, keys=keys).tolist()
    client.delete("keyed")
    assert "no model 'keyed'" in send(served, path, "keyed", "--key", "who").stderr


def test_names_that_would_lead_elsewhere_are_refused(client):
    for name in ("", ".", ".."):
        with pytest.raises(ValueError, match="no model is called"):
            client.state(name)
    for name in ("../drift", "drift/state", "drift?x=1", "drift#x", "drift\r\nX: y", "drift\0"):
        with pytest.raises(ServiceError) as refusal:
            client.model(name)
        assert refusal.value.status in (400, 404), name


def test_what_can_never_be_sent_is_not_tried_again(client):
    start = time.monotonic()
    with pytest.raises(ServiceError, match="header"):
        client.learn("any", [1.0], "yes", request_id="a\r\nX: y")
    assert time.monotonic() - start < 5


def test_what_a_proxy_may_have_let_through_is_not_done_twice():
    asked = []

    class Proxy(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(504)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        with Client(f"http://127.0.0.1:{proxy.server_port}", patience=0.5) as client:
            for call in (client.rollback, lambda *given: client.learn(*given, "ok")):
                with pytest.raises(ServiceError, match="504"):
                    call("m", [1.0] if asked else "kept")
        proxy.shutdown()
    assert asked.count("/v1/models/m/rollback") == 1
    assert asked.count("/v1/models/m/learn") > 1
