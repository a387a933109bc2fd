"""What holds for every stream."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy import sparse

from budgetron.adversaries import RandomUnitVectors, ThresholdLowerBound
from budgetron.streams import (
    DriftingHyperplanes,
    DriftingThresholds,
    LabelNoise,
    OrbitingRings,
    RotatingCheckerboard,
    ShiftingDataset,
    ShiftingHyperplanes,
)

ENDLESS = {
    "random hyperplanes": DriftingHyperplanes(features=20, dimension=3),
    "linear hyperplanes": DriftingHyperplanes(features=20, drift="linear", normalize=True),
    "reduced hyperplanes": DriftingHyperplanes(features=20, entries="uniform", reduced=True),
    "random thresholds": DriftingThresholds(gamma=0.05, drift_rate=0.2),
    "linear thresholds": DriftingThresholds(movement="linear", shift_every=700),
    "still thresholds": DriftingThresholds(movement="still", shift_every=1500),
    "abrupt": ShiftingHyperplanes(every=300),
    "gradual": ShiftingHyperplanes(every=1100, change="gradual"),
    "incremental": ShiftingHyperplanes(every=300, change="incremental", width=40),
    "recurring": ShiftingHyperplanes(every=300, change="recurring", concepts=3),
    "rings": OrbitingRings(rings=4),
    "checkerboard": RotatingCheckerboard(),
    "noise": LabelNoise(ShiftingHyperplanes(every=1300), rate=0.2),
    "unit vectors": RandomUnitVectors(budget=5),
    "lower bound": ThresholdLowerBound(drift_rate=0.01, gamma=0.005),
}
ROWS = np.random.default_rng(0).normal(size=(2505, 4))
FINITE = {
    "data set": ShiftingDataset(ROWS, (ROWS > 0).astype(int), [0, 1, 0, 3]),
    "sparse data set": ShiftingDataset(sparse.csr_array(ROWS), ROWS > 0, [0, 1, 0, 3]),
}
STREAMS = ENDLESS | FINITE
PARTS = ("X", "y", "truth", "targets", "steps")

over_streams = pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
over_endless = pytest.mark.parametrize("stream", ENDLESS.values(), ids=ENDLESS)


def parts(samples):
    """The rows of several samples, as dense arrays."""
    dense = {
        part: [getattr(sample, part) for sample in samples] for part in ("y", "truth", "steps")
    }
    dense["targets"] = [sample.targets for sample in samples]
    dense["X"] = [s.X.toarray() if sparse.issparse(s.X) else s.X for s in samples]
    return {part: np.concatenate(arrays) for part, arrays in dense.items()}


def same(ones, others):
    return all(np.array_equal(ones[part], others[part]) for part in PARTS)


@over_streams
def test_however_a_stream_is_cut_its_rows_are_the_same_bit_for_bit(stream):
    for size in (1, 7, 999, 1024, 1025, 2500):
        length = min(2500, 150 * size) // size * size
        blocks = [*islice(stream.blocks(size), length // size)]
        assert {len(block) for block in blocks} == {size}
        assert same(parts(blocks), parts([stream.take(length)])), size


@over_streams
def test_every_start_is_at_the_first_row(stream):
    first, second = next(iter(stream)), next(iter(stream))
    assert same(parts([first]), parts([second]))
    assert first.steps[0] == second.steps[0] == 0


@over_endless
def test_another_seed_gives_another_stream(stream):
    one, other = stream.take(200), replace(stream, random_state=1).take(200)
    assert not (np.array_equal(one.X, other.X) and np.array_equal(one.y, other.y))


@over_streams
def test_labels_are_whole_numbers_minus_one_and_one(stream):
    sample = stream.take(2000)
    assert sample.y.dtype.kind == sample.truth.dtype.kind == "i"
    assert set(sample.y) | set(sample.truth) <= {-1, 1}
    assert len(sample) == len(sample.y) == sample.X.shape[0] == len(sample.targets) == 2000


@over_streams
def test_steps_are_the_distances_between_the_targets_of_neighbouring_rows(stream):
    sample = stream.take(2000)
    if stream in FINITE.values():
        expected = (np.diff(sample.targets) != 0).astype(float)
    else:
        moves = np.diff(sample.targets.reshape(2000, -1), axis=0)
        expected = np.sqrt((moves**2).sum(axis=1))
    assert sample.steps == pytest.approx([0, *expected])
    assert sample.total_shift == pytest.approx(expected.sum())


@over_streams
def test_the_shifts_are_the_steps_that_are_not_near(stream):
    sample = stream.take(2000)
    assert sample.near == stream.near
    assert sample.shift_times.tolist() == [t for t in range(2000) if sample.steps[t] > stream.near]
    assert sample.shifts == len(sample.shift_times)


@over_streams
def test_a_part_of_a_sample_keeps_its_shifts(stream):
    sample = stream.take(2000)
    late = sample[500:1900]
    assert len(late) == 1400
    inside = (sample.shift_times >= 500) & (sample.shift_times < 1900)
    assert late.shift_times.tolist() == (sample.shift_times[inside] - 500).tolist()


@over_streams
def test_a_length_that_is_not_a_positive_whole_number_is_refused(stream):
    for length in (0, -1, 1.5, "ten"):
        with pytest.raises((TypeError, ValueError), match="length"):
            stream.take(length)
        with pytest.raises((TypeError, ValueError), match="size"):
            stream.blocks(length)


@pytest.mark.parametrize("stream", FINITE.values(), ids=FINITE)
def test_a_stream_that_ends_gives_what_is_left_and_no_more(stream):
    assert [len(block) for block in stream.blocks(1000)] == [1000, 1000, 504]
    with pytest.raises(ValueError, match="ends after 2504 rows, 2505 were asked for"):
        stream.take(2505)


@pytest.mark.parametrize(
    ("kind", "parameters", "problem"),
    [
        (DriftingHyperplanes, {"features": 0}, "features"),
        (DriftingHyperplanes, {"dimension": 0}, "dimension"),
        (DriftingHyperplanes, {"features": 4}, "dimension must be at most features=4, got 5"),
        (DriftingHyperplanes, {"drift": "none"}, "drift must be one of"),
        (DriftingHyperplanes, {"sigma": -1}, "sigma"),
        (DriftingHyperplanes, {"sigma_is": "width"}, "sigma_is must be one of"),
        (DriftingHyperplanes, {"entries": "binary"}, "entries must be one of"),
        (DriftingHyperplanes, {"random_state": None}, "random_state"),
        (DriftingThresholds, {"gamma": 0}, "gamma"),
        (DriftingThresholds, {"gamma": 0.5}, "gamma"),
        (DriftingThresholds, {"drift_rate": 0.001}, "drift_rate .* at least 0.01"),
        (DriftingThresholds, {"drift_rate": 1.1}, "drift_rate .* at most 1"),
        (DriftingThresholds, {"movement": "up"}, "movement must be one of"),
        (DriftingThresholds, {"shift_every": 0}, "shift_every"),
        (DriftingThresholds, {"random_state": -1}, "random_state"),
        (ShiftingHyperplanes, {"dimension": 1}, "dimension"),
        (ShiftingHyperplanes, {"every": 0}, "every"),
        (ShiftingHyperplanes, {"change": "sudden"}, "change must be one of"),
        (ShiftingHyperplanes, {"width": 1001}, "width must be at most every=1000, got 1001"),
        (ShiftingHyperplanes, {"width": 0}, "width"),
        (ShiftingHyperplanes, {"concepts": 1}, "concepts"),
        (ShiftingHyperplanes, {"random_state": 0.5}, "random_state"),
        (OrbitingRings, {"rings": 3}, "rings must be an even number, got 3"),
        (OrbitingRings, {"orbit": -1}, "orbit"),
        (OrbitingRings, {"angle": np.inf}, "angle"),
        (OrbitingRings, {"random_state": "0"}, "random_state"),
        (RotatingCheckerboard, {"squares": 1}, "squares"),
        (RotatingCheckerboard, {"angle": None}, "angle"),
        (RotatingCheckerboard, {"random_state": -1}, "random_state"),
        (LabelNoise, {"stream": [1], "rate": 0.1}, "stream must be a Stream"),
        (LabelNoise, {"stream": OrbitingRings(), "rate": 1.1}, "rate .* at most 1"),
        (LabelNoise, {"stream": OrbitingRings(), "rate": 0, "random_state": -1}, "random_state"),
        (RandomUnitVectors, {"budget": 0}, "budget"),
        (RandomUnitVectors, {"budget": 1, "random_state": -1}, "random_state"),
        (ThresholdLowerBound, {"drift_rate": 0, "gamma": 0.1}, "drift_rate"),
        (ThresholdLowerBound, {"drift_rate": 1.5, "gamma": 0.1}, "drift_rate .* at most 1"),
        (ThresholdLowerBound, {"drift_rate": 0.01, "gamma": 0.02}, "gamma .* at most 0.01"),
        (ThresholdLowerBound, {"drift_rate": 0.3, "gamma": 0.0}, "gamma"),
        (ThresholdLowerBound, {"drift_rate": 0.26, "gamma": 0.26, "random_state": -1}, "random"),
        (ThresholdLowerBound, {"drift_rate": 0.9, "gamma": 0.6}, "gamma must be at most 1/2"),
    ],
)
def test_a_bad_parameter_is_named(kind, parameters, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        kind(**parameters)
