"""What happens, as lines of JSON on standard error: printable ASCII, whatever data say."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from contextlib import suppress
from typing import Any

__all__ = ["Journal", "tell"]


def tell(event: str, level: str = "info", **about: Any) -> None:
    """Write one line; if nobody can read it, nothing else is the worse for it.

    Parameters
    ----------
    event : str
        What has happened.
    level : {"info", "warning", "error"}
    **about
        What it is about.
    """
    line = {"time": round(time.time(), 3), "level": level, "event": event, **about}
    text = json.dumps(line, default=str).replace("\x7f", "\\u007f")
    with suppress(OSError, ValueError, AttributeError):  # full, closed, or there is none
        try:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()
        except BrokenPipeError:  # the rest too is for nobody, or Python would exit with 120
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


class Journal(logging.Handler):
    """Writes what others log as such lines, too."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        error = None if record.exc_info is None else repr(record.exc_info[1])
        about = {"of": record.name, "message": record.getMessage(), "error": error}
        tell("logged", record.levelname.lower(), **about)
