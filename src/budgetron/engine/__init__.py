"""The engine: runs any rule over any stream, one example after another or in blocks."""

from .blocked import blocked, decide, together
from .fourier import FourierLearner
from .learn import learn
from .learner import Learner
from .many import ManyLearner
from .one_by_one import one_by_one
from .one_row import OneRow, RowBuffer
from .one_vs_rest import OneVsRest
from .record import NoRecord, Record
from .trace import Trace

__all__ = [
    "FourierLearner",
    "Learner",
    "ManyLearner",
    "NoRecord",
    "OneRow",
    "OneVsRest",
    "Record",
    "RowBuffer",
    "Trace",
    "blocked",
    "decide",
    "learn",
    "one_by_one",
    "together",
]
