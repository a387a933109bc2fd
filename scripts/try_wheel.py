"""Install a wheel in an empty environment, and time the first use of every learner.

It fails if the first fit of one takes a second or more after import. `make wheel` runs it.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]


def main(wheel):
    sys.path.insert(0, str(ROOT))
    from benchmarks.sections.first_use import FROM_WHEEL_BELOW, first_use
    from benchmarks.wheels import installed
    from budgetron.registry import LEARNERS

    slow = []
    with TemporaryDirectory() as directory:
        python = installed(wheel, directory)
        for name in LEARNERS:
            seconds = first_use(name, python)
            print(f"{name:40} import {seconds['import']:.2f} s, first fit {seconds['fit']:.2f} s")
            if seconds["fit"] >= FROM_WHEEL_BELOW:
                slow.append(name)
    return f"too slow: {', '.join(slow)}" if slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
