"""What a learner of River says about a row, for people to read."""

import pytest

from budgetron import river


@pytest.mark.parametrize("name", ["Forgetron", "Budgetron", "DriftingThreshold"])
def test_a_row_is_explained(name):
    model = getattr(river, name)()
    assert model.debug_one({"a": 1.0}) == "nothing has been learned yet"
    for t in range(60):
        model.learn_one({"a": t % 3 / 3}, "\x1b[31myes" if t % 3 else "no")
    for x in ({"a": 0.5}, {"a": 0.1}):
        report = model.debug_one(x, decimals=1)
        first, second, *rest = report.splitlines()
        assert first.startswith(f"predicted: {model.predict_one(x)!r}, rather than ")
        assert second.startswith("score: ") and "\x1b" not in report
        assert report == model.estimator.explain(model._one_row(x)).text(1)
    words = {"Forgetron": "supports for it", "Budgetron": "cautious", "DriftingThreshold": "below"}
    assert any(words[name] in line for line in rest)
