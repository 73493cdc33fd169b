"""What tests of fleets share; ``logs`` is imported by name."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import logs  # noqa: E402


@pytest.fixture(scope="session")
def fleet_logs(tmp_path_factory):
    """Two robots with ten logs each: enough for a tree of two levels."""
    folder = tmp_path_factory.mktemp("fleet")
    logs.fleet(folder, robots=2, days=10, count=800)
    return folder
