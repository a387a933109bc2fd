"""Streams whose target drifts or shifts, and what is true of each of their rows."""

from .drifting_hyperplanes import DriftingHyperplanes
from .drifting_thresholds import DriftingThresholds
from .label_noise import LabelNoise
from .orbiting_rings import OrbitingRings
from .rotating_checkerboard import RotatingCheckerboard
from .sample import Sample
from .shifting_dataset import ShiftingDataset, shifting_datasets
from .shifting_hyperplanes import ShiftingHyperplanes
from .stream import Stream

__all__ = [
    "DriftingHyperplanes",
    "DriftingThresholds",
    "LabelNoise",
    "OrbitingRings",
    "RotatingCheckerboard",
    "Sample",
    "ShiftingDataset",
    "ShiftingHyperplanes",
    "Stream",
    "shifting_datasets",
]
