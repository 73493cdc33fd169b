"""Never run, only checked: what has which type, and which mistakes checkers find.

A comment that ignores a mistake is itself an error where there is no mistake, so the types cannot become loose unnoticed.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import jourdain as jd

if TYPE_CHECKING:
    from typing_extensions import assert_type

Array = NDArray[np.float64]


def right(robot: jd.Robot, q: Array) -> None:
    assert_type(robot.nq, int)
    assert_type(robot.link_names, list[str])
    assert_type(robot.mass_matrix(q), Array)
    assert_type(robot.mass_matrix([0.1, 0.2]), Array)
    assert_type(robot.mass_matrix({"elbow": 0.3}), Array)
    assert_type(robot.inverse_dynamics(q, qd=q, qdd=q, wrenches={"tool": [0.0] * 6}, out=q), Array)
    assert_type(robot.jacobian("tool", q), Array)
    assert_type(jd.load("iiwa14", gravity=[0.0, 0.0, -9.81], lock={"link4": None}), jd.Robot)
    robot.identify("log.csv", cutoff=5.0, progress=False)
    robot.simulate(duration=1.0, progress=print)
    try:
        jd.from_text("<robot/>")
    except jd.Error as error:
        assert_type(error.kind, str)
        assert_type(error.line, int | None)


def wrong(robot: jd.Robot, q: Array) -> None:
    robot.mass_matrix()  # type: ignore[call-arg]
    robot.mass_matrix(q, q)  # type: ignore[call-arg]
    robot.mass_matrix(q, out=[0.0])  # type: ignore[arg-type]
    robot.inverse_dynamics(q, q)  # type: ignore[call-arg]
    robot.jacobian(q)  # type: ignore[call-arg, arg-type]
    jd.load("iiwa14", floating="yes")  # type: ignore[arg-type]
    jd.load("iiwa14", gravty=[0.0, 0.0, -9.81])  # type: ignore[call-arg]
    robot.simulate(1.0)  # type: ignore[arg-type, call-arg]
    robot.simulate(duration="long")  # type: ignore[arg-type]
    robot.nq = 3  # type: ignore[misc]
