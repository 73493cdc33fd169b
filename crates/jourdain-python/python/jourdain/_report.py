"""What operations give back."""

from __future__ import annotations

import html
import re
from typing import Any, Iterator, Mapping

import numpy as np

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
    def has_samples(self) -> bool:
        """True of a motion."""
        return self._samples is not None

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
