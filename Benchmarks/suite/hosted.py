"""A daemon with bundles that have processes, and what those hold."""

import json
import os
import re
import shutil
import time
from contextlib import ExitStack
from pathlib import Path

from . import noises
from .tools import Failure

PREFIX = "com.example.bench.task"


class Hosted:
    """A daemon with bundles, for the length of a block; it may be started again."""

    def __init__(self, tools, program, *arguments, tasks=1):
        """With one bundle, whose program gets the tasks' prefix, their number, and these arguments."""
        self.prepare(tools, None, {}, lambda folder: [
            bundle(folder / "made", program, [PREFIX, str(tasks), *map(str, arguments)],
                   permitted=[f"{PREFIX}{number:04}" for number in range(tasks)])])

    @classmethod
    def of(cls, tools, made, folder=None, **settings):
        """With bundles that were made, and settings of the configuration."""
        hosted = cls.__new__(cls)
        hosted.prepare(tools, folder, settings, lambda _: made)
        return hosted

    def prepare(self, tools, folder, settings, make):
        self.tools, self.settings, self.make = tools, settings, make
        self.stack = ExitStack()
        self.folder = None
        if folder:
            self.fill(folder)

    def fill(self, folder):
        self.folder = folder
        self.socket = folder / "control.sock"
        self.command = self.tools.daemon_command(folder, 0)
        for number, made in enumerate(self.make(folder)):
            shutil.copytree(made, folder / f"plugins/bench{number}.plugin")
        configuration = folder / "runner.json"
        configuration.write_text(json.dumps(self.settings))
        self.command += ["--config", configuration]

    def __enter__(self):
        if not self.folder or not self.folder.exists():
            self.fill(self.stack.enter_context(self.tools.scratch()))
        self.daemon = self.stack.enter_context(self.tools.server(self.command, self.socket))
        return self

    def __exit__(self, *_):
        self.stack.close()

    # Asking it

    def apps(self):
        with noises.connected(str(self.socket)) as client:
            client.sendall(noises.line("apps", {}))
            return json.loads(client.makefile("rb").readline())["result"]["apps"]

    def process(self):
        """The process of the one bundle, if it is up."""
        return self.apps()[0].get("process")

    def wait_for_process(self):
        """Until all have launched; the process of the first."""
        self.wait_for(self.all_have_launched, 10)
        return self.process()

    def all_have_launched(self):
        return all(app["state"] in ("launched", "idle") and app["registered"] for app in self.apps())

    def wait_until_idle(self, seconds):
        self.wait_for(lambda: all(app["state"] == "idle" for app in self.apps()), seconds)

    def wait_for(self, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise Failure(f"waited in vain; the apps are {self.apps()}")
            time.sleep(0.005)

    def children(self):
        """The processes that the daemon has started and that are left."""
        stats = [path.read_text() for path in Path("/proc").glob("[0-9]*/stat") if path.exists()]
        return [stat for stat in stats if int(stat.rpartition(")")[2].split()[1]) == self.daemon.pid]


def bundle(folder, program, arguments, app="com.example.bench", permitted=(f"{PREFIX}0000",)):
    """Makes a bundle whose handlers are in a process of a program."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(program, folder / "bin/plugin")
    manifest = {
        "CFBundleIdentifier": app,
        "BGTaskSchedulerPermittedIdentifiers": list(permitted),
        "UIBackgroundModes": ["fetch"],
        "RunnerPlugin": {"executable": "bin/plugin", "arguments": arguments},
    }
    (folder / "Info.json").write_text(json.dumps(manifest))
    return folder


def memory(process):
    """The bytes of a process, in KiB its own and its part of what it shares."""
    return int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)[1]) * 1024


def open_descriptors(process):
    return len(os.listdir(f"/proc/{process}/fd"))


def processor_seconds(process):
    """What all threads of a process have used of the CPUs."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bytes_written(process):
    """What a process has written so far, into sockets too."""
    return int(re.search(r"^wchar: (\d+)", Path(f"/proc/{process}/io").read_text(), re.MULTILINE)[1])
