#!/usr/bin/env python3
"""Checks that every public declaration begins with one short sentence without links.

    check-abstracts.py SYMBOL_GRAPH...
    check-abstracts.py --self-test
"""

import json
import re
import sys
from pathlib import Path

LONGEST = 150


def problem(abstract):
    if not abstract:
        return "has no documentation"
    if len(abstract) > LONGEST:
        return f"begins with {len(abstract)} characters; an abstract has {LONGEST} at most"
    if "``" in abstract or re.search(r"\]\(|<doc:|https?://", abstract):
        return "has a link in its abstract"
    if not abstract.endswith((".", "!", "?")):
        return "has an abstract that is not a sentence"
    return None


def abstract_of(lines):
    taken = []
    for line in lines:
        text = line["text"].strip()
        if not text and taken:
            break
        if text:
            taken.append(text)
    return " ".join(taken)


def violations(graph):
    found = []
    for symbol in graph["symbols"]:
        location = symbol.get("location")
        # What the compiler made, and what says by its conformance what it means, has no words of its own.
        if not location or symbol["kind"]["identifier"] == "swift.extension":
            continue
        documented = symbol.get("docComment")
        if documented is None and is_requirement(symbol):
            continue
        text = abstract_of(documented["lines"]) if documented else ""
        if sentence := problem(text):
            place = location["uri"].rsplit("/Sources/", 1)[-1]
            line = location["position"]["line"] + 1
            found.append(f"Sources/{place}:{line}: {'.'.join(symbol['pathComponents'])} {sentence}")
    return found


REQUIREMENTS = {
    "==(_:_:)", "<(_:_:)", "hash(into:)", "encode(to:)", "init(from:)", "description", "debugDescription", "hashValue",
    "errorDescription", "rawValue", "init(rawValue:)", "id", "allCases", "RawValue",
}


def is_requirement(symbol):
    return symbol["pathComponents"][-1] in REQUIREMENTS


def self_test():
    cases = [
        ("Does one thing.", True), ("", False), ("x" * LONGEST + ".", False), ("x" * (LONGEST - 1) + ".", True),
        ("Does what ``Other`` does.", False), ("See [here](x).", False), ("not a sentence", False),
    ]
    wrong = [text for text, good in cases if (problem(text) is None) != good]
    symbol = {
        "kind": {"identifier": "swift.struct"}, "pathComponents": ["Thing"],
        "location": {"uri": "file:///x/Sources/Runner/Thing.swift", "position": {"line": 2, "character": 0}},
    }
    good = {**symbol, "docComment": {"lines": [{"text": "One"}, {"text": "sentence."}, {"text": ""}, {"text": "``A``"}]}}
    if violations({"symbols": [good]}) or violations({"symbols": [symbol]}) != [
            "Sources/Runner/Thing.swift:3: Thing has no documentation"]:
        wrong.append("a symbol graph")
    for text in wrong:
        print(f"judged wrongly: {text}")
    print(f"check-abstracts: {len(cases) + 2 - len(wrong)} of {len(cases) + 2} judged rightly")
    return not wrong


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    found = []
    for name in arguments:
        found += violations(json.loads(Path(name).read_text(encoding="utf-8")))
    for sentence in found:
        print(sentence)
    print(f"check-abstracts: {len(found)} violations" if found else "check-abstracts: every abstract is one sentence")
    return not found


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
