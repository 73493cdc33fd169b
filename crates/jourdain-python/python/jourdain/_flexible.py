"""Planar arms with flexible links."""

from __future__ import annotations

import os
from typing import Any, Callable

from ._operations import FlexibleOperations
from ._report import Report
from ._request import carry_out


class FlexibleArm(FlexibleOperations):
    """A planar arm with flexible links: a built-in name, a file, or a dict as the native form has it.

    >>> import jourdain as jd
    >>> arm = jd.FlexibleArm("two_link_flexible")
    >>> len(arm.modes()["links"])
    2
    """

    def __init__(self, arm: str | os.PathLike[str] | dict[str, Any]) -> None:
        self._arm = os.fspath(arm) if isinstance(arm, os.PathLike) else arm
        # What is wrong with the file is said at once.
        self.modes(progress=False)

    def _carry_out(self, operation: str, fields: dict[str, Any], progress: bool | Callable[[float], Any]) -> Report:
        return carry_out(operation, {"arm": self._arm, **fields}, progress)

    def __repr__(self) -> str:
        return repr(self.modes(progress=False))

    def _repr_html_(self) -> str:
        return self.modes(progress=False)._repr_html_()
