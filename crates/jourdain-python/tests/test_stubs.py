"""The types of the engine are those of the built module."""

from __future__ import annotations

import subprocess
import sys

import needs


def test_stubs_are_those_of_the_engine() -> None:
    needs.module("mypy")
    words = [sys.executable, "-m", "mypy.stubtest", "jourdain._jourdain"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
