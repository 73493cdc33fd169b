"""Tables in memory, as columns by name: what Python has where the command has a file of samples, states or targets.

A column is an array of one axis. A group of them may be one array: ``"q"`` with shape (n, 6) stands for ``q1`` to ``q6``, and
``"pose"`` with shape (n, 4, 4) for ``pose11`` to ``pose44``.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from ._report import Report
from ._types import Array


def table(value: Any, words: Mapping[str, int]) -> dict[str, Array] | None:
    """The columns of a table, or ``None`` for what is none.

    ``words`` are keys of the documents that may stand in the same place, and how many axes they have in a table; none for 0.
    """
    if isinstance(value, Report):
        if value._samples is None:
            return None
        headings, _, rows = value._samples
        return {name: rows[:, place] for place, name in enumerate(headings)}
    if hasattr(value, "to_numpy") and hasattr(value, "columns") and hasattr(value, "index"):
        return _of_frame(value)
    names = getattr(getattr(value, "dtype", None), "names", None)
    if names:
        return _expanded({name: _numbers(value[name]) for name in names})
    if isinstance(value, Mapping):
        return _of_mapping(value, words)
    if isinstance(value, (list, tuple)) and value and all(_is_row(row) for row in value):
        return _of_rows(value)
    return None


def _of_frame(frame: Any) -> dict[str, Array]:
    columns = {}
    # A motion has its time as the index, and so may a log.
    if frame.index.name is not None and frame.index.name not in frame.columns:
        columns[str(frame.index.name)] = _numbers(frame.index.to_numpy())
    for place, name in enumerate(frame.columns):
        key = str(name)
        if key in columns:
            raise ValueError(f"the table has two columns {key!r}")
        columns[key] = _numbers(frame.iloc[:, place].to_numpy())
    return columns


def _of_mapping(value: Mapping[Any, Any], words: Mapping[str, int]) -> dict[str, Array] | None:
    columns = {}
    for key, item in value.items():
        if isinstance(item, (str, bytes, Mapping, bool, int, float)) or item is None:
            return None
        try:
            numbers = _numbers(item)
        except (TypeError, ValueError):
            return None
        if numbers.ndim == 0 or (key in words and numbers.ndim != words[key]):
            return None
        columns[str(key)] = numbers
    return _expanded(columns) if columns else None


def _is_row(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and len(value) > 0
        and all(isinstance(item, (int, float, np.number)) or item is None for item in value.values())
    )


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    missing = float("nan")
    # A number that is not there is told by its row and column where it is needed.
    return {name: np.array([_or(row.get(name), missing) for row in rows], dtype=float) for name in names}


def _or(value: Any, other: float) -> float:
    return other if value is None else float(value)


def _numbers(value: Any) -> Array:
    """As an array of float64; times of day count from the first, in seconds."""
    array = np.asarray(value)
    if array.dtype.kind in "mM":
        since = array - array.flat[0] if array.size else array
        return np.asarray(since / np.timedelta64(1, "s"), dtype=float)
    if array.dtype.kind in "OUS":
        # A column of words may stand beside those that are read; where it is read, its first row is told.
        try:
            return np.asarray(array, dtype=float)
        except (TypeError, ValueError):
            if array.ndim == 1 and array.size and isinstance(array.flat[0], str):
                return np.full(array.shape, np.nan)
            raise
    return np.asarray(array, dtype=float)


def _expanded(groups: Mapping[str, Array]) -> dict[str, Array]:
    columns: dict[str, Array] = {}
    for name, group in groups.items():
        if group.ndim == 1:
            columns[name] = group
        elif group.ndim == 2:
            columns.update({f"{name}{i + 1}": group[:, i] for i in range(group.shape[1])})
        elif group.ndim == 3:
            rows, width = group.shape[1:]
            columns.update({f"{name}{i + 1}{j + 1}": group[:, i, j] for i in range(rows) for j in range(width)})
        else:
            raise ValueError(
                f"{name} has shape {group.shape}; a column has one axis, a group of them two, of matrices three"
            )
    return columns
