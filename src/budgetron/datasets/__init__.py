"""Data streams to learn from."""

from .dataset import Dataset
from .spam import load_spam, load_spam_texts

__all__ = ["Dataset", "load_spam", "load_spam_texts"]
