"""What the page about the theorems says is so."""

import re
from inspect import isfunction, ismodule
from pathlib import Path

import budgetron
from budgetron import bounds

PAGE = Path(__file__).parents[2] / "docs" / "theorems.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", TEXT, flags=re.DOTALL)
THEOREMS = [
    f"{module.__name__}.{name}"
    for module in map(vars(bounds).get, bounds.__all__)
    if ismodule(module)
    for name in module.__all__
    if isfunction(getattr(module, name))
]
NAMED = set(re.findall(r"`(budgetron\.bounds\.\w+\.\w+)`", TEXT))


def test_every_example_says_what_it_prints():
    assert len(EXAMPLES) == TEXT.count("```python") == TEXT.count("```text") > 4


def test_every_theorem_is_on_the_page():
    assert {*THEOREMS} <= NAMED


def test_the_page_invents_no_theorem():
    assert len(THEOREMS) > 40
    assert set(THEOREMS) >= NAMED


def test_every_learner_is_on_the_page_by_its_name():
    learners = re.findall(r"`(\w*(?:Perceptron|tron|PlusPlus|Experts|Threshold))[`(]", TEXT)
    assert len(set(learners)) > 15
    assert set(learners) <= set(budgetron.__all__)
