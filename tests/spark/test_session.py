"""Streams through Spark itself: this needs Java, and runs by `make spark`."""

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

pyspark = pytest.importorskip("pyspark", reason="Spark is not installed")
HAS_JVM = Path(pyspark.__file__).with_name("jars").is_dir()
if not HAS_JVM or not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("make spark has pyspark and Java", allow_module_level=True)

import pandas as pd  # noqa: E402
from pyspark.errors import StreamingQueryException  # noqa: E402
from pyspark.sql import functions as sf  # noqa: E402

from budgetron import Forgetron, Perceptron, RestartingExperts, loads  # noqa: E402
from budgetron.spark import learn_stream, models, predict_batch  # noqa: E402
from spark.session import new_session  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # what Spark says of itself

SCHEMA = "number long, customer string, label string, a double, b double"
HOW = {
    "key": "customer",
    "label": "label",
    "features": ["a", "b"],
    "order": "number",
    "classes": ["in", "out"],
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Its JVM is where the test is, so that both mean the same by a path of the page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("spark"))
        session = new_session()
        yield session
        session.stop()


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    return pd.DataFrame(
        {
            "number": np.arange(300),
            "customer": [f"customer {number % 7}" for number in range(300)],
            "label": np.where((X**2).sum(axis=1) > 1, "out", "in"),
            "a": X[:, 0],
            "b": X[:, 1],
        }
    )


@pytest.fixture
def stream(session, rows, tmp_path):
    rows.to_parquet(tmp_path / "rows.parquet", index=False)
    return session.readStream.schema(SCHEMA).parquet(str(tmp_path))


def ran(predictions, place):
    query = predictions.writeStream.trigger(availableNow=True)
    query = query.option("checkpointLocation", str(place / "checkpoint"))
    query.start(str(place / "predictions"), format="parquet").awaitTermination()
    return predictions.sparkSession.read.parquet(str(place / "predictions"))


def run(predictions, place):
    return ran(predictions, place).toPandas()


def test_the_example_of_the_page_says_what_a_loop_says(session, capsys):
    page = Path(__file__).parents[2] / "docs" / "spark.md"
    example = re.search(r"```py\n(.*?)```", page.read_text(), re.DOTALL)[1]
    exec(example.replace("spark.stop()", ""), made := {})
    assert capsys.readouterr().out.startswith("2000 True\n")
    said, kept = made["said"].sort_values("number"), made["kept"].toPandas().set_index("key")
    assert [*said] == ["customer", "number", "fraud", "prediction", "score"]
    assert len(kept) == 7
    for customer, own in made["payments"].groupby("customer"):
        alone, expected = Forgetron(budget=20, random_state=0), []
        for row in own.itertuples():
            asked = alone.ask_one([row.amount, row.hour])
            expected.append((asked.label, asked.score if asked.label is not None else None))
            if asked.label is None:
                alone.partial_fit([[row.amount, row.hour]], [row.fraud], [False, True])
            else:
                alone.learn_one([row.amount, row.hour], row.fraud)
        here = said[said["customer"] == customer]
        scores = [None if np.isnan(score) else score for score in here["score"]]
        assert here["number"].tolist() == own["number"].tolist()
        assert [*zip(here["prediction"], scores, strict=True)] == expected
        assert bytes(kept.loc[customer, "model"]) == alone.dumps()
    made["payments"].to_parquet("payments/more.parquet", index=False)
    columns = {"key": "customer", "label": "fraud", "features": ["amount", "hour"]}
    again = learn_stream(
        session.readStream.schema(made["schema"]).parquet("payments"),
        Forgetron(budget=20),
        **columns,
        order="number",
        classes=[False, True],
        buckets=8,
    )
    with pytest.raises(StreamingQueryException, match="the checkpoint has 16 buckets, and not 8"):
        run(again, Path())


def test_labels_that_come_late(session, rows, tmp_path):
    rows["time"] = pd.to_datetime("2026-01-01") + pd.to_timedelta(rows["number"], unit="s")
    labels = rows[["number", "customer", "label", "time"]].rename(columns={"number": "id"})
    labels["number"] = labels["id"] + 0.5
    asked = rows.drop(columns="label").assign(id=rows["number"])
    asked["number"] = asked["number"].astype(float)
    frames = []
    for name, frame in (("rows", asked), ("labels", labels)):
        (tmp_path / name).mkdir()
        frame.to_parquet(tmp_path / name / "all.parquet", index=False, coerce_timestamps="us")
        reader = session.readStream.schema(session.read.parquet(str(tmp_path / name)).schema)
        frames.append(reader.parquet(str(tmp_path / name)))
    late = {"labels": frames[1], "id": "id", "time": "time", "within": "1 hour"}
    said = run(learn_stream(frames[0], Forgetron(budget=8), keep=["a"], **late, **HOW), tmp_path)
    assert [*said] == ["customer", "number", "id", "a", "label", "prediction", "score"]
    assert said.sort_values("number")["a"].tolist() == rows["a"].tolist()
    seen = [
        loads(bytes(row["model"])).n_seen_
        for row in models(session, tmp_path / "checkpoint").collect()
    ]
    assert sum(seen) == 300


def test_what_is_kept_is_what_it_was(session, stream, rows, tmp_path):
    """Whatever pandas makes of it on the way."""
    seldom = sf.col("number") % 3 == 0
    kept = {
        "large": sf.when(seldom, None).otherwise(sf.col("number") + (2**60 + 1)),
        "precise": sf.lit("1.2345678901234567890").cast("decimal(38, 19)"),
        "number_or_not": sf.when(seldom, float("nan")).otherwise(sf.col("a")),
        "a_third": sf.when(seldom, None).otherwise(sf.col("a").cast("float") / 3),
        "early": sf.lit("0001-01-02 03:04:05.678901").cast("timestamp"),
        "late": sf.when(seldom, None).otherwise(
            sf.lit("9999-12-31 23:59:59.999999").cast("timestamp_ntz")
        ),
        "day": sf.when(seldom, None).otherwise(sf.lit("1066-10-14").cast("date")),
        "nested": sf.array(sf.struct("number", "customer"), sf.lit(None)),
        "bare": sf.col("customer").cast("binary"),
    }
    wider = stream.withColumns(kept)
    said = ran(learn_stream(wider, Forgetron(budget=8), keep=[*kept], **HOW), tmp_path)
    said, own = (
        frame.select("number", *kept)
        for frame in (said, session.createDataFrame(rows).withColumns(kept))
    )
    assert said.schema.simpleString() == own.schema.simpleString()
    assert said.count() == len(rows) and said.exceptAll(own).count() == 0


def test_a_saved_model_on_a_frame(session, rows, tmp_path):
    learner = Forgetron(budget=20).fit(rows[["a", "b"]].to_numpy(), rows["label"].to_numpy())
    learner.save(tmp_path / "model.budgetron")
    frame = session.createDataFrame(rows)
    expected = learner.predict(rows[["a", "b"]].to_numpy()).tolist()
    for model in (learner.dumps(), tmp_path / "model.budgetron"):
        said = predict_batch(frame, model, features=["a", "b"], prediction="said").toPandas()
        assert said.sort_values("number")["said"].tolist() == expected
    with pytest.raises(ValueError, match="has a column 'label' already"):
        predict_batch(frame, learner, features=["a", "b"], prediction="label")


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"key": "nobody"}, ValueError, "the frame has no column 'nobody'"),
        ({"features": ["a", "customer"]}, TypeError, "'customer' must be a number"),
        ({"features": "a"}, TypeError, "'a' must be an array of numbers"),
        ({"features": []}, ValueError, "features must name a column or more"),
        ({"order": "facts"}, TypeError, "'facts' must be a number, a string or a time"),
        ({"key": "a"}, TypeError, "'a' must be a string or a whole number"),
        ({"classes": [0, 1]}, TypeError, "'label' must be"),
        ({"classes": ["in"]}, ValueError, "two different labels or more"),
        ({"classes": ["in", 1]}, TypeError, "strings, whole numbers or booleans"),
        ({"keep": ["label"]}, ValueError, "has to have another name"),
        ({"buckets": 0}, ValueError, "buckets"),
        ({"id": "number"}, ValueError, "labels that come late need"),
    ],
)
def test_what_cannot_be_learned_is_refused_at_once(stream, change, error, message):
    stream = stream.withColumn("facts", sf.array("number"))
    with pytest.raises(error, match=message):
        learn_stream(stream, Forgetron(), **HOW | change)


def test_other_frames_and_learners_are_refused(session, stream, rows):
    with pytest.raises(ValueError, match="must be a streaming DataFrame"):
        learn_stream(session.createDataFrame(rows), Forgetron(), **HOW)
    with pytest.raises(TypeError, match="must be a DataFrame of Spark, got DataFrame"):
        learn_stream(rows, Forgetron(), **HOW)
    with_time = stream.withColumn("at", sf.timestamp_seconds("number")).withColumn(
        "id", sf.col("number")
    )
    late = {"labels": with_time.withColumn("number", sf.col("number").cast("string"))}
    late |= {"id": "id", "time": "at", "within": "1 hour"}
    with pytest.raises(TypeError, match="'number' must be of the kind that it is in the frame"):
        learn_stream(with_time, Forgetron(), **late, **HOW)
    with pytest.raises(TypeError, match="RestartingExperts does not learn row by row"):
        learn_stream(stream, RestartingExperts(), **HOW)
    with pytest.raises(ValueError, match=r"knows the classes \['no', 'yes'\]"):
        learn_stream(stream, Perceptron().fit([[0, 0], [1, 1]], ["no", "yes"]), **HOW)
    provider = "spark.sql.streaming.stateStore.providerClass"
    own = session.conf.get(provider)
    session.conf.set(provider, own.replace("RocksDBState", "HDFSBackedState"))
    with pytest.raises(ValueError, match="RocksDB"):
        learn_stream(stream, Forgetron(), **HOW)
    session.conf.set(provider, own)
