"""What margin errors pay back."""

import numpy as np
import pytest

import oracle
from bounds.closeness import against, closest, largest, rivals, tiny_stream
from budgetron.bounds import projectron


def run(X, y, U):
    """Rounds of the slow reference."""
    stream = [(tuple(x), int(label)) for x, label in zip(X, y, strict=True)]
    return oracle.projectron_plus_plus(stream, oracle.linear, norm_bound=U)


def test_the_projectron_plus_plus_stays_within_its_bound():
    def cases(rng):
        X, y = tiny_stream(rng)
        U = rng.choice([1.0, 2.0, 5.0])
        rounds = run(X, y, U)
        updated = np.array([r.update for r in rounds])
        wrong = sum(r.mistake for r in rounds)
        progress = sum(r.beta for r in rounds if r.update and not r.mistake)

        def limit(g):
            radius = largest(X[updated])
            return projectron.margin_mistakes(g.norm, g.hinge_loss, progress, U, radius)

        yield from against(rivals(rng, X[updated], y[updated], limit), wrong, limit)

    assert closest(cases) > 0.45


def test_the_progress_of_a_margin_error_and_the_eta_of_a_mistake_are_the_papers():
    rng, checked = np.random.default_rng(0), set()
    for _ in range(20):
        X, y = tiny_stream(rng)
        for x, label, r in zip(X, y, run(X, y, U=2.0), strict=True):
            loss, own = 1 - label * float(r.score), x @ x
            if r.beta is not None and r.update:
                square = own - r.delta**2
                beta = projectron.margin_progress(r.tau, loss, square, r.delta, 2.0)
                assert beta == pytest.approx(r.beta, abs=1e-9)
                checked.add("progress")
            if r.mistake and own > 0:
                eta = projectron.tuned_eta(loss, own - r.delta**2, 2.0)
                assert eta == pytest.approx(r.eta, abs=1e-9)
                assert projectron.largest_norm(eta) <= 2.0 + 1e-9
                checked.add("eta")
    assert checked == {"progress", "eta"}


def test_a_fixed_eta_has_the_tuned_bound_for_norms_up_to_a_quarter_of_its_inverse():
    U = projectron.largest_norm(0.05)
    fixed = projectron.additive_mistakes(U, 7, eta=0.05)
    assert fixed == pytest.approx(projectron.tuned_mistakes(U, 7, norm_bound=U))
