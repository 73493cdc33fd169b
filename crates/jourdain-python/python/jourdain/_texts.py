"""Robots as texts in other formats, and what is found wrong with them."""

from __future__ import annotations

import os
import pathlib
from typing import NamedTuple

from . import _html
from ._report import Report


class Conversion(Report):
    """A robot in another format: ``str`` is the text, ``lost`` what the format cannot say.

    >>> import jourdain as jd
    >>> urdf = jd.load("planar2r").convert("urdf")
    >>> urdf.text.splitlines()[0]
    '<?xml version="1.0"?>'
    """

    @property
    def text(self) -> str:
        """The text; read again if it was written to a file."""
        text = self._document.get("text")
        return text if text is not None else pathlib.Path(self._document["file"]).read_text(encoding="utf-8")

    @property
    def lost(self) -> list[str]:
        """What the format cannot say, a sentence each."""
        return list(self._document.get("lost", ()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text to a file."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        lost = "".join(f"<li>{_html.escape(sentence)}</li>" for sentence in self.lost)
        note = f"<p>What the format cannot say:</p><ul>{lost}</ul>" if lost else ""
        return note + _html.text(self.text)


class Finding(NamedTuple):
    """Something wrong with a robot, or probably so, and its place: lines and columns count from 1."""

    severity: str
    code: str
    message: str
    hint: str | None
    link: str | None
    joint: str | None
    line: int | None
    column: int | None


class Check(Report):
    """What was found wrong with a robot. It is true if there is no error.

    >>> import jourdain as jd
    >>> found = jd.check("panda")
    >>> found.ok, found.findings
    (True, [])
    """

    _table = "diagnostics"

    @property
    def ok(self) -> bool:
        """True if there is no error; warnings do not count."""
        return bool(self._document["ok"])

    @property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the file."""
        return [Finding(**finding) for finding in self._document["diagnostics"]]

    def __bool__(self) -> bool:
        return self.ok

    def _repr_html_(self) -> str:
        if not self.findings:
            return _html.text(repr(self))
        columns = ["severity", "place", "message", "hint"]

        def place(finding: Finding) -> str:
            line = f"{finding.line}:{finding.column}" if finding.line is not None else ""
            return " ".join(part for part in (line, finding.link or finding.joint) if part)

        return _html.table(
            columns, [[found.severity, place(found), found.message, found.hint] for found in self.findings]
        )
