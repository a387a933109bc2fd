"""The automatic width: chosen on the first hundred examples, however these arrive."""

import numpy as np
import pytest
from scipy import sparse

from budgetron import Budgetron, load, prequential
from budgetron.kernels import gaussian
from estimators.learners import over_storages

RNG = np.random.default_rng(0)
X = 50 + 3 * RNG.normal(size=(400, 4))
y = np.where((X[:, 0] - 50) * (X[:, 1] - 50) > 0, "even", "odd")
MANY = np.array(["low", "middle", "high"])[np.digitize(X[:, 0], [48, 52])]


def width_of(rows):
    distances = ((rows[:, None] - rows[None]) ** 2).sum(axis=2)
    return 1 / distances[~np.eye(len(rows), dtype=bool)].mean()


@over_storages
def test_the_width_is_one_over_the_mean_squared_distance(storage):
    learner = Budgetron(30).partial_fit(storage(X[:9]), y[:9])
    assert learner._learner.kernel.norms == pytest.approx(-1 / (X[0] @ X[0]))
    for first, last in ((9, 10), (10, 99), (99, 100), (100, 400)):
        learner.partial_fit(storage(X[first:last]), y[first:last])
        wanted = width_of(X[: 10 if last < 100 else 100])
        expected = gaussian(wanted)
        assert learner._learner.kernel.norms == pytest.approx(expected.norms, rel=1e-9)


@over_storages
@pytest.mark.parametrize("labels", [y, MANY], ids=["two classes", "three classes"])
@pytest.mark.parametrize("cuts", [(1, 2, 50, 120), (10, 100), (99, 101)])
def test_any_cut_gives_the_same_run(storage, labels, cuts):
    whole, cut = Budgetron(20, probability=True), Budgetron(20, probability=True)
    trace = prequential(whole, storage(X), labels)
    parts = [
        prequential(cut, storage(X[first:last]), labels[first:last])
        for first, last in zip((0, *cuts), (*cuts, len(y)), strict=True)
    ]
    mistakes = np.concatenate([part.mistakes for part in parts])
    if labels is y:
        np.testing.assert_array_equal(mistakes, trace.mistakes)
    assert cut.n_updates_ == whole.n_updates_
    np.testing.assert_allclose(cut.decision_function(X), whole.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(cut.predict_proba(X), whole.predict_proba(X), atol=1e-6)


def test_single_rows_give_the_same_run():
    whole, rows = Budgetron(20), Budgetron(20)
    trace = prequential(whole, X, y)
    mistakes = 0
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        mistakes += t > 0 and rows.predict_one(x) != label
        rows.learn_one(x, label)
    assert rows.n_mistakes_ == whole.n_mistakes_ == trace.mistakes.sum()
    assert abs(mistakes - whole.n_mistakes_) <= 2  # while one class alone is known
    np.testing.assert_allclose(rows.decision_function(X), whole.decision_function(X), atol=1e-9)


def test_it_learns_where_the_width_of_the_first_row_is_far_off():
    mistakes = {
        gamma: prequential(Budgetron(30, gamma=gamma), X, y).mistakes[200:].mean()
        for gamma in ("auto", "scale")
    }
    assert mistakes["auto"] < 0.2 < 0.3 < mistakes["scale"]


@over_storages
@pytest.mark.parametrize("length", [1, 5, 10, 57, 99, 100, 150])
def test_a_warm_up_is_saved_and_goes_on_bit_for_bit(storage, length, tmp_path):
    learner = Budgetron(20).partial_fit(storage(X[:length]), y[:length])
    learner.save(tmp_path / "warm_up.budgetron")
    again = load(tmp_path / "warm_up.budgetron")
    for each in learner, again:
        each.partial_fit(storage(X[length:]), y[length:])
    assert again.decision_function(X).tobytes() == learner.decision_function(X).tobytes()
    assert again.n_mistakes_ == learner.n_mistakes_


def test_rows_that_are_all_the_same_leave_the_width_as_it_is():
    rows, labels = np.ones((150, 3)), np.where(np.arange(150) % 3 == 0, 1, -1)
    learner = Budgetron(10).fit(rows, labels)
    assert learner._learner.kernel == Budgetron(10, gamma="scale").fit(rows, labels)._learner.kernel


@pytest.mark.parametrize("kernel", ["linear", "poly", lambda A, B: A @ B.T])
def test_other_kernels_have_no_warm_up(kernel):
    learner = Budgetron(10, kernel=kernel).partial_fit(X[:20], y[:20])
    assert learner._warm_up is None


def test_names_of_features_and_named_classes_survive_the_warm_up():
    import pandas as pd

    frame = pd.DataFrame(X, columns=list("abcd"))
    learner = Budgetron(10).partial_fit(frame[:120], y[:120], classes=["even", "odd", "strange"])
    assert learner.feature_names_in_.tolist() == list("abcd")
    assert learner.classes_.tolist() == ["even", "odd", "strange"]
    with pytest.raises(ValueError, match="not one of the classes"):
        learner.partial_fit(frame[120:130], ["other"] * 10)


def test_a_warm_up_keeps_copies():
    rows = X[:50].copy()
    learner = Budgetron(20).partial_fit(rows, y[:50])
    rows[:] = 0
    learner.partial_fit(X[50:], y[50:])
    expected = Budgetron(20).fit(X, y).decision_function(X)
    np.testing.assert_allclose(learner.decision_function(X), expected, atol=1e-9)


def test_a_sparse_warm_up_is_stored_sparse():
    wide = sparse.csr_array((np.ones(3), ([0, 1, 2], [5, 70_000, 9])), shape=(3, 100_000))
    learner = Budgetron(20).partial_fit(wide, [0, 1, 0])
    assert sparse.issparse(learner._warm_up.joined()[0])
