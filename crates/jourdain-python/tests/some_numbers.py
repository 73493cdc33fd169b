"""Prints some numbers as JSON; `test_portable.py` runs it on several processors."""

from __future__ import annotations

import json
import platform
import sys

import numpy as np

import jourdain as jd

try:
    from numpy._core._multiarray_umath import __cpu_features__ as features
except ImportError:  # before NumPy 2
    from numpy.core._multiarray_umath import __cpu_features__ as features

numbers = np.random.default_rng(11)
results = {}
for name in ("iiwa14", "a1"):
    robot = jd.load(name)
    q = robot.neutral() + numbers.uniform(-0.5, 0.5, (9, robot.nq))
    qd, qdd = numbers.uniform(-1, 1, (2, 9, robot.nv))
    results[name] = [
        robot.mass_matrix(q[0]).tolist(),
        robot.mass_matrix(q).tolist(),
        robot.inverse_dynamics(q[0], qd[0], qdd[0]).tolist(),
        robot.inverse_dynamics(q, qd, qdd).tolist(),
    ]
json.dump({"machine": platform.machine(), "avx2": features.get("AVX2", False), "results": results}, sys.stdout)
