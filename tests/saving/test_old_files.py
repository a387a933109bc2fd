"""Files of all versions so far are read, and the learners in them go on as they always did."""

import json

import numpy as np
import pytest

import budgetron
from saving.families import FAMILIES, FILES, at_the_end

ABOUT = {"rel": 1e-6, "abs": 1e-9}
"""Other machines may sum in another order."""


def test_every_family_has_a_file():
    assert {path.stem for path in FILES.glob("*.budgetron")} == {*FAMILIES}


@pytest.mark.parametrize(
    "name",
    FAMILIES,
    ids=[f"{name}-{type(family.model).__name__}" for name, family in FAMILIES.items()],
)
def test_a_learner_goes_on_from_an_old_file(name):
    family, path = FAMILIES[name], FILES / f"{name}.budgetron"
    model = budgetron.load(path)
    assert type(model) is type(family.model)
    told, expected = at_the_end(family, model), json.loads(path.with_suffix(".json").read_text())
    assert told.keys() == expected.keys()
    for fact, value in expected.items():
        if isinstance(value, list) and fact != "predictions":
            value = np.array(value)
            about = ABOUT if model.get_params().get("dtype") != "float32" else {"rel": 1e-4}
            assert np.array(told[fact]) == pytest.approx(value, **about), fact
        else:
            assert told[fact] == value, fact
