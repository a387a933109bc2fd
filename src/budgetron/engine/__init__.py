"""The engine: runs any rule over any stream, one example after another or in blocks."""

from .blocked import blocked, decide, together
from .learn import learn
from .learner import Learner
from .one_by_one import one_by_one
from .one_vs_rest import OneVsRest
from .record import NoRecord, Record
from .trace import Trace

__all__ = [
    "Learner",
    "NoRecord",
    "OneVsRest",
    "Record",
    "Trace",
    "blocked",
    "decide",
    "learn",
    "one_by_one",
    "together",
]
