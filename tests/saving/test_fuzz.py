"""Whatever is in a file, it is refused, or it is a learner that goes on; soon, in little memory."""

import os

import pytest

from engine.fresh import in_a_fresh_process

A_FEW = 250
FILES = int(os.environ.get("BUDGETRON_FUZZ_MODELS", A_FEW))  # 50000 for a long run


@pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="memory is limited on Linux only"
)
def test_mutated_files():
    """Uncompiled, so that an index beyond the end of an array is an error; a long run, compiled."""
    told = in_a_fresh_process(
        f"import json; from saving.fuzzing import main; print(json.dumps(main({FILES})))",
        path=os.path.dirname(os.path.dirname(__file__)),
        NUMBA_DISABLE_JIT="0" if FILES > A_FEW else "1",
    )
    outcomes = told["outcomes"]
    assert not told["wrong"], told["wrong"][0]
    assert outcomes["refused"] > FILES / 2
    assert outcomes["went on"] > FILES / 20
    assert told["different reasons"] > 50
