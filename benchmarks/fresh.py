"""Calls of a function in a process of its own, which has nothing in its memory yet."""

from __future__ import annotations

import json
import subprocess
import sys

__all__ = ["in_a_fresh_process"]

SCRIPT = """
import json, sys
from importlib import import_module
module, function, arguments = json.loads(sys.argv[1])
print(json.dumps(getattr(import_module(module), function)(**arguments)))
"""


def in_a_fresh_process(function, **arguments):
    """What the function of a module returns; arguments and result are plain."""
    call = json.dumps([function.__module__, function.__qualname__, arguments])
    done = subprocess.run([sys.executable, "-c", SCRIPT, call], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{function.__qualname__} failed in its process:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
