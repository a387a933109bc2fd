"""The command line in processes of their own, which can be killed.

They are forked from one that has everything imported and compiled, so that most of their time goes
by in what is tested.
"""

import multiprocessing
import os
import resource
import sys
from multiprocessing import forkserver

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["cli.prepared"])


def start(*arguments, output=os.devnull):
    """A process that runs a command, and writes what it prints to a file."""
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    forkserver.ensure_running()
    os.environ["PYTHONPATH"] = before
    process = FORKS.Process(target=_main, args=([*map(str, arguments)], str(output)))
    process.start()
    return process


def finish(*arguments, output=os.devnull):
    """The exit code of a command."""
    process = start(*arguments, output=output)
    process.join()
    return process.exitcode


def _main(arguments, output):
    from budgetron.cli.app import app

    with open(output, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    try:
        app(arguments, prog_name="budgetron")
    except SystemExit as end:
        sys.stdout.flush()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        os.write(1, f"peak {peak} kB\n".encode())
        os._exit(end.code or 0)
