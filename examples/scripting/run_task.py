#!/usr/bin/env python3
"""Submits a request, waits for its run, and says how it ended; or why it waits. Needs nothing but Python.

    run_task.py IDENTIFIER [SECONDS]

Exit status: 0 the run succeeded, 1 it did not, 2 wrong arguments, 3 refused, 4 no daemon, 5 it has not ended in time.
"""
import json, os, socket, sys, time

user = f"{os.environ['XDG_RUNTIME_DIR']}/runner" if os.environ.get("XDG_RUNTIME_DIR") else f"/tmp/runner-{os.geteuid()}"
path = os.environ.get("RUNNER_SOCKET") or ("/run/runner" if os.geteuid() == 0 else user) + "/control.sock"


class Refused(Exception):
    """Says the kind of the error, and its sentence."""


class Runner:
    def __init__(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        self.lines = connection.makefile("rw", encoding="utf-8", newline="\n")

    def call(self, method, **params):
        print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=self.lines, flush=True)
        reply = json.loads(self.lines.readline() or '{"error": {"data": {}, "message": "The daemon is gone."}}')
        if "error" in reply:
            raise Refused(reply["error"]["data"].get("kind"), reply["error"]["message"])
        return reply["result"]


def run_task(identifier, patience):
    runner, deadline = Runner(), time.monotonic() + patience
    submission = runner.call("submit", identifier=identifier, ifPending="keep")["request"]["submission"]
    while True:
        runs = runner.call("running")["runs"] + runner.call("history", identifier=identifier, limit=10)["runs"]
        if found := [run["run"] for run in runs if run["submission"] == submission]:
            break
        if time.monotonic() >= deadline:
            print(runner.call("explain", identifier=identifier)["summary"], file=sys.stderr)
            return 5
        time.sleep(0.2)
    ended = runner.call("wait", run=found[0], timeoutSeconds=max(0, deadline - time.monotonic()))["run"]
    why = f" ({ended['message']})" if "message" in ended else ""
    print(f"Run {found[0]} of {identifier} ended: {ended['state']}{why}")
    return int(ended["state"] != "succeeded")


try:
    sys.exit(run_task(sys.argv[1], float(sys.argv[2]) if sys.argv[2:] else 60))
except (IndexError, ValueError):
    print(__doc__, file=sys.stderr)
    sys.exit(2)
except OSError as error:
    print(f"No daemon answers at {path} ({error.strerror}); start one with: runnerd --foreground", file=sys.stderr)
    sys.exit(4)
except Refused as refused:
    print(refused.args[1], file=sys.stderr)
    sys.exit(5 if refused.args[0] == "timedOut" else 3)
