#!/usr/bin/python3
"""Holds every reply that the end-to-end tests' clients received against what `rpc.discover` says.

    check_replies.py FOLDER        judges what was recorded there (see runner_client.py)
    check_replies.py --self-test   plants each kind of fault and sees it found
"""

import json
import sys
from collections import Counter
from pathlib import Path

from reply_schemas import ReplySchemas


def recorded(folder):
    for file in sorted(Path(folder).glob("*.jsonl")):
        for line in file.read_text().splitlines():
            entry = json.loads(line)
            yield entry["method"], entry["reply"]


def judge(entries):
    """(problems, replies counted by method)."""
    described = [reply["result"] for method, reply in entries if method == "rpc.discover" and "result" in reply]
    if not described:
        return ["nobody asked for rpc.discover, so nothing can be judged"], Counter()
    document = described[-1]
    schemas = ReplySchemas(document)
    problems, answered = Counter(), Counter()
    for method, reply in entries:
        problems.update(schemas.problems(method, reply))
        if "result" in reply:
            answered[method] += 1
    found = [f"{problem} ({count} times)" for problem, count in problems.items()]
    found += [f"{name} never answered with a result" for name in schemas.methods if not answered[name]]
    return found, answered


DOCUMENT = {
    "methods": [
        {"name": "rpc.discover", "errors": [], "result": {"schema": {}}},
        {"name": "count", "errors": [{"$ref": "#/components/errors/gone"}], "result": {"schema": {
            "type": "object", "required": ["at"], "properties": {
                "at": {"type": "string", "format": "date-time"},
                "things": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}}}},
    ],
    "components": {
        "schemas": {"Thing": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}},
        "errors": {"gone": {"code": 16}, "other": {"code": 17}, "invalidParams": {"code": -32602}},
    },
    "x-errors": ["invalidParams"],
}
AT = "2026-11-30T08:45:00.000Z"
GOOD = [("rpc.discover", {"result": DOCUMENT}), ("count", {"result": {"at": AT, "things": [{"n": 1}]}})]


def error(code, kind):
    return {"error": {"code": code, "message": "No.", "data": {"kind": kind}}}


CASES = [
    ([*GOOD, ("count", error(16, "gone")), ("count", error(-32602, "invalidParams"))], None),
    ([*GOOD, ("missing", error(-32601, "methodNotFound"))], None),
    ([*GOOD, ("count", {"result": {}})], "'at' is a required property"),
    ([*GOOD, ("count", {"result": {"at": AT, "more": 1}})], "'more' was unexpected"),
    ([*GOOD, ("count", {"result": {"at": "2026-11-30T08:45:00Z"}})], "is not a 'date-time'"),
    ([*GOOD, ("count", {"result": {"at": AT, "things": [{"n": 1, "m": 2}]}})], "'m' was unexpected"),
    ([*GOOD, ("count", error(17, "other"))], "is not described"),
    ([*GOOD, ("count", error(17, "gone"))], "has the code 16"),
    ([*GOOD, ("count", {"error": {"code": 16, "message": "No."}})], "code, message and data"),
    ([*GOOD, ("secret", {"result": {}})], "secret is not described"),
    (GOOD[:1], "count never answered"),
    (GOOD[1:], "nobody asked"),
]


def self_test():
    failures = []
    for entries, expected in CASES:
        found, _ = judge(entries)
        if expected is None and found:
            failures.append(f"good replies are refused: {found}")
        if expected is not None and not (len(found) == 1 and expected in found[0]):
            failures.append(f"expected one `{expected}`, found {found}")
    for failure in failures:
        print(failure)
    print(f"check_replies: {len(CASES) - len(failures)} of {len(CASES)} recordings judged rightly")
    return not failures


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    problems, answered = judge(list(recorded(arguments[0])))
    for problem in problems:
        print(f"check_replies: {problem}")
    print(f"check_replies: {sum(answered.values())} results of {len(answered)} methods, {len(problems)} problems")
    return not problems


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
