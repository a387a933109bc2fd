"""The models of a server, in one folder that nobody else uses."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import shutil
import threading
import time
from pathlib import Path

from ..saving import SavedModelError
from ..saving.file import sync_directory
from .configuration import Limits
from .journal import tell
from .model import Model, create
from .records import Settings
from .refusal import Refusal

__all__ = ["Shelf"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Shelf:
    """All models.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    limits : Limits
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self.limits = folder / "models", limits
        self._adding, self._is_closed = threading.Lock(), False
        self._loop: asyncio.AbstractEventLoop | None = None
        if not self._folder.is_dir():
            self._folder.mkdir(parents=True)
            sync_directory(str(folder))
            sync_directory(str(folder.parent))
        self._lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise Refusal(409, "in_use", f"another server uses {folder}") from None
        self.models: dict[str, Model] = {}
        for path in sorted(self._folder.iterdir()):
            if path.name.startswith("."):
                shutil.rmtree(path, ignore_errors=True)  # begun and never finished, or removed
            elif path.is_dir():
                try:
                    self.models[path.name] = Model(path, limits)
                except (SavedModelError, OSError) as error:
                    tell("model cannot be read", "error", model=path.name, error=str(error))

    def add(self, name: str, state: bytes, settings: Settings, row: int = 0) -> Model:
        """Make a new model; Refusal if there is one, or it cannot be."""
        if NAME.fullmatch(name) is None:
            message = "a name has 1 to 64 letters, digits, dots, dashes and underscores"
            raise Refusal(400, "bad_name", message)
        with self._adding:
            if self._is_closed:
                raise Refusal(503, "busy", "the server is stopping")
            if name in self.models or (self._folder / name).exists():
                raise Refusal(409, "exists", f"there is a model {name!r}")
            if len(self.models) >= self.limits.models:
                raise Refusal(409, "too_many", f"there are at most {self.limits.models} models")
            try:
                create(self._folder / name, state, settings, row)
            except SavedModelError as error:
                raise Refusal(400, "bad_model", str(error)) from None
            except OSError as error:
                raise Refusal(503, "not_durable", f"nothing can be written: {error}") from None
            model = Model(self._folder / name, self.limits)
            if self._loop is not None:
                model.writer.start(self._loop)
            self.models[name] = model
        return model

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have all writers at work, for clients in this loop."""
        self._loop = loop
        for model in self.models.values():
            model.writer.start(loop)

    async def remove(self, model: Model) -> None:
        """Remove a model and all that it knows."""
        del self.models[model.name]
        model.writer.is_closed = True  # here, where jobs are submitted: none comes after the last
        try:
            await asyncio.to_thread(self._put_away, model)
        except OSError as error:
            self.models[model.name] = again = Model(self._folder / model.name, self.limits)
            again.writer.start(asyncio.get_running_loop())
            raise Refusal(503, "not_durable", f"it cannot be removed: {error}") from None

    def _put_away(self, model: Model) -> None:
        model.close()
        gone = self._folder / f".gone-{model.name}-{time.time_ns()}"
        (self._folder / model.name).rename(gone)
        sync_directory(str(self._folder))
        shutil.rmtree(gone, ignore_errors=True)

    def limit(self, limits: Limits) -> None:
        """Have other limits from now on."""
        self.limits = limits
        for model in [*self.models.values()]:
            model.limits = limits

    def close(self) -> None:
        """Finish what has been submitted."""
        with self._adding:
            self._is_closed = True
        for model in [*self.models.values()]:
            model.close()
        os.close(self._lock)
