"""What happens, as lines of JSON on standard error."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from typing import Any

__all__ = ["tell"]


def tell(event: str, level: str = "info", **about: Any) -> None:
    """Write one line of ASCII; nobody has to be there to read it.

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
    with suppress(OSError, ValueError):  # the pipe is broken, or closed
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
