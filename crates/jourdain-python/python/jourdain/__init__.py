"""Closed-form robot models: dynamics and its derivatives, base parameters, identification, elastic joints, inverse kinematics,
flexible arms.

>>> import jourdain as jd
>>> robot = jd.load("puma560")
>>> robot.mass_matrix([0.0] * 6).shape
(6, 6)
"""

from ._error import Error
from ._flexible import FlexibleArm
from ._report import Report
from ._robot import Robot, from_text, load

__all__ = ["Error", "FlexibleArm", "Report", "Robot", "from_text", "load"]
