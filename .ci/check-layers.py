#!/usr/bin/env python3
"""Checks that every target imports only what its layer may, and that the core stays a pure value.

    check-layers.py [FOLDER]      checks the package in FOLDER (the current one by default)
    check-layers.py --self-test   plants each violation in a copy of a clean tree and sees it found
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from swift_source import code_only, imports, line_of

ESSENTIALS = {"FoundationEssentials"}
SYSTEM = ESSENTIALS | {"Glibc"}
BELOW_RUNNER = {"Scheduling", "Recording", "RPC", "Platform", "SystemPlatform", "Storage", "Plugins"}

# What each target may import. `Synchronization` is nobody's: its Mutex gives false alarms under the thread sanitizer.
LAYERS = {
    "Scheduling": set(),
    "Recording": {"Scheduling"} | ESSENTIALS,
    "RPC": {"Scheduling", "CJansson"} | ESSENTIALS,
    "Platform": {"CLinux"} | SYSTEM,
    "SystemPlatform": {"Platform", "CLinux", "CSystemd"} | SYSTEM,
    "Storage": {"Scheduling", "Platform", "CSQLite"} | SYSTEM,
    "Plugins": {"Scheduling", "RPC", "Platform", "Dispatch"} | ESSENTIALS,
    "Runner": BELOW_RUNNER | {"Dispatch"} | ESSENTIALS,
    "Hosting": BELOW_RUNNER | {"Runner"} | ESSENTIALS,
    # Apple's module re-exports Foundation, so ours does.
    "CTaskHook": set(),
    "RunnerTesting": {
        "Scheduling", "Platform", "Plugins", "BackgroundTasks", "CTaskHook", "Dispatch", "Testing", "XCTest",
        # Only for the SPI of its own protocol SchedulingExecutor.
        "_Concurrency",
    },
    "BackgroundTasks": {"Scheduling", "Platform", "Plugins", "Runner", "Dispatch", "Foundation"},
    # The shims: modules with the names of Apple's, in folders of Sources/AppleShims.
    "os": {"Platform", "Foundation"},
    "UIKit": {"BackgroundTasks", "_Testing_UIKit", "Dispatch", "Foundation"},
    "_Testing_UIKit": set(),
    "SwiftUI": {"BackgroundTasks", "Scheduling", "Dispatch", "Foundation"},
    "Arguments": {"Scheduling"},
    "Simulation": {"Scheduling", "RPC", "Plugins"},
    "RunnerDaemon": BELOW_RUNNER | {"Runner", "Hosting", "Arguments"} | SYSTEM,
    "RunnerControl": {"Scheduling", "Recording", "RPC", "Platform", "Plugins", "Simulation", "Arguments"} | SYSTEM,
    "runnerd": {"RunnerDaemon"} | SYSTEM,
    "runnerctl": {"RunnerControl"} | SYSTEM,
    # In C: a Swift runtime in it would meet the one of the library that it loads.
    "runner-plugin-host": {"CLinux"},
    "CLinux": set(),
    "CSystemd": set(),
    "CSQLite": set(),
    "CJansson": set(),
}

# What must not even be linked: libsystemd doubles the start of a small process.
UNREACHABLE = {
    "RunnerControl": {"SystemPlatform", "CSystemd", "Storage", "CSQLite", "Runner", "Hosting"},
    "Plugins": {"SystemPlatform", "CSystemd", "Storage", "CSQLite", "Runner", "Hosting"},
}

# Words that make the core depend on more than its events.
IMPURE = [
    (r"\b(async|await)\b", "waits"),
    (r"\bTask\s*(\.\s*\w+\s*)?(\(\s*)?\{", "starts a task"),
    (r"\b(ContinuousClock|SuspendingClock|Date\s*\(\s*\)|clock_gettime)", "reads a clock"),
    (r"\bSystemRandomNumberGenerator\b", "takes unseeded randomness"),
    (r"\.(random|shuffled|shuffle|randomElement)\s*\((?![^()]*\busing\b)", "takes unseeded randomness"),
    (r"\b(Hasher|hashValue)\b(?!\s*\))", "may order by hashes"),
    (r"\b(print|debugPrint|readLine)\s*\(", "reads or writes"),
]


def swift_files(folder):
    return sorted(folder.rglob("*.swift"))


# Folders of targets in Sources, rather than targets.
GROUPS = {"AppleShims"}


def target_folders(sources):
    """The folder of each target, by name."""
    found = []
    for path in sources.iterdir():
        if path.is_dir():
            found += [inner for inner in path.iterdir() if inner.is_dir()] if path.name in GROUPS else [path]
    return sorted(found)


def violations(root, declared=None):
    """Sentences, one for each violation, in the order of the files."""
    found = []
    sources = root / "Sources"
    for target in target_folders(sources):
        name = target.name
        if name not in LAYERS:
            found.append(f"{target.relative_to(root)}: has no row in .ci/check-layers.py; add what it may import")
            continue
        for file in swift_files(target):
            found += file_violations(root, file, name, (declared or {}).get(name))
    for name, dependencies in sorted((declared or {}).items()):
        if name not in LAYERS:
            continue
        for dependency in sorted(dependencies - LAYERS[name]):
            found.append(f"Package.swift: {name} must not depend on {dependency}")
        for reached in sorted(reachable(name, declared) & UNREACHABLE.get(name, set())):
            found.append(f"Package.swift: {name} must not reach {reached}, not even through others")
    return found


def file_violations(root, file, target, declared):
    code = code_only(file.read_text(encoding="utf-8"))
    place = file.relative_to(root)
    found = []
    for line, module in imports(code):
        if module not in LAYERS[target] | {target}:
            allowed = ", ".join(sorted(LAYERS[target])) or "nothing"
            found.append(f"{place}:{line}: {target} must not import {module} (it may import {allowed})")
        elif module in LAYERS and declared is not None and module not in declared | {target}:
            found.append(f"{place}:{line}: Package.swift does not say that {target} depends on {module}")
    if target == "Scheduling":
        for pattern, what in IMPURE:
            for match in re.finditer(pattern, code):
                word = match.group().strip()
                found.append(f"{place}:{line_of(code, match.start())}: the core {what} (`{word}`)")
    named = re.compile(rf"\b(?:struct|class|enum|actor|protocol|typealias)\s+{target}\b")
    for match in named.finditer(code):
        found.append(f"{place}:{line_of(code, match.start())}: a type is named like its module, {target}")
    return found


def reachable(name, declared):
    seen = set()
    waiting = [name]
    while waiting:
        for dependency in declared.get(waiting.pop(), set()):
            if dependency not in seen:
                seen.add(dependency)
                waiting.append(dependency)
    return seen


def declared_dependencies(root):
    """What Package.swift says of each of our targets in Sources."""
    text = subprocess.run(
        ["swift", "package", "--package-path", str(root), "--scratch-path", str(root / ".build/debug-strict"),
         "dump-package"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    result = {}
    for target in json.loads(text)["targets"]:
        if target["type"] in ("regular", "executable", "system"):
            result[target["name"]] = {
                (dependency.get("byName") or dependency.get("target"))[0] for dependency in target["dependencies"]
            }
    return result


CLEAN = {
    "Scheduling/Core.swift": """
        // import Foundation
        /* import Dispatch /* import Glibc */ */
        let text = \"\"\"
            import Foundation
            await
            \"\"\"
        let mixed = "\\(text.map { "\\($0) async" }) // import"; let date = "Date()"
        func pick(_ numbers: [Int], _ generator: inout some RandomNumberGenerator) -> Int? {
            numbers.randomElement(using: &generator)
        }
        """,
    "RPC/Text.swift": "import CJansson\ninternal import FoundationEssentials\nimport Scheduling\n",
    "Platform/Socket.swift": "import CLinux\nimport Glibc\n",
    "SystemPlatform/Loop.swift": "package import Platform\nimport CSystemd\n",
    "Storage/Database.swift": "import CSQLite\nimport Scheduling\n",
    "Plugins/Task.swift": "public import Scheduling\n",
    "Simulation/Day.swift": "package import Scheduling\nimport Plugins\nimport RPC\n",
    "Runner/Engine.swift": "@_exported public import Plugins\nimport Dispatch\nimport Storage\n",
    "Hosting/Bundle.swift": "import Runner\n",
    "BackgroundTasks/Scheduler.swift": "@_exported public import Foundation\nimport Runner\n",
    "RunnerTesting/Kit.swift": "import Testing\nimport XCTest\nimport BackgroundTasks\n",
    "AppleShims/os/Log.swift": "@_exported public import Foundation\nimport Platform\n",
    "AppleShims/UIKit/Application.swift": "import BackgroundTasks\n",
    "RunnerDaemon/Main.swift": "import Hosting\nimport Glibc\n",
    "RunnerControl/Main.swift": "import RPC\nimport Arguments\n",
}

CLEAN_DECLARED = {
    "Scheduling": set(), "RPC": {"Scheduling", "CJansson"}, "Platform": {"CLinux"},
    "SystemPlatform": {"Platform", "CSystemd"}, "Storage": {"Scheduling", "CSQLite"}, "Plugins": {"Scheduling", "RPC"},
    "Simulation": {"Scheduling", "Plugins", "RPC"},
    "Runner": {"Plugins", "Storage"}, "Hosting": {"Runner"}, "BackgroundTasks": {"Runner"},
    "RunnerTesting": {"BackgroundTasks"}, "os": {"Platform"}, "UIKit": {"BackgroundTasks"}, "RunnerDaemon": {"Hosting"}, "Arguments": {"Scheduling"},
    "RunnerControl": {"RPC", "Arguments", "Plugins"}, "runner-plugin-host": {"CLinux"},
}

# (file, what is added at its end, a part of the sentence that must come)
PLANTED = [
    ("Scheduling/Core.swift", "import FoundationEssentials", "must not import FoundationEssentials"),
    ("Scheduling/Core.swift", "@preconcurrency import Dispatch", "must not import Dispatch"),
    ("Scheduling/Core.swift", "import struct Glibc.timespec", "must not import Glibc"),
    ("Scheduling/Core.swift", "func late() async {}", "the core waits"),
    ("Scheduling/Core.swift", "func run() { Task { } }", "starts a task"),
    ("Scheduling/Core.swift", "func run() { Task.detached { } }", "starts a task"),
    ("Scheduling/Core.swift", "let now = ContinuousClock.now", "reads a clock"),
    ("Scheduling/Core.swift", "let number = Int.random(in: 0..<3)", "unseeded randomness"),
    ("Scheduling/Core.swift", "let order = [1, 2].shuffled()", "unseeded randomness"),
    ("Scheduling/Core.swift", "let place = 1.hashValue", "order by hashes"),
    ("Scheduling/Core.swift", "func say() { print(1) }", "reads or writes"),
    ("Scheduling/Core.swift", 'let words = "\\(await late())"', "the core waits"),
    ("RPC/Text.swift", "import Runner", "RPC must not import Runner"),
    ("RPC/Text.swift", "import Glibc", "RPC must not import Glibc"),
    ("RPC/Text.swift", "enum RPC {}", "named like its module"),
    ("Platform/Socket.swift", "import CSystemd", "Platform must not import CSystemd"),
    ("SystemPlatform/Loop.swift", "import CSQLite", "SystemPlatform must not import CSQLite"),
    ("Storage/Database.swift", "import Foundation", "Storage must not import Foundation"),
    ("Plugins/Task.swift", "@testable import Storage", "Plugins must not import Storage"),
    ("Plugins/Task.swift", "@_spi(Host) public import Runner", "Plugins must not import Runner"),
    ("Simulation/Day.swift", "import Runner", "Simulation must not import Runner"),
    ("Simulation/Day.swift", "import FoundationEssentials", "Simulation must not import FoundationEssentials"),
    ("Runner/Engine.swift", "    import CSQLite", "Runner must not import CSQLite"),
    ("Runner/Engine.swift", "import Glibc", "Runner must not import Glibc"),
    ("Hosting/Bundle.swift", "import Dispatch", "Hosting must not import Dispatch"),
    ("BackgroundTasks/Scheduler.swift", "import Glibc", "BackgroundTasks must not import Glibc"),
    ("BackgroundTasks/Scheduler.swift", "import Storage", "BackgroundTasks must not import Storage"),
    ("AppleShims/os/Log.swift", "import BackgroundTasks", "os must not import BackgroundTasks"),
    ("AppleShims/UIKit/Application.swift", "import Runner", "UIKit must not import Runner"),
    ("RunnerTesting/Kit.swift", "import Storage", "RunnerTesting must not import Storage"),
    ("RunnerTesting/Kit.swift", "import Glibc", "RunnerTesting must not import Glibc"),
    ("AppleShims/AppKit/New.swift", "let new = 1", "has no row"),
    ("RunnerDaemon/Main.swift", "import Synchronization", "RunnerDaemon must not import Synchronization"),
    ("RunnerControl/Main.swift", "import SystemPlatform", "RunnerControl must not import SystemPlatform"),
    ("RunnerControl/Main.swift", "import Scheduling", "does not say that RunnerControl depends on Scheduling"),
    ("RunnerControl/Main.swift", "import Storage", "RunnerControl must not import Storage"),
    ("Novelty/New.swift", "let new = 1", "has no row"),
]

# (target, dependency, a part of the sentence that must come)
PLANTED_DEPENDENCIES = [
    ("Plugins", "Runner", "Plugins must not depend on Runner"),
    ("RPC", "SystemPlatform", "RunnerControl must not reach SystemPlatform"),
    ("runner-plugin-host", "Platform", "runner-plugin-host must not depend on Platform"),
]


def self_test():
    def plant(folder, extra=None):
        for name, text in CLEAN.items():
            file = folder / "Sources" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        if extra:
            file = folder / "Sources" / extra[0]
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as stream:
                stream.write("\n" + extra[1] + "\n")

    failures = []
    with tempfile.TemporaryDirectory() as folder:
        plant(Path(folder))
        if found := violations(Path(folder), CLEAN_DECLARED):
            failures.append(f"a clean tree is refused: {found}")
    for file, line, expected in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            plant(Path(folder), (file, line))
            found = violations(Path(folder), CLEAN_DECLARED)
            if len(found) != 1 or expected not in found[0]:
                failures.append(f"`{line}` in {file}: expected one `{expected}`, found {found}")
    for target, dependency, expected in PLANTED_DEPENDENCIES:
        with tempfile.TemporaryDirectory() as folder:
            plant(Path(folder))
            declared = {name: set(others) for name, others in CLEAN_DECLARED.items()}
            declared[target].add(dependency)
            found = violations(Path(folder), declared)
            if not any(expected in sentence for sentence in found):
                failures.append(f"{target} on {dependency}: expected `{expected}`, found {found}")
    for failure in failures:
        print(failure)
    count = len(PLANTED) + len(PLANTED_DEPENDENCIES)
    print(f"check-layers: {count - len(failures)} of {count} planted violations found")
    return not failures


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = Path(arguments[0] if arguments else ".").resolve()
    found = violations(root, declared_dependencies(root))
    for sentence in found:
        print(sentence)
    print(f"check-layers: {len(found)} violations" if found else "check-layers: every layer keeps its imports")
    return not found


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
