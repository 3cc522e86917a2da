#!/usr/bin/env python3
"""Checks that no test can go missing without a word.

    check-tests.py functions              test functions without @Test, and sleeps in tests
    check-tests.py count LIST [--update]  LIST is what `swift test list` printed; compares it with the sources
                                          and with the floor in .ci/test-count, which --update rewrites
    check-tests.py --self-test            plants each violation and sees it found
"""

import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from swift_source import after_parentheses, code_only, line_of

MODIFIERS = {
    "public", "package", "internal", "private", "fileprivate", "open", "static", "final", "override", "mutating",
    "nonmutating", "nonisolated", "isolated", "borrowing", "consuming", "indirect", "dynamic", "required", "lazy",
    "weak", "unowned", "optional", "convenience", "sending", "distributed",
}
TYPES = {"struct", "class", "enum", "actor", "extension", "protocol"}

_TOKEN = re.compile(r"@[\w.]+|`[^`\n]+`|\w+|[{}]|[^\s\w]")
_TYPE_NAME = re.compile(r"\s*([\w.]+)")
_FUNCTION_NAME = re.compile(r"\s*(`[^`\n]+`|\w+)\s*(<[^(]*>)?\s*(?=\()")

# A method of our own may be called so: a machine sleeps, too.
SLEEP = re.compile(
    r"\b(?:Task|Thread)\s*\.\s*sleep\s*\(|(?<![.\w])(?<!func )(?:sleep|usleep|nanosleep|clock_nanosleep)\s*\(")
END_TO_END = "EndToEndTests"
# There handlers under test sleep, and the kit that they are tests of makes that virtual time.
VIRTUAL = {"RunnerTestingTests", "FeedAppTests", "ReaderAppTests"}
FLOOR = ".ci/test-count"


@dataclass(frozen=True)
class Function:
    file: Path
    line: int
    name: str
    scope: str | None  # The type around it, "" at the top of a file, None inside of a function or a protocol.
    is_test: bool
    has_parameters: bool


def functions(file, code):
    """(functions, suites): every function of a file, and the types that are marked as suites."""
    found = []
    suites = set()
    scopes = []  # A type's name, or None for any other pair of braces.
    next_scope = None
    attributes = []
    position = 0
    while match := _TOKEN.search(code, position):
        token = match.group()
        position = match.end()
        if token.startswith("@"):
            attributes.append(token)
            if code.startswith("(", position):
                position = after_parentheses(code, position)
            continue
        following = code[position : position + 40].split(maxsplit=1)
        if token in MODIFIERS or (token == "class" and following and following[0] in {"func", "var", "let"}):
            if code.startswith("(", position):
                position = after_parentheses(code, position)
            continue
        if token in TYPES and (name := _TYPE_NAME.match(code, position)):
            position = name.end()
            inside = [scope for scope in scopes if scope]
            next_scope = None if token == "protocol" else ".".join(inside + [name.group(1)])
            if "@Suite" in attributes and next_scope:
                suites.add(next_scope)
        elif token == "func":
            next_scope = None
            if name := _FUNCTION_NAME.match(code, position):
                end = after_parentheses(code, name.end())
                inner = code[name.end() + 1 : end - 1].strip()
                scope = "" if not scopes else (scopes[-1] or None)
                is_xctest = bool(scope and scope.endswith("XCTests") and name.group(1).startswith("test"))
                found.append(
                    Function(
                        file, line_of(code, match.start()), name.group(1).strip("`"), scope,
                        is_xctest or bool({"@Test", "@Testing.Test"} & set(attributes)), bool(inner)))
                position = end
        elif token == "{":
            scopes.append(next_scope)
            next_scope = None
        elif token == "}" and scopes:
            scopes.pop()
        attributes = []
    return found, suites


def read_target(target):
    """(functions, suites, code of each file) of one folder of tests."""
    every = []
    suites = set()
    codes = {}
    for file in sorted(target.rglob("*.swift")):
        codes[file] = code_only(file.read_text(encoding="utf-8"))
        of_file, marked = functions(file, codes[file])
        every += of_file
        suites |= marked
    suites |= {function.scope for function in every if function.is_test and function.scope}
    suites |= {
        function.scope for function in every if function.scope and function.scope.split(".")[-1].endswith("Tests")}
    return every, suites, codes


def is_used(function, codes):
    name = re.escape(function.name)
    call = rf"(?<!\w)`?{name}`?\s*\(" + ("" if not function.has_parameters else rf"|(?<!\w){name}\b(?!\s*[:(])")
    declaration = re.compile(rf"\bfunc\s+`?{name}`?\s*(<[^(]*>)?\s*\(")
    for code in codes.values():
        if re.search(call, declaration.sub(" ", code)):
            return True
    return False


def test_targets(root):
    # Fixtures are what tests work on: sources there are read or built by tests, and are none.
    tests = [path for path in (root / "Tests").iterdir() if path.name != "Fixtures"]
    tests += (root / "examples").glob("*/Tests/*")
    return sorted(path for path in tests if path.is_dir() and any(path.rglob("*.swift")))


def function_violations(root):
    found = []
    for target in test_targets(root):
        every, suites, codes = read_target(target)
        for function in every:
            stands_alone = function.scope == "" or function.scope in suites
            if stands_alone and not function.is_test and not is_used(function, codes):
                found.append(
                    f"{function.file.relative_to(root)}:{function.line}: `{function.name}` has no @Test and nobody calls"
                    " it, so it never runs")
        if target.name == END_TO_END or target.name in VIRTUAL:
            continue
        for file, code in codes.items():
            for match in SLEEP.finditer(code):
                found.append(
                    f"{file.relative_to(root)}:{line_of(code, match.start())}: sleeping belongs to {END_TO_END} only;"
                    " wait for an event or use a virtual clock")
    return found


def count_violations(root, listed, update=False):
    """Compares three numbers of each target: @Test in the sources, tests that the build lists, and the floor."""
    found = []
    in_sources = {
        target.name: sum(function.is_test for function in read_target(target)[0]) for target in test_targets(root)}
    in_build = Counter(line.split(".", 1)[0] for line in listed.split("\n") if re.fullmatch(r"\w+\.\S.*", line))
    for name in sorted(set(in_sources) | set(in_build)):
        if in_sources.get(name, 0) != in_build.get(name, 0):
            found.append(
                f"{name}: the sources have {in_sources.get(name, 0)} tests, the build lists {in_build.get(name, 0)}")
    floor_file = root / FLOOR
    if update:
        if not found:
            floor_file.write_text("".join(f"{name} {count}\n" for name, count in sorted(in_build.items())))
        return found
    floor = {}
    if floor_file.exists():
        floor = {name: int(count) for name, count in (line.split() for line in floor_file.read_text().splitlines())}
    else:
        found.append(f"{FLOOR} is missing: make test-count-update writes it")
    for name, count in sorted(floor.items()):
        if in_build.get(name, 0) < count:
            found.append(
                f"{name}: {in_build.get(name, 0)} tests, and there were {count}; if that is meant,"
                " make test-count-update lowers the floor")
    return found


CLEAN_TESTS = """
import Testing

// func commentedOut() {}
/// @Test func onlySaid() {}
private func helper() -> Int { 1 }

protocol Port { func ask() }

struct FakePort: Port {
    func ask() {}
    mutating func sleep(_ time: Int) {}
}

@Suite(.serialized)
struct ThingTests {
    private func check(_ number: Int) {
        func local() {}
        var port = FakePort()
        port.sleep(1)
        #expect(number == helper())
    }

    static func numbers() -> [Int] { [1] }

    @Test("a name with ) and \\" and func inside")
    func named() { check(1) }

    @available(*, noasync) @MainActor @Test(
        "arguments with closures",
        arguments: [1, 2].map { ($0 + 1) }, ThingTests.numbers())
    private static func withArguments(_ first: Int, _ second: Int) {
        [1].forEach(check)
    }

    struct Inner {
        @Test func deep() { let text = "sleep(1)"; _ = text }
    }
}

extension ThingTests {
    @Test func extended() async throws {}
}

@Test func free() {}
"""
CLEAN_LIST = "\n".join(
    ["[0/1] Planning build", "ThingTests.ThingTests/Inner/deep()", "ThingTests.ThingTests/extended()",
     "ThingTests.ThingTests/named()", "ThingTests.ThingTests/withArguments(_:_:)", "ThingTests.free()", ""])

# (what is added to the file of tests, a part of the sentence that must come)
PLANTED_FUNCTIONS = [
    ("extension ThingTests {\n    func forgotten() { #expect(helper() == 1) }\n}", "`forgotten` has no @Test"),
    ("extension ThingTests {\n    func forgotten(_ number: Int) async throws {}\n}", "`forgotten` has no @Test"),
    ("extension ThingTests.Inner {\n    static func forgotten() {}\n}", "`forgotten` has no @Test"),
    ("extension ThingTests {\n    func text() {}\n    @Test func other() { let text = 1; _ = text }\n}", "`text` has no"),
    ("struct OtherTests {\n    func alone() {}\n}", "`alone` has no @Test"),
    ("@Suite struct Other {\n    func alone() {}\n}", "`alone` has no @Test"),
    ("func alone() {}", "`alone` has no @Test"),
    ("// @Test\nfunc alone() {}", "`alone` has no @Test"),
    ("@Test func slow() async throws { try await Task.sleep(for: .seconds(1)) }", "sleeping belongs"),
    ("@Test func slow() { usleep(10) }", "sleeping belongs"),
    ("final class OldXCTests: XCTestCase {\n    func testOld() {}\n    func old() {}\n}", "`old` has no @Test"),
]

# (what is added to the file, the list, the floor, a part of the sentence that must come)
PLANTED_COUNTS = [
    ("", CLEAN_LIST.replace("ThingTests.free()\n", ""), "ThingTests 4\n", "sources have 5 tests, the build lists 4"),
    ("#if os(Windows)\n@Test func elsewhere() {}\n#endif", CLEAN_LIST, "ThingTests 5\n", "sources have 6 tests"),
    ("", CLEAN_LIST, "ThingTests 6\n", "5 tests, and there were 6"),
    ("", CLEAN_LIST, "GoneTests 2\nThingTests 5\n", "GoneTests: 0 tests, and there were 2"),
    ("", CLEAN_LIST, None, "test-count is missing"),
    ("", "", "ThingTests 5\n", "the build lists 0"),
]


def self_test():
    def plant(folder, extra, floor):
        root = Path(folder)
        (root / "Tests/ThingTests").mkdir(parents=True)
        (root / "Tests/ThingTests/ThingTests.swift").write_text(CLEAN_TESTS + extra + "\n")
        (root / ".ci").mkdir()
        if floor is not None:
            (root / FLOOR).write_text(floor)
        return root

    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = plant(folder, "", "ThingTests 5\n")
        if found := function_violations(root) + count_violations(root, CLEAN_LIST):
            failures.append(f"a clean tree is refused: {found}")
    for extra, expected in PLANTED_FUNCTIONS:
        with tempfile.TemporaryDirectory() as folder:
            found = function_violations(plant(folder, extra, None))
            if len(found) != 1 or expected not in found[0]:
                failures.append(f"`{extra}`: expected one `{expected}`, found {found}")
    for extra, listed, floor, expected in PLANTED_COUNTS:
        with tempfile.TemporaryDirectory() as folder:
            found = count_violations(plant(folder, extra, floor), listed)
            if not any(expected in sentence for sentence in found):
                failures.append(f"count: expected `{expected}`, found {found}")
    for failure in failures:
        print(failure)
    count = len(PLANTED_FUNCTIONS) + len(PLANTED_COUNTS)
    print(f"check-tests: {count - len(failures)} of {count} planted violations found")
    return not failures


def main(arguments):
    root = Path.cwd()
    if arguments == ["--self-test"]:
        return self_test()
    if arguments == ["functions"]:
        found = function_violations(root)
        good = "every test function has @Test"
    elif len(arguments) in (2, 3) and arguments[0] == "count" and arguments[2:] in ([], ["--update"]):
        listed = Path(arguments[1]).read_text(encoding="utf-8")
        found = count_violations(root, listed, update=arguments[2:] == ["--update"])
        good = "the tests of the sources, of the build and of the floor agree"
    else:
        print(__doc__, file=sys.stderr)
        return False
    for sentence in found:
        print(sentence)
    print(f"check-tests: {len(found)} violations" if found else f"check-tests: {good}")
    return not found


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
