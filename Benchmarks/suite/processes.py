"""Whole processes: how fast they start, and what they cost while nothing happens."""

import re
import shutil
import time
from pathlib import Path

from .figures import at_most
from .tools import Failure, submit

IDLE_SECONDS = 30


def ready(tools, figures):
    """Spawn to READY=1, with nothing and with a thousand commands that wait for their floors."""
    for tasks, aim in [(0, 12), (1_000, 30)]:
        with tools.scratch() as folder:
            command = tools.daemon_command(folder, tasks)
            with tools.server(command, folder / "control.sock"):
                if tasks:
                    submit_all(tools, folder / "control.sock", tasks)
            ours = tools.measure([tools.peer("spawn"), 15, "--ready", folder, "--", *command])
            peer = tools.measure([tools.peer("spawn"), 15, "--", tools.peer("rows"), folder / "state/runner.sqlite"])
        figures.add("start", f"runnerd to READY=1, {tasks:,} pending", ours["p50"], "ms", "reading the rows in C",
                    peer["p50"], aim=at_most(aim))


def submit_all(tools, socket, tasks):
    """Submits for every task; the client goes through its requests in order."""
    requests = tools.requests("all", [submit(number) for number in range(tasks)])
    answered = tools.client(socket, requests, 0.5, pipeline=64, failure='"error"')
    if answered["rate"] * 0.5 < tasks:
        raise Failure("not every request was submitted")


def idle(tools, figures):
    """What a daemon with pending requests and nothing due does in half a minute."""
    with tools.daemon(tasks=100) as (socket, process):
        submit_all(tools, socket, 100)
        time.sleep(2)
        before = switches(process.pid)
        time.sleep(IDLE_SECONDS)
        after = switches(process.pid)
        resident = int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1])
    figures.add("idle", f"wakeups in {IDLE_SECONDS} s", after - before, "", aim=at_most(0))
    figures.add("idle", "resident memory", resident / 1024, "MiB", aim=at_most(14))


def switches(process):
    """How often any thread of a process gave up or lost its CPU, which it can only have had when it was woken."""
    total = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        total += sum(int(count) for count in re.findall(r"ctxt_switches:\s+(\d+)", status.read_text()))
    return total


def command_line(tools, figures):
    """`runnerctl status`, from its spawn to its exit."""
    rounds = 40
    with tools.daemon() as (socket, _), tools.redis() as redis:
        command = [tools.ours("runnerctl"), "--socket", socket, "status"]
        ours = tools.measure([tools.peer("spawn"), rounds, "--", *command])
        peer = None
        if redis and shutil.which("redis-cli"):
            client = shutil.which("redis-cli")
            peer = tools.measure([tools.peer("spawn"), rounds, "--", client, "-s", redis, "PING"])
    figures.add("runnerctl", "status, spawn to exit", ours["p50"], "ms",
                "redis-cli PING" if peer else "redis missing", peer and peer["p50"], aim=at_most(6))
