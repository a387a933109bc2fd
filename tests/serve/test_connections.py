"""Clients that send or read slowly, and what comes where no header is."""

import resource
import socket
import time
from urllib.parse import urlsplit

import numpy as np
import pytest

from budgetron.client import Client
from client.served import Served

PREDICT = (
    b"POST /v1/models/m/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    (folder / "c.toml").write_text("[limits]\nrequest_seconds = 2\n")
    service = Served(folder / "data", "--config", folder / "c.toml")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 2000)), rng.integers(2, size=1000)
    with Client(service.url) as client:
        client.create("m", "Perceptron", {"random_state": 0}, classes=[0, 1], features=2000)
        for first in range(0, 1000, 250):
            client.learn("m", X[first : first + 250], y[first : first + 250])
    yield service
    service.kill()


def connected(served):
    line = socket.create_connection(("127.0.0.1", urlsplit(served.url).port))
    line.settimeout(10)
    return line


def heard(line):
    """All that comes until the other side hangs up."""
    parts = []
    try:
        while part := line.recv(1 << 16):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def test_what_comes_after_a_body_is_no_header(served):
    with connected(served) as line:
        body = b"2\r\n{}\r\n0\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        line.sendall(PREDICT + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        assert heard(line).startswith(b"HTTP/1.1 400 ")  # it has no features; 421 is for hosts


@pytest.mark.parametrize("sent", [b"POST /v1", PREDICT + b"Content-Length: 100\r\n\r\n{"])
def test_a_client_that_does_not_go_on_is_cut_off(served, sent):
    with connected(served) as line:
        line.sendall(sent)
        assert heard(line) == b""


def test_a_client_that_does_not_read_is_cut_off(served):
    with connected(served) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 18)
        line.sendall(b"GET /v1/models/m/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with Client(served.url) as client:
            whole = len(client.state("m").dumps())
        assert whole > 6_000_000  # more than is on its way at a time
        time.sleep(4)
        assert len(heard(line)) < whole


def test_more_clients_than_the_shell_would_allow(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(100, soft), hard))
    try:
        served = Served(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    lines = [connected(served) for _ in range(150)]
    lines[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert heard(lines[-1]).startswith(b"HTTP/1.1 200 ")
    for line in lines:
        line.close()
    served.kill()
