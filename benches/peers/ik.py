#!/usr/bin/env python3
"""Inverse kinematics by optik and TRAC-IK on the targets of `cargo bench -p jourdain --bench ik -- --dump targets.json`.

usage: ik.py targets.json          (needs the Python packages optik-py, pytracik, numpy)

The robots are written as URDF from the dumped frames and axes. A solution counts if the frames
below put it within 2e-6 of the target and it is within the limits to 1e-6. Microseconds of CPU time per call.
"""

import json
import math
import os
import sys
import tempfile
import time

import numpy as np


def rpy(rotation):
    pitch = math.atan2(-rotation[2][0], math.hypot(rotation[0][0], rotation[1][0]))
    if abs(math.cos(pitch)) < 1e-9:
        return math.atan2(-rotation[1][2], rotation[1][1]), pitch, 0.0
    return math.atan2(rotation[2][1], rotation[2][2]), pitch, math.atan2(rotation[1][0], rotation[0][0])


def turn_axes_to_z(robot):
    """Frames whose z axis is the joint's: some readers take other axes amiss."""
    for link, after in zip(robot["links"], robot["links"][1:]):
        if not link["limits"]:
            continue
        z = np.array(link["axis"])
        x = np.cross(np.eye(3)[np.argmin(abs(z))], z)
        x /= np.linalg.norm(x)
        turn = np.eye(4)
        turn[:3, :3] = np.column_stack([x, np.cross(z, x), z])
        link["pose"], link["axis"] = np.array(link["pose"]) @ turn, [0, 0, 1]
        after["pose"] = turn.T @ np.array(after["pose"])
    # Fixed frames go into the joint behind them; one is left at the end.
    links, fixed = [], np.eye(4)
    for link in robot["links"]:
        fixed = fixed @ np.array(link["pose"])
        if link["limits"]:
            links.append({**link, "pose": fixed})
            fixed = np.eye(4)
    robot["links"] = [*links, {"pose": fixed, "limits": None}]


def urdf(robot):
    parts = [f'<robot name="{robot["name"]}"><link name="l0"/>']
    for i, link in enumerate(robot["links"]):
        pose = np.array(link["pose"])
        xyz = " ".join(repr(float(x)) for x in pose[:3, 3])
        angles = " ".join(repr(float(x)) for x in rpy(pose[:3, :3]))
        kind = "revolute" if link["limits"] else "fixed"
        limits = link["limits"] or [0, 0]
        axis = " ".join(repr(x) for x in link.get("axis", [0, 0, 1]))
        parts.append(
            f'<link name="l{i + 1}"/><joint name="j{i + 1}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/>'
            f'<origin xyz="{xyz}" rpy="{angles}"/><axis xyz="{axis}"/>'
            f'<limit lower="{limits[0]!r}" upper="{limits[1]!r}" effort="1" velocity="1"/></joint>'
        )
    return "".join(parts) + "</robot>"


def forward(robot, q):
    pose, k = np.eye(4), 0
    for link in robot["links"]:
        pose = pose @ np.array(link["pose"])
        if link["limits"]:
            x, y, z = link["axis"]
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            turn = np.eye(4)
            turn[:3, :3] += math.sin(q[k]) * cross + (1 - math.cos(q[k])) * cross @ cross
            pose = pose @ turn
            k += 1
    return pose


def good(robot, q, target):
    limits = [link["limits"] for link in robot["links"] if link["limits"]]
    if q is None or any(not low - 1e-6 <= x <= high + 1e-6 for x, (low, high) in zip(q, limits)):
        return False
    pose = forward(robot, q)
    turn = pose[:3, :3] @ target[:3, :3].T
    # The antisymmetric part: arccos of the trace loses half the digits near zero.
    axis = [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    angle = math.atan2(0.5 * np.linalg.norm(axis), 0.5 * (np.trace(turn) - 1))
    return math.hypot(np.linalg.norm(pose[:3, 3] - target[:3, 3]), angle) < 2e-6


def measure(robot, label, solve):
    times, solved = [], 0
    for target, start in zip(robot["targets"], robot["starts"]):
        target = np.array(target)
        begin = time.process_time_ns()
        q = solve(target, start)
        times.append((time.process_time_ns() - begin) / 1000)
        solved += good(robot, q, target)
    times.sort()
    count = len(times)
    print(
        f"{robot['name']:8} {label:28} median {times[count // 2]:7.1f} us  p95 {times[count * 95 // 100]:7.1f} us"
        f"  solved {100 * solved / count:.1f} %",
        flush=True,
    )


def main():
    with open(sys.argv[1]) as file:
        robots = json.load(file)
    for robot in robots:
        turn_axes_to_z(robot)
        with tempfile.NamedTemporaryFile("w", suffix=".urdf", delete=False) as file:
            file.write(urdf(robot))
        tip = f"l{len(robot['links'])}"
        try:
            import optik

            chain = optik.Robot.from_urdf_file(file.name, "l0", tip)
            chain.set_parallelism(1)
            config = optik.SolverConfig(solution_mode="speed", tol_f=(1e-6 / 2) ** 2, max_time=1.0)

            def by_optik(target, start):
                found = chain.ik(config, target.tolist(), start)
                return None if found is None else found[0]

            measure(robot, "optik, speed", by_optik)
        except ImportError:
            print("optik-py is not installed")
        try:
            from trac_ik import TracIK

            solver = TracIK(base_link_name="l0", tip_link_name=tip, urdf_path=file.name, timeout=0.1, epsilon=1e-6)
            measure(robot, "TRAC-IK, speed, 100 ms", lambda target, start: solver.ik(target[:3, 3], target[:3, :3], np.array(start)))
        except ImportError:
            print("pytracik is not installed")
        os.unlink(file.name)


main()
