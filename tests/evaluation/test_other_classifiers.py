"""`prequential` for classifiers of other packages, pipelines, and chunks."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from budgetron import Forgetron, prequential
from budgetron.reading import Reader

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 3)) * [1, 10, 100]
y = np.where(X[:, 0] > 0, "yes", "no")


def test_a_classifier_of_scikit_learn_is_tested_and_then_trained():
    model, wrong, scores = SGDClassifier(random_state=0), [True], [0.0]
    trace = prequential(clone(model), X, y)
    for t in range(len(y)):
        if t > 0:
            scores.append(model.decision_function(X[t : t + 1])[0])
            wrong.append(model.predict(X[t : t + 1])[0] != y[t])
        model.partial_fit(X[t : t + 1], y[t : t + 1], ["no", "yes"])
    np.testing.assert_array_equal(trace.mistakes, wrong)
    np.testing.assert_array_equal(trace.scores, scores)
    assert trace.metrics()["mistakes"] == sum(wrong)


def test_a_pipeline_learns_step_by_step_and_as_late_as_labels_come():
    pipeline = make_pipeline(StandardScaler(), SGDClassifier(loss="log_loss", random_state=0))
    trace = prequential(pipeline, X, y, delay=20)
    scaler, model = StandardScaler(), SGDClassifier(loss="log_loss", random_state=0)
    for t in range(len(y)):
        if t > 20:
            chances = model.predict_proba(scaler.transform(X[t : t + 1]))
            np.testing.assert_allclose(trace.probabilities[t], chances[0])
        if t >= 20:
            one = slice(t - 20, t - 19)
            scaled = scaler.partial_fit(X[one]).transform(X[one])
            model.partial_fit(scaled, y[one], ["no", "yes"])
    assert trace.mistakes[:21].all() and len(trace.waiting) == 20


@pytest.mark.parametrize("learner", [Forgetron(), SGDClassifier(random_state=0)])
def test_chunks_are_one_stream(learner, tmp_path, capsys):
    whole = prequential(clone(learner), X, y, delay=3, progress=True)
    cuts = (slice(first, first + 40) for first in (0, 40, 80, 120))
    chunks = ((X[here], y[here], np.ones(len(y[here]))) for here in cuts)
    chunked = prequential(clone(learner), chunks, delay=3)
    path = tmp_path / "rows.csv"
    np.savetxt(path, np.column_stack([X.astype(str), y]), "%s", ",", header="a,b,c,y", comments="")
    read = prequential(clone(learner), Reader([str(path)], chunk_rows=64), delay=3)
    for trace in (chunked, read):
        np.testing.assert_array_equal(trace.predictions, whole.predictions)
        np.testing.assert_array_equal(trace.lessons_before, whole.lessons_before)
        np.testing.assert_allclose(trace.scores, whole.scores, atol=1e-9)
    assert capsys.readouterr().out == ""


def test_what_cannot_learn_from_a_stream_is_told():
    for model, message in (
        (RandomForestClassifier(), "RandomForestClassifier does not learn from a stream"),
        (make_pipeline(OneHotEncoder(), SGDClassifier()), "fit the step 'onehotencoder'"),
    ):
        with pytest.raises(TypeError, match=message):
            prequential(model, X, y)
    with pytest.raises(ValueError, match="name all of them by classes="):
        prequential(SGDClassifier(), [(X[:2], ["a", "b"]), (X[2:4], ["a", "c"])])
    with pytest.raises(TypeError, match="give labels y, or chunks"):
        prequential(Forgetron(), X)
    with pytest.raises(TypeError, match="a chunk is"):
        prequential(Forgetron(), [X])
    with pytest.raises(ValueError, match="there are no chunks"):
        prequential(Forgetron(), [])
