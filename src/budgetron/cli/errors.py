"""What cannot be done is said in one line, on standard error."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperGroup

from ..reading import BadRow, ReadingError
from .streams import escaped_output

__all__ = ["Commands", "UsageError", "explained", "unknown_name"]

ASKED_WRONGLY, STOPPED, INTERRUPTED = 2, 1, 130


class UsageError(Exception):
    """Why a command ends here, and with what exit code.

    Parameters
    ----------
    message : str
    code : int, default=2
        2 if it was asked wrongly, 1 if it stopped on its way.
    """

    def __init__(self, message: str, code: int = ASKED_WRONGLY) -> None:
        super().__init__(message)
        self.code = code


class Commands(TyperGroup):
    """A group of commands that print what they refuse."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command, with streams on which data can do nothing."""
        with escaped_output():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            _say(str(error))
            raise typer.Exit(error.code) from None
        except ReadingError as error:
            _say(explained(error))
            raise typer.Exit(STOPPED if isinstance(error, BadRow) else ASKED_WRONGLY) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            _say(str(error))
            raise typer.Exit(STOPPED) from None


def unknown_name(what: str, word: str, known: Iterable[str]) -> UsageError:
    """Say that nothing is called so, and what may have been meant."""
    by_lower = {each.lower(): each for each in known}
    close = get_close_matches(word.lower(), by_lower, 1)
    if close:
        return UsageError(f"{what} {word!r}: did you mean {by_lower[close[0]]}?")
    return UsageError(f"{what} {word!r}; there are {', '.join(by_lower.values())}")


def explained(error: BaseException) -> str:
    """What is wrong, and the options that mend a bad row."""
    if not isinstance(error, BadRow):
        return str(error)
    gaps = (
        "a run with --missing zero or indicator takes gaps, "
        if "has no value" in error.reason
        else ""
    )
    return f"{error} ({gaps}--aside FILE sets bad rows aside)"


def _say(message: str) -> None:
    typer.echo(f"error: {' '.join(message.split())}", err=True)
