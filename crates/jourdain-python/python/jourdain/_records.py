"""What a robot is made of, as small records. Units are SI and radians."""

from __future__ import annotations

from typing import Any, Generic, Iterator, NamedTuple, Sequence, TypeVar, overload

import numpy as np

from . import _html
from ._report import needed
from ._types import Array

Record = TypeVar("Record", bound="Link | Joint")


class Mimic(NamedTuple):
    """What a coupled joint follows: q = multiplier · q(joint) + offset."""

    joint: str
    multiplier: float
    offset: float


class Link(NamedTuple):
    """A link: mass in kg, centre of mass in its frame in m, inertia about the centre of mass in its axes in kg m²."""

    name: str
    parent: str
    joint: str
    mass: float
    com: Array
    inertia: Array


class Joint(NamedTuple):
    """A joint. ``q`` and ``v`` are where its numbers stand in the position and in the velocity.

    ``lower`` and ``upper`` are in rad or m, ``velocity`` in rad/s or m/s, ``effort`` in N m or N; ±inf where the file gives none.
    """

    name: str
    type: str
    parent: str
    child: str
    q: slice
    v: slice
    lower: float
    upper: float
    velocity: float
    effort: float
    mimic: Mimic | None


class Limits(NamedTuple):
    """Limits as arrays, ±inf where there are none: positions by number of ``q``, the others by number of ``qd``."""

    lower: Array
    upper: Array
    velocity: Array
    effort: Array


class Names(NamedTuple):
    """All names of a robot. Coordinates are the numbers of ``q``, velocities those of ``qd``."""

    links: tuple[str, ...]
    joints: tuple[str, ...]
    coordinates: tuple[str, ...]
    velocities: tuple[str, ...]
    states: tuple[str, ...]


class Records(Sequence[Record], Generic[Record]):
    """Links or joints in order, by number or by name."""

    def __init__(self, kind: str, records: Sequence[Record]) -> None:
        self._kind = kind
        self._records: tuple[Record, ...] = tuple(records)
        self._places = {record.name: place for place, record in enumerate(records)}

    @overload
    def __getitem__(self, key: int | str) -> Record: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Record]: ...
    def __getitem__(self, key: int | str | slice) -> Record | Sequence[Record]:
        if not isinstance(key, str):
            return self._records[key]
        try:
            return self._records[self._places[key]]
        except KeyError:
            raise KeyError(f"there is no {self._kind} {key!r}, but {', '.join(self._places)}") from None

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def __contains__(self, value: object) -> bool:
        return value in self._places if isinstance(value, str) else any(record is value for record in self._records)

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind}s: {', '.join(self._places)}>"

    def to_pandas(self) -> Any:
        """A ``DataFrame``, one row each."""
        return needed("pandas").DataFrame([record._asdict() for record in self._records]).set_index("name")

    def _repr_html_(self) -> str:
        columns = list(self._records[0]._fields) if self._records else ["name"]
        return _html.table(columns, [[_plain(value) for value in record] for record in self._records])


def _plain(value: Any) -> Any:
    if isinstance(value, slice):
        return _range(value)
    if isinstance(value, np.ndarray):
        return value.tolist() if value.ndim == 1 else [value[i, j] for i in range(3) for j in range(i, 3)]
    if isinstance(value, Mimic):
        return f"{value.multiplier:g} {value.joint}" + (f" {value.offset:+g}" if value.offset else "")
    return value


def _range(value: slice) -> str:
    last = value.stop - 1
    return "" if last < value.start else str(value.start) if last == value.start else f"{value.start}–{last}"


class Parts(NamedTuple):
    """What a robot is made of."""

    links: Records[Link]
    joints: Records[Joint]
    limits: Limits
    states: dict[str, Array]

    @classmethod
    def read(cls, info: dict[str, Any], core: Any) -> Parts:
        """From the document of ``info``, in which links are in the order of ``q``, and the engine's robot."""
        links, joints = [], []
        lower, upper = np.full(info["nq"], -np.inf), np.full(info["nq"], np.inf)
        velocity, effort = np.full(info["dof"], np.inf), np.full(info["dof"], np.inf)
        at_q = at_v = 0
        for entry, (lowest, highest, fastest, most), leader in zip(info["links"], core.limits, core.mimics):
            xx, xy, xz, yy, yz, zz = entry["inertia"]
            inertia = _fixed(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
            of = entry["joint"]
            links.append(
                Link(entry["name"], entry["parent"], of["name"], entry["mass"], _fixed(np.array(entry["com"])), inertia)
            )
            q, v = slice(at_q, at_q + entry["nq"]), slice(at_v, at_v + entry["dof"])
            at_q, at_v = q.stop, v.stop
            if entry["nq"] == 1:
                lower[q], upper[q] = lowest, highest
            velocity[v], effort[v] = fastest, most
            if of["type"] != "fixed":
                mimic = Mimic(*leader) if leader is not None else None
                joints.append(
                    Joint(
                        of["name"],
                        of["type"],
                        entry["parent"],
                        entry["name"],
                        q,
                        v,
                        lowest,
                        highest,
                        fastest,
                        most,
                        mimic,
                    )
                )
        limits = Limits(*map(_fixed, (lower, upper, velocity, effort)))
        states = {state["name"]: np.array(state["q"]) for state in info["states"]}
        return cls(Records("link", links), Records("joint", joints), limits, states)


def _fixed(array: Array) -> Array:
    """An array that nobody writes to: records are shared."""
    array.flags.writeable = False
    return array


def html_of(robot: Any) -> str:
    """A robot as a table: its tree, with joints, limits and masses."""
    children: dict[str, list[Link]] = {}
    for link in robot.links:
        children.setdefault(link.parent, []).append(link)
    rows: list[list[Any]] = []

    def ends(joint: Joint) -> str:
        return (
            ""
            if np.isinf(joint.lower) and np.isinf(joint.upper)
            else f"{_html.number(joint.lower)} … {_html.number(joint.upper)}"
        )

    # A stack of one's own: chains may be longer than Python's.
    names = {link.name for link in robot.links}
    roots = [link for link in robot.links if link.parent not in names]
    waiting = [(link, "", place == len(roots) - 1) for place, link in reversed(list(enumerate(roots)))]
    while waiting:
        link, indent, is_last = waiting.pop()
        joint = robot.joints[link.joint] if link.joint in robot.joints else None
        branch = "└ " if is_last else "├ "
        own = link.joint if link.joint != link.name and joint is not None else ""
        known = (
            [own, joint.type, _range(joint.q) or _plain(joint.mimic), ends(joint)]
            if joint is not None
            else ["", "fixed", "", ""]
        )
        rows.append([indent + branch + link.name, *known, link.mass or None])
        below = children.get(link.name, [])
        deeper = indent + ("  " if is_last else "│ ")
        waiting += [(child, deeper, place == len(below) - 1) for place, child in reversed(list(enumerate(below)))]
    columns = ["link", "joint", "type", "q", "limits", "mass (kg)"]
    title = f"{robot.name}: {robot.nv} degrees of freedom, {len(robot.links)} links, {robot.mass:.6g} kg"
    return _html.table(columns, rows, title, tree="link")
