"""Moving pictures of results: the operation is carried out again, with a file to animate into."""

from __future__ import annotations

import base64
import os
import pathlib
from typing import Any

from . import _html
from ._report import Report
from ._types import Name, Progress

_IMAGES = {".svg": "svg+xml", ".gif": "gif", ".png": "png", ".apng": "png"}


class Animation(Report):
    """An animation in a file; notebooks show it."""

    def _repr_html_(self) -> str | None:
        file = pathlib.Path(self._document["file"])
        if not file.is_file():
            return super()._repr_html_()
        if file.suffix.lower() in _IMAGES:
            data = base64.b64encode(file.read_bytes()).decode()
            kind = _IMAGES[file.suffix.lower()]
            return (
                f'<img src="data:image/{kind};base64,{data}" alt="{_html.escape(repr(self))}" style="max-width:100%">'
            )
        page = _html.escape(file.read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:none"></iframe>'


class Animated(Report):
    """A result that moves."""

    _asks_again = True

    def animate(
        self,
        path: Name,
        *,
        frame_rate: int | None = None,
        frame_width: int | None = None,
        playback_speed: float | None = None,
        magnify: float | None = None,
        progress: Progress = True,
    ) -> Animation:
        """Writes the motion as a moving picture: a page (.html), a picture that moves (.svg), a GIF or an animated PNG.

        Args:
            path: The file to write; its ending says as what.
            frame_rate: Pictures per second of the animation, 1 to 60.
            frame_width: Width of a GIF or PNG, 160 to 1920 pixels.
            playback_speed: Seconds of the motion in a second of the animation.
            magnify: Draw deflections of flexible links so many times as large as they are.
            progress: Show how far it is; or a function that is told, from 0 to 1.
        """
        showing: dict[str, Any] = {
            "animate": os.fspath(path),
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
            "magnify": magnify,
        }
        asked = {key: value for key, value in showing.items() if value is not None}
        self._subject._carry_out(Report, self._operation, {**self._fields, **asked}, progress)
        file = os.fspath(path)
        return Animation(f"{self._operation} --animate", {"file": file}, file, None)
