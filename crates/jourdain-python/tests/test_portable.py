"""The package on a processor without AVX: an emulated one of 2008 gives the same numbers."""

from __future__ import annotations

import json
import platform
import subprocess
import sys

import needs
import numpy as np
import pytest

PROGRAM = """
import json, sys
import numpy as np
import jourdain as jd
try:
    from numpy._core._multiarray_umath import __cpu_features__ as features
except ImportError:
    from numpy.core._multiarray_umath import __cpu_features__ as features

numbers = np.random.default_rng(11)
found = {"AVX2": features["AVX2"]}
for name in ("iiwa14", "a1"):
    robot = jd.load(name)
    q = robot.neutral() + numbers.uniform(-0.5, 0.5, (9, robot.nq))
    qd, qdd = numbers.uniform(-1, 1, (2, 9, robot.nv))
    found[name] = [
        robot.mass_matrix(q[0]).tolist(),
        robot.mass_matrix(q).tolist(),
        robot.inverse_dynamics(q[0], qd[0], qdd[0]).tolist(),
        robot.inverse_dynamics(q, qd, qdd).tolist(),
    ]
json.dump(found, sys.stdout)
"""


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="emulates x86-64 under Linux on itself"
)
def test_a_processor_without_avx_gives_the_same_numbers() -> None:
    qemu = needs.program("qemu-x86_64", "qemu-user")
    here, there = (
        json.loads(subprocess.run([*before, sys.executable, "-c", PROGRAM], capture_output=True, check=True).stdout)
        for before in ([], [qemu, "-cpu", "Nehalem"])
    )
    assert not there.pop("AVX2"), "the emulated processor has AVX2"
    here.pop("AVX2")
    assert here.keys() == there.keys()
    for robot, results in here.items():
        for native, emulated in zip(results, there[robot]):
            expected = np.array(native)
            np.testing.assert_allclose(emulated, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
