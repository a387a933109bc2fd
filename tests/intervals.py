"""How much weight a short interval can have."""

import numpy as np


def heaviest(x, width):
    """The largest share of the points that an interval of this width holds."""
    x = np.sort(np.ravel(x))
    return (np.searchsorted(x, x + width) - np.arange(len(x))).max() / len(x)
