"""Files of all versions so far are read, and the learners in them go on as they always did."""

import json
from pathlib import Path

import numpy as np
import pytest

import budgetron
from budgetron.saving.file import MAGIC, VERSION
from covering import naming
from engine.fresh import in_a_fresh_process
from saving.families import FAMILIES, FILES, at_the_end

ABOUT = {"rel": 1e-6, "abs": 1e-9}
"""Other machines may sum in another order."""


UNCOMPILED = [
    *("perceptron-float32", "shifting-float32-sparse", "fourier-one-vs-rest-sparse"),
    "second-order-budget-sparse",
]
"""What is compiled for no other test goes on without the compiler."""

SCRIPT = f"""
import json
import budgetron
from saving.families import FAMILIES, FILES, at_the_end
models = {{name: budgetron.load(FILES / (name + ".budgetron")) for name in {UNCOMPILED}}}
print(json.dumps({{name: at_the_end(FAMILIES[name], models[name]) for name in models}}))
"""


def test_every_family_has_a_file():
    assert {path.stem for path in FILES.glob("*.budgetron")} == {*FAMILIES}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_file_of_this_format_is_read_and_written_again_byte_for_byte(name):
    kept = (FILES / f"{name}.budgetron").read_bytes()
    if kept[len(MAGIC)] == VERSION:
        assert loaded(name).dumps() == kept


@pytest.mark.parametrize(
    "name",
    [name for name in FAMILIES if name not in UNCOMPILED],
    ids=[
        f"{name}-{type(family.model).__name__}"
        for name, family in FAMILIES.items()
        if name not in UNCOMPILED
    ],
)
def test_a_learner_goes_on_from_an_old_file(name):
    model = loaded(name)
    assert_told(name, model, at_the_end(FAMILIES[name], model))


def test_learners_in_layouts_that_are_not_compiled_here_go_on_from_old_files():
    told = in_a_fresh_process(SCRIPT, path=Path(__file__).parents[1], NUMBA_DISABLE_JIT="1")
    for name in UNCOMPILED:
        with naming(name):
            assert_told(name, loaded(name), told[name])


def loaded(name):
    model = budgetron.load(FILES / f"{name}.budgetron")
    assert type(model) is type(FAMILIES[name].model)
    return model


def assert_told(name, model, told):
    """What became of a model is what became of it when its file was written."""
    expected = json.loads((FILES / f"{name}.json").read_text())
    assert told.keys() == expected.keys()
    for fact, value in expected.items():
        if fact == "predictions":
            certain = are_certain(np.array(expected["scores"]))
            assert certain.mean() > 0.8
            np.testing.assert_array_equal(np.array(told[fact])[certain], np.array(value)[certain])
        elif isinstance(value, list):
            value = np.array(value)
            about = ABOUT if model.get_params().get("dtype") != "float32" else {"rel": 1e-4}
            assert np.array(told[fact]) == pytest.approx(value, **about), fact
        else:
            assert told[fact] == value, fact


def are_certain(scores):
    """Whether a sum in another order would choose the same class."""
    if scores.ndim == 2:
        second, first = np.sort(scores, axis=1)[:, -2:].T
        scores = first - second
    return np.abs(scores) > ABOUT["abs"]
