"""Budgetron's two propositions: the price of trust, and standing still."""

from itertools import pairwise, product
from math import exp, inf, log

import numpy as np
import pytest

from budgetron import Budgetron, certify, prequential
from budgetron.bounds import AssumptionError, flagship
from budgetron.core.panel import share_out
from streams import signs


def stream(seed=0, length=400, shift=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(length, 3))
    y = signs(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=length) > 0)
    if shift:
        y[shift:] *= -1
    return X, y


@pytest.mark.parametrize("sharing", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("experts", [1, 2, 3])
@pytest.mark.parametrize("anew", [(), (1,), (0, 2)])
def test_the_price_of_a_sequence_is_its_prior_probability(sharing, experts, anew):
    T, first = 4, 1 / experts
    for sequence in product(range(experts), repeat=T):
        prior, switches = first, 0
        for t, (a, b) in enumerate(pairwise(sequence)):
            prior *= first if t in anew else (1 - sharing) * (a == b) + sharing * first
            switches += a != b and t not in anew
        options = {"first_trust": first, "sharing": sharing, "switches": switches}
        if prior > 0:
            bound = flagship.trusted_mistakes(2.5, T, **options, restarts=len(anew))
            assert float(bound) == pytest.approx(2.5 - 8 * log(prior))
        else:
            with pytest.raises(AssumptionError, match="trust is shared"):
                flagship.trusted_mistakes(2.5, T, **options, restarts=len(anew))


def test_the_squared_loss_is_exp_concave_at_an_eighth_and_at_no_more():
    grid = np.linspace(-1, 1, 201)

    def gain(rate):
        """The least of F at the mean, less the mean of F, for F = exp(-rate (1 - c)^2)."""
        F = np.exp(-rate * (1 - grid) ** 2)
        middle = (grid[:, None] + grid[None]) / 2
        return (np.exp(-rate * (1 - middle) ** 2) - (F[:, None] + F[None]) / 2).min()

    assert gain(1 / 8) >= -1e-12
    assert gain(0.15) < 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shift", [None, 200])
@pytest.mark.parametrize("experts", ["all", "bold", ("cautious", "average")])
def test_no_run_makes_more_mistakes_than_its_certificate_says(seed, shift, experts):
    X, y = stream(seed, shift=shift)
    learner = Budgetron(20, gamma=0.5, experts=experts, patience=5.0)
    (statement,) = certify(learner, X, y).statements
    assert statement.theorem == "Budgetron, Proposition 1"
    assert prequential(learner, X, y).mistakes.sum() <= statement.bound < inf


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("units", [1.0, 30.0])
def test_no_run_of_many_widths_makes_more_mistakes_than_its_certificate_says(seed, units):
    X, y = stream(seed, length=1000)
    X[500:] *= units
    learner = Budgetron(20)
    (statement,) = certify(learner, X, y).statements
    trace = prequential(learner, X, y)
    assert (learner._learner.openings > 3) == (units > 1)
    assert trace.mistakes.sum() <= statement.bound < inf


def still_run(X, y, budget, gamma, noise=0.3):
    """A plain run of the cautious expert without drift and exchange, and what it was given."""
    learner = Budgetron(
        budget, gamma=gamma, drift=0.0, exchange="never", patience=None, noise=noise
    )
    supports, rows, residuals = [], [], []
    w, P, L = np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0))
    margin = np.zeros(len(y))
    trace = prequential(learner, X, y)
    births = {*learner._learner.lead.births.tolist()}
    kernel = learner._learner.kernel
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        k = kernel(X[supports], x[None])[:, 0] if supports else np.zeros(0)
        z = np.linalg.solve(L, k) if supports else k
        margin[t] = w @ z
        if t in births:
            distance = np.sqrt(1 - z @ z)
            z, w = np.append(z, distance), np.append(w, 0.0)
            P = np.pad(P, (0, 1))
            P[-1, -1] = 1
            supports.append(t)
            L = np.linalg.cholesky(kernel(X[supports], X[supports]))
        if label * margin[t] < 1:
            u = P @ z
            v = z @ u
            residuals.append((label - margin[t]) ** 2 * noise / (noise + v))
            w = w + u * (label - margin[t]) / (v + noise)
            P = P - np.outer(u, u) / (v + noise)
            rows.append((z, label))
    return learner, trace, rows, residuals


@pytest.mark.parametrize("budget", [5, 40])
def test_the_cautious_expert_that_stands_still_is_ridge_regression_on_projections(budget):
    X, y = stream()
    learner, trace, rows, residuals = still_run(X, y, budget, gamma=0.5)
    size = len(learner.support_vectors_)
    Z = np.array([np.pad(z, (0, size - len(z))) for z, _ in rows])
    labels = np.array([label for _, label in rows])
    g = np.linalg.solve(Z.T @ Z + 0.3 * np.eye(size), Z.T @ labels)
    least = ((labels - Z @ g) ** 2).sum() + 0.3 * g @ g
    assert sum(residuals) == pytest.approx(least, rel=1e-8)
    np.testing.assert_allclose(learner._learner.state.memory.weights[0, 0, :size], g, atol=1e-8)
    loss = float(((labels - Z @ g) ** 2).sum())
    bound = flagship.still_mistakes(loss, float(np.linalg.norm(g)), len(y))
    assert trace.mistakes.sum() <= bound


def test_a_learner_that_moves_has_no_such_bound():
    with pytest.raises(AssumptionError, match="do not drift"):
        flagship.still_mistakes(1.0, 1.0, 100, drift=0.002)
    with pytest.raises(AssumptionError, match="supports stay"):
        flagship.still_mistakes(1.0, 1.0, 100, exchange="careful")
    with pytest.raises(AssumptionError, match="never begins anew"):
        flagship.still_mistakes(1.0, 1.0, 100, patience=20.0)


def test_the_price_of_trust_in_words_of_the_page():
    start = float(flagship.trusted_mistakes(0.0, 1))
    each = float(flagship.trusted_mistakes(0.0, 10_001)) - start
    switch = float(flagship.trusted_mistakes(0.0, 10_001, switches=1)) - start - each
    assert round(start) == 17
    assert round(each) == 7
    assert round(switch) == 90
    assert round(float(flagship.trusted_mistakes(0.0, 2, restarts=1)) - start) == 17
    assert exp(-start / 8) == pytest.approx(1 / 8)
    one_of_seven = {"first_trust": 3 / 4, "part": 1 / 7}
    start = float(flagship.trusted_mistakes(0.0, 1, **one_of_seven))
    assert round(start) == 18
    assert exp(-start / 8) == pytest.approx(3 / 28)
    assert round(float(flagship.trusted_mistakes(0.0, 10_001, **one_of_seven)) - start) == 9


@pytest.mark.parametrize("sharing", [0.01, 0.5])
def test_the_price_of_a_filter_is_at_least_its_prior_probability(sharing):
    # share_out, without losses: the part of what a filter has that stays with it
    m, first, T = 3, 0.75, 4
    trust, start = np.array([first / m] * m + [1 / 8, 1 / 8]), first / m
    share_out(trust, trust.copy(), sharing)
    assert trust == pytest.approx([first / m] * m + [1 / 8, 1 / 8])
    stays = (1 - sharing + sharing * first) * (1 - sharing + sharing / m)
    bound = flagship.trusted_mistakes(1.0, T, first_trust=first, part=1 / m, sharing=sharing)
    assert float(bound) == pytest.approx(1.0 - 8 * log(start * stays ** (T - 1)))
    alone = np.array([1.0, 0, 0, 0, 0])  # one filter has all: no more can stay with it
    share_out(alone, np.array([first / m] * m + [1 / 8, 1 / 8]), sharing)
    assert alone[0] == pytest.approx(stays)
