"""Nothing is compiled a second time, whatever the input looks like in memory."""

import pytest

from engine.fresh import in_a_young_process

SCRIPT = """
import json
import numpy as np
from scipy import sparse
from budgetron import BudgetPerceptron
from budgetron.core import blocks, state, walk

FUNCTIONS = (
    walk.walk, walk.settle, state.weighted_sum,
    blocks._lift, blocks._multiply, blocks._mark, blocks._scatter,
)

def machine_codes():
    return sum(len(function.nopython_signatures) for function in FUNCTIONS)

def use(X):
    learner = BudgetPerceptron(budget=10).fit(X, y)
    for rows in (1, 2, 5, 64, 65, 300):
        learner.partial_fit(X[:rows], y[:rows])
        learner.predict(X[:rows])
    return learner

def read_only(*arrays):
    for array in arrays:
        array.flags.writeable = False

def long(X):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X

rng = np.random.default_rng(0)
dense = rng.normal(size=(300, 7)) * (rng.random((300, 7)) < 0.5)
y = rng.choice([-1, 1], size=300)
csr = sparse.csr_matrix(dense)
frozen, frozen_csr = dense.copy(), csr.copy()
read_only(frozen, frozen_csr.data, frozen_csr.indices, frozen_csr.indptr)

layouts = {
    "dense": [
        ("the same again", dense),
        ("fortran order", np.asfortranarray(dense)),
        ("float32", dense.astype(np.float32)),
        ("whole numbers", dense.astype(np.int32)),
        ("big-endian", dense.astype(">f8")),
        ("every other column", np.repeat(dense, 2, axis=1)[:, ::2]),
        ("every other row", np.repeat(dense, 2, axis=0)[::2]),
        ("backwards", dense[::-1]),
        ("read-only", frozen),
        ("lists", dense.tolist()),
    ],
    "csr": [
        ("the same again", csr),
        ("csr_array", sparse.csr_array(csr)),
        ("64-bit indices", long(csr)),
        ("float32", csr.astype(np.float32)),
        ("csc", csr.tocsc()),
        ("read-only", frozen_csr),
    ],
}
grown = {}
for kind, first in (("dense", dense), ("csr", csr)):
    learner = use(first)
    before = machine_codes()
    for name, X in layouts[kind]:
        use(X)
        grown[f"{kind}, {name}"] = machine_codes() - before
        before = machine_codes()
    learner.predict({"dense": csr, "csr": dense}[kind])
    grown[f"{kind}, then the other"] = machine_codes() - before
print(json.dumps(grown))
"""

LAYOUTS = [
    *("dense, " + layout for layout in (
        "the same again", "fortran order", "float32", "whole numbers", "big-endian",
        "every other column", "every other row", "backwards", "read-only", "lists",
    )),
    *("csr, " + layout for layout in (
        "the same again", "csr_array", "64-bit indices", "float32", "csc", "read-only",
    )),
    "dense, then the other",
    "csr, then the other",
]  # fmt: skip


@pytest.fixture(scope="module")
def grown():
    return in_a_young_process(SCRIPT)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_of_the_input_needs_machine_code_of_its_own(grown, layout):
    assert grown[layout] == 0


def test_every_layout_is_asked_for(grown):
    assert sorted(grown) == sorted(LAYOUTS)


def test_kept_code_is_read_once():
    """By a process that did not write it: whether types are equal depends on no process."""
    script = """
import json
import numpy as np
from budgetron import Budgetron
from budgetron.core.panel import confer

X = np.random.default_rng(0).normal(size=(60, 3))
learner = Budgetron(budget=8)
for _ in range(3):
    learner.partial_fit(X, np.sign(X[:, 0]))
print(json.dumps(sum(confer.stats.cache_hits.values())))
"""
    in_a_young_process(script)
    assert in_a_young_process(script) == 1
