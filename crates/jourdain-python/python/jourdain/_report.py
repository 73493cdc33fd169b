"""What operations give back."""

from __future__ import annotations

import html
import json
import os
import re
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from . import _jourdain
from ._types import Array

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Report(Mapping[str, Any]):
    """The result of an operation.

    The entries of the document are attributes and items alike (``report.count``, ``report["count"]``); lists of numbers are
    arrays as attributes. ``to_dict()`` is the document itself, as ``--json`` of the command prints it. A motion has ``samples``:
    columns by name.
    """

    def __init__(self, operation: str, document: Any, text: str, samples: tuple[list[str], Array] | None) -> None:
        self._operation = operation
        self._document = document
        self._text = _COLOURS.sub("", text)
        self._samples = samples

    def to_dict(self) -> Any:
        """The document, as the command prints it with ``--json``."""
        return self._document

    @property
    def samples(self) -> dict[str, Array]:
        """The samples of a motion, one column for each number, by name; ``t`` is the time."""
        names, rows = self._table()
        return {name: rows[:, place] for place, name in enumerate(names)}

    def _table(self) -> tuple[list[str], Array]:
        if self._samples is None:
            raise TypeError(f"the result of `{self._operation}` is no motion and has no samples")
        return self._samples

    def _rows(self) -> Any:
        """What a table is made from: samples, or the first list of records."""
        if self._samples is not None:
            return self.samples
        if isinstance(self._document, list):
            return self._document
        for value in self._document.values():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                return value
        raise TypeError(f"the result of `{self._operation}` is no table; to_dict() has all of it")

    def to_pandas(self) -> Any:
        """A ``DataFrame``: the samples of a motion, or the first list of records in the document."""
        import pandas

        frame = pandas.DataFrame(self._rows())
        return frame.set_index("t") if self._samples is not None else frame

    def to_xarray(self) -> Any:
        """A ``Dataset`` over time, of a motion."""
        import xarray

        columns = self.samples
        times = columns.pop("t")
        return xarray.Dataset({name: ("t", values) for name, values in columns.items()}, coords={"t": times})

    def plot(self, columns: str | list[str] | None = None, ax: Any = None) -> Any:
        """Draws the samples of a motion with matplotlib: one panel for each group of columns, such as ``q`` and ``qd``."""
        import matplotlib.pyplot as plt

        samples = self.samples
        times = samples.pop("t")
        groups: dict[str, list[str]] = {}
        for name in samples:
            groups.setdefault(name.partition("[")[0], []).append(name)
        if columns is not None:
            wanted = [columns] if isinstance(columns, str) else list(columns)
            missing = [name for name in wanted if name not in groups and name not in samples]
            if missing:
                raise ValueError(f"there is no column {missing[0]!r}; there are {', '.join(groups)}")
            groups = {name: groups.get(name, [name]) for name in wanted}
        if ax is None:
            _, ax = plt.subplots(len(groups), 1, sharex=True, squeeze=False, figsize=(7, 1.8 * len(groups) + 0.6))
        axes = np.atleast_1d(ax).ravel()
        for panel, (name, members) in zip(axes, groups.items()):
            for member in members:
                label = member.partition("[")[2].rstrip("]") or None
                panel.plot(times, samples[member], label=label)
            panel.set_ylabel(name)
            if len(members) > 1:
                panel.legend(loc="upper right", fontsize="small")
        axes[len(groups) - 1].set_xlabel("t in s")
        return axes

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not isinstance(self._document, dict):
            raise AttributeError(name)
        try:
            return _arrays(self._document[name])
        except KeyError:
            known = ", ".join(self._document)
            raise AttributeError(f"the result of `{self._operation}` has no `{name}`, but {known}") from None

    def __getitem__(self, key: str) -> Any:
        return self._document[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __dir__(self) -> list[str]:
        fields = list(self._document) if isinstance(self._document, dict) else []
        return [*super().__dir__(), *fields]

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f'<pre style="line-height:1.25">{html.escape(repr(self))}</pre>'

    def __reduce__(self) -> tuple[Any, ...]:
        return Report, (self._operation, self._document, self._text, self._samples)


def _arrays(value: Any) -> Any:
    """Lists of numbers, nested evenly, as arrays; everything else as it is."""
    if isinstance(value, list) and value and not isinstance(value[0], (dict, str)):
        try:
            return np.array(value, dtype=float)
        except (TypeError, ValueError):
            return value
    return value


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
