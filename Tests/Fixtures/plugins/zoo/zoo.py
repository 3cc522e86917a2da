#!/usr/bin/env python3
"""Plugins for the tests, each of which does one thing wrong: zoo.py ANIMAL. The animal `good` does nothing wrong.

An animal is a function. Those of `BEFORE` misbehave before they have finished launching and get the channel; the others
misbehave in a run and get the launch too. What speaks the plugin protocol is `Channel`.
"""
import json
import os
import resource
import select
import signal
import socket
import sys
import time


class Channel:
    """The plugin protocol, as far as a plugin of one thread needs it."""

    def __init__(self):
        self.socket = socket.socket(fileno=int(os.environ["RUNNER_PLUGIN_FD"]))
        os.set_inheritable(self.socket.fileno(), False)
        self.input = b""
        self.number = 0
        self.later = []
        self.hello = {}

    # MARK: Out

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, **message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def ask(self, method, **params):
        """The reply to a request; what comes in between is served later."""
        self.number += 1
        number = self.number
        self.send(id=number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message
            self.later.append(message)

    def complete(self, run, result="succeeded", **more):
        return self.ask("task.complete", run=run, result=result, **more)

    # MARK: In

    def receive(self, seconds=None):
        """The next message; exits at the end of the stream, and is None when the time is over."""
        while b"\n" not in self.input:
            if seconds is not None and not select.select([self.socket], [], [], seconds)[0]:
                return None
            data = self.socket.recv(65536)
            if not data:
                self.ended()
            self.input += data
        line, self.input = self.input.split(b"\n", 1)
        return json.loads(line)

    def next(self, seconds=None):
        return self.later.pop(0) if self.later else self.receive(seconds)

    def ended(self):
        sys.exit(0)

    # MARK: The life of a good plugin

    def launch(self, forgotten=()):
        """Says hello, registers everything that is permitted and not forgotten, and finishes launching."""
        reply = self.ask("hello", protocol=1, kit="zoo", version="1")
        self.hello = reply["result"]
        for identifier in self.hello["permitted"]:
            if not identifier.endswith("*") and identifier not in forgotten:
                self.ask("register", identifier=identifier, kind="processing")
        self.ask("finishLaunching")

    def serve(self, handler):
        """Serves launches one after the other, for ever."""
        while True:
            message = self.next()
            if message.get("method") == "task.launch":
                handler(self, message)

    def enter(self, message):
        self.send(id=message["id"], result={})
        return message["params"]["run"]

    def wait_for_expiration(self, seconds):
        message = self.next(seconds)
        return message is not None and message.get("method") in ("task.expire", "shutdown")


def beside(name):
    """A file in the bundle's folder that is no part of the bundle: when it changes, the bundle has not."""
    return os.path.join(os.path.dirname(sys.argv[0]), "..", name)


# MARK: Before it has finished launching


def exits_at_once(channel):
    sys.exit(0)


def hangs_before_hello(channel):
    while channel.receive():
        pass


def never_finishes_launching(channel):
    channel.ask("hello", protocol=1, kit="zoo", version="1")
    hangs_before_hello(channel)


def speaks_another_version(channel):
    reply = channel.ask("hello", protocol=2, kit="zoo", version="1")
    print(reply["error"]["message"], file=sys.stderr)
    sys.exit(2)


def registers_before_hello(channel):
    print(channel.ask("register", identifier="com.example.zoo.run"), file=sys.stderr)
    hangs_before_hello(channel)


def registers_others(channel):
    channel.hello = channel.ask("hello", protocol=1, kit="zoo", version="1")["result"]
    for identifier in ("com.example.good.quick", "com.example.zoo.rnu"):
        print(channel.ask("register", identifier=identifier)["error"]["message"], flush=True)
    channel.ask("register", identifier="com.example.zoo.run", kind="processing")
    channel.ask("finishLaunching")
    channel.serve(good)


# MARK: In a run


def exits_in_the_handler(channel, message):
    channel.enter(message)
    print("this is the last line", flush=True)
    sys.exit(3)


def traps(channel, message):
    channel.enter(message)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGILL)


def exhausts_its_memory(channel, message):
    channel.enter(message)
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))


def ignores_expiration(channel, message):
    channel.enter(message)
    while True:
        channel.receive()


def completes_twice(channel, message):
    run = channel.enter(message)
    first = channel.complete(run)["result"]["accepted"]
    second = channel.complete(run, "failed")["result"]["accepted"]
    print(f"accepted {first}, then {second}", flush=True)


def completes_others(channel, message):
    run = channel.enter(message)
    other = int(open(beside("other-run")).read())
    print("the other run:", channel.complete(other), flush=True)
    channel.complete(run)


def submits_others(channel, message):
    run = channel.enter(message)
    print("the other one:", channel.ask("submit", identifier="com.example.good.quick"), flush=True)
    print("to cancel it:", channel.ask("cancel", identifier="com.example.good.quick"), flush=True)
    channel.complete(run)


def reaches_for_others(channel, message):
    """Tries everything that would touch a run of another app that goes on, or its requests."""
    run = channel.enter(message)
    other, identifier = int(open(beside("other-run")).read()), "com.example.good.rearm"
    channel.notify("task.progress", run=other, fraction=0.99, title="from another")
    channel.notify("log", level="info", run=other, message="from another")
    own = "com.example.zoo.run"
    replies = {
        "complete": channel.complete(other, "failed"),
        "submit": channel.ask("submit", identifier=own, earliestBeginDate="2100-01-01T00:00:00Z"),
        "cancel": channel.ask("cancel", identifier=identifier),
        "pending of it": channel.ask("pending", app="com.example.good"),
        "pending by name": channel.ask("pending", identifier=identifier),
        "pending": channel.ask("pending"),
        "cancelAll of it": channel.ask("cancelAll", app="com.example.good"),
        "cancelAll": channel.ask("cancelAll"),
    }
    for name, reply in replies.items():
        channel.notify("log", level="info", run=run, message=f"{name}: {json.dumps(reply)}")
    channel.complete(run)


def floods_its_output(channel, message):
    run = channel.enter(message)
    line = "x" * 1000 + "\n"
    for _ in range(2):
        sys.stdout.write(line * 1000)
    sys.stdout.flush()
    channel.complete(run)


def never_reads(channel, message):
    run = channel.enter(message)
    request = {"method": "submit", "params": {"identifier": message["params"]["identifier"],
                                              "earliestBeginDate": "2190-01-02T03:04:05Z"}}
    for number in range(1_000_000):
        channel.send(id=f"{number}" + "x" * 200, **request)
    channel.complete(run)


def floods_the_log(channel, message):
    run = channel.enter(message)
    for number in range(2_000):
        channel.notify("log", level="info", run=run, message=f"{number} " + "x" * 1000)
    channel.complete(run)


def floods_with_lines(channel, message):
    run = channel.enter(message)
    for _ in range(6):
        channel.notify("log", level="info", run=run, message="\n" * 8192)
    channel.complete(run)


def floods_progress(channel, message):
    run = channel.enter(message)
    for number in range(10_000):
        channel.notify("task.progress", run=run, fraction=number / 10_000)
    channel.complete(run)


def sends_garbage(channel, message):
    channel.enter(message)
    channel.raw(b"\x00\xff\x17 what is this?\n")
    channel.serve(lambda *_: None)


def half_a_line(channel, message):
    channel.enter(message)
    channel.raw(b'{"jsonrpc": "2.0", "id": 9, "method": "task.comp')
    channel.serve(lambda *_: None)


def half_a_line_and_the_end(channel, message):
    channel.enter(message)
    channel.raw(b'{"jsonrpc": "2.0", "id": 9, "method": "task.comp')
    sys.exit(0)


def a_long_line(channel, message):
    channel.enter(message)
    channel.raw(b'{"jsonrpc": "2.0", "method": "log", "params": {"level": "info", "message": "')
    for _ in range(10):
        channel.raw(b"x" * (1 << 20))
    channel.raw(b'"}}\n')
    channel.serve(lambda *_: None)


def deep_brackets(channel, message):
    channel.enter(message)
    channel.raw(b"[" * 100_000 + b"]" * 100_000 + b"\n")
    channel.serve(lambda *_: None)


def leaves_a_child_with_its_channel(channel, message):
    channel.enter(message)
    os.set_inheritable(channel.socket.fileno(), True)
    if os.fork() == 0:
        time.sleep(1000)
    sys.exit(0)


def closes_its_channel(channel, message):
    channel.enter(message)
    channel.socket.close()
    time.sleep(1000)


def answers_with_an_error(channel, message):
    channel.send(id=message["id"], error={"code": 1, "message": "I would rather not."})


def never_answers(channel, message):
    channel.serve(lambda *_: None)


def answers_with_wrong_numbers(channel, message):
    for number in (message["id"] + 1000, "word", None):
        channel.send(id=number, result={})


def sends_a_batch(channel, message):
    run = channel.enter(message)
    complete = {"jsonrpc": "2.0", "id": 77, "method": "task.complete", "params": {"run": run, "result": "succeeded"}}
    log = {"jsonrpc": "2.0", "method": "log", "params": {"level": "info", "run": run, "message": "in a batch"}}
    channel.raw(json.dumps([log, complete]).encode() + b"\n")


def calls_unknown_methods(channel, message):
    run = channel.enter(message)
    for method in ("task.compleet", "history", "simulateLaunch", "stop", "rpc.discover"):
        print(method, channel.ask(method)["error"]["data"]["kind"], flush=True)
    channel.complete(run)


def ignores_everything(channel, message):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    channel.complete(channel.enter(message))
    channel.ended = lambda: time.sleep(1000)
    channel.serve(lambda *_: None)


def outlives_the_runner(channel, message):
    """Never completes, and takes no notice of the end of its channel."""
    channel.enter(message)
    channel.ended = lambda: time.sleep(1000)
    channel.serve(outlives_the_runner)


# MARK: What other tests look at


def does_as_its_files_say(channel):
    """Counts its starts, fails while there is a file `broken`, and registers what the file `forgotten` does not name."""
    with open(beside("starts"), "a") as starts:
        starts.write(f"{os.getpid()}\n")
    if os.path.exists(beside("broken")):
        sys.exit(1)
    forgotten = open(beside("forgotten")).read().split() if os.path.exists(beside("forgotten")) else []
    channel.launch(forgotten)
    channel.serve(good)


def tells_of_itself(channel, message):
    """Logs what it was started with, as one line of JSON."""
    run = channel.enter(message)
    names = ("AS", "CORE", "CPU", "DATA", "FSIZE", "NOFILE", "NPROC")
    # The descriptor that lists them is closed when the list is there.
    descriptors = [name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
    facts = {
        "attempt": message["params"]["attempt"],
        "descriptors": sorted(descriptors, key=int),
        "input": os.readlink("/proc/self/fd/0"),
        # As it was at the start; the interpreter adds to its own.
        "environment": dict(entry.split("=", 1) for entry in open("/proc/self/environ").read().split("\0") if entry),
        "folder": os.getcwd(),
        "limits": {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names},
        "process": os.getpid(), "session": os.getsid(0), "group": os.getpgrp(),
        "user": os.getresuid(), "groups": [*os.getresgid(), *os.getgroups()],
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    }
    channel.notify("log", level="info", run=run, message=json.dumps(facts))
    channel.complete(run)


# MARK: The neighbour


def good(channel, message):
    run = channel.enter(message)
    task = message["params"]["identifier"].rsplit(".", 1)[1]
    if task == "slow":
        for step in range(1, 601):
            channel.notify("task.progress", run=run, fraction=step / 600, title=f"step {step}")
            if channel.wait_for_expiration(0.05):
                channel.complete(run, "failed", message=f"asked to end at step {step}")
                return
    elif task == "rearm":
        channel.ask(
            "submit", identifier=message["params"]["identifier"], earliestBeginDate="2100-01-01T00:00:00Z")
    elif task == "breath":
        channel.send(id=1, method="task.complete", params={"run": run, "result": "succeeded"})
        sys.exit(0)
    channel.complete(run)


BEFORE = [
    exits_at_once, hangs_before_hello, never_finishes_launching, speaks_another_version, registers_before_hello,
    registers_others, does_as_its_files_say,
]
IN_A_RUN = [
    exits_in_the_handler, traps, exhausts_its_memory, ignores_expiration, completes_twice, completes_others,
    submits_others, reaches_for_others, floods_its_output, floods_the_log, floods_with_lines, floods_progress,
    never_reads, sends_garbage, half_a_line,
    half_a_line_and_the_end, a_long_line, deep_brackets, leaves_a_child_with_its_channel, closes_its_channel,
    answers_with_an_error, never_answers, answers_with_wrong_numbers, sends_a_batch, calls_unknown_methods,
    ignores_everything, outlives_the_runner, tells_of_itself, good,
]


def main(name):
    channel = Channel()
    for animal in BEFORE:
        if animal.__name__ == name:
            animal(channel)
            return
    animal = next(animal for animal in IN_A_RUN if animal.__name__ == name)
    channel.launch()
    channel.serve(animal)


main(sys.argv[1])
