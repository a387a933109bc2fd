"""A task: one run of an experiment, known by its settings, and done once."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

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

    @property
    def path(self) -> Path:
        """Where the outcome is kept, below the results' directory."""
        digest = hashlib.sha256(f"{self.doer} {self.settings}".encode()).hexdigest()[:16]
        return Path(self.doer) / f"{digest}.json"

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
    """The outcomes of tasks, one JSON file for each.

    Parameters
    ----------
    directory : path
        It is made when the first outcome is kept.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)

    def __getitem__(self, task: Task) -> Outcome:
        try:
            kept = json.loads((self.directory / task.path).read_text())
        except FileNotFoundError:
            raise KeyError(task) from None
        outcome: Outcome = kept["outcome"]
        return outcome

    def __contains__(self, task: object) -> bool:
        return isinstance(task, Task) and (self.directory / task.path).exists()

    def __iter__(self) -> Any:
        for path in sorted(self.directory.glob("*/*.json")):
            kept = json.loads(path.read_text())
            yield Task.of(kept["doer"], **kept["settings"])

    def __len__(self) -> int:
        return sum(1 for _ in self.directory.glob("*/*.json"))

    def keep(self, task: Task, outcome: Outcome) -> None:
        """Write an outcome down, all of it or nothing."""
        path = self.directory / task.path
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {"doer": task.doer, "settings": task.arguments, "outcome": outcome}
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            json.dump(kept, file, sort_keys=True)
        os.replace(file.name, path)


def perform(
    tasks: Iterable[Task],
    results: Results,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Do all tasks that have no outcome yet.

    Parameters
    ----------
    tasks : iterable of Task
    results : Results
    jobs : int, default=1
        Processes.
    progress : callable
        Told the number of tasks done since the last call; those that were done before at once.
    """
    wanted = [*dict.fromkeys(tasks)]
    missing = [task for task in wanted if task not in results]
    progress(len(wanted) - len(missing))
    outcomes = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(
        delayed(_named)(_doers[task.doer], task) for task in missing
    )
    for task, outcome in outcomes:
        results.keep(task, outcome)
        progress(1)


def _named(doer: Callable[..., Outcome], task: Task) -> tuple[Task, Outcome]:
    # A process learns of the doer by being handed it: that imports the module that registers it
    return task, task.do()
