"""Pictures: panels of curves over a common axis, and the looks that all pictures share.

A colour means a joint. Names and units stand above a panel, curves are named at their right ends, and a panel has at most four of
them: more are spread over the panels of a row.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from ._report import needed
from ._types import Array

JOINTS = ("#003CAC", "#F06D00", "#1EA87F", "#A30F5A", "#2381A2", "#86630E", "#9173FB", "#822009")
OTHERS = ("#1F4E79", "#9A4A1C", "#14202B", "#5F6C7B")
"""Colours of what belongs to no joint, such as energies."""

INK, NOTE, LINE, STRONG, WRONG = "#14202B", "#5F6C7B", "#DFE4EA", "#B9C2CC", "#9B1C1C"
_WIDTH, _ROW = 7.09, 1.45
_MOST, _COLUMNS = 4, 4


class Curve(NamedTuple):
    """A curve: its name, its numbers, its number among those of the group, whether that counts joints, and whether it is
    something to compare with."""

    name: str
    values: Array
    number: int = 0
    is_joint: bool = True
    dashed: bool = False

    @property
    def colour(self) -> str:
        """A colour that means this joint, or none."""
        colours = JOINTS if self.is_joint else OTHERS
        return NOTE if self.dashed else colours[self.number % len(colours)]


class Group(NamedTuple):
    """Curves of one kind, with what they are and their unit."""

    name: str
    unit: str
    curves: list[Curve]


def by_unit(name: str, joints: Sequence[str], units: Sequence[str], values: Array) -> list[Group]:
    """Curves of joints, the columns of ``values``, in a group for each unit."""
    groups: dict[str, Group] = {}
    for place, (joint, unit) in enumerate(zip(joints, units)):
        groups.setdefault(unit, Group(name, unit, [])).curves.append(Curve(joint, values[:, place], place))
    return list(groups.values())


def panels(groups: Sequence[Group], times: Array, along: str, title: str = "", ax: Any = None) -> Any:
    """Draws groups below each other, each in as many panels as it needs, and gives back the axes that were drawn in."""
    if not groups:
        raise ValueError("there is nothing to draw")
    spread = [_spread(group) for group in groups]
    axes = _axes(spread, ax)
    for group, parts, row in zip(groups, spread, axes):
        values = np.concatenate([np.ravel(curve.values) for curve in group.curves])
        for part, panel in zip(parts, row):
            for curve in part:
                draw(panel, times, curve)
            dress(panel, group.name if panel is row[0] else "", group.unit if panel is row[0] else "")
            frame(panel, values)
            name_curves(panel, part)
        for panel in row[len(parts) :]:
            panel.set_visible(False)
    for panel in axes[-1][: len(spread[-1])]:
        panel.set_xlabel(along, loc="right", fontsize=8, color=NOTE)
    if title and ax is None:
        axes[0][0].figure.suptitle(title, x=0.01, ha="left", fontsize=9, fontweight="bold", color=INK)
    drawn = [panel for parts, row in zip(spread, axes) for panel in row[: len(parts)]]
    return np.array(drawn, dtype=object)


def draw(panel: Any, over: Array, curve: Curve) -> None:
    """Draws a curve."""
    style: dict[str, Any] = {"linestyle": (0, (4, 2.5)), "linewidth": 0.8} if curve.dashed else {"linewidth": 1.1}
    panel.plot(over, curve.values, color=curve.colour, **style)
    panel.margins(x=0)


def _spread(group: Group) -> list[list[Curve]]:
    joints = sorted({curve.number for curve in group.curves})
    size = max(_MOST, -(-len(joints) // _COLUMNS))
    parts = [joints[start : start + size] for start in range(0, len(joints), size)]
    return [[curve for curve in group.curves if curve.number in part] for part in parts]


def _axes(spread: list[list[list[Curve]]], ax: Any) -> list[list[Any]]:
    """The axes row by row: new ones, or those of the caller."""
    if ax is None:
        _, made = subplots(len(spread), max(map(len, spread)), sharex=True, height=_ROW * len(spread) + 0.5)
        return [list(row) for row in made]
    given = list(np.atleast_1d(np.asarray(ax, dtype=object)).ravel())
    wanted = sum(map(len, spread))
    if len(given) < wanted:
        raise ValueError(f"ax has {len(given)} axes, but the picture has {wanted} panels")
    rows = []
    for parts in spread:
        rows.append(given[: len(parts)])
        given = given[len(parts) :]
    return rows


def subplots(
    rows: int, columns: int, *, height: float, sharex: bool | str = False, width: float = _WIDTH, **more: Any
) -> Any:
    """A figure and its axes, always in rows and columns."""
    pyplot = needed("matplotlib.pyplot")
    return pyplot.subplots(
        rows, columns, sharex=sharex, squeeze=False, figsize=(width, height), layout="constrained", **more
    )


def dress(panel: Any, name: str, unit: str = "") -> None:
    """Name and unit above, at the left; no box; hairlines at the ticks."""
    heading = f"{name} ({unit})" if unit else name
    panel.set_title(heading, loc="left", fontsize=8, color=INK, pad=4)
    for side in ("left", "right", "top"):
        panel.spines[side].set_visible(False)
    panel.spines["bottom"].set(color=STRONG, linewidth=0.6)
    panel.tick_params(axis="x", labelsize=7, color=STRONG, labelcolor=NOTE, width=0.6, length=3)
    panel.tick_params(axis="x", which="minor", color=STRONG, width=0.4, length=2)
    panel.tick_params(axis="y", labelsize=7, labelcolor=NOTE, length=0)
    panel.grid(axis="y", color=LINE, linewidth=0.4)
    panel.set_axisbelow(True)


def frame(panel: Any, values: Array) -> None:
    """The same range for all panels of a group, with at most five ticks, and a darker line at zero."""
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    # What hardly changes is drawn as a line, not as its rounding.
    least = 2e-3 * max(abs(low), abs(high)) or 2.0
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    margin = 0.06 * (high - low)
    panel.set_ylim(low - margin, high + margin)
    panel.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    formatter = ScalarFormatter(useMathText=True, useOffset=False)
    formatter.set_powerlimits((-4, 5))
    panel.yaxis.set_major_formatter(formatter)
    panel.yaxis.get_offset_text().set(fontsize=7, color=NOTE)
    if low < 0 < high:
        panel.axhline(0, color=STRONG, linewidth=0.6, zorder=0.9)


def scale(panel: Any) -> None:
    """A logarithmic axis along, with plain numbers at the decades."""
    from matplotlib.ticker import NullFormatter

    panel.set_xscale("log")
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.xaxis.set_minor_formatter(NullFormatter())


def name_curves(panel: Any, curves: Sequence[Curve]) -> None:
    """Names at the right ends, pushed apart so that none covers another."""
    named = [curve for curve in curves if curve.name]
    if not named:
        return
    low, high = panel.get_ylim()
    size = panel.get_position().height * panel.figure.get_size_inches()[1] * 72
    gap = 8.5 / max(size, 1.0)
    wanted = np.array([(_last(curve.values) - low) / (high - low) for curve in named])
    order = np.argsort(wanted, kind="stable")
    places = wanted[order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + gap)
    if len(places) and (over := places[-1] - 1.0) > 0:
        places[-1] -= over
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - gap)
    for place, index in zip(places, order):
        curve = named[index]
        place_at = {"xy": (1.0, place), "xycoords": "axes fraction", "xytext": (3, 0), "textcoords": "offset points"}
        panel.annotate(
            curve.name, **place_at, va="center", ha="left", fontsize=7, color=curve.colour, annotation_clip=False
        )


def _last(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(finite[-1]) if finite.size else 0.0
