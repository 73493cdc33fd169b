"""What operations give back. Results of one operation, which know more, are in the files beside."""

from __future__ import annotations

import copy
import re
from typing import Any, ClassVar, Iterator, Mapping, TypeVar

import numpy as np

from . import _html
from ._types import Array

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

R = TypeVar("R", bound="Report")


class Report(Mapping[str, Any]):
    """The result of an operation.

    The entries of the document are attributes and items alike (``report.count``, ``report["count"]``); lists of numbers are
    arrays as attributes. ``to_dict()`` is the document itself, as ``--json`` of the command prints it.
    """

    _table: ClassVar[str | None] = None
    """The entry of the document that is a list of records, one row each of a table."""

    _asks_again: ClassVar[bool] = False
    """Whether more is asked of the robot later, with the same arguments, which are kept for that."""

    def __init__(
        self,
        operation: str,
        document: Any,
        text: str,
        samples: tuple[list[str], list[str], Array] | None,
        subject: Any = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        self._operation = operation
        self._document = document
        self._text = _COLOURS.sub("", text)
        self._samples = samples
        self._subject = subject
        self._fields = dict(fields or {})

    @classmethod
    def _of(cls: type[R], report: Report, subject: Any, fields: Mapping[str, Any]) -> R:
        """The same result as this class, of an operation on that robot or arm with those arguments."""
        kept = fields if cls._asks_again else None
        return cls(report._operation, report._document, report._text, report._samples, subject, kept)

    def to_dict(self) -> Any:
        """The document, as the command prints it with ``--json``; a copy."""
        return copy.deepcopy(self._document)

    def _records(self) -> list[dict[str, Any]]:
        """The rows of the table."""
        if isinstance(self._document, list):
            return self._document
        records = self._document.get(self._table) if self._table else None
        if records is None:
            raise TypeError(f"the result of `{self._operation}` is no table; to_dict() has all of it")
        return list(records)

    def to_pandas(self) -> Any:
        """A ``DataFrame``, where the result is a table; ``TypeError`` otherwise."""
        records = self._records()
        return needed("pandas").json_normalize(copy.deepcopy(records))

    def to_xarray(self) -> Any:
        """A ``Dataset``, where the result has arrays over time or points; ``TypeError`` otherwise."""
        raise TypeError(f"the result of `{self._operation}` has no arrays over time; to_dict() has all of it")

    def plot(self) -> Any:
        """A picture with matplotlib, where one is natural; ``TypeError`` otherwise. Gives back the axes."""
        raise TypeError(f"the result of `{self._operation}` has no picture; to_dict() has all of it")

    def __getattr__(self, name: str) -> Any:
        document = self.__dict__.get("_document")
        if name.startswith("_") or not isinstance(document, dict):
            raise AttributeError(name)
        try:
            return arrays(copy.deepcopy(document[name]))
        except KeyError:
            raise AttributeError(
                f"the result of `{self._operation}` has no `{name}`, but {', '.join(document)}"
            ) from None

    def __getitem__(self, key: Any) -> Any:
        return copy.deepcopy(self._document[key])

    def __contains__(self, key: object) -> bool:
        return key in self._document

    def __iter__(self) -> Iterator[Any]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and (self._operation, self._document) == (other._operation, other._document)

    def __hash__(self) -> int:
        return hash((self._operation, self._text))

    def __dir__(self) -> list[str]:
        fields = list(self._document) if isinstance(self._document, dict) else []
        return [*super().__dir__(), *fields]

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str | None:
        return _html.text(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._operation, self._document, self._text, self._samples, self._subject, self._fields)


class Info(Report):
    """What a robot is made of; ``robot.links``, ``robot.joints`` and ``robot.limits`` are easier to use."""

    _table = "links"


class Listing(Report):
    """A list of records: by number as a list, with ``to_pandas()``."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the result of `{self.__dict__.get('_operation')}` is a list and has no `{name}`")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_dict())

    def __contains__(self, key: object) -> bool:
        return any(key in (record, record.get("name")) for record in self._document)

    def _repr_html_(self) -> str:
        columns = list(self._document[0]) if self._document else ["name"]
        return _html.table(columns, [[record[column] for column in columns] for record in self._document])


def arrays(value: Any) -> Any:
    """Lists of numbers, nested evenly, as arrays; everything else as it is."""
    if isinstance(value, list) and value and not isinstance(value[0], (dict, str)):
        try:
            return np.array(value, dtype=float)
        except (TypeError, ValueError):
            return value
    return value


def needed(package: str) -> Any:
    """An optional package, or an error that says how to get it."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = package.partition(".")[0]
        raise ImportError(f"this needs the package {name}, which is not installed: pip install {name}") from error
