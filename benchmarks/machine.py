"""What was measured, and on what, without names of machines or any path."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from subprocess import CalledProcessError, run

import numpy as np
from threadpoolctl import threadpool_info

from budgetron.papers.machine import Machine

__all__ = ["commit", "described", "in_words", "is_alike"]

ROOT = Path(__file__).parent.parent
CODE = "src", "benchmarks", ":!benchmarks/results"
CHANGED = "+"
PACKAGES = ("scipy", "scikit-learn", "river", "vowpalwabbit")


def described():
    """Commit, processor, cores, BLAS and versions."""
    np.ones((2, 2)) @ np.ones((2, 2))
    return asdict(Machine.here()) | {
        "commit": commit(),
        "blas": sorted({_blas(library) for library in threadpool_info() if _is_blas(library)}),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def commit(root=ROOT):
    """The commit that the code is of, marked if it has been changed since; None if unknown."""
    try:
        name = _told(root, "rev-parse", "--short=9", "HEAD")
        changed = _told(root, "status", "--porcelain", "--", *CODE)
    except (OSError, CalledProcessError):
        return None
    return name + CHANGED if changed else name


def _told(root, *arguments):
    done = run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def is_alike(machine, other):
    """Whether all is the same but the date."""
    return machine | {"date": None} == other | {"date": None}


def in_words(machines):
    """A paragraph about the commit and the machine of measurements that are alike."""
    machine, dates = machines[0], [each["date"] for each in machines]
    packages = [f"{name} {number}" for name, number in machine["packages"].items() if number]
    days = " to ".join(sorted({min(dates), max(dates)}))
    return (
        f"Measured {_commit_in_words(machine.get('commit'))}, {days}: {machine['cpu']},"
        f" {machine['cores']} cores, {machine['system']}; {', '.join(machine['blas'])};"
        f" Python {machine['python']}, NumPy {machine['numpy']}, Numba {machine['numba']},"
        f" {', '.join(packages)}; Budgetron {machine['budgetron']}."
    )


def _commit_in_words(name):
    if name is None:
        return "before commits were named"
    changed = ", with changes" if name.endswith(CHANGED) else ""
    return f"at commit `{name.removesuffix(CHANGED)}`{changed}"


def _is_blas(library):
    return library["user_api"] == "blas"


def _blas(library):
    architecture = library.get("architecture")
    return f"{library['internal_api']} {library['version']}" + (
        f" for {architecture}" if architecture else ""
    )


def _version(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None
