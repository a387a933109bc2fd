"""What is refused, and why: one object for whoever asked."""

from __future__ import annotations

from typing import Any

__all__ = ["Refusal"]


class Refusal(Exception):  # noqa: N818 - it is an answer
    """An answer that is not what was asked for.

    Parameters
    ----------
    status : int
        Of HTTP.
    code : str
        What kind of refusal it is, for programs.
    message : str
        What is wrong, for people.
    **where : optional
        The row, field or id that is meant.
    """

    def __init__(self, status: int, code: str, message: str, **where: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.where = status, code, message, where

    def plain(self) -> dict[str, Any]:
        """The object that is answered."""
        told: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.where:
            told["where"] = self.where
        return {"error": told}
