"""What the measurements were made on, without its name or any path."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from threadpoolctl import threadpool_info

from budgetron.papers.machine import Machine

__all__ = ["described", "in_words"]

PACKAGES = ("scipy", "scikit-learn", "river", "vowpalwabbit")


def described():
    """Processor, cores, BLAS and versions."""
    np.ones((2, 2)) @ np.ones((2, 2))
    return asdict(Machine.here()) | {
        "blas": sorted({_blas(library) for library in threadpool_info() if _is_blas(library)}),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def in_words(machine):
    """A paragraph about a machine."""
    packages = [f"{name} {number}" for name, number in machine["packages"].items() if number]
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']};"
        f" {', '.join(machine['blas'])}; Python {machine['python']}, NumPy {machine['numpy']},"
        f" Numba {machine['numba']}, {', '.join(packages)}; Budgetron {machine['budgetron']};"
        f" {machine['date']}"
    )


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
