"""Whom a Budgetron trusted along a stream."""

import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from budgetron import Budgetron, Forgetron, prequential
from budgetron.evaluation import TrustHistory, trust_over_time
from budgetron.evaluation.race import Contender, Runner

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def board():
    X = np.random.default_rng(0).uniform(-1, 1, (700, 2))
    return X, X[:, 0] * X[:, 1] > 0


def test_notes_are_what_the_learner_says_at_that_row(board):
    X, y = board
    learner = Budgetron(budget=30)
    history = trust_over_time(learner, X, y, every=100)
    assert history.rows == [*range(100, 701, 100)]
    for place, rows in enumerate(history.rows):
        there = Budgetron(budget=30).fit(X[:rows], y[:rows])
        assert {name: it[place] for name, it in history.experts.items()} == pytest.approx(
            there.trust_
        )
        widths = {name: it[place] for name, it in history.widths.items() if it[place] > 0}
        assert widths == pytest.approx(there.width_trust_)
    alone = Budgetron(budget=30)
    prequential(alone, X, y)
    assert learner.n_mistakes_ == alone.n_mistakes_ and learner.n_seen_ == 700


def test_notes_do_not_depend_on_how_the_stream_is_cut(board):
    X, y = board
    whole = trust_over_time(Budgetron(budget=30), X, y, every=60)
    cut = TrustHistory(Budgetron(budget=30), 60)
    for start in range(0, 700, 37):
        cut.go_on(X[start : start + 37], y[start : start + 37])
    assert cut.rows == whole.rows
    for one, other in ((cut.experts, whole.experts), (cut.widths, whole.widths)):
        assert [*one] == [*other]
        for name in one:
            assert one[name] == pytest.approx(other[name])


def test_of_many_notes_every_other_one_goes(board):
    X, y = board
    all_of_them = trust_over_time(Budgetron(budget=30), X, y, every=80)
    few = TrustHistory(Budgetron(budget=30), 10, most=10)
    few.go_on(X, y)
    assert few.rows == all_of_them.rows == [*range(80, 700, 80)]
    for name, shares in few.experts.items():
        assert shares == pytest.approx(all_of_them.experts[name])


def test_a_learner_without_experts_has_no_history(board):
    with pytest.raises(TypeError, match="Forgetron has no experts"):
        trust_over_time(Forgetron(), *board)


def test_a_race_notes_trust_if_wished(board):
    for learner, wished, noted in (
        (Budgetron(budget=30), True, True),
        (Budgetron(budget=30), False, False),
        (Forgetron(), True, False),
    ):
        runner = Runner(Contender("", "", learner), note_trust=wished)
        runner.go_on(*board)
        assert (runner.trust is not None) == noted
    assert not hasattr(learner, "classes_")


def test_the_picture_is_that_of_the_script(tmp_path):
    script = runpy.run_path(str(ROOT / "scripts" / "draw_trust.py"))
    path = tmp_path / "trust.svg"
    X, y = script["stream"]()
    script["draw"](trust_over_time(Budgetron(), X[:600], y[:600], every=100), path)
    texts = {element.text for element in ET.parse(path).iter()}
    drawn = {element.text for element in ET.parse(ROOT / "docs" / "trust.svg").iter()}
    assert {*script["PARTS"], "labels", "stack", "several"} <= texts & drawn
