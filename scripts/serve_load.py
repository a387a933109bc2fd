"""How fast the server is: wrk on one core, the server on another.

    python scripts/serve_load.py [--learner Forgetron] [--seconds 5] [--connections 32]

Budget 100, 20 features. Beside requests a second there are those for each second that the server's
process was at work, which is what a core of its own gives where others use it, too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import mkdtemp
from urllib.request import urlopen

import numpy as np

import budgetron

FEATURES, NDJSON = 20, "application/x-ndjson"

SCRIPT = """
local bodies = {bodies}
local at = 0
function request()
  at = at % #bodies + 1
  local headers = {{["Content-Type"] = "{media}"}}
  return wrk.format("POST", "/v1/models/tried/{action}", headers, bodies[at])
end
function done(summary, latency)
  print("p50 " .. latency:percentile(50) .. " p99 " .. latency:percentile(99)
    .. " bad " .. summary.errors.status + summary.errors.connect + summary.errors.read
    + summary.errors.timeout)
end
"""


def bodies(rng, many, *, labelled, rows=1):
    told = []
    for _ in range(many):
        X = rng.normal(size=(rows, FEATURES)).round(4)
        own = [{"x": x.tolist()} for x in X]
        for row, x in zip(own, X, strict=True):
            if labelled:
                row["y"] = "yes" if x[0] * x[1] > 0 else "no"
        told.append("\n".join(json.dumps(row) for row in own))
    return "{" + ",".join(f"[[{body}]]" for body in told) + "}"


def used(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(folder, server, url, options, action, media, *, rows=1, labelled=False):
    own = bodies(np.random.default_rng(1), 500 if rows == 1 else 50, labelled=labelled, rows=rows)
    script = folder / "script.lua"
    script.write_text(SCRIPT.format(bodies=own, action=action, media=media))
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{options.connections}", "-s", str(script)]
    results = []
    for seconds in (2, *[options.seconds] * options.repeat):
        before, start = used(server.pid), time.perf_counter()
        told = subprocess.run(
            [*command, f"-d{seconds}s", url], check=True, capture_output=True, text=True
        ).stdout
        wall, busy = time.perf_counter() - start, used(server.pid) - before
        requests = int(re.search(r"(\d+) requests in", told)[1])
        p50, p99, bad = map(float, re.search(r"p50 (\S+) p99 (\S+) bad (\S+)", told).groups())
        assert bad == 0, told
        results.append((requests * rows / wall, requests * rows / busy, p50 / 1e3, p99 / 1e3))
    return max(results[1:])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--learner", default="Forgetron")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    folder = Path(mkdtemp(prefix="budgetron-load-"))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, FEATURES))
    learner = getattr(budgetron, options.learner)(budget=100)
    learner.partial_fit(X, np.where(X[:, 0] * X[:, 1] > 0, "yes", "no"), classes=["no", "yes"])
    learner.save(folder / "tried.budgetron")
    command = ["taskset", "-c", "0", sys.executable, "-m", "budgetron", "serve", "--port", "0"]
    command += ["--model", str(folder / "tried.budgetron"), "--data", str(folder / "data")]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        url = json.loads(server.stderr.readline())["url"]
        print(
            f"{options.learner}, {options.connections} connections, load {os.getloadavg()[0]:.1f}"
        )
        print(f"{'':24}{'a second':>10}{'a busy second':>15}{'p50 ms':>9}{'p99 ms':>9}")
        for name, action, how in (
            ("predictions, single", "predict", {"media": "application/json"}),
            ("learned rows, single", "learn", {"media": "application/json", "labelled": True}),
            ("learned rows, by 100", "learn", {"media": NDJSON, "labelled": True, "rows": 100}),
            ("predicted rows, by 100", "predict", {"media": NDJSON, "rows": 100}),
        ):
            rate, busy, p50, p99 = measured(folder, server, url, options, action, **how)
            print(f"{name:24}{rate:10,.0f}{busy:15,.0f}{p50:9.2f}{p99:9.2f}", flush=True)
        with urlopen(f"{url}/v1/models/tried") as answer:
            print(f"{json.load(answer)['row']:,} rows learned")
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
