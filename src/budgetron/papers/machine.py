"""Where and when results were made."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numba
import numpy as np

import budgetron

__all__ = ["Machine"]

FILE = "machine.json"


@dataclass(frozen=True)
class Machine:
    """What results may depend on; the machine's name is not among it.

    Attributes
    ----------
    date : str
        In UTC, as year-month-day.
    cpu : str
        The processor's model.
    cores : int
    system, python, numpy, numba, budgetron : str
        Versions.
    """

    date: str
    cpu: str
    cores: int
    system: str
    python: str
    numpy: str
    numba: str
    budgetron: str

    @classmethod
    def here(cls) -> Machine:
        """The one that this runs on, today."""
        return cls(
            date=datetime.now(UTC).date().isoformat(),
            cpu=_cpu(),
            cores=os.cpu_count() or 1,
            system=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            numpy=np.__version__,
            numba=numba.__version__,
            budgetron=budgetron.__version__,
        )

    @classmethod
    def of(cls, directory: Path) -> Machine | None:
        """The one that made the last of the results in a directory, if it is known."""
        try:
            return cls(**json.loads((directory / FILE).read_text()))
        except FileNotFoundError:
            return None

    def keep(self, directory: Path) -> None:
        """Write it down beside the results."""
        directory.mkdir(parents=True, exist_ok=True)
        (directory / FILE).write_text(json.dumps(asdict(self), indent=1) + "\n")


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"
