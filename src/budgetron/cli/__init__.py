"""The command line: `budgetron`, or `python -m budgetron`."""

from .app import app, main

__all__ = ["app", "main"]
