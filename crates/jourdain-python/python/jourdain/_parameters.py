"""Parameters: base parameters, what identification finds, and motions that show them well."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _html, _plot
from ._report import Report
from ._types import Array

# A base parameter's name: letters, an R if others are regrouped into it, then the link.
_KEPT = re.compile(r"^([A-Za-z]+?)R(?=[0-9_])")


class BaseParameters(Report):
    """The base parameters of a robot: the combinations of masses, moments and inertias that its motion shows.

    >>> import jourdain as jd
    >>> base = jd.load("planar2r").base_parameters()
    >>> base.count, base.names
    (6, ['mXR1', 'mY1', 'ZZR1', 'mX2', 'mY2', 'ZZ2'])
    >>> print(base.to_latex().splitlines()[1])
    \\mathit{mX}_{R1} &= \\mathit{mX}_{1} + 0.5\\,m_{2} \\\\
    """

    _table = "parameters"
    _asks_again = True

    @property
    def names(self) -> list[str]:
        """Their names; an ``R`` says that others are regrouped into it."""
        return [entry["name"] for entry in self._document["parameters"]]

    @property
    def formulas(self) -> list[str]:
        """What each is made of."""
        return [entry["formula"] for entry in self._document["parameters"]]

    @property
    def vector(self) -> Array:
        """Their values, SI, in the order of ``names``."""
        return np.array([entry["value"] for entry in self._document["parameters"]], dtype=float)

    @property
    def units(self) -> list[str]:
        """Their units: those of the standard parameters that they are kept as."""
        of = dict(zip(self._document["labels"], self._subject._core.parameter_units))
        return [of[_KEPT.sub(r"\1", name)] for name in self.names]

    def regroup(self, standard: ArrayLike) -> Array:
        """The base parameters of standard ones of shape (…, labels), in the order of ``labels``."""
        given = np.asarray(standard, dtype=float)
        wanted = len(self._document["labels"])
        if given.shape[-1:] != (wanted,):
            raise ValueError(
                f"standard has shape {given.shape}, expected (…, {wanted}): one number for each of `labels`"
            )
        return np.asarray(given @ np.array(self._document["matrix"], dtype=float).reshape(-1, wanted).T)

    def to_pandas(self) -> Any:
        """A ``DataFrame``, one row for each base parameter: formula, value and unit."""
        return super().to_pandas().set_index("name").assign(unit=self.units)

    def to_latex(self) -> str:
        """What they are made of, as aligned equations."""
        asked = self._subject._carry_out(Report, self._operation, {**self._fields, "latex": True}, False)
        return repr(asked)

    def _repr_html_(self) -> str | None:
        entries = self._document["parameters"]
        rows = [[entry["name"], entry["value"], unit, entry["formula"]] for entry, unit in zip(entries, self.units)]
        title = f"{self._document['count']} base parameters of {self._subject.name}"
        return _html.table(["name", "value", "unit", "made of"], rows, title)


class Identification(Report):
    """Base parameters and friction as a log shows them, with standard deviations, and how the torques are met."""

    _table = "parameters"

    @property
    def names(self) -> list[str]:
        """The parameters' names."""
        return [entry["name"] for entry in self._records()]

    @property
    def estimates(self) -> Array:
        """Their values, SI."""
        return np.array([entry["value"] for entry in self._records()], dtype=float)

    @property
    def deviations(self) -> Array:
        """Their standard deviations, SI."""
        return np.array([entry["deviation"] for entry in self._records()], dtype=float)

    @property
    def errors(self) -> dict[str, float]:
        """What is left of each joint's torque, as a share of it: on the validation log if there was one."""
        return {joint["joint"]: joint["relative_error"] for joint in self._judged()}

    def _judged(self) -> list[dict[str, Any]]:
        validation = self._document.get("validation")
        return list((validation or self._document)["joints"])

    def to_pandas(self) -> Any:
        """A ``DataFrame``, one row for each parameter: estimate, deviation and what the robot file makes of it."""
        return super().to_pandas().set_index("name")

    def _repr_html_(self) -> str | None:
        if "parameters" not in self._document:
            return super()._repr_html_()
        columns = ["name", "value", "deviation", "prior"]
        titles = ["parameter", "estimate", "deviation", "robot file"]
        rows = [[entry[column] for column in columns] for entry in self._records()]
        heading = f"{self._document['robot']}: {len(rows)} parameters from {self._document['samples']} samples"
        on = "validation log" if self._document.get("validation") else "log itself"
        joints = [
            [joint["joint"], joint["torque_rms"], f"{100 * joint['relative_error']:.2g} %"] for joint in self._judged()
        ]
        fit = _html.table(["joint", "torque rms", "relative error"], joints, f"How torques are met, {on}")
        return _html.table(titles, rows, heading) + fit

    def plot(self, ax: Any = None) -> Any:
        """Draws how well each parameter is known and how well the torques of each joint are met."""
        records, joints = self._records(), self._judged()
        if ax is None:
            height = 0.16 * max(len(records), len(joints)) + 1.1
            _, made = _plot.subplots(1, 2, height=height, width_ratios=[3, 2])
            ax = made[0]
            title = f"{self._document['robot']} · identification from {self._document['samples']} samples"
            ax[0].figure.suptitle(title, x=0.01, ha="left", fontsize=9, fontweight="bold", color=_plot.INK)
        known, met = np.asarray(ax, dtype=object).ravel()[:2]
        shares = [entry["relative_deviation"] for entry in records]
        places = np.arange(len(records))
        shown = np.array([np.nan if share is None else 100 * share for share in shares], dtype=float)
        colours = [_plot.OTHERS[0] if share <= 30 else _plot.WRONG for share in shown]
        known.scatter(shown, places, s=14, c=colours, linewidths=0, zorder=2)
        known.axvline(30, color=_plot.STRONG, linewidth=0.6, linestyle=(0, (4, 2.5)))
        _plot.scale(known)
        self._bars(known, places, [entry["name"] for entry in records], "Standard deviation (% of the value)")
        errors = [100 * joint["relative_error"] for joint in joints]
        rows = np.arange(len(joints))
        met.barh(rows, errors, height=0.55, color=[_plot.JOINTS[row % len(_plot.JOINTS)] for row in rows])
        for row, error in zip(rows, errors):
            met.annotate(
                f"{error:.2g} %",
                (error, row),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize=7,
                color=_plot.NOTE,
            )
        met.set_xlim(0, 1.25 * max([*errors, 1e-12]))
        on = "validation" if self._document.get("validation") else "same log"
        self._bars(met, rows, [joint["joint"] for joint in joints], f"Error of the torque, {on} (% of its rms)")
        return np.array([known, met], dtype=object)

    @staticmethod
    def _bars(panel: Any, places: Any, names: list[str], title: str) -> None:
        _plot.dress(panel, title)
        panel.grid(axis="y", visible=False)
        panel.grid(axis="x", color=_plot.LINE, linewidth=0.4)
        panel.set_yticks(places, names)
        panel.set_ylim(len(places) - 0.4, -0.6)


class Excitation(Report):
    """A periodic motion that shows the base parameters well; ``trajectory`` is what other operations take.

    >>> import jourdain as jd
    >>> motion = jd.load("planar2r").excite(starts=1, steps=20)
    >>> q, qd, qdd = motion.at([0.0, 2.5, 10.0])
    >>> bool(abs(q[0] - q[2]).max() < 1e-9)
    True
    """

    _table = "joints"

    @property
    def trajectory(self) -> dict[str, Any]:
        """The motion as a trajectory, for ``simulate``, ``trajectory`` and others."""
        found: dict[str, Any] = self["trajectory"]
        return found

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration at these times, each of shape (…, joints)."""
        joints = self._document["joints"]
        sine, cosine = (np.array([joint[part] for joint in joints], dtype=float) for part in ("sine", "cosine"))
        rates = 2 * np.pi * np.arange(1, sine.shape[1] + 1) / self._document["period"]
        angles = np.asarray(times, dtype=float)[..., np.newaxis] * rates
        waves, quarter = np.sin(angles), np.cos(angles)
        offset = np.array([joint["offset"] for joint in joints], dtype=float)
        q = offset + waves @ sine.T + quarter @ cosine.T
        qd = (rates * quarter) @ sine.T - (rates * waves) @ cosine.T
        qdd = -((rates**2 * waves) @ sine.T) - (rates**2 * quarter) @ cosine.T
        return q, qd, qdd

    def plot(self, ax: Any = None) -> Any:
        """Draws one period: positions, velocities and accelerations."""
        times = np.linspace(0, self._document["period"], 501)
        names = [joint["joint"] for joint in self._document["joints"]]
        core, groups = self._subject._core, []
        for order, (heading, values) in enumerate(zip(("Position", "Velocity", "Acceleration"), self.at(times))):
            groups += _plot.by_unit(heading, names, core.rate_units(order), values)
        title = f"{self._document['robot']} · exciting motion, condition number {self._document['condition']:.3g}"
        return _plot.panels(groups, times, "Time (s)", title, ax)
