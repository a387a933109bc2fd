"""The list of learners, and the tables that are made from it, are complete."""

import ast
from importlib import import_module
from pathlib import Path

import budgetron
from budgetron import registry
from budgetron.estimators import KernelClassifier
from budgetron.registry import LEARNERS
from engine.fresh import in_a_fresh_process
from laws import learners as laws

ROOT = Path(__file__).parent.parent


def known_to_type_checkers():
    """The modules in the block that only type checkers read."""
    tree = ast.parse(Path(registry.__file__).read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    return [line.module.removeprefix("estimators.") for line in block.body]


def test_type_checkers_know_all_learners_and_where_they_are():
    assert known_to_type_checkers() == sorted({row.module for row in LEARNERS.values()})
    for name, row in LEARNERS.items():
        assert name in import_module(f"budgetron.estimators.{row.module}").__all__


def test_every_learner_is_where_the_list_says():
    for name, row in LEARNERS.items():
        assert getattr(budgetron, name) is row.estimator
        assert row.estimator.__name__ == name


def test_the_list_is_read_without_what_the_learners_need():
    heavy = "[m for m in ('numpy', 'sklearn', 'numba') if m in sys.modules]"
    script = f"import budgetron.registry, json, sys; print(json.dumps({heavy}))"
    assert in_a_fresh_process(script) == []


def table():
    """The table of all learners."""
    lines = ["| learner | paper | bound on its mistakes |", "|---|---|---|"]
    for name, row in LEARNERS.items():
        path = f"src/budgetron/{row.source or f'rules/{row.module}'}.py"
        assert (ROOT / path).is_file()
        bound = row.bound.replace("|", r"\|")
        lines.append(f"| [`{name}`](../{path}) | {row.paper} | {bound} |")
    return "\n".join(lines)


def test_the_page_of_all_learners_has_the_table():
    page = ROOT / "docs" / "learners.md"
    assert table() in page.read_text(), f"put this into docs/learners.md:\n{table()}"


def test_every_learner_has_its_laws():
    with_kernel = {it.estimator for it in LEARNERS.values()}
    with_kernel = {learner for learner in with_kernel if issubclass(learner, KernelClassifier)}
    others = {budgetron.WhitenedPerceptron}  # which learns a whole stream at once
    assert {case.estimator for case in laws.LEARNERS} == with_kernel - others
