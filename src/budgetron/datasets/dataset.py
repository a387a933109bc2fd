"""What every loader returns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csr_matrix, issparse

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
    y : ndarray of shape (n_rows,), or csr_matrix of shape (n_rows, n_classes)
        Class of each row, an index into `target_names`; or, where a row may be of several classes
        or of none, 1 for those it is of.
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
    y: np.ndarray | csr_matrix
    target_names: tuple[str, ...]
    times: np.ndarray | None = None
    feature_names: tuple[str, ...] | None = field(default=None, repr=False)
    description: str = field(default="", repr=False)
    provenance: str = field(default="", repr=False)
    licence: str = field(default="", repr=False)

    def against_rest(self, classes: Collection[int]) -> Dataset:
        """The same rows with two classes: 1 for a row of any of these, 0 for the rest.

        Parameters
        ----------
        classes : collection of int
            Indices into `target_names`.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import numpy as np
        >>> from budgetron.datasets import Dataset
        >>> pets = Dataset("pets", np.eye(3), np.array([0, 1, 2]), ("cat", "dog", "newt"))
        >>> pets.against_rest([0, 2]).y
        array([1, 0, 1])
        >>> pets.against_rest([0, 2]).target_names
        ('rest', 'cat or newt')
        """
        chosen = sorted(set(classes))
        if not set(chosen) <= set(range(len(self.target_names))):
            raise ValueError(
                f"classes must be indices into {len(self.target_names)} names, got {classes}"
            )
        if issparse(self.y):
            members = np.asarray(self.y[:, chosen].sum(axis=1)).ravel() > 0
        else:
            members = np.isin(self.y, chosen)
        name = " or ".join(self.target_names[index] for index in chosen)
        return replace(self, y=members.astype(int), target_names=("rest", name))
