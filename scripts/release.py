"""Build what is released, into dist/, and try it in empty environments: `make release`.

    python scripts/release.py 3.11 3.12

There are the sources, a wheel for every platform that is made of them, and for each Python, a
version or a path, a wheel that carries compiled code. BUDGETRON_SHIP_CODE names the learners whose
code that is, all if it names none. Each of them is installed where nothing else is, and has to
learn, to save and to go on; wheels with code have to begin within a second (`try_wheel.py`).
"""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from versions import ALONE, PYTHONS, QUIET, ROOT, interpreter

DIST = ROOT / "dist"
LEARN = """
import sys
from pathlib import Path
import numpy as np
import budgetron
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 4))
y = np.where((X**2).sum(axis=1) > 4, "out", "in")
for learner in [budgetron.Forgetron(budget=20)]:
    trace = budgetron.prequential(learner, X, y)
    again = budgetron.loads(learner.dumps())
    assert np.array_equal(again.decision_function(X), learner.decision_function(X))
    assert trace.mistakes.mean() < 0.5 and trace.sizes.max() <= 20
assert Path(budgetron.__file__).is_relative_to(sys.prefix), budgetron.__file__
print(budgetron.__version__)
"""


def main(pythons):
    DIST.mkdir(exist_ok=True)
    if leftovers := [*DIST.iterdir()]:
        return f"dist is not empty: {', '.join(path.name for path in leftovers)}"
    version = version_told_alike()
    with TemporaryDirectory() as directory:
        home = Path(directory)
        builder = environment(home / "builder", sys.executable, "hatchling>=1.25")
        subprocess.run([builder, "-m", "hatchling", "build", "-t", "sdist"], cwd=ROOT, check=True)
        (sources,) = DIST.glob("*.tar.gz")
        with tarfile.open(sources) as archive:
            archive.extractall(home, filter="data")
        unpacked = home / sources.name.removesuffix(".tar.gz")
        build = [builder, "-m", "hatchling", "build", "-t", "wheel", "-d", DIST]
        subprocess.run(build, cwd=unpacked, env=ALONE | {"BUDGETRON_SHIP_CODE": ""}, check=True)
        (plain,) = DIST.glob("*-none-any.whl")
        holds_what_it_should(plain, code=False)
        learns(environment(home / "plain", sys.executable, plain), version, home / "plain")
        learns(environment(home / "sources", sys.executable, sources), version, home / "sources")
        for wanted in pythons:
            python = interpreter(wanted)
            if python is None:
                print(f"Python {wanted} is not here: no wheel with code for it")
                continue
            with_code(python, plain, unpacked, version, home)
    print("\n".join(f"{path.stat().st_size / 1e6:7.2f} MB  {path.name}" for path in DIST.iterdir()))
    return 0


def version_told_alike():
    """The version, which the package, the citation and the changelog have to agree on."""
    version = re.search(r'__version__ = "(.+)"', read("src/budgetron/__init__.py"))[1]
    cited = re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)[1]
    newest = re.search(r"^## (\S+?),? ", read("CHANGELOG.md"), re.MULTILINE)[1]
    if len({version, cited, newest}) > 1:
        sys.exit(f"versions differ: package {version}, citation {cited}, changelog {newest}")
    return version


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def environment(place, python, *what):
    """An empty environment with these, and the path of its Python."""
    subprocess.run([*QUIET, "venv", "--python", python, place], check=True)
    made = place / "bin" / "python"
    subprocess.run([*QUIET, "pip", "install", "--python", made, *what], check=True)
    return made


def learns(python, version, home):
    """It learns, saves and goes on, with no code from elsewhere."""
    kept = ALONE | {"NUMBA_CACHE_DIR": str(home / "code")}
    told = subprocess.run(
        [python, "-c", LEARN], cwd=home, env=kept, capture_output=True, text=True, check=False
    )
    if told.returncode or told.stdout.strip() != version:
        sys.exit(f"{home.name} does not learn: {told.stdout}{told.stderr}")
    print(f"{home.name}: learns", flush=True)


def holds_what_it_should(wheel, code):
    """The package with its licence and data, nothing beside it, and code if it should."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"budgetron"}, top
    assert any(name.endswith("/licenses/LICENSE") for name in names), wheel
    assert "budgetron/py.typed" in names, wheel
    assert any(name.startswith("budgetron/machine_code/") for name in names) == code, wheel


def with_code(python, plain, unpacked, version, home):
    """Build a wheel with code by this Python, and try it."""
    before = {*DIST.iterdir()}
    label = Path(python).name + "-code"
    place = home / f"{len(before)}-{label}"
    builder = environment(place / "builder", python, "hatchling>=1.25", f"{plain}[cli]")
    shipped = os.environ.get("BUDGETRON_SHIP_CODE") or "all"
    subprocess.run(
        [builder, "-m", "hatchling", "build", "-t", "wheel", "-d", DIST],
        cwd=unpacked,
        env=ALONE | {"BUDGETRON_SHIP_CODE": shipped},
        check=True,
    )
    (wheel,) = {*DIST.iterdir()} - before
    holds_what_it_should(wheel, code=True)
    learns(environment(place / "wheel", python, wheel), version, place / "wheel")
    if shipped == "all":
        subprocess.run([builder, ROOT / "scripts" / "try_wheel.py", wheel], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or PYTHONS))
