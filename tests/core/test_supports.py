"""The expansion under random edits, beside a plain list of supports; and after very many edits."""

import math
from contextlib import ExitStack
from dataclasses import dataclass, field

import numba
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from scipy import sparse

from budgetron import Forgetron
from budgetron.core.compiled import not_kept
from budgetron.core.edits.suffix_scores import add_with_suffix_scores, suffix_score
from budgetron.core.edits.supports import SMALLEST_SCALE, add, draw, remove, scale, size, weight
from budgetron.core.exact import exact_score
from budgetron.core.state import POSITION, SCALE, SEEN
from budgetron.engine import Learner
from budgetron.engine.shared_supports import SingleLearner
from budgetron.engine.threads import ThreadTeam
from budgetron.kernels import gaussian, linear
from budgetron.rules.forgetron import Forgetron as Rule

ADD, REMOVE, SCALE_ALL = range(3)


def edit(f, what, i, number):
    """Make one edit, with an suffix_score where there is one."""
    if what == ADD:
        add_with_suffix_scores(f, number)
    elif what == REMOVE:
        remove(f, i)
    else:
        scale(f, number)


compiled_edit = not_kept(edit)


@dataclass
class Support:
    """What a support should be."""

    x: np.ndarray
    birth: int
    weight: float
    suffix_score: float = 0.0


@dataclass
class Model:
    """An expansion as a list of supports, oldest first."""

    kernel: object
    supports: list[Support] = field(default_factory=list)

    def value(self, x, y):
        return float(self.kernel(x[None], y[None])[0, 0])

    def score(self, x):
        return sum(support.weight * self.value(support.x, x) for support in self.supports)

    def add(self, x, birth, weight):
        self.supports.append(Support(x, birth, weight))
        for support in self.supports:
            support.suffix_score += weight * self.value(x, support.x)

    def scale(self, factor):
        for support in self.supports:
            support.weight *= factor
            support.suffix_score *= factor


class Edits(RuleBasedStateMachine):
    """Random edits on a look-ahead, in blocks of random lengths."""

    edit = staticmethod(edit)
    sparse = False
    kernel = gaussian(0.5)

    @initialize(seed=st.integers(0, 2**32 - 1))
    def begin(self, seed):
        rng = np.random.default_rng(seed)
        self.X = rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], size=(400, 3))
        self.stored = sparse.csr_array(self.X) if self.sparse else self.X
        self.learner = Learner(Rule(1000), self.kernel, 3, sparse=self.sparse)
        self.model = Model(self.kernel)
        self.next = 0  # the first example after the block
        self.look_ahead(1)

    @precondition(lambda self: self.next <= 300)
    @rule(length=st.integers(1, 5))
    def look_ahead(self, length):
        first, self.next = self.next, self.next + length
        self.learner.make_room(self.stored, first, self.next)
        with self.learner.workspace() as workspace:
            events = np.zeros((length, 4), np.int64)
            state = self.learner.state
            block = workspace.cut(self.stored, first, self.next)
            self.f = workspace.view(self.kernel, state, block, events)
        SingleLearner(ThreadTeam(1, ExitStack())).share(0, self.f)
        self.turn_to(0)

    def turn_to(self, t):
        self.t, self.added = t, False
        self.f.ahead.cursor[POSITION] = t
        self.f.state.counts[SEEN] = self.seen

    @property
    def seen(self):
        return self.next - len(self.f.ahead.scores) + self.t

    @precondition(lambda self: self.t + 1 < len(self.f.ahead.scores))
    @rule()
    def go_on(self):
        self.turn_to(self.t + 1)

    @precondition(lambda self: not self.added)
    @rule(weight=st.sampled_from([1.0, -1.0, 0.25, -3.0]))
    def add(self, weight):
        self.added = True
        self.model.add(self.X[self.seen], self.seen, weight)
        self.edit(self.f, ADD, 0, weight)

    @precondition(lambda self: self.model.supports)
    @rule(data=st.data())
    def remove(self, data):
        i = data.draw(st.integers(0, len(self.model.supports) - 1), label="i")
        evicted = self.model.supports.pop(i)
        self.edit(self.f, REMOVE, i, 0.0)
        assert self.f.ahead.events[self.t, -1] == evicted.birth

    @rule(factor=st.sampled_from([0.5, 0.9, 1.0, 1e-3, 1e-60]))
    def scale(self, factor):
        self.model.scale(factor)
        self.edit(self.f, SCALE_ALL, 0, factor)

    @invariant()
    def supports_are_in_the_order_they_came_in(self):
        state, supports = self.f.state, self.model.supports
        assert size(self.f) == len(supports)
        assert state.births[state.order[: len(supports)]].tolist() == [s.birth for s in supports]
        assert sorted(state.order.tolist()) == [*range(len(state.order))]
        instances = state.rows.matrix(state.order[: len(supports)])
        instances = instances.toarray() if sparse.issparse(instances) else instances
        np.testing.assert_array_equal(instances, np.array([s.x for s in supports]).reshape(-1, 3))

    @invariant()
    def weights_and_suffix_scores_are_theirs(self):
        for i, support in enumerate(self.model.supports):
            assert weight(self.f, i) == pytest.approx(support.weight, rel=1e-12, abs=1e-300)
            assert suffix_score(self.f, i) == pytest.approx(
                support.suffix_score, rel=1e-9, abs=self.tolerance
            )

    @invariant()
    def examples_ahead_have_their_scores(self):
        last = self.next
        for score, x in zip(
            self.f.ahead.scores[self.t + 1 :], self.X[self.seen + 1 : last], strict=True
        ):
            assert score == pytest.approx(self.model.score(x), abs=self.tolerance)

    @property
    def tolerance(self):
        return 1e-12 * max(1.0, sum(abs(s.weight) for s in self.model.supports))


class CompiledEdits(Edits):
    edit = staticmethod(compiled_edit)


class SparseEdits(Edits):
    sparse = True


class CompiledSparseEdits(CompiledEdits):
    sparse = True


class LinearEdits(CompiledEdits):
    kernel = linear()


EDITS = settings(stateful_step_count=60)
for machine in (Edits, CompiledEdits, SparseEdits, CompiledSparseEdits, LinearEdits):
    machine.TestCase.settings = EDITS

TestEdits = Edits.TestCase
TestCompiledEdits = CompiledEdits.TestCase
TestSparseEdits = SparseEdits.TestCase
TestCompiledSparseEdits = CompiledSparseEdits.TestCase
TestLinearEdits = LinearEdits.TestCase


# ------------------------------------------------------------------------ a million updates

MANY = 1_000_000


def facing(x, slots, kernel=None):
    """An empty expansion with room for `slots` supports, facing one example."""
    X = np.array([x], dtype=float)
    learner = Learner(Rule(1000), kernel or gaussian(1.0), X.shape[1])
    learner.state = learner.state.copied(learner.rule, slots)
    with learner.workspace() as workspace:
        block, events = workspace.cut(X, 0, 1), np.zeros((1, 4), np.int64)
        f = workspace.view(learner.kernel, learner.state, block, events)
    SingleLearner(ThreadTeam(1, ExitStack())).share(0, f)
    return f


@not_kept  # made of the pieces of the walks, as they are compiled for those
def shrink_and_add(f, times, most, decay, shifting):
    for k in range(times):
        factor = 1 - decay / (decay + k) if shifting else 1 - decay
        if size(f) > 0:
            scale(f, factor)
        if size(f) == most:
            remove(f, 0)
        add(f, 1.0 - 2.0 * (k % 2))


@pytest.mark.parametrize("shifting", [False, True])
def test_a_million_shrinkings_leave_the_weights_what_they_should_be(shifting):
    f = facing([1.0], slots=11)
    shrink_and_add(f, MANY, 10, 0.1, shifting)
    for age in range(10):
        k = MANY - 1 - age
        decays = (0.1 / (0.1 + j) if shifting else 0.1 for j in range(k + 1, MANY))
        expected = math.prod(1 - decay for decay in decays) * (1.0 - 2.0 * (k % 2))
        assert weight(f, 9 - age) == pytest.approx(expected, rel=1e-12)


def test_a_million_updates_of_a_forgetron_end_in_numbers():
    X, y = np.ones((100_000, 1)), np.tile([1, -1], 50_000)
    learner = Forgetron(budget=10)
    for _ in range(MANY // len(X)):
        learner.partial_fit(X, y)
    assert learner.n_updates_ == MANY
    assert np.isfinite(learner.dual_coef_).all()
    assert 0.01 < abs(learner.dual_coef_[0, -1]) <= 1


# ------------------------------------------------------------------------------- single edits


def test_shrinking_below_the_smallest_scale_changes_nothing_but_where_the_scale_is_kept():
    f = facing([1.0, 2.0], slots=4)
    for number in (1.0, -0.5, 0.3):
        add_with_suffix_scores(f, number)
    scale(f, 2 * SMALLEST_SCALE)
    assert f.state.numbers[SCALE] == 2 * SMALLEST_SCALE
    before = [
        exact_score(f)[0],
        *(weight(f, i) for i in range(3)),
        *(suffix_score(f, i) for i in range(3)),
    ]
    scale(f, 0.25)
    assert f.state.numbers[SCALE] == 1
    after = [
        exact_score(f)[0],
        *(weight(f, i) for i in range(3)),
        *(suffix_score(f, i) for i in range(3)),
    ]
    np.testing.assert_allclose(after, 0.25 * np.array(before), rtol=1e-14)


def test_a_weight_added_after_shrinking_is_not_shrunk():
    f = facing([1.0], slots=2)
    add(f, 1.0)
    scale(f, 0.125)
    add(f, 1.0)
    assert [weight(f, 0), weight(f, 1)] == [0.125, 1.0]


def test_the_exact_score_is_within_its_own_bound_of_a_long_sum():
    rng = np.random.default_rng(0)
    f, weights = facing([0.3], slots=1000), rng.normal(size=1000)
    for number in weights:
        add(f, number)
    score, noise = exact_score(f)
    assert abs(score - math.fsum(weights)) <= noise
    assert noise < 1e-9


def test_draws_are_about_equally_likely():
    f = facing([1.0], slots=1)
    counts = np.bincount([draw(f, 7) for _ in range(70_000)], minlength=7)
    assert len(counts) == 7
    assert abs(counts - 10_000).max() < 4 * math.sqrt(10_000)


def test_compiled_and_plain_draws_are_the_same():
    draw_many = numba.njit(lambda f, n, times: [draw(f, n) for _ in range(times)])
    plain, compiled = facing([1.0], slots=1), facing([1.0], slots=1)
    assert [draw(plain, 10) for _ in range(1000)] == draw_many(compiled, 10, 1000)
