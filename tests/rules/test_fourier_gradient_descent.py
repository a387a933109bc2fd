"""A learner that keeps no examples: its laws, beside a slow reference."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import budgetron
import oracle
from budgetron import FourierGradientDescent, Perceptron, prequential
from budgetron.engine import RandomFeatureLearner, Record, blocked, one_by_one
from budgetron.kernels import gaussian, linear
from streams import (
    gaussian_stream,
    over_storages,
    over_streams,
    tied_stream,
    tied_streams,
    wordy_stream,
)


def new(**parameters):
    return FourierGradientDescent(**{"budget": 7, "gamma": 0.5, "random_state": 3, **parameters})


def at_work(X, **options):
    rule = new()._rule()
    return RandomFeatureLearner(
        rule, gaussian(0.5), X.shape[1], sparse=sparse.issparse(X), seed=1, **options
    )


def weights_and_scores(engine, learner, X, y, cuts=(), **options):
    scores = []
    for first, last in pairwise([0, *cuts, len(y)]):
        record = Record(last - first)
        engine(learner, X[first:last], y[first:last], record, **options)
        scores.append(record.scores)
    return learner.state.memory.weights.tolist(), np.concatenate(scores).tolist()


@over_storages
@over_streams
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_it_follows_the_paper(storage, stream, weighted, zero_score):
    X, y = stream()
    weights = np.random.default_rng(2).choice([0, 0.5, 1, 2], len(y)) if weighted else None
    model = new(zero_score=zero_score)
    trace = prequential(model, storage(X), y, classes=[-1, 1], sample_weight=weights)
    rounds, w = oracle.fourier_gradient_descent(
        [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)],
        model.frequencies_.astype(float),
        weights=weights,
        zero_score=zero_score,
    )
    np.testing.assert_array_equal(trace.mistakes, [r.mistake for r in rounds])
    np.testing.assert_array_equal(trace.updates, [r.update for r in rounds])
    np.testing.assert_allclose(trace.scores, [r.score for r in rounds], atol=1e-12)
    np.testing.assert_allclose(model.coef_[0], w, atol=1e-12)


@over_storages
@over_streams
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_length_of_blocks_changes_nothing_to_the_last_bit(storage, stream, dtype):
    X, y = stream()
    X = storage(X)
    expected = weights_and_scores(one_by_one, at_work(X, dtype=dtype), X, y)
    for length in (1, 7, 64, 300, None):
        learner = at_work(X, dtype=dtype)
        assert weights_and_scores(blocked, learner, X, y, length=length) == expected


@given(stream=tied_streams, cuts=st.lists(st.integers(0, 40), max_size=5))
def test_any_cut_changes_nothing_to_the_last_bit(stream, cuts):
    X, y = stream
    cuts = sorted(min(cut, len(y)) for cut in cuts)
    whole = weights_and_scores(one_by_one, at_work(X), X, y)
    assert weights_and_scores(blocked, at_work(X), X, y, cuts) == whole


def test_dense_and_sparse_rows_of_either_dtype_are_the_same_to_the_last_bit():
    X, y = wordy_stream()
    models = [
        new(dtype=dtype).fit(storage(X), y)
        for dtype in ("float64", "float32")
        for storage in (np.asarray, sparse.csr_array)
    ]
    assert len({model.coef_.tobytes() for model in models}) == 1
    assert len({model.decision_function(X).tobytes() for model in models}) == 1


def test_single_rows_are_the_same():
    X, y = gaussian_stream(length=60)
    rows, whole = new(), new().partial_fit(X, y)
    for x, label in zip(X, y, strict=True):
        rows.learn_one(x, label)
    assert rows.coef_.tobytes() == whole.coef_.tobytes()
    assert [rows.predict_one(x) for x in X] == whole.predict(X).tolist()


def test_its_features_are_those_of_the_kernel_on_average():
    X, _ = gaussian_stream(length=20)
    learner = RandomFeatureLearner(new(budget=20_000)._rule(), gaussian(0.5), 3, seed=0)
    phases = X @ learner.state.memory.frequencies
    Z = np.hstack([np.cos(phases), np.sin(phases)]) / np.sqrt(20_000)
    np.testing.assert_allclose(Z @ Z.T, gaussian(0.5)(X, X), atol=0.03)


def test_it_keeps_no_examples():
    X, y = gaussian_stream()
    model = new()
    trace = prequential(model, X, y)
    assert (trace.sizes == 0).all() and (trace.evicted == -1).all()
    assert model.support_vectors_.shape == (0, 3)
    assert model.dual_coef_.shape == (1, 0)
    assert model.frequencies_.shape == (7, 3)
    assert model.coef_.shape == (1, 14)


@over_storages
def test_what_it_keeps_has_the_same_number_of_bytes_from_the_first_example_on(storage):
    X, y = gaussian_stream()
    model, sizes = new(), set()
    for t in range(0, 300, 30):
        model.partial_fit(storage(X[t : t + 30]), y[t : t + 30], classes=[-1, 1])
        sizes.add(sum(array.nbytes for array in model._learner.state.memory))
    assert len(sizes) == 1
    assert len(pickle.dumps(model)) < sizes.pop() + 4000


def test_the_seed_decides_about_the_frequencies():
    X, y = gaussian_stream()
    one, same, other = (new(random_state=seed).fit(X, y) for seed in (0, 0, 1))
    assert one.coef_.tobytes() == same.coef_.tobytes()
    assert not np.isclose(one.frequencies_, other.frequencies_).any()


def test_prediction_changes_nothing():
    X, y = gaussian_stream()
    model = new().fit(X, y)
    before = [
        array.tobytes() for array in (*model._learner.state.memory, model._learner.state.counts)
    ]
    model.predict(X)
    assert [
        array.tobytes() for array in (*model._learner.state.memory, model._learner.state.counts)
    ] == before


def test_the_machines_of_all_classes_have_the_same_frequencies(tmp_path):
    X, y = gaussian_stream()
    y = np.where(X[:, 2] > 0.5, 2, y)
    named, late = new(), new()
    named.partial_fit(X, y, classes=[-1, 1, 2])
    late.partial_fit(X, y)
    late.save(tmp_path / "waves")
    for model in (named, late, budgetron.load(tmp_path / "waves")):
        first, *others = model._learner.machines
        assert all(
            other.state.memory.frequencies is first.state.memory.frequencies for other in others
        )
        assert model.coef_.shape == (3, 14)
        assert model.score(X, y) > 0.5


def test_a_saved_one_goes_on_bit_for_bit(tmp_path):
    X, y = gaussian_stream()
    model = new().partial_fit(X[:150], y[:150])
    model.save(tmp_path / "waves")
    loaded = budgetron.load(tmp_path / "waves")
    for each in (model, loaded):
        each.partial_fit(X[150:], y[150:])
    assert loaded.coef_.tobytes() == model.coef_.tobytes()
    assert loaded.decision_function(X).tobytes() == model.decision_function(X).tobytes()


@pytest.mark.parametrize("size", [0, 1e-170, 1e-12, 1e12, 1e100])
def test_it_ends_in_numbers_whatever_the_size_of_its_rows(size):
    X, y = tied_stream()
    model = new().fit(size * X, y)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.decision_function(size * X)).all()


def test_it_is_near_the_perceptron_of_the_kernel():
    X, y = gaussian_stream(length=3000)
    errors = [
        prequential(learner, X, y).mistakes.mean()
        for learner in (new(budget=200), Perceptron(gamma=0.5))
    ]
    assert errors[0] < errors[1]


@pytest.mark.parametrize("kernel", ["linear", "poly", linear(), lambda A, B: A @ B.T])
def test_another_kernel_is_refused(kernel):
    X, y = gaussian_stream()
    with pytest.raises(ValueError, match="Gaussian kernel alone"):
        new(kernel=kernel).fit(X, y)


def test_there_is_no_single_machine():
    X, y = gaussian_stream()
    with pytest.raises(ValueError, match="no single machine"):
        new(multi_class="single_machine").fit(X, y)
