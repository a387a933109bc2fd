"""Exceptions that come at a chosen line, or at a chosen time, of whatever the package is doing."""

import signal
import sys
from contextlib import contextmanager
from pathlib import Path

import budgetron

PACKAGE = str(Path(budgetron.__file__).parent)


class _Lines:
    """Counts the lines of the package that are run, and raises before one of them."""

    def __init__(self, fatal=0, error=KeyboardInterrupt):
        self.count, self._fatal, self._error = 0, fatal, error

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            self.count += 1
            if self.count == self._fatal:
                raise self._error
        return self


def lines_of(action):
    """How many lines of the package an action runs."""
    lines = _Lines()
    sys.settrace(lines)
    try:
        action()
    finally:
        sys.settrace(None)
    return lines.count


def interrupted_at(line, action, error=KeyboardInterrupt):
    """Do something up to a line; whether it got there."""
    sys.settrace(_Lines(line, error))
    try:
        action()
    except error:
        return True
    finally:
        sys.settrace(None)
    return False


def interrupted_after(seconds, action):
    """Do something until a signal comes; whether it came in time."""
    with _alarm(seconds):
        try:
            action()
        except KeyboardInterrupt:
            return True
    return False


@contextmanager
def _alarm(seconds):
    armed = [True]

    def ring(number, frame):
        if armed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        armed.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
