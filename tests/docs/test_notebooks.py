"""The notebooks print what is written below their cells, wherever they are run."""

import contextlib
import io
import json
import os
import shlex
from pathlib import Path
from unittest.mock import patch

import pytest
from typer.testing import CliRunner

from budgetron.cli.app import app
from cli.test_transcript import without_times

pyplot = pytest.importorskip("matplotlib.pyplot", reason="the notebooks draw with Matplotlib")

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))


def cells(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"]), cell["outputs"]


def printed_by(code, names):
    """What a cell prints: one of Python, or one of commands for a terminal."""
    if code.startswith("%%sh\n"):
        lines = code.replace("\\\n", " ").splitlines()[1:]
        results = [CliRunner().invoke(app, shlex.split(line)[1:]) for line in lines]
        assert [result.exit_code for result in results] == [0] * len(results), results
        return "".join(result.stdout for result in results)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "cell", "exec"), names)
    return printed.getvalue()


def test_there_are_four_tutorials_and_a_gallery():
    names = [path.stem for path in NOTEBOOKS]
    assert names == ["gallery", "drift", "imbalance", "own-csv", "river-pipeline"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_is_below_them(notebook, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names = {}
    pyplot.switch_backend("agg")
    with patch.dict(os.environ), pyplot.rc_context():
        for code, outputs in cells(notebook):
            streams = [it for it in outputs if it["output_type"] == "stream"]
            drawn = sum("image/png" in it.get("data", {}) for it in outputs)
            assert len(streams) + drawn == len(outputs)
            expected = "".join("".join(it["text"]) for it in streams if it["name"] == "stdout")
            assert without_times(printed_by(code, names)) == without_times(expected)
            assert len(pyplot.get_fignums()) == drawn
            pyplot.close("all")
