"""Watching a fleet: which robots change, and which are unlike the others of their model."""

from __future__ import annotations

import copy
import os
from typing import Any, Literal, Sequence

from .._load import Subject, robot_of
from .._request import carry_out
from .._types import Name
from . import _files
from ._engines import Engine
from ._identify import check_settings, fill


class Watch:
    """What was found in a fleet.

    Attributes
    ----------
    findings : of each: ``robot``, ``parameter``, ``kind`` (``"drift"``, ``"jump"``, ``"outlier"``), ``day``, ``before``,
        ``after``, ``relative``, ``p_value``; the surest first
    report : what the command prints as JSON
    """

    def __init__(self, report: dict[str, Any], text: str) -> None:
        self.report = report
        self._text = text

    @property
    def findings(self) -> list[dict[str, Any]]:
        return list(self.report["findings"])

    def to_dict(self) -> dict[str, Any]:
        """The report, as data."""
        return copy.deepcopy(self.report)

    def to_pandas(self) -> Any:
        """The findings as a table (needs pandas)."""
        import pandas

        return pandas.DataFrame(self.report["findings"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Watch: {len(self.report['robots'])} robots, {len(self.report['findings'])} findings>"


def watch(
    robot: Subject,
    logs: _files.Files = (),
    *,
    store: Name,
    engine: Engine = "local",
    client: Any = None,
    on_error: Literal["raise", "collect"] = "raise",
    pattern: str | None = None,
    column: str | None = None,
    from_: str | None = None,
    to: str | None = None,
    level: float = 0.05,
    parameters: str | Sequence[str] = (),
    report: Name | None = None,
    table: Name | None = None,
    plot: Name | None = None,
    workers: int | None = None,
    **settings: Any,
) -> Watch:
    """Find robots that change or are unlike the others, from the factors that a store has.

    Parameters
    ----------
    robot : the model
    logs : logs that may not be in the store yet: the engine reads them first; without any, all that the store has is taken
    store : the folder that ``identify`` kept the factors in; robot and settings must be the same
    level : expected share of false alarms among all findings
    parameters : names of those to watch; all if none are named
    report, table, plot : files to write: a page (.html) or words (.txt); every robot and day (.parquet, .csv); a picture
    engine, client, on_error, pattern, column, from_, to, workers, settings : as of ``identify``
    """
    check_settings("watch", settings)
    found = _files.expand(logs) if not _files.is_empty(logs) else []
    given = {
        "pattern": pattern,
        "column": column,
        "store": os.path.abspath(os.fspath(store)),
        "from": from_,
        "to": to,
        **settings,
    }
    if found and (engine != "local" or any(map(_files.is_address, found))):
        # What the engine has read is in the store, from where it is then taken.
        fill(robot, {**given, "logs": found, "on_error": on_error}, engine, client, on_error, workers)
        found = []
    fields = {
        **robot_of(robot)._request,
        **given,
        "logs": found,
        "on_error": on_error,
        "level": level,
        "parameters": [parameters] if isinstance(parameters, str) else list(parameters),
        "report": report,
        "table": table,
        "plot": plot,
        "threads": workers,
    }
    told = carry_out("fleet watch", fields, False, robot_of(robot)._core)
    return Watch(told.to_dict(), str(told))
