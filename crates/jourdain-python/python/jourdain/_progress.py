"""How far an operation is: a bar, or a function of the caller's."""

from __future__ import annotations

import warnings
from typing import Any, Callable

_DELAY = 1.0
"""Seconds before a bar is worth showing."""


class Bar:
    """A bar of tqdm if that is installed and the work takes a while, or a function of the caller's."""

    def __init__(self, operation: str, progress: bool | Callable[[float], Any]) -> None:
        self._operation = operation
        self._told = progress if callable(progress) else None
        self._bar: Any = None
        self._wanted = progress is True

    def __enter__(self) -> Callable[[float], None] | None:
        return self if self._wanted or self._told else None

    def __call__(self, share: float) -> None:
        if self._told:
            self._told(share)
        elif self._wanted:
            if self._bar is None:
                self._bar = self._open()
            if self._bar is not None:
                self._show(share)

    def _open(self) -> Any:
        try:
            with warnings.catch_warnings():
                # A notebook without widgets gets a bar of text; that is no reason to warn.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            self._wanted = False
            return None
        form = "{desc} {percentage:3.0f} % |{bar}| {elapsed}"
        return tqdm(total=100, desc=self._operation, leave=False, delay=_DELAY, bar_format=form)

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if self._told and kind is None:
            self._told(1.0)
        if self._bar is not None:
            if kind is None:
                self._show(1.0)
                if self._bar.format_dict["elapsed"] >= _DELAY:
                    self._bar.refresh()
            self._bar.close()

    def _show(self, share: float) -> None:
        # Sums of many small steps would not end at 100.
        self._bar.n = max(self._bar.n, round(100 * share, 2))
        self._bar.update(0)
