#!/usr/bin/python3
"""Holds what a daemon says of its methods against the OpenRPC specification and against what it then does.

    check_discovery.py SOCKET FIXTURES

The daemon has one bundle, com.example.app, with the tasks refresh, which ends at once, and export, which does not end
by itself. FIXTURES has the specification's own schema. At the end the daemon shuts down.
"""

import json
import sys
import time
from pathlib import Path

from jsonschema import Draft7Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7

from reply_schemas import ReplySchemas
from runner_client import Client, RunnerError

REFRESH, EXPORT = "com.example.app.refresh", "com.example.app.export"


def is_over(client):
    return not client.call("running")["runs"]


def nothing_runs(client):
    """Ends the run of `export`, if there is one."""
    deadline = time.monotonic() + 20
    while not is_over(client):
        try:
            client.call("stop", {"identifier": EXPORT})
        except RunnerError as error:
            if error.kind != "notRunning":
                raise
        if time.monotonic() > deadline:
            sys.exit("check_discovery: the run of export does not end")
        time.sleep(0.02)


def export_runs(client):
    nothing_runs(client)
    client.call("simulateLaunch", {"identifier": EXPORT, "submit": True})


def refresh_is_pending(client):
    client.call("submit", {"identifier": REFRESH, "earliestBeginDate": "2190-01-01T00:00:00Z"})


# What must be so before an example shows what it is there to show.
BEFORE = {
    "cancel": refresh_is_pending, "cancelAll": refresh_is_pending, "pending": refresh_is_pending,
    "explain": refresh_is_pending, "stop": export_runs, "running": export_runs, "simulateExpiration": export_runs,
    "shutdown": nothing_runs,
}


def problems_of_document(document, fixtures):
    """Sentences, one for each place where the document breaks the specification's schema."""
    def schema(name):
        return json.loads((fixtures / name).read_text())
    resource = DRAFT7.create_resource(schema("json-schema.json"))
    registry = Registry().with_resources(
        [(address, resource) for address in ("https://meta.json-schema.tools", "https://meta.json-schema.tools/")])
    # Its own `$schema` names the extended draft 7 that is registered above.
    validator = Draft7Validator(schema("openrpc-1.3.json"), registry=registry)
    return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]


def problems_of_examples(document, schemas):
    """What is wrong with the examples as they stand in the document."""
    for method in document["methods"]:
        name, params = method["name"], {param["name"]: param for param in method["params"]}
        if not method["examples"]:
            yield f"{name} has no example"
        for example in method["examples"]:
            given = {param["name"]: param["value"] for param in example["params"]}
            yield from (f"{name}: the example lacks {one}" for one in params if params[one]["required"] and one not in given)
            for one, value in given.items():
                if one not in params:
                    yield f"{name}: the example has a parameter {one}, which there is not"
                    continue
                for error in Draft7Validator(params[one]["schema"]).iter_errors(value):
                    yield f"{name}: the example's {one}: {error.message}"
            yield from (f"example of {one}" for one in schemas.problems(name, {"result": example["result"]["value"]}))


def run_examples(client, document, schemas):
    """Calls every method as its examples do; sentences, one for each reply that is not as described."""
    client.call("simulateLaunch", {"identifier": REFRESH, "submit": True, "wait": True})
    methods = sorted(document["methods"], key=lambda method: method["name"] == "shutdown")
    for method in methods:
        for example in method["examples"]:
            name = method["name"]
            BEFORE.get(name, lambda _: None)(client)
            given = {param["name"]: param["value"] for param in example["params"]}
            try:
                yield from schemas.problems(name, {"result": client.call(name, given or None)})
            except RunnerError as error:
                yield f"{name}: the example is refused: {error.kind}: {error}"


def main(path, fixtures):
    with Client(path) as client:
        document = client.call("rpc.discover")
        problems = problems_of_document(document, Path(fixtures))
        if not problems_of_document({**document, "methods": [{"name": "without params"}]}, Path(fixtures)):
            problems.append("the specification's schema does not see a method without params")
        if not problems:
            schemas = ReplySchemas(document)
            problems += problems_of_examples(document, schemas)
            problems += run_examples(client, document, schemas)
    for problem in problems:
        print(f"check_discovery: {problem}", file=sys.stderr)
    print(json.dumps({"methods": len(document["methods"]), "shapes": len(document["components"]["schemas"]),
                      "bytes": len(json.dumps(document)), "problems": len(problems)}))
    return not problems


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
