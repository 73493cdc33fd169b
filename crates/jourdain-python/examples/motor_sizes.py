"""Which motors an arm needs for a payload: the largest torques over random motions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import jourdain as jd


def largest_torques(robot: jd.Robot, speed: float, acceleration: float, count: int = 20_000) -> dict[str, float]:
    """By joint, N m, over postures, velocities and accelerations up to these."""
    numbers = np.random.default_rng(3)
    q = numbers.uniform(-np.pi, np.pi, (count, robot.nq))
    qd = numbers.uniform(-speed, speed, (count, robot.nv))
    qdd = numbers.uniform(-acceleration, acceleration, (count, robot.nv))
    torques = np.abs(robot.inverse_dynamics(q, qd, qdd)).max(axis=0)
    return dict(zip(robot.velocity_names, torques.tolist()))


def table(payloads: Sequence[float], robot: str = "ur5e", link: str = "tool") -> Mapping[float, Mapping[str, float]]:
    """The largest torques for each payload in kg, held at the origin of the link."""
    arms = {mass: jd.load(robot, payload={link: mass} if mass else None) for mass in payloads}
    return {mass: largest_torques(arm, 2.0, 5.0) for mass, arm in arms.items()}


if __name__ == "__main__":
    for payload, torques in table([0.0, 2.5, 5.0]).items():
        print(f"{payload:4.1f} kg:", ", ".join(f"{joint} {torque:.0f} N m" for joint, torque in torques.items()))
