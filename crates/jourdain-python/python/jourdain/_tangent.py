"""How the numbers of a position go with velocities: which joints have a quaternion, and the velocities of its rates.

Trap: velocities of a free joint count in its own axes, the rate of its place in those of the parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._robot import Robot
from ._types import Array


class Joint(NamedTuple):
    """Neighbours in ``q`` whose derivatives are made alike from those along some velocities."""

    velocity: int
    velocities: int
    attitude: int | None = None
    quaternion: bool = False


def joints(robot: Robot) -> list[Joint] | None:
    """How ``q`` goes with velocities, by the names of its numbers; ``None`` if number by number."""
    parts = [name.rpartition(".")[2] for name in robot.coordinate_names]
    if "qw" not in parts:
        return None
    found: list[Joint] = []
    place = 0
    while place < len(parts):
        velocity = sum(joint.velocities for joint in found)
        if parts[place] == "qw":
            found.append(Joint(velocity, 3, place, quaternion=True))
            place += 4
        elif parts[place] == "x" and parts[place + 3 : place + 4] == ["qw"]:
            found.append(Joint(velocity, 3, place + 3))
            place += 3
        else:
            found.append(Joint(velocity, 1))
            place += 1
    return found


def _turned() -> Array:
    """ω = 2 Im(p̄ ⊗ ṗ) / |p|², linear in p = (w, x, y, z): velocity, number, and which of p."""
    form = np.zeros((3, 4, 4))
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        form[a, 0, 1 + a], form[a, 1 + a, 0] = -2.0, 2.0
        form[a, 1 + b, 1 + c], form[a, 1 + c, 1 + b] = 2.0, -2.0
    return form


def _placed() -> Array:
    """v = Rᵀ ṗ with R of p, quadratic in p: velocity, number, and which of p, twice."""
    form = np.zeros((3, 3, 4, 4))
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        form[a, a] = np.diag([1.0, -1.0, -1.0, -1.0])
        form[a, a, 1 + a, 1 + a] += 2.0
        form[a, b, 1 + a, 1 + b] = form[b, a, 1 + b, 1 + a] = 2.0
        form[a, b, 0, 1 + c], form[b, a, 0, 1 + c] = 2.0, -2.0
    return form


TURNED, PLACED = _turned(), _placed()
