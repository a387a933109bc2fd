"""How much memory this process has, and has had at most."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["forget_the_peak", "is_known", "peak", "present"]

STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def is_known():
    """Whether the system says so: Linux does."""
    return STATUS.exists() and FORGET.exists()


def present():
    """Bytes of this process in memory."""
    return _of_status("VmRSS")


def peak():
    """The most there were, since the start or since it was forgotten."""
    return _of_status("VmHWM")


def forget_the_peak():
    """Let the peak be what there is now."""
    FORGET.write_text("5")


def _of_status(name):
    found = re.search(rf"{name}:\s+(\d+) kB", STATUS.read_text())
    return 1024 * int(found[1])
