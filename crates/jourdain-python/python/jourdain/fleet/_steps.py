"""The steps of a run, as workers do them: pure functions, which an engine may run anywhere and run again.

A *part* is what is kept of some logs: factors as bytes or, where there is a store, the log whose factors it has.
"""

from __future__ import annotations

import functools
import json
from typing import Any, Union

from .. import _jourdain
from . import _files

Part = Union[bytes, str]
"""Factors, or the JSON of a shard whose factors the store has."""


@functools.lru_cache(maxsize=4)
def ready(recipe: str) -> _jourdain.Fleet:
    """A recipe that was read, once per worker."""
    return _jourdain.Fleet(recipe)


def named(shard: str, store: str | None, on_error: str) -> str:
    """The robots of a log whose column names them."""
    file = json.loads(shard)["file"]
    if not _files.is_address(file):
        return _jourdain.fleet_named(shard, file, store, on_error)
    with _files.copy(file) as path:
        return _jourdain.fleet_named(shard, path, store, on_error)


def leaf(recipe: str, shard: str, store: str | None, on_error: str) -> tuple[Part | None, str]:
    """What is kept of a log, ``None`` if it was set aside, and what became of it."""
    factors, outcome = _leaf(recipe, shard, store, on_error)
    if factors is None or store is None:
        return factors, outcome
    return shard, outcome


def outcome(leaf: tuple[Part | None, str]) -> str:
    """What became of a log, apart from its factors, which stay where they are."""
    return leaf[1]


def merge(recipe: str, store: str | None, *parts: Any) -> bytes:
    """One set of factors out of several, in their order."""
    return ready(recipe).merge([_factors(recipe, store, part) for part in parts])


def estimate(recipe: str, store: str | None, robot: str, on_error: str, part: Any) -> str:
    """The parameters of what was merged."""
    return ready(recipe).estimate(robot, _factors(recipe, store, part), on_error)


def condense(recipe: str, store: str | None, robot: str, part: Any) -> tuple[str, bytes, list[float]]:
    """A robot as a pool needs it."""
    return (robot, *ready(recipe).condense(robot, _factors(recipe, store, part)))


def _factors(recipe: str, store: str | None, part: Any) -> bytes:
    # A leaf comes with what became of it.
    part = part[0] if isinstance(part, tuple) else part
    if isinstance(part, bytes):
        return part
    factors, _ = _leaf(recipe, part, store, '"raise"')
    assert factors is not None
    return factors


def _leaf(recipe: str, shard: str, store: str | None, on_error: str) -> tuple[bytes | None, str]:
    fleet, file = ready(recipe), json.loads(shard)["file"]
    if not _files.is_address(file):
        return fleet.leaf(shard, file, store, on_error)
    if store is not None and (found := fleet.stored(shard, store)):
        return found
    with _files.copy(file) as path:
        return fleet.leaf(shard, path, store, on_error)
