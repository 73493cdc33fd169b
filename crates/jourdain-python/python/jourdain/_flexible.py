"""Planar arms with flexible links."""

from __future__ import annotations

import copy
import os
from typing import Any, Mapping

from ._operations import FlexibleOperations
from ._report import R
from ._request import carry_out
from ._types import Name, Progress


class FlexibleArm(FlexibleOperations):
    """A planar arm with flexible links: a built-in name, a file, or a dict as the native form has it.

    >>> import jourdain as jd
    >>> arm = jd.FlexibleArm("two_link_flexible")
    >>> len(arm.modes()["links"])
    2
    """

    def __init__(self, arm: Name | Mapping[str, Any]) -> None:
        self._arm: Any = os.fspath(arm) if isinstance(arm, os.PathLike) else copy.deepcopy(arm)
        # What is wrong with the file is said at once.
        self.modes(progress=False)

    @property
    def name(self) -> str:
        """Its name, as it was asked for."""
        if isinstance(self._arm, Mapping):
            return str(self._arm.get("name", "arm"))
        return os.path.splitext(os.path.basename(self._arm))[0] if "\n" not in self._arm else "arm"

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        return kind._of(carry_out(operation, {"arm": self._arm, **fields}, progress), self, fields)

    def __eq__(self, other: object) -> bool:
        return self._arm == other._arm if isinstance(other, FlexibleArm) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self._arm))

    def __repr__(self) -> str:
        return repr(self.modes(progress=False))

    def _repr_html_(self) -> str | None:
        return self.modes(progress=False)._repr_html_()
