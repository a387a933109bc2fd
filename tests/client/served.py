"""A service in a process of its own, that can be killed and started again where it was."""

import json
import subprocess
import sys


class Served:
    """`budgetron serve` over a folder."""

    def __init__(self, folder, *options):
        self._command = [sys.executable, "-m", "budgetron", "serve", "--data", folder, *options]
        self.url, self._process = "", None
        self.start("0")

    def start(self, port=None):
        """Start it, at the port that it had before."""
        command = [*self._command, "--port", port or self.url.rpartition(":")[2]]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        for line in self._process.stderr:
            told = json.loads(line)
            if told["event"] == "listening":
                self.url = told["url"]
                return
        raise AssertionError("the service did not start")

    def kill(self):
        """End it as the kernel does when there is no memory."""
        self._process.kill()
        self._process.wait()
        self._process.stderr.close()
