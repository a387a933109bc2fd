"""The command line: `budgetron`, or `python -m budgetron`."""

from .app import main

__all__ = ["main"]
