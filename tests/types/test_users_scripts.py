"""What type checkers say of users' scripts: what works is accepted, what fails is refused."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
UNTYPED = "import-untyped", "no-untyped-call"
"""What mypy has against scikit-learn and River."""


def checked(*command):
    """What a checker prints; it runs where no settings are found."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr  # there are errors, and nothing else went wrong
    return done.stdout


def by_mypy(settings, cache):
    settings.write_text("[mypy]\n")
    disabled = [f"--disable-error-code={code}" for code in UNTYPED]
    how = ["--strict", "--output=json", "--config-file", settings, "--cache-dir", cache]
    told = map(json.loads, checked("mypy", *how, *disabled, *SCRIPTS).splitlines())
    return {(Path(each["file"]).name, each["line"]) for each in told if each["severity"] == "error"}


def by_pyright(settings, cache):
    asked = {"typeCheckingMode": "standard", "include": [*map(str, SCRIPTS)]}
    settings.write_text(json.dumps(asked))
    told = json.loads(
        checked(
            *("basedpyright", "--outputjson", "--level", "error", "--project", settings),
            *("--pythonpath", sys.executable),
        )
    )
    assert told["summary"]["filesAnalyzed"] == len(SCRIPTS)
    return {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in told["generalDiagnostics"]
    }


@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_what_works_is_accepted_and_what_fails_is_refused(tmp_path, pytestconfig, checker):
    marked = {
        (script.name, line)
        for script in SCRIPTS
        for line, text in enumerate(script.read_text().splitlines(), start=1)
        if "# refused" in text
    }
    assert checker(tmp_path / "settings.json", pytestconfig.cache.mkdir("mypy")) == marked


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_what_is_accepted_works(script, tmp_path, capsys):
    runpy.run_path(str(script))["works"](str(tmp_path))


def test_what_is_known_of_rivers_classes_is_what_they_are():
    written = runpy.run_path(str(ROOT / "scripts" / "river_types.py"))
    assert written["STUB"].read_text() == written["stub"](), "run scripts/river_types.py"
