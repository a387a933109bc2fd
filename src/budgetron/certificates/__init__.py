"""Certificates: a run's mistakes beside what the papers guarantee."""

from .certificate import Certificate, Statement
from .certify import certify

__all__ = ["Certificate", "Statement", "certify"]
