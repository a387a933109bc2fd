"""Files to run over."""

import numpy as np


def write_csv(path, rows, *, seed=0, width=4, bad_every=None):
    """Points and whether they lie in a ball, with some lines that cannot be read."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(rows, width)).round(3)
    y = np.where((X[:, :2] ** 2).sum(axis=1) < 0.5, "in", "out")
    with open(path, "w") as file:
        file.write(",".join([*(f"x{i}" for i in range(width)), "label"]) + "\n")
        for t, (x, label) in enumerate(zip(X.tolist(), y, strict=True)):
            broken = bad_every is not None and t % bad_every == bad_every - 1
            file.write("what,is this\n" if broken else f"{','.join(map(str, x))},{label}\n")
    return X, y
