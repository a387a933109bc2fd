"""Rings and checkerboards: classes that no line separates."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from budgetron import RandomizedBudgetPerceptron, prequential
from budgetron.streams import OrbitingRings, RotatingCheckerboard

over_concepts = pytest.mark.parametrize("kind", [OrbitingRings, RotatingCheckerboard])


@over_concepts
def test_a_line_does_hardly_better_than_a_coin(kind):
    sample = kind(angle=0).take(20_000)
    line = LogisticRegression().fit(sample.X[:10_000], sample.y[:10_000])
    assert np.mean(line.predict(sample.X[10_000:]) != sample.y[10_000:]) > 0.4


@over_concepts
def test_a_kernel_learner_on_a_budget_follows(kind):
    sample = kind().take(6000)
    learner = RandomizedBudgetPerceptron(budget=300, gamma=20, random_state=0)
    assert prequential(learner, sample.X, sample.y).mistakes[2000:].mean() < 0.2


@over_concepts
def test_the_classes_are_balanced_wherever_the_concept_stands(kind):
    sample = kind(angle=0.01).take(100_000)
    for part in np.split(sample.y, 10):
        assert part.mean() == pytest.approx(0, abs=0.05)


@over_concepts
def test_the_concept_moves_by_the_same_angle_with_each_row(kind):
    sample = kind(angle=0.01).take(3000)
    assert sample.targets == pytest.approx(0.01 * np.arange(3000))
    assert sample.shifts == 0


@pytest.mark.parametrize("rings", [2, 4, 6])
def test_rings_of_equal_area_alternate_around_the_circling_centre(rings):
    sample = OrbitingRings(rings=rings, orbit=0.7, angle=0.01).take(3000)
    centre = 0.7 * np.column_stack([np.cos(sample.targets), np.sin(sample.targets)])
    area = ((sample.X - centre) ** 2).sum(axis=1)
    assert np.array_equal(sample.y, np.where(np.floor(rings * area) % 2 == 0, 1, -1))
    assert np.histogram(area, 4, (0, 1))[0] == pytest.approx(np.full(4, 750), abs=120)


def test_neighbouring_squares_have_different_colours_on_the_turned_board():
    stream = RotatingCheckerboard(squares=6, angle=0.01)
    sample = stream.take(3000)
    turned = np.exp(-1j * sample.targets) * (sample.X[:, 0] + 1j * sample.X[:, 1])
    column, row = np.floor(turned.real * 3), np.floor(turned.imag * 3)
    assert np.array_equal(sample.y, np.where((column + row) % 2 == 0, 1, -1))
    assert np.abs(sample.X).max() <= 1
