"""Requests: what Python gives, as the operations of the kit take it; progress on the way."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping

import numpy as np

from . import _jourdain
from ._report import Report


def carry_out(
    operation: str,
    fields: Mapping[str, Any],
    progress: bool | Callable[[float], Any] = True,
    robot: _jourdain.Robot | None = None,
) -> Report:
    """Carries out an operation of the kit with these fields; ``None`` stands for what was left out."""
    kinds = _kinds(operation)
    request = {key: _plain(value, kinds.get(key, "")) for key, value in fields.items() if value is not None}
    with _Bar(operation, progress) as bar:
        document, text, _, samples = _jourdain.handle(operation, json.dumps(request), bar, robot)
    return Report(operation, json.loads(document), text, samples)


_KINDS: dict[str, dict[str, str]] = {}


def _kinds(operation: str) -> dict[str, str]:
    """Which fields of a request are texts, into which lists and dicts go as JSON, and which are lists."""
    if operation not in _KINDS:
        schema = json.loads(_jourdain.handle("schema", json.dumps({"operation": [operation]}))[0])["request"]
        kinds = {name: field.get("type", "") for name, field in schema.get("properties", {}).items()}
        of = {name: next((kind for kind in ("string", "array") if kind in found), "") for name, found in kinds.items()}
        _KINDS[operation] = of
    return _KINDS[operation]


def _plain(value: Any, kind: str = "") -> Any:
    """A value as the JSON of a request has it."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (str, bool, int, float)):
        return value if kind != "array" else [value] if not isinstance(value, str) else value.split(",")
    if isinstance(value, Mapping):
        value = {str(key): _plain(item) for key, item in value.items() if item is not None}
    elif isinstance(value, (list, tuple)):
        value = [_plain(item) for item in value]
    elif hasattr(value, "to_dict"):
        value = value.to_dict()
    elif hasattr(value, "__array__"):
        value = np.asarray(value).tolist()
    else:
        raise TypeError(f"{type(value).__name__} is no number, text, list, dict or array")
    return json.dumps(value) if kind == "string" else value


class _Bar:
    """Progress: a bar of tqdm if that is installed and the work takes a while, or a function of the caller's."""

    def __init__(self, operation: str, progress: bool | Callable[[float], Any]) -> None:
        self._operation = operation
        self._told = progress if callable(progress) else None
        self._bar: Any = None
        self._wanted = progress is True

    def __enter__(self) -> Callable[[float], None] | None:
        return self if self._wanted or self._told else None

    def __call__(self, share: float) -> None:
        if self._told:
            self._told(share)
            return
        if self._bar is None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._wanted, self._told = False, lambda _: None
                return
            self._bar = tqdm(total=100, desc=self._operation, leave=False, bar_format="{desc} {bar} {n:.0f} % {elapsed}")
        self._bar.update(max(0.0, 100 * share - self._bar.n))

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()
