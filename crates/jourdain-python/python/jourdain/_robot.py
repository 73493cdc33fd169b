"""Robots: quantities on arrays, and everything else the operations give."""

from __future__ import annotations

import functools
import json
import re
import warnings
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from . import _jourdain
from ._edits import request
from ._error import Error, Warning
from ._operations import ElasticOperations, RobotOperations
from ._quantities import Quantities
from ._records import Joint, Limits, Link, Names, Parts, Records, html_of
from ._report import R
from ._request import carry_out
from ._types import Array, Progress, Vector, Wrenches

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._edits import Edits

_LINES = 40
"""Lines of a tree that are shown unasked."""

_FAMILY = re.compile(r"[a-z_]+_d[0-9]+")


class Robot(Quantities, RobotOperations):
    """A robot: its quantities as methods, and everything else that can be asked of it.

    ``jourdain.load`` and its like make robots.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        self._request = request
        self._core = core = _jourdain.Robot(json.dumps(request))
        super().__init__(core)

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

    @functools.cached_property
    def _parts(self) -> Parts:
        return Parts.read(self.info(progress=False).to_dict(), self._core)

    @property
    def links(self) -> Records[Link]:
        """All links, fixed ones too, parents first: by number or by name, as in ``robot.links["tool"].mass``."""
        return self._parts.links

    @property
    def joints(self) -> Records[Joint]:
        """The joints that move, in the order of ``q``: by number or by name."""
        return self._parts.joints

    @property
    def limits(self) -> Limits:
        """Limits of position, velocity and effort as arrays; ±inf where there are none."""
        return self._parts.limits

    @property
    def states(self) -> dict[str, Array]:
        """The positions that the robot's file gives a name to, such as ``"home"``."""
        return {name: q.copy() for name, q in self._parts.states.items()}

    @property
    def names(self) -> Names:
        """All names: links, joints, coordinates, velocities, states."""
        parts = self._parts
        joints = tuple(joint.name for joint in parts.joints)
        names = (self.link_names, joints, self.coordinate_names, self.velocity_names, parts.states)
        return Names(*map(tuple, names))

    @property
    def mass(self) -> float:
        """The mass of all links, kg."""
        return float(sum(link.mass for link in self.links))

    @property
    def tree(self) -> str:
        """The tree of links as text, all of it."""
        return repr(self.info(progress=False))

    def edit(self, **edits: Unpack[Edits]) -> Robot:
        """Another robot, edited; the edits are those of :func:`jourdain.load`.

        >>> import jourdain as jd
        >>> jd.load("panda").edit(lock={"link7": 0.0}).nv
        6
        """
        return Robot(request(self.text, edits))

    @property
    def elastic(self) -> Elastic:
        """What can be asked of a robot with elastic joints."""
        return Elastic(self)

    def neutral(self) -> Array:
        """The position in which every joint is at zero, quaternions being 1, 0, 0, 0."""
        return np.array(self._core.neutral())

    def compile(self, *quantities: str) -> _jourdain.Compiled:
        """One function of several quantities, which computes what they share once: ``f(q, qd, …)`` gives a tuple of arrays.

        Its arguments are those that any of the quantities reads, in the usual order; ``f.arguments`` names them.

        >>> import jourdain as jd
        >>> f = jd.load("puma560").compile("M", "pose:link6")
        >>> f
        <mass_matrix, pose:link6 of q>
        >>> [array.shape for array in f([0.0] * 6)]
        [(6, 6), (4, 4)]
        """
        return _jourdain.Compiled(self._core, quantities)

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
        function = self._function(quantity)
        result: Array = function(*vectors, wrenches=wrenches, derivatives=derivatives, out=out, **named)
        return result

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        report = carry_out(operation, {**self._request, **fields}, progress, self._core)
        return kind._of(report, self, fields)

    def __getattr__(self, name: str) -> Any:
        # Derivatives of any order: mass_matrix_d5 and its like.
        if _FAMILY.fullmatch(name) and not name.startswith("_"):
            try:
                return self._function(name)
            except Error as error:
                if error.kind != "unknown-quantity":
                    raise
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def __repr__(self) -> str:
        lines = self.tree.split("\n")
        if len(lines) > _LINES:
            left = len(lines) - _LINES
            lines = [*lines[: _LINES - 8], f"… {left} more lines, which robot.tree has …", *lines[-8:]]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_of(self)

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Robot) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, _: Any) -> Robot:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text,)


def _again(text: str) -> Robot:
    """A robot that was read before: what there was to warn of was said then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warning)
        return Robot(request(text))


class Elastic(ElasticOperations):
    """What can be asked of a robot with elastic joints: ``robot.elastic``."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        return self._robot._carry_out(kind, operation, fields, progress)
