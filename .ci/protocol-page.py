#!/usr/bin/env python3
"""Keeps the generated parts of docs/control-protocol.md as the daemon describes itself by `rpc.discover`.

    protocol-page.py RUNNERD           writes them
    protocol-page.py RUNNERD --check   fails when they differ
    protocol-page.py --self-test       sees that a page that differs is found out

A generated part is between `<!-- generated: NAME -->` and `<!-- end -->`; everything else is written by hand.
"""

import difflib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/EndToEndTests/Support"))

from runner_client import Client  # noqa: E402

PAGE = ROOT / "docs/control-protocol.md"
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def discover(runnerd):
    """The document of a daemon that is started for this question only."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/s"
        (Path(folder) / "plugins").mkdir()
        daemon = subprocess.Popen(
            [runnerd, "--foreground", "--state", f"{folder}/state", "--socket", path, "--plugins", f"{folder}/plugins"],
            stderr=subprocess.DEVNULL)
        try:
            for _ in range(500):
                if daemon.poll() is not None:
                    sys.exit(f"protocol-page: {runnerd} ended with {daemon.returncode}")
                try:
                    with Client(path) as client:
                        return client.call("rpc.discover")
                except (FileNotFoundError, ConnectionRefusedError):
                    time.sleep(0.02)
            sys.exit(f"protocol-page: {runnerd} does not listen")
        finally:
            daemon.kill()
            daemon.wait()


# Words for schemas


def name_of(reference):
    return reference.rsplit("/", 1)[1]


def listed(words):
    words = [f"`{word}`" for word in words]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def bounds(schema):
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    return f" of at least {low:,}" if low else ""


def words(schema, name=""):
    """A cell of a table."""
    if "$ref" in schema:
        shape = name_of(schema["$ref"])
        return f"[{shape}](#type-{shape.lower()})"
    if "anyOf" in schema:
        return ", or ".join(words(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return listed(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return f"array of {words(schema['items'])}"
    if kind == "object":
        members = schema.get("properties", {})
        required = schema.get("required", [])
        return "`{" + ", ".join(one if one in required else one + "?" for one in members) + "}`"
    if kind == "string" and schema.get("format") == "date-time":
        return "date"
    if kind == "number" and name.endswith("econds"):
        return "seconds"
    if kind in ("integer", "number"):
        return kind + bounds(schema)
    return {None: "any value", "null": "null"}.get(kind, str(kind))


def members(schema):
    """The rows of an object's table."""
    required = schema.get("required", [])
    rows = [
        (f"`{name}`", words(member, name), "" if name in required else "optional", member.get("description", ""))
        for name, member in schema["properties"].items()
    ]
    return table(("member", "type", "", "what it is"), rows)


def table(head, rows):
    def line(cells):
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)]) + "\n"


# Parts


def overview(document):
    rows = [(f"[`{method['name']}`](#{anchor(method['name'])})", method["summary"], method["x-access"])
            for method in document["methods"]]
    return table(("method", "what it does", "level"), rows)


def anchor(method):
    return method.replace(".", "").lower()


def methods(document):
    return "\n".join(section(method) for method in document["methods"])


def section(method):
    lines = [f"### {method['name']}", "", f"{method['summary']} Level: **{method['x-access']}**.", ""]
    if not method["x-batch"]:
        lines[-2] += " It cannot be part of a batch."
    if method["params"]:
        rows = [
            (f"`{param['name']}`", words(param["schema"], param["name"]), "required" if param["required"] else "optional",
             param["summary"]) for param in method["params"]
        ]
        lines += [table(("param, by position", "type", "", "what it is"), rows)]
    else:
        lines += ["It takes no params.", ""]
    lines += [result(method["result"])]
    if method["errors"]:
        lines += ["Errors: " + ", ".join(f"`{name_of(error['$ref'])}`" for error in method["errors"]) + ".", ""]
    for example in method["examples"]:
        lines += [f"*Example: {example['name']}*", "", "```json", *exchange(method["name"], example), "```", ""]
    return "\n".join(lines)


def result(result):
    schema, note = result["schema"], result.get("summary", "")
    if "$ref" in schema:
        return f"Result: {words(schema)}. {note}".rstrip() + "\n"
    if not schema.get("properties"):
        return f"Result: `{{}}`. {note}".rstrip() + "\n"
    return (f"Result, {note[0].lower()}{note[1:].rstrip('.')}:" if note else "Result:") + "\n\n" + members(schema)


def exchange(method, example):
    request = {"jsonrpc": "2.0", "id": 1, "method": method}
    if example["params"]:
        request["params"] = {param["name"]: param["value"] for param in example["params"]}
    reply = {"jsonrpc": "2.0", "id": 1, "result": example["result"]["value"]}
    return [json.dumps(request, ensure_ascii=False), *folded(json.dumps(reply, ensure_ascii=False))]


def folded(text, width=110):
    """The text in lines that fit on a page, broken after commas."""
    lines, line = [], ""
    for piece in re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^",])+,? ?|, ?', text):
        if line and len(line) + len(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = " "
        line += piece
    return lines + [line.rstrip()]


def types(document):
    parts = []
    for name, schema in document["components"]["schemas"].items():
        parts.append(f"### Type {name}\n\n{schema['description']}\n\n{members(schema)}")
    return "\n".join(parts)


def errors(document):
    everywhere = set(document["x-errors"])
    rows = [
        (str(error["code"]).replace("-", "−"), f"`{kind}`", error["message"], "any" if kind in everywhere else "")
        for kind, error in sorted(
            document["components"]["errors"].items(), key=lambda item: (item[1]["code"] > 0, abs(item[1]["code"])))
    ]
    return table(("code", "kind", "what it says", "request"), rows)


PARTS = {"overview": overview, "methods": methods, "types": types, "errors": errors}


def generated(page, document):
    """The page with its generated parts as the document has them."""
    names = [name for _, name, _ in PART.findall(page)]
    if sorted(names) != sorted(PARTS):
        sys.exit(f"protocol-page: the page has the parts {names}, and needs {list(PARTS)}")
    return PART.sub(lambda match: f"{match[1]}\n{PARTS[match[2]](document).strip()}\n\n{match[3]}", page)


def check(page, document):
    """What would change, as lines of a difference."""
    return list(difflib.unified_diff(
        page.splitlines(), generated(page, document).splitlines(), "docs/control-protocol.md", "rpc.discover", lineterm=""))


DOCUMENT = {
    "methods": [{
        "name": "count.things", "summary": "Counts.", "x-access": "read", "x-batch": True, "errors": [], "examples": [],
        "params": [{"name": "limit", "required": False, "summary": "Most.", "schema": {"type": "integer", "minimum": 1}}],
        "result": {"schema": {"$ref": "#/components/schemas/Thing"}},
    }],
    "components": {
        "schemas": {"Thing": {"description": "A thing.", "required": [], "properties": {"n": {"type": "number"}}}},
        "errors": {"parseError": {"code": -32700, "message": "No JSON."}},
    },
    "x-errors": ["parseError"],
}


def self_test():
    page = generated("".join(f"<!-- generated: {name} -->\n<!-- end -->\nBy hand.\n" for name in PARTS), DOCUMENT)
    failures = [] if check(page, DOCUMENT) == [] and page.count("By hand.") == len(PARTS) else ["a page that agrees is refused"]
    for old, new in [("Counts.", "Tells."), ('"limit"', '"most"'), ("A thing.", "It."), ("-32700", "-1"), ('"n"', '"m"')]:
        if not check(page, json.loads(json.dumps(DOCUMENT).replace(old, new))):
            failures.append(f"nobody noticed that {old} became {new}")
    if not check(page.replace("integer of at least 1", "integer"), DOCUMENT):
        failures.append("nobody noticed that the page was edited")
    for failure in failures:
        print(failure)
    print(f"protocol-page: {7 - len(failures)} of 7 pages judged rightly")
    return not failures


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    document, page = discover(arguments[0]), PAGE.read_text()
    if arguments[1:] == ["--check"]:
        difference = check(page, document)
        for line in difference[:40]:
            print(line)
        print("protocol-page: run make docs" if difference else "protocol-page: the page says what the daemon says")
        return not difference
    PAGE.write_text(generated(page, document))
    return True


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
