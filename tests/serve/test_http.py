"""Every call, every refusal, and that what is refused has changed nothing."""

import asyncio
import datetime
import gzip
import io
import json
import re
import time
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import budgetron
from budgetron.serve.bodies import ARROW, NDJSON, PARQUET
from budgetron.serve.configuration import (
    Configuration,
    Limits,
    Token,
    configured,
    digest_of,
    new_token,
)
from budgetron.serve.service import RIGHTS
from cli.commands import run
from serve.conftest import FEATURES, rows


def as_rows(X, y=None):
    if y is None:
        return [{"x": x} for x in X.tolist()]
    return [{"x": x, "y": label} for x, label in zip(X.tolist(), y, strict=True)]


def lines(told):
    return b"\n".join(json.dumps(each).encode() for each in told)


def code(answer):
    return answer.status_code, answer.json()["error"]["code"]


TYPE = "Content-Type"


def test_a_model_from_its_making_to_its_end(calls):
    X, y = rows(30)
    own = calls.made(classes=["no", "yes"], features=FEATURES)
    assert calls("PUT", "/v1/models/m", json={"learner": "Forgetron"}).status_code == 409
    about = own("GET").json()
    assert about["row"] == 0 and about["learning"] is True and about["classes"] == ["no", "yes"]
    assert (about["features"], about["keyed"], about["size"]) == (FEATURES, False, 0)
    assert about["learner"] == "Forgetron" and about["parameters"]["budget"] == 10
    assert calls("GET", "/v1/models").json() == {"models": [about]}
    assert own("POST", "predict", json=as_rows(X)[0]).json()["label"] is None
    told = own("POST", "learn", json={"rows": as_rows(X, y)}).json()["rows"]
    plain = budgetron.Forgetron(budget=10, random_state=0)
    trace = budgetron.prequential(plain, X, y, classes=["no", "yes"])
    assert [row["label"] for row in told] == trace.predictions.tolist()
    assert own("GET", "state").content == plain.dumps()
    one = own("POST", "predict", json=as_rows(X)[0]).json()
    assert one["label"] == plain.predict(X[:1])[0]
    assert one["score"] == pytest.approx(plain.decision_function(X[:1])[0], rel=1e-12)
    assert (one["row"], one["version"]) == (30, 1)
    why = own("POST", "explain", json=as_rows(X)[0]).json()
    assert why["label"] == one["label"] and why["supports"]
    snapshot = own("POST", "snapshots").json()
    assert own("GET", "snapshots").json() == {"snapshots": [snapshot]}
    own("POST", "learn", json={"rows": as_rows(X, y)})
    back = own("POST", "rollback", json={"snapshot": snapshot["id"]}).json()
    assert (back["version"], back["row"]) == (2, 60)
    assert own("GET", "state").content == plain.dumps()
    assert (
        calls(
            "PUT",
            "/v1/models/copy",
            content=plain.dumps(),
            headers={TYPE: "application/octet-stream"},
        ).json()["row"]
        == 30
    )
    gone = own("DELETE")
    assert gone.status_code == 204 and "content-length" not in gone.headers
    assert code(own("GET")) == (404, "no_model")
    assert own("PUT", json={"learner": "Perceptron"}).status_code == 201


def test_rows_in_all_forms_are_the_same_rows(calls):
    X, y = rows(40)
    own = calls.made(classes=["no", "yes"], features=["a", "b", "c"])
    plain = budgetron.Forgetron(budget=10, random_state=0)
    plain.partial_fit(X, y, classes=["no", "yes"])
    columns = dict(zip("abc", X.T, strict=True))
    table = pa.table({**columns, "y": y})
    arrow, parquet = io.BytesIO(), io.BytesIO()
    with pa.ipc.new_stream(arrow, table[:10].schema) as stream:
        stream.write_table(table.slice(0, 10))
    pq.write_table(table.slice(10, 10), parquet)
    first = own("POST", "learn", content=arrow.getvalue(), headers={TYPE: ARROW})
    told = pa.ipc.open_stream(first.content).read_all()
    assert first.status_code == 200 and told["row"].to_pylist() == [*range(10)]
    own("POST", "learn", content=parquet.getvalue(), headers={TYPE: PARQUET})
    body, headers = gzip.compress(lines(as_rows(X[20:30], y[20:30]))), {TYPE: NDJSON}
    packed = own("POST", "learn", content=body, headers=headers | {"Content-Encoding": "gzip"})
    assert [json.loads(line)["row"] for line in packed.text.splitlines()] == [*range(20, 30)]
    named = [
        {"x": dict(zip("abc", x, strict=True)), "y": label, "weight": 1}
        for x, label in zip(X[30:].tolist(), y[30:], strict=True)
    ]
    own("POST", "learn", json={"rows": named})
    assert own("GET", "state").content == plain.dumps()
    several = own("POST", "predict", content=lines(as_rows(X)), headers=headers)
    labels = [json.loads(line)["label"] for line in several.text.splitlines()]
    assert labels == plain.predict(X).tolist()
    only_features = pa.table(columns)
    with pa.ipc.new_stream(arrow := io.BytesIO(), only_features.schema) as stream:
        stream.write_table(only_features)
    told = own("POST", "predict", content=arrow.getvalue(), headers={TYPE: ARROW})
    assert pa.ipc.open_stream(told.content).read_all()["label"].to_pylist() == labels


def test_refused_rows_have_changed_nothing(calls):
    X, y = rows(20)
    own = calls.made(classes=["no", "yes"], features=["a", "b", "c"])
    own("POST", "learn", json={"rows": as_rows(X, y)})
    before, good = own("GET", "state").content, as_rows(X, y)[0]
    nan, infinite = [0.1, None, 0.2], b'{"x": [1e999, 0, 0], "y": "no"}'
    for bad, expected in [
        ({**good, "x": [1.0]}, (400, "bad_row")),
        ({**good, "x": nan}, (400, "bad_row")),
        ({**good, "x": "text"}, (400, "bad_body")),
        ({**good, "x": {"z": 1.0}}, (400, "bad_row")),
        ({"y": "no"}, (400, "bad_row")),
        ({"x": good["x"]}, (400, "bad_row")),
        ({**good, "y": "perhaps"}, (400, "bad_label")),
        ({**good, "y": 1}, (400, "bad_label")),
        ({**good, "y": ["no"]}, (400, "bad_body")),
        ({**good, "weight": -1}, (400, "bad_row")),
        ({**good, "weight": 1e300}, (400, "bad_row")),
        ({**good, "key": "k"}, (400, "bad_row")),
        ({**good, "id": "i"}, (400, "bad_row")),
        ({**good, "more": 1}, (400, "bad_body")),
        ({"rows": []}, (400, "bad_body")),
        ({**good, "rows": [good]}, (400, "bad_body")),
        ({**good, "x": [1e308] * 3}, (400, "bad_row")),
        ([good], (400, "bad_body")),
    ]:
        answer = own("POST", "learn", json=bad)
        assert code(answer) == expected, (bad, answer.text)
        if isinstance(bad, dict) and "rows" not in bad:
            several = own("POST", "learn", json={"rows": [good, bad]})
            assert several.status_code == 400, (bad, several.text)
    answer = own("POST", "learn", content=lines([good, good]) + b"\n{", headers={TYPE: NDJSON})
    assert code(answer) == (400, "bad_row") and answer.json()["error"]["where"] == {"row": 2}
    for content, headers, expected in [
        (b"", {TYPE: "application/json"}, (400, "bad_body")),
        (b"\xff\xfe", {TYPE: "application/json"}, (400, "bad_body")),
        (infinite, {TYPE: "application/json"}, (400, "bad_body")),
        (b"[" * 100_000, {TYPE: "application/json"}, (400, "bad_body")),
        (b'{"x":' * 5_000, {TYPE: NDJSON}, (400, "bad_row")),
        (b"x,y\n1,2", {TYPE: "text/csv"}, (415, "bad_type")),
        (lines([good]), {}, (415, "bad_type")),
        (b"ARROW", {TYPE: ARROW}, (400, "bad_body")),
        (b"PAR1PAR1", {TYPE: PARQUET}, (400, "bad_body")),
        (b"\x1f\x8b", {TYPE: NDJSON, "Content-Encoding": "gzip"}, (400, "bad_body")),
        (lines([good]), {TYPE: NDJSON, "Content-Encoding": "br"}, (415, "bad_packing")),
        (lines([good]), {TYPE: NDJSON, "Request-Id": "x" * 201}, (400, "bad_request_id")),
    ]:
        answer = own("POST", "learn", content=content, headers=headers)
        assert code(answer) == expected, (content[:50], answer.text)
    assert own("GET", "state").content == before
    assert own("GET").json()["row"] == 20


def streamed(table, compression=None):
    """A table as a stream of Arrow."""
    stream = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(stream, table.schema, options=options) as writer:
        writer.write_table(table)
    return stream.getvalue()


def parquet_of(table, compression="snappy"):
    stream = io.BytesIO()
    pq.write_table(table, stream, compression=compression)
    return stream.getvalue()


def test_columns_of_tables_are_what_they_would_be_in_json(calls):
    own = calls.made(keyed=True, classes=[0, 1], features=1)
    good = {"x": [0.1, 0.2], "y": [0, 1], "key": ["a", "b"]}
    many = {"y": [1.5, 1.0], "key": [1.5, 2.5], "weight": ["1", "2"], "x": ["1", "2"]}
    bad = [("weight", [-1.0, 1.0]), ("weight", [float("nan"), 1.0]), ("weight", ["x", "y"])]
    for name, values in [
        *many.items(),
        *bad,
        *((name, [datetime.date(2020, 1, 1)] * 2) for name in good),
        *((name, [b"a", b"b"]) for name in (*good, "weight")),
        *((name, [[1], [2]]) for name in (*good, "weight")),
    ]:
        answer = own("POST", "learn", content=streamed(pa.table(good | {name: values})), headers=AS)
        assert answer.status_code == 400, (name, values, answer.text)
    for twice in good:
        columns = [*good.items(), (twice, good[twice])]
        table = pa.Table.from_arrays(
            [pa.array(values) for _, values in columns], names=[name for name, _ in columns]
        )
        assert code(own("POST", "learn", content=streamed(table), headers=AS)) == (400, "bad_body")
    assert own("GET").json()["row"] == 0
    table = pa.table(good | {"weight": [None, 2.0], "key": pa.array([*"ab"]).dictionary_encode()})
    assert own("POST", "learn", content=streamed(table), headers=AS).status_code == 200
    body = parquet_of(table)
    assert own("POST", "learn", content=body, headers={TYPE: PARQUET}).status_code == 200
    scores = [
        own("POST", "predict", json={"x": [large], "key": "a"}).json()["score"]
        for large in (2**53 + 1, 2**64 - 1)
    ]
    table = pa.table({"x": pa.array([2**53 + 1, 2**64 - 1], pa.uint64()), "key": ["a", "a"]})
    answer = own("POST", "predict", content=streamed(table), headers=AS)
    assert pa.ipc.open_stream(answer.content).read_all()["score"].to_pylist() == scores


AS = {TYPE: ARROW}


def test_nothing_is_submitted_to_a_model_that_is_being_deleted(calls, monkeypatch):
    own = calls.made()
    put_away, was_closed = calls.shelf._put_away, []

    def noted(model):
        was_closed.append(model.writer.is_closed)
        put_away(model)

    monkeypatch.setattr(calls.shelf, "_put_away", noted)
    assert own("DELETE").status_code == 204
    assert was_closed == [True]


def test_a_small_body_is_not_a_large_one_in_memory(calls):
    own = calls.made(features=1)
    zeros, one = np.zeros(10_000), np.zeros(10_000, np.int8)
    long = pa.table({"x": zeros, "y": pa.DictionaryArray.from_arrays(one, ["y" * 1_000_000])})
    wide = pa.table({"y": one} | {f"x{at}": zeros for at in range(300)})
    plain = pa.table({"x": zeros, "y": one})
    for content, media, expected in [
        (streamed(plain, "zstd"), ARROW, (415, "bad_packing")),
        (streamed(long, "lz4"), ARROW, (415, "bad_packing")),
        (parquet_of(plain, "zstd"), PARQUET, (415, "bad_packing")),
        (parquet_of(wide), PARQUET, (413, "too_large")),
        (parquet_of(long), PARQUET, (400, "bad_row")),
        (streamed(long), ARROW, (400, "bad_row")),
        (b"{}\n" * 4_000_000, NDJSON, (413, "too_many_rows")),
        (b'{"rows":[' + b"{}," * 4_000_000 + b"{}]}", "application/json", (413, "too_many_rows")),
    ]:
        start = time.perf_counter()
        answer = own("POST", "learn", content=content, headers={TYPE: media})
        assert code(answer) == expected, answer.text
        assert time.perf_counter() - start < 2  # reading those rows takes longer


def test_paths_and_methods_that_there_are_not(calls):
    own = calls.made()
    assert code(calls("GET", "/nothing")) == (404, "not_found")
    assert code(calls("GET", "/v1/models/m/nothing")) == (404, "not_found")
    assert code(calls("GET", "/v1/models/x/metrics")) == (404, "no_model")
    for answer, allowed in [
        (own("GET", "learn"), "POST"),
        (own("POST"), "GET, PUT, DELETE"),
        (calls("POST", "/v1/models"), "GET, HEAD"),
    ]:
        assert code(answer) == (405, "bad_method") and answer.headers["Allow"] == allowed
    assert code(own("POST", "rollback", json={"snapshot": "x"})) == (404, "no_snapshot")
    assert code(own("POST", "rollback", json={})) == (400, "bad_body")
    assert code(own("POST", "explain", json={"x": [1.0]})) == (400, "bad_row")  # nothing learned
    for name in ("..", ".hidden", "%2e%2e", "a%2fb", "x" * 65, "n%00"):
        answer = calls("PUT", f"/v1/models/{name}", json={"learner": "Forgetron"})
        assert answer.status_code in (400, 404, 405), name
    for bad in (
        {"learner": "os.system"},
        {"learner": "Forgetron", "parameters": {"budget": -1}},
        {"learner": "Forgetron", "parameters": {"nothing": 1}},
        {"learner": "Forgetron", "classes": ["one"]},
        {"learner": "Forgetron", "classes": ["one", 2]},
        {"learner": "Forgetron", "classes": [2**53 + 1, 0.5]},
        {"learner": "Forgetron", "parameters": {"kernel": "poly", "degree": 10**9}},
        {"learner": "Forgetron", "features": 0},
        {"learner": "Forgetron", "features": ["a", "a"]},
        {"learner": "WhitenedPerceptron"},
    ):
        assert code(calls("PUT", "/v1/models/n", json=bad)) == (400, "bad_model"), bad
    for body in (
        b'{"learner": "\xff"}',
        b'{"learner": "Forgetron", "parameters": {"a":' + b"[" * 10**5,
    ):
        assert code(calls("PUT", "/v1/models/n", content=body)) == (400, "bad_body")
    assert code(own("POST", "rollback", content=b'{"snapshot": "\xff"}')) == (400, "bad_body")
    headers = {TYPE: "application/octet-stream"}
    answer = calls("PUT", "/v1/models/n", content=b"\x80\x04pickle", headers=headers)
    assert code(answer) == (400, "bad_model")
    assert [it["name"] for it in calls("GET", "/v1/models").json()["models"]] == ["m"]


def test_limits(serving):
    limits = Limits(body=5000, rows=3, width=4, models=1, keys=2, classes=3, rate=0.0, waiting=1)
    with serving(Configuration(limits=limits)) as calls:
        own = calls.made(keyed=True)
        assert code(calls("PUT", "/v1/models/n", json={"learner": "Forgetron"})) == (
            409,
            "too_many",
        )
        row = {"x": [0.1, 0.2], "y": "a", "key": "k"}
        assert code(own("POST", "learn", json={"rows": [row] * 4})) == (413, "too_many_rows")
        assert code(own("POST", "learn", content=b" " * 5001)) == (413, "too_large")
        bomb, headers = gzip.compress(b" " * 10_000_000), {"Content-Encoding": "gzip"}
        assert code(own("POST", "learn", content=bomb, headers=headers)) == (413, "too_large")
        assert code(own("POST", "learn", json=row | {"x": [0.1] * 5})) == (400, "bad_row")
        three = [row | {"key": key} for key in "abc"]
        assert code(own("POST", "learn", json={"rows": three})) == (409, "too_many")
        assert own("POST", "learn", json={"rows": three[:2]}).status_code == 200
        assert code(own("POST", "learn", json=three[2])) == (409, "too_many")
        more = [three[0] | {"y": label} for label in "bcd"]
        assert code(own("POST", "learn", json={"rows": more})) == (409, "too_many")
        assert own("POST", "learn", json={"rows": more[:2]}).status_code == 200
        assert own("POST", "predict", json=three[0] | {"id": "i"}).status_code == 200
        assert code(own("POST", "predict", json=three[0] | {"id": "j"})) == (503, "too_many")
        calls.service.configure(Configuration(limits=Limits(rate=2.0)))
        answers = [own("GET").status_code for _ in range(4)]
        assert answers == [200, 200, 429, 429]
        assert calls("GET", "/healthz").status_code == 200


def test_tokens(serving, tmp_path):
    tokens, named = {}, []
    for right in ("read", "learn", "admin"):
        tokens[right], text = new_token(right, right)
        named.append(text)
    mine, text = new_token("mine", "learn")
    named.append(text + 'models = ["other"]\n')
    path = tmp_path / "c.toml"
    path.write_text("".join(named))
    from budgetron.serve.configuration import configured

    assert not any(token in path.read_text() for token in tokens.values())
    with serving(configured(path)) as calls:

        def status(token, method, action, model="m", **what):
            headers = {"Authorization": f"Bearer {token}"}
            answer = calls(method, f"/v1/models/{model}{action}", headers=headers, **what)
            assert model not in answer.text or answer.status_code != 404 or model == "m"
            return answer.status_code

        make = {"json": {"learner": "Forgetron", "parameters": {"budget": 5}}}
        row = {"json": {"x": [0.5], "y": 1}}
        assert code(calls("PUT", "/v1/models/m", **make)) == (401, "no_token")
        assert [status(tokens[it], "PUT", "", **make) for it in tokens] == [403, 403, 201]
        assert [status(tokens[it], "POST", "/learn", **row) for it in tokens] == [403, 200, 200]
        assert [status(tokens[it], "GET", "/state") for it in tokens] == [200, 200, 200]
        for wrong in ("", "x", tokens["admin"][:-1], tokens["admin"] + "x", "é".encode()):
            name = wrong if isinstance(wrong, str) else wrong.decode("latin-1")
            headers = {"Authorization": f"Bearer {name}".encode("latin-1")}
            assert calls("GET", "/v1/models/m/state", headers=headers).status_code == 401
        for path in ("/metrics", "/openapi.json", "/v1/models", "/v1/models/m"):
            answer = calls("GET", path)
            assert code(answer) == (401, "no_token") and "bearer" in str(answer.headers).lower()
        assert calls("GET", "/").status_code == calls("GET", "/healthz").status_code == 200
        assert calls("GET", "/readyz").json() == {"ready": True}  # and of models nothing
        assert status(mine, "GET", "/state") == status(mine, "POST", "/learn", **row) == 404
        headers = {"Authorization": f"Bearer {mine}"}
        assert calls("GET", "/v1/models", headers=headers).json() == {"models": []}
        assert b'model="m"' not in calls("GET", "/metrics", headers=headers).content
        assert status(tokens["read"], "DELETE", "") == 403
        assert status(tokens["admin"], "DELETE", "") == 204


def test_a_new_token_is_shown_and_its_lines_are_for_the_configuration(tmp_path):
    made = run("serve", "--new-token", "learn", "--name", 'the "shop"')
    (tmp_path / "serve.toml").write_text(made.stdout)
    (token,) = configured(tmp_path / "serve.toml").tokens
    shown = made.stderr.split()[-1]
    assert token == Token('the "shop"', digest_of(shown.encode()), "learn")
    assert shown not in made.stdout


def test_pages_of_others_are_kept_out(calls):
    calls.made()
    for headers, expected in [
        ({"Host": "evil.example"}, (421, "bad_host")),
        ({"Host": "127.0.0.1.evil.example:80"}, (421, "bad_host")),
        ({"Origin": "https://evil.example"}, (403, "bad_origin")),
        ({"Origin": "null"}, (403, "bad_origin")),
    ]:
        assert code(calls("POST", "/v1/models/m/snapshots", headers=headers)) == expected
    for host in ("localhost:8080", "127.0.0.1", "[::1]:99"):
        assert calls("GET", "/v1/models", headers={"Host": host}).status_code == 200
    headers = {"Host": "localhost:8080", "Origin": "http://localhost:8080"}
    assert calls("POST", "/v1/models/m/snapshots", headers=headers).status_code == 200


def test_requests_and_labels_that_come_again(serving):
    X, y = rows(6)
    row = as_rows(X, y)
    with serving() as calls:
        own = calls.made(features=FEATURES)
        first = own("POST", "learn", json=row[0], headers={"Request-Id": "a"})
        asked = own(
            "POST",
            "predict",
            json={"rows": [it | {"id": str(at)} for at, it in enumerate(as_rows(X))]},
        )
        assert [each["id"] for each in asked.json()["rows"]] == [*"012345"]
        label = own("POST", "label", json={"id": "3", "y": y[3]}, headers={"Request-Id": "b"})
        assert label.json()["row"] == 1
    with serving() as calls:  # it was stopped, and goes on

        def own(method, path="", **what):
            return calls(method, f"/v1/models/m/{path}".rstrip("/"), **what)

        again = own("POST", "learn", json=row[0], headers={"Request-Id": "a"})
        assert again.json() == first.json()
        other = own("POST", "learn", json=row[1], headers={"Request-Id": "a"})
        assert code(other) == (409, "request_id_in_use")
        again = own("POST", "label", json={"id": "3", "y": y[3]}, headers={"Request-Id": "b"})
        assert again.json() == label.json()
        assert code(own("POST", "label", json={"id": "3", "y": y[3]})) == (404, "unknown_id")
        both = [{"id": "4", "y": y[4]}, {"id": "9", "y": y[5]}]
        assert code(own("POST", "label", json={"rows": both})) == (404, "unknown_id")
        assert code(own("POST", "label", json=row[0] | {"id": "4"})) == (400, "bad_row")
        told = own("POST", "label", content=lines([both[0]]), headers={TYPE: NDJSON})
        assert json.loads(told.text)["row"] == 2
        assert own("GET", "metrics").json()["waiting"] == 4


def test_many_clients_are_learned_in_groups_and_each_gets_its_own(calls):
    X, y = rows(200)
    own = calls.made(features=FEATURES)
    one = [("POST", "/v1/models/m/learn", {"json": each}) for each in as_rows(X, y)]
    told = [answer.json() for answer in calls.together(one)]
    assert sorted(row["row"] for row in told) == [*range(200)]
    order = np.argsort([row["row"] for row in told])
    plain = budgetron.Forgetron(budget=10, random_state=0)
    trace = budgetron.prequential(plain, X[order], np.array(y)[order])
    assert own("GET", "state").content == plain.dumps()
    assert [told[at]["mistake"] for at in order] == trace.mistakes.tolist()
    assert calls.shelf.models["m"].syncs < 200


def test_keys(calls):
    X, y = rows(40)
    keys = [f"shop {at % 4}" for at in range(40)]
    own = calls.made(keyed=True, features=FEATURES, classes=["no", "yes"])
    body = [row | {"key": key} for row, key in zip(as_rows(X, y), keys, strict=True)]
    assert own("POST", "learn", json={"rows": body}).status_code == 200
    plain = budgetron.keyed.KeyedClassifier(budgetron.Forgetron(budget=10, random_state=0))
    plain.partial_fit(X, y, ["no", "yes"], keys=keys)
    assert own("GET", "state").content == plain.dumps()
    del body[0]["y"]
    assert own("POST", "predict", json=body[0]).json()["label"] == plain.predict_one(X[0], keys[0])
    assert code(own("POST", "predict", json={"x": [1, 2, 3]})) == (400, "bad_row")
    stranger = own("POST", "predict", json=body[0] | {"key": 17}).json()
    assert stranger["score"] == 0
    told = own("GET", "metrics").json()
    assert told["size"] == 4 and {it["key"] for it in told["keys"]["worst"]} == {*keys}


def test_figures_and_documents(calls):
    X, y = rows(300)
    own = calls.made(features=FEATURES)
    own("POST", "learn", json={"rows": as_rows(X, y)})
    own("POST", "predict", json=as_rows(X)[0])
    told = own("GET", "metrics").json()
    model = calls.shelf.models["m"]
    plain = budgetron.Forgetron(budget=10, random_state=0)
    trace = budgetron.prequential(plain, X, y)
    assert told["window"]["error"] == pytest.approx(trace.mistakes.mean())
    assert told["window"]["low"] < told["window"]["error"] < told["window"]["high"]
    assert told["classes"] == {"no": y.count("no") / 300, "yes": y.count("yes") / 300}
    last_label = 1 + sum(a != b for a, b in pairwise(y))
    assert told["window"]["last_label_error"] == pytest.approx(last_label / 300)
    assert len(told["supports"]) == 10 and all(0 <= it["row"] < 300 for it in told["supports"])
    shown = told["mistakes"][-1]
    assert shown["x"] == X[shown["row"]].tolist() and shown["label"] == y[shown["row"]]
    text = calls("GET", "/metrics").text
    assert f'budgetron_model_mistakes{{model="m"}} {model.figures.mistakes:.1f}' in text
    assert 'budgetron_rows_total{action="learn"} 300.0' in text
    document = calls("GET", "/openapi.json").json()
    listed = {
        (method.upper(), path)
        for path, operations in document["paths"].items()
        for method in operations
        if method != "parameters"
    }
    routes = {
        (method, f"/v1/models/{{name}}/{action}".rstrip("/")) for method, action in RIGHTS
    } | {("GET", path) for path in ("/v1/models", "/metrics", "/healthz", "/readyz")}
    assert listed == routes
    assert re.fullmatch(r"3\.1\.\d", document["openapi"])
    assert calls("GET", "/readyz").json() == {"ready": True, "learning": {"m": True}}


def test_an_alarm_after_a_shift(calls):
    X, _ = rows(4000)
    y = np.where(X[:, 0] > 0, "yes", "no").tolist()
    drawn = np.random.default_rng(1).choice(["yes", "no"], 1000).tolist()  # nothing to learn
    own = calls.made(features=FEATURES, parameters={"budget": 30, "random_state": 0})
    own("POST", "learn", json={"rows": as_rows(X, y)})
    assert own("GET", "metrics").json()["alarms"] == []
    own("POST", "learn", json={"rows": as_rows(X[:1000], drawn)})
    alarms = own("GET", "metrics").json()["alarms"]
    assert alarms and 4000 < alarms[0]["row"] < 5000
    assert alarms[0]["before"] < alarms[0]["after"]


def heard_events(calls, sent):
    """Somebody who listens to events until they end."""

    async def listen():
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/v1/models/m/events",
            "headers": [(b"host", b"localhost")],
        }

        async def receive():
            await asyncio.sleep(60)

        async def send(message):
            sent.append(message.get("body", b""))

        await calls.service(scope, receive, send)

    return calls._portal.start_task_soon(listen)


def test_events_end_when_tokens_are_read_again(serving):
    with serving() as calls:
        calls.made(features=FEATURES)
        listening = heard_events(calls, sent := [])
        while not sent:
            time.sleep(0.01)
        calls.service.configure(Configuration(tokens=[Token("other", "0" * 64, "read")]))
        listening.result(5)


def test_events_come_as_they_happen(serving):
    with serving() as calls:
        own = calls.made(features=FEATURES)
        X, y = rows(20)
        listening = heard_events(calls, sent := [])
        own("POST", "learn", json={"rows": as_rows(X, y)})
        deadline = time.monotonic() + 5
        while b"event: mistake" not in b"".join(sent) and time.monotonic() < deadline:
            time.sleep(0.05)
        calls.service.closing.set()
        listening.result(5)
    news = b"".join(sent).split(b"\n\n")
    told = [json.loads(each.partition(b"data: ")[2]) for each in news if b"metrics" in each]
    assert told[-1]["row"] == 20
    assert any(each.startswith(b"event: mistake") for each in news)
