"""All learners and all data sets."""

import json
from pathlib import Path

import pytest

import budgetron
from budgetron import datasets
from budgetron.datasets.catalogue import catalogue
from cli.commands import run


def test_every_learner_is_listed():
    told = {each["name"]: each for each in json.loads(run("learners", "--json").stdout)}
    assert set(told) == {
        name for name in budgetron.__all__ if hasattr(getattr(budgetron, name), "predict")
    }
    assert told["Forgetron"]["parameters"] == {"budget": 100}
    assert told["Perceptron"]["parameters"] == {}
    for each in told.values():
        assert each["place"] and each["summary"].endswith(".")
        assert each["name"] in run("learners").stdout


def test_every_data_set_is_listed():
    told = {each["name"]: each for each in json.loads(run("datasets", "--json").stdout)}
    loaders = {name for name in datasets.__all__ if name.startswith("load_")} - {"load_spam_texts"}
    assert {f"load_{name}" for name in told} == loaders
    assert told["spam"]["at_hand"]
    assert "804,414" in run("datasets").stdout


@pytest.mark.parametrize(
    "entry", [each for each in catalogue() if each.at_hand], ids=lambda e: e.name
)
def test_what_is_listed_of_a_data_set_is_so(entry):
    dataset = getattr(datasets, f"load_{entry.name}")(
        **({} if entry.name == "spam" else {"download": False})
    )
    assert dataset.X.shape == (entry.rows, entry.features)
    assert " ".join(dataset.licence.split()) == entry.licence


def test_a_data_set_is_at_hand_where_its_files_are(tmp_path):
    Path(tmp_path, "w8a.xz").touch()
    assert [each.name for each in catalogue(tmp_path) if each.at_hand] == ["spam", "w8a"]
