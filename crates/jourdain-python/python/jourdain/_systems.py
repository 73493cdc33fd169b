"""Linear systems and their frequencies: modes of flexible links, linearisations, how robust a law is; timings."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _html, _plot
from ._animation import Animated
from ._report import Report
from ._types import Array


class Modes(Animated):
    """The modes of each link of a flexible arm.

    >>> import jourdain as jd
    >>> [link.round(2).tolist() for link in jd.FlexibleArm("two_link_flexible").modes().frequencies]
    [[0.48, 1.8], [2.18, 15.91]]
    """

    @property
    def frequencies(self) -> list[Array]:
        """The frequencies of each link, Hz; of each arm for a table of several."""
        if "table" in self._document:
            return [np.array(row["frequencies_hz"], dtype=float) for row in self._document["table"]]
        return [np.array([mode["frequency_hz"] for mode in link["modes"]]) for link in self._document["links"]]

    def _records(self) -> list[dict[str, Any]]:
        if "table" in self._document:
            return list(self._document["table"])
        links = enumerate(self._document["links"], 1)
        return [{"link": i, "mode": j, **mode} for i, link in links for j, mode in enumerate(link["modes"], 1)]

    def plot(self, ax: Any = None) -> Any:
        """Draws the shapes of the modes, each link in a panel."""
        if "table" in self._document:
            return super().plot()
        asked = {**self._fields, "details": True, "plot": None}
        links = self._subject._carry_out(Report, self._operation, asked, False)["links"]
        if ax is None:
            _, made = _plot.subplots(1, len(links), height=2.1)
            made[0][0].figure.suptitle(
                f"{self._subject.name} · modes", x=0.01, ha="left", fontsize=9, fontweight="bold", color=_plot.INK
            )
            ax = made[0]
        panels = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
        if len(panels) < len(links):
            raise ValueError(f"ax has {len(panels)} axes, but the arm has {len(links)} links")
        for number, (panel, link) in enumerate(zip(panels, links), 1):
            along = np.linspace(0, link["length"], 101)
            shapes = [_shape(mode, along) for mode in link["modes"]]
            named = [
                _plot.Curve(f"{mode['frequency_hz']:.3g} Hz", shape, place, is_joint=False)
                for place, (mode, shape) in enumerate(zip(link["modes"], shapes))
            ]
            for curve in named:
                _plot.draw(panel, along, curve)
            _plot.dress(panel, f"Link {number}, shape")
            _plot.frame(panel, np.concatenate(shapes) if shapes else np.zeros(1))
            _plot.name_curves(panel, named)
            panel.set_xlabel("Along the link (m)", loc="right", fontsize=8, color=_plot.NOTE)
        return panels


def _shape(mode: dict[str, Any], x: Array) -> Array:
    """The shape of a clamped beam: C1 (sin − sinh) + C2 (cos − cosh)."""
    z = mode["beta"] * x
    return np.asarray(mode["C1"] * (np.sin(z) - np.sinh(z)) + mode["C2"] * (np.cos(z) - np.cosh(z)))


class Linearisation(Report):
    """Small motions about a posture: ``A`` and ``B`` are arrays, ``poles`` the eigenvalues of ``A``.

    >>> import jourdain as jd
    >>> small = jd.load("planar2r_elastic").elastic.linearise()
    >>> small.A.shape, len(small.poles)
    ((8, 8), 8)
    """

    @property
    def poles(self) -> Any:
        """The eigenvalues of ``A`` as complex numbers, 1/s."""
        pairs = self._document.get("eigenvalues", self._document.get("poles"))
        if pairs is None:
            raise TypeError(f"this result of `{self._operation}` has no poles")
        return np.array([complex(*pair) for pair in pairs])

    @property
    def frequencies(self) -> Array:
        """Natural frequencies, Hz: of the modes without friction and damping, joints free."""
        if "modes" in self._document:
            return np.array([mode["frequency_hz"] for mode in self._document["modes"]])
        if "free_frequencies_hz" in self._document:
            return np.array(self._document["free_frequencies_hz"])
        raise TypeError(f"this result of `{self._operation}` is of several arms; `table` has their frequencies")

    def _records(self) -> list[dict[str, Any]]:
        for name in ("modes", "table"):
            if name in self._document:
                return list(self._document[name])
        return super()._records()

    def plot(self, ax: Any = None) -> Any:
        """Draws the poles in the complex plane."""
        poles = self.poles
        if ax is None:
            _, made = _plot.subplots(1, 1, height=3.2, width=3.46)
            ax = made[0][0]
            title = f"{self._subject.name} · poles"
            ax.figure.suptitle(title, x=0.02, ha="left", fontsize=9, fontweight="bold", color=_plot.INK)
        _plot.dress(ax, "Imaginary part", "rad/s")
        ax.axhline(0, color=_plot.STRONG, linewidth=0.6)
        ax.axvline(0, color=_plot.STRONG, linewidth=0.6)
        ax.plot(poles.real, poles.imag, "x", color=_plot.OTHERS[0], markersize=5, markeredgewidth=1.1)
        ax.margins(0.12)
        ax.set_xlabel("Real part (1/s)", loc="right", fontsize=8, color=_plot.NOTE)
        return ax


class Robustness(Report):
    """How a law does on robots that differ from what it knows."""

    _table = "causes"

    def plot(self, ax: Any = None) -> Any:
        """Draws the share of stable robots by the bandwidth of the law."""
        if ax is None:
            _, made = _plot.subplots(1, 1, height=2.3, width=3.46)
            ax = made[0][0]
            title = f"{self._document['robot']} · {self._document['controller']}"
            ax.figure.suptitle(title, x=0.02, ha="left", fontsize=9, fontweight="bold", color=_plot.INK)
        steps = self._document["bandwidth"]
        rates, shares = [step["rate"] for step in steps], [100 * step["stable_fraction"] for step in steps]
        ax.plot(rates, shares, color=_plot.OTHERS[0], linewidth=1.1, marker="o", markersize=3)
        _plot.scale(ax)
        _plot.dress(ax, "Stable robots", "%")
        ax.set_ylim(-4, 104)
        ax.set_xlabel("Decay rate of the error (1/s)", loc="right", fontsize=8, color=_plot.NOTE)
        return ax


class Timings(Report):
    """Times of quantities by each way of computing them, ns per state."""

    def _records(self) -> list[dict[str, Any]]:
        robots = self._document["robots"].items()
        return [{"robot": robot, "quantity": name, **row} for robot, rows in robots for name, row in rows.items()]

    def _repr_html_(self) -> str | None:
        records = self._records()
        columns = list(records[0]) if records else ["robot"]
        return _html.table(columns, [list(record.values()) for record in records], str(self._document["machine"]))
