"""Malformed requests against a server: documented answers only, nothing leaks, nothing changes.

python scripts/serve_attack.py [--requests 10000] [--seed 0]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp

from budgetron.client import Client
from budgetron.serve.configuration import new_token

SECRET = "SECRET"
ROWS = [{"x": [at % 5 / 5, 1 - at % 3], "y": "yes" if at % 2 else "no"} for at in range(50)]
STATUSES = {400, 401, 403, 404, 405, 408, 409, 411, 413, 415, 421, 429, 503}
"""Beside 200, for what was well formed after all; 500 is none of them."""

NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "-1e400", "9" * 5000, "0x10", "1_0", "+1", "01"]
THINGS = ["null", "true", '"text"', "[]", "{}", "[[1,2]]", "-1", "3.5", *NUMBERS]
BAD_WEIGHTS, BAD_KEYS = ["-1", '"a"', "NaN"], ["1", '"a"']
BAD_LABELS = ["null", "[]", "{}", "NaN"]
NAMES = ["mine", "other", "none", "..", "%2e%2e", ".new-other", "other%00", "m" * 3000, "", "a/b"]


def body(rng):
    """Bytes that are no row of a model with two features."""
    thing = rng.choice(THINGS)
    return rng.choice(
        [
            lambda: b"",
            lambda: rng.randbytes(rng.randrange(1, 400)),
            lambda: thing.encode(),
            lambda: f'{{"x": [1, {rng.choice(NUMBERS)}], "y": "yes"}}'.encode(),
            lambda: f'{{"x": {thing}, "y": "yes"}}'.encode(),
            lambda: f'{{"x": [1, 2], "y": {rng.choice(BAD_LABELS)}}}'.encode(),
            lambda: f'{{"x": [1, 2, 3], "y": {thing}}}'.encode(),
            lambda: f'{{"x": [1, 2], "y": "yes", "weight": {rng.choice(BAD_WEIGHTS)}}}'.encode(),
            lambda: f'{{"x": [1, 2], "y": "yes", "key": {rng.choice(BAD_KEYS)}}}'.encode(),
            lambda: f'{{"x": [1, 2], "y": "yes", "rows": {thing}}}'.encode(),
            lambda: f'{{"rows": [{thing}, {{"x": [1, 2], "y": "yes"}}]}}'.encode(),
            lambda: b'{"x": ' + b"[" * rng.choice([10, 2000, 100_000]),
            lambda: b'{"x": {"a": ' * rng.choice([10, 5000]),
            lambda: b'{"x": [1, 2], "y": "\xff\xfe\xed\xa0\x80"}',
            lambda: b'{"id": "\\ud800", "y": "yes", "x": [1]}',
            lambda: b"\n".join([b'{"x": [1, 2], "y": "yes"}'] * 20 + [b"{"]),
            lambda: gzip.compress(b'{"x": [' + b"1," * rng.choice([10, 4_000_000])),
            lambda: gzip.compress(b"0" * 100)[: rng.randrange(1, 30)],
            lambda: b"PAR1" + rng.randbytes(60) + b"PAR1",
            lambda: b"\xff\xff\xff\xff" + rng.randbytes(100),
        ]
    )()


def request(rng, tokens):
    """The bytes of a request, and whether the client behaves oddly after them."""
    method = rng.choice(["POST"] * 60 + ["GET", "PUT", "PATCH", "BREW", "OPTIONS", "HEAD", "get"])
    action = rng.choice(["predict", "learn", "label", "explain", "rollback", "state", "x", "", "/"])
    if rng.random() < 0.7:
        action = rng.choice(["predict", "learn", "label", "explain"])
    name = "mine" if rng.random() < 0.8 else rng.choice(NAMES)
    path = f"/v1/models/{name}/{action}"
    if rng.random() < 0.1:
        path = rng.choice(
            ["/", "//", "/../etc/passwd", "/v1", "/metrics/x", "/%ff", "*", "/" + "a" * 40000]
        )
    kind = rng.choice(["application/json"] * 12 + ["application/x-ndjson", "text/plain", "\xe9"])
    kind = rng.choice(
        [kind] * 12 + [f"application/vnd.apache.{it}" for it in ("parquet", "arrow.stream")]
    )
    sent = body(rng)
    headers = [
        f"Host: {rng.choice(['localhost'] * 40 + ['evil.example'])}",
        f"Content-Type: {kind}",
    ]
    token = rng.choice([*tokens] * 40 + ["wrong", "\x01", "a" * 5000, None])
    if token is not None:
        headers.append(f"Authorization: {rng.choice(['Bearer'] * 40 + ['Basic', ''])} {token}")
    if sent[:2] == b"\x1f\x8b" or rng.random() < 0.05:
        headers.append(f"Content-Encoding: {rng.choice(['gzip', 'gzip', 'br', 'x'])}")
    headers += rng.sample(
        [
            "Request-Id: " + "r" * 300,
            "Origin: http://evil.example",
            "X: " + "y" * 40000,
            "Bad Header",
        ],
        rng.choice([0] * 9 + [1]),
    )
    framing = rng.random()
    if framing < 0.8:
        headers.append(f"Content-Length: {len(sent)}")
    elif framing < 0.85:
        headers.append(f"Content-Length: {rng.choice(['-1', 'x', '9' * 30, str(len(sent) + 5)])}")
    elif framing < 0.95:
        headers.append("Transfer-Encoding: chunked")
        sent = rng.choice([b"zz\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(sent), sent), b"5\r\nab"])
    head = "\r\n".join([f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", ""])
    data = head.encode("latin-1") + sent
    return rng.randbytes(200) if rng.random() < 0.02 else data


async def attack(rng, port, tokens, counts):
    """One request; what is answered is looked at."""
    data = request(rng, tokens)
    manner = rng.choice(["whole"] * 20 + ["half", "slow", "gone"])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        if manner == "slow":
            for at in range(3):
                writer.write(data[at : at + 1])
                await writer.drain()
                await asyncio.sleep(1)
            counts["slow"] += 1
            return
        writer.write(data)
        await writer.drain()
        if manner == "gone":
            counts["gone"] += 1
            return
        if manner == "half":
            writer.write_eof()
        answer = await asyncio.wait_for(reader.read(), 2)
    except TimeoutError:
        counts["silent, as the request is not whole"] += 1
        return
    except ConnectionError:
        counts["hung up"] += 1
        return
    finally:
        writer.close()
    look_at(answer, data, counts)


def look_at(answer, data, counts):
    if not answer:
        counts["hung up"] += 1
        return
    head, _, told = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    assert SECRET.encode() not in answer, (data[:500], answer)
    if status == 200:
        counts[200] += 1
        assert not data.split()[1].endswith((b"/learn", b"/label")), (data[:900], answer)
        return
    assert status in STATUSES, (data[:900], answer)
    if not data.startswith(b"HEAD"):
        error = json.loads(told)["error"]
        assert set(error) - {"where"} == {"code", "message"}, answer
        counts[status, error["code"]] += 1


def memory(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def everything(client):
    told = {}
    for name in ("mine", "other"):
        told[name] = client.state(name).dumps(), client.model(name)
    return told


async def all_of_them(options, port, tokens, counts):
    rng, left = random.Random(options.seed), [options.requests]

    async def some():
        while left[0] > 0:
            left[0] -= 1
            await attack(rng, port, tokens, counts)

    await asyncio.gather(*(some() for _ in range(64)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder = Path(mkdtemp(prefix="budgetron-attack-"))
    (admin, first), (learn, second) = new_token("a", "admin"), new_token("l", "learn")
    (folder / "c.toml").write_text(f'[limits]\nbody = 1000000\n{first}{second}models = ["mine"]\n')
    command = [sys.executable, "-m", "budgetron", "serve", "--port", "0"]
    command += ["--data", str(folder / "data"), "--config", str(folder / "c.toml")]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        url = json.loads(server.stderr.readline())["url"]
        with Client(url, token=admin) as client:
            for name, label in (("mine", ""), ("other", SECRET)):
                client.create(
                    name, "Forgetron", {"budget": 10}, classes=[label + "no", label + "yes"]
                )
                client.learn(name, [row["x"] for row in ROWS], [label + row["y"] for row in ROWS])
            counts: Counter = Counter()
            port = int(url.rpartition(":")[2])
            warm = argparse.Namespace(requests=min(1000, options.requests), seed=options.seed + 1)
            asyncio.run(all_of_them(warm, port, [learn], counts))
            before, held = everything(client), memory(server.pid)
            asyncio.run(all_of_them(options, port, [learn], counts))
            assert server.poll() is None
            assert everything(client) == before
        for what, many in counts.most_common():
            print(f"{many:8,}  {what}")
        print(f"memory {held:.0f} MB before, {memory(server.pid):.0f} MB after; nothing changed")
    finally:
        server.terminate()
        code = server.wait()
        journal = server.stderr.read()
        shutil.rmtree(folder)
    assert (code, '"failed"' in journal) == (0, False), (code, journal)


if __name__ == "__main__":
    main()
