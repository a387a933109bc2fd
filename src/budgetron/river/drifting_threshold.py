"""The tracker of a drifting threshold as a classifier of River."""

from __future__ import annotations

from typing import Any

from .. import estimators
from .classifier import StreamLearner
from .feature_index import FeatureIndex, OneFeature

__all__ = ["DriftingThreshold"]


class DriftingThreshold(StreamLearner, learns_with=estimators.DriftingThreshold):
    """It looks at a single feature.

    Parameters
    ----------
    feature : name of a feature or None, default=None
        What the threshold is on; None for the only one. Others are not looked at.
    """

    feature: Any

    @classmethod
    def _own_defaults(cls) -> dict[str, Any]:
        return {}

    def _given_to_estimator(self) -> dict[str, Any]:
        return {"gamma": self.gamma}

    def _new_index(self) -> FeatureIndex:
        return OneFeature(self.feature)

    @classmethod
    def _unit_test_params(cls) -> Any:
        yield {"feature": "age_of_domain"}
