"""The programs that are measured and those that measure: building, starting and ending them."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "Benchmarks/peers"
# Those of `make release`, which `make bench` passes on: with others everything would be built anew.
SWIFT_FLAGS = os.environ.get(
    "RUNNER_RELEASE",
    "-c release --static-swift-stdlib --scratch-path .build/release -Xswiftc -warnings-as-errors "
    "-Xswiftc -static-stdlib -Xswiftc -Xclang-linker -Xswiftc -no-pie").split()
BUILD_FOLDER = ROOT / SWIFT_FLAGS[SWIFT_FLAGS.index("--scratch-path") + 1]


class Failure(Exception):
    """A benchmark that could not be measured."""


class Tools:
    """Where everything is: our programs, the peers in C, and a folder on a disk for what they write."""

    def __init__(self, build_folder, folder):
        self.build_folder = Path(build_folder)
        self.peers = self.build_folder.parent / "bench"
        self.folder = Path(folder)
        self.last_cpu = str(max(os.sched_getaffinity(0)))

    # Building

    def build(self):
        swift = os.environ.get("SWIFT", "swift")
        for product in ["runnerd", "runnerctl", "runner-bench", "bench-plugin", "simulation-bench"]:
            subprocess.run([swift, "build", *SWIFT_FLAGS, "--product", product], check=True, stdout=2, cwd=ROOT)
        self.peers.mkdir(parents=True, exist_ok=True)
        headers = max(header.stat().st_mtime for header in PEERS.glob("*.h"))
        for source in sorted(PEERS.glob("*.c")):
            program = self.peers / source.stem
            if program.exists() and program.stat().st_mtime > max(source.stat().st_mtime, headers):
                continue
            flags = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror"]
            # Only what a program uses is loaded when it starts.
            libraries = ["-Wl,--as-needed", "-lsqlite3", "-lpthread"]
            subprocess.run(["cc", *flags, "-o", str(program), str(source), *libraries], check=True)

    def ours(self, name):
        return str(self.build_folder / "release" / name)

    def peer(self, name):
        return str(self.peers / name)

    # Running

    def measure(self, command, pinned=False, **options):
        """Runs a program that prints one JSON object."""
        done = subprocess.run(self.command(command, pinned), capture_output=True, text=True, **options)
        if done.returncode != 0:
            raise Failure(f"{Path(command[0]).name}: {done.stderr.strip() or f'status {done.returncode}'}")
        return json.loads(done.stdout)

    def command(self, command, pinned):
        """A server and a client of a ping-pong share one CPU: between two, the time of a round trip has two peaks."""
        command = [str(part) for part in command]
        return ["taskset", "-c", self.last_cpu, *command] if pinned else command

    def client(self, socket, requests, seconds, pinned=False, connections=1, pipeline=1, failure=None, replies=None):
        command = [self.peer("client"), socket, requests, seconds, "--connections", connections, "--pipeline", pipeline]
        command += ["--failure", failure] if failure else []
        return self.measure(command + (["--replies", replies] if replies else []), pinned)

    def requests(self, name, lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines))
        return path

    @contextmanager
    def scratch(self):
        """A folder of its own. On a disk, because what is synced to memory measures nothing."""
        path = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    @contextmanager
    def server(self, command, socket, pinned=False):
        """A program that listens at a socket, until the end of the block."""
        errors = Path(f"{socket}.errors")
        with errors.open("wb") as output:
            process = subprocess.Popen(
                self.command(command, pinned), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output)
        try:
            deadline = time.monotonic() + 10
            while not Path(socket).is_socket():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise Failure(f"{Path(command[0]).name} does not listen: {errors.read_text().strip()}")
                time.sleep(0.005)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # What is served

    @contextmanager
    def echo(self, pinned=False):
        with self.scratch() as folder:
            socket = folder / "echo.sock"
            with self.server([self.peer("echo"), socket], socket, pinned):
                yield socket

    @contextmanager
    def daemon(self, tasks=0, pinned=False):
        """A daemon with one bundle of so many command tasks."""
        with self.scratch() as folder:
            with self.server(self.daemon_command(folder, tasks), folder / "control.sock", pinned) as process:
                yield folder / "control.sock", process

    def daemon_command(self, folder, tasks):
        plugins = folder / "plugins"
        if tasks and not plugins.exists():
            self.write_bundle(plugins / "bench.plugin", tasks)
        plugins.mkdir(exist_ok=True)
        return [self.ours("runnerd"), "--foreground", "--log", "warning", "--socket", folder / "control.sock",
                "--state", folder / "state", "--plugins", plugins]

    def write_bundle(self, path, tasks):
        path.mkdir(parents=True)
        identifiers = [identifier(number) for number in range(tasks)]
        manifest = {
            "CFBundleIdentifier": "com.example.bench",
            "BGTaskSchedulerPermittedIdentifiers": identifiers,
            "UIBackgroundModes": ["fetch"],
            "RunnerTasks": {name: {"command": ["/bin/true"]} for name in identifiers},
        }
        (path / "Info.json").write_text(json.dumps(manifest))

    @contextmanager
    def redis(self):
        """A redis that syncs its log before it answers, as our store does. None where it is not installed."""
        if not shutil.which("redis-server"):
            yield None
            return
        with self.scratch() as folder:
            socket = folder / "redis.sock"
            command = ["redis-server", "--port", "0", "--unixsocket", socket, "--appendonly", "yes", "--appendfsync",
                       "always", "--save", "", "--dir", folder, "--auto-aof-rewrite-percentage", "0"]
            with self.server(command, socket):
                yield socket


def identifier(number):
    return f"com.example.bench.task{number:04}"


def call(method, params=None):
    """A request of the control protocol, as one line of a file of requests."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method}
    if params is not None:
        request["params"] = params
    return json.dumps(request, separators=(",", ":")) + "\\n"


def submit(number):
    return call("submit", {"identifier": identifier(number), "earliestBeginDate": "2100-01-01T00:00:00.000Z"})


def redis_command(*words):
    return f"*{len(words)}\\r\\n" + "".join(f"${len(word)}\\r\\n{word}\\r\\n" for word in words)
