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
        assert "several" in told["widths"]
