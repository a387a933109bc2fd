"""Metrics are scikit-learn's, the baselines know what the learner does, and memory is bounded."""

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from budgetron import Forgetron, Perceptron, prequential
from budgetron.evaluation import RunningMetrics, Trace


def stream(rows=900, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(rows, 2))
    names = np.array(["a", "b", "c", "d"])
    return X, names[np.minimum((np.hypot(*X.T) * classes).astype(int), classes - 1)]


@pytest.mark.parametrize("classes", [2, 3])
def test_the_numbers_are_scikit_learns(classes):
    X, y = stream(classes=classes)
    trace = prequential(Forgetron(gamma=5, probability=True), X, y)
    told = trace.metrics()
    sure, said = trace.probabilities, trace.predictions
    assert told["mistakes"] == trace.mistakes.sum() and told["rows"] == len(y)
    expected = {
        "accuracy": sklearn_metrics.accuracy_score(y, said),
        "balanced_accuracy": sklearn_metrics.balanced_accuracy_score(y, said),
        "f1_macro": sklearn_metrics.f1_score(y, said, average="macro"),
        "kappa": sklearn_metrics.cohen_kappa_score(y, said),
        "f1": sklearn_metrics.f1_score(y, said, average=None).tolist(),
        "confusion_matrix": sklearn_metrics.confusion_matrix(y, said).tolist(),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(told[name], value, err_msg=name)
    met = np.ones(len(y), bool)  # before
    met[np.unique(y, return_index=True)[1]] = False
    whole = sure[met] / sure[met].sum(axis=1, keepdims=True)
    loss = sklearn_metrics.log_loss(y[met], whole, labels=trace.classes)
    assert told["log_loss"] == pytest.approx(loss, rel=1e-9)
    areas = [
        sklearn_metrics.roc_auc_score(y == label, own)
        for label, own in zip(trace.classes, sure.T, strict=True)
    ]
    assert told["roc_auc"] == pytest.approx(np.mean(areas))


@pytest.mark.parametrize("classes", [2, 3])
def test_forecasts_are_what_predict_proba_said_before_the_label(classes):
    X, y = stream(rows=120, classes=classes)
    learner = Forgetron(gamma=5, probability=True)
    trace, again = prequential(learner, X, y), Forgetron(gamma=5, probability=True)
    again.partial_fit(X[:60], y[:60])
    for t in range(60, 120):
        said = again.predict_proba(X[t : t + 1])[0]
        np.testing.assert_allclose(trace.probabilities[t], said, rtol=1e-9)
        again.partial_fit(X[t : t + 1], y[t : t + 1])
    np.testing.assert_allclose(again.predict_proba(X), learner.predict_proba(X), rtol=1e-9)


def test_baselines_know_the_labels_that_have_come():
    y = np.array(list("aabbbcab"))
    for delay in (0, 2):
        wrong = np.zeros((len(y), 2), bool)
        for t in range(len(y)):
            known = y[: max(0, t - delay)].tolist()
            common = max(known, key=lambda it: (known.count(it), -reached(known, it)), default="")
            wrong[t] = y[t] != common, y[t] != (known[-1] if known else "")
        told = prequential(Perceptron(), np.eye(len(y)), y, delay=delay).metrics()
        assert told["majority"]["mistakes"] == wrong[:, 0].sum()
        assert told["last_label"]["mistakes"] == wrong[:, 1].sum()


def reached(known, label):
    """When a label had come as often as it has."""
    return len(known) - known[::-1].index(label)


def test_any_cut_of_a_stream_has_the_same_metrics_and_bounded_memory():
    X, y = stream(rows=3000)
    whole = prequential(Forgetron(gamma=5, probability=True), X, y, delay=7)
    learner, running = Forgetron(gamma=5, probability=True), RunningMetrics()
    waiting, traces = None, []
    for first in range(0, len(y), 170):
        here = slice(first, first + 170)
        traces.append(prequential(learner, X[here], y[here], delay=7, waiting=waiting))
        waiting = traces[-1].waiting
        running.add(traces[-1])
        running = RunningMetrics.from_json(running.to_json())  # as from a file
    for told in (running.summary(), Trace.joined(traces).metrics()):
        expected = whole.metrics()
        for name in ("log_loss", "roc_auc"):
            assert told.pop(name) == pytest.approx(expected.pop(name))
        assert told == expected
    assert len(running.curve(points=1000)["rows"]) <= 64
    parts = whole.metrics(window=1000)
    assert sum(part["majority"]["mistakes"] for part in parts) == told["majority"]["mistakes"]
    assert sum(part["mistakes"] for part in parts) == told["mistakes"]


def test_a_trace_becomes_a_frame_and_a_picture():
    X, y = stream(rows=300)
    trace = prequential(Forgetron(gamma=5, probability=True), X, y)
    for library in ("pandas", "polars"):
        frame = trace.frame(library)
        assert type(frame).__module__.startswith(library)
        assert frame["mistake"].sum() == trace.mistakes.sum()
        assert frame["last_label_mistake"].sum() == trace.metrics()["last_label"]["mistakes"]
        assert {"score of a", "probability of c"} <= {*frame.columns}
    from matplotlib.figure import Figure

    axes = trace.plot(Figure().subplots())
    assert [line.get_label() for line in axes.lines][1:] == ["commonest label so far", "last label"]


def test_what_is_not_defined_is_none():
    trace = prequential(Perceptron(), np.eye(4), np.zeros(4))
    told = trace.metrics()
    assert told["kappa"] is told["roc_auc"] is told["log_loss"] is None
    assert told["balanced_accuracy"] == 1
