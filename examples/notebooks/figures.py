"""What the notebooks draw with: the style of the figures, panels in rows, labels at the ends of curves."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

plt.style.use(pathlib.Path(__file__).with_name("jourdain.mplstyle"))

JOINTS = ["#" + colour.lstrip("#") for colour in plt.rcParams["axes.prop_cycle"].by_key()["color"]]
# The same hues, dark enough for text.
INKS = dict(zip(JOINTS, ["#003CAC", "#B45001", "#007D5C", "#A30F5A", "#117697", "#86630E", "#7654DA", "#822009"]))
INK, GREY = "#14202B", "#5F6C7B"
# What belongs to no joint: energies, matrices, one way against another.
BLUE, RUST = "#1F4E79", "#9A4A1C"
DIVERGING = LinearSegmentedColormap.from_list("rust-blue", [RUST, "#FFFFFF", BLUE])


def panels(*titles: str, rows: int = 1, height: float = 1.9, x: str = "t (s)", sharey: bool = False) -> Any:
    """Axes beside each other, a title above each and what is on the x axis under the last row."""
    columns = -(-len(titles) // rows)
    _, grid = plt.subplots(
        rows, columns, sharex=True, sharey=sharey, squeeze=False, figsize=(7.08, 0.4 + height * rows)
    )
    axes = grid.ravel()
    for ax, title in zip(axes, titles):
        ax.set_title(title)
        ax.locator_params(axis="y", nbins=5)
    for ax in axes[len(titles) :]:
        ax.remove()
    for ax in axes[len(titles) - columns : len(titles)]:
        ax.set_xlabel(x, loc="right")
        ax.xaxis.set_tick_params(labelbottom=True)
    return axes[: len(titles)] if len(titles) > 1 else axes[0]


def ends(ax: Any, labels: Sequence[str] | None = None, gap: float = 0.085) -> None:
    """Writes each curve's label at its right end, in its colour, pushed apart by ``gap`` of the panel's height."""
    lines = (
        [line for line in ax.get_lines() if not line.get_label().startswith("_")] if labels is None else ax.get_lines()
    )
    names = [line.get_label() for line in lines] if labels is None else list(labels)
    to_axes = (ax.transData + ax.transAxes.inverted()).transform
    ax.autoscale_view()
    last = [to_axes((line.get_xdata()[-1], line.get_ydata()[-1])) for line in lines[: len(names)]]
    heights = np.array([place[1] for place in last])
    order = np.argsort(heights, kind="stable")
    apart = heights[order].copy()
    for _ in range(50):
        for below in range(len(apart) - 1):
            lack = gap - (apart[below + 1] - apart[below])
            if lack > 0:
                apart[below] -= lack / 2
                apart[below + 1] += lack / 2
    for place, height in zip(order, apart):
        colour = lines[place].get_color()
        ax.annotate(
            names[place],
            (1, height),
            xycoords="axes fraction",
            xytext=(4, 0),
            textcoords="offset points",
            color=INKS.get(colour, colour),
            fontsize=7,
            va="center",
            annotation_clip=False,
        )


def zero(ax: Any) -> None:
    """A darker line at zero."""
    ax.axhline(0, color="#B9C2CC", linewidth=0.6, zorder=0.9)


def plain(*axes: Any) -> None:
    """Decades as 1, 10, 100, 1 000 instead of powers."""
    for axis in axes:
        axis.set_major_formatter(lambda value, _: f"{value:,.15g}".replace(",", "\u2009"))
