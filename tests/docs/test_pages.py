"""What is written about the learners is so."""

import ast
import contextlib
import io
import re
from inspect import cleandoc, signature
from pathlib import Path

import pytest

import budgetron
from budgetron.estimators import AveragingClassifier, KernelClassifier, StreamClassifier

LEARNERS = [
    learner
    for learner in (getattr(budgetron, name) for name in budgetron.__all__)
    if isinstance(learner, type) and issubclass(learner, StreamClassifier)
]
README = Path(__file__).parents[2] / "README.md"

over_learners = pytest.mark.parametrize("learner", LEARNERS)


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
def test_every_parameter_is_in_the_docstring_and_none_is_invented(learner):
    assert [*documented(learner)] == [*signature(learner).parameters]


def test_every_common_parameter_is_explained_where_all_learners_point_to():
    assert [*documented(KernelClassifier)] == [*signature(KernelClassifier).parameters]
    assert all(documented(KernelClassifier).values())


@over_learners
def test_every_default_in_the_docstring_is_the_default(learner):
    stated = defaults(documented(learner))
    if issubclass(learner, KernelClassifier):
        stated = defaults(documented(KernelClassifier)) | stated
    if issubclass(learner, AveragingClassifier):
        stated |= defaults(documented(AveragingClassifier))
    actual = {name: p.default for name, p in signature(learner).parameters.items()}
    assert stated == actual


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


@over_learners
def test_every_learner_is_in_the_readme(learner):
    text = README.read_text().replace("`…I`", "`PassiveAggressiveI`")
    assert f"`{learner.__name__}`" in text.replace("`…II`", "`PassiveAggressiveII`")
