"""Which column is the target, and what the others become."""

import numpy as np
import pytest
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer

from budgetron.reading import Column, Plan, Reader, ReadingError, ReadOptions
from budgetron.reading.inference import kind_of_value
from reading.everything import everything


@pytest.fixture
def csv(tmp_path):
    def write(text):
        path = tmp_path / "rows.csv"
        path.write_bytes(text.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("names", "asked", "target"),
    [
        ("a,b,c", None, "c"),
        ("a,Label,c", None, "Label"),
        ("y,b,c", None, "y"),
        ("y,label,c", None, "c"),
        ("y,label,c", "label", "label"),
        ("a,b,c", 0, "a"),
        ("a,b,c", -2, "b"),
    ],
)
def test_the_target(csv, names, asked, target):
    plan = everything(csv(f"{names}\n1,2,3\n4,5,6\n"), ReadOptions(target=asked)).plan
    assert plan.target == target
    assert [column.name for column in plan.columns] == [n for n in names.split(",") if n != target]


@pytest.mark.parametrize("options", [{"target": "d"}, {"target": 3}, {"ignore": ("d",)}])
def test_columns_that_are_not_there(csv, options):
    with pytest.raises(ReadingError, match=r"there is no column .*; there are 'a', 'b', 'c'"):
        Reader(csv("a,b,c\n1,2,3\n"), ReadOptions(**options))


def test_ignored_columns_may_hold_anything(csv):
    path = csv("a,b,c,label\n1,x,2024-01-01,0\n2,,,1\n3,\xff,z,0\n")
    assert everything(path, ReadOptions(ignore=("b", 2))).X == [[1], [2], [3]]
    with pytest.raises(ReadingError, match="no columns to learn from"):
        Reader(path, ReadOptions(ignore=("a", "b", "c")))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["1", "-2", "3"], [1, -2, 3]),
        (["1", "2.5", "3"], [1.0, 2.5, 3.0]),
        (["true", "False", "TRUE"], [True, False, True]),
        (["1", "two", "3"], ["1", "two", "3"]),
        (["9" * 30, "1", "2"], [1e30, 1.0, 2.0]),
        (["NA", "x", "y"], ["NA", "x", "y"]),
        (["2024-01-01", "2024-01-02", "x"], ["2024-01-01", "2024-01-02", "x"]),
        (["caf\u00e9", "\u732b", "x y"], ["caf\u00e9", "\u732b", "x y"]),
    ],
)
def test_labels_are_as_they_are(csv, labels, expected):
    read = everything(csv("a,label\n" + "".join(f"1,{label}\n" for label in labels)))
    assert read.y == expected
    assert [type(label) for label in read.y] == [type(label) for label in expected]


def test_labels_as_asked(csv):
    assert everything(csv("a,y\n1,01\n2,02\n"), ReadOptions(labels="text")).y == ["01", "02"]


def test_a_column_is_what_most_of_it_is(csv):
    read = everything(csv("a,y\n" + "1,0\n" * 30 + "x,0\n" + "2,1\n"))
    assert read.plan.columns == (Column("a", "number"),)
    assert [(bad.line, bad.reason) for bad in read.bad] == [
        (32, "column 'a' is no number: invalid value 'x'")
    ]


def test_booleans_are_0_and_1(csv):
    assert everything(csv("a,y\ntrue,0\nFalse,1\n")).X == [[1], [0]]


def test_few_categories_are_one_hot_and_later_ones_share_a_feature(csv):
    text = "a,y\n" + "p,0\nq,1\n" * 3 + "r,0\n"
    read = everything(csv(text), ReadOptions(sample=6))
    assert read.plan.columns == (Column("a", "one-hot", 3, ("p", "q")),)
    assert read.X == [[1, 0, 0], [0, 1, 0]] * 3 + [[0, 0, 1]]


def test_categories_that_hardly_repeat_are_hashed(csv):
    text = "a,y\np,0\nq,1\nr,0\np,0\n"
    assert everything(csv(text), ReadOptions(buckets=8)).plan.columns == (Column("a", "hashed", 8),)


def test_categories_are_bounded(csv):
    text = "a,y\n" + "".join(f"v{i},0\n" * (1 + (i in (3, 5))) for i in range(50))
    plan = everything(csv(text), ReadOptions(kinds={"a": "one-hot"}, categories=2)).plan
    assert plan.columns == (Column("a", "one-hot", 3, ("v3", "v5")),)
    assert everything(csv(text), ReadOptions(buckets=8)).plan.columns == (Column("a", "hashed", 8),)


def test_many_categories_are_hashed(csv):
    values = [f"v{i}" for i in range(200)]
    text = "n,a,y\n" + "".join(f"7,{v},0\n" for v in values)
    assert [each.name for each in everything(csv(text)).plan.left_out] == ["a"]
    read = everything(csv(text), ReadOptions(buckets=32, kinds={"a": "hashed"}))
    hasher = FeatureHasher(32, input_type="string", alternate_sign=False)
    hashed = hasher.transform([[value] for value in values]).toarray()
    assert np.column_stack([np.full(200, 7), hashed]).tolist() == read.X


def test_long_texts_are_bags_of_words(csv):
    texts = [f"the mail, number {i} of many" for i in range(100)]
    text = "y,a\n" + "".join(f'0,"{t}"\n' for t in texts)
    read = everything(csv(text), ReadOptions(buckets=64))
    assert read.plan.columns == (Column("a", "words", 64),)
    assert np.array_equal(read.X, HashingVectorizer(n_features=64).transform(texts).toarray())


def test_sparse_columns_come_last(csv):
    path = csv("a,b,y\n" + "".join(f"v{i},{i},0\n" for i in range(100)))
    kinds = {"a": "hashed", "b": "number"}
    read = everything(path, ReadOptions(buckets=4, missing="indicator", kinds=kinds))
    assert read.plan.width == 4 + 1 + 1 + 1
    assert [row[:3] for row in read.X] == [[0, i, 0] for i in range(100)]


def test_dates_are_seconds_since_the_first_row(csv):
    path = csv(
        "a,y\n1970-01-02,0\n1970-01-01T00:00:01Z,1\n1970-01-01 01:00:00.5+01:00,0\n"
        "1970-01-01 00:01,1\nsoon,1\n,0\n"
    )
    read = everything(path, ReadOptions(sample=4))
    assert read.plan.columns == (Column("a", "seconds", origin=86400.0),)
    assert read.X == [[0], [-86399], [-86399.5], [-86340]]
    assert [bad.line for bad in read.bad] == [6, 7]


@pytest.mark.parametrize(
    "options",
    [
        {"format": "xml"},
        {"missing": "mean"},
        {"kinds": {"a": "magic"}},
        {"kinds": {"a": "indexed"}},
        {"labels": "int"},
        {"delimiter": "ab"},
        {"delimiter": "\n"},
        {"quote": "\u00ab"},
        {"buckets": 0},
        {"sample": 0},
    ],
)
def test_read_options_that_make_no_sense(options):
    with pytest.raises(ReadingError, match=r"must be|only all of svmlight"):
        ReadOptions(**options)


@pytest.mark.parametrize("arguments", [{"chunk_rows": 0}, {"skip": -1}])
def test_reader_arguments_that_make_no_sense(csv, arguments):
    with pytest.raises(ReadingError, match="cannot skip"):
        Reader(csv("a,b\n1,2\n"), **arguments)


def test_two_columns_of_one_name(csv):
    with pytest.raises(ReadingError, match="2 columns called 'a'"):
        Reader(csv("a,a,b\n1,2,3\n"))


@pytest.mark.parametrize(
    ("format", "columns", "message"),
    [
        ("csv", [], "no columns"),
        ("csv", [Column("y", "number")], "no columns"),
        ("csv", [Column("a", "number"), Column("y", "number")], "also the target"),
        ("csv", [Column("a", "number"), Column("a", "words", 2)], "there twice"),
        ("csv", [Column("a", "indexed", 9)], "only all of svmlight"),
        ("svmlight", [Column("a", "number")], "only all of svmlight"),
    ],
)
def test_plans_that_make_no_sense(format, columns, message):
    with pytest.raises(ReadingError, match=message):
        Plan(format, tuple(columns), "y")


def test_an_index_without_a_name(csv):
    read = everything(csv(",a,y\n0,5,1\n1,6,2\n"))
    assert (read.plan.kinds(labelled=False), read.X) == (
        {"": "number", "a": "number"},
        [[0, 5], [1, 6]],
    )


def test_too_many_columns(csv):
    with pytest.raises(ReadingError, match="70,000 columns are too many"):
        Reader(csv("1," * 69_999 + "1\n"))


PLANS = [
    Plan("csv", (Column("a", "number"),), "y"),
    Plan(
        "csv",
        (
            Column("a", "one-hot", 3, ('"', "\n\u732b")),
            Column("b", "hashed", 7),
            Column("c", "words", 9),
            Column("d", "seconds"),
            Column("e", "boolean"),
        ),
        None,
        "integer",
        "indicator",
        ("a", "b", "c", "d", "e"),
        "\t",
        "",
    ),
    Plan("svmlight", (Column("features", "indexed", 8),), "label", "number", "zero"),
]


@pytest.mark.parametrize("plan", PLANS)
def test_plans_are_stored_and_restored(plan):
    assert Plan.from_json(plan.to_json()) == plan


def test_a_stored_plan_reads_what_it_would_decide_differently(csv):
    plan = everything(csv("a,b,y\n" + "1,p,0\n2,q,1\n" * 5)).plan
    later = csv("a,b,y\n3,r,1\n4,p,0\n")
    assert everything(later).plan != plan
    read = everything(later, Plan.from_json(plan.to_json()))
    assert (read.plan, read.X) == (plan, [[3, 0, 0, 1], [4, 1, 0, 0]])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        PLANS[0].to_json().replace("csv", "xml"),
        PLANS[0].to_json().replace("number", "magic"),
        PLANS[0].to_json().replace('"width": 1', '"width": 0'),
        PLANS[0].to_json().replace('"width": 1', '"width": "1"'),
        PLANS[0].to_json().replace("target", "goal"),
        PLANS[1].to_json().replace('"width": 3', '"width": 4'),
    ],
)
def test_what_is_no_plan(text):
    with pytest.raises(ReadingError):
        Plan.from_json(text)


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_that_64_bits_do_not_hold_are_numbers(sign):
    assert kind_of_value(sign * (2**63 - 1)) == "integer"
    assert kind_of_value(sign * 2**63) == "number"
