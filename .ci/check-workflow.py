#!/usr/bin/env python3
"""Checks the GitHub workflows that users copy: that they can be read, and that what they run exists.

    check-workflow.py               checks those of the examples
    check-workflow.py --self-test   breaks one in each way and sees it found

They are written in the small part of YAML that is read here, which keeps them plain.
"""

import re
import shutil
import sys
from pathlib import Path

EXAMPLES = "examples/*/.github/workflows/*.yml"
# What is there before anything was installed, in the container that a workflow names.
PROGRAMS = {"apt-get": {"update", "install"}, "swift": {"build", "test", "run", "package"}}


class Broken(Exception):
    pass


def lines_of(text):
    """Number, depth and content of each line that says something."""
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            raise Broken(f"line {number}: a tab")
        content = line.lstrip(" ")
        if content and not content.startswith("#"):
            yield number, len(line) - len(content), content.rstrip()


def scalar(number, text):
    if text.startswith("["):
        if not text.endswith("]"):
            raise Broken(f"line {number}: a list without its end")
        return [scalar(number, part.strip()) for part in text[1:-1].split(",")]
    if text[:1] in "{}\"'&*!|>%@`" or ": " in text or " #" in text or text.endswith(":"):
        raise Broken(f"line {number}: more of YAML than is read here: {text}")
    return text


def parse(lines, depth):
    """The mapping or list whose lines begin at a depth; takes them from the front."""
    result = None
    while lines and lines[0][1] == depth:
        number, _, content = lines.pop(0)
        if content.startswith("- "):
            result = [] if result is None else result
            if not isinstance(result, list):
                raise Broken(f"line {number}: a list within a mapping")
            lines.insert(0, (number, depth + 2, content[2:]))
            result.append(parse(lines, depth + 2))
            continue
        match = re.fullmatch(r"([\w-]+):(?: +(.+))?", content)
        if not match:
            raise Broken(f"line {number}: neither a key nor an element: {content}")
        result = {} if result is None else result
        if not isinstance(result, dict) or match[1] in result:
            raise Broken(f"line {number}: a key within a list, or one that is there already: {match[1]}")
        if match[2] is not None:
            result[match[1]] = scalar(number, match[2])
        elif lines and lines[0][1] > depth:
            result[match[1]] = parse(lines, lines[0][1])
        else:
            raise Broken(f"line {number}: a key without a value: {match[1]}")
    if lines and lines[0][1] > depth:
        raise Broken(f"line {lines[0][0]}: deeper than what it belongs to")
    return result


def read(text):
    lines = list(lines_of(text))
    result = parse(lines, 0)
    if lines:
        raise Broken(f"line {lines[0][0]}: less deep than what it belongs to")
    return result


def version(text):
    return [int(part) for part in text.split(".")]


def commands(step):
    return [command.split() for command in re.split(r" *(?:&&|;|\|\|) *", step)]


def problems(text, packages, tools):
    """What is wrong with a workflow, for a package that links what Debian packages hold."""
    try:
        workflow = read(text)
    except Broken as error:
        return [str(error)]
    found = []
    if not isinstance(workflow, dict) or set(workflow) != {"name", "on", "jobs"}:
        return ["a workflow has a name, events and jobs"]
    unknown = set(workflow["on"]) - {"push", "pull_request", "workflow_dispatch", "schedule"}
    found += [f"no such event: {event}" for event in sorted(unknown)]
    for name, job in workflow["jobs"].items():
        missing = {"runs-on", "container", "steps"} - set(job)
        if missing:
            found.append(f"job {name} has no {', '.join(sorted(missing))}")
            continue
        image = re.fullmatch(r"swift:(\d+\.\d+)-\w+", job["container"])
        if not image or version(image[1]) < version(tools):
            found.append(f"job {name} runs in {job['container']}, the package needs swift:{tools} or later")
        installed, checks_out, tests = set(), False, False
        for step in job["steps"]:
            if ("uses" in step) == ("run" in step) or set(step) - {"name", "uses", "run", "with", "env"}:
                found.append(f"a step of {name} either uses an action or runs commands: {step}")
            elif "uses" in step:
                if not re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]):
                    found.append(f"not an action with its version: {step['uses']}")
                checks_out |= step["uses"].startswith("actions/checkout@")
            else:
                for words in commands(step["run"]):
                    if words[0] not in PROGRAMS or not set(words[1:2]) & PROGRAMS[words[0]]:
                        found.append(f"not a command of the container: {' '.join(words)}")
                    if words[:2] == ["apt-get", "install"]:
                        installed |= {word for word in words[2:] if not word.startswith("-")}
                    if words[:2] == ["swift", "test"]:
                        tests |= checks_out and packages <= installed
        found += [f"job {name} does not install {package}" for package in sorted(packages - installed)]
        if not tests:
            found.append(f"job {name} does not check out, install and then test")
    return found


def needs(root):
    """The Debian packages that Runner links, and the tools that the example's package names."""
    manifest = (root / "Package.swift").read_text()
    packages = {name for names in re.findall(r"\.apt\(\[([^]]*)\]\)", manifest) for name in re.findall(r'"([^"]+)"', names)}
    return packages


def self_test(text, packages, tools):
    assert problems(text, packages, tools) == [], problems(text, packages, tools)
    breaks = [
        ("    steps:", "     steps:"), ("name: background tasks", "name background tasks"), ("[push, pull_request]", "[push"),
        ("    steps:", "    step:"), ("swift test", "swift tests"), ("swift test", "swiftly test"),
        ("libsqlite3-dev ", ""), ("swift:6.3", "swift:5.9"), ("actions/checkout@v4", "actions/checkout"),
        ("      - uses: actions/checkout@v4\n", ""), ("on: [push,", "on: [pushes,"), ("    runs-on: ubuntu-latest\n", ""),
        ("swift test", "swift build"), ("        run: swift test", "\trun: swift test"), ("run: swift test", "run: |"),
    ]
    for old, new in breaks:
        broken = text.replace(old, new)
        assert broken != text, f"nothing to break: {old}"
        assert problems(broken, packages, tools), f"not found: {new!r} for {old!r}"
    return len(breaks)


def main():
    root = Path(__file__).resolve().parent.parent
    workflows = sorted(root.glob(EXAMPLES))
    if not workflows:
        sys.exit("check-workflow: there is no workflow in the examples")
    packages, failed, broken = needs(root), False, 0
    for program, ways in PROGRAMS.items():
        # Where the program is at hand, what it can do is asked of it.
        if program == "swift" and (found := shutil.which(program)):
            for way in ways:
                if not Path(found).resolve().parent.joinpath(f"swift-{way}").exists():
                    sys.exit(f"check-workflow: swift has no {way}")
    for path in workflows:
        manifest = (path.parents[2] / "Package.swift").read_text()
        tools = re.match(r"// swift-tools-version: ?(\d+\.\d+)", manifest)[1]
        text = path.read_text()
        for problem in problems(text, packages, tools):
            print(f"{path.relative_to(root)}: {problem}")
            failed = True
        if "--self-test" in sys.argv and not failed:
            broken += self_test(text, packages, tools)
    if failed:
        sys.exit(1)
    more = f", and {broken} broken ones were found" if broken else ""
    print(f"check-workflow: {len(workflows)} workflows can be read, and what they run exists{more}")


main()
