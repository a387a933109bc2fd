"""Machine code on disk: found again by all that it was made from, and run only if it is whole.

A function has a file for each choice of argument types. It begins with a checksum of the rest and
takes the place of an older one at once, so that nobody runs a damaged file, or one that is being
written: what cannot be used is compiled again and written anew. Where nothing can be written, code
is compiled in every process, with one warning.

A wheel may bring code along that was made for a kind of processors. It is preferred, so that as
much as possible of what runs together was made together.
"""

from __future__ import annotations

import hashlib
import math
import os
import pickle
import re
import secrets
import shutil
import sys
import time
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["HOMES", "KIND_OF_PROCESSOR", "SOURCES", "KeptCode", "keep_code"]

COMPILED = "core", "rules"
"""The folders that machine code is made of; whatever else there is only calls it."""

PACKAGE = Path(__file__).parents[1]
BEGAN = time.time()
CHECKSUM = 32
"""Its length, in bytes."""

KIND_OF_PROCESSOR = "x86-64-v3"
"""That shipped code is made for, by what LLVM calls it: those with AVX2, since 2013."""

ABILITIES = {
    *("avx", "avx2", "bmi", "bmi2", "crc32", "cx16", "f16c", "fma", "fxsr"),
    *("lzcnt", "mmx", "movbe", "popcnt", "sahf", "sse4.2", "xsave"),
}
"""Of all processors of the kind."""

WARNING = (
    "compiled code cannot be kept on disk, and every process compiles it anew, for some seconds"
    " at the first use of a learner; let NUMBA_CACHE_DIR name a directory that can be written in"
)


class Home(NamedTuple):
    """Where there is a directory for each state of the sources."""

    path: Path
    unused_days: float
    """How long the directory of other sources is left alone."""

    def remove_old(self) -> None:
        """Remove what other sources left; a process that still wants it compiles it again."""
        since = BEGAN - 86400 * self.unused_days
        for other in self.path.glob("budgetron-*"):
            is_ours = re.fullmatch("budgetron-[0-9a-f]{12}", other.name) and other.name != SOURCES
            if is_ours and other.lstat().st_mtime < since:
                shutil.rmtree(other, ignore_errors=True)


def _homes() -> list[Home]:
    """The best place first. Several checkouts may share any but the package's own."""
    if numba.config.CACHE_DIR:
        return [Home(Path(numba.config.CACHE_DIR), 30)]
    of_user = os.path.expanduser(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    shared = [Home(Path(of_user, "budgetron"), 30)] if os.path.isabs(of_user) else []
    return [Home(PACKAGE / "__pycache__", 0), *shared]


def _sources() -> str:
    """A name that changes with the sources.

    A walk is made of rules in other files, and has to change with them.
    """
    digest = hashlib.sha256()
    for source in sorted(path for part in COMPILED for path in (PACKAGE / part).rglob("*.py")):
        digest.update(source.read_bytes())
    return f"budgetron-{digest.hexdigest()[:12]}"


HOMES, SOURCES = _homes(), _sources()
SHIPPED = Home(PACKAGE / "machine_code", math.inf)
"""It is only read."""


def _target_of_shipped(codegen: Any) -> Any:
    """What shipped code was compiled for, if this processor is of the kind and no other is named.

    It has the form of what `codegen` says of its own.
    """
    triple, _, abilities = codegen.magic_tuple()
    there = {ability.removeprefix("+") for ability in abilities.split(",")}
    named = numba.config.CPU_NAME is not None or numba.config.CPU_FEATURES is not None
    return None if named or not there >= ABILITIES else (triple, KIND_OF_PROCESSOR, "")


class KeptCode(NullCache):
    """What Numba asks for a function's machine code, and gives it to.

    Parameters
    ----------
    function : callable
        As it was before it was compiled.
    """

    def __init__(self, function: Any) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for arguments of these types, or None."""
        target_context.refresh()
        codegen = target_context.codegen()
        targets = _target_of_shipped(codegen), *[codegen.magic_tuple()] * len(HOMES)
        homes = zip((SHIPPED, *HOMES), targets, strict=True)
        for home, target in homes if self._is_keepable() else ():
            key = self._key(sig, target)
            try:
                file = home.path / SOURCES / self._name(key)
                kept, payload = pickle.loads(_unsealed(file.read_bytes()))
                if kept == key:
                    _mark_as_used(home)
                    return CompileResult._rebuild(target_context, *payload)
            except Exception:  # not there, damaged, or of classes that are not known here
                continue
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep code, in the first place that takes it."""
        if data.library.has_dynamic_globals or not self._is_keepable():
            return
        key = self._key(sig, data.codegen.magic_tuple())
        sealed = _sealed(dumps((key, data._reduce())))
        for home in HOMES:
            try:
                _write(home.path / SOURCES, self._name(key), sealed)
                _clean(home)
                return
            except OSError:  # read-only, full, not a directory
                continue
        _warn()

    def _is_keepable(self) -> bool:
        """Whether the code depends on sources that can be read, and nothing else."""
        function = self._function
        return function.__closure__ is None and bool(_digest_of(function.__code__.co_filename))

    def _key(self, sig: Any, target: Any) -> Any:
        """All that the code depends on, beside the package's sources."""
        code, versions = self._function.__code__, (numba.__version__, sys.implementation.cache_tag)
        where = _digest_of(code.co_filename), code.co_qualname, code.co_firstlineno, code.co_code
        return sig, target, versions, where

    def _name(self, key: Any) -> str:
        short = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return f"{self._function.__module__}.{self._function.__name__}-{short}.nbc"


def keep_code(entry: Any) -> None:
    """Keep the machine code of an entry point, if it is one."""
    if hasattr(entry, "py_func"):  # not where nothing is compiled
        entry._cache = KeptCode(entry.py_func)


@cache
def _digest_of(source: str) -> str:
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:  # typed in, or in an archive
        return ""


def _sealed(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content


def _unsealed(written: bytes) -> bytes:
    content = written[CHECKSUM:]
    if _sealed(content) != written:
        raise ValueError("the file is damaged")
    return content


def _write(directory: Path, name: str, content: bytes) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    temporary = directory / f"{name}.{secrets.token_hex(4)}"
    try:
        temporary.write_bytes(content)
        temporary.replace(directory / name)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@cache
def _mark_as_used(home: Home) -> None:
    with suppress(OSError):
        os.utime(home.path / SOURCES)


@cache
def _clean(home: Home) -> None:
    with suppress(OSError):
        home.remove_old()


@cache
def _warn() -> None:
    with suppress(RuntimeWarning):  # where warnings are errors: it is no reason not to learn
        warnings.warn(WARNING, RuntimeWarning, stacklevel=2)
