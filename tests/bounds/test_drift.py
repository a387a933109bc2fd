"""Simulated drift, against the expectations of its theorems."""

from math import pi

import numpy as np
import pytest

from budgetron.bounds import drift


def circle(rng, horizon, experts, noise):
    """Half circles as experts, a target that moves on by one in each round, noisy labels."""
    target = np.arange(horizon) % experts
    x = rng.integers(experts, size=horizon)
    right = (x[:, None] - np.arange(experts)) % experts < experts / 2
    y = right[np.arange(horizon), target] ^ (rng.random(horizon) < noise)
    return right != y[:, None], target


def restarted(errs, m, rate):
    """Expected loss of exponential weights that start afresh every m rounds."""
    total = 0.0
    for start in range(0, len(errs), m):
        period = errs[start : start + m].astype(float)
        past = np.cumsum(period, axis=0) - period
        weights = np.exp(-rate * (past - past.min(axis=1, keepdims=True)))
        total += ((weights * period).sum(axis=1) / weights.sum(axis=1)).sum()
    return total


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_restarting_experts_stay_within_their_theorem_whatever_the_labels(noise):
    experts, horizon = 1000, 6000
    rate = 2 / experts  # neighbours disagree on two of the points
    runs = []
    for seed in range(5):
        errs, target = circle(np.random.default_rng(seed), horizon, experts, noise)
        m = drift.restart_length(experts, rate)
        loss = restarted(errs, m, np.sqrt(8 * np.log(experts) / m))
        runs.append(loss - errs[np.arange(horizon), target].sum())
    limit = drift.restarting_regret(horizon, 0, experts, rate, m)
    assert max(runs) <= limit
    assert np.mean(runs) > 0.25 * limit


@pytest.mark.parametrize("longer", [1, 3])
def test_restarting_experts_of_which_one_is_right_stay_within_their_theorem(longer):
    experts, horizon = 1000, 6000
    rate = 2 / experts
    m = longer * drift.realizable_restart_length(experts, rate)
    errs, _ = circle(np.random.default_rng(0), horizon, experts, noise=0)
    loss = restarted(errs, m, drift.hedge_rate(m, experts, rate))
    assert 0.3 < loss / drift.restarting_loss(horizon, 0, experts, rate, m) <= 1


@pytest.mark.parametrize("theorem", [drift.restarting_regret, drift.restarting_loss])
def test_a_shift_costs_at_most_one_period(theorem):
    without = theorem(1000, 0, 10, 0.01, 50)
    assert theorem(1000, 3, 10, 0.01, 50) - without == pytest.approx(3 * 50)
    assert theorem(1001, 0, 10, 0.01, 50) == pytest.approx(without * 21 / 20)


def threshold_errors(x, labels, gamma):
    """The paper's interval of thresholds, Sec. 5.1: whether it errs in each round."""
    low, high, errors = 0.0, 1.0, np.zeros(len(x), bool)
    for t, (point, label) in enumerate(zip(x, labels, strict=True)):
        errors[t] = (point >= (low + high) / 2) != label
        if low < point < high:
            low, high = (low, point) if label else (point, high)
        elif errors[t]:
            low, high = 0.0, 1.0
            continue
        low, high = low - gamma, high + gamma
    return errors


@pytest.mark.parametrize("shifts", [0, 4])
def test_the_drifting_threshold_stays_within_its_bound(shifts):
    gamma, horizon = 0.01, 20_000
    rng = np.random.default_rng(shifts)
    steps = np.full(horizon, gamma)
    steps[rng.choice(horizon, size=shifts, replace=False)] = 0.4
    target = np.abs((np.cumsum(steps) + 1) % 2 - 1)  # to and fro between 0 and 1
    x = rng.random(horizon)
    errors = threshold_errors(x, x >= target, gamma)
    limit = drift.threshold_error(horizon, shifts, drift_rate=gamma, gamma=gamma)
    assert 0.3 * limit < errors.mean() <= limit


def test_the_adversary_of_theorem_6_makes_the_drifting_threshold_err_often_enough():
    rate, periods = 0.01, 3000
    gamma, half = rate, round(1 / np.sqrt(rate))
    rng = np.random.default_rng(0)
    hill = np.concatenate([np.arange(1, half + 1), np.arange(half - 1, -1, -1)])
    target = 0.5 + gamma * np.concatenate([rng.integers(2) * hill for _ in range(periods)])
    inside = rng.random(len(target)) < np.sqrt(rate)
    x = np.where(inside, 0.5 + gamma * half * rng.random(len(target)), 0.0)
    errors = threshold_errors(x, x >= target, gamma)
    assert errors.mean() >= drift.unavoidable_threshold_error(rate)
    assert errors.mean() <= drift.threshold_error(len(target), 0, rate, gamma)


def test_the_modified_perceptron_stays_within_its_bound_where_the_bound_says_something():
    gamma, horizon = 1e-5, 10**6  # uniform on the circle: near ones disagree with less than gamma
    rng = np.random.default_rng(0)
    w, target, errors = pi / 2, 0.0, 0
    for x in rng.uniform(-pi, pi, size=horizon).tolist():
        target += gamma
        if (abs((x - w + pi) % (2 * pi) - pi) < pi / 2) != (
            abs((x - target + pi) % (2 * pi) - pi) < pi / 2
        ):
            errors += 1
            w = 2 * x + pi - w  # w - 2 (w.x) x
    limit = min(
        drift.hyperplane_error(horizon, 0, gamma, gamma, 2, eta) for eta in (0.02, 0.025, 0.03)
    )
    assert 0.0005 < errors / horizon <= limit < 0.75


def test_shifts_cost_the_modified_perceptron_a_start_each():
    none, some = (drift.hyperplane_error(10**6, K, 1e-5, 1e-5, 2, 0.03) for K in (0, 3))
    q = 10 * 0.03 + 2e-5
    start = 2 * pi * 3 / (10**6 * 1e-5) * 1e-5 * 2 / (q * 0.03**2)
    assert some - none == pytest.approx(4 / 10**6 + start)
