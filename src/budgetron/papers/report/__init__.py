"""One HTML page of all results: it needs no network and opens from disk."""

from .page import page, pictures

__all__ = ["page", "pictures"]
