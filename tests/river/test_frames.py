"""Frames of any library go in, and come out with their index."""

import numpy as np
import pandas as pd
import pytest

from budgetron import river
from covering import naming
from river_kinds import over_kinds
from river_learners import NAMES, knowledge, learned, small, stream

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

LIBRARIES = {
    "pandas": (pd.DataFrame, pd.Series),
    "polars": (pl.DataFrame, pl.Series),
    "pyarrow": (pa.table, lambda values: pa.chunked_array([pa.array(values)])),
}
over_libraries = pytest.mark.parametrize(("frame", "series"), LIBRARIES.values(), ids=LIBRARIES)


def columns(X):
    return {name: X[:, i] for i, name in enumerate(NAMES)}


@over_kinds
def test_any_library_is_learned_from(learner):
    X, y, w = stream()
    one = learned(small(learner), X, y, w)
    for name, (frame, series) in LIBRARIES.items():
        many = small(learner)
        many.learn_many(frame(columns(X)), series(y), series(w))
        assert many.estimator.n_updates_ == one.estimator.n_updates_, name
        assert many.estimator.n_mistakes_ == one.estimator.n_mistakes_, name
        predicted = many.predict_many(frame(columns(X)))
        assert type(predicted) is type(series(y))
        assert len(predicted) == len(y)


@over_libraries
def test_probabilities_are_a_frame(frame, series):
    X, y, _ = stream()
    model = small(river.Forgetron, probability=True)
    model.learn_many(frame(columns(X)), series(y))
    chances = model.predict_proba_many(frame(columns(X)))
    assert type(chances) is type(frame(columns(X)))
    names = chances.column_names if isinstance(chances, pa.Table) else [*chances.columns]
    assert [str(name) for name in names] == ["False", "True"]
    np.testing.assert_allclose(sum(np.asarray(chances[name]) for name in names), 1)


def test_the_index_and_the_name_are_kept():
    X, y, _ = stream(length=6)
    frame = pd.DataFrame(columns(X), index=list("uvwxyz"))
    model = small(river.Forgetron, probability=True)
    assert model.predict_many(frame).tolist() == [None] * 6
    assert model.predict_many(frame).index.tolist() == list("uvwxyz")
    assert model.predict_proba_many(frame).shape == (6, 0)
    model.learn_many(frame, pd.Series(y, index=frame.index, name="label"))
    assert model.predict_many(frame).index.tolist() == list("uvwxyz")
    assert model.predict_many(frame).name == "label"
    assert model.predict_proba_many(frame).index.tolist() == list("uvwxyz")
    assert [*model.predict_proba_many(frame).columns] == [False, True]


@over_libraries
def test_nothing_is_learned_from_no_rows(frame, series):
    X, y, _ = stream(length=20)
    model = learned(small(river.Forgetron), X, y)
    before = knowledge(model)
    model.learn_many(frame(columns(X[:0])), series(y[:0]))
    assert len(model.predict_many(frame(columns(X[:0])))) == 0
    assert knowledge(model) == before


BAD = {
    "texts": ["1", "2", "3"],
    "a text": [1.0, "2", 3.0],
    "missing": [1.0, None, 3.0],
    "NaN": [1.0, np.nan, 3.0],
    "infinity": [1.0, np.inf, 3.0],
    "huge": [1.0, 1e200, 3.0],
    "huge ints": [1, 10**400, 3],
    "complex": [1.0, 1j, 3.0],
    "dates": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
}


@over_kinds
def test_a_bad_value_is_refused_before_anything_is_learned(learner):
    X, y, _ = stream(length=20)
    model = learned(small(learner), X, y)
    before = knowledge(model)
    for name, values in BAD.items():
        if learner is river.DriftingThreshold and name == "huge":
            continue  # it has no kernel that it would be too large for
        frame = pd.DataFrame({"a": values, "new": [1.0, 2.0, 3.0]})
        with naming(name):
            with pytest.raises((TypeError, ValueError)):
                model.learn_many(frame, pd.Series([True, False, True]))
            with pytest.raises((TypeError, ValueError)):
                model.predict_many(frame)
            assert knowledge(model) == before


@over_kinds
def test_labels_and_weights_are_checked_before_anything_is_learned(learner):
    X, y, _ = stream(length=20)
    model = learned(small(learner), X, y)
    frame = pd.DataFrame({"a": [1.0, 2.0], "new": [1.0, 2.0]})
    before = knowledge(model)
    for labels, weights in [
        ([True], None),
        ([True, None], None),
        ([True, [1]], None),
        ([True, False], [1.0]),
        ([True, False], [1.0, -1.0]),
        ([True, False], [1.0, np.nan]),
    ]:
        with pytest.raises((TypeError, ValueError)):
            model.learn_many(frame, pd.Series(labels), weights)
    for wrong in (None, [[1.0]], np.ones((2, 2)), {"a": 1.0}):
        with pytest.raises(TypeError):
            model.learn_many(wrong, pd.Series([True, False]))
    assert knowledge(model) == before


def test_numbers_of_any_width_are_numbers():
    X, y, _ = stream(length=30)
    whole = np.round(X * 3).astype(int)
    plain = small(river.Forgetron)
    plain.learn_many(pd.DataFrame(columns(whole.astype(float))), pd.Series(y))
    for dtype in ("int8", "Int64", "float32", "object", "int64[pyarrow]"):
        model = small(river.Forgetron)
        model.learn_many(pd.DataFrame(columns(whole)).astype(dtype), pd.Series(y))
        assert knowledge(model) == knowledge(plain)
    truths = pd.DataFrame({"a": [True, False], "b": [False, True]})
    model = small(river.Forgetron)
    model.learn_many(truths, pd.Series(["x", "y"]))
    assert model.estimator.support_vectors_.toarray()[0, :2].tolist() == [1, 0]


def test_a_value_that_is_missing_is_0_where_it_may_be():
    X, y, _ = stream(length=60)
    gaps = np.random.default_rng(0).random(X.shape) < 0.2
    zeros = learned(river.Budgetron(20), np.where(gaps, 0.0, X), y)
    for gap in (np.nan, None):
        rows = learned(river.Budgetron(20, missing="center"), np.where(gaps, gap, X), y)
        assert rows.estimator.n_mistakes_ == zeros.estimator.n_mistakes_
        assert rows.estimator.dual_coef_.tobytes() == zeros.estimator.dual_coef_.tobytes()
        x = dict(zip(NAMES, np.where(gaps[5], gap, X[5]), strict=True))
        assert rows.predict_one(x) == zeros.predict_one(
            dict(zip(NAMES, X[5] * ~gaps[5], strict=True))
        )
    missing = columns(np.where(gaps, None, X))
    for name, (frame, series) in LIBRARIES.items():
        many = river.Budgetron(20, missing="center")
        many.learn_many(frame({key: missing[key].tolist() for key in missing}), series(y))
        assert many.estimator.n_mistakes_ == zeros.estimator.n_mistakes_, name
        refusing = river.Budgetron(20)
        with pytest.raises(ValueError, match="missing"):
            refusing.learn_many(frame({key: missing[key].tolist() for key in missing}), series(y))
    with pytest.raises(TypeError, match="must be a number, got str"):
        rows.learn_one({"a": None, "b": "1"}, y[0])
