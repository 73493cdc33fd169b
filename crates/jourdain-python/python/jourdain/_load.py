"""Robots from names, files and texts, and what can be asked of a file before it is a robot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from ._edits import request
from ._request import carry_out
from ._robot import Robot
from ._texts import Check, Conversion
from ._types import Name

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._edits import Edits

Subject = Union[Robot, Name]
"""A robot, or the name or path of one."""


def load(
    robot: Name,
    *,
    floating: bool = False,
    fixed: bool = False,
    gravity: Sequence[float] | None = None,
    lock: Mapping[str, float | Sequence[float] | None] | None = None,
    payload: Mapping[str, Any] | None = None,
    only: str | Sequence[str] = (),
    without: str | Sequence[str] = (),
    tool: str | Sequence[str] = (),
    motor: Name | None = None,
    scale_inertia: float | Mapping[str, float] | None = None,
    no_friction: bool = False,
    strict: bool = False,
    arguments: Mapping[str, Any] | None = None,
    packages: Mapping[str, Name] | None = None,
) -> Robot:
    """The robot of that built-in name or file (URDF, xacro, MJCF, SDF, TOML, JSON), edited.

    Parameters
    ----------
    floating, fixed : let the base float, or weld one that does
    gravity : another gravitational acceleration, m/s²
    lock : joints to weld, at a value or at their zero (``None``)
    payload : links with a mass in kg, ``(mass, point)`` with the point in the link frame, or a file that holds a body
    only, without : keep the chains to these links; take these away with what they carry
    tool : robots to mount, ``FILE`` or ``FILE@LINK``
    motor : a file of motors by joint
    scale_inertia : a factor, or factors by link
    no_friction : take friction away
    strict : refuse what no robot can be, and what cannot be carried
    arguments, packages : of xacro files

    Examples
    --------
    >>> import jourdain as jd
    >>> robot = jd.load("panda", payload={"tool": (2.5, [0, 0, 0.1])}, lock={"link7": 0.3})
    >>> robot.nv, round(robot.mass, 3)
    (6, 18.562)
    """
    edits = {
        "floating": floating,
        "fixed": fixed,
        "gravity": gravity,
        "lock": lock,
        "payload": payload,
        "only": only,
        "without": without,
        "tool": tool,
        "motor": motor,
        "scale_inertia": scale_inertia,
        "no_friction": no_friction,
        "strict": strict,
        "arguments": arguments,
        "packages": packages,
    }
    return Robot(request(robot, edits))


def from_text(text: str, **edits: Unpack[Edits]) -> Robot:
    """The robot of a text: URDF, MJCF, SDF, or the native form in TOML or JSON; the content decides which.

    Edits are those of :func:`load`.

    >>> import jourdain as jd
    >>> arm = jd.from_text('''
    ... name = "pendulum"
    ... [[link]]
    ... name = "rod"
    ... mass = 2.0
    ... com = [0.5, 0, 0]
    ... joint = { type = "revolute", axis = [0, 1, 0] }
    ... ''')
    >>> arm.gravity([0.0]).round(3).tolist()
    [-9.807]
    """
    return Robot(request(as_text(text), edits))


def as_text(text: str) -> str:
    """A text that is not taken for the name of a robot."""
    return text if "\n" in text or text.lstrip()[:1] in ("{", "<") else text + "\n"


def robot_of(robot: Subject) -> Robot:
    """The robot itself, or the one of that name or file."""
    return robot if isinstance(robot, Robot) else load(robot)


def check(robot: Subject, **edits: Unpack[Edits]) -> Check:
    """Checks a robot, a file or a text, and lists all errors and warnings; what is wrong is no exception here.

    Edits are those of :func:`load`.

    >>> import jourdain as jd
    >>> found = jd.check('{"name": "arm", "link": [{"name": "rod", "mass": -1.0, "joint": {"type": "revolute"}}]}')
    >>> found.ok, [finding.code for finding in found.findings if finding.severity == "error"]
    (False, ['negative-mass'])
    """
    if isinstance(robot, Robot):
        fields = {**robot._request, **request(robot._request["robot"], edits)}
    else:
        fields = request(robot, edits)
    return Check._of(carry_out("check", fields), robot, {})


def expand(
    file: Name,
    *,
    arguments: Mapping[str, Any] | None = None,
    packages: Mapping[str, Name] | None = None,
    out: Name | None = None,
) -> Conversion:
    """Expands a xacro file: macros, properties, conditions and includes.

    Parameters
    ----------
    file : the file, or its text
    arguments : of the file, by name
    packages : folders of packages, by name
    out : file to write; without it the result has the text
    """
    fields = request(file, {"arguments": arguments, "packages": packages})
    return Conversion._of(carry_out("expand", {**fields, "out": None if out is None else os.fspath(out)}), file, {})
