"""What the runner's own description of its methods allows in replies; strictly, so that no member goes undescribed."""

import copy
import json
import re

from jsonschema import Draft7Validator, FormatChecker
from jsonschema.validators import extend

DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

formats = FormatChecker(formats=())


@formats.checks("date-time")
def is_date(value):
    """RFC 3339 in UTC with milliseconds, as the contract has it."""
    return not isinstance(value, str) or DATE.fullmatch(value) is not None


def closed(schema):
    """The schema with every object limited to the members that it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        result["additionalProperties"] = False
    return result


class ReplySchemas:
    """Judges replies by an OpenRPC document."""

    def __init__(self, document):
        self.methods = {method["name"]: method for method in document["methods"]}
        self.errors = document["components"]["errors"]
        self.common = set(document["x-errors"])
        self.known = {}
        shapes = {"schemas": closed(copy.deepcopy(document["components"]["schemas"]))}
        validator = extend(Draft7Validator, {"$ref": self.reference})
        self.shapes = {name: validator(shape, format_checker=formats) for name, shape in shapes["schemas"].items()}
        self.results = {
            name: validator(closed(method["result"]["schema"]), format_checker=formats)
            for name, method in self.methods.items()
        }

    def reference(self, validator, reference, instance, _):
        """Follows a reference to a shape; the same value is looked at once."""
        name = reference.removeprefix("#/components/schemas/")
        key = (name, json.dumps(instance, sort_keys=True))
        if key not in self.known:
            self.known[key] = list(self.shapes[name].iter_errors(instance))
        yield from self.known[key]

    def problems(self, method, reply):
        """Sentences, one for each thing in the reply that the document does not allow."""
        if method not in self.methods:
            return [] if "error" in reply else [f"{method} is not described, and answers"]
        if "error" in reply:
            return [f"{method}: {problem}" for problem in self.problems_of_error(method, reply["error"])]
        return [
            f"{method}: {'/'.join(map(str, error.absolute_path)) or 'the result'}: {error.message}"
            for error in self.results[method].iter_errors(reply["result"])
        ]

    def kinds(self, method):
        """The kinds of errors that a method may answer with."""
        named = {error["$ref"].removeprefix("#/components/errors/") for error in self.methods[method]["errors"]}
        return named | self.common

    def problems_of_error(self, method, error):
        if set(error) != {"code", "message", "data"} or not error["message"]:
            return [f"an error is code, message and data, and this is {error}"]
        kind = error["data"].get("kind")
        if kind not in self.kinds(method):
            return [f"the kind of error {kind} is not described: {error}"]
        if error["code"] != self.errors[kind]["code"]:
            return [f"{kind} has the code {self.errors[kind]['code']}, and this is {error}"]
        return []
