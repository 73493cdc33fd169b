"""Logs of simulated robots: planar2r in a motion that shows all parameters, with friction and noise, from a seed."""

from __future__ import annotations

import pathlib

import numpy as np

import jourdain as jd

RATE = 100.0
COLUMNS = ["t", "q1", "q2", "qd1", "qd2", "qdd1", "qdd2", "tau1", "tau2"]


def samples(seed: int, count: int = 1500, viscous=(0.4, 0.25), coulomb=(0.6, 0.3), noise: float = 0.1) -> np.ndarray:
    """Rows of ``COLUMNS``; the friction is the robot's own, the motion that of the seed."""
    random = np.random.default_rng(seed)
    t = np.arange(count) / RATE
    q, qd, qdd = (np.zeros((count, 2)) for _ in range(3))
    for joint in range(2):
        for _ in range(4):
            size, speed, phase = random.uniform(0.2, 0.6), random.uniform(1.0, 6.0), random.uniform(0, 2 * np.pi)
            q[:, joint] += size * np.sin(speed * t + phase)
            qd[:, joint] += size * speed * np.cos(speed * t + phase)
            qdd[:, joint] -= size * speed**2 * np.sin(speed * t + phase)
    tau = jd.load("planar2r").inverse_dynamics(q, qd, qdd)
    tau = tau + np.array(viscous) * qd + np.array(coulomb) * qd / np.sqrt(qd**2 + 1e-4)
    tau += noise * random.standard_normal(tau.shape)
    return np.column_stack([t, q, qd, qdd, tau])


def write(path: pathlib.Path, rows: np.ndarray, columns: list[str] = COLUMNS) -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as to:
        to.write(",".join(columns) + "\n")
        np.savetxt(to, rows, fmt="%.17g", delimiter=",")
    return path


def fleet(folder: pathlib.Path, robots: int = 2, days: int = 5, **facts) -> list[pathlib.Path]:
    """A log per robot and day: ``folder/robot-0/2026-01-01.csv`` and so on."""
    return [
        write(folder / f"robot-{robot}" / f"2026-01-{day + 1:02d}.csv", samples(100 * robot + day, **facts))
        for robot in range(robots)
        for day in range(days)
    ]


def adds_up(report: dict) -> bool:
    """Rows read are used, dropped for a reason, or set aside."""
    rows = report["rows"]
    return (
        rows["read"] == rows["used"] + rows["dropped"] + rows["set_aside"]
        and rows["dropped"] == sum(rows["dropped_by"].values())
        and rows["set_aside"] == sum(fault["rows"] for fault in report["set_aside"])
    )
