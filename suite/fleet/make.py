"""The store of factors beside this file: six planar2r on eight days, one with a gear that wears from the sixth day on (Coulomb friction + 20 %).

    python suite/fleet/make.py PATH/TO/jourdain      # needs NumPy

Torques are those of two point masses on a massless arm (robots/planar2r.toml) by their textbook equations, with friction and noise.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ROBOTS, DAYS, ROWS, RATE = 6, 8, 1200, 100.0
M1, M2, L1, L2, G = 2.0, 1.5, 0.5, 0.4, 9.80665


def torques(q, qd, qdd):
    (a, b), (u, v), (x, y) = q.T, qd.T, qdd.T
    c, s, h = np.cos(b), np.sin(b), M2 * L1 * L2
    inner = M2 * L2**2
    weight = M2 * G * L2 * np.cos(a + b)
    first = (M1 * L1**2 + M2 * L1**2 + inner + 2 * h * c) * x + (inner + h * c) * y
    first += -h * s * (2 * u * v + v**2) + (M1 + M2) * G * L1 * np.cos(a) + weight
    return np.column_stack([first, (inner + h * c) * x + inner * y + h * s * u**2 + weight])


def log(robot, day):
    random = np.random.default_rng([7, robot, day])
    t = np.arange(ROWS) / RATE
    q, qd, qdd = (np.zeros((ROWS, 2)) for _ in range(3))
    for joint in range(2):
        for _ in range(4):
            size, speed, phase = random.uniform(0.2, 0.6), random.uniform(1, 6), random.uniform(0, 2 * np.pi)
            q[:, joint] += size * np.sin(speed * t + phase)
            qd[:, joint] += size * speed * np.cos(speed * t + phase)
            qdd[:, joint] -= size * speed**2 * np.sin(speed * t + phase)
    worn = 1.2 if robot == 2 and day >= 5 else 1.0
    scale = 1 + 0.01 * random.standard_normal()
    tau = torques(q, qd, qdd) + scale * (
        np.array([0.4, 0.25]) * qd + np.array([0.6 * worn, 0.3]) * qd / np.sqrt(qd**2 + 1e-4)
    )
    tau += 0.05 * random.standard_normal(tau.shape)
    return np.column_stack([t, q, qd, qdd, tau])


here = pathlib.Path(__file__).resolve().parent
shutil.rmtree(here / "store", ignore_errors=True)
with tempfile.TemporaryDirectory() as folder:
    for robot in range(ROBOTS):
        for day in range(DAYS):
            path = pathlib.Path(folder, "logs", f"arm-{robot + 1}", f"2026-03-{day + 1:02d}.csv")
            path.parent.mkdir(parents=True, exist_ok=True)
            heading = "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2"
            np.savetxt(path, log(robot, day), fmt="%.9g", delimiter=",", header=heading, comments="")
    words = ["fleet", "identify", "planar2r", "logs", "--store", str(here / "store"), "--json"]
    subprocess.run([pathlib.Path(sys.argv[1]).resolve(), *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
