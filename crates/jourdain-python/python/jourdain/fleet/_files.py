"""Files and where they lie: on the disk, or behind an address that fsspec can open (``s3://``, ``gs://``, ``https://`` …)."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import tempfile
from typing import Any, Generator, Iterable, Union

from .._error import Error
from .._types import Name

Files = Union[Name, Iterable[Name]]
"""One file, pattern, folder or address, or several."""

ENDINGS = (".csv", ".parquet", ".mcap")
_PIECE = 1 << 20


def is_address(file: str) -> bool:
    """True of what is not on the disk."""
    return "://" in file


def is_empty(given: Files) -> bool:
    """True if no files are named at all."""
    return isinstance(given, (list, tuple)) and not given


def expand(given: Files, what: str = "logs") -> list[str]:
    """The files that names, patterns and addresses stand for; folders stay as they are."""
    names = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    found: list[str] = []
    for name in names:
        text = os.fspath(name)
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is no name of a file")
        matches = _expand_one(text)
        if not matches:
            raise Error("no-logs", f"no {what} are like `{text}`", file=text)
        found.extend(matches)
    return found


def _expand_one(name: str) -> list[str]:
    has_pattern = any(mark in name for mark in "*?[")
    if not is_address(name):
        # What is there under that very name is meant.
        return sorted(glob.glob(name, recursive=True)) if has_pattern and not os.path.exists(name) else [name]
    system, path = _system(name)
    protocol = name.split("://", 1)[0]
    if has_pattern:
        paths = system.glob(path)
    elif system.isdir(path):
        paths = [entry for entry in system.find(path) if entry.lower().endswith(ENDINGS)]
    else:
        return [name]
    return sorted(f"{protocol}://{str(entry).split('://', 1)[-1]}" for entry in paths)


def stamp(address: str) -> str | None:
    """What tells, without reading it, that what is behind an address is as it was."""
    system, path = _system(address)
    facts = system.info(path)
    version = facts.get("ETag") or facts.get("etag") or facts.get("LastModified") or facts.get("mtime")
    return None if version is None else f"{facts.get('size')}-{version}"


@contextlib.contextmanager
def copy(address: str) -> Generator[str, None, None]:
    """What is behind an address, on the disk for a while; it is copied piece by piece."""
    system, path = _system(address)
    with tempfile.TemporaryDirectory(prefix="jourdain-") as folder:
        here = os.path.join(folder, path.rstrip("/").rsplit("/", 1)[-1] or "log")
        try:
            with system.open(path, "rb") as source, open(here, "wb") as target:
                shutil.copyfileobj(source, target, _PIECE)
        except FileNotFoundError as error:
            raise Error("cannot-read", f"cannot read the log: {error}", file=address) from None
        yield here


def _system(address: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        hint = "pip install fsspec, and what it needs for this kind of address (s3fs, gcsfs …)"
        raise Error("missing-package", f"`{address}` needs the package fsspec", hint=hint) from None
    try:
        system, path = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise Error("missing-package", f"`{address}` cannot be opened: {error}", file=address) from None
    return system, path
