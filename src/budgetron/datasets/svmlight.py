"""Files in the format of SVMlight."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import load_svmlight_file

__all__ = ["svmlight"]


def svmlight(rows: int, columns: int) -> Callable[[bytes], tuple[csr_matrix, np.ndarray]]:
    """A reader of rows and labels that expects this shape."""

    def parse(contents: bytes) -> tuple[csr_matrix, np.ndarray]:
        X, y = load_svmlight_file(BytesIO(contents), zero_based=False)
        if X.shape != (rows, columns):
            raise ValueError(f"it holds {X.shape} rows and columns, not {(rows, columns)}")
        return csr_matrix(X), y

    return parse
