"""Kill the server again and again while it learns, and compare with its log and its clients.

    python scripts/serve_kills.py [--kills 200] [--clients 8] [--learner Forgetron] [--torn]
    python scripts/serve_kills.py --full
    python scripts/serve_kills.py --keyed

Clients predict, learn and send late labels, one request after the other, and repeat what was not
answered. At random moments the server is killed (-9); with --torn, half a record is added to its
log. In the end every row that was acknowledged must be in the log once, with the answer that was
given, every row that waits must still wait, and the server's state must be that of a replay of the
log, to the last bit. With --keyed, each of some keys has a learner of its own. With --full, the
disk is a small tmpfs (which needs root) that is filled on the way instead: predictions go on,
learning is refused, and goes on when there is room again.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

import budgetron
from budgetron.keyed import KeyedClassifier
from budgetron.serve.learning import opened
from budgetron.serve.log import HEADER, MARK, Log
from budgetron.serve.records import Placed, unpacked

FEATURES = 20
NAME = "tried"
PATIENCE = 120
"""Seconds without an answer; then something is wrong."""


ZYGOTE = """
import os
import sys

from budgetron.__main__ import main
from budgetron.serve import server  # noqa: F401
from budgetron.serve.learning import opened
from budgetron.serve.records import Group, Lesson, Settings

rows, path = bytes(8 * 2 * int(sys.argv[1])), sys.argv[2]
keys = ["a", "b"] if sys.argv[3:] else None
lesson = Lesson(x=rows, width=int(sys.argv[1]), y=["yes", "no"], key=keys)
with open(path, "rb") as file:
    learned = opened(file.read(), Settings(keyed=keys is not None))
learned.taught(Group(0, 1, 0.0, prompt=lesson))()
learned.ask(lesson.rows(), keys)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        sys.argv = ["budgetron", "serve", *line.split("\\t")[:-1]]
        main()
        os._exit(0)
    print(pid, flush=True)
    os.waitpid(pid, 0)
    print("gone", flush=True)
"""
"""Forks a server for each line, which has imported and compiled all that it needs already."""


class Server:
    """The process, which is started again whenever it was killed."""

    def __init__(self, folder: Path, *, keyed: bool) -> None:
        model = str(folder / f"{NAME}.budgetron")
        self.options = ["--port", "0", "--model", model, "--data", str(folder / "data")]
        self.options += ["--config", str(folder / "c.toml")]
        self.port = self.pid = 0
        command = [sys.executable, "-c", ZYGOTE, str(FEATURES), model, *["keyed"] * keyed]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.zygote = subprocess.Popen(command, text=True, **pipes)
        self.listening = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def start(self) -> float:
        begin = time.perf_counter()
        self.zygote.stdin.write("\t".join([*self.options, "\n"]))
        self.zygote.stdin.flush()
        self.pid = int(self.zygote.stdout.readline())
        self.port = self.listening.get(timeout=PATIENCE)
        return time.perf_counter() - begin

    def _read(self) -> None:
        for line in self.zygote.stderr:
            if '"listening"' in line:
                self.listening.put(int(json.loads(line)["url"].rpartition(":")[2]))
            elif '"level": "info"' not in line:
                print("  ", line.strip()[:200], flush=True)

    def kill(self) -> None:
        port, self.port = self.port, 0
        os.kill(self.pid, signal.SIGKILL)
        assert port
        assert self.zygote.stdout.readline() == "gone\n"

    def ask(self, connection, method, path, body=None, headers=None):
        """Status and answer; whoever is not there raises OSError."""
        plain = None if body is None else json.dumps(body)
        own = {"Content-Type": "application/json", **(headers or {})}
        connection.request(method, f"/v1/models/{NAME}/{path}".rstrip("/"), plain, own)
        answer = connection.getresponse()
        data = answer.read()
        return answer.status, data if path == "state" else json.loads(data)


class Client(threading.Thread):
    """Sends requests, each until it is answered, and writes down what was acknowledged."""

    def __init__(self, server: Server, number: int, options) -> None:
        super().__init__(daemon=True)
        self.server, self.number, self.keyed = server, number, options.keyed
        self.random = random.Random(options.seed + number)
        self.count, self.stopping = 0, False
        self.rows: dict[float, tuple[str, dict]] = {}  # by their own number: label and answer
        self.waiting: dict[str, tuple[float, str]] = {}
        self.refused = self.predicted = self.predicted_while_refused = self.repeated = 0
        self.fault: str | None = None

    def run(self) -> None:
        try:
            while not self.stopping:
                self.act()
        except Exception as error:
            self.fault = repr(error)

    def act(self) -> None:
        chance = self.random.random()
        if chance < 0.2:
            status, _ = self.answered("predict", self.whose({"x": self.row()[0]}))
            assert status == 200, status
            self.predicted += 1
        elif chance < 0.6:
            self.learn(self.random.choice([1, 1, 1, 5, 40]))
        elif chance < 0.8 or not self.waiting:
            x, tag, label = self.row()
            id = f"{self.number}-{self.count}"
            status, _ = self.answered("predict", self.whose({"x": x, "id": id}))
            if status == 200:
                self.waiting[id] = tag, label
        else:
            id = self.random.choice([*self.waiting])
            tag, label = self.waiting[id]
            name = {"Request-Id": f"label {id}"}
            status, told = self.answered("label", {"id": id, "y": label}, name)
            if status == 200:
                del self.waiting[id]
                self.rows[tag] = label, told

    def learn(self, many: int) -> None:
        rows = [self.row() for _ in range(many)]
        body = {"rows": [self.whose({"x": x, "y": label}) for x, _, label in rows]}
        name = {"Request-Id": f"learn {self.number}-{self.count}"}
        status, told = self.answered("learn", body, name)
        if status == 200:
            for (_, tag, label), one in zip(rows, told["rows"], strict=True):
                self.rows[tag] = label, one

    def row(self) -> tuple[list[float], float, str]:
        """A row that there is once, by its last number."""
        self.count += 1
        x = [self.random.gauss(0, 1) for _ in range(FEATURES)]
        x[-1] = tag = (self.number * 1e9 + self.count) * 1e-12
        return x, tag, "yes" if x[0] * x[1] > 0 else "no"

    def whose(self, row):
        """The row, with a key that many rows have, of many clients."""
        return row | ({"key": f"key {int(1e6 * abs(row['x'][0])) % 30}"} if self.keyed else {})

    def answered(self, path, body, headers=None):
        since, times = time.monotonic(), 0
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
            try:
                if self.server.port:
                    times += 1
                    status, told = self.server.ask(connection, "POST", path, body, headers)
                    self.repeated += times > 1
                    if status == 503:
                        self.refused += 1
                        self.predicted_while_refused += 1
                        if self.stopping or self.refused > 200:
                            time.sleep(0.05)
                            return status, told
                    elif status == 200:
                        return status, told
                    else:
                        raise AssertionError(f"{path} {status} {told}")
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            if time.monotonic() - since > PATIENCE:
                raise AssertionError(f"{path} was not answered")
            time.sleep(0.02)


def prepared(options) -> Path:
    """A folder with a model that has learned a little."""
    folder = Path(mkdtemp(prefix="budgetron-serve-"))
    rng = np.random.default_rng(options.seed)
    X = rng.normal(size=(300, FEATURES))
    learner, y = getattr(budgetron, options.learner)(budget=100), X[:, 0] * X[:, 1] > 0
    whose = {"keys": [f"key {at % 20}" for at in range(300)]} if options.keyed else {}
    learner = KeyedClassifier(learner) if options.keyed else learner
    learner.partial_fit(X, np.where(y, "yes", "no"), classes=["no", "yes"], **whose)
    learner.save(folder / f"{NAME}.budgetron")
    (folder / "c.toml").write_text(
        f"[limits]\nsnapshot_rows = {options.snapshot_rows}\nlog_file = {options.log_file}\n"
    )
    (folder / "data").mkdir()
    return folder


def tear(folder: Path, rng) -> None:
    """Half a record at the end of the log, as a crash can leave it."""
    logs = sorted((folder / "data" / "models" / NAME / "log").glob("*.log"))
    data = logs[-1].read_bytes()
    log = Log(logs[-1].parent)
    end = 0
    for position, content in log.read():
        if position.segment == int(logs[-1].stem):
            end = position.offset + HEADER.size + len(content)
    content = os.urandom(rng.randrange(20, 2000))
    torn = HEADER.pack(MARK, len(content) + rng.randrange(1, 500), 12345) + content
    with open(logs[-1], "r+b") as file:
        file.seek(end)
        file.write(torn)
        if end + len(torn) > len(data):
            file.truncate()


def compared(folder: Path, server: Server, clients) -> list[str]:
    """What is wrong, of all that was promised."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    _, state = server.ask(connection, "GET", "state")
    faults = [f"client {client.number}: {client.fault}" for client in clients if client.fault]
    learned, seen, waited = None, {}, 0
    for _, content in Log(folder / "data" / "models" / NAME / "log").read():
        record = unpacked(content)
        if isinstance(record, Placed):
            learned = opened(record.state, record.settings)
            continue
        before = [(lesson.predicted, lesson.score, lesson.mistake) for lesson in record.lessons()]
        learned.taught(record)()
        after = [(lesson.predicted, lesson.score, lesson.mistake) for lesson in record.lessons()]
        if before != after:
            faults.append(f"row {record.row} was predicted otherwise")
        row = record.row
        for lesson in record.lessons():
            for x, label, said in zip(lesson.rows(), lesson.y, lesson.predicted, strict=True):
                if x[-1] in seen and x[-1] != 0.5:
                    faults.append(f"row {row} was learned twice")
                seen[x[-1]] = label, said, row
                row += 1
    if learned.dumps() != state:
        faults.append("the state is not that of the log")
    for client in clients:
        for tag, (label, told) in client.rows.items():
            if seen.get(tag) != (label, told["label"], told["row"]):
                faults.append(f"an acknowledged row is not in the log: {told} {seen.get(tag)}")
        for id, (_, label) in client.waiting.items():
            status, told = server.ask(connection, "POST", "label", {"id": id, "y": label})
            waited += 1
            if status != 200:
                faults.append(f"a row that waits is gone: {id} {told}")
    acknowledged = sum(len(client.rows) for client in clients)
    print(
        f"{acknowledged:,} rows acknowledged, {len(seen):,} in the log, {waited:,} still waited,"
        f" {sum(client.predicted for client in clients):,} predicted,"
        f" {sum(client.repeated for client in clients):,} answered when repeated"
    )
    return faults


def killed(options, folder: Path) -> list[str]:
    rng, server = random.Random(options.seed), Server(folder, keyed=options.keyed)
    server.start()
    clients = [Client(server, number, options) for number in range(options.clients)]
    for client in clients:
        client.start()
    recoveries = []
    for at in range(options.kills):
        time.sleep(rng.uniform(0.05, options.longest))
        server.kill()
        if options.torn:
            tear(folder, rng)
        recoveries.append(server.start())
        if (at + 1) % 20 == 0:
            rows = sum(len(client.rows) for client in clients)
            print(f"{at + 1} kills, {rows:,} rows", flush=True)
    for client in clients:
        client.stopping = True
    for client in clients:
        client.join()
    server.kill()
    server.start()
    faults = compared(folder, server, clients)
    server.kill()
    print(f"{len(recoveries)} kills; started again in {np.median(recoveries):.1f} s, median")
    return faults


def filled(options, folder: Path) -> list[str]:
    data = folder / "data"
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(data)], check=True)
    faults = []
    try:
        server = Server(folder, keyed=options.keyed)
        server.start()
        filler = data / "filler"
        clients = [Client(server, number, options) for number in range(options.clients)]
        for client in clients:
            client.start()
        time.sleep(2)
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        deadline, refusal = time.monotonic() + 60, (200, {})
        row = clients[0].whose({"x": [0.5] * FEATURES})
        while refusal[0] == 200 and time.monotonic() < deadline:  # until what is allocated is used
            time.sleep(0.1)
            refusal = server.ask(connection, "POST", "learn", row | {"y": "yes"})
        status, _ = server.ask(connection, "POST", "predict", row)
        about = server.ask(connection, "GET", "")[1]["learning"]
        print(f"full: predict {status}, learn {refusal[0]} {refusal[1]}, learning: {about}")
        if status != 200 or refusal[0] != 503 or about is True:
            faults.append("a full disk was not noticed, or predictions did not go on")
        server.kill()  # and once more with a full disk
        server.start()
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        status, _ = server.ask(connection, "POST", "predict", row)
        if status != 200:
            faults.append("with a full disk it does not start")
        filler.unlink()
        before = sum(len(client.rows) for client in clients)
        time.sleep(3)
        for client in clients:
            client.stopping = True
        for client in clients:
            client.join()
        if sum(len(client.rows) for client in clients) <= before:
            faults.append("learning did not go on when there was room again")
        faults += compared(folder, server, clients)
        server.kill()
    finally:
        subprocess.run(["umount", "-l", str(data)], check=True)
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--learner", default="Forgetron")
    parser.add_argument("--longest", type=float, default=1.0, help="seconds from start to kill")
    parser.add_argument("--snapshot-rows", type=int, default=700)
    parser.add_argument("--log-file", type=int, default=300_000, help="bytes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keyed", action="store_true", help="a learner for each of some keys")
    parser.add_argument("--torn", action="store_true", help="half a record after each kill")
    parser.add_argument("--full", action="store_true", help="a full disk instead of kills")
    options = parser.parse_args()
    folder = prepared(options)
    try:
        faults = (filled if options.full else killed)(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for fault in faults[:20]:
        print("WRONG:", fault)
    print("nothing is wrong" if not faults else f"{len(faults)} things are wrong")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
