"""A Python function as control law."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import traceback
import warnings
from typing import Any

import numpy as np
import pytest

import jourdain as jd

GOAL = np.array([0.4, -0.3])
KP, KD = 60.0, 15.0
WRAPPERS: list[dict[str, Any]] = [
    {},
    {"sample": 500},
    {"sample": 400, "noise": [1e-4, 1e-3], "resolution": 1e-4, "seed": 7},
    {"saturate": True, "sample": 250},
]


def same(built_in: jd.Report, custom: jd.Report) -> None:
    assert (built_in.law, custom.law) == ("pd-gravity", "custom")
    close(built_in, custom)


def close(built_in: jd.Report, custom: jd.Report) -> None:
    assert list(built_in.samples) == list(custom.samples)
    for name, expected in built_in.samples.items():
        np.testing.assert_allclose(custom.samples[name], expected, rtol=1e-8, atol=1e-8, err_msg=name)
    assert custom.energy_drift == pytest.approx(built_in.energy_drift, abs=1e-9)


@pytest.mark.filterwarnings("ignore:.*effort")
@pytest.mark.parametrize("wrappers", WRAPPERS)
@pytest.mark.parametrize("method", ["rk4", "adaptive", "implicit"])
def test_a_rigid_robot(method: str, wrappers: dict[str, Any]) -> None:
    robot = jd.load("planar2r")

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        assert isinstance(t, float) and q.shape == qd.shape == (2,)
        return robot.gravity(q) + KP * (GOAL - q) - KD * qd

    run = {"goal": GOAL, "state": {"q": [0.1, 0.2]}, "duration": 0.2, "method": method, "tolerance": 1e-7, **wrappers}
    same(robot.simulate(law="pd-gravity", kp=[KP], kd=[KD], **run), robot.simulate(law=law, **run))


@pytest.mark.filterwarnings("ignore:.*effort")
@pytest.mark.parametrize("wrappers", WRAPPERS)
def test_an_elastic_robot_shows_joints_then_motors(wrappers: dict[str, Any]) -> None:
    robot = jd.load("planar2r_elastic")
    gravity = robot.gravity(GOAL)
    stiffness = np.array([float(found) for found in re.findall(r"stiffness = ([0-9.]+)", robot.text)])
    at_motors = GOAL + gravity / stiffness

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> dict[str, float]:
        torque = gravity + KP * (at_motors - q[2:]) - KD * qd[2:]
        return dict(zip(robot.velocity_names, torque))

    run = {"goal": GOAL, "state": {"q": [0.1, 0.2]}, "duration": 0.2, **wrappers}
    same(robot.simulate(law="pd-gravity", kp=[KP], kd=[KD], **run), robot.simulate(law=law, **run))


@pytest.mark.parametrize("wrappers", WRAPPERS[:3])
def test_a_flexible_arm_shows_angles_then_deflections(wrappers: dict[str, Any]) -> None:
    arm = jd.FlexibleArm("two_link_flexible")

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> list[float]:
        assert len(q) == len(qd) == 6
        return list(0.2 * (GOAL - q[:2]) - 0.02 * qd[:2])

    run = {"goal": GOAL, "scenario": {"q0": [0.1, 0.2, 0, 0, 0, 0], "duration": 0.2}, **wrappers}
    close(arm.simulate(law="pd", kp=[0.2], kd=[0.02], **run), arm.simulate(law=law, **run))


def test_a_law_may_keep_what_it_is_given() -> None:
    kept = []

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        kept.append((t, q, qd))
        return np.zeros(2)

    motion = jd.load("planar2r").simulate(law=law, duration=0.02, sample=500, method="rk4", state={"qd": [1, 2]})
    times = [t for t, _, _ in kept]
    assert times == sorted(times) and len(times) == 11
    at = {round(t, 6): row for row, t in enumerate(motion.samples["t"])}
    for t, q, qd in kept:
        row = at[round(t, 6)]
        assert q[0] == motion.samples["q[link1]"][row] and qd[1] == motion.samples["qd[link2]"][row]


def test_samples_energy_and_report_are_those_of_a_law() -> None:
    robot = jd.load("planar2r")
    motion = robot.simulate(law=lambda t, q, qd: {"link2": 0.5 * np.sin(t)}, duration=0.3)
    np.testing.assert_allclose(motion.samples["tau[link2]"], 0.5 * np.sin(motion.samples["t"]), atol=1e-12)
    assert not motion.samples["tau[link1]"].any()
    assert motion.energy_drift < 1e-7 and motion.tracking is None and motion.method == "adaptive"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (None, TypeError, "returned None at t = 0 s; it must return 2 torques of planar2r"),
        ([1, 2, 3], ValueError, r"shape \(3,\) at t = 0 s"),
        ([[1, 2]], ValueError, r"shape \(1, 2\)"),
        ("text", TypeError, "returned str at t = 0 s"),
        ({"link3": 1}, ValueError, "`link3` at t = 0 s, which is no drive of planar2r: did you mean `link1`"),
        ({"link1": "much"}, TypeError, "no number for `link1`"),
        ([float("nan"), 0], jd.Error, r"failed at t = 0 s: it asks for tau\[link1\] = NaN"),
        ([0, float("inf")], jd.Error, r"tau\[link2\] = inf"),
    ],
)
def test_what_is_no_torque_is_told(answer: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        jd.load("planar2r").simulate(law=lambda t, q, qd: answer)


@pytest.mark.parametrize("method", ["rk4", "adaptive", "implicit"])
@pytest.mark.parametrize("sample", [None, 100])
def test_what_a_law_raises_comes_out_at_once(method: str, sample: float | None) -> None:
    class Broken(Exception):
        pass

    calls = []

    def deep(t: float) -> None:
        raise Broken("the sensor is gone")

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> list[float]:
        if t > 0.05:
            calls.append(t)
            deep(t)
        return [0.0, 0.0]

    with pytest.raises(Broken, match="sensor") as raised:
        jd.load("planar2r").simulate(law=law, duration=10.0, method=method, sample=sample)
    assert len(calls) == 1
    assert "in deep" in "".join(traceback.format_tb(raised.value.__traceback__))


def test_what_does_not_go_with_a_function_is_refused() -> None:
    robot = jd.load("planar2r")
    for beside in ({"torque": [1, 2]}, {"nominal": "planar2r"}):
        with pytest.raises(jd.Error, match="takes no"):
            robot.simulate(law=lambda t, q, qd: q, **beside)
    with pytest.raises(TypeError):
        robot.simulate(goal=lambda t: t)


def test_one_law_on_several_robots() -> None:
    def law(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return -0.5 * qd

    for name in ("planar2r", "planar3r_chang", "iiwa14"):
        robot = jd.load(name)
        motion = robot.simulate(law=law, duration=0.05, state={"qd": np.full(robot.nv, 0.2)})
        taus = [values for column, values in motion.samples.items() if column.startswith("tau")]
        rates = [values for column, values in motion.samples.items() if column.startswith("qd")]
        np.testing.assert_allclose(taus, -0.5 * np.array(rates), atol=1e-12)
    results: dict[int, Any] = {}

    def run(place: int) -> None:
        results[place] = jd.load("planar2r").simulate(law=law, duration=0.1, state={"qd": [place, 0]}).final["q"]

    threads = [threading.Thread(target=run, args=(place,)) for place in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for place, q in results.items():
        assert q == jd.load("planar2r").simulate(law=law, duration=0.1, state={"qd": [place, 0]}).final["q"]


def test_a_floating_robot_takes_a_function() -> None:
    robot = jd.load("a1", gravity=(0, 0, 0))
    assert (robot.nq, robot.nv) == (19, 18)

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        assert q.shape == (19,) and qd.shape == (18,)
        torque = np.zeros(18)
        torque[6:] = 0.1
        return torque

    motion = robot.simulate(law=law, duration=0.05)
    assert motion.energy_drift < 1e-8 and motion.momentum_drift < 1e-8
    assert not any(name.startswith("reference") for name in motion.samples)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_the_middle_of_a_law() -> None:
    def law(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return -qd

    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), warnings.catch_warnings():
        jd.load("planar2r").simulate(law=law, duration=1e4, every=1000, method="rk4")
    assert time.monotonic() - begun < 2.0
