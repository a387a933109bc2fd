"""One HTML page of all results: it needs no network and opens from disk."""

from .page import page

__all__ = ["page"]
