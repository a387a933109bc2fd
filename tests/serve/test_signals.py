"""A server that is told to stop, or to read its configuration again."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

import budgetron
from budgetron.client import Client, ServiceError
from budgetron.serve.configuration import new_token
from budgetron.serve.log import Log
from budgetron.serve.records import Group, unpacked
from serve.conftest import FEATURES, rows

X, Y = rows(40)


class Child:
    """A server in a process of its own."""

    def __init__(self, folder, *options, program=("-m", "budgetron")):
        command = [sys.executable, *program, "serve", "--port", "0", "--data", folder]
        self.process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True)
        self.told = []
        self.url = self.event("listening")["url"]

    def event(self, wanted):
        """What is said of an event, when it comes."""
        for line in self.process.stderr:
            self.told.append(json.loads(line))
            if self.told[-1]["event"] == wanted:
                return self.told[-1]
        raise AssertionError(f"the server ended and never said {wanted}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()


def test_what_was_acknowledged_before_the_end_is_in_the_log(tmp_path):
    acknowledged, model = [0], tmp_path / "models" / "m"

    def learn(url):
        with Client(url, patience=0) as client:
            while True:
                try:
                    acknowledged[0] += len(client.learn("m", X, Y))
                except ServiceError:
                    return

    with Child(tmp_path) as child:
        with Client(child.url) as client:
            client.create("m", "Forgetron", {"budget": 10, "random_state": 0}, features=FEATURES)
            client.learn("m", X, Y)
        busy = threading.Thread(target=learn, args=[child.url])
        busy.start()
        while acknowledged[0] < 400:
            assert busy.is_alive()
        child.process.send_signal(signal.SIGTERM)
        child.event("stopped")
        assert child.process.wait(20) == 0
        busy.join()
    records = [unpacked(content) for _, content in Log(model / "log").read()]
    logged = sum(len(record) for record in records if isinstance(record, Group))
    assert logged in (acknowledged[0] + len(X), acknowledged[0] + 2 * len(X))  # an answer was lost
    newest = max(path.name for path in (model / "snapshots").iterdir())
    assert int(newest.split("-")[0]) == logged
    learner = budgetron.Forgetron(budget=10, random_state=0)
    for _ in range(logged // len(X)):
        learner.partial_fit(X, Y)
    with Child(tmp_path) as child, Client(child.url) as client:
        assert client.state("m").dumps() == learner.dumps()


def test_tokens_are_read_again(tmp_path):
    (old, before), (new, after) = new_token("old", "read"), new_token("new", "read")
    config = tmp_path / "c.toml"
    config.write_text(before)

    def may_read(url, token):
        with Client(url, token, patience=0) as client:
            try:
                return client.models() == []
            except ServiceError as error:
                return error.code != "no_token"

    with Child(tmp_path / "data", "--config", config) as child:
        assert [may_read(child.url, it) for it in (old, new)] == [True, False]
        for wrong, about in (("tokens = 3", "tokens"), ("[limits]\ngather = nan", "gather")):
            config.write_text(wrong)
            os.kill(child.process.pid, signal.SIGHUP)
            assert about in child.event("configuration not read")["error"]
        config.write_text("")  # a file that is being written, or none that anybody meant
        os.kill(child.process.pid, signal.SIGHUP)
        assert "no tokens any more" in child.event("configuration not read")["error"]
        with Client(child.url, patience=0) as client, pytest.raises(ServiceError, match="token"):
            client.models()
        assert [may_read(child.url, it) for it in (old, new)] == [True, False]
        config.write_text(after)
        os.kill(child.process.pid, signal.SIGHUP)
        child.event("configuration read")
        assert [may_read(child.url, it) for it in (old, new)] == [False, True]


EARLY = """
import os
import signal

from budgetron.__main__ import main
from budgetron.serve import server

class Early(server.Shelf):
    def __init__(self, *given):
        os.kill(os.getpid(), signal.SIGHUP)
        super().__init__(*given)

server.Shelf = Early
main()
"""


def test_what_is_to_be_read_again_before_it_listens_is_read_then(tmp_path):
    config = tmp_path / "c.toml"
    config.write_text("[limits]\nrows = 5")
    with Child(tmp_path / "data", "--config", config, program=("-c", EARLY)) as child:
        assert [each["event"] for each in child.told] == ["configuration read", "listening"]


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_with_nobody_listening_to_it(tmp_path, stop):
    with Child(tmp_path) as child:
        child.process.stderr.close()
        child.process.send_signal(stop)
        assert child.process.wait(20) == 0


def test_all_that_is_said_is_json(tmp_path):
    with Child(tmp_path / "first") as child:
        port = child.url.rpartition(":")[2]
        command = [sys.executable, "-m", "budgetron", "serve", "--data", tmp_path / "second"]
        second = subprocess.run(
            [*command, "--port", port], capture_output=True, text=True, timeout=60
        )
    told = [json.loads(line) for line in second.stderr.splitlines()]
    assert second.returncode != 0 and "in use" in told[-1]["message"]
