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


def squares(*numbers):
    return [Task.of("test-square", number=number) for number in numbers]


@pytest.fixture(autouse=True)
def _no_calls():
    calls.clear()


def test_a_task_is_known_by_its_settings_in_any_order():
    assert Task.of("a", x=1, y=[2]) == Task.of("a", y=[2], x=1)
    assert Task.of("a", x=1) != Task.of("a", x=2)
    assert Task.of("a", x=1) != Task.of("b", x=1)
    assert Task.of("a", x=1, y="z").arguments == {"x": 1, "y": "z"}


def test_nothing_is_done_twice(tmp_path):
    results, told = Results(tmp_path), []
    tasks = squares(1, 2, 2, 3)
    perform(tasks[:2], results)
    perform(tasks, results, progress=told.append)
    assert calls == [1, 2, 3]
    assert sum(told) == 3 and told[0] == 2
    assert results[tasks[3]] == {"square": 9}
    assert set(results) == set(tasks) and len(results) == 3


def test_what_has_no_outcome_is_missing(tmp_path):
    with pytest.raises(KeyError):
        Results(tmp_path)[squares(1)[0]]


def test_what_was_done_before_a_failure_is_kept(tmp_path):
    results = Results(tmp_path)
    with pytest.raises(ValueError, match="too small"):
        perform(squares(1, 2, -1, 3), results)
    assert [*Results(tmp_path)] == squares(1, 2)


def test_a_line_says_what_was_run(tmp_path):
    perform([Task.of("test-square", number=4, note="four")], Results(tmp_path))
    (line,) = (tmp_path / "test-square.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "settings": {"number": 4, "note": "four"},
        "outcome": {"square": 16},
    }


def test_a_run_that_was_killed_at_any_byte_goes_on(tmp_path):
    """What is left is the lines that had ended; the rest is done, and the file is the same."""
    tasks, file = squares(1, 2, 3), tmp_path / "test-square.jsonl"
    perform(tasks, Results(tmp_path))
    whole = file.read_bytes()
    for cut in range(len(whole) + 1):
        file.write_bytes(whole[:cut])
        ended = whole[:cut].count(b"\n")
        results = Results(tmp_path)
        assert [*results] == tasks[:ended]
        calls.clear()
        perform(tasks, results)
        assert calls == [1, 2, 3][ended:]
        assert file.read_bytes() == whole


def test_an_outcome_after_a_torn_line_takes_its_place(tmp_path):
    file, results = tmp_path / "test-square.jsonl", Results(tmp_path)
    file.write_text('{"settings": {"num')
    results.keep(*squares(2), {"square": 4})
    results.keep(*squares(1), {"square": 1})
    assert [*Results(tmp_path)] == [*results] == squares(2, 1)
    assert file.read_text().count("\n") == 2


def test_of_several_lines_of_a_task_the_last_counts(tmp_path):
    results, (task,) = Results(tmp_path), squares(2)
    for outcome in ({"square": 5}, {"square": 4}):
        results.keep(task, outcome)
        assert results[task] == outcome
    assert len(results) == 1
    perform(squares(1, 2), results)
    assert calls == [1]
    assert results[task] == Results(tmp_path)[task] == {"square": 4}
    assert (tmp_path / "test-square.jsonl").read_text().count("\n") == 2  # the first is gone


def test_a_kept_outcome_reads_as_it_will_read_from_the_file(tmp_path):
    results, (task,) = Results(tmp_path), squares(2)
    results.keep(task, {"square": (4,), "of": {2: "two"}})
    assert results[task] == Results(tmp_path)[task] == {"square": [4], "of": {"2": "two"}}


def test_an_outcome_that_is_not_plain_leaves_the_file_as_it_was(tmp_path):
    results = Results(tmp_path)
    results.keep(*squares(1), {"square": 1})
    with pytest.raises(TypeError, match="not JSON serializable"):
        results.keep(*squares(2), {"square": {4}})
    assert Results(tmp_path) == {squares(1)[0]: {"square": 1}}


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "{}", '{"settings": {}}', "<<<<<<< ours", "\xff"]
)
def test_a_damaged_line_is_told_and_not_passed_over(tmp_path, damage):
    results = Results(tmp_path)
    results.keep(*squares(1), {"square": 1})
    with open(tmp_path / "test-square.jsonl", "a", encoding="latin-1") as file:
        file.write(damage + "\n")
    with pytest.raises(OSError, match=r"test-square\.jsonl, line 2, does not tell of a task"):
        Results(tmp_path)[squares(1)[0]]


def test_processes_and_order_do_not_show_in_the_file(tmp_path):
    numbers = [*range(12)]
    perform(squares(*numbers), Results(tmp_path / "alone"))
    perform(squares(*reversed(numbers)), Results(tmp_path / "together"), jobs=2)
    alone, together = [tmp_path / name / "test-square.jsonl" for name in ("alone", "together")]
    assert alone.read_bytes() == together.read_bytes()
    assert [path.name for path in together.parent.iterdir()] == [together.name]


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
