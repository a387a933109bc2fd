"""Python processes that know nothing of this one."""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

NURSERY = Path(__file__).with_name("nursery.py")


def in_a_fresh_process(script, *, path=None, **environment):
    """Run the script in a process of its own; what it prints last is the answer, as JSON.

    `path` is a directory to import from before all others.
    """
    if path is not None:
        paths = [str(path), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def in_a_young_process(script, *, path="", **environment):
    """The same for a process that has other packages imported, and nothing of this one.

    It is forked from one that keeps them for all, since to import them takes a second and more.
    """
    with TemporaryDirectory() as directory:
        output = [Path(directory, name) for name in ("told", "complaints")]
        for file in output:
            file.touch()
        asked = {
            "script": script,
            "path": str(path),
            "environment": os.environ | environment,
            "directory": os.getcwd(),
            "output": [*map(str, output)],
        }
        nursery = _nursery()
        print(json.dumps(asked), file=nursery.stdin, flush=True)
        status = nursery.stdout.readline()
        told, complaints = (file.read_text() for file in output)
    assert status == "0\n", complaints
    return json.loads(told.splitlines()[-1])


@cache
def _nursery():
    """What runs until this process ends."""
    command = [sys.executable, NURSERY]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)
    return process
