"""Python processes that know nothing of this one."""

import json
import os
import subprocess
import sys


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
