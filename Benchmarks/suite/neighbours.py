"""What one client's round trips cost while others do their worst."""

import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from . import noises
from .figures import ratio_at_most
from .tools import call, identifier

ROUNDS = 3
TASKS = 64
RUNS = 1_500
TOGETHER = ["brackets", "deaf", "slow", "idle"]
ALONE = [*TOGETHER, "guessing"]


def neighbours(tools, figures):
    """One client's `status`, quiet and beside others; the p99 of a second each, alternating."""
    requests = tools.requests("status", [call("status")])
    with tools.daemon(tasks=TASKS, pinned=True) as (daemon, _):
        fill_history(str(daemon))

        def late(kinds):
            with ExitStack() as stack:
                for kind in kinds:
                    stack.enter_context(running(kind, daemon))
                if kinds:
                    time.sleep(0.3)
                return tools.client(daemon, requests, 1, pinned=True, failure='"error"')["p99"]

        def measure(name, kinds, peer="quiet", peers=()):
            pairs = []
            for _ in range(ROUNDS):
                quiet = late(peers)
                pairs.append((late(kinds), quiet))
            figures.add_pairs("neighbours", f"p99 of status beside {name}", pairs, "µs", peer, ratio_at_most(2))

        measure("all of them", TOGETHER)
        for kind in ALONE:
            measure(noises.NOISES[kind].__doc__, [kind])
        # Submits cost something themselves.
        measure(noises.unread.__doc__, ["events", "unread"], "the same events, without it", ["events"])


def fill_history(path):
    """A history whose pages are long."""
    with noises.connected(path) as client:
        reader = client.makefile("rb")
        for number in range(RUNS):
            params = {"identifier": identifier(number % TASKS), "submit": True, "wait": True}
            client.sendall(noises.line("simulateLaunch", params))
            reader.readline()


@contextmanager
def running(kind, path):
    process = subprocess.Popen([sys.executable, str(Path(noises.__file__)), kind, str(path)])
    try:
        yield
    finally:
        process.kill()
        process.wait()
