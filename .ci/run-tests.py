#!/usr/bin/env python3
"""Runs one part of the tests, and is not content unless every listed test of that part has run.

    run-tests.py NAME (--only|--except) TARGET... --minutes N -- FLAGS OF SWIFT

The tests are built already, with the same flags. The result goes to .build/results/NAME.json; a run that hangs is
ended after N minutes. `swift test` alone would be content with a filter that matches nothing.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

RESULTS = Path(".build/results")
MOST_OF_A_FAILURE = 2_000


def listed_tests(flags):
    text = subprocess.run(
        ["swift", "test", "list", "--skip-build", *flags], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.replace("/", ".") for line in text.split("\n") if re.fullmatch(r"\w+\.\S.*", line)}


def finished_tests(report):
    """(passed, failed, skipped) names from the reports that `swift test` wrote for its two kinds of tests.

    Those that failed come with what was wrong.
    """
    passed, failed, skipped = set(), {}, set()
    for file in (report, report.with_name(report.stem + "-swift-testing.xml")):
        try:
            cases = ElementTree.parse(file).getroot().iter("testcase")
        except (FileNotFoundError, ElementTree.ParseError):
            # Not written, or cut short by the end of the process: its tests are missed below.
            continue
        for case in cases:
            name = f"{case.get('classname')}.{case.get('name')}"
            wrongs = [*case.iter("failure"), *case.iter("error")]
            if wrongs:
                failed.setdefault(name, []).extend(wrong.get("message") or wrong.text or "" for wrong in wrongs)
            elif case.find("skipped") is not None:
                skipped.add(name)
            else:
                passed.add(name)
    return passed - failed.keys(), failed, skipped


def end_session(session):
    """Kills what still runs of a session, in whatever process group, and returns the names."""
    ended = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name may hold anything; the fields after it are state, parent, group, session.
            name, fields = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            if int(fields.split()[3]) == session and fields.split()[0] != "Z":
                os.kill(int(folder.name), signal.SIGKILL)
                ended.append(name)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return ended


def run(command, minutes):
    """The exit status, or None when the time was over and everything of this run was ended."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(timeout=minutes * 60)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if left := end_session(process.pid):
            print(f"ended what was still running: {', '.join(sorted(left))}")
        process.wait()


def selections(options, targets, expected):
    """The options that choose the tests of each part; a suite stays whole."""
    whole = rf"^({'|'.join(targets)})\."
    if options.parts == 1:
        return [["--filter" if options.only else "--skip", whole]]
    suites = sorted({name.split(".")[1].split("/")[0] for name in expected})
    parts = [suites[number :: options.parts] for number in range(options.parts)]
    return [["--filter", rf"{whole}({'|'.join(part)})\b"] for part in parts if part]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--only", nargs="+", metavar="TARGET")
    which.add_argument("--except", nargs="+", metavar="TARGET", dest="but")
    parser.add_argument("--minutes", type=int, required=True)
    # With all at once on few cores, tests about time see everything late.
    parser.add_argument("--at-once", type=int, help="how many tests run at the same time")
    # Foundation's Process leaves descriptors open, and what it waits with ends a program that has more than 1,024.
    parser.add_argument("--parts", type=int, default=1, help="how many processes do it, one after another")
    split = sys.argv.index("--")
    options = parser.parse_args(sys.argv[1:split])
    flags = sys.argv[split + 1 :]

    targets = options.only or options.but
    expected = {name for name in listed_tests(flags) if (name.split(".")[0] in targets) == bool(options.only)}
    RESULTS.mkdir(parents=True, exist_ok=True)
    result = RESULTS / f"{options.name}.json"
    result.unlink(missing_ok=True)
    (passed, failed, skipped), status = (set(), {}, set()), 0
    end = time.monotonic() + options.minutes * 60
    every = [("--disable-xctest", selection) for selection in selections(options, targets, expected)]
    # Only XCTest lists names without parentheses; without such tests it would report that it executed none.
    if not all(name.endswith(")") for name in expected):
        # It writes its report only when it runs its tests side by side.
        selection = ["--filter" if options.only else "--skip", rf"^({'|'.join(targets)})\."]
        every.append(("--disable-swift-testing", ["--parallel", *selection]))
    for number, (library, selection) in enumerate(every):
        report = RESULTS / f"{options.name}-{number}.xml"
        for old in (report, report.with_name(report.stem + "-swift-testing.xml")):
            old.unlink(missing_ok=True)
        command = ["swift", "test", "--skip-build", *flags, "--xunit-output", str(report.resolve()), library, *selection]
        if options.at_once and library == "--disable-xctest":
            command += ["--experimental-maximum-parallelization-width", str(options.at_once)]
        ended = run(command, max(0, end - time.monotonic()) / 60)
        status = status if ended == 0 else ended
        for all_of_them, of_this in zip((passed, failed, skipped), finished_tests(report)):
            all_of_them |= of_this
    missing = expected - passed - failed.keys() - skipped
    counts = {"passed": len(passed), "failed": len(failed) + len(missing), "skipped": len(skipped)}
    result.write_text(json.dumps(counts) + "\n")

    for name, wrongs in sorted(failed.items()):
        print(f"failed: {name}")
        for wrong in wrongs:
            # Here again, since what the tests printed is long, and often only its end is kept.
            print(textwrap.indent(wrong.strip()[:MOST_OF_A_FAILURE], "    "))
    for name in sorted(missing):
        print(f"did not finish: {name}")
    if status is None:
        print(f"{options.name}: not done after {options.minutes} minutes, ended")
    elif status != 0:
        print(f"{options.name}: swift test ended with {status}")
    if not expected:
        print(f"{options.name}: there is no test to run")
    print(f"{options.name}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return status == 0 and bool(passed) and not failed and not missing


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
