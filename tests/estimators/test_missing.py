"""Values that are missing, and count as the center of their feature."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from budgetron import Budgetron, load, prequential
from budgetron.saving import SavedModelError
from estimators.learners import over_storages
from estimators.test_scikit_learn_checks import EVERY_LEARNER
from saving.tampering import changed

NAN = np.nan
RNG = np.random.default_rng(0)
TIME = np.array([0, 0, 0, 1e6, 0])
FULL = RNG.normal(size=(1200, 5)) * [1e-2, 1.0, 50.0, 1.0, 1.0] + TIME
y = np.where(FULL[:, 0] * FULL[:, 2] + (FULL[:, 1] > 0.5) > 0, "even", "odd")
MANY = np.array(["low", "middle", "high"])[np.digitize(FULL[:, 1], [-0.5, 0.5])]
X = np.where(RNG.random(FULL.shape) < 0.1, NAN, FULL)
X[:10, 4] = X[[1, 4, 9, 40]] = NAN  # a feature that comes late, and rows of nothing
SHORT = slice(0, 300)


def run_of(model):
    """All that can be seen of a learner."""
    scores = model.decision_function(X[SHORT])
    supports = sparse.csr_array(model.support_vectors_).toarray()
    counts = model.n_seen_, model.n_mistakes_, model.n_updates_
    return scores.tobytes(), supports.tobytes(), model.dual_coef_.tobytes(), counts


def test_by_hand():
    stream = np.array([[NAN, 2, NAN], [1, NAN, NAN], [3, 6, 0], [5, NAN, -8], [NAN, NAN, NAN]])
    learner = Budgetron(4, missing="center", scale="off").fit(stream[:2], [-1, 1])
    assert learner._learner.columns.center.tolist() == [1, 2, 0]
    learner.partial_fit(stream[2:], [1, -1, 1])
    columns = learner._learner.columns
    assert columns.center.tolist() == [3, 4, -4]
    assert columns.counts.tolist() == [2, 2, 2]  # a value that is missing does not differ
    first = next(gamma for gamma in learner.width_trust_ if gamma != "several")
    assert first == pytest.approx(1 / 22)  # 8, 32, 24, 4, 24, 32, 4, 72, 20, 20
    gap, center = learner.decision_function([[NAN, 7, NAN], [3, 7, -4]])
    assert gap == center
    assert learner.decision_function(np.full((1, 3), NAN)) == learner.decision_function(
        [[3, 4, -4]]
    )


@over_storages
@pytest.mark.parametrize("labels", [y, MANY], ids=["two classes", "three classes"])
@pytest.mark.parametrize("scale", ["auto", "off"])
def test_any_cut_gives_the_same_run(storage, labels, scale):
    rows, labels = X[SHORT] - (0 if scale == "auto" else TIME), labels[SHORT]
    new = {"scale": scale, "missing": "center"}
    whole = Budgetron(20, **new)
    trace = prequential(whole, storage(rows), labels)
    for size in (1, 7):
        cut = Budgetron(20, **new)
        for start in range(0, len(rows), size):
            here = slice(start, start + size)
            cut.partial_fit(storage(rows[here]), labels[here])
        assert cut.n_mistakes_ == whole.n_mistakes_
        assert cut.n_updates_ == whole.n_updates_
        np.testing.assert_allclose(
            cut.decision_function(rows), whole.decision_function(rows), atol=1e-9
        )
    single = Budgetron(20, **new).partial_fit(storage(rows[:1]), labels[:1])
    for t, x in enumerate(rows[1:], 1):
        if t > 20:
            assert single.predict_one(x) == trace.predictions[t]
        single.learn_one(x, labels[t])
    assert single.n_mistakes_ == whole.n_mistakes_
    np.testing.assert_allclose(
        single.decision_function(storage(rows)), whole.decision_function(rows), atol=1e-9
    )


@over_storages
@pytest.mark.parametrize("length", [1, 2, 4, 5, 9, 10, 57])
def test_what_was_kept_is_saved_and_goes_on_bit_for_bit(storage, length, tmp_path):
    learner = Budgetron(20, missing="center").partial_fit(storage(X[:length]), MANY[:length])
    learner.save(tmp_path / "kept.budgetron")
    others = load(tmp_path / "kept.budgetron"), pickle.loads(pickle.dumps(learner))
    for each in (learner, *others):
        each.partial_fit(storage(X[length:300]), MANY[length:300])
    for other in others:
        assert run_of(other) == run_of(learner)


@over_storages
def test_a_file_has_nothing_missing_without_leave(storage, tmp_path):
    path = tmp_path / "kept.budgetron"
    Budgetron(20, missing="center").partial_fit(storage(X[:7]), y[:7]).save(path)
    file = path.read_bytes()

    def without_leave(model, entries):
        model["learner"]["parameters"]["missing"] = "error"

    def infinite(model, entries):
        name = next(name for name in reversed(entries) if name.startswith("values"))
        np.frombuffer(entries[name]["bytes"])[0] = np.inf

    for change in (without_leave, infinite):
        path.write_bytes(changed(file, change))
        with pytest.raises(SavedModelError, match="examples are not all finite"):
            load(path)


def test_a_tenth_of_the_values_missing_does_little_harm():
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(4)]
    complete, gaps = (
        np.mean([prequential(clone(new), rows[o], y[o]).mistakes[400:].mean() for o in orders])
        for new, rows in ((Budgetron(60), FULL), (Budgetron(60, missing="center"), X))
    )
    assert complete < 0.15
    assert gaps < complete + 0.08
    assert gaps < 0.6 * min((y == "even").mean(), (y == "odd").mean())


def test_a_feature_that_is_never_there_changes_nothing():
    never = FULL[SHORT].copy()
    never[:, 4] = NAN
    learner = Budgetron(20, missing="center").fit(never, y[SHORT])
    without = Budgetron(20).fit(np.nan_to_num(never), y[SHORT])
    assert (
        learner.decision_function(never).tobytes()
        == without.decision_function(np.nan_to_num(never)).tobytes()
    )
    assert learner.scales_[4] == 1
    assert np.isfinite(learner.support_vectors_).all()


def test_rows_of_nothing_are_learned_by_their_labels():
    nothing = np.full((60, 3), NAN)
    for rows in (nothing, sparse.csr_array(nothing)):
        learner = Budgetron(10, missing="center").fit(rows, np.resize([-1, 1, 1], 60))
        assert learner.predict(rows[:1]) == [1]
        assert np.isfinite(learner.decision_function(rows)).all()


@over_storages
def test_without_leave_nothing_may_be_missing(storage):
    learner = Budgetron(20)
    for length in (1, 9, 40):
        learner.fit(storage(FULL[:length]), MANY[:length])
        before = run_of_full(learner)
        for use in (
            lambda model: model.partial_fit(storage(X[:20]), MANY[:20]),
            lambda model: model.learn_one(X[4], "low"),
            lambda model: model.predict_one(X[4]),
            lambda model: model.predict(storage(X[:20])),
        ):
            with pytest.raises(ValueError, match=re.escape('NaN; missing="center"')):
                use(learner)
        assert run_of_full(learner) == before
    with pytest.raises(ValueError, match="NaN"):
        Budgetron(20).fit(storage(X), y)


def run_of_full(model):
    return model.decision_function(FULL[SHORT]).tobytes(), model.n_seen_, pickle.dumps(model)


@over_storages
def test_infinite_values_are_refused(storage):
    wrong = X[:3].copy()
    wrong[1, 2] = np.inf
    for length in (0, 1, 9, 40):
        learner = Budgetron(20, missing="center")
        if length > 0:
            learner.fit(storage(X[:length]), y[:length])
            with pytest.raises(ValueError, match="infinity"):
                learner.learn_one(wrong[1], "odd")
            with pytest.raises(ValueError, match="infinity"):
                learner.predict_one(wrong[1])
        with pytest.raises(ValueError, match="infinity"):
            learner.partial_fit(storage(wrong), y[:3])


@pytest.mark.parametrize(
    "given", [{"gamma": 1.0}, {"gamma": "scale"}, {"kernel": "linear"}, {"kernel": "poly"}], ids=str
)
def test_a_kernel_that_is_given_has_no_center(given):
    for rows in (X, FULL):
        with pytest.raises(ValueError, match=r"automatic width.*imputer"):
            Budgetron(20, missing="center", **given).fit(rows, y)


def test_there_is_no_third_way():
    with pytest.raises(ValueError, match="missing"):
        Budgetron(missing="mean").fit(FULL, y)


def test_frames_and_lists_and_other_numbers():
    small = np.round(X[SHORT, 1:3])
    frame = pd.DataFrame(small, columns=["a", "b"])
    objects = np.where(np.isnan(small), None, small)
    expected = Budgetron(20, missing="center").fit(small, y[SHORT]).decision_function(small)
    for rows in (frame, frame.astype("Int64"), objects, small.astype(np.float32)):
        scores = Budgetron(20, missing="center").fit(rows, y[SHORT]).decision_function(rows)
        assert scores.tobytes() == expected.tobytes()


def test_float32_rows_have_the_same_centers_however_they_come():
    raw = X[SHORT].astype(np.float32)
    whole = Budgetron(20, missing="center").fit(raw, y[SHORT])
    rows = Budgetron(20, missing="center").partial_fit(raw[:1], y[:1])
    for x, label in zip(raw[1:], y[1:300], strict=True):
        rows.learn_one(x, label)
    np.testing.assert_array_equal(rows._learner.columns.center, whole._learner.columns.center)
    np.testing.assert_allclose(rows.decision_function(raw), whole.decision_function(raw), atol=1e-9)


def test_scikit_learn_knows():
    assert Budgetron(missing="center").__sklearn_tags__().input_tags.allow_nan
    assert not Budgetron().__sklearn_tags__().input_tags.allow_nan
    how = {"expected_failed_checks": EVERY_LEARNER, "on_skip": None}
    check_estimator(Budgetron(missing="center"), **how)
