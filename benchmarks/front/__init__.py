"""The front page: what someone who has to choose wants to know, in words and five pictures.

Whatever it says about numbers is made of the records, so that a new measurement cannot make it
wrong; what no record says is left out.
"""

from .questions import elsewhere, show

__all__ = ["elsewhere", "show"]
