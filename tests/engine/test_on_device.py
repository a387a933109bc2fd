"""A device that looks ahead changes nothing: NumPy takes the place of a GPU's library."""

from contextlib import contextmanager
from threading import RLock, local

import numpy as np
import pytest
from scipy import linalg, sparse
from sklearn.base import clone

import budgetron
from budgetron.core.foresight import is_foreseen
from budgetron.engine import DEVICES, Record, blocked, device
from budgetron.engine.device import Device, device_called
from budgetron.kernels import gaussian
from laws.kernels import KERNELS
from laws.learners import LEARNERS, over
from laws.runs import assert_same, run
from streams import gaussian_stream, tied_stream

ON_DEVICE = [case for case in LEARNERS if is_foreseen(case.new()._rule())]
LAYOUTS = {
    "dense": (np.asarray, "float64"),
    "sparse": (sparse.csr_array, "float64"),
    "dense, single": (np.asarray, "float32"),
}
SMALL, LARGE = 40, 700
SUMS = {
    *("PassiveAggressive", "PassiveAggressiveI", "PassiveAggressiveII", "ModifiedPerceptron"),
    *("Projectron", "ProjectronPlusPlus", "Budgetron"),
}
"""Their weights come from sums of kernel values, which carry the rounding of whoever sums."""


class Depth(local):
    """How often this thread is at work."""

    now = 0


class LateDevice(Device):
    """NumPy, with copies that arrive when they are waited for, and not before.

    Whoever asks it for a copy has to be at work, or in a lane.
    """

    def __init__(self):
        super().__init__(np, sparse, linalg)
        self._on_their_way, self._asked_for, self._lock = [], 0, RLock()
        self._depth = Depth()

    @contextmanager
    def at_work(self):
        self._depth.now += 1
        try:
            yield
        finally:
            self._depth.now -= 1

    def new_lane(self):
        return object()

    def beside(self, lane, mark):
        assert lane is not None
        return self.at_work()

    def send(self, array):
        assert self._depth.now > 0
        return super().send(array)

    def fetch(self, array, out):
        self._send_later(array.copy(), out, ...)

    def fetch_rows(self, array, which, out):
        self._send_later(array[which], out, which.copy())

    def _send_later(self, copy, out, which):
        assert self._depth.now > 0
        out[which] = -1 if out.dtype.kind == "i" else np.nan
        with self._lock:
            self._asked_for += 1
            self._on_their_way.append((self._asked_for, copy, out, which))

    def mark(self):
        return self._asked_for

    def wait(self, mark):
        with self._lock:
            for _, copy, out, which in (one for one in self._on_their_way if one[0] <= mark):
                out[which] = copy
            self._on_their_way = [one for one in self._on_their_way if one[0] > mark]


class InterruptedDevice(LateDevice):
    """The same, and somebody interrupts when so many arrays have been sent."""

    left = np.inf

    def send(self, array):
        InterruptedDevice.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return super().send(array)


@pytest.fixture(autouse=True)
def numpy_as_device(monkeypatch):
    """A device of this name."""
    monkeypatch.setitem(DEVICES, "numpy", LateDevice)
    yield
    device_called.cache_clear()


def classes_of(case, X, y):
    """Labels of four classes that have something to do with the examples."""
    return 2 * (y > 0) + (X[:, 0] > 0)


@over(ON_DEVICE)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_run_however_it_is_cut(case, layout):
    storage, dtype = LAYOUTS[layout]
    if layout != "dense" and case.estimator is not budgetron.Forgetron:
        pytest.skip("compiled for one that asks for more than the others")
    X, labels = tied_stream(length=LARGE)
    X = storage(X)
    for kernels in KERNELS.values():
        expected = run(blocked, case.at_work(kernels.engine, X, dtype=dtype), X, labels)
        for cuts, length in (((), None), ((SMALL, 3 * SMALL + 1), 97)):
            learner = case.at_work(kernels.engine, X, dtype=dtype)
            learner.use("numpy")
            actual = run(blocked, learner, X, labels, cuts, length=length)
            tolerance = 1e-5 if dtype == "float32" else 1e-9
            assert_same(actual, expected, tolerance, f"{kernels.engine}, {cuts}")
            if case.estimator.__name__ not in SUMS:
                np.testing.assert_array_equal(actual.weights, expected.weights)


@over(ON_DEVICE)
def test_the_same_bytes_for_two_classes_and_for_many(case):
    X, y = tied_stream(length=LARGE)
    for labels in (y, classes_of(case, X, y)):
        here, there = (case.new(random_state=3, device=name) for name in ("cpu", "numpy"))
        trace, other = (
            budgetron.prequential(learner, X, labels, classes=np.unique(labels))
            for learner in (here, there)
        )
        np.testing.assert_array_equal(trace.predictions, other.predictions)
        np.testing.assert_array_equal(trace.updates, other.updates)
        np.testing.assert_array_equal(here.predict(X), there.predict(X))
        if case.estimator.__name__ not in SUMS:
            assert here.dumps() == there.dumps()


def test_a_single_machine_for_many_classes():
    X, y = tied_stream(length=LARGE)
    y = classes_of(None, X, y)
    here, there = (
        budgetron.RandomizedBudgetPerceptron(
            budget=8, multi_class="single_machine", random_state=0, device=name
        ).fit(X, y)
        for name in ("cpu", "numpy")
    )
    assert here.dumps() == there.dumps()
    with pytest.raises(ValueError, match="no single machine"):
        budgetron.Forgetron(multi_class="single_machine", device="numpy").fit(X, y)


def test_it_moves_between_devices_in_mid_stream():
    X, y = gaussian_stream(length=LARGE)
    stays = budgetron.Forgetron(budget=20, random_state=0).fit(X, y)
    moves = budgetron.Forgetron(budget=20, random_state=0, device="numpy").fit(X[:300], y[:300])
    first = budgetron.loads(moves.dumps())
    assert (first.device, clone(moves).device) == ("cpu", "numpy")
    for learner in (moves, first.set_params(device="numpy")):
        copy = budgetron.loads(learner.dumps())
        learner.predict(X)
        for x, label in zip(X[300:310], y[300:310], strict=True):
            learner.learn_one(x, label)
        learner.partial_fit(X[310:500], y[310:500])
        learner.set_params(device="cpu").partial_fit(X[500:600], y[500:600])
        learner.set_params(device="numpy").partial_fit(X[600:], y[600:])
        assert learner.dumps() == stays.dumps()
        assert copy.partial_fit(X[300:], y[300:]).dumps() == stays.dumps()


def test_copies_that_part_do_not_get_each_others_supports():
    X, y = tied_stream(length=LARGE)
    learner = budgetron.RandomizedBudgetPerceptron(budget=10, random_state=0, device="numpy")
    learner.partial_fit(X[:300], y[:300])
    one = learner._learner.copied()
    other = learner._learner.copied()
    for chosen, part in ((one, X[300:400]), (other, X[400:500])) * 2:
        expected = chosen.copied()
        expected.use("cpu")
        assert_same(
            run(blocked, chosen, part, y[300:400]), run(blocked, expected, part, y[300:400])
        )


def test_a_copy_does_not_get_what_the_original_has_met_since():
    """In the same slots, and just as old."""
    X, y = np.eye(60), np.ones(60)
    learner = budgetron.Perceptron(kernel="linear", zero_score="mistake", device="numpy")
    original = learner.partial_fit(X[:20], y[:20], classes=[-1, 1])._learner
    copy = original.copied()
    run(blocked, copy, X[20:40], y[20:40])
    run(blocked, original, X[40:], y[40:])
    for chosen in (original, copy):
        expected = chosen.copied()
        expected.use("cpu")
        assert_same(run(blocked, chosen, X, y), run(blocked, expected, X, y))


def assert_same_spans(pool, other):
    """The filters of two Budgetrons, to rounding."""
    for one, its in zip(pool.filters, other.filters, strict=True):
        expected, span = one.state.memory, its.state.memory
        np.testing.assert_array_equal(its.births, one.births)
        n = one.size
        for name in {*span._fields} - {"mistakes"}:  # where margins are 0, rounding makes these
            here, there = (getattr(each, name) for each in (expected, span))
            if name in {"inverse", "covariance", "weights"}:
                here, there = (each[..., :n] for each in (here, there))
            if name in {"inverse", "covariance"}:
                here, there = here[:n], there[:n]
            np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-9, err_msg=name)
        assert (np.triu(span.inverse, 1) == 0).all()


def crowded(classes, length=900):
    """Rows that a Budgetron with few supports exchanges many of them for."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(length, 5))
    y = (X[:, 0] * X[:, 1] > 0) + (classes > 2) * 2 * (rng.random(length) < 0.3)
    return X, np.where(rng.random(length) < 0.2, 0, y)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(
    "options",
    [
        {"gamma": 0.3, "exchange": "eager"},
        {"gamma": 0.3, "drift": 0.3},
        {"gamma": 0.3, "patience": 0.01},
        {},
        {"exchange": "eager", "scale": "auto"},
    ],
    ids=str,
)
def test_a_span_is_the_same_on_a_device(classes, options):
    X, y = crowded(classes)
    if "scale" in options:
        X[:, 0] *= 1 + 100 * (np.arange(len(X)) > 100)
    weights = np.where(np.arange(len(X)) % 7 == 0, 0.5, 1)
    weights[::50] = 0
    here, there = (budgetron.Budgetron(40, device=device, **options) for device in ("cpu", "numpy"))
    for cut in np.split(np.arange(len(X)), [3, 100, 102, 600]):
        traces = [
            budgetron.prequential(
                one, X[cut], y[cut], classes=np.arange(classes), sample_weight=weights[cut]
            )
            for one in (here, there)
        ]
        np.testing.assert_array_equal(traces[0].updates, traces[1].updates)
        np.testing.assert_array_equal(traces[0].evicted, traces[1].evicted)
        np.testing.assert_array_equal(traces[0].sizes, traces[1].sizes)
        np.testing.assert_allclose(traces[0].scores, traces[1].scores, rtol=0, atol=1e-9)
        assert_same_spans(here._learner, there._learner)
        covariance = there._learner.state.memory.covariance
        assert len(cut) < 10 or (covariance == covariance.T).all()
        scores = [one.decision_function(X) for one in (here, there)]
        np.testing.assert_allclose(*scores, rtol=0, atol=1e-9)
        here.learn_one(X[cut[0]], int(y[cut[0]]))
        there.learn_one(X[cut[0]], int(y[cut[0]]))
    filters = here._learner.filters
    assert sum(int(one.state.memory.exchanges[0]) for one in filters) > 0
    if "patience" in options:
        assert here.n_restarts_ > 0
    late = [budgetron.prequential(one, X[:300], y[:300], delay=37).scores for one in (here, there)]
    np.testing.assert_allclose(*late, rtol=0, atol=1e-9)


@pytest.mark.parametrize("budget", [1, 2])
def test_a_span_of_few_supports_whose_last_one_leaves(budget):
    X, y = crowded(2)
    pools = [
        budgetron.Budgetron(budget, gamma=0.3, exchange="eager", device=device).fit(X, y)._learner
        for device in ("cpu", "numpy")
    ]
    assert_same_spans(*pools)
    assert pools[0].state.memory.exchanges[0] > 10


def test_budgetrons_in_turn_do_not_get_each_others_matrices():
    X, y = crowded(2)
    learner = budgetron.Budgetron(30, gamma=0.3, device="numpy").fit(X[:300], y[:300])
    here = budgetron.Budgetron(30, gamma=0.3).fit(X[:300], y[:300])
    one, other = (learner._learner.copied() for _ in range(2))
    plain, another = (here._learner.copied() for _ in range(2))
    for pool, expected, begin in ((one, plain, 300), (other, another, 500)) * 2:
        for first in (begin, begin + 60):
            part = slice(first, first + 60)
            for each in (pool, expected):
                each.learn(X[part], y[part], np.ones(60), Record(60))
        assert_same_spans(expected, pool)
    assert_same_spans(here._learner, learner._learner)


@pytest.mark.parametrize(
    "learner", [budgetron.Forgetron, budgetron.ProjectronPlusPlus, budgetron.Budgetron]
)
def test_an_interrupt_leaves_nothing_wrong_there(learner, monkeypatch):
    monkeypatch.setitem(DEVICES, "interrupted", InterruptedDevice)
    X, y = gaussian_stream(length=1400)
    first, last = slice(0, 600), slice(600, None)
    stays = learner(budget=20, random_state=0).fit(X[first], y[first])
    one = learner(budget=20, random_state=0, device="interrupted").fit(X[first], y[first])
    kept, many = one.dumps(), 1_000
    monkeypatch.setattr(InterruptedDevice, "left", many)
    budgetron.loads(kept).set_params(device="interrupted").partial_fit(X[last], -y[last])
    for left in range(1, many - InterruptedDevice.left, 3):
        monkeypatch.setattr(InterruptedDevice, "left", left)
        with pytest.raises(KeyboardInterrupt):
            one.partial_fit(X[last], -y[last])
        assert one.dumps() == kept, left
    monkeypatch.setattr(InterruptedDevice, "left", np.inf)
    scores = [each.partial_fit(X[last], y[last]).decision_function(X) for each in (one, stays)]
    np.testing.assert_array_equal(one.support_vectors_, stays.support_vectors_)
    np.testing.assert_allclose(*scores, rtol=0, atol=1e-9)


def test_what_a_device_is_not_for_is_refused():
    X, y = tied_stream(length=60)
    with pytest.raises(ValueError, match="device must be one of"):
        budgetron.Forgetron(device="gpu").fit(X, y)
    for learner in (budgetron.Ahpatron, budgetron.BudgetPerceptron):
        with pytest.raises(ValueError, match='does not learn with device="numpy"'):
            learner(device="numpy").fit(X, y)
    with pytest.raises(ValueError, match="built-in kernels"):
        budgetron.Perceptron(kernel=gaussian(1.0).__call__, device="numpy").fit(X, y)


def test_without_cupy_it_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(device, "import_module", missing)
    learner = budgetron.Perceptron().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ImportError, match="budgetron\\[gpu\\]"):
        learner.set_params(device="cuda").partial_fit([[1.0]], [1])
    assert learner.n_seen_ == 2


def test_memory_that_does_not_suffice_is_said_in_bytes_before_anything_is_learned(monkeypatch):
    monkeypatch.setattr(Device, "free_bytes", lambda self: 1000.0)
    X, y = tied_stream(length=60)
    learner = budgetron.Perceptron(device="numpy")
    with pytest.raises(MemoryError, match="bytes on the GPU, which has 1,000 bytes left"):
        learner.fit(X, y)
    assert not hasattr(learner, "classes_")
