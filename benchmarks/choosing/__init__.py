"""What the tables of `docs/choosing.md` show: every learner on eight streams."""

from . import eight_streams

__all__ = ["CHOOSING"]

CHOOSING = {eight_streams.NAME: eight_streams}
