"""The one exception of the package, and its one warning."""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import Any

_COMMAND = re.compile("`jourdain check [^`]*` shows")
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Warning(UserWarning):
    """What may not be as the caller thinks, such as flaws of a robot file."""


class Error(Exception):
    """What is wrong, where, and what to do about it.

    Attributes
    ----------
    kind : a stable word, such as ``"unknown-link"``
    message : what is wrong
    file, line, column : the place, where there is one; lines and columns count from 1
    hint : the remedy, where one is known

    Examples
    --------
    >>> import jourdain as jd
    >>> try:
    ...     jd.load("panda", lock={"elbow": 0.3})
    ... except jd.Error as error:
    ...     print(error.message)
    --lock elbow=0.3: there is no joint `elbow`
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
        so_far: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.hint = hint
        self._so_far = so_far

    def __str__(self) -> str:
        place = "" if self.line is None else f" (line {self.line}, column {self.column})"
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{self.message}{place}{hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.kind, self.message, self.file, self.line, self.column, self.hint, self._so_far)


def _again(kind: str, message: str, file: Any, line: Any, column: Any, hint: Any, so_far: Any) -> Error:
    return Error(kind, message, file=file, line=line, column=column, hint=hint, so_far=so_far)


def warn(text: str) -> None:
    """Warns of something; the place is the line outside the package that led here. The engine calls it."""
    # The engine speaks of the command, to which a text without a name is standard input.
    text = _COMMAND.sub("jourdain.check shows", text)
    text = f"the robot{text[1:]}" if text.startswith("- ") else text
    level, frame = 1, sys._getframe()
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(_HERE):
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(text, Warning, stacklevel=level)
