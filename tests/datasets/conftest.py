"""Data that may be at hand, and a server for files that are not."""

from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

import pytest


@pytest.fixture(scope="session")
def at_hand():
    """Load a data set, or skip the test if its files are not in the data directory."""

    @cache
    def load(loader, **options):
        try:
            return loader(download=False, **options)
        except FileNotFoundError as missing:
            pytest.skip(str(missing))

    return load


class Site(NamedTuple):
    """A web site of one folder."""

    address: str
    folder: object
    requests: list

    def publish(self, name, contents):
        (self.folder / name).write_bytes(contents)
        return self.address + name


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    requests = []

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(folder))

        def do_GET(self):
            requests.append(self.path)
            super().do_GET()

        def send_header(self, name, value):
            promised = name == "Content-Length" and "cut-off" in self.path
            super().send_header(name, "1000000" if promised else value)

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False  # to wait for the answers under way
        thread = Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        yield Site(f"http://127.0.0.1:{server.server_port}/", folder, requests)
        server.shutdown()
        thread.join()
