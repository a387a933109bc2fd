"""The engine: runs any rule over any stream, one example after another or in blocks."""

from .blocked import blocked, decide, together
from .device import CPU, DEVICES
from .hearing import Hearing, hear, kernel_values
from .kinds import kind_of_learner
from .learn import learn
from .learner import Learner, refuse_unless_foreseen
from .multiclass import MulticlassLearner
from .one_by_one import one_by_one
from .one_vs_rest import OneVsRest
from .panel_row import PanelRow
from .pool import MILESTONES, MISSING_REFUSED, Kept, Pool, gamma_of
from .pool_buffer import PoolBuffer
from .random_features import RandomFeatureLearner
from .record import NoRecord, Record
from .shared import SharedLearner, shares_supports
from .single_row import RowBuffer, SingleRow
from .span import SpanLearner
from .testimony import Testimony, numbers_of_testimony, opposite_testimony
from .threads import threads_allowed
from .winner import first_highest

__all__ = [
    "CPU",
    "DEVICES",
    "MILESTONES",
    "MISSING_REFUSED",
    "Hearing",
    "Kept",
    "Learner",
    "MulticlassLearner",
    "NoRecord",
    "OneVsRest",
    "PanelRow",
    "Pool",
    "PoolBuffer",
    "RandomFeatureLearner",
    "Record",
    "RowBuffer",
    "SharedLearner",
    "SingleRow",
    "SpanLearner",
    "Testimony",
    "blocked",
    "decide",
    "first_highest",
    "gamma_of",
    "hear",
    "kernel_values",
    "kind_of_learner",
    "learn",
    "numbers_of_testimony",
    "one_by_one",
    "opposite_testimony",
    "refuse_unless_foreseen",
    "shares_supports",
    "threads_allowed",
    "together",
]
