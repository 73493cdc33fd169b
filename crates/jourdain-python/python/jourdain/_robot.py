"""Robots."""

from __future__ import annotations

from typing import Any, Callable

from . import _jourdain
from ._quantities import NAMES, Quantities


class Robot(Quantities):
    """A robot: its quantities as methods, and everything else that can be asked of it."""

    def __init__(self, core: _jourdain.Robot) -> None:
        self._core = core
        self._run = [_jourdain.Function(core, [name]).run for name in NAMES]
        self._links: dict[tuple[str, str], Callable[..., Any]] = {}

    def _of_link(self, name: str, link: str) -> Callable[..., Any]:
        try:
            return self._links[name, link]
        except KeyError:
            run = _jourdain.Function(self._core, [f"{name}:{link}"]).run
            self._links[name, link] = run
            return run
