#!/usr/bin/python3
"""A client of the control socket that shares no code with Runner: JSON lines over a Unix socket.

    runner_client.py SOCKET METHOD [PARAMS]    prints {"result": …} or {"error": …}, one line
    runner_client.py SOCKET                    reads raw lines from standard input, prints each answer to them

RUNNER_RECORD_REPLIES names a folder in which every reply to a request is kept, for check_replies.py.
"""

import json
import os
import socket
import sys


class RunnerError(Exception):
    """An error that the runner answered."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data") or {}
        self.kind = self.data.get("kind")


class Recording:
    """Keeps replies, one {"method": …, "reply": …} a line, in a file of this process."""

    def __init__(self):
        folder = os.environ.get("RUNNER_RECORD_REPLIES")
        self.file = open(os.path.join(folder, f"{os.getpid()}.jsonl"), "a") if folder else None
        self.methods = {}

    def asked(self, number, method):
        if self.file:
            self.methods[number] = method

    def answered(self, message):
        if self.file and isinstance(message, dict) and message.get("id") in self.methods:
            reply = {name: message[name] for name in ("result", "error") if name in message}
            method = self.methods.pop(message["id"])
            self.file.write(json.dumps({"method": method, "reply": reply}) + "\n")

    def close(self):
        if self.file:
            self.file.close()


class Client:
    def __init__(self, path, timeout=20):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.reader = self.socket.makefile("rb")
        self.last = 0
        self.recording = Recording()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.reader.close()
        self.socket.close()
        self.recording.close()

    def send(self, method, params=None):
        """Sends a request, and gives the id that its reply will have."""
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method}
        if params is not None:
            request["params"] = params
        self.recording.asked(self.last, method)
        self.send_text(json.dumps(request))
        return self.last

    def send_text(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def receive(self):
        """The next message; ConnectionError when the runner is gone."""
        line = self.reader.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the runner closed the connection")
        message = json.loads(line)
        self.recording.answered(message)
        return message

    def call(self, method, params=None):
        number = self.send(method, params)
        while (reply := self.receive()).get("id") != number:
            pass
        if "error" in reply:
            raise RunnerError(reply["error"])
        return reply["result"]


def main(arguments):
    with Client(arguments[0]) as client:
        if len(arguments) == 1:
            for line in sys.stdin:
                client.send_text(line.rstrip("\n"))
                print(json.dumps(client.receive()), flush=True)
            return
        number = client.send(arguments[1], json.loads(arguments[2]) if len(arguments) > 2 else None)
        reply = client.receive()
        if reply.get("jsonrpc") != "2.0" or reply.get("id") != number:
            sys.exit(f"runner_client: this is no reply to request {number}: {reply}")
        print(json.dumps({name: reply[name] for name in ("result", "error") if name in reply}))


if __name__ == "__main__":
    main(sys.argv[1:])
