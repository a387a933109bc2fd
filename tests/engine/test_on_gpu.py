"""A GPU learns what the CPU learns: `pytest -m gpu`, on a machine that has one."""

import numpy as np
import pytest
from scipy import sparse

import budgetron
from budgetron.engine.device import device_called
from engine.test_on_device import ON_DEVICE, SUMS
from laws.learners import over
from streams import gaussian_stream, tied_stream

pytestmark = pytest.mark.gpu
ROWS = 5_000
STREAMS = {"tied": tied_stream, "untied": gaussian_stream}
STORAGES = {"dense": np.asarray, "sparse": sparse.csr_array}


@pytest.fixture(autouse=True)
def gpu():
    """What these tests are about."""
    try:
        device_called("cuda")
    except (ImportError, RuntimeError) as error:
        pytest.skip(str(error))


@over(ON_DEVICE)
@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("storage", STORAGES)
def test_the_same_updates_and_bytes_as_the_cpu(case, stream, storage):
    X, y = STREAMS[stream](length=ROWS)
    X = STORAGES[storage](X)
    here, there = (case.new(random_state=3, device=name) for name in ("cpu", "cuda"))
    trace, other = (budgetron.prequential(learner, X, y) for learner in (here, there))
    np.testing.assert_array_equal(trace.updates, other.updates)
    np.testing.assert_array_equal(trace.predictions, other.predictions)
    if case.estimator.__name__ not in SUMS:
        assert here.dumps() == there.dumps()


def test_saved_on_one_device_it_goes_on_with_the_other():
    X, y = gaussian_stream(length=ROWS)
    half = ROWS // 2
    stays = budgetron.Forgetron(budget=50, random_state=0).fit(X, y)
    for first, then in (("cpu", "cuda"), ("cuda", "cpu")):
        saved = budgetron.Forgetron(budget=50, random_state=0, device=first)
        moved = budgetron.loads(saved.fit(X[:half], y[:half]).dumps()).set_params(device=then)
        assert moved.partial_fit(X[half:], y[half:]).dumps() == stays.dumps()
