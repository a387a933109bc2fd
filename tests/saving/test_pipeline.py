"""Pipelines of scikit-learn in files."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from budgetron import Forgetron, load, prequential
from budgetron.saving import SavedModelError, save
from saving.tampering import put_together, taken_apart

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 3)) * [1, 10, 100]
y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")


def frame():
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table.loc[5, "a"] = np.nan
    table["colour"] = rng.choice(["red", "green"], len(y))
    table["grade"] = rng.integers(0, 3, len(y))
    table["text"] = np.where(X[:, 2] > 0, "good day", "bad night")
    return table


def columns():
    return ColumnTransformer(
        [
            ("scaled", StandardScaler(), ["b", "c"]),
            ("filled", SimpleImputer(strategy="median"), ["a"]),
            ("flags", OneHotEncoder(handle_unknown="ignore"), ["colour"]),
            ("order", OrdinalEncoder(), ["grade"]),
            ("words", HashingVectorizer(n_features=16), "text"),
        ]
    )


def test_a_pipeline_goes_on_bit_for_bit(tmp_path):
    path = tmp_path / "pipeline.budgetron"
    pipeline = make_pipeline(StandardScaler(), MinMaxScaler((-1, 1)), Forgetron(budget=20))
    prequential(pipeline, X[:120], y[:120])
    save(pipeline, path, {"rows": 120})
    again = load(path)
    assert repr(again) == repr(pipeline)
    traces = [prequential(it, X[120:], y[120:]) for it in (pipeline, again)]
    np.testing.assert_array_equal(traces[0].scores, traces[1].scores)
    for name in ("mean_", "var_", "n_samples_seen_"):
        np.testing.assert_array_equal(getattr(again[0], name), getattr(pipeline[0], name))


def test_every_transformer_of_the_list_comes_back(tmp_path):
    path, table = tmp_path / "pipeline.budgetron", frame()
    pipeline = make_pipeline(columns(), Forgetron(gamma=0.5)).fit(table, y)
    save(pipeline, path)
    again = load(path)
    save(again, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    table.loc[0, ["colour", "a"]] = ["blue", np.nan]  # which are unknown
    np.testing.assert_array_equal(again.decision_function(table), pipeline.decision_function(table))
    np.testing.assert_array_equal(again[0].transform(table), pipeline[0].transform(table))


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        (make_pipeline(TfidfVectorizer(), Forgetron()), "TfidfVectorizer is none of"),
        (make_pipeline(RobustScaler(), Forgetron()), "step 'robustscaler' cannot be saved"),
        (make_pipeline(HashingVectorizer(tokenizer=str.split), Forgetron()), "tokenizer of step"),
        (make_pipeline(Forgetron(), StandardScaler()), "no learner of this package"),
        (StandardScaler(), "StandardScaler is no learner of this package, and no pipeline"),
    ],
)
def test_what_is_not_on_the_list_is_refused(tmp_path, pipeline, message):
    with pytest.raises(SavedModelError, match=message):
        save(pipeline, tmp_path / "pipeline")
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_says_something_else_is_refused(tmp_path):
    path = tmp_path / "pipeline"
    save(make_pipeline(columns(), Forgetron()).fit(frame(), y), path)
    document, arrays = taken_apart(path.read_bytes())
    written = json.dumps(document)
    for said, instead in (
        ('"StandardScaler"', '"Pipeline"'),
        ('"median"', '"mode"'),
        ('"sparse": false', '"sparse": 3'),
        ('["green", "red"]', '["red", "green"]'),
        ('"width": 2', '"width": 3'),
        ('["b", "c"]]', '["b", "z"]]'),
        ('"with_mean"', '"without_mean"'),
        ('"places"', '"palaces"'),
    ):
        assert said in written
        path.write_bytes(put_together(written.replace(said, instead, 1).encode(), arrays))
        with pytest.raises(SavedModelError):
            load(path)
    for name, entry in arrays.items():
        if entry["type"] == "d":
            spoilt = {**entry, "bytes": np.full(len(entry["bytes"]) // 8, np.nan).tobytes()}
            path.write_bytes(put_together(document, {**arrays, name: spoilt}))
            with pytest.raises(SavedModelError):
                load(path)
        others = {it: entry for it, entry in arrays.items() if it != name}
        path.write_bytes(put_together(document, others))
        with pytest.raises(SavedModelError):
            load(path)
