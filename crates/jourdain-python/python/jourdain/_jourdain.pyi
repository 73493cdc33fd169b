# The engine as type checkers see it. `python -m mypy.stubtest jourdain` compares this file with the built module.

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

from ._types import Array, Law

__all__ = ["Function", "Robot", "abandon", "handle", "main"]

def handle(
    operation: str,
    request: str,
    progress: Callable[[float], Any] | None = None,
    robot: Robot | None = None,
    law: Law | None = None,
    tables: dict[str, dict[str, Array]] | None = None,
) -> tuple[str, str, int, tuple[list[str], list[str], Array] | None]: ...
def abandon() -> None: ...
def main(arguments: Sequence[str | PathLike[str]]) -> int: ...

@final
class Robot:
    def __new__(cls, request: str) -> Robot: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def link_names(self) -> list[str]: ...
    @property
    def coordinate_names(self) -> list[str]: ...
    @property
    def velocity_names(self) -> list[str]: ...
    @property
    def coordinate_units(self) -> list[str]: ...
    def rate_units(self, order: int) -> list[str]: ...
    @property
    def effort_units(self) -> list[str]: ...
    def neutral(self) -> list[float]: ...

@final
class Function:
    # Of several quantities, `run` gives a tuple of arrays; only `Robot.compile` makes those.
    def __new__(cls, robot: Robot, names: Sequence[str]) -> Function: ...
    @property
    def arguments(self) -> list[str]: ...
    def run(
        self,
        out: Any,
        wrenches: Any,
        derivatives: Any,
        a: Any = None,
        b: Any = None,
        c: Any = None,
        d: Any = None,
        e: Any = None,
        f: Any = None,
        g: Any = None,
        h: Any = None,
        i: Any = None,
    ) -> Array: ...
