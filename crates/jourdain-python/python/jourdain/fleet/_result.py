"""What came of a fleet."""

from __future__ import annotations

import copy
from typing import Any, Mapping, Union

Numbers = dict[str, float]
"""Values by the names of parameters."""


class Result:
    """Parameters of robots, with a report whose counts add up.

    Attributes
    ----------
    report : what the command prints as JSON; ``report["rows"]`` has ``read`` = ``used`` + ``dropped`` + ``set_aside``
    store : the folder that the factors are kept in, if there is one
    """

    def __init__(self, report: dict[str, Any], text: str, store: str | None = None) -> None:
        self.report = report
        self.store = store
        self._text = text

    @property
    def parameters(self) -> Union[Numbers, dict[str, Numbers]]:
        """Values by name; of several robots, by robot and name."""
        return self._by_robot("value")

    @property
    def deviations(self) -> Union[Numbers, dict[str, Numbers]]:
        """Standard deviations, likewise."""
        return self._by_robot("deviation")

    @property
    def robots(self) -> dict[str, Mapping[str, Any]]:
        """What is known of each robot, by name: ``samples``, ``parameters``, ``joints``, ``warnings``, ``problem``."""
        return {entry["robot"]: entry for entry in self.report["robots"]}

    def _by_robot(self, key: str) -> Union[Numbers, dict[str, Numbers]]:
        found = {
            entry["robot"]: {own["name"]: own[key] for own in entry["parameters"]} for entry in self.report["robots"]
        }
        return next(iter(found.values())) if len(found) == 1 else found

    def to_dict(self) -> dict[str, Any]:
        """The report, as data."""
        return copy.deepcopy(self.report)

    def to_pandas(self) -> Any:
        """A table: a row per robot and parameter (needs pandas)."""
        import pandas

        rows = [{"robot": entry["robot"], **own} for entry in self.report["robots"] for own in entry["parameters"]]
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        rows = self.report["rows"]
        return f"<Result: {len(self.report['robots'])} robots, {rows['used']} of {rows['read']} rows used>"
