"""Who goes over a workload: learners of this package, and of others, at matched memory."""

from .contender import Contender
from .field import field, missing_libraries

__all__ = ["Contender", "field", "missing_libraries"]
