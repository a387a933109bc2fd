"""What a learner keeps for its bound is what a second pass over its run would find."""

from itertools import pairwise

import numpy as np
import pytest

import oracle
from budgetron import (
    AdaptiveSecondOrderPerceptron,
    Forgetron,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    SecondOrderPerceptron,
    prequential,
)
from budgetron.bounds import forgetron, projectron, second_order
from budgetron.evaluation.evidence import evidence_of
from budgetron.kernels import gaussian, linear
from streams import gaussian_stream, tied_stream


def in_pieces(learner, X, y):
    """The evidence of the last of several calls."""
    cuts = [0, 1, 2, 50, 51, len(y)]
    for first, last in pairwise(cuts):
        here = slice(first, last)
        trace = prequential(learner, X[here], y[here], classes=[-1, 1], certify=True)
    return trace.evidence


@pytest.mark.parametrize(
    "new",
    [
        lambda: Forgetron(budget=8, gamma=1.0),
        lambda: ProjectronPlusPlus(norm_bound=3.0, gamma=1.0),
        lambda: SecondOrderPerceptron(a=0.5, gamma=1.0),
        lambda: SecondOrderPerceptron(a=0.5, kernel="linear"),
        lambda: Perceptron(kernel="linear"),
    ],
)
def test_the_evidence_does_not_depend_on_how_a_stream_is_cut(new):
    X, y = gaussian_stream()
    whole = prequential(new(), X, y, certify=True).evidence
    parts = in_pieces(new(), X, y)
    assert (parts.rows, parts.mistakes, parts.updates) == (300, whole.mistakes, whole.updates)
    assert parts.radius == whole.radius
    assert dict(parts.sums) == pytest.approx(dict(whole.sums), rel=1e-9)


def test_a_trace_has_no_evidence_unless_it_is_asked_for():
    X, y = gaussian_stream(length=20)
    assert prequential(Perceptron(), X, y).evidence is None


@pytest.mark.parametrize("stream", [gaussian_stream, tied_stream])
@pytest.mark.parametrize("budget", [1, 3, 8])
def test_the_forgetrons_sums_are_those_of_its_rounds(stream, budget):
    X, y = stream()
    learner = Forgetron(budget=budget, gamma=0.3)
    kept = prequential(learner, X, y, certify=True).evidence
    removals, shrinkings = damages_of_the_reference(X, y, budget)
    assert kept.sums["removal_damage"] == pytest.approx(sum(removals), rel=1e-7)
    assert kept.sums["shrinking"] == pytest.approx(-np.log(shrinkings).sum(), rel=1e-7)


def damages_of_the_reference(X, y, budget):
    kernel = oracle.gaussian(0.3)
    examples = [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)]
    supports, removals, shrinkings = (), [], []
    for t, after in enumerate(
        oracle.forgetron(examples, kernel, budget=budget, zero_score="mistake")
    ):
        if after.removed:
            (oldest,) = after.removed
            added = (*supports, (t, examples[t][1]))
            weights = dict(added)
            value = sum(w * kernel(examples[i][0], examples[oldest][0]) for i, w in added)
            margin = examples[oldest][1] * value
            newest = dict(after.supports)[t]
            shrinking = abs(newest)
            removals.append(forgetron.removal_damage(abs(weights[oldest]), shrinking, margin))
            shrinkings.append(shrinking)
        supports = after.supports
    return removals, shrinkings


@pytest.mark.parametrize(("name", "kernel"), [("rbf", gaussian(1.0)), ("linear", linear())])
def test_the_log_determinant_is_that_of_the_mistaken_instances(name, kernel):
    X, y = gaussian_stream()
    for learner in (
        SecondOrderPerceptron(a=0.5, kernel=name, gamma=1.0),
        AdaptiveSecondOrderPerceptron(c=0.5, radius=2.0, kernel=name, gamma=1.0),
    ):
        wrong = prequential(learner, X, y).mistakes
        values = np.linalg.eigvalsh(kernel(X[wrong], X[wrong]))
        a = 0.5 if isinstance(learner, SecondOrderPerceptron) else 0.5 * 4 * wrong.sum()
        expected = second_order.log_determinant(values, a)
        assert evidence_of(learner).sums["log_determinant"] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("stream", [gaussian_stream, tied_stream])
def test_the_progress_is_that_of_the_margin_errors(stream):
    X, y = stream(length=150)
    U, kernel = 1.5, gaussian(0.1)
    learner = ProjectronPlusPlus(norm_bound=U, gamma=0.1)
    progress = 0.0
    for t in range(len(y)):
        before = learner.support_vectors_ if t else X[:0]
        trace = prequential(learner, X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        if trace.updates[0] and not trace.mistakes[0]:
            k = kernel(before, X[t : t + 1])[:, 0]
            inside = float(k @ np.linalg.lstsq(kernel(before, before), k, rcond=1e-12)[0])
            loss = 1 - y[t] * trace.scores[0]
            distance = np.sqrt(max(0.0, 1 - inside)) if inside < 1 - 1e-9 else 0.0
            step = min(loss / inside, 1.0)
            progress += projectron.margin_progress(step, loss, inside, distance, U)
    assert progress > 0
    assert evidence_of(learner).sums["progress"] == pytest.approx(progress, rel=1e-6)


def test_the_radius_is_that_of_all_that_was_learned_from_even_if_it_was_not_kept():
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-3.0, 0.0], [5.0, 5.0]])
    learner = Projectron(kernel="linear", eta=0.5)
    trace = prequential(learner, X, [1, 1, 1, 1], classes=[-1, 1], certify=True)
    assert trace.updates.tolist() == [True, True, True, True]
    assert len(learner.support_vectors_) == 2
    assert trace.evidence.radius == pytest.approx(np.sqrt(50))
