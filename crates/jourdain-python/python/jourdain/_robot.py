"""Robots: quantities on arrays, and everything else the operations give."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _jourdain
from ._operations import ElasticOperations, RobotOperations
from ._quantities import NAMES, Quantities
from ._report import Report
from ._request import carry_out
from ._types import Array, Vector, Wrenches

_FAMILY = re.compile(r"[a-z_]+_d[0-9]+")


class Robot(Quantities, RobotOperations):
    """A robot: its quantities as methods, and everything else that can be asked of it.

    ``jourdain.load`` and its like make robots.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        self._request = request
        self._core = core = _jourdain.Robot(json.dumps(request))
        self._run = [_jourdain.Function(core, [name]).run for name in NAMES]
        self._links: dict[tuple[str, str], Callable[..., Any]] = {}

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def nq(self) -> int:
        """Numbers of the position ``q``."""
        return self._core.nq

    @property
    def nv(self) -> int:
        """Numbers of the velocity ``qd``: the degrees of freedom."""
        return self._core.nv

    @property
    def link_names(self) -> list[str]:
        """All links, fixed ones too, parents first."""
        return self._core.link_names

    @property
    def coordinate_names(self) -> list[str]:
        """The numbers of ``q``, in order: a joint's name, with the part in brackets if it has several."""
        return self._core.coordinate_names

    @property
    def velocity_names(self) -> list[str]:
        """The numbers of ``qd``, in order."""
        return self._core.velocity_names

    @property
    def text(self) -> str:
        """The robot in the native form, as TOML."""
        return self._core.text

    @property
    def links(self) -> list[dict[str, Any]]:
        """What is known of each link: name, parent, joint, mass, limits."""
        return self.info(progress=False)["links"]

    @property
    def elastic(self) -> Elastic:
        """What can be asked of a robot with elastic joints."""
        return Elastic(self)

    def neutral(self) -> Array:
        """The position in which every joint is at zero, quaternions being 1, 0, 0, 0."""
        return np.array(self._core.neutral())

    def compile(self, *quantities: str) -> Callable[..., Any]:
        """One function of several quantities, which computes what they share once: ``f(q, qd, …)`` gives a tuple of arrays.

        Its arguments are those that any of the quantities reads, in the usual order; ``f.arguments`` names them.
        """
        if not quantities:
            raise ValueError("compile needs the name of a quantity, such as 'mass_matrix'")
        return Compiled(_jourdain.Function(self._core, list(quantities)), quantities)

    def evaluate(
        self,
        quantity: str,
        *vectors: Vector,
        wrenches: Wrenches | None = None,
        derivatives: Vector | None = None,
        out: Array | None = None,
        **named: Vector,
    ) -> Array:
        """A quantity by its name, such as ``"pose:tool"`` or ``"inverse_dynamics_d5"``."""
        function = _jourdain.Function(self._core, [quantity])
        arguments = function.arguments
        unknown = [name for name in named if name not in arguments]
        if unknown or len(vectors) > len(arguments):
            raise TypeError(f"{quantity} takes {', '.join(arguments)}")
        given = dict(zip(arguments, vectors)) | named
        return function.run(out, wrenches, derivatives, *(given.get(name) for name in arguments))

    def _of_link(self, name: str, link: str) -> Callable[..., Any]:
        try:
            return self._links[name, link]
        except KeyError:
            if not isinstance(link, str):
                raise TypeError(f"{name} belongs to a link: {name}('tool', q)") from None
            run = _jourdain.Function(self._core, [f"{name}:{link}"]).run
            self._links[name, link] = run
            return run

    def _carry_out(self, operation: str, fields: dict[str, Any], progress: bool | Callable[[float], Any]) -> Report:
        return carry_out(operation, {**self._request, **fields}, progress, self._core)

    def __getattr__(self, name: str) -> Any:
        # Derivatives of any order: mass_matrix_d5 and its like.
        if _FAMILY.fullmatch(name) and not name.startswith("_"):
            function = _jourdain.Function(self._core, [name])

            def family(
                *vectors: Vector,
                wrenches: Wrenches | None = None,
                derivatives: Vector | None = None,
                out: Array | None = None,
            ) -> Array:
                return function.run(out, wrenches, derivatives, *vectors)

            return family
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def __repr__(self) -> str:
        return repr(self.info(progress=False))

    def _repr_html_(self) -> str:
        return self.info(progress=False)._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        return from_text, (self.text,)


class Compiled:
    """Quantities compiled into one function."""

    def __init__(self, function: _jourdain.Function, quantities: tuple[str, ...]) -> None:
        self._run = function.run
        self.arguments: list[str] = function.arguments
        self.quantities = quantities

    def __call__(
        self,
        *vectors: Vector,
        wrenches: Wrenches | None = None,
        derivatives: Vector | None = None,
        out: Any = None,
    ) -> Any:
        return self._run(out, wrenches, derivatives, *vectors)

    def __repr__(self) -> str:
        return f"<{', '.join(self.quantities)} of {', '.join(self.arguments)}>"


class Elastic(ElasticOperations):
    """What can be asked of a robot with elastic joints: ``robot.elastic``."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot

    def _carry_out(self, operation: str, fields: dict[str, Any], progress: bool | Callable[[float], Any]) -> Report:
        return carry_out(operation, {**self._robot._request, **fields}, progress, self._robot._core)


def from_text(text: str, **edits: Any) -> Robot:
    """The robot of a text: URDF, MJCF, SDF, or the native form in TOML or JSON; the content decides which.

    Edits are those of :func:`load`.
    """
    if not ("\n" in text or text.lstrip()[:1] in ("{", "<")):
        text += "\n"
    return _read(text, **edits)


def load(
    robot: str | os.PathLike[str],
    *,
    floating: bool = False,
    fixed: bool = False,
    gravity: Sequence[float] | None = None,
    lock: Mapping[str, float | Sequence[float] | None] | None = None,
    payload: Mapping[str, Any] | None = None,
    only: str | Sequence[str] = (),
    without: str | Sequence[str] = (),
    tool: str | Sequence[str] = (),
    motor: str | os.PathLike[str] | None = None,
    scale_inertia: float | Mapping[str, float] | None = None,
    no_friction: bool = False,
    strict: bool = False,
    arguments: Mapping[str, Any] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
) -> Robot:
    """The robot of that built-in name or file, edited.

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
    """
    return _read(
        os.fspath(robot),
        floating=floating,
        fixed=fixed,
        gravity=gravity,
        lock=lock,
        payload=payload,
        only=only,
        without=without,
        tool=tool,
        motor=motor,
        scale_inertia=scale_inertia,
        no_friction=no_friction,
        strict=strict,
        arguments=arguments,
        packages=packages,
    )


def _read(robot: str, **edits: Any) -> Robot:
    request: dict[str, Any] = {"robot": robot}
    for name, value in edits.items():
        if value is None or value is False or (not isinstance(value, (bool, int, float)) and len(value) == 0):
            continue
        if name not in _FIELDS:
            raise TypeError(f"there is no edit {name!r}, but {', '.join(_FIELDS)}")
        field, words = _FIELDS[name]
        request[field] = words(value)
    return Robot(request)


def _numbers(value: Any) -> str:
    return ",".join(repr(float(number)) for number in np.atleast_1d(value))


def _payload(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)):
        return repr(float(value))
    mass, point = value
    return f"{float(mass)!r}@{_numbers(point)}"


def _each(words: Callable[[Any], str]) -> Callable[[Mapping[str, Any]], list[str]]:
    return lambda entries: [key if value is None else f"{key}={words(value)}" for key, value in entries.items()]


def _names(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else [os.fspath(name) for name in value]


def _scale(value: Any) -> list[str]:
    return _each(_numbers)(value) if isinstance(value, Mapping) else [_numbers(value)]


# What a keyword is in a request, and how its value is written there.
_FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "floating": ("floating", bool),
    "fixed": ("fixed", bool),
    "gravity": ("gravity", lambda value: [float(number) for number in value]),
    "lock": ("lock", _each(_numbers)),
    "payload": ("payload", _each(_payload)),
    "only": ("only", _names),
    "without": ("without", _names),
    "tool": ("tool", _names),
    "motor": ("motor", os.fspath),
    "scale_inertia": ("scale_inertia", _scale),
    "no_friction": ("no_friction", bool),
    "strict": ("strict", bool),
    "arguments": ("arg", _each(str)),
    "packages": ("package", _each(os.fspath)),
}
