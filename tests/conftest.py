import os

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("rules.by_hand")

settings.register_profile("fast", max_examples=25, deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


SINGLE = "its shrinking amplifies the rounding of float32 kernel values until runs part"
EXPECTED_FAILURES = {
    "test_long_runs_do_not_drift_apart[float32-Forgetron-budget=8]": SINGLE,
    "test_float32_decides_as_float64[gaussian-dense-linear-Forgetron-budget=8]": SINGLE,
    "test_float32_decides_as_float64[gaussian-sparse-linear-Forgetron-budget=8]": SINGLE,
}


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name in EXPECTED_FAILURES:
            item.add_marker(pytest.mark.xfail(reason=EXPECTED_FAILURES[item.name], strict=True))
