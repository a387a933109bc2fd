"""Hyperplanes that drift, in full and in reduced form."""

from dataclasses import replace

import numpy as np
import pytest

from budgetron import ModifiedPerceptron, prequential
from budgetron.streams import DriftingHyperplanes

FULL = DriftingHyperplanes(features=60, dimension=4)


@pytest.mark.parametrize("drift", ["random", "linear"])
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("entries", ["gaussian", "uniform", "symmetric"])
def test_the_reduced_form_is_the_same_stream(drift, normalize, entries):
    stream = replace(FULL, drift=drift, normalize=normalize, entries=entries)
    full, reduced = stream.take(3000), replace(stream, reduced=True).take(3000)
    Q = stream.basis
    np.testing.assert_allclose(Q.T @ Q, np.eye(4), atol=1e-12)
    assert np.array_equal(full.y, reduced.y)
    np.testing.assert_allclose(full.X, reduced.X @ Q.T, atol=1e-12)
    np.testing.assert_allclose(full.targets @ Q, reduced.targets, atol=1e-10)


def test_the_labels_are_those_of_the_full_targets():
    sample = FULL.take(3000)
    scores = np.einsum("td,td->t", sample.targets, sample.X)
    assert np.array_equal(np.sign(scores), sample.y)


def test_a_learner_makes_the_same_run_on_both_forms():
    full, reduced = (replace(FULL, reduced=form).take(3000) for form in (False, True))
    learner = ModifiedPerceptron(kernel="linear")
    assert np.array_equal(
        prequential(learner, full.X, full.y).mistakes,
        prequential(ModifiedPerceptron(kernel="linear"), reduced.X, reduced.y).mistakes,
    )


def test_the_reduced_form_draws_nothing_of_the_full_width_with_the_rows():
    drawn = []

    class Counted(DriftingHyperplanes):
        def _walk(self, rng, width):
            drawn.append(width)
            yield from super()._walk(rng, width)

    Counted(features=60, dimension=4, reduced=True).take(10)
    assert drawn == [4]


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize(
    ("sigma", "sigma_is", "deviation"),
    [(None, "deviation", 0.1), (0.3, "deviation", 0.3), (0.1, "variance", np.sqrt(0.1))],
)
def test_random_drift_has_the_deviation_that_is_asked_for(sigma, sigma_is, deviation, reduced):
    sample = replace(FULL, sigma=sigma, sigma_is=sigma_is, reduced=reduced).take(5000)
    moves = np.diff(sample.targets, axis=0)
    assert moves.std(axis=0) == pytest.approx(np.full(moves.shape[1], deviation), rel=0.06)
    assert np.abs(moves.mean(axis=0)).max() < 5 * deviation / np.sqrt(5000)
    assert np.corrcoef(moves[:-1, 0], moves[1:, 0])[0, 1] == pytest.approx(0, abs=0.06)


def test_linear_drift_is_always_the_same_move():
    sample = replace(FULL, features=1000, drift="linear").take(3000)
    moves = np.diff(sample.targets, axis=0)
    np.testing.assert_allclose(moves, np.tile(moves[0], (2999, 1)), rtol=0, atol=1e-12)
    assert moves[0].std() == pytest.approx(0.001, rel=0.1)


def test_the_first_target_is_standard_normal_in_all_dimensions():
    starts = [replace(FULL, random_state=seed).take(1).targets[0] for seed in range(50)]
    assert np.std(starts) == pytest.approx(1, abs=0.05)
    assert np.std(np.array(starts) @ FULL.basis) == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize(
    ("entries", "second_moment"), [("gaussian", 1), ("uniform", 1 / 3), ("symmetric", 1 / 3)]
)
def test_instances_have_the_spread_of_the_matrix(entries, second_moment):
    sample = DriftingHyperplanes(dimension=4, entries=entries, reduced=True).take(5000)
    squares = (sample.X**2).sum(axis=1)
    assert squares.mean() == pytest.approx(4 * 1000 * second_moment, rel=0.1)


def test_uniform_entries_point_in_one_direction_and_symmetric_ones_do_not():
    spreads = {}
    for entries in ("uniform", "symmetric"):
        X = DriftingHyperplanes(dimension=4, entries=entries, reduced=True).take(5000).X
        spreads[entries] = np.linalg.eigvalsh(np.cov(X.T))[-1] / np.trace(np.cov(X.T))
    assert spreads["uniform"] > 0.75
    assert spreads["symmetric"] < 0.35


@pytest.mark.parametrize("reduced", [False, True])
def test_normalized_instances_have_length_one(reduced):
    sample = replace(FULL, normalize=True, reduced=reduced).take(1000)
    assert np.linalg.norm(sample.X, axis=1) == pytest.approx(np.ones(1000))
    assert np.array_equal(sample.y, replace(FULL, reduced=reduced).take(1000).y)


def test_pure_drift_is_never_a_shift():
    assert replace(FULL, sigma=100.0).take(1000).shifts == 0
