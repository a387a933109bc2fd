"""Transformers of scikit-learn: those whose state is known to be arrays, categories and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.utils.validation import check_is_fitted

from .arrays import Arrays
from .checking import SavedModelError, demand, fields, flag, listed, text, whole
from .labels import describe_labels, restore_labels
from .parameters import describe_parameter, restore_parameter

__all__ = ["describe_transformer", "restore_transformer"]

WIDEST, MOST_COLUMNS = 2**31 - 1, 2**20
DTYPES = "float64", "float32", "int64"


class Kept(NamedTuple):
    """How what a transformer has learned is described, and given to one that is new."""

    describe: Callable[[Any, Arrays], Any]
    restore: Callable[[Any, Any, Arrays, int], None]


def describe_transformer(name: str, transformer: Any, arrays: Arrays) -> dict[str, Any]:
    """The class, the parameters, and what has been learned: null if nothing has."""
    kind = type(transformer)
    known = ", ".join(sorted(each.__name__ for each in KEPT))
    demand(
        kind in KEPT,
        f"step {name!r} cannot be saved: {kind.__name__} is none of the transformers {known}",
    )
    demand(
        not getattr(transformer, "_sklearn_output_config", None),
        f"step {name!r} cannot be saved with an output that was chosen by set_output",
    )
    given = transformer.get_params(deep=False)
    given.pop("transformers", None)
    return {
        "class": kind.__name__,
        "parameters": {
            key: _describe_value(f"{key} of step {name!r}", value, arrays.part())
            for key, value in given.items()
        },
        "learned": _describe_learned(transformer, arrays),
    }


def restore_transformer(document: Any, arrays: Arrays) -> Any:
    """The transformer that was described."""
    fields(document, "a transformer", ("class", "parameters", "learned"))
    name = text(document["class"], "a transformer's class")
    kinds = {each.__name__: each for each in KEPT}
    demand(name in kinds, f"{name[:60]!r} is no transformer that is known")
    kind = kinds[name]
    fresh = kind([]) if kind is ColumnTransformer else kind()
    given = fields(document["parameters"], "the parameters", (), fresh.get_params(deep=False))
    fresh.set_params(
        **{key: _restore_value(key, value, arrays.part()) for key, value in given.items()}
    )
    learned = document["learned"]
    if learned is not None:
        fields(learned, "what has been learned", ("width", "state"), ("feature_names",))
        width = whole(learned["width"], "the number of features", least=1, most=WIDEST)
        if "feature_names" in learned:
            told = listed(learned["feature_names"], "the names of the features")
            demand(len(told) == width, f"there are {len(told)} names for {width} features")
            names = np.array([text(it, "the name of a feature") for it in told], object)
            fresh.feature_names_in_ = names
        try:
            KEPT[kind].restore(fresh, learned["state"], arrays, width)
        except SavedModelError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise SavedModelError(f"a {name} cannot be made of this: {error}") from None
        fresh.n_features_in_ = width
        if "feature_names" in learned:  # which to fit another table would have removed
            fresh.feature_names_in_ = names
    return fresh


def _describe_learned(transformer: Any, arrays: Arrays) -> dict[str, Any] | None:
    if isinstance(transformer, HashingVectorizer):
        return None
    try:
        check_is_fitted(transformer)
    except NotFittedError:
        return None
    learned = {
        "width": int(transformer.n_features_in_),
        "state": KEPT[type(transformer)].describe(transformer, arrays),
    }
    if hasattr(transformer, "feature_names_in_"):
        learned["feature_names"] = [str(name) for name in transformer.feature_names_in_]
    return learned


def _describe_value(name: str, value: Any, arrays: Arrays) -> Any:
    if isinstance(value, type) and issubclass(value, np.generic):
        return {"dtype": np.dtype(value).name}
    return describe_parameter(name, value, arrays, _refused)


def _restore_value(name: str, document: Any, arrays: Arrays) -> Any:
    if isinstance(document, dict) and document.keys() == {"dtype"}:
        dtype = text(document["dtype"], name)
        demand(dtype in DTYPES, f"{name} cannot be {dtype[:30]!r}")
        return np.dtype(dtype).type
    return restore_parameter(name, document, arrays, _refused)


def _refused(*_: Any) -> Any:
    raise SavedModelError("a transformer has no learner for a parameter")


def _attributes(*names: str) -> Kept:
    """Arrays, None, and the number of rows: one for all columns, or one for each."""

    def describe(transformer: Any, arrays: Arrays) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for name in names:
            value = getattr(transformer, name)
            if value is None:
                told[name] = None
                continue
            array = np.asarray(value)
            demand(array.dtype.name in DTYPES, f"{name} of {array.dtype} cannot be saved")
            arrays.put(np.atleast_1d(array))
            told[name] = {"dtype": array.dtype.name, "single": array.ndim == 0}
        return told

    def restore(transformer: Any, document: Any, arrays: Arrays, width: int) -> None:
        fields(document, "what a scaler has learned", names)
        for name in names:
            value = document[name]
            if value is not None:
                fields(value, name, ("dtype", "single"))
                dtype, single = text(value["dtype"], name), flag(value["single"], name)
                demand(dtype in DTYPES, f"{name} cannot be of {dtype[:30]!r}")
                array = arrays.take(name, dtype, 1 if single else width)
                demand(np.isfinite(array).all(), f"{name} is not finite")
                value = array[0] if single else array
            setattr(transformer, name, value)

    return Kept(describe, restore)


def _describe_categories(encoder: Any, arrays: Arrays) -> list[Any]:
    for limit in ("min_frequency", "max_categories"):
        demand(getattr(encoder, limit) is None, f"an encoder with {limit} cannot be saved")
    return [describe_labels(categories) for categories in encoder.categories_]


def _restore_categories(encoder: Any, document: Any, arrays: Arrays, width: int) -> None:
    categories = [restore_labels(each) for each in listed(document, "the categories")]
    demand(len(categories) == width, "there are categories for another number of columns")
    asked = encoder.categories
    row = np.empty((1, width), object)
    row[0] = [each[0] for each in categories]
    encoder.set_params(categories=[each.astype(object) for each in categories]).fit(row)
    encoder.set_params(categories=asked).categories_ = categories


def _describe_statistics(imputer: Any, arrays: Arrays) -> dict[str, Any]:
    demand(not imputer.add_indicator, "an imputer with add_indicator cannot be saved")
    statistics = imputer.statistics_
    told = {"dtype": imputer._fit_dtype.name}
    if statistics.dtype == object:
        return told | {
            "values": [_describe_value("a statistic", each, arrays) for each in statistics.tolist()]
        }
    demand(statistics.dtype.name in DTYPES, f"statistics of {statistics.dtype} cannot be saved")
    demand(np.isfinite(statistics).all(), "an imputer with an empty column cannot be saved")
    arrays.put(statistics)
    return told | {"values": statistics.dtype.name}


def _restore_statistics(imputer: Any, document: Any, arrays: Arrays, width: int) -> None:
    fields(document, "what an imputer has learned", ("dtype", "values"))
    dtype, values = text(document["dtype"], "its dtype"), document["values"]
    demand(dtype in (*DTYPES, "object"), f"an imputer cannot be of {dtype[:30]!r}")
    if isinstance(values, list):
        statistics = np.empty(len(values), object)
        statistics[:] = [_restore_value("a statistic", each, arrays) for each in values]
        demand(len(values) == width, "there are statistics for another number of columns")
    else:
        demand(values in DTYPES, "statistics are of an unknown kind")
        statistics = arrays.take("statistics", values, width)
        demand(np.isfinite(statistics).all(), "statistics are not finite")
    imputer.fit(statistics[None].astype(dtype))
    imputer.statistics_ = statistics


def _describe_columns(joined: Any, arrays: Arrays) -> dict[str, Any]:
    demand(
        isinstance(joined.remainder, str) and not joined.transformer_weights,
        "a ColumnTransformer with transformer_weights or another remainder cannot be saved",
    )
    fitted = {name: own for name, own, _ in joined.transformers_}
    told: list[Any] = []
    for name, given, columns in joined.transformers:
        listed_columns = columns if isinstance(columns, list) else [columns]
        demand(
            all(type(it) in (str, int) for it in listed_columns),
            f"columns of {name!r} must be names or numbers to be saved, not {columns!r}",
        )
        is_word = isinstance(given, str)
        own = given if is_word else describe_transformer(name, fitted[name], arrays.part())
        told.append([name, own, columns])
    places = {name: [place.start, place.stop] for name, place in joined.output_indices_.items()}
    return {"transformers": told, "places": places, "sparse": bool(joined.sparse_output_)}


def _restore_columns(joined: Any, document: Any, arrays: Arrays, width: int) -> None:
    """Have scikit-learn find the columns, with nothing to fit, and put what was learned there."""
    fields(document, "what a ColumnTransformer has learned", ("transformers", "places", "sparse"))
    demand(width <= MOST_COLUMNS, f"a ColumnTransformer is of at most {MOST_COLUMNS} columns")
    parts = [listed(it, "a part of columns") for it in listed(document["transformers"], "columns")]
    demand(all(len(it) == 3 and isinstance(it[0], str) for it in parts), "columns are unknown")
    demand(len({it[0] for it in parts}) == len(parts), "a name of columns is repeated")
    own = {}
    for name, inner, _ in parts:
        is_word = inner in ("drop", "passthrough")
        own[name] = inner if is_word else restore_transformer(inner, arrays.part())
    joined.transformers = [
        (name, "passthrough" if own[name] == "passthrough" else "drop", columns)
        for name, _, columns in parts
    ]
    joined.fit(_row_of(width, getattr(joined, "feature_names_in_", None)))
    joined.transformers = [
        (name, it if isinstance(it, str) else clone(it), columns)
        for (name, it), (_, _, columns) in zip(own.items(), parts, strict=True)
    ]
    joined.transformers_ = [
        (name, own[name] if fitted == "drop" and name in own else fitted, columns)
        for name, fitted, columns in joined.transformers_
    ]
    joined.sparse_output_ = flag(document["sparse"], "whether the output is sparse")
    places = fields(document["places"], "the places of columns", (), document["places"])
    joined.output_indices_ = {
        name: slice(*(whole(it, "a place") for it in listed(ends, "places")))
        for name, ends in places.items()
    }


def _row_of(width: int, names: np.ndarray | None) -> Any:
    row = np.zeros((1, width))
    if names is None:
        return row
    try:
        from pandas import DataFrame
    except ImportError:
        raise SavedModelError("columns that have names need pandas to be loaded") from None
    return DataFrame(row, columns=names)


KEPT: dict[type, Kept] = {
    StandardScaler: _attributes("mean_", "var_", "scale_", "n_samples_seen_"),
    MinMaxScaler: _attributes(
        "min_", "scale_", "data_min_", "data_max_", "data_range_", "n_samples_seen_"
    ),
    OneHotEncoder: Kept(_describe_categories, _restore_categories),
    OrdinalEncoder: Kept(_describe_categories, _restore_categories),
    SimpleImputer: Kept(_describe_statistics, _restore_statistics),
    HashingVectorizer: _attributes(),
    ColumnTransformer: Kept(_describe_columns, _restore_columns),
}
