"""What happens, as lines of JSON on standard error."""

from __future__ import annotations

import sys
import time
from typing import Any

import msgspec

__all__ = ["tell"]


def tell(event: str, level: str = "info", **about: Any) -> None:
    """Write one line.

    Parameters
    ----------
    event : str
        What has happened.
    level : {"info", "warning", "error"}
    **about
        What it is about.
    """
    line = {"time": round(time.time(), 3), "level": level, "event": event, **about}
    sys.stderr.write(msgspec.json.encode(line, enc_hook=str).decode() + "\n")
    sys.stderr.flush()
