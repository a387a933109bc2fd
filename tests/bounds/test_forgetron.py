"""The Forgetron's lemmas round by round, and its theorem."""

import numpy as np
import pytest

import oracle
from bounds.closeness import against, closest, largest, rivals, tiny_stream
from budgetron import Forgetron, prequential
from budgetron.bounds import forgetron


def damages(X, y, budget, norm_bound):
    """Mistaken rounds of the slow reference, with Psi and Phi of each removal, and all f', f''."""
    stream = [(tuple(x), int(label)) for x, label in zip(X, y, strict=True)]
    removals, shrinkings, steps = [], [], []
    before = ()
    rounds = oracle.forgetron(stream, oracle.linear, budget=budget)
    for t, r in enumerate(rounds):
        if r.removed:
            added = sum((float(w) * X[i] for i, w in before), y[t] * X[t])
            sigma, phi = abs(before[0][1]), float(r.phi)
            removals.append(forgetron.removal_damage(sigma, phi, float(r.mu)))
            assert removals[-1] == pytest.approx(float(r.psi))
            norm = np.linalg.norm(added)
            shrinkings.append(forgetron.shrinking_factor(phi, norm, norm_bound))
            steps.append((added, phi * added, shrinkings[-1]))
        before = r.supports
    return np.array([r.mistake for r in rounds]), removals, shrinkings, steps


def test_a_run_stays_within_lemma_1_whatever_its_budget():
    def cases(rng):
        X, y = tiny_stream(rng)
        U, budget = rng.choice([1.0, 2.0, 4.0]), rng.integers(1, 5)
        wrong, removals, shrinkings, _ = damages(X, y, budget, U)

        def limit(g):
            radius = largest(X[wrong])
            return forgetron.run_mistakes(g.norm, g.hinge_loss, removals, shrinkings, U, radius)

        for ratio, tells in against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit):
            yield ratio, tells and len(removals) > 0

    assert closest(cases, examples=60) > 0.75


@pytest.mark.parametrize("budget", [1, 3, 8])
def test_lemma_1_covers_the_stream_on_which_no_budget_is_enough(budget):
    X, y = np.tile(np.eye(budget + 1), (40, 1)), np.ones(40 * (budget + 1), int)
    U = np.sqrt(budget + 1)  # of the sum of the basis, which makes no mistake and has no loss
    wrong, removals, shrinkings, _ = damages(X, y, budget, U)
    assert wrong.all()
    limit = forgetron.run_mistakes(U, 0, removals, shrinkings, norm_bound=U)
    assert 0.55 < len(X) / limit <= 1
    assert len(X) > forgetron.run_mistakes(U, 0, removals, [], norm_bound=U)
    assert len(X) > forgetron.run_mistakes(U, 0, [], [], norm_bound=U)


def test_shrinking_costs_at_most_what_phi_says_in_every_round_and_for_every_competitor():
    def cases(rng):
        X, y = tiny_stream(rng)
        U = rng.choice([0.3, 1.0, 2.0])
        *_, steps = damages(X, y, 1 + rng.integers(3), U)
        for added, shrunk, factor in steps:
            along = added / max(np.linalg.norm(added), 1e-12)
            for g in (U * along, U * rng.uniform() * along, 0 * along):
                cost = ((shrunk - g) ** 2).sum() - ((added - g) ** 2).sum()
                allowed = -(U**2) * np.log(factor)
                assert cost <= allowed + 1e-9
                if allowed > 1e-3:
                    yield cost / allowed, True

    assert closest(cases) > 0.45  # half of it is what the proof needs


@pytest.mark.parametrize("budget", [83, 100])
def test_the_forgetron_keeps_both_conditions_of_lemma_2(budget):
    rng = np.random.default_rng(budget)
    X = rng.normal(size=(400, 6))
    X /= np.linalg.norm(X, axis=1)[:, None]
    y = np.where(rng.random(400) < 0.5, 1, -1)
    U = forgetron.largest_norm(budget)
    wrong, removals, shrinkings, _ = damages(X, y, budget, U)
    assert len(removals) > 50
    limit = forgetron.damage(removals, shrinkings, int(wrong.sum()), budget)
    assert np.sum(removals) - U**2 * np.sum(np.log(shrinkings)) <= limit
    assert np.sum(removals) > 0.5 * limit  # the first condition is what phi is chosen by


def test_the_forgetron_stays_within_its_theorem():
    def cases(rng):
        length, width, budget = 300, int(rng.integers(1, 200)), 83
        X = rng.normal(size=(length, width))
        X /= np.linalg.norm(X, axis=1)[:, None]
        y = np.where(X[:, 0] > 0, 1, -1)
        y[rng.random(length) < rng.uniform(0, 0.5)] *= -1
        trace = prequential(Forgetron(budget=budget, kernel="linear"), X, y, classes=[-1, 1])
        wrong = trace.mistakes

        def limit(g):
            return forgetron.mistakes(g.norm, g.hinge_loss, budget, largest(X[wrong]))

        for ratio, _ in against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit):
            yield ratio, True

    assert closest(cases, examples=30) > 0.2  # a norm of 1.09 leaves most of the loss


def test_the_smallest_budget_for_a_norm_is_the_first_that_allows_it():
    for norm in (0.1, 1.09, 1.2, 3, 10):
        budget = forgetron.smallest_budget(norm)
        assert forgetron.largest_norm(budget) >= norm
        assert budget == 83 or forgetron.largest_norm(budget - 1) < norm
