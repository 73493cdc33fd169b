"""Motions: samples over time, by column and by group of columns."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _plot
from ._animation import Animated
from ._report import Report, arrays, needed
from ._request import carry_out
from ._types import Array

# What groups of columns are called in pictures, and in which panel those stand that have none of their own.
_NAMES = {
    "q": "Position",
    "qd": "Velocity",
    "tau": "Torque",
    "theta": "Motor position",
    "thetad": "Motor velocity",
    "tip_x": "Tip",
    "tip_y": "Tip",
    "kinetic": "Energy",
    "potential": "Energy",
    "energy": "Energy",
    "work": "Energy",
    "reference": "Position",
}


class Motion(Animated):
    """A simulated motion. Groups of samples are arrays over time: ``motion.t``, ``motion.q``, ``motion.qd``, ``motion.tau``,
    ``motion.energy``; ``samples`` has every column by name.

    >>> import jourdain as jd
    >>> motion = jd.load("planar2r").simulate(duration=0.1, state={"q": [0.3, -0.2]})
    >>> motion.q.shape, motion.t[-1].item()
    ((101, 2), 0.1)
    """

    def _columns(self) -> tuple[list[str], list[str], Array]:
        """Names, units and rows."""
        if self._samples is None:
            raise TypeError(f"this result of `{self._operation}` has no samples")
        return self._samples

    @property
    def samples(self) -> dict[str, Array]:
        """The samples, one column for each number, by name; ``t`` is the time."""
        names, _, rows = self._columns()
        return {name: rows[:, place].copy() for place, name in enumerate(names)}

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        names, units, _ = self._columns()
        return dict(zip(names, units))

    def _groups(self) -> dict[str, list[int]]:
        """Where the columns of each group stand: those of ``q`` for ``q[joint]``."""
        groups: dict[str, list[int]] = {}
        for place, name in enumerate(self._columns()[0]):
            groups.setdefault(name.partition("[")[0], []).append(place)
        return groups

    def __getattr__(self, name: str) -> Any:
        if (
            not name.startswith("_")
            and self.__dict__.get("_samples") is not None
            and name in (groups := self._groups())
        ):
            names, _, rows = self._columns()
            places = groups[name]
            whole = len(places) == 1 and "[" not in names[places[0]]
            return rows[:, places[0]].copy() if whole else rows[:, places]
        return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(self._groups() if self._samples is not None else ())]

    def to_pandas(self) -> Any:
        """A ``DataFrame`` of the samples, with the time as index."""
        return needed("pandas").DataFrame(self.samples).set_index("t")

    def to_xarray(self) -> Any:
        """A ``Dataset`` over time: a variable for each group, by joint where the group has several columns."""
        names, units, rows = self._columns()
        entries: dict[str, Any] = {}
        axes: dict[tuple[str, ...], str] = {}
        coords: dict[str, Any] = {"t": ("t", rows[:, 0].copy(), {"units": units[0]})}
        for group, places in self._groups().items():
            labels = [names[place].partition("[")[2].rstrip("]") for place in places]
            unit = ", ".join(dict.fromkeys(units[place] for place in places if units[place]))
            if group == "t":
                continue
            if labels == [""]:
                entries[group] = ("t", rows[:, places[0]].copy(), {"units": unit})
            else:
                # Positions and velocities of a free joint have names of their own, and so have those of other systems.
                axis = axes.setdefault(tuple(labels), f"{group}_of" if axes else "joint")
                coords[axis] = (axis, labels)
                entries[group] = (("t", axis), rows[:, places], {"units": unit})
        return needed("xarray").Dataset(entries, coords=coords, attrs={"operation": self._operation})

    def plot(self, columns: str | Sequence[str] | None = None, ax: Any = None) -> Any:
        """Draws the samples over time, a row of panels for each kind of number.

        Parameters
        ----------
        columns : groups or columns to draw, such as ``["q", "tau"]``; all without it
        ax : axes to draw in, as many as there are panels
        """
        names, units, rows = self._columns()
        groups = self._groups()
        wanted = (
            [columns]
            if isinstance(columns, str)
            else [name for name in groups if name != "t"]
            if columns is None
            else columns
        )
        for name in wanted:
            if name not in groups and name not in names:
                raise ValueError(f"there is no column {name!r}, but {', '.join(groups)}")
        panels: dict[tuple[str, str], _plot.Group] = {}
        for name in wanted:
            for number, place in enumerate(groups.get(name) or [names.index(name)]):
                group, _, label = names[place].partition("[")
                heading = (_NAMES.get(group, group), units[place])
                panel = panels.setdefault(heading, _plot.Group(*heading, []))
                if group == "reference":
                    # It lies under the curve that has the name.
                    panel.curves.append(_plot.Curve("", rows[:, place], number, dashed=True))
                elif label:
                    panel.curves.append(_plot.Curve(label.rstrip("]"), rows[:, place], number))
                else:
                    curve = _plot.Curve(group.removeprefix("tip_"), rows[:, place], len(panel.curves), is_joint=False)
                    panel.curves.append(curve)
        if columns is None:
            # Nothing is to be seen of drives that do nothing.
            panels = {
                key: panel for key, panel in panels.items() if any(np.any(curve.values) for curve in panel.curves)
            } or panels
        law = self._document.get("law", self._document.get("controller"))
        title = " · ".join(
            part for part in (self._subject_name(), "motion" if law in (None, "none") else str(law)) if part
        )
        return _plot.panels(list(panels.values()), rows[:, 0], "Time (s)", title, ax)

    def _subject_name(self) -> str:
        return str(getattr(self._subject, "name", ""))


class Evaluation(Report):
    """Quantities at states or along a trajectory: ``arrays`` has them by name, with a leading axis for the states.

    >>> import jourdain as jd
    >>> line = {"duration": 2, "joints": [{"polynomial": [0, 1]}, {"polynomial": [0.5]}]}
    >>> along = jd.load("planar2r").trajectory(line, ["mass_matrix", "gravity"], samples=5)
    >>> along.arrays["mass_matrix"].shape
    (5, 2, 2)
    """

    @property
    def arrays(self) -> dict[str, Array]:
        """The numbers of each quantity."""
        if isinstance(self._document, list):
            names = self._document[0]["quantities"] if self._document else {}
            return {
                name: np.array([state["quantities"][name] for state in self._document], dtype=float) for name in names
            }
        if "quantities" not in self._document:
            raise TypeError("the numbers are in the file that was written")
        return {name: np.array(values, dtype=float) for name, values in self._document["quantities"].items()}

    def _over(self) -> tuple[str, Array | None]:
        """What the leading axis is, and its values; without a value for one state alone."""
        if isinstance(self._document, list):
            return "state", np.arange(float(len(self._document)))
        return "t", np.array(self._document["t"]) if "t" in self._document else None

    def to_pandas(self) -> Any:
        """A ``DataFrame`` with a column for each number, such as ``gravity[0]``."""
        axis, over = self._over()
        columns: dict[str, Any] = {}
        for name, values in self.arrays.items():
            values = values if over is not None else values[np.newaxis]
            for place in np.ndindex(values.shape[1:]):
                columns[name + "".join(f"[{i}]" for i in place)] = _along(values, place)
        frame = needed("pandas").DataFrame(columns)
        return frame if over is None else frame.set_index(needed("pandas").Index(over, name=axis))

    def to_xarray(self) -> Any:
        """A ``Dataset`` over time or states, with the axes of each quantity numbered."""
        axis, over = self._over()
        first = [axis] if over is not None else []
        entries = {
            name: ([*first, *(f"{name}_{i}" for i in range(values.ndim - len(first)))], values)
            for name, values in self.arrays.items()
        }
        return needed("xarray").Dataset(entries, coords={} if over is None else {axis: over})

    def plot(self, ax: Any = None) -> Any:
        """Draws the quantities along the trajectory."""
        axis, over = self._over()
        if over is None:
            raise TypeError("one state is no curve; to_dict() has its numbers")
        listed = carry_out("quantities", {}, False).to_dict()
        units = {entry["name"].partition(":")[0]: entry["unit"] for entry in listed}
        groups = []
        for name, values in self.arrays.items():
            places = list(np.ndindex(values.shape[1:]))
            # Elements of a symmetric matrix once.
            if values.ndim == 3 and values.shape[1] == values.shape[2] and np.allclose(values, values.swapaxes(1, 2)):
                places = [place for place in places if place[0] <= place[1]]
            curves = [
                _plot.Curve(",".join(str(i + 1) for i in place), _along(values, place), number)
                for number, place in enumerate(places)
            ]
            groups.append(_plot.Group(name, units.get(name.partition(":")[0], ""), curves))
        return _plot.panels(
            groups, over, "Time (s)" if axis == "t" else "state", str(getattr(self._subject, "name", "")), ax
        )


def _along(values: Array, place: tuple[int, ...]) -> Array:
    """One element of a quantity, over all states."""
    at: tuple[Any, ...] = (slice(None), *place)
    found: Array = values[at]
    return found


class MotorMotion(Report):
    """What the motors of elastic joints do for a motion of the links: ``t``, ``theta``, ``theta_d`` and ``torque`` are arrays."""

    _table = "drives"
    _SERIES = ("theta", "theta_d", "torque")

    def to_xarray(self) -> Any:
        """A ``Dataset`` over time and joints."""
        entries = {name: (("t", "joint"), arrays(self[name])) for name in self._SERIES}
        joints = [drive["joint"] for drive in self._document["drives"]]
        return needed("xarray").Dataset(entries, coords={"t": self["t"], "joint": joints})

    def plot(self, ax: Any = None) -> Any:
        """Draws positions, velocities and torques of the motors over time."""
        joints = [drive["joint"] for drive in self._document["drives"]]
        core, groups = self._subject._core, []
        units = (core.rate_units(0), core.rate_units(1), core.effort_units)
        for name, heading, unit in zip(self._SERIES, ("Motor position", "Motor velocity", "Torque"), units):
            groups += _plot.by_unit(heading, joints, unit, np.array(self._document[name], dtype=float))
        title = f"{self._document['robot']} · motors for a motion of the links"
        return _plot.panels(groups, np.array(self._document["t"]), "Time (s)", title, ax)
