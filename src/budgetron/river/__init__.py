"""The learners as classifiers of River: under the same names, with the same parameters.

They learn from dicts whose names may appear and vanish, and from frames. What scikit-learn calls
`random_state` is called `seed`. What type checkers and editors know of them is in `__init__.pyi`,
which scripts/river_types.py writes.
"""

try:
    import river as _river  # noqa: F401
except ImportError as error:
    raise ImportError("this needs River: pip install 'budgetron[river]'") from error

from types import new_class as _new_class

from ..registry import LEARNERS as _LEARNERS
from .classifier import KernelLearner as _KernelLearner
from .drifting_threshold import DriftingThreshold
from .restarting_experts import RestartingExperts

_WITHOUT_KERNEL = [DriftingThreshold, RestartingExperts]
_classes: dict[str, type] = {learner.__name__: learner for learner in _WITHOUT_KERNEL}
for _name, _row in _LEARNERS.items():
    if _name not in _classes and hasattr(_row.estimator(), "partial_fit"):
        _classes[_name] = _new_class(
            _name,
            (_KernelLearner,),
            {"learns_with": _row.estimator},
            lambda namespace: namespace.update(__module__=__name__),
        )
globals().update(_classes)
__all__ = sorted(_classes)
