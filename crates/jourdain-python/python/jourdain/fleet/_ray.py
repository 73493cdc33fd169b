"""Ray as the engine: a cluster that the program is connected to, or one on this machine for the time of a run."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Sequence

from .._error import Error

# A worker may be lost more often than Ray expects.
_RETRIES = 10


class Ray:
    """Steps as tasks of Ray; what a lost worker had is made again by the others."""

    name = "ray"

    def __init__(self, client: Any, workers: int | None) -> None:
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise Error("missing-package", "the engine `ray` needs Ray", hint="pip install jourdain[ray]") from None
        self._ray = ray
        self._own = not ray.is_initialized()
        self._remote: dict[Callable[..., Any], Any] = {}
        if self._own:
            words: dict[str, Any] = {"address": client} if isinstance(client, str) else {"num_cpus": workers}
            ray.init(include_dashboard=False, log_to_driver=False, **words)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function not in self._remote:
            self._remote[function] = self._ray.remote(function).options(max_retries=_RETRIES)
        return self._remote[function].remote(*arguments)

    def results(self, handles: Sequence[Any]) -> list[Any]:
        try:
            return list(self._ray.get(list(handles)))
        except self._ray.exceptions.RayTaskError as error:
            # The step's own exception, as other engines raise it.
            raise (error.cause if isinstance(error.cause, Exception) else error) from None

    def close(self) -> None:
        if self._own:
            self._ray.shutdown()
