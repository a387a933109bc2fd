"""What a learner of River says about a row, for people to read."""

import pytest

from budgetron import river


@pytest.mark.parametrize("name", ["Forgetron", "Budgetron"])
def test_a_row_is_explained(name):
    model = getattr(river, name)()
    assert model.debug_one({"a": 1.0}) == "nothing has been learned yet"
    for t in range(60):
        model.learn_one({"a": t % 7, "b": 100.0 * (t % 3)}, "\x1b[31myes" if t % 3 else "no")
    for x in ({"a": 1.0, "b": 200.0}, {"a": 1.0, "b": 0.0}):
        told = dict(line.split(": ", 1) for line in model.debug_one(x).splitlines())
        assert told["predicted"] == repr(model.predict_one(x))
        assert {"score", "supports"} <= {*told}
    if name == "Budgetron":
        trust = dict(pair.rsplit(" ", 1) for pair in told["trust"].split(", "))
        assert {*trust} == {"cautious", "bold", "average", "labels", "stack"}
        assert sum(map(float, trust.values())) == pytest.approx(1, abs=0.01)
        *widths, last = (pair.rsplit(" ", 1) for pair in told["widths"].split(", "))
        assert last[0] == "several"
        gammas = [float(name.removeprefix("gamma=")) for name, _ in widths]
        assert gammas == sorted(gammas) and len(gammas) > 1
        shares = [float(share) for _, share in (*widths, last)]
        assert sum(shares) == pytest.approx(
            sum(float(trust[name]) for name in ("cautious", "bold", "average")), abs=0.01
        )


def test_widths_are_told_where_there_are_some():
    model = river.Budgetron()
    model.learn_one({"a": 1.0}, True)
    assert model.debug_one({"a": 1.0}).endswith("widths: none so far")
    model = river.Budgetron(kernel="linear")
    model.learn_one({"a": 1.0}, True)
    assert "widths" not in model.debug_one({"a": 1.0})
