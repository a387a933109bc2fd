"""Run tests at both ends of the ranges of versions that pyproject.toml states.

    python scripts/versions.py dist/*-none-any.whl 3.11 3.13 --tests tests/rules

For each Python, a version or a path, there are two environments: with the lowest and with the
highest versions of all that the package requires, and the wheel. uv chooses them, of wheels alone:
the lowest is the lowest that there is for that Python. A Python that is not there is told and left
out, unless none is there at all. `make versions` builds the wheel first.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PYTHONS = "3.11", "3.12", "3.13", "3.14"
ENDS = {"lowest": "lowest-direct", "highest": "highest"}
TESTS = "tests/rules", "tests/saving/test_old_files.py"
SHOWN = "numpy", "scipy", "scikit-learn", "numba", "llvmlite", "rich", "threadpoolctl", "typer"

UV = (sys.executable, "-m", "uv", "--no-python-downloads")
QUIET = (*UV, "--quiet")
ALONE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""The wheel is tried, not the sources beside it."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("pythons", nargs="*", default=PYTHONS)
    parser.add_argument("--tests", nargs="+", default=TESTS)
    parser.add_argument("--ends", nargs="+", choices=ENDS, default=[*ENDS])
    given = parser.parse_args()
    lines, failed = [], []
    for wanted in given.pythons:
        python = interpreter(wanted)
        if python is None:
            print(f"Python {wanted} is not here, and was not tried")
            continue
        for end in given.ends:
            with TemporaryDirectory() as directory:
                made = environment(python, given.wheel, ENDS[end], Path(directory))
                versions = versions_of(made)
                print(f"{end}: {versions}", flush=True)
                kept = {"NUMBA_CACHE_DIR": directory, "OPENBLAS_NUM_THREADS": "1"}
                run = [made, "-m", "pytest", "-q", "-p", "no:cacheprovider", *given.tests]
                code = subprocess.run(run, cwd=ROOT, env=ALONE | kept, check=False).returncode
                (failed if code else lines).append(f"{end}: {versions}")
    print("\ntested\n" + "\n".join(lines or ["nothing"]))
    if failed:
        print("failed\n" + "\n".join(failed))
    return 1 if failed or not lines else 0


def interpreter(wanted):
    """Its path, or None if it is not there."""
    found = subprocess.run(
        [*UV, "python", "find", "--no-project", wanted], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or None


def environment(python, wheel, resolution, directory):
    """A Python that has the wheel, what it requires, and what tests it."""
    made = directory / "environment"
    subprocess.run([*QUIET, "venv", "--python", python, made], check=True)
    into = (*QUIET, "pip", "install", "--no-build", "--python", made / "bin" / "python")
    # Of a wheel, what it requires is not direct; of this file it is
    required = ("--resolution", resolution, "--requirement", ROOT / "pyproject.toml")
    subprocess.run([*into, *required], check=True)
    subprocess.run([*into, "--no-deps", wheel.resolve()], check=True)
    subprocess.run([*into, "pytest>=8", "hypothesis>=6.100"], check=True)
    return made / "bin" / "python"


def versions_of(python):
    """That of Python and of what the package requires, in words."""
    program = (
        "import platform; from importlib.metadata import version; "
        f"print('Python', platform.python_version(), *(f'{{n}} {{version(n)}}' for n in {SHOWN}),"
        " sep=', ')"
    )
    told = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    return told.stdout.strip().replace("Python, ", "Python ")


if __name__ == "__main__":
    sys.exit(main())
