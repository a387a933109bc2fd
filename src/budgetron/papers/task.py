"""A task: one run of an experiment, known by its settings, and done once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from ..evaluation import sweep

__all__ = ["Results", "Task", "does", "perform"]

Outcome = dict[str, Any]

_doers: dict[str, Callable[..., Outcome]] = {}


@dataclass(frozen=True)
class Task:
    """What is to be done, in plain words and numbers.

    Attributes
    ----------
    doer : str
        The name under which a function was registered with `does`.
    settings : str
        Its arguments, as JSON with sorted keys.
    """

    doer: str
    settings: str

    @classmethod
    def of(cls, doer: str, **settings: Any) -> Task:
        """A task with these settings, which have to be plain."""
        return cls(doer, json.dumps(settings, sort_keys=True))

    @property
    def arguments(self) -> dict[str, Any]:
        """The settings, as they were given."""
        return dict(json.loads(self.settings))

    def do(self) -> Outcome:
        """Do it, on one core."""
        with threadpool_limits(1):
            return _doers[self.doer](**self.arguments)


def does(name: str) -> Callable[[Callable[..., Outcome]], Callable[..., Outcome]]:
    """Register a function that does tasks of this name; its outcome has to be plain too."""

    def register(function: Callable[..., Outcome]) -> Callable[..., Outcome]:
        _doers[name] = function
        return function

    return register


class Results(Mapping[Task, Outcome]):
    """The outcomes of tasks: a file of JSON Lines for each doer, with a line for each task.

    One process at a time appends to a file. A line counts once it has ended: what a killed run left
    of one is overwritten by the next. Of several lines of a task, the last counts.

    Parameters
    ----------
    directory : path
        It is made when the first outcome is kept.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        self._read: dict[str, dict[Task, Outcome]] = {}

    def __getitem__(self, task: Task) -> Outcome:
        return self._of(task.doer)[task]

    def __iter__(self) -> Iterator[Task]:
        for path in sorted(self.directory.glob("*.jsonl")):
            yield from self._of(path.stem)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def keep(self, task: Task, outcome: Outcome) -> None:
        """Append an outcome."""
        line = _line(task, outcome)
        self.directory.mkdir(parents=True, exist_ok=True)
        with open(self._path(task.doer), "ab+") as file:
            file.seek(max(file.tell() - 1, 0))
            if file.read(1) not in (b"\n", b""):  # a run was killed in the middle of a line
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)
            file.write(line)
        self._read.pop(task.doer, None)

    def sort(self, doer: str) -> None:
        """Order a doer's lines by settings, one for each task: same results, same file."""
        self._read.pop(doer, None)
        outcomes = self._of(doer)
        tasks = sorted(outcomes, key=lambda task: task.settings)
        path = self._path(doer)
        ordered = path.with_suffix(".sorted")
        ordered.write_bytes(b"".join(_line(task, outcomes[task]) for task in tasks))
        os.replace(ordered, path)

    def _path(self, doer: str) -> Path:
        return self.directory / f"{doer}.jsonl"

    def _of(self, doer: str) -> dict[Task, Outcome]:
        if doer not in self._read:
            path = self._path(doer)
            lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
            self._read[doer] = dict(
                _told(line, doer, f"{path}, line {number}") for number, line in enumerate(lines, 1)
            )
        return self._read[doer]


def _line(task: Task, outcome: Outcome) -> bytes:
    told = json.dumps(outcome, sort_keys=True)
    return f'{{"settings": {task.settings}, "outcome": {told}}}\n'.encode()


def _told(line: bytes, doer: str, where: str) -> tuple[Task, Outcome]:
    try:
        told = json.loads(line)
        return Task.of(doer, **told["settings"]), told["outcome"]
    except (ValueError, TypeError, KeyError) as error:
        advice = "delete it, and its task is done again"
        raise OSError(f"{where}, does not tell of a task: {advice}") from error


def perform(
    tasks: Iterable[Task],
    results: Results,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Do all tasks that have no outcome yet; this process alone writes outcomes down.

    Parameters
    ----------
    tasks : iterable of Task
    results : Results
    jobs : int, optional
        Processes, as in `sweep`.
    progress : callable
        Told the number of tasks done since the last call; those that were done before at once.
    """
    wanted = [*dict.fromkeys(tasks)]
    missing = [task for task in wanted if task not in results]
    progress(len(wanted) - len(missing))
    calls = [partial(_named, _doers[task.doer], task) for task in missing]
    for task, outcome in sweep(calls, jobs, as_they_come=True):
        results.keep(task, outcome)
        progress(1)
    for doer in {task.doer for task in missing}:
        results.sort(doer)


def _named(doer: Callable[..., Outcome], task: Task) -> tuple[Task, Outcome]:
    # A process learns of the doer by being handed it: that imports the module that registers it
    return task, task.do()
