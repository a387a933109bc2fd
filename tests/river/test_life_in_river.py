"""In pipelines, evaluations, wrappers, pickles and clones."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from river import (
    bandit,
    compose,
    datasets,
    drift,
    ensemble,
    evaluate,
    metrics,
    model_selection,
    multiclass,
    preprocessing,
)
from river import feature_extraction as fx

import budgetron
from budgetron import river
from river_kinds import over_kinds
from river_learners import dicts, knowledge, learned, small, stream

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def phishing(model, metric=None, **options):
    metric = metric or metrics.Accuracy()
    return evaluate.progressive_val_score(datasets.Phishing(), model, metric, **options).get()


def test_a_scaler_comes_before_it():
    assert phishing(preprocessing.StandardScaler() | river.Forgetron(budget=100)) > 0.84


def test_a_union_of_transformers_comes_before_it():
    features = compose.TransformerUnion(
        compose.Select("age_of_domain", "https") | preprocessing.MinMaxScaler(),
        preprocessing.StandardScaler(),
    )
    assert phishing(features | river.Projectron(budget=100)) > 0.8


def test_words_are_its_features():
    model = fx.BagOfWords() | river.PassiveAggressiveI(kernel="linear")
    for text, label in [("cheap pills", 1), ("see you", 0), ("pills now", 1), ("you too", 0)] * 3:
        model.learn_one(text, label)
    assert model.predict_one("pills") == 1
    assert model.predict_one("you unknown") == 0


def test_weights_are_passed_on():
    def weighted():
        for i, (x, y) in enumerate(datasets.Phishing()):
            yield x, y, {"w": 2.0 if i % 2 else 0.0}

    model, same = (river.PassiveAggressiveII(C=0.1, seed=0) for _ in range(2))
    evaluate.progressive_val_score(weighted(), model, metrics.Accuracy())
    for x, y, given in weighted():
        same.learn_one(x, y, **given)
    assert knowledge(model) == knowledge(same)
    other = river.PassiveAggressiveII(C=0.1)
    phishing(other)
    assert other.estimator.n_updates_ > model.estimator.n_updates_


def test_labels_may_be_late():
    model = river.RandomizedBudgetPerceptron(seed=0)
    assert phishing(model, delay=20) > 0.7


def test_probabilities_are_scored():
    model = preprocessing.StandardScaler() | river.Projectron(budget=100, probability=True)
    assert phishing(model, metrics.LogLoss()) < 0.45
    assert phishing(model.clone(), metrics.ROCAUC()) > 0.9


def test_a_detector_may_start_it_anew():
    model = drift.DriftRetrainingClassifier(
        river.Forgetron(budget=50, probability=True), drift_detector=drift.binary.DDM()
    )
    assert phishing(model) > 0.75


def test_adwin_hears_of_its_mistakes():
    model, detector, heard = river.Projectron(budget=30), drift.ADWIN(), []
    rng = np.random.default_rng(0)
    for t in range(3000):
        x = {"a": rng.normal(), "b": rng.normal()}
        y = (x["a"] > 0) == (t < 1500)
        detector.update(int(model.predict_one(x) != y))
        model.learn_one(x, y)
        if detector.drift_detected:
            heard.append(t)
    assert any(1500 < t < 2300 for t in heard)


def test_it_may_be_one_of_many():
    learner = river.Forgetron(budget=20, probability=True)
    for many in (multiclass.OneVsRestClassifier(learner), multiclass.OneVsOneClassifier(learner)):
        model = preprocessing.StandardScaler() | many
        rows = datasets.ImageSegments().take(600)
        assert evaluate.progressive_val_score(rows, model, metrics.Accuracy()).get() > 0.5


def test_it_may_be_one_of_an_ensemble():
    learner = river.Forgetron(budget=20, probability=True)
    assert phishing(ensemble.BaggingClassifier(learner, n_models=3, seed=1)) > 0.75


def test_it_may_be_selected():
    models = [river.Forgetron(budget=budget, probability=True) for budget in (5, 20, 80)]
    policy = bandit.EpsilonGreedy(epsilon=0.1, decay=0.001, seed=1)
    selector = model_selection.BanditClassifier(models, metrics.Accuracy(), policy)
    assert phishing(selector) > 0.6


def test_a_pipeline_learns_from_frames():
    X, y, _ = stream()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = preprocessing.StandardScaler() | river.Forgetron(budget=20)
    model.learn_many(frame, pd.Series(y))
    assert (model.predict_many(frame) == y).mean() > 0.6


COPIES = {
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "deepcopy": copy.deepcopy,
    "clone": lambda model: model.clone(include_attributes=True),
}


@over_kinds
def test_a_copy_goes_on_to_the_last_bit_and_alone(learner):
    X, y, w = stream()
    whole = learned(small(learner), X, y, w)
    predicted = [whole.predict_one(x) for x in dicts(X)]
    for name, copied in COPIES.items():
        model = learned(small(learner), X[:70], y[:70], w[:70])
        other = copied(model)
        before = knowledge(model)
        learned(other, X[70:], y[70:], w[70:])
        assert knowledge(model) == before, name
        assert knowledge(other) == knowledge(whole), name
        assert [other.predict_one(x) for x in dicts(X)] == predicted, name


@over_kinds
def test_a_clone_has_the_parameters_and_nothing_learned(learner):
    X, y, _ = stream(length=20)
    model = learned(small(learner), X, y)
    clone = model.clone()
    assert repr(clone) == repr(model)
    assert clone.predict_one({"a": 1.0}) is None
    assert knowledge(learned(clone, X, y)) == knowledge(model)


def test_a_seed_makes_a_run():
    X, y, _ = stream()
    runs = [learned(river.RandomizedBudgetPerceptron(5, seed=seed), X, y) for seed in (1, 1, 3)]
    supports = [model.estimator.support_vectors_.toarray().tolist() for model in runs]
    assert supports[0] == supports[1] != supports[2]
    assert runs[2].estimator.random_state == 3


def test_river_is_imported_when_it_is_asked_for():
    script = (
        "import sys, budgetron\n"
        "assert 'river' not in sys.modules\n"
        "import budgetron.river\n"
        "assert 'river' in sys.modules and budgetron.river.Forgetron\n"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )


def test_without_river_it_says_what_to_install():
    script = (
        "import sys\n"
        "sys.modules['river'] = None\n"
        "import budgetron\n"
        "try:\n    import budgetron.river\n"
        "except ImportError as error:\n    assert 'budgetron[river]' in str(error)\n"
        "else:\n    raise AssertionError\n"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )


def test_the_names_are_those_of_the_estimators():
    for name in river.__all__:
        assert getattr(river, name)._estimator_class is getattr(budgetron, name)
