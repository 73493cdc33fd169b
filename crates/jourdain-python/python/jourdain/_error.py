"""The one exception of the package."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What is wrong, where, and what to do about it.

    Attributes
    ----------
    kind : a stable word, such as ``"unknown-link"``
    message : what is wrong
    file, line, column : the place, where there is one; lines and columns count from 1
    hint : the remedy, where one is known
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
