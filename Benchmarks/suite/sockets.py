"""The control socket: round trips against a bare echo, durable submits against SQLite and redis."""

from .figures import ratio_at_least
from .tools import call, identifier, redis_command, submit

ROUNDS = 3
IDENTIFIERS = 256
# A value of the size of a row of ours.
VALUE = "x" * 110


def status(tools, figures):
    """`status` is answered from memory: what is left is the socket, the loop, JSON and the dispatch."""
    requests = tools.requests("status", [call("status")])
    with tools.daemon(pinned=True) as (daemon, _), tools.echo(pinned=True) as echo:
        for connections, aim in [(1, 0.65), (64, 0.6)]:
            pairs = []
            for _ in range(ROUNDS):
                peer = tools.client(echo, requests, 1, pinned=True, connections=connections)
                ours = tools.client(
                    daemon, requests, 1, pinned=True, connections=connections, failure='"error"')
                pairs.append((ours["rate"], peer["rate"]))
            name = "one client" if connections == 1 else f"{connections} clients"
            figures.add_pairs("status", name, pairs, "1/s", "echo in C", ratio_at_least(aim))


def submits(tools, figures):
    """A reply means that the request is on disk."""
    one_in_flight(tools, figures)
    many_in_flight(tools, figures)


def one_in_flight(tools, figures):
    requests = tools.requests("submits", [submit(number) for number in range(IDENTIFIERS)])
    pairs = []
    with tools.daemon(tasks=IDENTIFIERS, pinned=True) as (daemon, _):
        for _ in range(ROUNDS):
            with tools.scratch() as folder:
                peer = tools.measure([tools.peer("upserts"), folder, IDENTIFIERS, 1], pinned=True)
            ours = tools.client(daemon, requests, 1, pinned=True, failure='"error"')
            pairs.append((ours["rate"], peer["rate"]))
    figures.add_pairs("submit", "one in flight", pairs, "1/s", "SQLite in C", ratio_at_least(0.75))


def many_in_flight(tools, figures):
    requests = tools.requests("submits", [submit(number) for number in range(IDENTIFIERS)])
    sets = tools.requests(
        "sets", [redis_command("SET", identifier(number), VALUE) for number in range(IDENTIFIERS)])
    pairs, pipelined = [], []
    with tools.daemon(tasks=IDENTIFIERS) as (daemon, _), tools.redis() as redis:
        for _ in range(ROUNDS):
            peer = tools.client(redis, sets, 1, connections=64, failure="-ERR") if redis else None
            ours = tools.client(daemon, requests, 1, connections=64, failure='"error"')
            alone = tools.client(daemon, requests, 1, pipeline=256, failure='"error"')
            pairs.append((ours["rate"], peer and peer["rate"]))
            pipelined.append((alone["rate"], peer and peer["rate"]))
    for name, measured in [("64 clients", pairs), ("256 pipelined", pipelined)]:
        if redis:
            figures.add_pairs(
                "submit", name, measured, "1/s", "redis, 64 clients, appendfsync always", ratio_at_least(1))
        else:
            best = max(rate for rate, _ in measured)
            figures.add("submit", name, best, "1/s", "redis missing", aim=ratio_at_least(1))
