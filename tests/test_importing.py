"""Importing the package takes no time, and only what is used is imported."""

import json

import pytest

from engine.fresh import in_a_young_process

# Not pyarrow: scikit-learn imports pandas where it is installed, and pandas imports pyarrow.
EXTRAS = (
    "river",
    "matplotlib",
    "bokeh",
    "typer",
    "rich",
    "jinja2",
    "pyspark",
    "distributed",
    "cupy",
)
IMPORTED = f"import json, sys; print(json.dumps([m for m in {EXTRAS} if m in sys.modules]))"


@pytest.mark.parametrize(
    "script", ["import budgetron", "from budgetron import Forgetron, prequential"]
)
def test_extras_are_not_imported(script):
    assert in_a_young_process(f"{script}\n{IMPORTED}") == []


def test_all_names_are_there_although_nothing_is_imported():
    script = "import budgetron, json; names = dir(budgetron); from budgetron import *"
    told = in_a_young_process(f"{script}; print(json.dumps([names, budgetron.__all__, dir()]))")
    names, public, here = map(set, told)
    assert public <= names & here


WITHOUT_PYARROW = """
import json, sys
sys.modules["pyarrow"] = None
from typer.testing import CliRunner
from budgetron.cli.app import app
result = CliRunner().invoke(app, {arguments})
print(json.dumps([result.exit_code, result.stdout, result.stderr]))
"""


def test_without_pyarrow_there_is_help():
    code, told, _ = in_a_young_process(WITHOUT_PYARROW.format(arguments=["run", "--help"]))
    assert code == 0 and "--standardize" in told


def test_without_pyarrow_files_are_refused_with_a_word_about_it(tmp_path):
    path = tmp_path / "stream.csv"
    path.write_text("a,label\n1,0\n2,1\n")
    arguments = json.dumps(["run", str(path), "-l", "Forgetron"])
    code, told, error = in_a_young_process(WITHOUT_PYARROW.format(arguments=arguments))
    assert (code, told) == (2, "")
    assert "pip install 'budgetron[cli]'" in error and error.count("\n") == 1
