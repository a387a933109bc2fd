"""What was acknowledged is there, whatever happened; what was not has changed nothing."""

import errno
import os
import shutil
import sqlite3
import time

import numpy as np
import pytest

import budgetron
from budgetron.keyed import KeyedClassifier
from budgetron.serve.configuration import Limits
from budgetron.serve.figures import Figures
from budgetron.serve.jobs import Ask, Learn, Tell
from budgetron.serve.learning import ByKey, Single
from budgetron.serve.log import HEADER
from budgetron.serve.model import Model
from budgetron.serve.records import Settings
from budgetron.serve.refusal import Refusal
from budgetron.serve.waiting import WaitingRows
from serve.conftest import FEATURES, rows


def learned(bench, groups=6, many=7, **how):
    """A model that has learned groups; its log, and its state before and after each of them."""
    own = bench(**how)
    X, y = rows(groups * many)
    states = [own.model.state()]
    for at in range(0, groups * many, many):
        own.learn(X[at : at + many], y[at : at + many], id=f"request {at}")
        states.append(own.model.state())
    return own, states


def log_files(own):
    return sorted((own.folder / "log").glob("*.log"))


def ends(path):
    """Where the records of a file end."""
    data, end, found = path.read_bytes(), 0, []
    while data[end : end + 1] not in (b"", b"\0"):
        end += HEADER.size + HEADER.unpack_from(data, end)[1]
        found.append(end)
    return found


def is_refused(answer, status, code):
    return isinstance(answer, Refusal) and (answer.status, answer.code) == (status, code)


def test_the_state_is_that_of_a_learner_that_was_given_the_acknowledged_rows(bench):
    own = bench()
    X, y = rows(200)
    jobs = [Learn(X[at : at + 5], y[at : at + 5], None, None) for at in range(0, 100, 5)]
    answers = own.act(*jobs)
    for at in range(100, 200):
        answers.append(own.learn(X[at : at + 1], y[at : at + 1]))
    plain = budgetron.loads(own.learner.dumps())
    trace = budgetron.prequential(plain, X, y, classes=["no", "yes"])
    assert own.model.state() == plain.dumps() == own.reopened().state()
    told = [row for answer in answers for row in answer]
    assert [row["row"] for row in told] == [*range(200)]
    assert [row["label"] for row in told] == trace.predictions.tolist()
    assert [row["mistake"] for row in told] == trace.mistakes.tolist()
    scores = [row["score"] for row in told]  # another block adds them up in another order
    np.testing.assert_allclose(scores, trace.scores, rtol=1e-12, atol=1e-15)
    assert own.model.figures.mistakes == trace.mistakes.sum()


@pytest.mark.parametrize("is_keyed", [False, True])
@pytest.mark.parametrize(
    "learner",
    [
        budgetron.RandomizedBudgetPerceptron(budget=5),
        budgetron.FourierGradientDescent(budget=5),
        budgetron.RestartingExperts(),
    ],
    ids=lambda it: type(it).__name__,
)
def test_a_learner_without_a_seed_is_the_same_after_a_crash(bench, learner, is_keyed):
    own = bench(
        learner=KeyedClassifier(learner) if is_keyed else learner,
        settings=Settings(["no", "yes"], FEATURES, None, is_keyed),
    )
    X, y = rows(60)
    keys = ["a", 1, "b"] * 20 if is_keyed else None
    own.learn(X, y, key=keys)
    state = own.model.state()
    assert own.reopened().state() == state


def test_a_crash_at_any_byte_of_the_log_leaves_whole_groups(bench, tmp_path):
    own, states = learned(bench, groups=3, many=2)
    (path,) = log_files(own)
    borders, data = ends(path), path.read_bytes()
    cuts = {
        *range(borders[0], borders[-1] + 1, 29),
        *borders[1:],
        *(end - 1 for end in borders[1:]),
    }
    for cut in sorted(cuts):
        for rest in (b"", bytes(5000), b"\xb5log\xff\xff"):  # cut off, never written, begun
            copy = tmp_path / "copy"
            shutil.copytree(own.folder, copy)
            (copy / "log" / path.name).write_bytes(data[:cut] + rest)
            model = Model(copy, Limits())
            whole = sum(end <= cut for end in borders) - 1
            assert (model.learning, model.row) == (None, 2 * whole), cut
            assert model.state() == states[whole]
            X, y = rows(1, seed=9)
            ((_, told),) = model.act([Learn(X, y, None, None)])
            model.close()
            again = Model(copy, Limits())
            assert not isinstance(told, Exception) and again.row == 2 * whole + 1
            assert again.state() == model.state()
            again.close()
            shutil.rmtree(copy)


def test_a_log_that_is_damaged_in_the_middle_refuses_learning_and_says_so(bench):
    damages = {
        "a byte": lambda files: _flip(files[0], ends(files[0])[2] + 30),
        "the file before": lambda files: _flip(files[-2], ends(files[-2])[0] - 3),
        "a file is gone": lambda files: files[1].unlink(),
        "cut between records": lambda files: os.truncate(files[1], ends(files[1])[0]),
    }
    for name, damage in damages.items():
        size = 1 << 20 if name == "a byte" else 900
        own, states = learned(lambda **how: bench(**how), limits=Limits(log_file=size))
        damage(log_files(own))
        model = own.reopened()
        assert model.learning is not None, name
        assert 0 < model.row < 42
        assert model.state() == states[model.row // 7]
        assert model.learned.say(rows(3)[0], None).labels
        X, y = rows(1)
        assert is_refused(own.learn(X, y), 503, "not_durable"), name
        assert is_refused(own.learn(X, y), 503, "not_durable"), name
        shutil.rmtree(own.folder)


def _flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_a_damaged_snapshot_is_set_aside_for_an_older_one(bench):
    own, states = learned(bench, limits=Limits(snapshot_rows=10))
    for after in (1, 0):
        newest = max((own.folder / "snapshots").glob("*.snapshot"))
        _flip(newest, newest.stat().st_size // 2)
        model = own.reopened()
        assert (model.learning, model.row, model.state()) == (None, 42, states[-1])
        assert len([*(own.folder / "snapshots").glob("*.damaged")]) == 2 - after


def test_a_log_that_is_lost_is_noticed(bench):
    own, states = learned(bench, limits=Limits(snapshot_rows=10))
    for path in log_files(own):
        path.unlink()
    model = own.reopened()
    assert model.learning is not None and model.state() == states[-1]  # of the snapshot
    assert is_refused(own.learn(*rows(1)), 503, "not_durable")


@pytest.mark.parametrize("is_keyed", [False, True])
def test_a_full_disk_refuses_learning_and_nothing_else(bench, monkeypatch, is_keyed):
    X, y = rows(40)
    learner, keys = budgetron.Forgetron(budget=10, random_state=0), None
    if is_keyed:
        learner, keys = KeyedClassifier(learner), ["a", "b"] * 10
    own = bench(learner=learner, settings=Settings(["no", "yes"], FEATURES, None, is_keyed))
    own.learn(X[:20], y[:20], key=keys)
    before, said = own.model.state(), own.model.learned.say(X, (keys or [])[:1] * 40).scores
    whole_write = os.pwrite

    def half_a_write(file, data, at):
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return whole_write(file, data[: len(data) // 2], at)

    def no_room(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    for name, fails in (("pwrite", half_a_write), ("fdatasync", no_room)):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, fails)
            assert is_refused(own.learn(X[20:], y[20:], key=keys), 503, "not_durable")
            assert "No space left" in own.model.learning
            assert own.model.state() == before and own.model.row == 20
            again = own.model.learned.say(X, (keys or [])[:1] * 40).scores
            np.testing.assert_array_equal(again, said)
    own.learn(X[20:], y[20:], key=keys)
    assert own.model.learning is None
    after = own.model.state()
    assert own.reopened().state() == after != before
    assert own.model.row == 40


def test_a_disk_that_fails_is_not_written_to_again(bench, monkeypatch):
    own, states = learned(bench, groups=2)
    X, y = rows(3)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "I/O")))
        assert is_refused(own.learn(X, y), 503, "not_durable")
    assert is_refused(own.learn(X, y), 503, "not_durable")  # who knows what is on it
    assert own.model.state() == states[-1]
    assert own.reopened().state() == states[-1]
    assert own.learn(X, y)[0]["row"] == 14


def test_a_request_is_learned_once(bench):
    own = bench(limits=Limits(snapshot_rows=4, remembered=3))
    X, y = rows(20)
    first = own.learn(X[:2], y[:2], id="a")
    second, same = own.act(*[Learn(X[2:4], y[2:4], None, None, "b", b"1") for _ in range(2)])
    assert second == same and [row["row"] for row in second] == [2, 3]
    for _ in range(2):  # a snapshot has been taken between
        assert own.learn(X[:2], y[:2], id="a") == first
        assert is_refused(own.learn(X[:2], y[:2], id="a", digest=b"2"), 409, "request_id_in_use")
        own.reopened()
        assert own.learn(X[2:4], y[2:4], id="b") == second
        assert own.model.row == 4
    own.learn(X[4:5], y[4:5], id="c")
    own.learn(X[5:6], y[5:6], id="d")
    for _ in range(2):
        assert own.learn(X[4:5], y[4:5], id="c")[0]["row"] == 4
        assert own.model._remembered.get("a") is None  # three are remembered
        own.reopened()
    assert own.learn(X[:2], y[:2], id="a")[0]["row"] == 6


def test_labels_that_come_late_are_learned_with_what_was_predicted_then(bench):
    X, y = rows(60)
    learner = budgetron.Budgetron(budget=10, random_state=0)
    plain = budgetron.loads(learner.dumps())
    own = bench(learner=learner)
    ids = [f"row {at}" for at in range(60)]
    plain.partial_fit(X[:20], y[:20], classes=["no", "yes"])
    own.learn(X[:20], y[:20])
    predictions = [plain.ask_one(x) for x in X[20:40]]
    waiting = own.ask(X[20:40], ids[20:40])
    assert [row.label for row in waiting] == [each.label for each in predictions]
    plain.partial_fit(X[40:], y[40:])
    own.learn(X[40:], y[40:])
    own.reopened()
    assert own.model.waiting == 20
    for at in (39, 21, 30):
        plain.learn_one(X[at], y[at], predictions[at - 20])
        (told,) = own.tell([ids[at]], [y[at]], id=f"label {at}")
        assert (told["label"], told["id"]) == (predictions[at - 20].label, ids[at])
        assert told["mistake"] == (told["label"] != y[at])
        own.reopened()
        assert own.tell([ids[at]], [y[at]], id=f"label {at}") == [told]
        assert is_refused(own.tell([ids[at]], [y[at]]), 404, "unknown_id")
    assert own.model.state() == plain.dumps()
    assert own.model.waiting == 17
    own.model.close()  # with a snapshot
    assert own.reopened().waiting == 17
    assert is_refused(own.tell([ids[39]], [y[39]]), 404, "unknown_id")


def test_labels_of_rows_that_do_not_wait_change_nothing(bench, monkeypatch):
    own = bench(limits=Limits(label_ttl=50.0, waiting=4))
    X, y = rows(8)
    first = own.ask(X[:2], ["a", "b"])
    assert first[0].label is None  # nothing was learned yet
    assert own.ask(X[:2], ["a", "b"]) == first  # the same again
    assert is_refused(own.ask(X[2:3], ["a"]), 409, "id_in_use")
    assert is_refused(own.ask(X[:2], ["c", "c"]), 400, "bad_row")
    assert is_refused(own.ask(X[:3], ["c", "d", "e"]), 503, "too_many")
    assert is_refused(own.tell(["a", "x"], y[:2]), 404, "unknown_id")
    assert is_refused(own.tell(["a", "a"], y[:2]), 400, "bad_row")
    both = own.act(Tell(["a"], ["no"], [None]), Tell(["a"], ["yes"], [None]))
    assert both[0][0]["row"] == 0 and is_refused(both[1], 404, "unknown_id")
    own.ask(X[2:3], ["a"])  # it is free again
    with monkeypatch.context() as patched:
        later = time.time() + 60
        patched.setattr(time, "time", lambda: later)
        assert is_refused(own.tell(["b"], ["no"]), 404, "unknown_id")
        own.model.keep_house()
        assert own.model.waiting == 0
        own.ask(X[:1], ["b"])
    assert own.model.row == 1 and own.reopened().row == 1


def test_rows_do_not_wait_where_they_cannot_be_kept(bench, monkeypatch):
    own = bench()
    X, y = rows(3)
    own.ask(X[:1], ["a"])

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(WaitingRows, "put", full)
        assert is_refused(own.ask(X[1:2], ["b"]), 503, "not_durable")
        patched.setattr(WaitingRows, "find", full)
        assert is_refused(own.tell(["a"], ["no"]), 503, "not_durable")  # and not: unknown
        assert own.learn(X, y)[0]["row"] == 0
    own.model.close()
    (own.folder / "waiting.sqlite").write_bytes(b"no database" * 100)
    own.reopened()
    assert is_refused(own.ask(X[1:2], ["b"]), 503, "not_durable")
    assert is_refused(own.tell(["a"], ["no"]), 503, "not_durable")
    assert own.learn(X, y)[0]["row"] == 3


def test_a_rollback_is_in_the_log(bench):
    own, states = learned(bench, groups=2)
    id = own.model.take_snapshot(kept=True)["id"]
    X, y = rows(10, seed=3)
    own.learn(X[:5], y[:5])
    own.ask(X[5:6], ["waits"])
    own.model.roll_back(id)
    for _ in range(2):
        assert (own.model.version, own.model.row) == (2, 19)
        assert own.model.state() == states[-1]
        own.reopened()
    assert own.learn(X[:5], y[:5])[0]["row"] == 19
    assert own.tell(["waits"], [y[5]])[0]["version"] == 2
    after = own.model.state()
    assert own.reopened().state() == after
    with pytest.raises(Refusal, match="no whole snapshot"):
        own.model.roll_back("../../etc/passwd")


def test_old_files_of_the_log_go_when_no_snapshot_needs_them(bench):
    own, states = learned(bench, groups=30, limits=Limits(log_file=900, snapshot_rows=20))
    before = len(log_files(own))
    own.model.keep_house()
    assert len(log_files(own)) == before  # they are young
    own.model.limits = own.limits = Limits(log_file=900, snapshot_rows=20, log_days=0)
    own.model.keep_house()
    assert len(log_files(own)) < before / 2
    newest = max((own.folder / "snapshots").glob("*.snapshot"))
    _flip(newest, 100)
    model = own.reopened()
    assert (model.learning, model.row, model.state()) == (None, 210, states[-1])


def test_bad_rows_among_good_ones_are_refused_alone(bench):
    own = bench()
    X, y = rows(12)
    wide = np.ones((1, FEATURES + 1))
    good, bad, other, also_good = own.act(
        Learn(X[:5], y[:5], None, None),
        Learn(wide, ["no"], None, None),
        Learn(X[:1], ["perhaps"], None, None),
        Learn(X[5:], y[5:], None, None),
    )
    assert is_refused(bad, 400, "bad_row") and is_refused(other, 400, "bad_row")
    assert [row["row"] for row in good + also_good] == [*range(12)]
    plain = budgetron.loads(own.learner.dumps()).partial_fit(X, y, classes=["no", "yes"])
    assert own.model.state() == plain.dumps() == own.reopened().state()


def test_learners_behind_keys_are_those_of_the_acknowledged_rows(bench):
    X, y = rows(60)
    keys = [f"key {at % 7}" for at in range(60)]
    learner = KeyedClassifier(budgetron.Forgetron(budget=10, random_state=0))
    own = bench(learner=learner, settings=Settings(["no", "yes"], FEATURES, None, True))
    own.learn(X[:30], y[:30], key=keys[:30])
    (waiting,) = own.act(Ask(X[30:32], ["a", "b"], keys[30:32], [1.0, 1.0]))
    assert len(waiting) == 2
    own.reopened()
    own.act(Learn(X[32:50], y[32:50], None, keys[32:50]), Tell(["a", "b"], y[30:32], [None, None]))
    own.learn(X[50:], y[50:], key=keys[50:])
    order = [*range(30), *range(32, 50), 30, 31, *range(50, 60)]
    plain = learner.partial_fit(
        X[order], np.array(y)[order], ["no", "yes"], keys=[keys[at] for at in order]
    )
    assert own.model.state() == plain.dumps() == own.reopened().state()


def test_first_labels_of_two_kinds_are_not_made_one_kind(bench):
    X, _ = rows(3)
    for labels, classes in (["a", 1], ["a"]), ([1, "a"], [1]):
        own = bench(settings=Settings())
        first, second = own.act(*[Learn(X[:1], [label], None, None) for label in labels])
        assert first[0]["row"] == 0 and is_refused(second, 400, "bad_row")
        assert own.model.classes == classes and own.reopened().row == 1
        shutil.rmtree(own.folder)


def test_a_refused_request_that_comes_very_often_is_refused_each_time(bench):
    own = bench()
    X, _ = rows(1)
    answers = own.act(*[Learn(X, ["perhaps"], None, None, "same") for _ in range(1200)])
    assert all(is_refused(answer, 400, "bad_row") for answer in answers)


def test_a_record_that_is_gone_is_said_to_whoever_asks_again_alone(bench):
    own, _ = learned(bench, groups=2)
    (path,) = log_files(own)
    X, y = rows(14)
    for cut in (ends(path)[0] + 5, ends(path)[0]):
        os.truncate(path, cut)
        again, other = own.act(
            Learn(X[:7], y[:7], None, None, "request 0", b"1"), Learn(X[:1], y[:1], None, None)
        )
        assert is_refused(again, 410, "answer_gone") and not isinstance(other, Refusal)


def test_a_row_that_expires_while_it_is_looked_for_waits_anew(bench, monkeypatch):
    own = bench(limits=Limits(label_ttl=50.0))
    X, _ = rows(1)
    own.ask(X, ["a"])
    clock = iter(np.arange(time.time() + 49, time.time() + 500, 2))
    monkeypatch.setattr(time, "time", lambda: next(clock))
    for _ in range(4):
        assert not isinstance(own.ask(X, ["a"]), Refusal)


def test_learners_behind_keys_that_failed_on_their_way_are_those_of_the_log(bench, monkeypatch):
    X, y = rows(20)
    own = bench(
        learner=KeyedClassifier(budgetron.Forgetron(budget=10, random_state=0)),
        settings=Settings(["no", "yes"], FEATURES, None, True),
    )
    own.learn(X, y, key=["a", "b"] * 10)
    before = own.model.state()

    def failing(self, group):
        ByKey.taught(self, group)
        raise IndexError

    with monkeypatch.context() as patched:
        patched.setattr(own.model.learned, "taught", failing.__get__(own.model.learned))
        assert is_refused(own.learn(X, y, key=["a", "b"] * 10), 500, "failed")
    assert own.model.state() == before
    own.learn(X, y, key=["a", "c"] * 10)
    assert own.model.state() == own.reopened().state() != before


def test_what_cannot_be_learned_again_refuses_learning_and_says_so(bench, monkeypatch):
    own, states = learned(bench, limits=Limits(snapshot_rows=21))
    with monkeypatch.context() as patched:
        patched.setattr(Figures, "from_json", lambda _: {}["rows"])  # of another version
        assert own.reopened().state() == states[-1]

    def refusing(self, group):
        raise ValueError("no such row")

    monkeypatch.setattr(Single, "taught", refusing)
    for path in (own.folder / "snapshots").glob("*.snapshot"):
        path.unlink()
    model = own.reopened()
    assert "no such row" in model.learning and model.row == 0


def test_limits_that_are_changed_hold_from_then_on(bench):
    own, _ = learned(bench, groups=6)
    assert len(log_files(own)) == 1
    own.model.limits = Limits(log_file=900, remembered=2)
    X, y = rows(28)
    for at in range(0, 28, 7):
        own.learn(X[at : at + 7], y[at : at + 7], id=f"more {at}")
    assert len(log_files(own)) > 1
    assert [own.model._remembered.get(f"more {at}") is None for at in (0, 7, 14, 21)] == [
        *(True, True, False, False)
    ]
