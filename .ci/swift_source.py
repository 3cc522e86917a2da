"""Reads Swift sources well enough for the checks: what is code, and what is only said in comments and strings."""

import re

_STRING_START = re.compile(r'(#*)("""|")')
_REGEX_START = re.compile(r"(#+)/")


def code_only(text):
    """The text with comments and the contents of strings blanked, at the same places and lines.

    Code that is interpolated into a string stays, since it is code.
    """
    out = []
    outer = []  # Strings whose interpolation we are in: (hashes, quote, open parentheses before it).
    string = None
    depth = 0
    position = 0

    def blank(piece):
        out.append("".join("\n" if character == "\n" else " " for character in piece))

    while position < len(text):
        character = text[position]
        if string is None:
            if text.startswith("//", position):
                end = text.find("\n", position)
                end = len(text) if end < 0 else end
                blank(text[position:end])
                position = end
            elif text.startswith("/*", position):
                end = _end_of_comment(text, position)
                blank(text[position:end])
                position = end
            elif match := _STRING_START.match(text, position):
                string = match.groups()
                out.append(match.group())
                position = match.end()
            elif match := _REGEX_START.match(text, position):
                end = text.find("/" + match.group(1), match.end())
                end = len(text) if end < 0 else end + 1 + len(match.group(1))
                blank(text[position:end])
                position = end
            else:
                if character == "(":
                    depth += 1
                elif character == ")":
                    depth -= 1
                if character == ")" and outer and depth == outer[-1][2]:
                    string = outer.pop()[:2]
                out.append(character)
                position += 1
            continue

        hashes, quote = string
        if text.startswith("\\" + hashes, position):
            after = position + 1 + len(hashes)
            if text.startswith("(", after):
                outer.append((hashes, quote, depth))
                depth += 1
                blank(text[position:after])
                out.append("(")
                string = None
                position = after + 1
            else:
                blank(text[position : after + 1])
                position = after + 1
        elif text.startswith(quote + hashes, position):
            out.append(quote + hashes)
            position += len(quote + hashes)
            string = None
        elif character == "\n" and quote == '"':
            out.append("\n")
            position += 1
            string = None
        else:
            blank(character)
            position += 1
    return "".join(out)


def _end_of_comment(text, position):
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


_IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|actor|func|var|let|typealias)\s+)?(\w+)",
    re.MULTILINE,
)


def imports(code):
    """(line, module) of every import in a text that went through `code_only`."""
    return [(line_of(code, match.start(1)), match.group(1)) for match in _IMPORT.finditer(code)]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def after_parentheses(code, position):
    """The place after the parenthesis that closes the one at `position`."""
    depth = 0
    for index in range(position, len(code)):
        if code[index] == "(":
            depth += 1
        elif code[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
    return len(code)
