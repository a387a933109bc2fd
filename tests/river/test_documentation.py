"""What is written about River's classifiers is so."""

import doctest
import pydoc
import re
from inspect import signature
from pathlib import Path

import pytest

from river_learners import LEARNERS, over_learners

PAGE = Path(__file__).parents[2] / "docs" / "river.md"


@over_learners
def test_the_parameters_are_the_estimators_and_rivers(learner):
    left_out = {"random_state", "epochs", "shuffle", "device"}  # two of them are for `fit`
    own = [it for it in signature(learner._estimator_class).parameters if it not in left_out]
    added = [] if learner.__name__ == "DriftingThreshold" else ["max_features", "seed"]
    assert [*signature(learner).parameters] == own + added
    assert [*learner()._get_params()] == own + added


@over_learners
def test_the_defaults_are_the_estimators(learner):
    expected = learner._estimator_class().get_params()
    for name in ("random_state", "epochs", "shuffle", "device"):
        expected.pop(name, None)
    actual = learner()._get_params()
    assert {name: actual[name] for name in expected} == expected


@over_learners
def test_every_parameter_is_explained_with_its_default(learner):
    section = learner.__doc__.split("Parameters\n----------\n")[1].split("\n\n")[0]
    entries = re.findall(r"^(\w+) : .*?default=(\S+)$", section, flags=re.MULTILINE)
    parameters = signature(learner).parameters.values()
    assert [name for name, _ in entries] == [it.name for it in parameters]
    for (_, stated), parameter in zip(entries, parameters, strict=True):
        assert stated.strip('"') == str(parameter.default)


@over_learners
def test_every_learner_says_what_it_is_and_whose(learner):
    assert learner.__doc__.startswith(learner._estimator_class.__doc__.split("\n")[0])
    assert "References\n----------" in learner.__doc__
    assert learner.__module__.startswith("budgetron.river")


def test_parameters_are_checked_as_by_any_function():
    with pytest.raises(TypeError, match="unexpected keyword argument 'bugdet'"):
        LEARNERS[0](bugdet=3)


def test_a_seed_is_a_seed():
    with pytest.raises(TypeError, match="say seed="):
        LEARNERS[0](random_state=3)


@over_learners
def test_help_has_the_whole_text_of_every_parameter(learner):
    for each in (learner, learner._estimator_class):
        told = pydoc.render_doc(each, renderer=pydoc.plaintext)
        parameters = re.split(r"\n {0,4}\| *\n", told.split("Parameters\n |  ----------\n")[1])[0]
        texts = re.split(r"^ \|  (?=\w+ : )", parameters, flags=re.MULTILINE)[1:]
        assert [text.split(" : ")[0] for text in texts] == [*signature(each).parameters]
        assert all(len(text.split("\n |      ")) > 1 for text in texts)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # River's data sets are not closed
def test_the_page_prints_what_it_says():
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False)
    assert attempted > 20
    assert failed == 0
