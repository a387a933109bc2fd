"""What cannot be saved is told before anything is written, and files are whole or not there."""

import errno
import os
import stat
import threading

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import budgetron
from budgetron import saving
from budgetron.engine import Learner
from budgetron.saving import SavedModelError, file, load_with_notes, save
from estimators.learners import small

X, Y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2


@pytest.fixture
def model():
    return small(budgetron.Forgetron).fit(X, Y)


def squared(A, B):
    return (A @ B.T) ** 2


class Own(budgetron.Forgetron):
    pass


UNSAVEABLE = {
    "a kernel, fitted": lambda: small(budgetron.Forgetron, kernel=squared).fit(X, Y),
    "a kernel, not fitted": lambda: budgetron.Forgetron(kernel=squared),
    "a whitening kernel": lambda: budgetron.WhitenedPerceptron(kernel=squared).fit(X, Y),
    "an expert that is a function": lambda: budgetron.RestartingExperts(
        [lambda A: np.zeros(len(A)), budgetron.Perceptron()]
    ),
    "such an expert, fitted": lambda: budgetron.RestartingExperts(
        [lambda A: np.zeros(len(A)), budgetron.Perceptron()]
    ).fit(X, Y),
    "another package's classifier": lambda: budgetron.RestartingExperts(
        [LogisticRegression().fit(X, Y)]
    ),
    "a class from elsewhere": lambda: Own().fit(X, Y),
    "the global random state": lambda: budgetron.Forgetron(random_state=np.random),
    "another generator": lambda: budgetron.Forgetron(
        random_state=np.random.RandomState(np.random.PCG64(0))
    ),
    "a number that is too large": lambda: budgetron.Forgetron(budget=2**64),
    "a degree that is too large": lambda: budgetron.Forgetron(
        kernel="poly", gamma=0.1, degree=2000
    ).fit(X, Y),
    "weights that are not finite": lambda: _spoilt(small(budgetron.Forgetron).fit(X, Y)),
}


def _spoilt(model):
    model._learner.state.weights[0] = np.nan
    return model


@pytest.mark.parametrize("make", UNSAVEABLE.values(), ids=UNSAVEABLE)
def test_what_cannot_be_saved_is_told_and_nothing_is_written(make, tmp_path):
    path = tmp_path / "model.budgetron"
    path.write_bytes(b"old")
    with pytest.raises(SavedModelError):
        make().save(path)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["model.budgetron"]


def test_the_errors_say_what_it_is():
    with pytest.raises(SavedModelError, match="kernel cannot be saved"):
        budgetron.Forgetron(kernel=squared).save("nowhere")
    fitted = small(budgetron.Forgetron, kernel=squared).fit(X, Y).set_params(kernel="rbf")
    with pytest.raises(SavedModelError, match="a kernel that is a Python function cannot be saved"):
        fitted.save("nowhere")
    with pytest.raises(SavedModelError, match="Own is no learner of this package"):
        Own().save("nowhere")


def test_experts_that_contain_themselves_are_told(tmp_path):
    model = budgetron.RestartingExperts([])
    model.experts.append(model)
    with pytest.raises(SavedModelError, match="nested too deeply"):
        model.save(tmp_path / "model")


@pytest.mark.parametrize(
    "notes", [{1: 2}, {"a": (1, 2)}, {"a": float("nan")}, {"a": {1, 2}}, {"a": 10**50}], ids=str
)
def test_notes_that_json_cannot_hold_are_told(notes, model, tmp_path):
    with pytest.raises(SavedModelError, match="notes"):
        save(model, tmp_path / "model", notes)
    assert os.listdir(tmp_path) == []


def test_notes_that_contain_themselves_are_told(model, tmp_path):
    notes = {}
    notes["self"] = notes
    with pytest.raises(SavedModelError, match="notes"):
        save(model, tmp_path / "model", notes)


def test_a_note_may_look_like_a_checksum(model, tmp_path):
    notes = {"sha256": "0" * 64, "also": "0" * 64}
    save(model, tmp_path / "model", notes)
    assert load_with_notes(tmp_path / "model")[1] == notes


def test_an_older_file_is_replaced(model, tmp_path):
    path = tmp_path / "model"
    budgetron.Perceptron().save(path)
    model.save(path)
    assert isinstance(budgetron.load(path), budgetron.Forgetron)
    assert os.listdir(tmp_path) == ["model"]


@pytest.mark.parametrize("broken", ["write", "fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "disk full"), KeyboardInterrupt()])
def test_a_failing_or_interrupted_save_leaves_the_old_file_and_no_other(
    broken, error, model, tmp_path, monkeypatch
):
    path = tmp_path / "model"
    path.write_bytes(b"old")

    def fail(*_):
        raise error

    if broken == "write":
        monkeypatch.setattr(file, "open", lambda *_: _Full(error, *_), raising=False)
    else:
        monkeypatch.setattr(os, broken, fail)
    with pytest.raises(type(error)):
        model.save(path)
    monkeypatch.undo()
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["model"]


class _Full:
    """A file that takes half of what it is given."""

    def __init__(self, error, descriptor, mode):
        self._error, self._file = error, os.fdopen(descriptor, mode)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def writelines(self, parts):
        self._file.write(parts[0][:40])
        raise self._error


def test_a_reader_sees_the_old_or_the_new_and_nothing_between(model, tmp_path):
    path, errors = tmp_path / "model", []
    model.save(path)

    def read():
        try:
            for _ in range(100):
                assert budgetron.load(path).classes_.tolist() == [0, 1]
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    while thread.is_alive():
        model.save(path)
    assert not errors


def test_a_link_stays_a_link(model, tmp_path):
    (tmp_path / "link").symlink_to("model")
    model.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "model").is_file()


def test_others_may_read_the_file_if_they_may_read_files(model, tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    model.save(tmp_path / "model")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "model")}
    assert len(modes) == 1


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_a_file_keeps_the_mode_of_the_one_it_replaces(mode, model, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"old")
    path.chmod(mode)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert isinstance(budgetron.load(path), budgetron.Forgetron)


def test_what_is_written_is_never_open_to_more_than_the_old_file(model, tmp_path, monkeypatch):
    path, seen = tmp_path / "model", []
    path.write_bytes(b"old")
    path.chmod(0o600)
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (seen.append(os.fstat(file)), sync(file)))
    model.save(path)
    assert stat.S_IMODE(seen[0].st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to be root")
def test_a_file_keeps_its_owner(model, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"old")
    os.chown(path, 12345, 54321)
    model.save(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_an_owner_that_cannot_be_kept_is_no_error(model, tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError

    path = tmp_path / "model"
    path.write_bytes(b"old")
    path.chmod(0o640)
    monkeypatch.setattr(os, "fchown", refuse)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_links_that_lead_in_a_circle_are_told_and_stay(model, tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "self").symlink_to("self")
    for name in ("a", "b", "self"):
        with pytest.raises(OSError, match=name) as told:
            model.save(tmp_path / name)
        assert told.value.errno == errno.ELOOP
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "self"]
    assert all((tmp_path / name).is_symlink() for name in ("a", "b", "self"))


def test_a_chain_of_links_stays_and_the_file_keeps_its_mode(model, tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "model").write_bytes(b"old")
    (tmp_path / "far" / "model").chmod(0o600)
    (tmp_path / "near").symlink_to("far/model")
    (tmp_path / "link").symlink_to("near")
    model.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "near").is_symlink()
    assert stat.S_IMODE((tmp_path / "far" / "model").stat().st_mode) == 0o600
    assert isinstance(budgetron.load(tmp_path / "link"), budgetron.Forgetron)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such things here")
def test_what_is_no_file_is_not_replaced(model, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    with pytest.raises(SavedModelError, match="regular file"):
        model.save(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError):
        model.save(tmp_path / "directory")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(os.listdir(tmp_path)) == ["directory", "pipe"]


def test_errors_of_the_file_system_are_its_own(model, tmp_path):
    with pytest.raises(FileNotFoundError):
        model.save(tmp_path / "nowhere" / "model")
    with pytest.raises(FileNotFoundError):
        budgetron.load(tmp_path / "nothing")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such things here")
def test_what_is_no_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(SavedModelError, match="regular file"):
            budgetron.load(path)


def test_saving_changes_nothing_and_shares_nothing(model, tmp_path):
    before = model._learner.state.weights.copy()
    model.save(tmp_path / "model")
    other = budgetron.load(tmp_path / "model").partial_fit(X, 1 - Y)
    assert isinstance(other._learner, Learner)
    assert model._learner.state.weights.tobytes() == before.tobytes()


def test_the_package_has_it_all():
    assert budgetron.load is saving.load
    assert issubclass(saving.SavedModelError, ValueError)
