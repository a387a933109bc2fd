"""What every loader returns."""

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

__all__ = ["Dataset"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Labelled rows in the order of the stream.

    Attributes
    ----------
    name : str
        Short name.
    X : csr_matrix or ndarray of shape (n_rows, n_features)
        The rows.
    y : ndarray of shape (n_rows,)
        Class of each row, an index into `target_names`.
    target_names : tuple of str
        Names of the classes.
    times : ndarray of datetime64, or None
        When each row arrived, if known.
    feature_names : tuple of str, or None
        Names of the columns, if they have any.
    description, provenance, licence : str
        What the rows are, where they come from, and on what terms.
    """

    name: str
    X: csr_matrix | np.ndarray
    y: np.ndarray
    target_names: tuple[str, ...]
    times: np.ndarray | None = None
    feature_names: tuple[str, ...] | None = field(default=None, repr=False)
    description: str = field(default="", repr=False)
    provenance: str = field(default="", repr=False)
    licence: str = field(default="", repr=False)
