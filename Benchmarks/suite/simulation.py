"""Virtual days: how many a second, and how that grows with tasks."""

import json
import subprocess
import sys

from .figures import ratio_at_least, ratio_at_most
from .tools import ROOT, Failure


def simulation(tools, figures):
    """The scheduler in simulated time, against a bare model with Python's heapq."""
    program = tools.ours("simulation-bench")
    done = subprocess.run([program, "figures"], capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise Failure(done.stderr.strip())
    found = json.loads(done.stdout)
    peer = subprocess.run(
        [sys.executable, ROOT / "Benchmarks/peers/days.py", "2000"], capture_output=True, text=True, check=True,
        timeout=120)
    bare = float(peer.stdout.split()[0])
    small = found["small"]
    figures.add("simulation", f"days, 8 tasks and {small['launches'] // small['days']} runs a day", small["daysPerSecond"],
                "1/s", "the same days with heapq", bare, aim=ratio_at_least(3.4))
    figures.add("simulation", "a run of the small case", small["microsecondsPerLaunch"], "us")
    device = found["device"]
    figures.add("simulation", "device-days, 10 apps, 3 tasks each, 100 opens a day", device["daysPerSecond"], "1/s")
    one = found["growth"]["1"]["microsecondsPerLaunch"]
    for tasks in ("10", "100", "1000", "10000"):
        figures.add("simulation", f"a run among {tasks} tasks", found["growth"][tasks]["microsecondsPerLaunch"], "us",
                    "among 1", one, aim=ratio_at_most(2))
