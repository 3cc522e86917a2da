#!/usr/bin/env python3
"""Plays the plugin's part of a conversation: sends its lines as they are, and notes what comes where the other's are.

The lines are in `conversation` in the bundle's folder, the plugin's after "> ", the runner's after "< ". What came is
written to `heard` there, a line for each of the runner's, and "end" after the end of the stream.
"""
import os
import socket
import sys

bundle = os.path.join(os.path.dirname(sys.argv[0]), "..")
channel = socket.socket(fileno=int(os.environ["RUNNER_PLUGIN_FD"]))
incoming = channel.makefile("r", encoding="utf-8", newline="\n")
with open(os.path.join(bundle, "conversation"), encoding="utf-8") as file:
    conversation = file.read().splitlines()
with open(os.path.join(bundle, "heard"), "w", encoding="utf-8", buffering=1) as heard:
    for line in conversation:
        if line.startswith("> "):
            channel.sendall(line[2:].encode() + b"\n")
        else:
            heard.write(incoming.readline() or "nothing\n")
    heard.write("".join(incoming.readlines()) + "end\n")
