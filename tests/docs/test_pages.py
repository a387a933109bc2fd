"""What is written about the learners is so."""

import ast
import contextlib
import io
import re
import sys
from inspect import cleandoc, getmembers, signature
from itertools import pairwise
from pathlib import Path
from subprocess import run

import pytest

from budgetron.registry import LEARNERS

README = Path(__file__).parents[2] / "README.md"

over_learners = pytest.mark.parametrize("learner", [it.estimator for it in LEARNERS.values()])


def section(learner, title):
    """The lines of one section of the docstring."""
    after = cleandoc(learner.__doc__).split(f"{title}\n{'-' * len(title)}\n")[1]
    return after.split("\n\n")[0].splitlines()


def documented(learner):
    """The parameters of the docstring, in order, each with its type and default."""
    entries = [line for line in section(learner, "Parameters") if not line.startswith(" ")]
    return {
        name: kind
        for names, _, kind in (entry.partition(" : ") for entry in entries)
        for name in names.split(", ")
    }


def defaults(kinds):
    """The defaults in the docstring, as values."""
    stated = {name: re.search(r"default=(\S+)$", kind) for name, kind in kinds.items()}
    return {name: ast.literal_eval(found[1]) for name, found in stated.items() if found}


@over_learners
def test_every_parameter_is_explained_and_none_is_invented(learner):
    assert [*documented(learner)] == [*signature(learner).parameters]
    lines = section(learner, "Parameters")
    assert all(after[:1] == " " for line, after in pairwise([*lines, ""]) if line[:1] != " ")


@over_learners
def test_every_default_in_the_docstring_is_the_default(learner):
    actual = {name: p.default for name, p in signature(learner).parameters.items()}
    assert defaults(documented(learner)) == actual


@over_learners
def test_every_attribute_is_in_the_docstring(learner):
    named = {
        name
        for line in section(learner, "Attributes")
        if not line.startswith(" ")
        for name in line.partition(" : ")[0].split(", ")
    }
    properties = {name for name, it in getmembers(learner) if isinstance(it, property)}
    assert {name for name in properties if name[0] != "_"} | {"classes_", "n_seen_"} <= named


def test_docstrings_can_be_left_out():
    script = "import budgetron; from budgetron import *; from budgetron.river import *; print(0)"
    done = run([sys.executable, "-OO", "-c", script], capture_output=True, check=True)
    assert done.stdout == b"0\n"


@over_learners
def test_every_learner_names_its_paper_and_shows_an_example(learner):
    assert any(re.search(r"\b(19|20)\d\d\b", line) for line in section(learner, "References"))
    assert any(f"{learner.__name__}(" in line for line in section(learner, "Examples"))


PAGES = [README, *sorted((README.parent / "docs").glob("*.md"))]
EXAMPLES = {
    f"{page.stem}-{i}": example
    for page in PAGES
    for i, example in enumerate(
        re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", page.read_text(), flags=re.DOTALL)
    )
}


def test_all_examples_say_what_they_print():
    scripts = [re.findall(r"```python\n(?!>>>)", page.read_text()) for page in PAGES]
    assert len(EXAMPLES) == sum(map(len, scripts)) > 3


@pytest.mark.parametrize(("code", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples_print_what_is_written(code, expected):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example", "exec"), {})
    assert printed.getvalue().rstrip() == expected.rstrip()


def test_the_table_of_the_readme_is_that_of_the_page_about_choosing():
    rows = re.findall(r"^\| (?:`|linear|error).*$", README.read_text(), flags=re.MULTILINE)
    assert len(rows) > 5
    assert {*rows} <= {*(README.parent / "docs" / "choosing.md").read_text().splitlines()}
