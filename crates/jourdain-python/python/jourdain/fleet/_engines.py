"""What runs the steps of a run. An engine takes a function and its arguments, and gives back a handle at once; handles may be arguments."""

from __future__ import annotations

import concurrent.futures
import os
from typing import Any, Callable, Protocol, Sequence, Union, cast

from .._error import Error

Engine = Union[str, Any]
"""``"local"``, ``"dask"``, ``"ray"``, a client of Dask, or any object with the methods of a ``Runner``."""


class Runner(Protocol):
    """An engine that is ready."""

    name: str

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a function some time; handles among its arguments are what they stand for by then."""
        ...

    def results(self, handles: Sequence[Any]) -> list[Any]:
        """What came of them, in their order; the first failure is raised."""
        ...

    def close(self) -> None:
        """Lets go of what was started for this run."""
        ...


def open_engine(engine: Engine, client: Any, workers: int | None) -> Runner:
    """The engine of that name, or around a client that is there already."""
    if all(hasattr(engine, name) for name in ("submit", "results", "close")):
        return cast(Runner, engine)
    if not isinstance(engine, str):
        engine, client = ("dask" if hasattr(engine, "gather") else "ray"), engine
    if engine == "local":
        return Local(workers)
    if engine == "dask":
        from ._dask import Dask

        return Dask(client, workers)
    if engine == "ray":
        from ._ray import Ray

        return Ray(client, workers)
    raise Error("usage", f"there is no engine `{engine}`", hint='"local", "dask", "ray" or a client of Dask')


class Local:
    """Threads of this machine: the steps do not hold the interpreter."""

    name = "local"

    def __init__(self, workers: int | None) -> None:
        self._pool = concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count() or 1, "jourdain-fleet")

    def submit(self, function: Callable[..., Any], *arguments: Any) -> concurrent.futures.Future[Any]:
        return self._pool.submit(_call, function, arguments)

    def results(self, handles: Sequence[concurrent.futures.Future[Any]]) -> list[Any]:
        return [handle.result() for handle in handles]

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _call(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    # What a step waits for was submitted before it, and steps begin in their order: the first of those under way never waits.
    return function(*(item.result() if isinstance(item, concurrent.futures.Future) else item for item in arguments))
