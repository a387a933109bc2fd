"""The race of all learners over one stream."""

import io
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console
from sklearn.linear_model import SGDClassifier

import budgetron
from budgetron import registry
from budgetron.cli.demonstration import _table
from budgetron.datasets import load_spam
from budgetron.estimators import KernelClassifier
from budgetron.evaluation.race import contenders, run
from covering import naming

LEARNERS = {
    name for name, row in registry.LEARNERS.items() if issubclass(row.estimator, KernelClassifier)
} - {"PseudoinverseSecondOrderPerceptron", "WhitenedPerceptron"}  # too slow; not for streams


@pytest.fixture(scope="module")
def spam():
    """Mails from where both kinds arrive, in dense rows: all learners are compiled for them."""
    whole = load_spam(n_features=2**8)
    return replace(whole, X=whole.X[2000:2300].toarray(), y=whole.y[2000:2300])


@pytest.fixture(scope="module")
def results(spam):
    return {contender.name: run(contender, spam) for contender in contenders(20)}


def test_every_learner_and_two_linear_models_take_part():
    names = [contender.name for contender in contenders(20)]
    assert set(names) == LEARNERS | {"SGDClassifier, hinge", "SGDClassifier, PA-I"}
    assert len(names) == len(set(names))


def test_learners_on_a_budget_come_first_and_linear_models_last():
    groups = [contender.group for contender in contenders(20)]
    assert [*dict.fromkeys(groups)] == [
        "budget of 20 supports",
        "growing supports",
        "scikit-learn, linear",
    ]
    assert groups == sorted(groups, key=[*dict.fromkeys(groups)].index)


ON_A_BUDGET = {c.name for c in contenders(20) if c.group == "budget of 20 supports"}


def test_mistakes_are_those_of_a_single_run(spam, results):
    for name in sorted(LEARNERS):
        learner = getattr(budgetron, name)(random_state=0)
        if name in ON_A_BUDGET:
            learner.set_params(budget=20)
        trace = budgetron.prequential(learner, spam.X, spam.y)
        with naming(name):
            assert results[name].mistakes == trace.mistakes.sum() > 0
            assert results[name].error == pytest.approx(trace.mistakes.mean())
            assert (results[name].largest_size or 0) == trace.sizes.max()


def test_mistakes_of_a_linear_model_are_those_of_predicting_before_learning(spam, results):
    model, wrong = SGDClassifier(random_state=0), 1
    for t in range(len(spam.y)):
        x, y = spam.X[t : t + 1], spam.y[t : t + 1]
        wrong += t > 0 and model.predict(x)[0] != y[0]
        model.partial_fit(x, y, np.unique(spam.y))
    assert results["SGDClassifier, hinge"].mistakes == wrong
    assert results["SGDClassifier, hinge"].largest_size is None


def test_times_are_measured(results):
    for result in results.values():
        assert result.seconds > 0
        assert result.rows_per_second == pytest.approx(300 / result.seconds)


@pytest.mark.parametrize("place", [0, -3, -1], ids=["budget", "growing", "linear"])
def test_a_contender_can_race_again_and_does_the_same(spam, place):
    contender = contenders(20)[place]
    first, second = (run(contender, spam) for _ in range(2))
    assert first.mistakes == second.mistakes


def test_the_table_shows_everyone_with_the_best_of_each_group_first(results):
    groups = {}
    for contender in contenders(20):
        groups.setdefault(contender.group, []).append(results[contender.name])
    console = Console(file=io.StringIO(), width=80)
    console.print(_table(groups))
    lines = console.file.getvalue().splitlines()
    shown = [line[1:40].strip() for line in lines if line.startswith(" ")][1:]
    assert sorted(shown) == sorted(results)
    for members in groups.values():
        best = min(members, key=lambda result: result.mistakes)
        assert results[shown[0]].mistakes == best.mistakes
        shown = shown[len(members) :]
