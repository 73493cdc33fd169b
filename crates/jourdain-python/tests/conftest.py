"""What the tests share."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

import jourdain as jd

# Programs that a shell has sent to the background do not hear Ctrl-C, and neither do their children; `.ci/run` sends these
# tests there.
signal.signal(signal.SIGINT, signal.default_int_handler)


def command(*words: str) -> Any:
    """What the command prints with ``--json``."""
    done = subprocess.run([sys.executable, "-m", "jourdain", *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def iiwa14() -> jd.Robot:
    return jd.load("iiwa14")


@pytest.fixture(scope="session")
def fleet_logs(tmp_path_factory):
    """For the tests of fleets: two robots with ten logs each, enough for a tree of two levels."""
    import logs

    folder = tmp_path_factory.mktemp("fleet")
    logs.fleet(folder, robots=2, days=10, count=800)
    return folder
