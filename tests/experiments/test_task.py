"""Tasks are done once, and their outcomes are kept whole."""

import json

import pytest

from budgetron import Perceptron
from budgetron.papers.online import CHECKPOINTS, learner_of, summary
from budgetron.papers.task import Results, Task, does, perform
from streams import gaussian_stream

calls = []


@does("test-square")
def square(number, note=""):
    calls.append(number)
    if number < 0:
        raise ValueError("too small")
    return {"square": number**2}


@pytest.fixture(autouse=True)
def _no_calls():
    calls.clear()


def test_a_task_is_known_by_its_settings_in_any_order():
    assert Task.of("a", x=1, y=[2]) == Task.of("a", y=[2], x=1)
    assert Task.of("a", x=1).path != Task.of("a", x=2).path
    assert Task.of("a", x=1).path != Task.of("b", x=1).path
    assert Task.of("a", x=1, y="z").arguments == {"x": 1, "y": "z"}


def test_nothing_is_done_twice(tmp_path):
    results, told = Results(tmp_path), []
    tasks = [Task.of("test-square", number=n) for n in (1, 2, 2, 3)]
    perform(tasks[:2], results)
    perform(tasks, results, progress=told.append)
    assert calls == [1, 2, 3]
    assert sum(told) == 3 and told[0] == 2
    assert results[tasks[3]] == {"square": 9}
    assert set(results) == set(tasks) and len(results) == 3


def test_what_has_no_outcome_is_missing(tmp_path):
    with pytest.raises(KeyError):
        Results(tmp_path)[Task.of("test-square", number=1)]


def test_what_was_done_before_a_failure_is_kept(tmp_path):
    results = Results(tmp_path)
    with pytest.raises(ValueError, match="too small"):
        perform([Task.of("test-square", number=n) for n in (1, 2, -1, 3)], results)
    assert len(results) == 2
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".json"]


def test_a_file_says_what_was_run(tmp_path):
    results, task = Results(tmp_path), Task.of("test-square", number=4, note="four")
    perform([task], results)
    kept = json.loads((tmp_path / task.path).read_text())
    assert kept["doer"] == "test-square"
    assert kept["settings"] == {"number": 4, "note": "four"}


def test_a_summary_counts_what_a_trace_shows():
    X, y = gaussian_stream(length=300)
    outcome = summary(learner_of("Perceptron", {"gamma": 1.0}), X, y)
    expected = Perceptron(gamma=1.0).fit(X, y)
    assert outcome["rows"] == 300
    assert outcome["mistakes"] == outcome["course"][-1] == expected.n_mistakes_
    assert outcome["size"] == outcome["largest_size"] == expected.n_updates_
    assert len(outcome["course"]) == len(outcome["growth"]) == CHECKPOINTS
    assert outcome["growth"] == outcome["course"]  # each mistake of a Perceptron is a support
    json.dumps(outcome)
