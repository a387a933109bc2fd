"""How learners do on a stream: tested on each example before they learn from it."""

from .evidence import Evidence
from .prequential import prequential

__all__ = ["Evidence", "prequential"]
