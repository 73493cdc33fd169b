"""What a test needs beside the package. With ``JOURDAIN_REQUIRE_TARGETS`` set, what is missing is an error."""

from __future__ import annotations

import importlib.util
import os
import shutil
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skips the test, or fails it where nothing may be missing."""
    if os.environ.get("JOURDAIN_REQUIRE_TARGETS"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def module(name: str) -> None:
    """The package of that name."""
    if importlib.util.find_spec(name) is None:
        missing(f"the package {name}")


def program(name: str, package: str) -> str:
    """The path of a program of the system, which this package of Debian has."""
    path = shutil.which(name)
    return path if path is not None else missing(f"{name} (package {package})")
