"""Robots from tables of Denavit–Hartenberg parameters and from screws: written in the native form, which the engine reads.

Trap: rows of plain numbers have no names. They are taken in the order in which the convention applies them, which differs between
the two conventions; ``columns`` says otherwise.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._edits import request
from ._robot import Robot
from ._types import Array

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._edits import Edits

Convention = Literal["modified", "standard"]

# The order in which each convention applies its parameters, parent's side first.
_ORDER = {"modified": ("alpha", "a", "theta", "d"), "standard": ("theta", "d", "a", "alpha")}
_DH = ("gamma", "b", "alpha", "a", "theta", "d", "convention")
_JOINT = ("type", "limits", "velocity", "effort", "unlimited", "mimic", "pitch")
_KINDS = {"R": "revolute", "P": "prismatic", "F": "fixed"}


def from_dh(
    table: Any,
    convention: Convention,
    *,
    columns: Sequence[str] | None = None,
    joints: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    limits: Sequence[Sequence[float] | None] | None = None,
    mass: Sequence[float] | None = None,
    com: ArrayLike | None = None,
    inertia: ArrayLike | None = None,
    tool_pose: ArrayLike | None = None,
    name: str = "robot",
    **edits: Unpack[Edits],
) -> Robot:
    """A robot from a table of Denavit–Hartenberg parameters, one row for each link.

    Parameters
    ----------
    table : rows of four numbers, an array of shape (n, 4), a list of dicts, or a table of pandas. Plain numbers are in the order
        in which the convention applies them: ``alpha, a, theta, d`` for ``"modified"``, ``theta, d, a, alpha`` for
        ``"standard"``. Dicts and named columns are in any order and may have everything that a link of a robot file has
        (``mass``, ``com``, ``inertia``, ``motor``, ``name``) and its joint (``type``, ``limits``, ``velocity``, ``effort``).
        Lengths are in m, angles in rad; texts such as ``"pi/2"`` are exact.
    convention : ``"modified"`` (Craig, Khalil) or ``"standard"``; there is no default, because the two are confused too often
    columns : what the numbers of a row are, if they are in another order
    joints : kinds of the joints: a word such as ``"RRP"``, or a list of ``"revolute"``, ``"prismatic"``, ``"fixed"``
    names : of the links; ``link1``, ``link2``, … without them
    limits : lowest and highest position of each joint, or ``None``
    mass, com, inertia : of each link in its frame: kg; m; six numbers (xx xy xz yy yz zz) or 3×3 about the centre of mass, kg m²
    tool_pose : the frame of a link ``tool`` that is fixed to the last: a 4×4 pose, or a point
    name : of the robot
    edits : as in :func:`load`, such as ``gravity``

    Examples
    --------
    >>> import jourdain as jd
    >>> arm = jd.from_dh([[0, 0, 0, 0.4], ["-pi/2", 0.1, 0, 0]], "modified", tool_pose=[0.5, 0, 0])
    >>> arm.pose("tool", [0.0, 0.0])[:3, 3].round(3).tolist()
    [0.6, 0.0, 0.4]
    """
    if convention not in _ORDER:
        raise ValueError(f"convention is {convention!r}, expected 'modified' or 'standard'")
    order = tuple(columns) if columns is not None else _ORDER[convention]
    rows = [_row(row, order, number) for number, row in enumerate(_rows(table))]
    given: dict[str, Any] = {
        "joints": joints,
        "names": names,
        "limits": limits,
        "mass": mass,
        "com": com,
        "inertia": inertia,
    }
    for argument, value in given.items():
        if value is not None and len(value) != len(rows):
            raise ValueError(f"{argument} has {len(value)} entries, but the table has {len(rows)} rows")
    links = []
    for number, row in enumerate(rows):
        link: dict[str, Any] = {"name": names[number] if names is not None else f"link{number + 1}"}
        link |= {key: value for key, value in row.items() if key not in _DH + _JOINT}
        link["dh"] = {key: row[key] for key in _DH if key in row}
        joint = {"type": _KINDS["R"]} | _joint(link.pop("joint", {})) | {key: row[key] for key in _JOINT if key in row}
        if joints is not None:
            joint["type"] = joints[number]
        joint["type"] = _KINDS.get(joint["type"], joint["type"])
        if limits is not None and limits[number] is not None:
            joint["limits"] = _list(limits[number])
        if joint["type"] != "fixed" and "limits" not in joint:
            joint.setdefault("unlimited", True)
        link |= _body(number, mass, com, inertia)
        links.append({**link, "joint": joint})
    if tool_pose is not None:
        links.append({"name": "tool", "origin": _frame(tool_pose, "tool_pose")})
    return _robot({"name": name, "dh": convention, "link": links}, edits)


def from_screws(
    M: ArrayLike | None,
    S: Any,
    *,
    frame: Literal["space", "body"] = "space",
    names: Sequence[str] | None = None,
    limits: Sequence[Sequence[float] | None] | None = None,
    Mlist: Sequence[ArrayLike] | None = None,
    Glist: Sequence[ArrayLike] | None = None,
    name: str = "robot",
    **edits: Unpack[Edits],
) -> Robot:
    """A robot from screws, T(q) = exp([S₁] q₁) … exp([Sₙ] qₙ) M, as in Lynch and Park, *Modern Robotics*.

    Parameters
    ----------
    M : pose of the tool at q = 0, 4×4; ``None`` for the product of ``Mlist``, or for no tool
    S : the screws (ω, v): an array of shape (6, n) with a screw in each column, as the book has it, or a list of n of six
        numbers each; or a list of dicts as a robot file has them (``axis``, ``point``, ``mass``, …)
    frame : ``"space"`` for screws in the ground frame at q = 0, ``"body"`` for screws in the frame of the tool
    names, limits : of the joints
    Mlist : poses of each link's frame in that of the link before, and last of the tool in that of the last link, at q = 0
    Glist : inertia of each link in its frame, 6×6, rotation first
    name : of the robot
    edits : as in :func:`load`, such as ``gravity``

    Examples
    --------
    >>> import jourdain as jd
    >>> home = [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    >>> arm = jd.from_screws(home, [[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, -1, 0]])
    >>> arm.pose("tool", [0.0, 1.5707963267948966])[:2, 3].round(3).tolist()
    [1.0, 1.0]
    """
    if frame not in ("space", "body"):
        raise ValueError(f"frame is {frame!r}, expected 'space' or 'body'")
    frames = [_pose(pose, f"Mlist[{place}]") for place, pose in enumerate(Mlist)] if Mlist is not None else []
    home = _pose(M, "M") if M is not None else _product(frames)
    screws = _screws(S)
    if frame == "body":
        if home is None:
            raise ValueError("screws in the body frame need M, the pose of the tool at q = 0")
        screws = [_moved(home, screw) for screw in screws]
    for argument, value, wanted in (
        ("names", names, 0),
        ("limits", limits, 0),
        ("Mlist", Mlist, 1),
        ("Glist", Glist, 0),
    ):
        if value is not None and len(value) != len(screws) + wanted:
            raise ValueError(
                f"{argument} has {len(value)} entries, but there are {len(screws)} screws, so expected {len(screws) + wanted}"
            )
    if Glist is not None and Mlist is None:
        raise ValueError("Glist needs Mlist, which says where the frames of the links are")
    entries = []
    for number, screw in enumerate(screws):
        entry = {"name": names[number] if names is not None else f"link{number + 1}", **screw}
        if limits is not None and limits[number] is not None:
            entry["limits"] = _list(limits[number])
        if "limits" not in entry and "type" not in entry:
            entry["unlimited"] = True
        if Glist is not None:
            at = _product(frames[: number + 1])
            assert at is not None
            entry |= _inertia(np.asarray(Glist[number], dtype=float), at, f"Glist[{number}]")
        entries.append(entry)
    document: dict[str, Any] = {"name": name, "screws": entries}
    if home is not None:
        document["home"] = {"name": "tool", **_frame(home, "M")}
    return _robot(document, edits)


def _robot(document: dict[str, Any], edits: Mapping[str, Any]) -> Robot:
    return Robot(request(json.dumps(document), edits))


def _rows(table: Any) -> list[Any]:
    """The rows of a table: those of pandas as dicts, without what is missing in them."""
    if hasattr(table, "to_dict") and hasattr(table, "columns"):
        records = table.to_dict(orient="records")
        return [{str(key): value for key, value in record.items() if not _is_missing(value)} for record in records]
    return list(table)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _row(row: Any, order: tuple[str, ...], number: int) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return {str(key): _list(value) for key, value in row.items()}
    cells = [_list(cell) for cell in row]
    if len(cells) != len(order):
        raise ValueError(f"row {number} of table has {len(cells)} numbers, expected {len(order)}: {', '.join(order)}")
    return dict(zip(order, cells))


def _joint(value: Any) -> dict[str, Any]:
    return {"type": value} if isinstance(value, str) else dict(value)


def _body(number: int, mass: Any, com: Any, inertia: Any) -> dict[str, Any]:
    body: dict[str, Any] = {}
    if mass is not None:
        body["mass"] = _list(mass[number])
    if com is not None:
        body["com"] = _list(com[number])
    if inertia is not None:
        found = np.asarray(inertia[number])
        body["inertia"] = _list(found[np.triu_indices(3)] if found.shape == (3, 3) else found)
    return body


def _screws(S: Any) -> list[dict[str, Any]]:
    if isinstance(S, np.ndarray):
        if S.ndim != 2 or S.shape[0] != 6:
            raise ValueError(
                f"S has shape {S.shape}, expected (6, n): a screw in each column; a list of screws will do, too"
            )
        return [{"screw": _list(column)} for column in S.T]
    screws = [dict(screw) if isinstance(screw, Mapping) else {"screw": _list(screw)} for screw in S]
    for place, screw in enumerate(screws):
        if "screw" in screw and len(screw["screw"]) != 6:
            raise ValueError(f"S[{place}] has {len(screw['screw'])} numbers, expected 6: (ω, v)")
    return screws


def _moved(pose: Array, screw: dict[str, Any]) -> dict[str, Any]:
    """A screw of the body frame in the ground frame: the adjoint of the pose."""
    if "screw" not in screw:
        raise ValueError("screws in the body frame must be six numbers each, (ω, v)")
    omega, v = np.asarray(screw["screw"][:3], dtype=float), np.asarray(screw["screw"][3:], dtype=float)
    turned = pose[:3, :3] @ omega
    return {**screw, "screw": _list([*turned, *(pose[:3, :3] @ v + np.cross(pose[:3, 3], turned))])}


def _inertia(G: Array, at: Array, argument: str) -> dict[str, Any]:
    """Mass, centre of mass and inertia in the ground frame of [[I, m [c]], [m [c]ᵀ, m 1]] in a frame at that pose."""
    if G.shape != (6, 6):
        raise ValueError(f"{argument} has shape {G.shape}, expected (6, 6)")
    mass = float(np.trace(G[3:, 3:]) / 3)
    moment = np.array([G[2, 4], G[0, 5], G[1, 3]])
    com = moment / mass if mass else np.zeros(3)
    about = G[:3, :3] - mass * (com @ com * np.eye(3) - np.outer(com, com))
    turned = at[:3, :3] @ about @ at[:3, :3].T
    turned = (turned + turned.T) / 2
    return {"mass": mass, "com": _list(at[:3, :3] @ com + at[:3, 3]), "inertia": _list(turned[np.triu_indices(3)])}


def _product(poses: Sequence[Array]) -> Array | None:
    return np.linalg.multi_dot([np.eye(4), *poses]) if poses else None


def _pose(value: ArrayLike, argument: str) -> Array:
    pose = np.asarray(value, dtype=float)
    if pose.shape != (4, 4):
        raise ValueError(f"{argument} has shape {pose.shape}, expected (4, 4)")
    if not (np.allclose(pose[3], [0, 0, 0, 1]) and np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-6)):
        raise ValueError(f"{argument} is no pose: a rotation, a point, and 0 0 0 1 below")
    return pose


def _frame(value: ArrayLike, argument: str) -> dict[str, Any]:
    """A frame as a robot file has it: its point, and its rotation as a quaternion if there is one."""
    given = np.asarray(value, dtype=float)
    if given.shape == (3,):
        return {"xyz": _list(given)}
    pose = _pose(given, argument)
    R = pose[:3, :3]
    if np.array_equal(R, np.eye(3)):
        return {"xyz": _list(pose[:3, 3])}
    # Bar-Itzhack: the eigenvector of the largest eigenvalue, stable for every rotation.
    K = np.array([
        [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [R[2, 1] - R[1, 2], R[0, 0] - R[1, 1] - R[2, 2], R[1, 0] + R[0, 1], R[0, 2] + R[2, 0]],
        [R[0, 2] - R[2, 0], R[1, 0] + R[0, 1], R[1, 1] - R[0, 0] - R[2, 2], R[2, 1] + R[1, 2]],
        [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2], R[2, 2] - R[0, 0] - R[1, 1]],
    ])  # fmt: skip
    quaternion = np.linalg.eigh(K)[1][:, -1]
    return {"xyz": _list(pose[:3, 3]), "quaternion": _list(quaternion if quaternion[0] >= 0 else -quaternion)}


def _list(value: Any) -> Any:
    """Arrays and their numbers as JSON has them; texts, such as ``"pi/2"``, and dicts as they are."""
    if isinstance(value, (str, bool, int, float, dict)) or value is None:
        return float(value) if isinstance(value, np.floating) else value
    if isinstance(value, (list, tuple)):
        return [_list(item) for item in value]
    return np.asarray(value).tolist()
