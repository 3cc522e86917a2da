"""The expiry explorer: what it finds, what it says without cause, and how fast it is."""

import json
import os
import subprocess

from .figures import at_most, ratio_at_least
from .tools import ROOT, Failure

# The kit links the test libraries, which are not there statically: a build as the tests have it.
FLAGS = os.environ.get(
    "RUNNER_STRICT",
    "--scratch-path .build/debug-strict -Xswiftc -warnings-as-errors -Xcc -Wall -Xcc -Wextra -Xcc -Werror").split()


def explorer(tools, figures):
    """Every seeded bug of Tests/Fixtures/handlers, and its repaired twin."""
    del tools
    swift = os.environ.get("SWIFT", "swift")
    subprocess.run([swift, "build", *FLAGS, "--product", "explorer-bench"], check=True, stdout=2, cwd=ROOT)
    program = ROOT / FLAGS[FLAGS.index("--scratch-path") + 1] / "debug/explorer-bench"
    done = subprocess.run([program], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failure(done.stderr.strip())
    found = json.loads(done.stdout)
    figures.add("explorer", "seeded bugs that were not found", found["bugs"] - found["found"], "", aim=at_most(0))
    figures.add("explorer", "repaired twins with an alarm", found["alarms"], "", aim=at_most(0))
    figures.add("explorer", f"moments explored, {found['moments']:,} in all", found["momentsPerSecond"], "1/s",
                "lives of a handler that completes at once", found["livesPerSecond"], aim=ratio_at_least(0.1))
