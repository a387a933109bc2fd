"""Budgetron's particulars: what it keeps is what it should be, and its experts take turns."""

from itertools import product

import numpy as np
import pytest

import budgetron
import oracle
from budgetron import prequential
from budgetron.streams import OrbitingRings
from laws.following import assert_follows
from laws.kernels import KERNELS
from laws.learners import Case
from streams import grid_stream, signs, smooth_stream

FILTER = "cautious", "bold", "average"


def Budgetron(budget=100, *, experts=FILTER, **parameters):  # noqa: N802
    """A filter by itself."""
    return budgetron.Budgetron(budget, experts=experts, **parameters)


def two_rings(length=3000, angle=0.001):
    found = OrbitingRings(angle=angle, random_state=0).take(length)
    return found.X, found.y


def noisy(length=2000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(length, 5))
    return X, signs(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=length) > 0)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_the_inverse_factor_is_one_however_often_supports_are_exchanged(kernel):
    X, y = noisy(6000)
    parameters = {"kernel": kernel, "gamma": 0.3, "degree": 2, "coef0": 1.0, "exchange": "eager"}
    learner = Budgetron(20, **parameters)
    evicted = prequential(learner, X, y).evicted
    at_least = {"rbf": 300, "poly": 20, "linear": 0}[kernel]  # in 21 and 5 dimensions
    assert (evicted >= 0).sum() >= at_least
    span, n = learner._learner.state.memory, len(learner.support_vectors_)
    K = learner._learner.kernel(learner.support_vectors_, learner.support_vectors_)
    M = span.inverse[:n, :n]
    np.testing.assert_allclose(M @ K @ M.T, np.eye(n), atol=1e-9)
    assert (np.triu(M, 1) == 0).all()


def test_the_covariance_stays_symmetric_and_positive_definite():
    X, y = two_rings(20_000)
    learner = Budgetron(50, gamma=8).fit(X, y)
    P = learner._learner.state.memory.covariance
    np.testing.assert_allclose(P, P.T, atol=1e-10)
    eigenvalues = np.linalg.eigvalsh(P)
    assert 0 < eigenvalues[0] <= eigenvalues[-1] <= 30


def test_variances_stay_below_their_level_where_nothing_is_ever_seen():
    X, y = noisy(300)
    learner = Budgetron(50, gamma=0.3, drift=1.0, patience=None).fit(X, y)
    far = np.repeat([[100.0] * 5], 5000, axis=0)
    learner.partial_fit(far, signs(np.random.default_rng(0).random(5000) < 0.5))
    variances = np.diagonal(learner._learner.state.memory.covariance)
    assert 25 < variances.max() <= 30


@pytest.mark.parametrize("drift", [1.0, 1e3, 1e6, 1e300])
def test_however_long_nothing_was_learned_there_are_numbers(drift):
    X, y = noisy(300)
    learner = Budgetron(20, gamma=0.3, drift=drift).fit(X, y)
    assert np.isfinite(learner.decision_function(X)).all()
    assert np.isfinite(learner._learner.state.memory.covariance).all()


def test_a_margin_error_after_twenty_million_rows_leaves_numbers():
    X, y = noisy(300)
    learner = Budgetron(20, gamma=0.3).fit(X, y)
    learner._learner.state.memory.ages[0] += 20_000_000  # as if all of them had been right by far
    learner.partial_fit(X, -y)
    assert np.isfinite(learner.decision_function(X)).all()
    assert np.diagonal(learner._learner.state.memory.covariance).max() <= 30


def test_the_weights_are_those_of_the_common_hypothesis():
    X, y = noisy(500)
    learner = Budgetron(20, gamma=0.3, experts="bold").fit(X, y)
    margins = learner._learner.kernel(X, learner.support_vectors_) @ learner.dual_coef_[0]
    certain = np.clip(2 * margins, -1, 1)
    scores = learner.decision_function(X)
    unsure = np.abs(certain) < 1
    np.testing.assert_allclose(scores[unsure], certain[unsure], atol=1e-9)
    np.testing.assert_allclose(scores[~unsure], 2 * margins[~unsure], atol=1e-9)


def test_the_average_leads_where_nothing_moves_and_loses_the_lead_when_something_does():
    X, y = noisy(6000)
    learner = Budgetron(50, gamma=0.3, patience=None).fit(X, y)
    assert max(learner.trust_, key=learner.trust_.get) == "average"
    learner.partial_fit(X[:300], -y[:300])
    assert learner.trust_["average"] < 0.01


def test_it_is_near_its_best_expert_and_counts_their_mistakes():
    X, y = two_rings(10_000)
    learner = Budgetron(50, gamma=2).fit(X, y)
    best = min(learner.expert_mistakes_[name] for name in FILTER)
    assert learner.n_mistakes_ <= best + 0.004 * len(y)
    alone = Budgetron(50, gamma=2, experts="cautious", exchange="never").fit(X, y)
    assert abs(alone.n_mistakes_ - alone.expert_mistakes_["cautious"]) <= 2  # of zeros


def test_old_supports_leave_a_target_that_moves_and_few_leave_one_that_does_not():
    moving = prequential(Budgetron(30, gamma=8), *two_rings(6000)).evicted
    still = prequential(Budgetron(30, gamma=8), *two_rings(6000, angle=0.0)).evicted
    assert (still[3000:] >= 0).sum() * 3 < (moving[3000:] >= 0).sum()
    never = prequential(Budgetron(30, gamma=8, exchange="never"), *two_rings(6000))
    assert (never.evicted == -1).all()


def test_what_it_keeps_is_as_large_after_many_rows():
    learner = Budgetron(30, gamma=8).fit(*two_rings(2000))
    before = [array.nbytes for array in learner._learner.state.memory]
    learner.partial_fit(*two_rings(20_000))
    assert [array.nbytes for array in learner._learner.state.memory] == before
    assert before[0] == before[2] == 8 * 30**2


def test_trust_adds_up_for_many_classes_too():
    X, _ = noisy(300)
    learner = budgetron.Budgetron(20).fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    assert sum(learner.trust_.values()) == pytest.approx(1)
    assert {*learner.trust_} == {*FILTER, "labels", "stack"}


def test_weights_of_zero_and_of_a_million_leave_numbers():
    X, y = noisy(300)
    weights = np.random.default_rng(0).choice([0.0, 1e-6, 1.0, 1e6], 300)
    learner = Budgetron(20, gamma=0.3).fit(X, y, sample_weight=weights)
    assert np.isfinite(learner.decision_function(X)).all()
    assert sum(learner.trust_.values()) == pytest.approx(1)


ROWS = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])


def by_hand(**parameters):
    """A filter of a linear kernel, where weights of the first two rows are coordinates."""
    return Budgetron(2, kernel="linear", coef0=0.0, drift=0.0, **parameters)


def shared(losses):
    """The trust after experts that were trusted alike have lost this."""
    raw = np.exp(-np.array(losses) / 8)
    return dict(zip(FILTER, 0.9999 * raw / raw.sum() + 0.0001 / 3, strict=True))


def test_two_classes_by_hand():
    """Labels are 1, -1, -1 and 1, and the second expert, bold, is trusted most after three rows.

    (1, 0): all say 0; cautious and average 1/1.3, bold 1/1.03; P = 3/13
    (0, 1): all say 0; -1/1.3 and -1/1.03 for it; the average goes 2/3 of the way
    (1/2, 1): cautious says -5/13, bold -50/103, the average (1/2 - 2/3)/1.3 = -5/39; v = 15/52
        cautious: error -8/13, u/(v + 0.3) = (10, 20)/51;  bold: -53/103, u/(v + 0.03) = (25, 50)/69
        the average goes half of the way
    """
    learner = by_hand().partial_fit(ROWS[:3], [1, -1, -1], [-1, 1])
    cautious, bold = np.array([10 / 13, -10 / 13]), np.array([100 / 103, -100 / 103])
    average = cautious * [1, 2 / 3]
    cautious -= np.array([10, 20]) / 51 * 8 / 13
    bold -= np.array([25, 50]) / 69 * 53 / 103
    average += (cautious - average) / 2
    trust = shared([(1 - 10 / 13) ** 2, (1 - 100 / 103) ** 2, (1 - 10 / 39) ** 2])
    assert learner.trust_ == pytest.approx({**trust, "labels": 0, "stack": 0})
    common = sum(trust[e] * w for e, w in zip(FILTER, (cautious, bold, average), strict=True))
    np.testing.assert_allclose(learner.dual_coef_, [common])
    P = learner._learner.state.memory.covariance
    np.testing.assert_allclose(P, np.array([[46, -10], [-10, 31]]) / 221)


def three_classes_by_hand(**parameters):
    learner = by_hand(**parameters)
    return learner, prequential(learner, ROWS[:3], [0, 1, 1], [0, 1, 2])


def test_three_classes_by_hand():
    """They share two supports and P, and the second class has been right twice.

    (1, 0): all say 0 for each class; (1, -1, -1) times 1/1.3, or 1/1.03 for the bold expert
    (0, 1): the same with (-1, 1, -1); the average goes 2/3 of the way
    (1/2, 1): cautious says (-5, 5, -15)/13, bold (-50, 50, -150)/103, the average (-5, 5, -35)/39;
        the rival of the second class is the first, and both have a step; the third needs none;
        errors are as for two classes, and P shrinks once
    """
    learner, trace = three_classes_by_hand()
    first = np.array([[1, -1, -1], [-1, 1, -1]])
    turn = np.array([-1, 1, 0])
    average = first * 10 / 13 * [[1], [2 / 3]]
    cautious = first * 10 / 13 + np.outer([10, 20], turn) / 51 * 8 / 13
    bold = first * 100 / 103 + np.outer([25, 50], turn) / 69 * 53 / 103
    average += (cautious - average) / 2
    trust = shared([(1 - 10 / 13) ** 2, (1 - 100 / 103) ** 2, (1 - 10 / 39) ** 2])
    assert learner.trust_ == pytest.approx({**trust, "labels": 0, "stack": 0})
    common = sum(trust[e] * w for e, w in zip(FILTER, (cautious, bold, average), strict=True))
    np.testing.assert_array_equal(learner.support_vectors_, ROWS[:2])
    np.testing.assert_allclose(learner.dual_coef_, common.T)
    P = learner._learner.state.memory.covariance
    np.testing.assert_allclose(P, np.array([[46, -10], [-10, 31]]) / 221)
    said = np.array([10 / 13, 100 / 103, 10 / 39]).mean()
    certain = np.array([15 / 13, 150 / 103, 35 / 39]).mean() * 2  # all of them for the third class
    np.testing.assert_allclose(trace.scores, [[0] * 3, [0] * 3, [-said, said, -certain]])


@pytest.mark.parametrize(("exchange", "evicted"), [("eager", 0), ("careful", -1), ("never", -1)])
def test_exchange_of_three_classes_by_hand(exchange, evicted):
    """(0, 0, 1) has scores of 0, and the first support weighs less, in all classes together.

    0.1 times 3/(0.3 1.3) = 10/13 speaks for it, and the squares of the support's weights in the
    bold expert, (0.78, -0.78, -0.97), through 46/221, which is 10.4, for the support.
    """
    learner, _ = three_classes_by_hand(exchange=exchange)
    trace = prequential(learner, ROWS[3:], [2])
    assert trace.evicted.tolist() == [evicted]
    np.testing.assert_array_equal(
        learner.support_vectors_, ROWS[[1, 3] if evicted == 0 else [0, 1]]
    )


def test_the_scale_is_that_of_the_first_support_though_it_has_left():
    """s = 1, so that P = 1 for (0, 2) as well: z = 2, v = 4, and the weight is 1/4.3."""
    learner = Budgetron(
        1, kernel="linear", coef0=0.0, drift=0.0, exchange="eager", experts="cautious"
    )
    evicted = prequential(learner, [[1.0, 0.0], [0.0, 2.0]], [1, 1], [-1, 1]).evicted
    assert evicted.tolist() == [-1, 0]
    np.testing.assert_allclose(learner.dual_coef_, [[1 / 4.3]])


def flipping(length=3000, seed=0):
    X, y = noisy(2 * length, seed)
    y[length:] *= -1
    return X, y, length


def test_it_begins_anew_when_labels_flip_and_is_better_off():
    X, y, flip = flipping()
    anew, never = Budgetron(50, gamma=0.3), Budgetron(50, gamma=0.3, patience=None)
    after, otherwise = (prequential(learner, X, y).mistakes[flip:] for learner in (anew, never))
    assert (anew.n_restarts_, never.n_restarts_) == (1, 0)
    assert after[:1000].sum() < 0.95 * otherwise[:1000].sum()
    assert after[2000:].sum() < otherwise[2000:].sum()


@pytest.mark.parametrize("seed", range(3))
def test_it_never_begins_anew_where_labels_are_noisy_and_nothing_moves(seed):
    X, y = noisy(20_000, seed)
    assert Budgetron(50, gamma=0.3).fit(X, y).n_restarts_ == 0


def test_to_begin_anew_is_to_keep_the_supports_alone():
    X, y, flip = flipping()
    learner = Budgetron(20, gamma=0.3, exchange="never").fit(X[:flip], y[:flip])
    supports, t = learner.support_vectors_.copy(), flip
    while learner.n_restarts_ == 0:
        learner.partial_fit(X[t : t + 1], y[t : t + 1])
        t += 1
    assert t < flip + 100
    np.testing.assert_array_equal(learner.support_vectors_, supports)
    assert (learner.dual_coef_ == 0).all()
    assert (learner.decision_function(X) == 0).all()
    assert learner.trust_ == pytest.approx(
        {**dict.fromkeys(FILTER, 1 / 3), "labels": 0, "stack": 0}
    )
    np.testing.assert_array_equal(learner._learner.state.memory.covariance, np.eye(20))


def test_the_average_begins_anew_with_the_cautious_expert_if_that_has_left_it_behind():
    X, y = two_rings(10_000)
    X[5000:] += 10  # so far away that no prediction is worse than none
    learner, never = Budgetron(50, gamma=8), Budgetron(50, gamma=8, patience=None)
    for each in (learner, never):
        each.fit(X, y)
    assert learner.n_restarts_ == 0
    assert learner.expert_mistakes_["average"] < 0.7 * never.expert_mistakes_["average"]


def test_an_example_of_no_weight_raises_no_doubt():
    X, y = noisy(500)
    learner = Budgetron(20, gamma=0.3).fit(X, y)
    before = learner._learner.state.memory.record.copy()
    learner.partial_fit(X, -y, sample_weight=np.zeros(500))
    assert learner.n_restarts_ == 0
    np.testing.assert_array_equal(learner._learner.state.memory.record, before)


@pytest.mark.parametrize("patience", [0.0, -1.0, np.nan, "much"])
def test_patience_is_above_zero(patience):
    with pytest.raises((ValueError, TypeError), match="patience"):
        Budgetron(patience=patience).fit([[0.0], [1.0]], [-1, 1])


def test_no_single_example_is_a_reason_to_begin_anew_however_much_it_weighs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 5))
    y = signs(X[:, 0] + 0.5 * rng.normal(size=4000) > 2)
    rare = Budgetron(20, gamma=0.3, class_weight="balanced").fit(X, y)
    heavy = Budgetron(20, gamma=0.3).fit(X, y, sample_weight=np.full(4000, 100.0))
    assert (rare.n_restarts_, heavy.n_restarts_) == (0, 0)


@pytest.mark.parametrize(
    "parameters",
    [
        {"budget": 30, "drift": 0.0, "sharing": 0.05},
        {"budget": 6, "experts": ("bold",), "noise": 0.1},
        {"budget": 6, "exchange": "eager"},
        {"budget": 6, "drift": 50.0},
        {"budget": 6, "patience": 2.0},
        {"budget": 6, "exchange": "never", "experts": ("cautious", "average")},
    ],
    ids=str,
)
def test_every_choice_follows_the_slow_reference(parameters):
    case = Case(budgetron.Budgetron, oracle.budgetron, {"experts": FILTER, **parameters})
    for kernels, stream in product(KERNELS.values(), (smooth_stream, grid_stream)):
        assert_follows(case, kernels, *stream())
