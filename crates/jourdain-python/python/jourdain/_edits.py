"""How a robot is named and edited in a request."""

from __future__ import annotations

import os
from numbers import Real
from typing import Any, Callable, Mapping, Sequence, TypedDict

import numpy as np

from ._types import Name


class Edits(TypedDict, total=False):
    """What can be changed about a robot as it is read."""

    floating: bool
    fixed: bool
    gravity: Sequence[float] | None
    lock: Mapping[str, float | Sequence[float] | None] | None
    payload: Mapping[str, Any] | None
    only: str | Sequence[str]
    without: str | Sequence[str]
    tool: str | Sequence[str]
    motor: Name | None
    scale_inertia: float | Mapping[str, float] | None
    no_friction: bool
    strict: bool
    arguments: Mapping[str, Any] | None
    packages: Mapping[str, Name] | None


def request(robot: Name, edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The fields of a request about a robot; edits that are ``None``, false or empty are none."""
    fields: dict[str, Any] = {"robot": os.fspath(robot)}
    for name, value in (edits or {}).items():
        if name not in _FIELDS:
            raise TypeError(f"there is no edit {name!r}, but {', '.join(_FIELDS)}")
        if (
            value is None
            or value is False
            or (not isinstance(value, (bool, int, float, os.PathLike)) and len(value) == 0)
        ):
            continue
        field, words = _FIELDS[name]
        fields[field] = words(value)
    return fields


def _numbers(value: Any) -> str:
    return ",".join(repr(float(number)) for number in np.atleast_1d(value))


def _payload(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, Real):
        return repr(float(value))
    mass, point = value
    return f"{float(mass)!r}@{_numbers(point)}"


def _each(words: Callable[[Any], str]) -> Callable[[Mapping[str, Any]], list[str]]:
    return lambda entries: [key if value is None else f"{key}={words(value)}" for key, value in entries.items()]


def _names(value: Any) -> list[str]:
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(name) for name in value]


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
