"""What is said of a row is what the score is made of, and asking changes nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import budgetron
from budgetron import (
    Budgetron,
    DriftingThreshold,
    Forgetron,
    RestartingExperts,
    WhitenedPerceptron,
    prequential,
)
from estimators.learners import EXPANSIONS, facts, small, stream

CURIOUS = [3, 50, 150]
"""Rows that are asked about."""


def summed(explanation):
    return sum(each.part for each in explanation.supports)


def lead(explanation):
    """How far the predicted class is before its rival."""
    scores = explanation.scores
    if len(scores) == 1:
        return abs(next(iter(scores.values())))
    return scores[explanation.label] - scores[explanation.rival]


@pytest.mark.parametrize("learner", [*EXPANSIONS, WhitenedPerceptron])
def test_parts_add_up_to_the_score_and_are_those_of_the_rows(learner):
    X, y = stream()
    one = small(learner).fit(X, y)
    before = facts(one)
    for x in X[CURIOUS]:
        told = one.explain(x)
        assert told.label == one.predict([x])[0] and {told.label, told.rival} == {-1, 1}
        assert told.scores == {1: one.decision_function([x])[0]}
        assert summed(told) == pytest.approx(lead(told), rel=1e-9, abs=1e-9)
        assert sum(abs(each.share) for each in told.supports) == pytest.approx(1)
        assert [*map(abs, (each.part for each in told.supports))] == sorted(
            (abs(each.part) for each in told.supports), reverse=True
        )
        rows = [each.row for each in told.supports]
        np.testing.assert_array_equal(told.instances, X[rows])
        assert [each.age for each in told.supports] == [len(X) - 1 - row for row in rows]
    assert facts(one) == before


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("way", ["one_vs_rest", "single_machine"])
def test_of_many_classes_the_next_highest_is_the_rival(way, storage):
    X, _ = stream()
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    one = Forgetron(budget=10, gamma=0.5, multi_class=way).fit(storage(X), y)
    for row in CURIOUS:
        told = one.explain(storage(X[[row]]))
        highest = sorted(told.scores, key=told.scores.get)
        assert [told.rival, told.label] == highest[-2:]
        assert told.label == one.predict(X[[row]])[0]
        assert summed(told) == pytest.approx(lead(told), rel=1e-9)
        assert {*told.speaking_for, *told.speaking_against} == {*told.supports}


def test_what_is_said_is_the_same_however_rows_came_and_after_saving(tmp_path):
    X, y = stream()
    weights = np.where(np.arange(len(y)) % 7 == 3, 0.0, 1.5)
    whole = Forgetron(budget=10, gamma=0.5).fit(X, y, weights)
    cut = Forgetron(budget=10, gamma=0.5).partial_fit(X[:33], y[:33], sample_weight=weights[:33])
    for x, label, weight in zip(X[33:], y[33:], weights[33:], strict=True):
        cut.learn_one(x, label, sample_weight=weight)
    cut.save(tmp_path / "model")
    rows = {each.row for each in whole.explain(X[0]).supports}
    assert not rows & {*np.flatnonzero(weights == 0).tolist()}
    for one in (cut, budgetron.load(tmp_path / "model")):
        assert one.explain(X[0]).supports == whole.explain(X[0]).supports


def test_a_label_that_came_late_is_counted_when_it_came():
    X, y = stream()
    one = Forgetron(budget=10, gamma=0.5)
    prequential(one, X, y, delay=20)
    told = one.explain(X[0])
    assert told.n_seen == one.n_seen_ == len(X) - 20
    rows = [each.row for each in told.supports]
    np.testing.assert_array_equal(told.instances, X[rows])  # in the order in which labels came


@pytest.mark.parametrize("classes", [2, 4])
def test_budgetrons_experts_make_its_score(classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) * [1, 1, 1000.0]
    y = np.arctan2(X[:, 0], X[:, 1]) // (2 * np.pi / classes)
    one = Budgetron(budget=20).fit(X, y)
    assert len(one.width_trust_) > 1
    before, found = facts(one), 0
    for x in X:
        told = one.explain(x)
        assert {each.name: each.trust for each in told.experts} == pytest.approx(one.trust_)
        assert [each.trust for each in told.widths] == pytest.approx(
            [one.width_trust_[name] for name in sorted(one.width_trust_, key=str)]
        )
        rows = [each.row for each in told.supports]
        np.testing.assert_allclose(told.instances, X[rows], rtol=1e-9)
        if max(map(abs, told.scores.values())) < 0.99:  # where none is certain, all are cut off
            found += 1
            others = [each for each in told.experts if each.name in ("labels", "stack")]
            score = lead(told) / (1 if classes == 2 else 2)
            for sayings in (told.experts, (*told.widths, *others)):
                total = sum(each.trust * each.says for each in sayings)
                assert total == pytest.approx(score, abs=1e-6)
    assert found > 10
    assert facts(one) == before


def test_budgetrons_supports_say_what_its_only_filter_says():
    X, y = stream()
    one = Budgetron(budget=10, gamma=0.5, experts="cautious").fit(X, y)
    found = 0
    for x in X:
        told = one.explain(x)
        assert [each.name for each in told.experts] == ["cautious"] and told.widths == ()
        if lead(told) < 0.99:
            found += 1
            assert summed(told) == pytest.approx(lead(told), abs=1e-9)
    assert found > 10
    assert Budgetron().fit([[1.0]], ["only"]).explain([1.0]).rival is None


def test_those_without_supports_say_something_else():
    X, y = stream()
    told = RestartingExperts([Forgetron(budget=5), np.zeros_like], restart_every=9)
    with pytest.raises(NotFittedError):
        told.explain(X[0])
    y = np.maximum(y, 0)
    one = RestartingExperts([Forgetron(budget=5, gamma=1), lambda X: np.zeros(X.shape[0])])
    told = one.fit(X, y).explain(X[0])
    assert [each.name for each in told.experts] == ["Forgetron", "<lambda>"]
    says = sum(each.trust * each.says for each in told.experts)
    assert says == pytest.approx(lead(told))
    told = DriftingThreshold(feature=1).fit(np.abs(X), X[:, 1] > 0.5).explain(np.abs(X[0]))
    assert "threshold" in told.text() and told.supports == ()
    told = small(budgetron.FourierGradientDescent).fit(X, y).explain(X[0])
    assert "random features" in told.text() and told.supports == ()
    assert len(told.frame()) == 0


def test_a_row_of_a_frame_has_its_names():
    X, y = stream()
    frame = pd.DataFrame(X, columns=["age", "b", "c", "row"])
    one = Forgetron(budget=10, gamma=0.5).fit(frame, y)
    told = one.explain(frame.iloc[3])
    assert told.supports == one.explain(frame.iloc[[3]]).supports != ()
    columns = ["row", "age", "part", "share", "age (feature)", "b", "c", "row (feature)"]
    assert [*told.frame()] == columns
    np.testing.assert_array_equal(told.frame()["b"], X[told.frame()["row"], 1])
    with pytest.raises(ValueError, match="feature names"):
        one.explain(frame.iloc[3].rename({"b": "d"}))


def test_what_is_no_row_is_refused():
    X, y = stream()
    one = Forgetron(budget=10, gamma=0.5).fit(X, y)
    for x, message in (
        (X[:2], "one row is explained at a time, got 2"),
        (X[0, :3], "3 features"),
        ([np.nan] * 4, "NaN"),
        (1.0, "2D array"),
    ):
        with pytest.raises(ValueError, match=message):
            one.explain(x)


def test_a_report_shows_what_says_most_and_obeys_no_label():
    X, y = stream()
    names = np.array(["\x1b[31mno\n", "yes"])[np.maximum(y, 0)]
    told = Forgetron(budget=30, gamma=0.5).fit(X, names).explain(X[0])
    report = str(told)
    assert "\x1b" not in report and repr(told.label) in report
    first = told.speaking_for[0]
    assert f"row {first.row:,}" in report and f"{first.share:+.1%}" in report
    assert f"{len(told.speaking_for) - 5:,} more" in report
    assert report.count("\n") < 25
