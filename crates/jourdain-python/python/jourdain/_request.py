"""Requests: what Python gives, as the operations of the kit take it."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping, NamedTuple

import numpy as np

from . import _jourdain
from ._progress import Bar
from ._report import Report
from ._table import table
from ._types import Array


def carry_out(
    operation: str,
    fields: Mapping[str, Any],
    progress: bool | Callable[[float], Any] = True,
    robot: _jourdain.Robot | None = None,
) -> Report:
    """Carries out an operation of the kit with these fields; ``None`` stands for what was left out."""
    known = _fields(operation)
    given = {key: value for key, value in fields.items() if value is not None}
    law = given.pop("law") if "law" in known and callable(given.get("law")) else None
    tables: dict[str, dict[str, Array]] = {}
    request = {key: known.get(key, _Field()).plain(key, value, tables) for key, value in given.items()}
    with Bar(operation, progress) as bar:
        document, text, _, samples = _jourdain.handle(operation, json.dumps(request), bar, robot, law, tables)
    return Report(operation, json.loads(document), text, samples)


class _Field(NamedTuple):
    """What the schema of a request says of a field."""

    kind: str = ""
    """``"string"`` for texts, into which lists and dicts go as JSON; ``"array"`` for lists."""
    table: Mapping[str, int] | None = None
    """Set if a table may stand there: the words of documents that may stand there too."""
    words: Mapping[str, str] = {}
    """What comes before a table and before numbers, of a field that takes several words."""

    def plain(self, name: str, value: Any, tables: dict[str, dict[str, Array]]) -> Any:
        """A value as the JSON of a request has it; tables are put aside."""
        if isinstance(value, Report) and value._samples is None and name in value:
            value = value[name]
        if self.words and not isinstance(value, str):
            return self.with_words(name, value, tables)
        if self.table is not None and self.kind == "array":
            alone = isinstance(value, (str, os.PathLike)) or table(value, self.table) is not None
            several = [value] if alone or not isinstance(value, (list, tuple)) else value
            return [self.source(name, item, tables) for item in several]
        if self.table is not None:
            return self.source(name, value, tables)
        return _plain(value, self.kind)

    def source(self, name: str, value: Any, tables: dict[str, dict[str, Array]]) -> Any:
        columns = table(value, self.table or {})
        if columns is None:
            return _plain(value, "string")
        key = f"<{name}>" if f"<{name}>" not in tables else f"<{name} {len(tables) + 1}>"
        tables[key] = columns
        return key

    def with_words(self, name: str, value: Any, tables: dict[str, dict[str, Array]]) -> list[str]:
        if isinstance(value, os.PathLike):
            return [self.words["table"], os.fspath(value)]
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], str):
            return [self.source(name, item, tables) for item in value]
        source = self.source(name, value, tables)
        return [self.words["table" if source in tables else "numbers"], source]


_FIELDS: dict[str, dict[str, _Field]] = {}


def _fields(operation: str) -> dict[str, _Field]:
    if operation not in _FIELDS:
        schema = json.loads(_jourdain.handle("schema", json.dumps({"operation": [operation]}))[0])["request"]
        _FIELDS[operation] = {name: _field(entry) for name, entry in schema.get("properties", {}).items()}
    return _FIELDS[operation]


def _field(entry: Mapping[str, Any]) -> _Field:
    found = entry.get("type", "")
    kind = next((kind for kind in ("string", "array") if kind in found), "")
    return _Field(kind, entry.get("x-table"), entry.get("x-words", {}))


def _plain(value: Any, kind: str = "") -> Any:
    """A value as the JSON of a request has it."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, np.generic):
        value = value.item()
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
