"""The log of a service, in files and through other learners."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

import budgetron
from budgetron.keyed import KeyedClassifier
from budgetron.serve.log import segments
from budgetron.serve.records import Settings
from cli.commands import run
from serve.conftest import FEATURES, rows


@pytest.fixture
def logged(bench):
    """A model that has learned rows at once and late, and was rolled back on its way."""
    bench = bench()
    X, y = rows(60)
    told = bench.learn(X[:20], y[:20])
    told += bench.learn(X[20:40], y[20:40], id="once")
    bench.model.roll_back(bench.model.take_snapshot(kept=True)["id"])
    bench.ask(X[40:], [f"late {at}" for at in range(20)])
    told += bench.tell([f"late {at}" for at in range(20)], y[40:])
    bench.model.close()
    return bench.folder, X, y, told


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def exported(folder, path):
    told = run("log", "export", folder, path)
    assert told.exit_code == 0, told.stderr
    return told


def test_all_that_was_learned_is_exported(logged, tmp_path):
    folder, X, y, told = logged
    before = contents(folder)
    exported(folder, tmp_path / "rows.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    np.testing.assert_array_equal([line["x"] for line in lines], X)
    assert [line["y"] for line in lines] == y
    assert [line["row"] for line in lines] == [*range(60)]
    assert [line["predicted"] for line in lines] == [each["label"] for each in told]
    assert [line["score"] for line in lines] == [each["score"] for each in told]
    assert [line["mistake"] for line in lines] == [each["mistake"] for each in told]
    assert [line["version"] for line in lines] == [1] * 40 + [2] * 20
    assert [line["id"] for line in lines] == [None] * 40 + [f"late {at}" for at in range(20)]
    exported(folder, tmp_path / "rows.parquet")
    table = pq.read_table(tmp_path / "rows.parquet")
    for name in ("y", "row", "predicted", "score", "mistake", "version", "id", "weight", "time"):
        assert table[name].to_pylist() == [line[name] for line in lines], name
    for at in range(FEATURES):
        np.testing.assert_array_equal(table[f"x.{at}"], X[:, at])
    assert contents(folder) == before


def test_replay_is_prequential(logged):
    folder, X, y, told = logged
    before = contents(folder)
    learner = budgetron.Projectron(budget=5, gamma=2.0, random_state=0)
    mistakes = int(budgetron.prequential(learner, X, y, classes=["no", "yes"]).mistakes.sum())
    options = ("-l", "Projectron", "-s", "budget=5", "-s", "gamma=2.0", "--json")
    numbers = json.loads(run("log", "replay", folder, *options).stdout)
    assert numbers["metrics"]["mistakes"] == mistakes
    assert numbers["metrics"]["rows"] == 60 and numbers["largest_size"] == 5
    assert numbers["service_mistakes"] == sum(each["mistake"] for each in told)
    assert contents(folder) == before


def test_replay_has_the_models_own_learner_and_a_chart(logged, tmp_path):
    folder, X, y, _ = logged
    learner = budgetron.Forgetron(budget=30, random_state=0)
    mistakes = int(budgetron.prequential(learner, X, y, classes=["no", "yes"]).mistakes.sum())
    told = run("log", "replay", folder, "-s", "budget=30", "--chart", tmp_path / "c.svg")
    assert told.exit_code == 0, told.stderr
    assert "Forgetron(budget=30" in told.stdout and f" {mistakes}, " in told.stdout
    assert "the service then" in told.stdout
    assert (tmp_path / "c.svg").read_text().startswith("<?xml")


def test_keys_are_replayed(bench):
    learner = budgetron.Forgetron(budget=5, random_state=0)
    settings = Settings(classes=["no", "yes"], width=FEATURES, keyed=True)
    bench = bench(KeyedClassifier(learner), settings=settings)
    X, y = rows(80)
    keys = ["left", "right"] * 40
    told = bench.learn(X, y, key=keys)
    numbers = json.loads(run("log", "replay", bench.folder, "--json").stdout)
    assert numbers["metrics"]["mistakes"] == sum(each["mistake"] for each in told)


def test_a_torn_tail_is_said_and_damage_stops(logged, tmp_path):
    folder, *_ = logged
    (path,) = segments(folder / "log").values()
    whole = path.read_bytes().rstrip(b"\0")
    path.write_bytes(whole[:-7])
    told = exported(folder, tmp_path / "rows.jsonl")
    assert "40 rows" in told.stdout and "not whole" in told.stderr
    assert path.read_bytes() == whole[:-7]
    middle = bytearray(whole)
    middle[whole.rfind(b"\xb5log", 0, len(whole) // 2) + 20] ^= 1
    path.write_bytes(middle)
    told = run("log", "export", folder, tmp_path / "rows.jsonl")
    assert told.exit_code == 1 and "damaged at byte" in told.stderr


def test_what_is_no_log_is_refused(logged, tmp_path):
    folder, *_ = logged
    for arguments, said in (
        (("export", tmp_path / "nowhere", "a.jsonl"), "is no folder of a server"),
        (("export", folder, "a.csv"), "must end in one of"),
        (("replay", folder, "--model", "other"), "is no folder of a server"),
        (("replay", folder, "-s", "bugdet=3"), "did you mean budget?"),
    ):
        told = run("log", *arguments)
        assert told.exit_code == 2 and said in told.stderr, told.stderr
