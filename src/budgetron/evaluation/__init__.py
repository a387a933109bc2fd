"""How learners do on a stream: tested on each example before they learn from it."""

from .evidence import Evidence
from .prequential import prequential
from .trust import TrustHistory, trust_over_time

__all__ = ["Evidence", "TrustHistory", "prequential", "trust_over_time"]
