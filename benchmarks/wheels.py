"""A wheel in an environment of its own, with what it depends on from this one."""

from __future__ import annotations

import sys
import venv
from pathlib import Path
from zipfile import ZipFile

__all__ = ["installed"]


def installed(wheel, directory):
    """The Python of a new environment in the directory, which has nothing else of the package."""
    venv.create(directory, with_pip=False)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = Path(directory, "lib", version, "site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(packages)
    elsewhere = [path for path in sys.path if Path(path).name == "site-packages"]
    Path(packages, "dependencies.pth").write_text("\n".join(elsewhere))
    return str(Path(directory, "bin", "python"))
