"""Dask as the engine: a client that is there, or workers on this machine for the time of a run."""

from __future__ import annotations

import importlib
import os
from typing import Any, Callable, Sequence

from .._error import Error


class Dask:
    """Steps as futures of Dask; what a lost worker had is made again by the others."""

    name = "dask"

    def __init__(self, client: Any, workers: int | None) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise Error("missing-package", "the engine `dask` needs Dask", hint="pip install jourdain[dask]") from None
        self._cluster: Any = None
        is_address = isinstance(client, str)
        self._own = client is None or is_address
        if client is None:
            count = workers or os.cpu_count() or 1
            self._cluster = distributed.LocalCluster(
                n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
            )
            client = distributed.Client(self._cluster)
        elif is_address:
            client = distributed.Client(client)
        self._client: Any = client

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._client.submit(function, *arguments, pure=False)

    def results(self, handles: Sequence[Any]) -> list[Any]:
        return list(self._client.gather(list(handles)))

    def close(self) -> None:
        if self._own:
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()
