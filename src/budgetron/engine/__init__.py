"""The engine: runs any rule over any stream, one example after another or in blocks."""

from .blocked import blocked, decide, together
from .learner import Learner
from .one_by_one import one_by_one
from .record import NoRecord, Record
from .trace import Trace

__all__ = ["Learner", "NoRecord", "Record", "Trace", "blocked", "decide", "one_by_one", "together"]
