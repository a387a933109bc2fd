"""Part of building a wheel: with BUDGETRON_SHIP_CODE=all it carries machine code (`make wheel`).

That of all learners, or of those named instead, on dense rows in float64, for the processors that
`core.kept_code` names and for the Python and the Numba that build it: any other compiles at first
use, as without.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WANTED = "BUDGETRON_SHIP_CODE"
PLATFORMS = {"x86_64-linux": "manylinux_2_17_x86_64.manylinux2014_x86_64"}
"""The code itself uses nothing of the system but the mathematical functions of C."""


class ShippedCode(BuildHookInterface):
    """Compiles, and lets the wheel say whom it is for."""

    def initialize(self, version, build_data):
        names = os.environ.get(WANTED, "").split()
        if not names:
            return
        machine = f"{os.uname().machine}-{sys.platform}"
        if machine not in PLATFORMS or sys.implementation.name != "cpython":
            raise RuntimeError(f"no machine code is shipped for {machine}: build without {WANTED}")
        self._made = tempfile.TemporaryDirectory()
        _compile([] if names == ["all"] else names, Path(self.root, "src"), self._made.name)
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{PLATFORMS[machine]}"
        build_data["force_include"][self._made.name] = "budgetron/machine_code"

    def finalize(self, version, build_data, artifact_path):
        if hasattr(self, "_made"):
            self._made.cleanup()


def _compile(names, sources, directory):
    sys.path.insert(0, str(sources))
    from budgetron.core.kept_code import KIND_OF_PROCESSOR

    for_all_of_them = {
        "NUMBA_CACHE_DIR": directory,
        "NUMBA_CPU_NAME": KIND_OF_PROCESSOR,
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_DISABLE_INTEL_SVML": "1",
        "PYTHONPATH": str(sources),
    }
    command = [sys.executable, "-m", "budgetron", "warm", *names]
    subprocess.run(command, env=os.environ | for_all_of_them, check=True)
