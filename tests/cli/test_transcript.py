"""What docs/command-line.md shows is what a newcomer gets."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from budgetron.cli.app import app
from budgetron.registry import LEARNERS

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
TIMES = re.compile(r"[\d.]+ s, [\d,]+ rows/s|[\d,]+(?= +[▁-█]+ *$)", re.MULTILINE)


def without_times(text):
    return [line.split() for line in TIMES.sub("-", text).splitlines()]


def test_the_transcript(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    script = re.search(r'python -c "\n(.*?)" > ring.csv', page, re.DOTALL)[1]
    rows = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    Path("ring.csv").write_bytes(rows.stdout)
    session = re.findall(r"```console\n\$ budgetron (.*?)\n(.*?)\n```", page, re.DOTALL)
    assert len(session) > 3
    newer = {name for name in LEARNERS if name not in page}  # than the page
    for command, shown in session:
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.exit_code == 0, result.stderr
        printed = [it for it in without_times(result.stdout) if not newer.intersection(it[:1])]
        assert printed == without_times(shown)
    assert {"race.svg", "ring.budgetron"} <= {path.name for path in tmp_path.iterdir()}
