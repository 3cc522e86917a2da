#!/usr/bin/env python3
"""The same as run_task.py with aiorpcX, a JSON-RPC library that knows nothing of Runner: pip install aiorpcX==0.25.0

    run_task_aiorpcx.py IDENTIFIER [SECONDS]

Exit status: 0 the run succeeded, 1 it did not, 2 wrong arguments, 3 refused, 4 no daemon, 5 it has not ended in time.
"""
import asyncio
import os
import sys
import time

import aiorpcx

TIMED_OUT = 24

user = f"{os.environ['XDG_RUNTIME_DIR']}/runner" if os.environ.get("XDG_RUNTIME_DIR") else f"/tmp/runner-{os.geteuid()}"
path = os.environ.get("RUNNER_SOCKET") or ("/run/runner" if os.geteuid() == 0 else user) + "/control.sock"


async def find_run(session, identifier, submission):
    """The run of a submission, once there is one. Both lists are asked for at the same time."""
    lists = await asyncio.gather(
        session.send_request("running"),
        session.send_request("history", {"identifier": identifier, "limit": 10}))
    runs = [run for found in lists for run in found["runs"]]
    return next((run["run"] for run in runs if run["submission"] == submission), None)


async def run_task(identifier, patience):
    deadline = time.monotonic() + patience
    async with aiorpcx.connect_us(path) as session:
        # How long `wait` takes is our own affair.
        session.sent_request_timeout = patience + 30
        result = await session.send_request("submit", {"identifier": identifier, "ifPending": "keep"})
        while not (run := await find_run(session, identifier, result["request"]["submission"])):
            if time.monotonic() >= deadline:
                why = await session.send_request("explain", [identifier])
                print(why["summary"], file=sys.stderr)
                return 5
            await asyncio.sleep(0.2)
        rest = max(0, deadline - time.monotonic())
        ended = (await session.send_request("wait", {"run": run, "timeoutSeconds": rest}))["run"]
    why = f" ({ended['message']})" if "message" in ended else ""
    print(f"Run {run} of {identifier} ended: {ended['state']}{why}")
    return int(ended["state"] != "succeeded")


async def main():
    try:
        return await run_task(sys.argv[1], float(sys.argv[2]) if sys.argv[2:] else 60)
    except (IndexError, ValueError):
        print(__doc__, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"No daemon answers at {path} ({error.strerror}); start one with: runnerd --foreground", file=sys.stderr)
        return 4
    except aiorpcx.RPCError as error:
        print(error.message, file=sys.stderr)
        return 5 if error.code == TIMED_OUT else 3


sys.exit(asyncio.run(main()))
