"""How learners do on a stream: tested on each example before they learn from it."""

from .evidence import Evidence
from .metrics import RunningMetrics
from .prequential import prequential
from .sweep import sweep
from .trace import Trace
from .trust import TrustHistory, trust_over_time

__all__ = [
    "Evidence",
    "RunningMetrics",
    "Trace",
    "TrustHistory",
    "prequential",
    "sweep",
    "trust_over_time",
]
