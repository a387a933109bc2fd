"""Every built-in kernel, as the engine, the estimators and the slow reference write it."""

from typing import Any, NamedTuple

import oracle
from budgetron.kernels import Kernel, gaussian, linear, polynomial


class Kernels(NamedTuple):
    """One kernel in three hands."""

    engine: Kernel
    estimator: dict[str, Any]
    reference: oracle.Kernel


KERNELS = {
    "linear": Kernels(linear(), {"kernel": "linear", "coef0": 0.0}, oracle.linear),
    "polynomial": Kernels(
        polynomial(3, 1.0, 1.0),
        {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0},
        oracle.polynomial(1, 3, 1),
    ),
    "normalized": Kernels(
        polynomial(2, normalize=True),
        {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 0.0, "normalize": True},
        oracle.normalized(oracle.polynomial(1, 2, 0)),
    ),
    "gaussian": Kernels(gaussian(0.5), {"kernel": "rbf", "gamma": 0.5}, oracle.gaussian(0.5)),
}
