"""Follow a sine with computed-torque control, and see how little is left of the error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import jourdain as jd

Vector = NDArray[np.float64]


def reference(t: float, n: int) -> tuple[Vector, Vector, Vector]:
    """A sine for every joint, a little slower from joint to joint."""
    w = 1.5 / np.arange(1.0, n + 1)
    return 0.4 * np.sin(w * t), 0.4 * w * np.cos(w * t), -0.4 * w**2 * np.sin(w * t)


def follow(robot: jd.Robot, duration: float = 1.0, step: float = 1e-3, kp: float = 100.0, kd: float = 20.0) -> float:
    """The largest error in the second half, rad: the robot starts at rest, the reference does not."""
    q, qd = robot.neutral(), np.zeros(robot.nv)
    worst = 0.0
    for k in range(round(duration / step)):
        wanted, rate, acceleration = reference(k * step, robot.nv)
        tau = robot.inverse_dynamics(q, qd, acceleration + kd * (rate - qd) + kp * (wanted - q))
        # Semi-implicit Euler is good enough to close the loop.
        qd = qd + step * robot.forward_dynamics(q, qd, tau)
        q = q + step * qd
        if 2 * k * step > duration:
            worst = max(worst, float(np.abs(q - reference((k + 1) * step, robot.nv)[0]).max()))
    return worst


if __name__ == "__main__":
    print(f"largest error: {follow(jd.load('puma560')):.1e} rad")
