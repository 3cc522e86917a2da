#!/usr/bin/env python3
"""A client that does its worst until it is ended.

    noises.py NAME SOCKET
"""

import itertools
import json
import os
import socket
import sys
import time
from contextlib import ExitStack


def brackets(path):
    """one that sends 256 KiB of nested brackets again and again"""
    payload = b"[" * 262_143 + b"\n"
    while True:
        with connected(path) as client:
            try:
                client.sendall(payload)
                client.recv(4096)
            except OSError:
                pass


def deaf(path):
    """one that asks for history and never reads"""
    request = line("history", {"limit": 1000})
    with connected(path) as client:
        client.settimeout(1)
        while True:
            try:
                client.sendall(request)
            except socket.timeout:
                pass
            except OSError:
                # It was given up; the next one is as deaf.
                return deaf(path)


def unread(path):
    """one that subscribes 16 times and never reads"""
    payload = line("events.subscribe", {}) * 16
    while True:
        with connected(path) as client:
            client.sendall(payload)
            # Its subscriptions have ended when so many events have come; then it comes again.
            time.sleep(0.5)


def events(path):
    """one that makes events flow, by a submit at a time"""
    request = line("submit", {"identifier": "com.example.bench.task0001", "earliestBeginDate": "2100-01-01T00:00:00Z"})
    with connected(path) as client:
        reader = client.makefile("rb")
        while True:
            client.sendall(request)
            reader.readline()


def slow(path):
    """one that sends a byte a second"""
    with connected(path) as client:
        for byte in itertools.cycle(line("status", {})):
            client.sendall(bytes([byte]))
            time.sleep(1)


def idle(path):
    """60 idle ones"""
    with ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(connected(path))
        while True:
            time.sleep(60)


def guessing(path):
    """one that names what does not exist, 256 times at once"""
    lines = [line("simulateLunch", {}), line("cancle", {}), line("submit", {"identifier": "com.example.bench.tusk0001"}),
             line("history", {"lmit": 5})]
    payload = b"".join(lines) * 64
    with connected(path) as client:
        reader = client.makefile("rb")
        while True:
            client.sendall(payload)
            for _ in range(256):
                reader.readline()


NOISES = {noise.__name__: noise for noise in (brackets, deaf, unread, events, slow, idle, guessing)}


def connected(path):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.connect(path)
    return client


def line(method, params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"


if __name__ == "__main__":
    cpus = os.sched_getaffinity(0)
    # The daemon and the client that is measured share the last one.
    if len(cpus) > 1:
        os.sched_setaffinity(0, cpus - {max(cpus)})
    NOISES[sys.argv[1]](sys.argv[2])
