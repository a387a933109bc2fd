"""Exceptions that come at a chosen line, or at a chosen time, of whatever the package is doing."""

import signal
import sys
from pathlib import Path

import budgetron

PACKAGE = str(Path(budgetron.__file__).parent)


class _Lines:
    """Counts the lines of the package that are run, and does something before one of them."""

    def __init__(self, chosen=0, action=None):
        self.count, self._chosen, self._action = 0, chosen, action

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            self.count += 1
            if self.count == self._chosen:
                self._action()
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

    def interrupt():
        raise error

    sys.settrace(_Lines(line, interrupt))
    try:
        action()
    except error:
        return True
    finally:
        sys.settrace(None)
    return False


def interrupted_after(seconds, action):
    """Do something until a signal comes; whether it came in time."""
    armed = [True]

    def ring(number, frame):
        if armed:
            armed.clear()
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        action()
        armed.clear()
    except KeyboardInterrupt:  # wherever it was: at the edge as well
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


def saving_at(line, action, model, path):
    """Do something, and save a model before a certain line, as a handler of a signal would."""

    def save():
        sys.settrace(None)
        model.save(path)

    sys.settrace(_Lines(line, save))
    try:
        action()
    finally:
        sys.settrace(None)
    if not path.exists():
        model.save(path)
