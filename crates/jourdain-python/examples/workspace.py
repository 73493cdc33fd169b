"""How far a robot reaches and how well it moves there: a million postures at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import jourdain as jd


def sample(robot: jd.Robot, count: int, seed: int = 1) -> NDArray[np.float64]:
    """Postures, each joint anywhere on its circle."""
    return np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, robot.nq))


def reach(robot: jd.Robot, link: str, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance of the link from the origin, m, of every posture."""
    distance: NDArray[np.float64] = np.linalg.norm(robot.pose(link, q)[:, :3, 3], axis=1)
    return distance


def manipulability(robot: jd.Robot, link: str, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Yoshikawa's measure √det(J Jᵀ) of the linear part, of every posture."""
    linear = robot.jacobian(link, q)[:, :3]
    measure: NDArray[np.float64] = np.sqrt(np.linalg.det(linear @ linear.transpose(0, 2, 1)).clip(0.0))
    return measure


if __name__ == "__main__":
    arm = jd.load("iiwa14")
    postures = sample(arm, 1_000_000)
    far, well = reach(arm, "tool", postures), manipulability(arm, "tool", postures)
    print(f"{arm.name} reaches {far.max():.2f} m; it moves best at {far[well.argmax()]:.2f} m")
