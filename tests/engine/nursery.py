"""Forks processes that have other packages imported, and nothing of this one.

Asked on standard input, by a line of JSON for each; answers with a line that has its exit status.
"""

import gc
import json
import os
import sys
import traceback

import numba
import sklearn.utils.validation  # noqa: F401

ELSEWHERE = sys.path[1:]
"""Where packages are found: not beside this file."""


def grow_up(asked):
    """Become the process that is asked for, and say how it ended."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in enumerate(asked["output"], start=1):
        os.dup2(os.open(name, os.O_WRONLY), number)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["directory"])
    sys.path[:], sys.argv = [asked["path"], *ELSEWHERE], ["-c"]
    numba.config.reload_config()  # what the environment says of it
    try:
        exec(compile(asked["script"], "<string>", "exec"), {"__name__": "__main__"})
    except Exception:
        traceback.print_exc()
        return 1
    return 0


def main():
    """Until there is no more to be asked."""
    numba.njit(lambda x: x)(0.0)  # the compiler reads all that it knows when it is first used
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.exit(grow_up(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
