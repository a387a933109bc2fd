"""What a server may do, and for whom: a file in TOML."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import tomllib
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Literal

import msgspec

__all__ = [
    "Configuration",
    "Limits",
    "Right",
    "Token",
    "configured",
    "digest_of",
    "is_loopback",
    "new_token",
]

Right = Literal["read", "learn", "admin"]

RIGHTS: tuple[Right, ...] = ("read", "learn", "admin")
"""Each includes those before it."""


class Limits(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How much of everything there may be.

    Attributes
    ----------
    body : int
        Bytes of a request, unpacked.
    rows : int
        Rows of a request.
    width : int
        Features of a row.
    models, keys, classes : int
        Models of the server, and keys and classes of a model.
    budget : int
        Of a model that is made by its parameters.
    waiting : int
        Rows of a model that wait for their labels.
    label_ttl : float
        Seconds that they wait.
    remembered : int
        Requests with an id that a model remembers.
    rate : float
        Requests of one token, or of one address without tokens, in a second; 0 for any number.
    request_seconds : float
        How long a client may take to send a request.
    connections : int
        Clients at a time.
    snapshot_rows : int
        Rows between two snapshots.
    snapshots : int
        Snapshots that were asked for and are kept.
    log_days : float
        How long a file of the log is kept that no snapshot needs.
    log_file : int
        Bytes of a file of the log.
    gather : float
        Seconds that the writer waits for requests that came together before.
    """

    body: int = 16 << 20
    rows: int = 10_000
    width: int = 100_000
    models: int = 64
    keys: int = 100_000
    classes: int = 1000
    budget: int = 100_000
    waiting: int = 1_000_000
    label_ttl: float = 7 * 86400.0
    remembered: int = 100_000
    rate: float = 0.0
    request_seconds: float = 30.0
    connections: int = 1000
    snapshot_rows: int = 100_000
    snapshots: int = 20
    log_days: float = 7.0
    log_file: int = 64 << 20
    gather: float = 0.0005

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not 0 <= getattr(self, name) < inf:
                raise ValueError(f"{name} must be a number from 0 on")


class Token(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Who may do what.

    Attributes
    ----------
    name : str
        Whose it is.
    sha256 : str
        Of the token, in hexadecimal digits: tokens are long and random.
    right : {"read", "learn", "admin"}
    models : list of str or None
        Those that it is for; all if it is not given.
    """

    name: str
    sha256: str
    right: Right
    models: list[str] | None = None

    def __post_init__(self) -> None:
        if len(self.sha256) != 64 or not set(self.sha256) <= set("0123456789abcdef"):
            raise ValueError("sha256 is 64 hexadecimal digits")

    def may(self, right: Right) -> bool:
        """Whether it has a right."""
        return RIGHTS.index(right) <= RIGHTS.index(self.right)

    def sees(self, model: str) -> bool:
        """Whether it is for a model."""
        return self.models is None or model in self.models


class Configuration(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """All of it."""

    host: str = "127.0.0.1"
    port: int = 8080
    limits: Limits = Limits()
    tokens: list[Token] = []


def configured(path: Path | None) -> Configuration:
    """What a file says; ValueError if that is nothing that can be."""
    if path is None:
        return Configuration()
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Configuration)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None


def digest_of(token: bytes) -> str:
    """What the configuration has of a token."""
    return hashlib.sha256(token).hexdigest()


def new_token(name: str, right: Right) -> tuple[str, str]:
    """A new token, and the lines of the configuration that are for it."""
    token = secrets.token_urlsafe(32)
    digest = digest_of(token.encode())
    named = msgspec.json.encode(name).decode()
    lines = f'[[tokens]]\nname = {named}\nright = "{right}"\nsha256 = "{digest}"\n'
    return token, lines


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
