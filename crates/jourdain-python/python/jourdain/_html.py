"""Tables and texts as HTML, for notebooks: no colours of their own, so that light and dark backgrounds do."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence

_LINE = "rgba(127,127,127,.35)"
_CELL = "padding:2px 12px 2px 0;text-align:{align};vertical-align:top;border:none;white-space:{space}"
MOST = 60
"""Rows of a table that are shown."""


def escape(value: str) -> str:
    """A text in which nothing is taken for HTML."""
    return html.escape(value)


def text(value: str) -> str:
    """A text as it is in a terminal."""
    return f'<pre style="font-family:monospace;line-height:1.25;background:none">{escape(value)}</pre>'


def number(value: Any) -> str:
    """A value in a few characters: numbers with six digits, nothing as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}".replace("-", "\N{MINUS SIGN}").replace("inf", "∞")
    if isinstance(value, (list, tuple)):
        return "  ".join(number(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {number(item)}" for key, item in value.items())
    return str(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "", tree: str | None = None) -> str:
    """A table; columns that hold numbers alone are set to the right. The column ``tree`` keeps its spaces."""
    rows = list(rows)
    # A column that says nothing is left out.
    told = [place for place in range(len(columns)) if not rows or any(row[place] not in (None, "") for row in rows)]
    columns, rows = [columns[place] for place in told], [[row[place] for place in told] for row in rows]
    shown = rows if len(rows) <= MOST else [*rows[: MOST - 10], *rows[-9:]]
    right = [
        all(
            row[place] is None or (isinstance(row[place], (int, float)) and not isinstance(row[place], bool))
            for row in rows
        )
        for place in range(len(columns))
    ]

    def cell(tag: str, place: int, value: str) -> str:
        is_tree = columns[place] == tree and tag == "td"
        space = "pre" if is_tree else "normal" if len(value) > 40 else "nowrap"
        style = _CELL.format(align="right" if right[place] else "left", space=space)
        family = ";font-family:monospace" if is_tree else ""
        return f'<{tag} style="{style}{family}">{escape(value)}</{tag}>'

    def line(row: Sequence[Any]) -> str:
        cells = "".join(cell("td", place, number(value)) for place, value in enumerate(row))
        return f'<tr style="background:none">{cells}</tr>'

    body = [line(row) for row in shown]
    if len(shown) < len(rows):
        left = (
            f'<tr style="background:none"><td colspan="{len(columns)}">… {len(rows) - len(shown)} more rows …</td></tr>'
        )
        body.insert(MOST - 10, left)
    head = "".join(cell("th", place, name) for place, name in enumerate(columns))
    heading = f'<div style="margin:4px 0"><b>{escape(title)}</b></div>' if title else ""
    return (
        f'<div style="overflow-x:auto">{heading}'
        f'<table style="border-collapse:collapse;border:none;font-size:inherit;font-variant-numeric:tabular-nums">'
        f'<thead><tr style="border-bottom:1px solid {_LINE};background:none">{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )
