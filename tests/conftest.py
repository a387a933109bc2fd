import os

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("rules.by_hand")

settings.register_profile("fast", max_examples=40, deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
