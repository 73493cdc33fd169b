"""Closed-form robot models: dynamics and its derivatives, base parameters, identification, elastic joints, inverse kinematics,
flexible arms.

>>> import jourdain as jd
>>> robot = jd.load("puma560")
>>> robot.mass_matrix([0.0] * 6).shape
(6, 6)

Robots come from ``load``, ``from_text``, ``from_dh`` and ``from_screws``; ``robots()`` lists the built-in ones and ``check`` says
what is wrong with a file. Every quantity of ``quantities()`` is a method of a robot. Everything else that can be asked of one is
a method, too: ``base_parameters``, ``derive``, ``identify``, ``excite``, ``simulate``, ``ik`` and so on. ``FlexibleArm`` is a
planar arm with flexible links.
"""

from ._build import from_dh, from_screws
from ._error import Error, Warning
from ._flexible import FlexibleArm
from ._formula import Formula
from ._functions import arms, convert, excite, identify, quantities, robots, schema, trajectory
from ._load import check, expand, from_text, load
from ._motion import Evaluation, Motion
from ._parameters import BaseParameters, Excitation, Identification
from ._reach import Path, Solution
from ._records import Joint, Limits, Link, Names
from ._report import Report
from ._robot import Robot
from ._systems import Linearisation, Modes
from ._texts import Check, Conversion, Finding

__all__ = [
    "BaseParameters",
    "Check",
    "Conversion",
    "Error",
    "Evaluation",
    "Excitation",
    "Finding",
    "FlexibleArm",
    "Formula",
    "Identification",
    "Joint",
    "Limits",
    "Linearisation",
    "Link",
    "Modes",
    "Motion",
    "Names",
    "Path",
    "Report",
    "Robot",
    "Solution",
    "Warning",
    "arms",
    "check",
    "convert",
    "excite",
    "expand",
    "from_dh",
    "from_screws",
    "from_text",
    "identify",
    "load",
    "quantities",
    "robots",
    "schema",
    "trajectory",
]


def __dir__() -> list[str]:
    return __all__
