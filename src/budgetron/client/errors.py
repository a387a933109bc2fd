"""What a service refuses, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ServiceError", "unreachable"]


class ServiceError(Exception):
    """A call that was not done.

    Parameters
    ----------
    code : str
        One word of the service for what is wrong, such as "bad_row"; "unreachable" if there was no
        answer, and "not_the_service" if it was not the service that did.
    message : str
        The same for people.
    where : mapping, optional
        Which row and which field of it.
    status : int, optional
        Of HTTP; None if there was no answer.

    Attributes
    ----------
    code, message, where, status
        As above; `where` is empty where nothing is known of it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        where: Mapping[str, Any] | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(code, message, where, status)
        self.code = code
        self.message = message
        self.where = dict(where or {})
        self.status = status

    def __str__(self) -> str:
        place = ", ".join(f"{name} {value}" for name, value in self.where.items())
        return f"{self.message} ({self.code}{': ' if place else ''}{place})"


def unreachable(url: str, error: Exception) -> ServiceError:
    """There was no answer, for this reason."""
    return ServiceError("unreachable", f"no answer from {url}: {error or type(error).__name__}")
