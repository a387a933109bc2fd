"""What learners inherit from scikit-learn.

Scikit-learn has no types. To mypy a class that inherits from it could have any attribute and take
any argument, so that it finds no misspelled one: it is told here what there is. Pyright reads
scikit-learn's sources, and knows.
"""

from typing import Any, Self

import numpy as np

__all__ = ["BaseEstimator", "ClassifierMixin"]

MYPY = False
"""Which mypy takes for true."""

if MYPY:

    class BaseEstimator:  # noqa: D101
        n_features_in_: int
        feature_names_in_: np.ndarray

        @classmethod
        def _get_param_names(cls) -> list[str]: ...
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...  # noqa: D102
        def set_params(self, **params: Any) -> Self: ...  # noqa: D102
        def get_metadata_routing(self) -> Any: ...  # noqa: D102
        def set_fit_request(self, **metadata: Any) -> Self: ...  # noqa: D102
        def set_partial_fit_request(self, **metadata: Any) -> Self: ...  # noqa: D102
        def __getstate__(self) -> dict[str, Any]: ...
        def __setstate__(self, state: dict[str, Any]) -> None: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClassifierMixin:  # noqa: D101
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...  # noqa: D102
        def set_score_request(self, **metadata: Any) -> Self: ...  # noqa: D102
else:
    from sklearn.base import BaseEstimator, ClassifierMixin
