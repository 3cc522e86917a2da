"""Plugins: what processes of apps' own cost, to start, to reach, to keep, and to hold back."""

import time

from .figures import at_most, ratio_at_most
from .hosted import PREFIX, Hosted, bundle, bytes_written, memory, open_descriptors, processor_seconds
from .tools import ROOT, Failure, call

ROUNDS = 3
PAUSE = 50


def starts(tools, figures):
    """From the request to launch an app that is down until its plugin has finished launching.

    The daemon's share is what it takes beside a parent in C that starts the same program with posix_spawn."""
    programs = {"in C": tools.peer("plugin"), "with the kit": tools.ours("bench-plugin")}
    measured = {}
    for name, program in programs.items():
        for _ in range(ROUNDS):
            with tools.scratch() as folder:
                times = times_file(folder)
                bare = tools.measure([tools.peer("parent"), 60, PAUSE, times, "--", program, PREFIX, 1, "--times", times])
                with Hosted(tools, program, "--times", times, "--exit") as hosted:
                    ours = simulate(tools, hosted, times, 60, PAUSE)["ready"]
            measured.setdefault(name, []).append((ours, bare))
    for name, rounds in measured.items():
        pairs = [(ours["p50"], bare["p50"]) for ours, bare in rounds]
        figures.add_pairs("plugin start", f"a plugin {name}, p50", pairs, "µs", "the same program, posix_spawn in C",
                          ratio_at_most(2))
    pairs = [(ours["p50"], bare["p50"]) for (ours, _), (_, bare) in zip(measured["with the kit"], measured["in C"])]
    figures.add_pairs("plugin start", "a plugin with the kit, p50", pairs, "µs", "one in C, posix_spawn in C", None)


def launches(tools, figures):
    """From the first byte of `simulateLaunch` to the handler, in a process that is up; the claim is committed between."""
    count, idle = 1_000, 1
    for name, program in [("in C", tools.peer("plugin")), ("with the kit", tools.ours("bench-plugin"))]:
        rounds = []
        for _ in range(ROUNDS):
            with tools.scratch() as folder:
                commit = tools.measure([tools.peer("launch"), folder, idle, count])
                bare = tools.measure([tools.peer("launch"), folder, idle, count, "--process"])
                times = times_file(folder)
                with Hosted(tools, program, "--times", times) as hosted:
                    rounds.append((simulate(tools, hosted, times, count, idle)["entered"], bare, commit))
        for rank, aim in [("p50", at_most(300)), ("p99", None)]:
            pairs = [(ours[rank], bare[rank]) for ours, bare, _ in rounds]
            figures.add_pairs("plugin launch", f"to a handler {name}, {rank}", pairs, "µs",
                              "client, server and process in C", aim)
            pairs = [(ours[rank], commit[rank]) for ours, _, commit in rounds]
            figures.add_pairs("plugin launch", f"the same beside one commit, {rank}", pairs, "µs", "client and server in C",
                              None)
    requests = tools.requests("status", [call("status")])
    with tools.echo() as echo:
        trips = tools.client(echo, requests, 1)
    figures.add("plugin launch", "of it one round trip over a socket, p50", trips["p50"], "µs")


def footprint(tools, figures):
    """What a plugin holds that has nothing to do, and after its idle time."""
    kinds = [
        ("in C", lambda folder: bundle(folder, tools.peer("plugin"), [PREFIX, "1"])),
        ("with the kit", lambda folder: bundle(folder, tools.ours("bench-plugin"), [PREFIX, "1"])),
        ("in Python", lambda folder: ROOT / "examples/plugin-python/python.plugin"),
    ]
    for name, make in kinds:
        with tools.scratch() as folder, Hosted.of(tools, [make(folder / "made")], idleStop="5s") as hosted:
            process = hosted.wait_for_process()
            time.sleep(1)
            figures.add("plugin memory", f"idle {name}, proportional", memory(process) / 1024, "KiB")
            hosted.wait_until_idle(20)
            left = hosted.children()
            figures.add("plugin memory", f"processes {name} after the idle time", len(left), "", aim=at_most(0))


def bundles(tools, figures):
    """A daemon with 200 bundles that have processes, beside one with none; it was started before, so all is known."""
    count = 200
    with tools.scratch() as folder:
        (folder / "none").mkdir()
        (folder / "many").mkdir()
        alone = Hosted.of(tools, [], folder=folder / "none")
        many = Hosted.of(tools, [
            bundle(folder / f"made/{number}", tools.peer("plugin"), [f"com.example.app{number}.task", "1"],
                   f"com.example.app{number}", [f"com.example.app{number}.task0000"]) for number in range(count)],
            folder=folder / "many", idleStop="5s")
        with many:
            begun = time.monotonic()
            many.wait_for(many.all_have_launched, 30)
            figures.add("200 bundles", "all processes launched for the first time", time.monotonic() - begun, "s")
            many.wait_until_idle(40)
        pairs = []
        for _ in range(ROUNDS):
            pairs.append(tuple(
                tools.measure([tools.peer("spawn"), 11, "--ready", hosted.folder, "--", *hosted.command])["p50"]
                for hosted in (many, alone)))
        figures.add_pairs("200 bundles", "runnerd to READY=1", pairs, "ms", "without bundles", None)
        held = []
        for hosted in (many, alone):
            with hosted:
                time.sleep(1)
                held.append(memory(hosted.daemon.pid) / 1024)
                if hosted.children():
                    raise Failure("a process was started that nobody needs")
        figures.add("200 bundles", "proportional memory of runnerd", held[0], "KiB", "without bundles", held[1])


def runs(tools, figures):
    """100,000 runs through one process, with a line of log in each of the first 1,000: what is held then and now.

    A line in every run would measure how the disk makes files. Before half of them the heaps of all threads grow."""
    stages, connections = [10_000, 40_000, 50_000], 32
    requests = tools.requests("runs", [
        call("simulateLaunch", {"identifier": f"{PREFIX}{number:04}", "submit": True, "wait": True})
        for number in range(connections)])
    with Hosted(tools, tools.ours("bench-plugin"), "--log", 1_000, tasks=connections) as hosted:
        plugin = hosted.wait_for_process()
        held = []
        for count in stages:
            rate = tools.client(
                hosted.socket, requests, 600, connections=connections, failure='"error"', replies=count)["rate"]
            time.sleep(1)
            held.append([(open_descriptors(process), memory(process) / 1024) for process in (hosted.daemon.pid, plugin)])
        if hosted.process() != plugin:
            raise Failure("it was not one process")
    figures.add("100,000 runs", "through one process", rate, "1/s")
    for name, first, half, last in zip(("runnerd", "the plugin"), *held):
        figures.add("100,000 runs", f"descriptors of {name}", last[0], "", "after 10,000", first[0], aim=at_most(first[0]))
        figures.add("100,000 runs", f"proportional memory of {name}", last[1], "KiB", "after 10,000", first[1])
        figures.add("100,000 runs", f"growth of {name} in the second half", last[1] - half[1], "KiB", aim=at_most(256))


def flood(tools, figures):
    """A plugin that writes into the log as fast as it may: it is read at 512 KiB a second (docs/decisions/0021)."""
    seconds = 10
    requests = tools.requests("status", [call("status")])
    with Hosted(tools, tools.peer("plugin"), "--flood") as hosted:
        plugin = hosted.wait_for_process()
        time.sleep(2)
        begun, spent, written = time.monotonic(), processor_seconds(hosted.daemon.pid), bytes_written(plugin)
        time.sleep(seconds)
        took = time.monotonic() - begun
        # A line counts 64 bytes more than it has.
        figures.add("log flood", "lines of 89 bytes that get through", (bytes_written(plugin) - written) / took / 1024,
                    "KiB/s", aim=at_most(512))
        figures.add("log flood", "of one CPU in runnerd", (processor_seconds(hosted.daemon.pid) - spent) / took * 100, "%")
        beside = [tools.client(hosted.socket, requests, 2, failure='"error"')["p99"] for _ in range(ROUNDS)]
    with Hosted(tools, tools.peer("plugin")) as hosted:
        quiet = [tools.client(hosted.socket, requests, 2, failure='"error"')["p99"] for _ in range(ROUNDS)]
    figures.add_pairs("log flood", "p99 of status beside it", list(zip(beside, quiet)), "µs", "quiet", ratio_at_most(2))


def times_file(folder):
    """Where a plugin notes when it had finished launching, and when it entered its last run."""
    path = folder / "times"
    path.write_bytes(bytes(16))
    return path


def simulate(tools, hosted, times, count, pause):
    hosted.wait_for_process()
    return tools.measure([tools.peer("simulate"), hosted.socket, f"{PREFIX}0000", times, count, pause])
