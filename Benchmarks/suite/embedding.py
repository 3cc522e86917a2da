"""A program that embeds the runner, and the core alone."""

from .figures import at_most, median, ratio_at_most

SIZES = [1_000, 10_000, 100_000, 1_000_000]


def launches(tools, figures):
    """From the first byte of `simulateLaunch` to the handler, with one commit in between."""
    for idle, count in [(1, 200), (30, 40)]:
        pairs = []
        for _ in range(3):
            with tools.scratch() as folder:
                peer = tools.measure([tools.peer("launch"), folder, idle, count])
                ours = tools.measure([tools.ours("runner-bench"), "launch", folder, idle, count])
                pairs.append((ours["p50"], peer["p50"]))
        figures.add_pairs(
            "launch", f"after {idle} ms, p50", pairs, "µs", "client and server in C", ratio_at_most(2))


def floors(tools, figures):
    """From a floor's time to the handler; the claim is committed in between."""
    count, apart = 1_000, 5
    peer = tools.measure([tools.peer("lateness"), count, apart])
    with tools.scratch() as folder:
        commit = tools.measure([tools.peer("launch"), folder, apart, 200])
        ours = tools.measure([tools.ours("runner-bench"), "floors", folder, count, apart])
    figures.add("floor", "passed to entered, p50", ours["p50"] / 1e3, "ms", "timerfd", peer["p50"] / 1e3)
    figures.add(
        "floor", "passed to entered, p99", ours["p99"] / 1e3, "ms", "timerfd", peer["p99"] / 1e3, aim=at_most(0.5))
    # How much of it is the disk, which is slower after a pause.
    for rank in ["p50", "p99"]:
        figures.add("floor", f"the same beside one commit, {rank}", ours[rank] / 1e3, "ms",
                    "client and server in C", commit[rank] / 1e3)


def core(tools, figures):
    """The scheduler as a value: no clock, no disk, no socket."""
    measured = {}
    for size in SIZES:
        peer = tools.measure([tools.peer("heap"), size])
        ours = tools.measure([tools.ours("runner-bench"), "core", size])
        measured[size] = ours
        for name in ["submit", "replace", "cancel", "wake"]:
            beside = ("bare heap in C", peer["microseconds"]) if name == "replace" else (None, None)
            figures.add("core", f"{name}, {size:,} pending", ours[name], "µs", *beside, aim=at_most(3))
    figures.add("core", "a pending request", ours["bytes"], "B", "bare heap in C", peer["bytes"], aim=at_most(300))
    for name in ["submit", "replace", "cancel", "wake"]:
        growth = measured[1_000_000][name] / measured[10_000][name]
        figures.add("core", f"{name}, growth from 10,000 to 1,000,000", growth, "×", aim=at_most(6))


def events(tools, figures):
    """An event that nobody subscribes to: it is numbered and kept for those who come later."""
    pairs = []
    for _ in range(3):
        measured = tools.measure([tools.ours("runner-bench"), "events", 200_000])
        pairs.append((measured["event"], measured["scheduling"]))
    figures.add_pairs("event", "without subscribers", pairs, "µs", "scheduling what it tells of", ratio_at_most(0.5))


def starts(tools, figures):
    """Engine start to launched with 100,000 identifiers; reading the manifest and registering are not in it."""
    count = 100_000
    with tools.scratch() as folder:
        tools.measure([tools.ours("runner-bench"), "prepare", folder / "state", count])
        ours, peers = [], []
        for _ in range(3):
            peers.append(tools.measure([tools.peer("rows"), folder / "state/runner.sqlite"])["milliseconds"])
            ours.append(tools.measure([tools.ours("runner-bench"), "start", folder / "state", count])["milliseconds"])
    figures.add("start", "embedded, 100,000 pending", median(ours), "ms", "reading the rows in C", median(peers),
                aim=at_most(80))
