"""Formulas: what ``derive`` gives, to read and as source code."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any, Literal

from . import _html
from ._report import Report

Language = Literal["rust", "c", "python", "matlab", "latex", "text"]

_COMMENT = re.compile(r"^%.*\n?", re.MULTILINE)
_TABLE = re.compile(r"\\begin\{tabular\}\{(l+)\}\n(.*?)\\end\{tabular\}", re.DOTALL)
_WORD = re.compile(r"(\\texttt\{(?:\\.|[^\\}])*\})")
_LONGEST = 20_000
"""Characters of LaTeX that a notebook is given to set."""


class Code(str):
    """Source code: the text of the file that holds the functions. ``files`` has all files by name, ``save`` writes them."""

    files: dict[str, str]

    def __new__(cls, files: dict[str, str]) -> Code:
        code = super().__new__(cls, list(files.values())[-1] if files else "")
        code.files = dict(files)
        return code

    def __getnewargs__(self) -> tuple[dict[str, str]]:  # type: ignore[override]
        return (self.files,)

    def save(self, folder: str | os.PathLike[str] = ".") -> list[str]:
        """Writes all files into a folder, which is made if need be, and gives back their paths."""
        place = pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (place / name).write_text(text, encoding="utf-8")
        return [str(place / name) for name in self.files]


class Formula(Report):
    """Quantities as formulas or source code. Notebooks show formulas set; ``str`` is the text.

    >>> import jourdain as jd
    >>> gravity = jd.load("planar2r").derive("gravity", target="text")
    >>> "double" in gravity.code("c")
    True
    """

    _asks_again = True

    @property
    def sources(self) -> dict[str, str]:
        """The texts by the names of their files; empty if they were written into a folder."""
        sources = self._document.get("sources")
        if sources is not None or self._document.get("text") is None:
            return dict(sources or {})
        import tempfile

        # Of flexible arms the document has the texts of all files in one; apart they are only in a folder.

        with tempfile.TemporaryDirectory() as folder:
            again = {**self._fields, "out": folder}
            files = self._subject._carry_out(Formula, self._operation, again, False)._document["files"]
            return {pathlib.Path(file).name: pathlib.Path(file).read_text(encoding="utf-8") for file in files}

    @property
    def operations(self) -> dict[str, dict[str, int]]:
        """What one call executes, by quantity: multiplications, additions, divisions, square roots, sines with cosines."""
        return {name: dict(derived["operations"]) for name, derived in self._document["quantities"].items()}

    @property
    def latex(self) -> str:
        """The equations as LaTeX, without comments."""
        return _COMMENT.sub("", self.code("latex")).strip()

    def code(self, target: Language) -> Code:
        """The same in that language: ``"c"``, ``"rust"``, ``"python"``, ``"matlab"``, or ``"latex"`` and ``"text"`` to read."""
        sources = self.sources
        if target != self._fields.get("target") or not sources:
            again = {**self._fields, "target": target, "out": None, "force": None}
            sources = self._subject._carry_out(Formula, self._operation, again, False).sources
        return Code(sources)

    def save(self, folder: str | os.PathLike[str] = ".") -> list[str]:
        """Writes the files into a folder, which is made if need be, and gives back their paths."""
        return self.code(self._fields["target"]).save(folder)

    def __str__(self) -> str:
        return str(self.code(self._fields["target"])) or repr(self)

    def _is_read(self) -> bool:
        return self._fields.get("target") == "latex" and bool(self.sources)

    def _repr_latex_(self) -> str | None:
        latex = _TABLE.sub(_as_array, self.latex) if self._is_read() else ""
        return latex if 0 < len(latex) <= _LONGEST else None

    def _repr_html_(self) -> str | None:
        # Where there is LaTeX to set, notebooks would take HTML before it.
        if self._repr_latex_() is not None:
            return None
        sources = self.sources
        if not sources:
            return _html.text(repr(self))
        parts = [
            f"<details><summary>{_html.escape(name)}</summary>{_html.text(text)}</details>"
            for name, text in sources.items()
        ]
        columns = ["quantity", *next(iter(self.operations.values()), {})]
        rows = [[name, *counts.values()] for name, counts in self.operations.items()]
        return _html.table(columns, rows) + "".join(parts)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        for kind, value in (("text/latex", self._repr_latex_()), ("text/html", self._repr_html_())):
            if value is not None:
                bundle[kind] = value
        return bundle


def _as_array(table: re.Match[str]) -> str:
    """A table of symbols as a formula: what sets formulas in notebooks knows no ``tabular``."""
    rows = [" & ".join(map(_cell, row.removesuffix(" \\\\").split(" & "))) for row in table[2].splitlines()]
    return f"\\begin{{array}}{{{table[1]}}}\n" + " \\\\\n".join(rows) + "\n\\end{array}"


def _cell(cell: str) -> str:
    if cell.startswith("$"):
        return cell.strip("$")
    return "".join(part if part.startswith("\\texttt") else f"\\text{{{part}}}" for part in _WORD.split(cell) if part)
