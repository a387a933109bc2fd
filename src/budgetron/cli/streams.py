"""Standard output and standard error, which obey nothing that comes from data."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from ..reading.escaping import escaped

__all__ = ["EscapedStream", "escaped_output", "shown", "unescaped", "write_data"]

LEARNERS = r"budgetron\.estimators\.(?!classes$)"
"""Who may warn: not other libraries; scikit-learn does so in the name of `classes`."""


def shown(text: str, encoding: str | None) -> str:
    """A text as it can be written in an encoding, with nothing in it that is obeyed."""
    encoding = encoding or "utf-8"
    return escaped(text, keep="\n").encode(encoding, "backslashreplace").decode(encoding)


class EscapedStream(io.TextIOBase):
    """A stream that shows control characters; it has no `buffer` through which they could go.

    Parameters
    ----------
    unescaped : text stream
        Where to write.
    """

    def __init__(self, unescaped: TextIO) -> None:
        self.unescaped = unescaped

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream."""
        return self.unescaped.encoding

    def write(self, text: str) -> int:
        """Write, escaped."""
        self.unescaped.write(shown(text, self.encoding))
        return len(text)

    def flush(self) -> None:
        """Flush the stream."""
        self.unescaped.flush()

    def fileno(self) -> int:
        """That of the stream."""
        return self.unescaped.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.unescaped.isatty()

    def writable(self) -> bool:
        """It is."""
        return True


@contextmanager
def escaped_output() -> Iterator[None]:
    """Within this, all that is printed is escaped, and only learners warn of anything."""
    before = sys.stdout, sys.stderr
    ours = _escaping(sys.stdout), _escaping(sys.stderr)
    sys.stdout, sys.stderr = ours
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", category=UserWarning, module=LEARNERS)
        warnings.showwarning = _Notes()
        try:
            yield
        finally:
            if (sys.stdout, sys.stderr) == ours:
                sys.stdout, sys.stderr = before


def unescaped(*, stderr: bool = False) -> TextIO:
    """Standard output or error, for those who escape by themselves."""
    stream = sys.stderr if stderr else sys.stdout
    return getattr(stream, "unescaped", stream)


def write_data(data: bytes) -> None:
    """Write to standard output: as it is into a file or a pipe, escaped to a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(data.decode())
    else:
        unescaped().buffer.write(data)


def _escaping(stream: Any) -> Any:
    return stream if stream is None or isinstance(stream, EscapedStream) else EscapedStream(stream)


class _Notes:
    """Prints what is warned of, once."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        text = str(message)
        if text not in self._said:
            self._said.add(text)
            sys.stderr.write(f"note: {text}\n")
