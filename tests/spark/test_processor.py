"""What a bucket of keys does in Spark is what a loop over its rows does, in one process."""

from copy import deepcopy

import numpy as np
import pytest

pd = pytest.importorskip("pandas", reason="pandas is not installed")
tws_tester = pytest.importorskip("pyspark.sql.streaming.tws_tester", reason="no pyspark-client")

from budgetron import Budgetron, Forgetron, RandomizedBudgetPerceptron, loads  # noqa: E402
from budgetron.spark import live, processor  # noqa: E402
from budgetron.spark.columns import demand_features  # noqa: E402

BUCKET, CLASSES = 3, ["no", "yes"]


@pytest.fixture(autouse=True)
def _nobody_at_hand():
    live._at_hand.clear()


def a_stream(rows=400, keys=5, seed=0, unlabelled=0.2, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    codes = np.digitize(X[:, 0] * X[:, 1], np.linspace(-0.5, 0.5, classes + 1)[1:-1]).astype(float)
    codes[rng.random(rows) < unlabelled] = np.nan
    return pd.DataFrame(
        {
            "key": rng.integers(keys, size=rows),
            "order": np.arange(rows),
            "features": [*X],
            "code": codes,
            "is_label": False,
        }
    )


def a_tester(learner, classes=CLASSES, at_hand=1000, **more):
    own = processor.KeyedLearners(
        learner,
        classes,
        key_type="long",
        handed_on=["key", "order", "code"],
        buckets=16,
        at_hand=at_hand,
        **more,
    )
    mode = "EventTime" if own.id_type else "None"
    late = {"eventTimeExtractor": lambda row: row["time"]} if own.id_type else {}
    return tws_tester.TwsTester(own, timeMode=mode, **late)


def in_batches(tester, stream, size, seed=0):
    """Predictions in the order of the stream; rows of a micro-batch come in any order."""
    told = [
        tester.testInPandas(
            BUCKET, stream[first : first + size].sample(frac=1.0, random_state=seed)
        ).astype({"score": object})
        for first in range(0, len(stream), size)
    ]
    return pd.concat(told).sort_values("order", ignore_index=True)


def in_a_loop(learner, stream, classes=CLASSES):
    """The same in one process: predictions, scores, and the learners at the end."""
    learners, said = {}, []
    for row in stream.itertuples():
        own = learners.setdefault(row.key, deepcopy(learner))
        asked = own.ask_one(row.features)
        said.append((asked.label, None if asked.label is None else asked.score))
        if not np.isnan(row.code):
            label = classes[int(row.code)]
            if asked.label is None:
                own.partial_fit([row.features], [label], classes)
            else:
                own.learn_one(row.features, label)
    return said, {key: own.dumps() for key, own in learners.items() if hasattr(own, "classes_")}


def told(predictions, classes=CLASSES):
    labels = [None if code < 0 else classes[code] for code in predictions["prediction"]]
    pairs = zip(labels, predictions["score"].tolist(), strict=True)
    return [(label, None if label is None else score) for label, score in pairs]


def models_of(tester):
    return {key: value[0] for (key,), value in tester.peekMapState("models", BUCKET).items()}


def state_of(tester):
    handle = tester.handle
    return deepcopy(
        [{n: s.state for n, s in d.items()} for d in (handle.map_states, handle.value_states)]
    )


def put_back(tester, state):
    maps, values = deepcopy(state)
    for name, own in maps.items():
        tester.handle.map_states[name].state = own
    for name, own in values.items():
        tester.handle.value_states[name].state = own


@pytest.mark.parametrize(
    "learner", [Forgetron(budget=8), RandomizedBudgetPerceptron(budget=8, random_state=1)]
)
def test_micro_batches_and_their_sizes_do_not_show(learner):
    learner, stream = learner.set_params(random_state=1), a_stream()
    expected, models = in_a_loop(learner, stream)
    for size in (1, 7, 130, 400):
        tester = a_tester(learner)
        assert told(in_batches(tester, stream, size)) == expected
        assert models_of(tester) == models


def test_many_classes_have_a_score_each():
    classes, stream = [10, 20, 30], a_stream(rows=200, classes=3)
    learner = Forgetron(budget=8, random_state=0)
    tester = a_tester(learner, classes)
    expected, models = in_a_loop(learner, stream, classes)
    assert told(in_batches(tester, stream, 40), classes) == expected
    assert models_of(tester) == models and len(expected[-1][1]) == 3


def test_every_key_begins_with_what_the_learner_knows():
    stream, more = a_stream(rows=60, unlabelled=0.0), a_stream(rows=60, seed=1, unlabelled=0.0)
    labels = [CLASSES[int(code)] for code in more["code"]]
    learner = Forgetron(budget=8, random_state=0).fit([*more["features"]], labels)
    before = learner.dumps()
    tester = a_tester(learner)
    assert told(in_batches(tester, stream, 20)) == in_a_loop(learner, stream)[0]
    assert learner.dumps() == before


@pytest.mark.parametrize("at_hand", [0, 2, 1000])
@pytest.mark.parametrize("new_workers", [False, True])
def test_a_task_that_is_tried_again_learns_nothing_twice(at_hand, new_workers):
    """After each attempt the state is what it was, as if it had failed before it was written."""
    learner, stream = Forgetron(budget=8, random_state=0), a_stream()
    expected, models = in_a_loop(learner, stream)
    tester, predictions = a_tester(learner, at_hand=at_hand), []
    for first in range(0, len(stream), 50):
        before, rows = state_of(tester), stream[first : first + 50]
        attempts = []
        for _ in range(3):
            put_back(tester, before)
            attempts.append(told(tester.testInPandas(BUCKET, rows)))
            if new_workers:
                live._at_hand.clear()
        assert attempts[0] == attempts[1] == attempts[2]
        predictions += attempts[-1]
    assert predictions == expected
    assert models_of(tester) == models


def test_learners_at_hand_are_not_loaded_again(monkeypatch):
    loaded = []
    monkeypatch.setattr(processor, "loads", lambda data: loaded.append(0) or loads(data))
    stream = a_stream()
    tester = a_tester(Forgetron(budget=8, random_state=0), at_hand=3)
    in_batches(tester, stream[:200], 50)
    assert 0 < len(loaded) <= 2 * 3  # two of five keys, in each micro-batch but the first
    loaded.clear()
    live._at_hand.clear()
    tester = a_tester(Forgetron(budget=8, random_state=0))
    in_batches(tester, stream, 50)
    assert loaded == []
    ((_, learners),) = live._at_hand.values()
    assert [*sorted(learners)] == [0, 1, 2, 3, 4]


def test_rows_without_labels_change_nothing():
    tester, stream = a_tester(Forgetron(budget=8, random_state=0)), a_stream(unlabelled=0.0)
    in_batches(tester, stream[:200], 100)
    before = state_of(tester)
    rows = stream[200:].assign(code=np.nan)
    assert (tester.testInPandas(BUCKET, rows)["prediction"] >= 0).all()
    assert state_of(tester) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"code": -1.0}, "the row 3 of 0: its label is none of the classes"),
        ({"features": None}, "the row 3 of 0: its features are null"),
        ({"features": [np.array([1.0, 2.0])] * 6}, "the row 3 of 0: "),
        ({"features": [np.array([1.0, np.nan, 0.0])] * 6}, "the row 3 of 0: "),
        ({"key": None}, "there are rows whose key is null"),
        ({"order": None}, "there are rows whose order is null"),
    ],
)
def test_what_cannot_be_learned_is_told_and_leaves_the_state_as_it_was(change, message):
    tester = a_tester(Forgetron(budget=8, random_state=0))
    stream = a_stream(rows=9, unlabelled=0.0).assign(key=0)
    tester.testInPandas(BUCKET, stream[:3])
    before = state_of(tester)
    with pytest.raises(ValueError, match=message):
        tester.testInPandas(BUCKET, stream[3:].assign(**change))
    assert state_of(tester) == before
    rest = tester.testInPandas(BUCKET, stream[3:])
    assert told(rest) == in_a_loop(Forgetron(budget=8, random_state=0), stream)[0][3:]


@pytest.mark.parametrize("classes", [["no", "yes", "maybe"], ["no", "oh"]])
def test_learners_of_other_classes_are_told(classes):
    learner, stream = Forgetron(budget=8, random_state=0), a_stream(rows=40, keys=1)
    tester = a_tester(learner)
    tester.testInPandas(BUCKET, stream[:20])
    later = a_tester(learner, classes)
    put_back(later, state_of(tester))
    with pytest.raises(ValueError, match=r"0 knows the classes \['no', 'yes'\], and not \['no', '"):
        later.testInPandas(BUCKET, stream[20:])
    same = a_tester(learner, CLASSES[::-1])
    put_back(same, state_of(tester))
    expected, _ = in_a_loop(learner, stream)
    codes = stream["code"].map({0.0: 1.0, 1.0: 0.0})
    rest = same.testInPandas(BUCKET, stream.assign(code=codes)[20:])
    assert told(rest, CLASSES[::-1]) == expected[20:]


def test_features_are_those_that_a_fitted_learner_knows():
    rows = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    named, bare = Forgetron().fit(rows, CLASSES), Forgetron().fit(rows.to_numpy(), CLASSES)
    for learner, features in ((named, ["a", "b"]), (named, "both"), (bare, ["x", "y"])):
        demand_features(features, learner)
    for learner, features, why in (
        (Forgetron(), [], "must name a column or more"),
        (bare, ["x"], "has 2 features, not 1"),
        (named, ["b", "a"], r"has the features \['a', 'b'\], not \['b', 'a'\]"),
    ):
        with pytest.raises(ValueError, match=why):
            demand_features(features, learner)


def late_stream(rows=300, most=40, seed=0):
    """Rows, and their labels up to so many rows later; all in the order in which they come."""
    rng, rows_alone = np.random.default_rng(seed), a_stream(rows, keys=3, unlabelled=0.0, seed=seed)
    rows_alone["id"] = rows_alone["order"]
    rows_alone["order"] = rows_alone["order"].astype(float)
    rows_alone["time"] = 1000 * (1 + rows_alone["id"])
    labels = rows_alone.assign(is_label=True, features=None)
    labels["order"] += rng.integers(most, size=rows) + rng.uniform(0.1, 0.9, size=rows)
    labels["time"] = (1000 * (1 + labels["order"])).astype(int)
    stream = pd.concat([rows_alone.assign(code=np.nan), labels])
    return stream.sort_values(["order", "id"], ignore_index=True)


@pytest.mark.parametrize("learner", [Forgetron(budget=8), Budgetron(budget=8)])
def test_late_labels_are_learned_when_they_come(learner):
    learner, stream = learner.set_params(random_state=0), late_stream()
    learners, asked, expected = {}, {}, []
    for row in stream.itertuples():
        own = learners.setdefault(row.key, deepcopy(learner))
        if not row.is_label:
            prediction = own.ask_one(row.features)
            asked[row.id] = row.features, prediction
            expected.append(prediction.label)
        else:
            x, prediction = asked.pop(row.id)
            if hasattr(own, "classes_"):
                own.learn_one(x, CLASSES[int(row.code)], prediction)
            else:
                own.partial_fit([x], [CLASSES[int(row.code)]], CLASSES)
    for size in (50, 600):
        tester = a_tester(learner, id_type="long")
        predictions = in_batches(tester, stream, size)
        assert [label for label, _ in told(predictions)] == expected
        assert models_of(tester) == {key: own.dumps() for key, own in learners.items()}
        assert tester.peekMapState("waiting", BUCKET) == {}


def test_a_label_is_learned_once_and_not_after_the_watermark():
    stream = late_stream(rows=20, most=1)
    rows, labels = stream[~stream["is_label"]], stream[stream["is_label"]]
    tester = a_tester(Forgetron(budget=8, random_state=0), id_type="long")
    tester.testInPandas(BUCKET, rows)
    assert len(tester.peekMapState("waiting", BUCKET)) == 20
    for _ in range(2):
        tester.testInPandas(BUCKET, labels[:5])
    assert sum(loads(own).n_seen_ for own in models_of(tester).values()) == 5
    tester.setWatermark(19_999)
    assert len(tester.peekMapState("waiting", BUCKET)) == 15  # a timer waits for the last of them
    tester.setWatermark(20_000)
    assert tester.peekMapState("waiting", BUCKET) == {}
    tester.testInPandas(BUCKET, labels[5:].assign(time=30_000))
    assert sum(loads(own).n_seen_ for own in models_of(tester).values()) == 5
