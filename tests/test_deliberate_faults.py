"""The faults of scripts/mutate.py are of places that there are: each can be tried."""

from pathlib import Path

import budgetron
from scripts.mutate import FAULTS


def test_each_fault_has_its_place_in_the_package():
    package = Path(budgetron.__file__).parent
    gone = [fault for fault in FAULTS if fault.right not in (package / fault.file).read_text()]
    assert not gone
