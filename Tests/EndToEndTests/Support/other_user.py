#!/usr/bin/python3
"""Opens so many connections one after the other, keeps them all, sends a line on each, and prints what comes back first.

    other_user.py SOCKET CONNECTIONS LINE
"""

import socket
import sys


def main(path, count, line):
    kept = []
    for _ in range(int(count)):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(20)
        try:
            client.connect(path)
        except PermissionError:
            print('"no way in"')
            continue
        try:
            client.sendall(line.encode() + b"\n")
        except (BrokenPipeError, ConnectionResetError):
            pass  # It was turned away, and is told so.
        kept.append(client)
        print(client.makefile().readline().strip(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
