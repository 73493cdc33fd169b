"""What inverse kinematics gives: positions, one or many, and positions along a path."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _html, _plot
from ._animation import Animated
from ._report import Report, needed
from ._types import Array

_COLUMNS = ("status", "q", "pose_error", "kind", "criterion")


class Solution(Report):
    """A position that places the link, or many: ``q`` has a leading axis for many targets and with ``all=True``.

    >>> import jourdain as jd
    >>> found = jd.load("planar3r_chang").ik("tool", [1.2, 0.6])
    >>> found.solved, found.q.round(3).tolist()
    (True, [0.281, 1.184, 0.445])
    """

    def _is_one(self) -> bool:
        return "status" in self._document

    def _records(self) -> list[dict[str, Any]]:
        if self._is_one():
            return [self._document]
        return list(self._document["results"] if "results" in self._document else self._document["solutions"])

    @property
    def q(self) -> Array:
        """The position, rad and m: of shape (nq,), or (targets, nq)."""
        found = np.array([record["q"] for record in self._records()], dtype=float)
        return found[0] if self._is_one() else found

    @property
    def status(self) -> Any:
        """``"solved"``, ``"unreachable"`` and so on; a list for many targets."""
        found = [record["status"] for record in self._records()]
        return found[0] if self._is_one() else found

    @property
    def solved(self) -> Any:
        """Whether it is solved; an array for many targets."""
        found = np.array([record["status"] == "solved" for record in self._records()], dtype=bool)
        return bool(found[0]) if self._is_one() else found

    def _repr_html_(self) -> str:
        records = self._records()
        return _html.table(_COLUMNS, [[record.get(column) for column in _COLUMNS] for record in records])


class Path(Animated):
    """Positions along a path, one for each target.

    >>> import jourdain as jd
    >>> path = jd.load("planar3r_chang").ik_path([[1.2, 0.6], [1.2, 0.5], [1.2, 0.4]])
    >>> path.q.shape, bool(path.solved.all())
    ((3, 3), True)
    """

    _table = "points"

    @property
    def q(self) -> Array:
        """The positions, rad and m, of shape (points, nq)."""
        return np.array([point["q"] for point in self._document["points"]], dtype=float)

    @property
    def status(self) -> list[str]:
        """``"solved"``, ``"unreachable"`` and so on, by point."""
        return [point["status"] for point in self._document["points"]]

    @property
    def solved(self) -> Any:
        """Whether each point is solved."""
        return np.array([status == "solved" for status in self.status], dtype=bool)

    def to_xarray(self) -> Any:
        """A ``Dataset`` with ``q`` by point and coordinate, ``status`` and ``pose_error`` by point."""
        errors = [point["pose_error"] for point in self._document["points"]]
        entries = {
            "q": (("point", "coordinate"), self.q),
            "status": ("point", self.status),
            "pose_error": ("point", errors),
        }
        return needed("xarray").Dataset(entries, coords={"coordinate": self._subject.coordinate_names})

    def plot(self, ax: Any = None) -> Any:
        """Draws the positions along the path; points without a solution are marked."""
        names, units = self._subject.coordinate_names, self._subject._core.coordinate_units
        title = f"{self._subject.name} · {self._document['link']} along a path"
        groups = _plot.by_unit("Position", names, units, self.q)
        panels = _plot.panels(groups, np.arange(float(len(self.q))), "Point", title, ax)
        for panel in panels:
            for point in np.flatnonzero(~self.solved):
                panel.axvline(point, color=_plot.WRONG, linewidth=0.6, alpha=0.5)
        return panels
