#!/usr/bin/env python3
"""Checks that nothing is in the tree that belongs to one machine, to nobody's eyes, or to later.

    check-tree.py               checks the files of the current folder that git knows or would add
    check-tree.py --self-test   plants each violation and sees it found
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from swift_source import code_only, line_of

# Written in pieces, so that this file does not find itself.
HOSTS = ["pypi" + ".org", "pythonhosted" + ".org", "debian" + ".org", "npmjs" + ".org", "crates" + ".io",
         "proxy.golang" + ".org", "ghcr" + ".io", "maven" + ".org"]
EVERYWHERE = [
    (r"(?<![\w.$})-])/(?:work|root)/", "a path of one machine"),
    (r"(?<![\w.$})-])/home/(?!user\b|alice\b|bob\b)\w+", "a path of one machine"),
    (r"\b(?:" + "|".join(re.escape(host) for host in HOSTS) + r")\b", "a package registry's host"),
    (r"-----BEGIN [A-Z ]*PRIVATE " + r"KEY-----", "a private key"),
    (r"\bAKIA[0-9A-Z]{16}\b", "an access key"),
    (r"\b(?:ghp|gho|ghs|github_pat|glpat|xox[abp]|sk-ant|sk-proj)[-_]\w{16,}", "an access token"),
    (r"(?i)\b(?:password|secret|api_?key|token)\s*[=:]\s*[\"'][^\"'\s$]{8,}[\"']", "a password"),
    (r"(?m)^(?:<{7}|>{7})(?: |$)", "an unfinished merge"),
    (r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b", "something left for later"),
]
IN_SOURCES = [
    (r"\bfatalError\s*\(", "fatalError: answer what others cause, preconditionFailure for our own broken invariant"),
]
SKIPPED = ("LICENSE", "Tests/Fixtures/")


def files(root):
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
        names = [name for name in names if not name.startswith((".build/", ".git/"))]
    return [name for name in sorted(names) if not name.startswith(SKIPPED) and (root / name).is_file()]


def violations(root):
    found = []
    for name in files(root):
        data = (root / name).read_bytes()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", errors="replace")
        for pattern, what in EVERYWHERE:
            for match in re.finditer(pattern, text):
                found.append(f"{name}:{line_of(text, match.start())}: {what}: {match.group().strip()}")
        if name.startswith("Sources/") and name.endswith(".swift"):
            code = code_only(text)
            for pattern, what in IN_SOURCES:
                for match in re.finditer(pattern, code):
                    found.append(f"{name}:{line_of(code, match.start())}: {what}")
    return found


CLEAN = ('let path = "$HOME/' + 'work/x"; let other = "../' + 'root/y" // fatalError() is only named here, $(NAME)/'
         + 'work/z\n')
PLANTED = [
    ('let path = "/' + 'work/main"', "a path of one machine"),
    ("cd /" + "root/x", "a path of one machine"),
    ("cd /ho" + "me/jane", "a path of one machine"),
    ("pip install --index-url https://" + "pypi" + ".org/simple", "a package registry's host"),
    ("deb http://deb." + "debian" + ".org/debian", "a package registry's host"),
    ("-----BEGIN OPENSSH PRIVATE " + "KEY-----", "a private key"),
    ("AKIA" + "ABCDEFGHIJKLMNOP", "an access key"),
    ("ghp_" + "abcdefghijklmnopqrst", "an access token"),
    ("pass" + 'word = "correcthorse"', "a password"),
    ("<<<<<<" + "< HEAD", "an unfinished merge"),
    ("// TO" + "DO: later", "something left for later"),
    ("func stop() -> Never { fatal" + "Error() }", "fatalError"),
]


def self_test():
    failures = []
    for extra, expected in [("", None), *PLANTED]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "Sources/Thing/Thing.swift"
            file.parent.mkdir(parents=True)
            file.write_text(CLEAN + extra + "\n")
            found = violations(Path(folder))
            if expected is None and found:
                failures.append(f"a clean tree is refused: {found}")
            if expected is not None and (len(found) != 1 or expected not in found[0]):
                failures.append(f"`{extra}`: expected one `{expected}`, found {found}")
    for failure in failures:
        print(failure)
    print(f"check-tree: {len(PLANTED) + 1 - len(failures)} of {len(PLANTED) + 1} trees judged rightly")
    return not failures


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    found = violations(Path.cwd())
    for sentence in found:
        print(sentence)
    print(f"check-tree: {len(found)} violations" if found else "check-tree: nothing here that does not belong")
    return not found


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
