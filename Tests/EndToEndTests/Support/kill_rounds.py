#!/usr/bin/python3
"""Kills a daemon with SIGKILL, again and again at random moments, while clients submit and commands run.

After each kill a new daemon is started on the same state, and everything that it says is compared with what was
acknowledged before and with what the commands themselves wrote down:

* an acknowledged request is pending, or its run is known; an acknowledged cancel stays one;
* no run is started twice; a request is started again only if its earlier start was never committed as entered;
* no command runs beside another instance of its task, nor beside what that left behind.

The last line on standard output is a JSON object with the figures. Exits 1 with what was wrong.
"""

import argparse
import ctypes
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

from runner_client import Client, RunnerError

APP = "com.example.kill"
CLIENTS = 4
TASKS_PER_CLIENT = 6
PR_SET_CHILD_SUBREAPER = 36

# Writes down its entry, then takes the lock of its task without waiting. What it starts inherits the lock.
COMMAND = """#!/bin/sh
exec 9>>"$KILL_FOLDER/lock.$RUNNER_TASK_IDENTIFIER"
echo "$RUNNER_TASK_IDENTIFIER $RUNNER_RUN $RUNNER_ATTEMPT" >>"$KILL_FOLDER/entries"
flock -n 9 || { echo "$RUNNER_TASK_IDENTIFIER $RUNNER_RUN" >>"$KILL_FOLDER/held"; exit 1; }
[ "$2" != grandchild ] || sleep 0.25 &
exec sleep "$1"
"""


class Violation(Exception):
    """A promise was broken."""


def identifiers_of(client):
    return [f"{APP}.task-{client}-{task}" for task in range(TASKS_PER_CLIENT)]


def all_identifiers():
    return [identifier for client in range(CLIENTS) for identifier in identifiers_of(client)]


class Known:
    """What one identifier's only client knows for certain."""

    def __init__(self):
        # The submission of the last acknowledged request, if no acknowledged cancel came after it.
        self.submitted = None
        # The submission that an acknowledged cancel took back, if no submit came after it, acknowledged or not.
        self.cancelled = None


class Submitter(threading.Thread):
    """A client: submits, cancels and simulates until its connection breaks."""

    def __init__(self, number, path, known, seen, counts, seed):
        super().__init__(daemon=True)
        self.number = number
        self.path = path
        self.known = known
        self.seen = seen
        self.counts = counts
        self.random = random.Random(seed)
        self.failure = None

    def run(self):
        try:
            with Client(self.path) as client:
                while True:
                    self.step(client)
        except (OSError, ConnectionError, json.JSONDecodeError):
            pass
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def step(self, client):
        identifiers = identifiers_of(self.number)
        identifier = self.random.choice(identifiers)
        dice = self.random.random()
        try:
            if dice < 0.8:
                self.submit(client, self.random.sample(identifiers, self.random.randint(1, len(identifiers))))
            elif dice < 0.9:
                self.cancel(client, identifier)
            else:
                run = client.call("simulateLaunch", {"identifier": identifier})["run"]
                self.saw(run)
        except RunnerError as error:
            if error.kind not in ("noPendingRequest", "alreadyRunning"):
                raise
        if self.random.random() < 0.5:
            for run in client.call("running")["runs"]:
                if run["state"] != "starting":
                    self.saw(run)

    def submit(self, client, identifiers):
        """Sends several requests at once, so that the kill finds some of them in one transaction."""
        waiting = {}
        for identifier in identifiers:
            self.known[identifier].cancelled = None
            waiting[client.send("submit", self.request(identifier))] = identifier
        while waiting:
            reply = client.receive()
            identifier = waiting.pop(reply["id"])
            if "error" in reply:
                raise RunnerError(reply["error"])
            self.known[identifier].submitted = reply["result"]["request"]["submission"]
            self.counts["submitted"] += 1

    def request(self, identifier):
        dice = self.random.random()
        if dice < 0.65:
            return {"identifier": identifier, "earliestBeginDate": date(time.time() + 3600)}
        if dice < 0.8:
            return {"identifier": identifier, "earliestBeginDate": date(time.time() + self.random.uniform(0.02, 0.2))}
        return {"identifier": identifier}

    def cancel(self, client, identifier):
        known = self.known[identifier]
        # Until the answer comes, the request may be there or not.
        submitted, known.submitted = known.submitted, None
        result = client.call("cancel", {"identifier": identifier})
        if not result["cancelled"]:
            known.submitted = submitted
            return
        # A claim that is taken back shows no request.
        known.cancelled = result.get("request", {}).get("submission")
        self.counts["cancelled"] += 1

    def saw(self, run):
        """An answer comes after the commit of what it says, so this run's entry is on disk."""
        self.seen[run["run"]] = run["submission"]


def date(seconds):
    whole, milliseconds = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{milliseconds:03d}Z"


class Daemon:
    """A daemon of one round."""

    def __init__(self, world):
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = str(world.folder / "notify")
        Path(path).unlink(missing_ok=True)
        self.notices.bind(path)
        self.log = open(world.folder / "log", "ab")
        self.process = subprocess.Popen(
            [world.runnerd, "--foreground", "--log", "warning", "--state", str(world.folder / "state"), "--socket",
             world.socket, "--plugins", str(world.folder / "plugins")],
            env={**os.environ, "NOTIFY_SOCKET": path}, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def wait_until_ready(self):
        self.notices.settimeout(20)
        try:
            while b"READY=1" not in self.notices.recv(4096).split(b"\n"):
                pass
        except TimeoutError as error:
            raise Violation(f"the daemon was not ready in time, its status is {self.process.poll()}") from error

    def end(self, number):
        self.process.send_signal(number)
        status = self.process.wait(timeout=30)
        self.notices.close()
        self.log.close()
        return status


class World:
    def __init__(self, runnerd, seed):
        self.runnerd = runnerd
        self.random = random.Random(seed)
        self.folder = Path(tempfile.mkdtemp(prefix="kill-rounds-"))
        self.socket = str(self.folder / "control.sock")
        self.known = {identifier: Known() for identifier in all_identifiers()}
        # Runs that an answer showed as entered, by number, with their submission.
        self.seen = {}
        # Every run that the daemon has told of, by number.
        self.runs = {}
        # Runs below this number have ended, and are known.
        self.settled = 1
        # How often a command with this run's number was entered, and with which attempts.
        self.entries = defaultdict(list)
        self.entries_read = 0
        self.counts = Counter()
        self.write_bundle()

    def write_bundle(self):
        bundle = self.folder / "plugins" / "kill.plugin"
        (bundle / "bin").mkdir(parents=True)
        command = bundle / "bin" / "work"
        command.write_text(COMMAND)
        command.chmod(0o755)
        tasks = {}
        for index, identifier in enumerate(all_identifiers()):
            tasks[identifier] = {
                "command": ["bin/work", ["0.01", "0.03", "0.1"][index % 3], "grandchild" if index % 4 == 0 else "alone"],
                "environment": {"KILL_FOLDER": str(self.folder)},
            }
        (bundle / "Info.json").write_text(json.dumps({
            "CFBundleIdentifier": APP, "BGTaskSchedulerPermittedIdentifiers": [f"{APP}.*"],
            "UIBackgroundModes": ["fetch"], "RunnerTasks": tasks,
        }))

    # A round

    def round(self):
        daemon = Daemon(self)
        try:
            if self.random.random() < 0.1:
                # A kill while it starts.
                time.sleep(self.random.uniform(0, 0.03))
                self.counts["killed at start"] += 1
            else:
                daemon.wait_until_ready()
                with Client(self.socket) as client:
                    self.compare(client)
                    self.stream()
                    # A request that was given back waits for its backoff, but for a simulation.
                    self.start_again(client)
                    time.sleep(self.random.choice([0.005, 0.05, 0.15]) * self.random.random())
        finally:
            status = daemon.end(signal.SIGKILL)
        if status != -signal.SIGKILL:
            raise Violation(f"the daemon ended by itself with {status}; its log ends with {self.last_log()}")
        self.join()
        reap_orphans()
        self.counts["rounds"] += 1

    def stream(self):
        self.submitters = [
            Submitter(number, self.socket, self.known, self.seen, Counter(), self.random.random())
            for number in range(CLIENTS)
        ]
        for submitter in self.submitters:
            submitter.start()

    def join(self):
        for submitter in getattr(self, "submitters", []):
            submitter.join(timeout=20)
            self.counts.update(submitter.counts)
            if submitter.failure:
                raise Violation(f"a client was answered {submitter.failure!r}")
        self.submitters = []

    def start_again(self, client):
        for request in self.given_back:
            try:
                client.call("simulateLaunch", {"identifier": request["identifier"]})
            except RunnerError as error:
                if error.kind not in ("noPendingRequest", "alreadyRunning"):
                    raise

    # What must hold

    def compare(self, client):
        # In this order: a request that is claimed meanwhile is found as a run.
        pending = {request["identifier"]: request for request in self.pages(client, "pending", "requests", "after")}
        active = client.call("running")["runs"]
        for run in active:
            self.runs[run["run"]] = run
        for run in self.pages(client, "history", "runs", "before"):
            if run["run"] < self.settled:
                break
            self.runs[run["run"]] = run
        # A run may have been claimed after `running` was answered: only what was seen to have ended is settled.
        unfinished = [run["run"] for run in self.runs.values() if run["state"] in ("starting", "running", "expiring")]
        self.settled = min(unfinished, default=max(self.runs, default=0) + 1)
        self.given_back = [request for request in pending.values() if request["attempts"] > 0]
        self.read_entries()
        self.nothing_lost(pending)
        self.nothing_twice()
        self.nothing_beside()

    @staticmethod
    def pages(client, method, member, cursor):
        params = {"limit": 200}
        while True:
            page = client.call(method, params)
            yield from page[member]
            if "next" not in page:
                return
            params[cursor] = page["next"]

    def read_entries(self):
        try:
            with open(self.folder / "entries", encoding="ascii") as stream:
                stream.seek(self.entries_read)
                text = stream.read()
        except FileNotFoundError:
            return
        # A line that is being written is read the next time.
        text = text[:text.rfind("\n") + 1]
        self.entries_read += len(text)
        for line in text.splitlines():
            identifier, run, attempt = line.split()
            self.entries[int(run)].append((identifier, int(attempt)))

    def nothing_lost(self, pending):
        newest = defaultdict(int)
        for run in self.runs.values():
            newest[run["identifier"]] = max(newest[run["identifier"]], run["submission"])
        for identifier, known in self.known.items():
            waiting = pending.get(identifier, {}).get("submission", 0)
            if known.submitted is not None and max(waiting, newest[identifier]) < known.submitted:
                raise Violation(
                    f"submission {known.submitted} of {identifier} was acknowledged and is lost: {waiting} is pending, "
                    f"{newest[identifier]} was the last to run")
            if known.cancelled is not None and waiting and waiting <= known.cancelled:
                raise Violation(f"submission {waiting} of {identifier} was cancelled, and is pending again")

    def nothing_twice(self):
        starts = defaultdict(list)
        for number in sorted(self.runs):
            starts[self.runs[number]["submission"]].append(self.runs[number])
        for run, entries in self.entries.items():
            # A run whose daemon died an instant ago may not be asked for yet, but one that is settled must be known.
            if run not in self.runs:
                if run < self.settled:
                    raise Violation(f"run {run} was entered, and the daemon does not know it")
                continue
            if len(entries) > 1:
                raise Violation(f"run {run} was entered {len(entries)} times")
            identifier, attempt = entries[0]
            told = self.runs[run]
            if (told["identifier"], told["attempt"]) != (identifier, attempt):
                raise Violation(f"run {run} was entered as {entries[0]}, and the daemon says {told}")
        for submission, runs in starts.items():
            if [run["attempt"] for run in runs] != list(range(1, len(runs) + 1)):
                raise Violation(f"the attempts of submission {submission} do not count up: {runs}")
            for run in runs[:-1]:
                was_running = run["state"] in ("running", "expiring", "succeeded", "failed", "expired")
                names = [diagnostic["name"] for diagnostic in run["diagnostics"]]
                if was_running or run["run"] in self.seen or "startInterrupted" not in names:
                    raise Violation(f"submission {submission} was entered in {run}, and started again as {runs[-1]}")
        for run, submission in self.seen.items():
            told = self.runs.get(run)
            if told and "startInterrupted" in [diagnostic["name"] for diagnostic in told["diagnostics"]]:
                raise Violation(f"run {run} of submission {submission} was shown as entered, and then taken back")
        repeated = [run for runs in starts.values() for run in runs[:-1]]
        self.counts["given back and started again"] = len(repeated)
        self.counts["entered, not committed, entered again"] = sum(run["run"] in self.entries for run in repeated)

    def nothing_beside(self):
        held = self.folder / "held"
        if held.exists():
            raise Violation(f"a command was started beside another instance: {held.read_text().splitlines()}")

    # The end

    def settle(self):
        """Lets everything that is due run, then compares for the last time, and lets the daemon drain."""
        daemon = Daemon(self)
        daemon.wait_until_ready()
        deadline = time.monotonic() + 20
        try:
            with Client(self.socket) as client:
                self.compare(client)
                self.start_again(client)
                while self.is_busy(client):
                    if time.monotonic() > deadline:
                        raise Violation("what is due does not come to an end")
                    time.sleep(0.05)
                self.compare(client)
        finally:
            status = daemon.end(signal.SIGTERM)
            reap_orphans()
        if status != 0:
            raise Violation(f"the last daemon drained and ended with {status}")
        states = Counter(run["state"] for run in self.runs.values())
        for run in self.runs.values():
            if run["state"] in ("starting", "running", "expiring"):
                raise Violation(f"a run never ended: {run}")
            if run["state"] == "succeeded" and run["run"] not in self.entries:
                raise Violation(f"a run succeeded that no command wrote down: {run}")
        not_entered = sum(
            run["run"] not in self.entries for run in self.runs.values() if run["state"] == "interrupted")
        return {
            **self.counts, "runs": len(self.runs), "entries": sum(map(len, self.entries.values())),
            "seen running": len(self.seen), "interrupted before entry": not_entered, "states": dict(states),
        }

    @staticmethod
    def is_busy(client):
        if client.call("running")["runs"]:
            return True
        for request in World.pages(client, "pending", "requests", "after"):
            if request["attempts"] == 0 and request.get("earliestBeginDate", "") < date(time.time()):
                return True
        return False

    def last_log(self):
        return (self.folder / "log").read_text(errors="replace").splitlines()[-5:]


def reap_orphans():
    """What a killed daemon leaves behind becomes ours."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def rounds(runnerd, count, seed):
    """The figures of one world; raises Violation."""
    world = World(runnerd, seed)
    try:
        for _ in range(count):
            world.round()
        return world.settle()
    except Violation as violation:
        raise Violation(
            f"in round {world.counts['rounds'] + 1} of seed {seed}: {violation}\n"
            f"The daemon's log ends with {world.last_log()}") from violation
    finally:
        reap_orphans()
        shutil.rmtree(world.folder, ignore_errors=True)


def side_by_side(options):
    """Shares the rounds among worlds that know nothing of each other, and adds up their figures."""
    share = -(-options.rounds // options.worlds)
    processes = [
        subprocess.Popen(
            [sys.executable, __file__, "--runnerd", options.runnerd, "--rounds", str(share), "--seed",
             str(options.seed + number), "--worlds", "1"],
            stdout=subprocess.PIPE, text=True)
        for number in range(options.worlds)
    ]
    outputs = [process.communicate()[0] for process in processes]
    if any(process.returncode != 0 for process in processes):
        sys.exit(1)
    figures = [json.loads(output.splitlines()[-1]) for output in outputs]
    total = Counter()
    for figure in figures:
        total.update({name: value for name, value in figure.items() if isinstance(value, int) and name != "seed"})
    return {"worlds": options.worlds, **total, "states": sum((Counter(figure["states"]) for figure in figures), Counter())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runnerd", required=True)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=4, help="how many daemons are killed side by side")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"kill_rounds: --seed {options.seed} --worlds {options.worlds}", flush=True)
    start = time.monotonic()
    if options.worlds > 1:
        figures = side_by_side(options)
    else:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            figures = rounds(options.runnerd, options.rounds, options.seed)
        except Violation as violation:
            print(f"kill_rounds: {violation}", file=sys.stderr)
            sys.exit(1)
    print(json.dumps({"seed": options.seed, "seconds": round(time.monotonic() - start, 1), **figures}))


if __name__ == "__main__":
    main()
