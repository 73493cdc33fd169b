"""The package on other processors, emulated: they give the numbers of this one."""

from __future__ import annotations

import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import needs

PROGRAM = pathlib.Path(__file__).parent / "some_numbers.py"


def numbers(python: list[str]) -> dict[str, Any]:
    """What the program finds, run by this interpreter."""
    # Whoever has told the BLAS of NumPy which processor this is did not mean the emulated one.
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    done = subprocess.run([*python, str(PROGRAM)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def assert_same_as_here(there: dict[str, Any]) -> None:
    here = numbers([sys.executable])
    assert here["results"].keys() == there["results"].keys()
    for robot, results in here["results"].items():
        for native, emulated in zip(results, there["results"][robot]):
            expected = np.array(native)
            np.testing.assert_allclose(emulated, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="emulates x86-64 under Linux on itself"
)
def test_a_processor_without_avx() -> None:
    there = numbers([needs.program("qemu-x86_64", "qemu-user"), "-cpu", "Nehalem", sys.executable])
    assert not there["avx2"], "the emulated processor has AVX2"
    assert_same_as_here(there)


def test_arm() -> None:
    python = os.environ.get("JOURDAIN_ARM_PYTHON")
    if python is None:
        pytest.skip("JOURDAIN_ARM_PYTHON is not set: `just check-arm-wheel` does")
    there = numbers(shlex.split(python))
    assert there["machine"] == "aarch64"
    assert_same_as_here(there)
