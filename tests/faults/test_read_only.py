"""Where nothing can be written, as in a container: learners are imported, and they predict."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LOCKED = """
import json, os, subprocess, sys, warnings
def mount(*how):
    subprocess.run(["mount", *how], check=True, capture_output=True)
mount("--make-rprivate", "/")
for place in ("/", "/dev", "/run", "/dev/shm"):
    if os.path.ismount(place):
        mount("-o", "remount,bind,ro", place)
if os.environ.get("TMPDIR"):
    mount("-t", "tmpfs", "none", os.environ["TMPDIR"])
os.execv(sys.executable, [sys.executable, "-c", os.environ["SCRIPT"]])
"""
SCRIPT = """
import json, os, tempfile, warnings
warnings.filterwarnings("ignore", module="joblib")  # which finds no shared memory
from pathlib import Path
import budgetron
written = []
for place in (Path.cwd(), Path(budgetron.__file__).parent, Path("/dev/shm"), Path("/tmp")):
    try:
        (place / "written").touch()
        written.append(str(place))
    except OSError:
        pass
X, y = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] * 5, [-1, 1, -1, 1] * 5
found = budgetron.Forgetron(budget=8, gamma=2).fit(X, y).predict(X[:2]).tolist()
try:
    temporary = tempfile.gettempdir() == os.environ.get("TMPDIR")
except FileNotFoundError:
    temporary = False
print(json.dumps([found, written, temporary]))
"""
ISOLATED = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])


def can_be_isolated():
    if shutil.which("unshare") is None:
        return False
    asked = [*ISOLATED, "mount", "--make-rprivate", "/"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_be_isolated(), reason="there are no mount namespaces to be had")
@pytest.mark.parametrize(
    ("has_home", "has_temporary"), [(True, True), (False, False)], ids=["something", "nothing"]
)
def test_a_read_only_system_is_no_reason_not_to_predict(tmp_path, has_home, has_temporary):
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    environment = kept | {"SCRIPT": SCRIPT, "PYTHONPATH": os.pathsep.join(sys.path)}
    if has_home:
        environment["HOME"] = "/nonexistent"
    if has_temporary:
        environment["TMPDIR"] = str(tmp_path)
    done = subprocess.run(
        [*ISOLATED, sys.executable, "-c", LOCKED],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [[-1, 1], [], has_temporary]


def test_the_image_is_made_of_what_is_there():
    asked = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
    copied = [it for line in re.findall(r"^COPY (.*) \S+$", asked, re.M) for it in line.split()]
    let_in = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.M)
    assert sorted(copied) == sorted(let_in)
    assert all((ROOT / each).exists() for each in copied)
    assert "\nRUN budgetron warm --rows both\n" in asked
    last = re.findall(r"^(?:USER|ENTRYPOINT) .*$", asked, re.M)
    assert last == ["USER budgetron", 'ENTRYPOINT ["budgetron"]']
