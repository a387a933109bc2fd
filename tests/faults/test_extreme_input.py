"""Finite input of any size: learned from without a warning, or refused; and whatever was learned
can be saved, loaded and gone on with.
"""

import math

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import budgetron
from budgetron.core import allocation
from budgetron.core.kernel import OwnKernel, diagonal_value, scale_gamma
from budgetron.kernels import linear, polynomial
from covering import covering, naming
from estimators.learners import KINDS, over_learners, small
from laws.learners import LEARNERS, ONE_OF_EACH_KIND, over

ROWS = np.random.default_rng(0).normal(size=(24, 3))
LABELS = {"two": (ROWS[:, 0] * ROWS[:, 1] > 0).astype(int), "three": np.arange(24) % 3}
SIZES = np.random.default_rng(1).uniform(-1, 1, size=(24, 1))


def after(first):
    """A stream whose first row is of another size than all others."""
    return np.vstack([first * ROWS[:1], ROWS[1:]])


STREAMS = {
    "zeros": 0 * ROWS,
    "subnormal": 5e-324 * np.sign(ROWS) * (1 + np.arange(24) % 7)[:, None],
    "squares that are 0": 1e-200 * ROWS,
    "squares that are subnormal": 1e-160 * ROWS,
    "squares without an inverse": 1e-155 * ROWS,
    "small": 1e-40 * ROWS,
    "large": 1e40 * ROWS,
    "huge": 1e100 * ROWS,
    "a first row of 1e-160": after(1e-160),
    "a first row of 1e-80": after(1e-80),
    "a first row of 1e-30": after(1e-30),
    "one row, over and over": np.tile(ROWS[:1], (24, 1)),
    "of all sizes": ROWS * 10 ** (60 * SIZES),
    "of all sizes below 1": ROWS * 10 ** (160 * (SIZES - 1)),
}
KERNELS = {
    "linear": {"kernel": "linear"},
    "normalized": {"kernel": "linear", "normalize": True},
    "poly": {"kernel": "poly", "gamma": 0.5},
    "rbf": {"kernel": "rbf", "gamma": 0.5},
    "rbf, scale": {"kernel": "rbf"},
}
OWN = {
    "own": {"kernel": lambda A, B: A @ B.T},
    "own, normalized": {"kernel": lambda A, B: A @ B.T, "normalize": True},
}
WEIGHTS = {
    "none": None,
    "largest": np.full(24, 1e12),
    "smallest": np.full(24, 5e-324),
    "of all sizes": 10 ** np.random.default_rng(2).uniform(-300, 12, 24),
    "ten": np.full(24, 10.0),
}


def learns(model, X, y, weights, saved_at=None):
    """Let a model learn in every way; False if it refuses to begin."""
    weights = np.ones(24) if weights is None else weights
    with np.errstate(all="raise", under="ignore"):
        try:
            model.partial_fit(X[:12], y[:12], [*range(max(y) + 1)], weights[:12])
        except ValueError as error:
            if "too large for" not in str(error):
                raise
            return False
        model.partial_fit(X[12:20], y[12:20], sample_weight=weights[12:20])
        for x, label, weight in zip(X[20:], y[20:].tolist(), weights[20:].tolist(), strict=True):
            model.learn_one(x, label, sample_weight=weight)
        scores = model.decision_function(X)
        assert np.isfinite(scores).all()
        assert np.isfinite(model.predict_proba(X)).all()
    if saved_at is not None:
        model.save(saved_at)
        loaded = budgetron.load(saved_at)
        assert loaded.decision_function(X).tobytes() == scores.tobytes()
        assert np.isfinite(loaded.partial_fit(X, y).decision_function(X)).all()
    return True


@over(LEARNERS)
def test_whatever_is_accepted_is_learned_saved_and_gone_on_with(case, tmp_path):
    refused = 0
    kernels = KERNELS if case.keeps_examples else {"rbf, scale": KERNELS["rbf, scale"]}
    shift = LEARNERS.index(case)
    choices = covering(shift, rows=STREAMS, kernel=kernels, weights=WEIGHTS, labels=LABELS)
    for place, choice in enumerate(choices):
        with naming(choice):
            model = case.estimator(**case.parameters, **kernels[choice["kernel"]], probability=True)
            X, y = STREAMS[choice["rows"]], LABELS[choice["labels"]]
            # a file takes as long as all the rest: other choices of it for other learners
            path = tmp_path / "model" if (place + shift) % 3 == 0 else None
            refused += not learns(model, X, y, WEIGHTS[choice["weights"]], path)
    assert refused < 20


@over([case for case in ONE_OF_EACH_KIND if case.keeps_examples])
def test_an_own_kernel_is_learned_with_without_a_warning(case):
    shift = LEARNERS.index(case)
    for choice in covering(shift, rows=STREAMS, kernel=OWN, labels=LABELS):
        with naming(choice):
            model = case.estimator(**case.parameters, **OWN[choice["kernel"]], probability=True)
            X, y = STREAMS[choice["rows"]], LABELS[choice["labels"]]
            assert learns(model, X, y, None)


OTHERS = {
    "threshold": lambda: budgetron.DriftingThreshold(feature=0),
    "experts": lambda: budgetron.RestartingExperts(
        [budgetron.Perceptron(kernel="linear"), budgetron.Forgetron(kernel="linear", budget=5)],
        restart_every=5,
    ),
    "whitened": lambda: budgetron.WhitenedPerceptron(kernel="linear"),
    "whitened in another space": lambda: budgetron.WhitenedPerceptron(),
}
LARGER = {"too large": 1e300 * ROWS, "the largest there are": np.copysign(1.7e308, ROWS)}


@pytest.mark.parametrize("make", OTHERS.values(), ids=OTHERS)
def test_what_is_no_rule_and_kernel_does_the_same(make, tmp_path):
    refused, streams, y = [], STREAMS | LARGER, LABELS["two"]
    for choice in covering(0, rows=streams, weights=WEIGHTS):
        X, weights = streams[choice["rows"]], WEIGHTS[choice["weights"]]
        with naming(choice), np.errstate(over="raise", divide="raise"):
            try:
                model = make().fit(X, y, weights)
            except ValueError as error:
                if not any(words in str(error) for words in ("too large for", "all are zero")):
                    raise
                refused.append(choice["rows"])
                continue
            scores = model.decision_function(X)
            assert np.isfinite(scores).all()
            model.save(tmp_path / "model")
            assert budgetron.load(tmp_path / "model").decision_function(X).tobytes() == (
                scores.tobytes()
            )
    assert {*refused} < {*streams}


def test_the_whitened_perceptron_predicts_single_rows_as_it_does_many():
    for kernel in ("linear", "rbf"):
        model = budgetron.WhitenedPerceptron(kernel=kernel, probability=True)
        model.fit(ROWS, LABELS["two"])
        assert [model.predict_one(x) for x in ROWS] == model.predict(ROWS).tolist()
        chances = [[*model.predict_proba_one(x).values()] for x in ROWS]
        np.testing.assert_allclose(chances, model.predict_proba(ROWS), rtol=1e-9)
        assert not hasattr(model, "learn_one")


# --------------------------------------------------------------------------- what is too small


def test_a_length_that_cannot_be_divided_by_is_that_of_a_zero_row():
    for kernel in (linear(), linear(normalize=True), OwnKernel(np.dot)):
        for square in (5e-324, 1e-320, 1e-300, 1e-181):
            assert diagonal_value(kernel, square) == 0
        assert diagonal_value(kernel, 1e-180) > 0
    assert diagonal_value(polynomial(3, 1.0, 0.0), 1e-70) == 0
    own = OwnKernel(lambda A, B: A @ B.T, normalize=True)
    tiny = np.array([[1e-160], [1.0]])
    assert own(tiny, tiny).tolist() == [[0, 0], [0, 1]]
    assert own.diagonal(tiny).tolist() == [0, 1]


@pytest.mark.parametrize("size", [0.0, 5e-324, 1e-200, 1e-160, 1e-155])
def test_the_scale_of_a_row_without_one_is_that_of_a_row_of_zeros(size):
    assert scale_gamma(size * size, 3) == 1 / 3
    assert scale_gamma(math.inf, 3) > 0
    X, y = after(size), LABELS["two"]
    model = budgetron.Perceptron().fit(X, y)
    assert model._learner.kernel == budgetron.Perceptron(gamma=1 / 3).fit(X, y)._learner.kernel


def test_a_row_of_no_length_leaves_a_linear_learner_as_it_was():
    for learner in (budgetron.PassiveAggressive, budgetron.ModifiedPerceptron):
        model = learner(kernel="linear").fit(ROWS, LABELS["two"])
        before = model.dual_coef_.tolist()
        model.partial_fit(1e-160 * ROWS, 1 - LABELS["two"])
        assert model.dual_coef_.tolist() == before


def test_random_features_say_that_gamma_is_too_large():
    with pytest.raises(ValueError, match="gamma=1e\\+80 is too large for random features"):
        budgetron.FourierGradientDescent(gamma=1e80).fit(ROWS, LABELS["two"])


# --------------------------------------------------------------------------------- weights


@over_learners
def test_weights_beyond_the_largest_are_refused_and_nothing_changes(learner):
    model = small(learner).fit(ROWS, LABELS["two"])
    before = model.n_seen_, model.decision_function(ROWS).tobytes()
    for weight in (1.1e12, 1e308):
        with pytest.raises(ValueError, match="1e\\+12"):
            model.partial_fit(ROWS[:1], [0], sample_weight=[weight])
        with pytest.raises(ValueError, match="1e\\+12"):
            model.learn_one(ROWS[0], 0, sample_weight=weight)
    assert (model.n_seen_, model.decision_function(ROWS).tobytes()) == before
    with pytest.raises(ValueError, match="at most 1e\\+12"):
        small(learner, class_weight={0: 1e13}).fit(ROWS, LABELS["two"])


@pytest.mark.parametrize("weight", [3.0, 1e12])
@pytest.mark.parametrize("learner", [budgetron.PassiveAggressive, budgetron.PassiveAggressiveII])
def test_steps_that_grow_for_ever_end_in_numbers(learner, weight, tmp_path):
    X, y = np.ones((3000, 2)), np.arange(3000) % 2
    model = learner(kernel="linear").fit(X, y, sample_weight=np.full(3000, weight))
    assert 1e90 < abs(model.decision_function(X[:1])[0]) < math.inf
    assert model.n_seen_ == 3000 and np.isfinite(model.dual_coef_).all()
    model.save(tmp_path / "model")
    budgetron.load(tmp_path / "model").partial_fit(X, y)


# ----------------------------------------------------------------------------- too much to hold

BEYOND = [
    lambda: budgetron.FourierGradientDescent(budget=10**12),
    lambda: budgetron.FourierGradientDescent(budget=10**15),
    lambda: budgetron.NystromGradientDescent(budget=10**13),
]


@pytest.mark.parametrize("make", BEYOND)
def test_what_no_machine_can_hold_is_refused_by_its_size(make):
    model = make()
    with pytest.raises(MemoryError, match=r"[0-9,]{15,} bytes"):
        model.fit(ROWS, LABELS["two"])
    assert not model.__sklearn_is_fitted__()
    with pytest.raises(NotFittedError):
        model.predict(ROWS)


GROWING = [
    *(budgetron.Projectron, budgetron.Budgetron, budgetron.BudgetPerceptron),
    *(budgetron.Ahpatron, budgetron.LeastRecentBudgetSecondOrderPerceptron),
]


@pytest.mark.parametrize("learner", GROWING)
def test_a_large_budget_that_is_not_filled_is_no_large_matrix(learner):
    model = learner(budget=10**7, gamma=0.5).fit(ROWS, LABELS["two"])
    assert model.support_vectors_.shape[0] <= 24


@pytest.mark.parametrize("learner", GROWING)
def test_a_matrix_that_no_longer_fits_is_refused_and_what_was_learned_stays(learner, monkeypatch):
    model = learner(budget=10**7, gamma=0.5).fit(ROWS, LABELS["two"])
    before = model.n_seen_, model.decision_function(ROWS).tobytes()
    monkeypatch.setattr(allocation, "machine_memory", lambda: 100_000)
    more = np.random.default_rng(3).normal(size=(500, 3))
    with pytest.raises(MemoryError, match="and the memory is 100,000 bytes"):
        model.partial_fit(more, np.arange(500) % 2)
    monkeypatch.undo()
    assert model.n_seen_ >= before[0]
    assert np.isfinite(model.partial_fit(more, np.arange(500) % 2).decision_function(ROWS)).all()


def test_the_memory_is_that_of_the_machine_or_less():
    memory = allocation.machine_memory()
    assert memory > 2**24
    assert isinstance(memory, int) or memory == math.inf


# ------------------------------------------------------------------------- before anything is known


@pytest.mark.parametrize("learner", [*KINDS, budgetron.WhitenedPerceptron])
@pytest.mark.parametrize("ask", ["predict_one", "predict_proba_one"])
def test_one_cannot_ask_before_anything_is_learned(learner, ask):
    with pytest.raises(NotFittedError, match=f"This {learner.__name__} instance is not fitted yet"):
        getattr(small(learner, probability=True), ask)(ROWS[0])
