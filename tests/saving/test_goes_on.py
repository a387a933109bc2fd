"""A learner from a file goes on bit for bit as if it had never been saved."""

import random
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import budgetron
from budgetron.core.rule import contract
from budgetron.kernels import polynomial
from covering import across
from estimators.learners import small, storages
from saving.models import LEARNERS, Way, experts, facts, go_on, saved, with_kernel

LENGTH = 160


def go_on_both_ways(model, way, directory, seed):
    """Learn a random stream, saving at random points; and the same without."""
    rng = random.Random(f"{seed} {way}")
    X, y, weights = way.stream(LENGTH, rng.randrange(2**31))
    cuts = sorted({0, *rng.sample(range(1, LENGTH), 4), LENGTH})
    cuts[1] = rng.choice((cuts[1], 1))  # a single class so far, perhaps
    other = saved(model, directory)
    for first, last in pairwise(cuts):
        go_on(model, X, y, weights, first, last)
        go_on(other, X, y, weights, first, last)
        other = saved(other, directory)
        assert facts(other) == facts(model)
    assert other.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    if hasattr(model, "predict_proba"):
        assert other.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


@across(
    LEARNERS,
    "learner",
    storage=lambda learner: [*storages(learner)],
    classes=(2, 3),
    class_weight={"plain": None, "balanced": "balanced", "given": {"no": 2.0, "maybe": 0.5}},
    weighted=(False, True),
)
def test_every_learner_goes_on_bit_for_bit(
    learner, storage, classes, class_weight, weighted, tmp_path
):
    way = Way(storage, "float64", classes, weighted)
    model = with_kernel(learner, way, class_weight=class_weight, probability=bool(class_weight))
    go_on_both_ways(model, way, tmp_path, 0)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_float32_goes_on_bit_for_bit(storage, tmp_path):
    way = Way(storage, "float32", classes=3)
    go_on_both_ways(
        with_kernel(budgetron.Forgetron, way, probability=True), way, tmp_path, "float32"
    )


SINGLE = [
    learner for learner in LEARNERS
    if contract(learner()._rule()).multiclass
]  # fmt: skip


@pytest.mark.parametrize(
    ("learner", "storage"),
    [*((learner, "dense") for learner in SINGLE), (budgetron.Forgetron, "sparse")],
)
def test_single_machines_go_on_bit_for_bit(learner, storage, tmp_path):
    for classes in (2, 3):
        way = Way(storage, classes=classes, weighted=classes == 3)
        model = with_kernel(learner, way, multi_class="single_machine", probability=True)
        go_on_both_ways(model, way, tmp_path, classes)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_machines_on_common_supports_go_on_bit_for_bit(storage, tmp_path):
    way = Way(storage, classes=3, weighted=True)
    parameters = {"multi_class": "shared", "probability": True}
    model = with_kernel(budgetron.ProjectronPlusPlus, way, **parameters)
    go_on_both_ways(model, way, tmp_path, "shared")


@pytest.mark.parametrize("evict", ["random", "oldest"])
def test_forgetting_modified_perceptrons_go_on_bit_for_bit(evict, tmp_path):
    model = small(budgetron.ModifiedPerceptron, evict=evict)
    go_on_both_ways(model, Way(), tmp_path, evict)


@pytest.mark.parametrize(
    "parameters",
    [
        {"kernel": "linear"},
        {"kernel": "poly", "degree": 2, "coef0": 1.0, "normalize": True},
        {"kernel": polynomial(2, 0.5, 1.0)},
        {"random_state": np.random.RandomState(5)},
        {"gamma": np.float64(0.3), "degree": np.int64(2), "kernel": np.str_("poly")},
    ],
    ids=["linear", "normalised", "object", "generator", "numpy"],
)
@pytest.mark.parametrize(
    "learner",
    [budgetron.RandomizedBudgetPerceptron, budgetron.SecondOrderPerceptron],
)
def test_parameters_of_all_kinds_are_saved(learner, parameters, tmp_path):
    model = with_kernel(learner, Way(), **parameters)
    model.set_params(
        **{name: getattr(v, "item", lambda v=v: v)() for name, v in parameters.items()}
    )
    go_on_both_ways(model, Way(), tmp_path, "parameters")
    X, y, _ = Way().stream(50, 1)
    assert facts(saved(model, tmp_path).fit(X, y)) == facts(model.fit(X, y))


def test_infinite_rule_parameters_are_saved(tmp_path):
    model = budgetron.ProjectronPlusPlus(eta=0.0, gamma=0.5, random_state=0)
    go_on_both_ways(model, Way(), tmp_path, "infinite")
    assert model._learner.rule.competitor == np.inf


def test_averages_go_on(tmp_path):
    go_on_both_ways(
        budgetron.Perceptron(gamma=0.5, average=True, random_state=0), Way(), tmp_path, "average"
    )


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_experts_go_on_bit_for_bit(storage, tmp_path):
    for seed in range(3):
        go_on_both_ways(experts(), Way(storage, weighted=seed == 2), tmp_path, seed)


def test_default_experts_go_on_bit_for_bit(tmp_path):
    go_on_both_ways(budgetron.RestartingExperts(random_state=0), Way(), tmp_path, "default")


def test_an_expert_that_stays_as_it_is_may_be_a_learner(tmp_path):
    X, y, _ = Way().stream(100, 0)
    fixed = [small(budgetron.Forgetron).fit(X, y), budgetron.WhitenedPerceptron().fit(X, y)]
    model = budgetron.RestartingExperts([*fixed, small(budgetron.Perceptron)], random_state=0)
    other = saved(model.partial_fit(X[:50], y[:50]), tmp_path)
    assert facts(other) == facts(model)
    assert facts(other.partial_fit(X[50:], y[50:])) == facts(model.partial_fit(X[50:], y[50:]))


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_thresholds_go_on_bit_for_bit(storage, tmp_path):
    for seed in range(3):
        model = budgetron.DriftingThreshold(feature=seed, gamma=0.05)
        go_on_both_ways(model, Way(storage, weighted=seed == 2), tmp_path, seed)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_whitened_perceptrons_predict_bit_for_bit(storage, classes, dtype, tmp_path):
    X, y, weights = Way(storage, classes=classes).stream(60, 0)
    model = budgetron.WhitenedPerceptron(gamma=0.5, probability=True)
    model.fit(X.astype(dtype), y, weights)
    other = saved(model, tmp_path)
    assert facts(other) == facts(model)
    assert other.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert other.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    again = [one.fit(X, y).decision_function(X).tobytes() for one in (model, other)]
    assert again[0] == again[1]


def test_a_learner_that_was_fitted_before_forgets_in_a_file_too(tmp_path):
    X, y, _ = Way().stream(60, 0)
    model = small(budgetron.Forgetron).fit(X, np.zeros(60)).fit(X, y)
    other = saved(model, tmp_path)
    assert facts(go_on(other, X, y, np.ones(60), 0, 60)._learner) == facts(
        go_on(model, X, y, np.ones(60), 0, 60)._learner
    )


def test_single_rows_go_on(tmp_path):
    X, y, _ = Way(classes=3).stream(100, 0)
    model = small(budgetron.Forgetron, probability=True)
    for x, label in zip(X[:50], y[:50], strict=True):
        model.learn_one(x, label)
    other = saved(model, tmp_path)
    for x, label in zip(X[50:], y[50:], strict=True):
        assert other.predict_proba_one(x) == model.predict_proba_one(x)
        assert other.predict_one(x) == model.predict_one(x)
        model.learn_one(x, label)
        other.learn_one(x, label)
    assert facts(other) == facts(model)


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 5],
        [-1.0, 0.0, 2.0],
        np.array([-1, 0, 1], np.int8),
        np.array([0, 1, 2**63], np.uint64),
        np.array([0, 1, 3], np.float32),
        [False, True],
        ["a", "ä", "\U0001f600 ' \" \\ \n"],
        np.array(["a", "b"], "U20"),
        np.array(["a", "b"], "U3000"),
        np.array(["one", "two"], object),
        np.array(["", " "], object),
    ],
    ids=str,
)
def test_labels_of_all_kinds_are_saved(labels, tmp_path):
    labels = np.asarray(labels)
    X, y = np.arange(30.0)[:, None] % 7, labels[np.arange(30) % len(labels)]
    model = small(budgetron.Forgetron).partial_fit(X, y)
    other = saved(model, tmp_path)
    assert other.classes_.tolist() == model.classes_.tolist()
    assert [*map(type, other.classes_.tolist())] == [*map(type, model.classes_.tolist())]
    if labels.dtype != "U3000":
        assert other.classes_.dtype == model.classes_.dtype
    assert other._codes == model._codes
    assert facts(other.partial_fit(X, y)._learner) == facts(model.partial_fit(X, y)._learner)


def test_named_classes_stay_closed(tmp_path):
    model = small(budgetron.Forgetron).partial_fit([[0.0]], ["a"], classes=["a", "b", "c"])
    with pytest.raises(ValueError, match="not one of the classes"):
        saved(model, tmp_path).partial_fit([[0.0]], ["d"])


def test_the_names_of_features_are_saved(tmp_path):
    frame = pd.DataFrame(np.eye(3), columns=["a", "b", "ü"])
    model = small(budgetron.Forgetron).fit(frame, [0, 1, 1])
    other = saved(model, tmp_path)
    assert other.feature_names_in_.tolist() == ["a", "b", "ü"]
    assert facts(other) == facts(model)
    with pytest.raises(ValueError, match="feature names should match"):
        other.predict(frame.rename(columns={"a": "z"}))


def test_notes_are_kept(tmp_path):
    notes = {"rows": 17, "plan": {"columns": ["a", None, True, 0.1], "ü": "\ud800"}, "": []}
    assert facts(saved(budgetron.Forgetron(), tmp_path, notes)) == facts(budgetron.Forgetron())


def test_the_same_learner_is_the_same_file(tmp_path):
    X, y, _ = Way().stream(60, 0)
    for name in ("a", "b"):
        small(budgetron.Forgetron).fit(X, y).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "learner", [getattr(budgetron, name)() for name in budgetron.__all__ if name[0].isupper()
                and hasattr(getattr(budgetron, name), "save")], ids=lambda one: type(one).__name__
)  # fmt: skip
def test_every_learner_that_has_learned_nothing_is_saved(learner, tmp_path):
    assert facts(saved(learner, tmp_path)) == facts(learner)


def test_a_learner_that_was_given_nonsense_is_saved_as_long_as_it_has_not_begun(tmp_path):
    learner = budgetron.Forgetron(gamma=float("inf"), coef0=float("nan"), degree="three")
    assert facts(saved(learner, tmp_path)) == facts(learner)


def test_a_parameter_that_did_not_exist_yet_has_its_default(tmp_path, monkeypatch):
    model = small(budgetron.Forgetron).fit([[0.0], [1.0]], [0, 1])
    path = tmp_path / "old.budgetron"
    with monkeypatch.context() as patch:
        patch.setattr(budgetron.Forgetron, "get_params", lambda self, deep=True: {"budget": 10})
        model.save(path)
    assert budgetron.load(path).probability is False
