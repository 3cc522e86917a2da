#!/usr/bin/env python3
"""Prints how many tests passed and failed; a check that failed counts as one more.

    summary.py STATUS   the exit status of the whole run
"""

import json
import sys
from pathlib import Path

# The sanitizer's run repeats the unit tests: its passed ones are counted already.
totals = {"passed": 0, "failed": 0}
for file in sorted(Path(".build/results").glob("*.json")):
    counts = json.loads(file.read_text())
    totals["failed"] += counts["failed"]
    if file.stem != "threads":
        totals["passed"] += counts["passed"]
if sys.argv[1] != "0" and totals["failed"] == 0:
    totals["failed"] = 1
print(f"{totals['passed']} passed, {totals['failed']} failed")
