"""The commands for a user's own stream."""

from .certify import certify
from .listing import list_datasets, list_learners
from .predict import predict
from .race import race
from .refusal import Commands, Refusal
from .run import run

__all__ = [
    "Commands",
    "Refusal",
    "certify",
    "list_datasets",
    "list_learners",
    "predict",
    "race",
    "run",
]
