"""What Grafana draws is what the service says of itself."""

import re
from pathlib import Path

from budgetron.serve.prometheus import Counts, exposition

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana.json"


def test_every_figure_of_the_dashboard_is_there():
    counts = Counts()
    counts.add("learn", 200, 0.001)
    counts.rows["learn"] += 1
    told = exposition({}, counts).decode()
    drawn = set(re.findall(r"budgetron_[a-z_]+", DASHBOARD.read_text(encoding="utf-8")))
    named = set(re.findall(r"budgetron_[a-z_]+", told))
    assert len(drawn) > 10
    assert drawn <= named
