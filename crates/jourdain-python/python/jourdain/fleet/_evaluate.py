"""Quantities over tables of any size: file by file, each written whole or not at all, and none twice."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from typing import Any, Sequence

from .. import _jourdain
from .._error import Error
from .._load import Subject, robot_of
from .._types import Name
from . import _files
from ._engines import Engine, open_engine


class Evaluated:
    """The tables that were written.

    Attributes
    ----------
    files : the tables, in the order of the states
    report : ``tables``, ``computed`` (the others were there already), ``states`` computed
    """

    def __init__(self, files: list[str], report: dict[str, int]) -> None:
        self.files = files
        self.report = report

    def __repr__(self) -> str:
        return f"<Evaluated: {self.report['computed']} of {self.report['tables']} tables computed>"


def evaluate(
    robot: Subject,
    states: _files.Files,
    quantities: str | Sequence[str],
    out: Name,
    *,
    engine: Engine = "local",
    client: Any = None,
    workers: int | None = None,
    format: str = "parquet",
) -> Evaluated:
    """Evaluate quantities over tables of states, file by file.

    Parameters
    ----------
    robot : a robot, or its name or file
    states : files, patterns or addresses of CSV or Parquet, with the columns that ``robot.eval`` takes
    quantities : names, such as ``"mass_matrix"`` or ``"pose:tool"``
    out : folder for the results, one table for each of states, under the same name; all workers must reach it
    engine, client, workers : as of ``identify``
    format : ``"parquet"`` or ``"csv"``

    A table that is there already, of the same states, robot and quantities, is not computed again.
    """
    if format not in ("parquet", "csv"):
        raise Error("usage", f"there is no format `{format}`", hint='"parquet" or "csv"')
    names = [quantities] if isinstance(quantities, str) else list(quantities)
    files = _files.expand(states, "states")
    folder = os.path.abspath(os.fspath(out))
    os.makedirs(folder, exist_ok=True)
    stems = [os.path.splitext(file.rstrip("/").rsplit("/", 1)[-1])[0] for file in files]
    twice = next((stem for place, stem in enumerate(stems) if stem in stems[:place]), None)
    if twice is not None:
        raise Error(
            "usage", f"two tables of states are called `{twice}`", hint="give them to runs with folders of their own"
        )
    targets = [os.path.join(folder, f"{stem}.{format}") for stem in stems]
    request = json.dumps({**robot_of(robot)._request, "quantity": names})
    runner = open_engine(engine, client, workers)
    try:
        steps = [runner.submit(table, request, file, target) for file, target in zip(files, targets)]
        counts = runner.results(steps)
    finally:
        runner.close()
    computed = [count for count in counts if count is not None]
    return Evaluated(targets, {"tables": len(files), "computed": len(computed), "states": sum(computed)})


def table(request: str, file: str, target: str) -> int | None:
    """Computes one table; ``None`` if it was there already, else how many states it has."""
    mark, note = _mark(request, file), f"{target}.done"
    if mark is not None and os.path.exists(target) and _read(note) == mark:
        return None
    if _files.is_address(file):
        with _files.copy(file) as path:
            count = _compute(request, path, target)
    else:
        count = _compute(request, file, target)
    # The table is whole; only then is it said to be there.
    partial = f"{note}.{os.getpid()}.partial"
    with open(partial, "w", encoding="utf-8") as to:
        to.write(mark or "")
        to.flush()
        os.fsync(to.fileno())
    os.replace(partial, note)
    return count


def _compute(request: str, file: str, target: str) -> int:
    fields = {**json.loads(request), "state": file, "out": target}
    document = json.loads(_jourdain.handle("eval", json.dumps(fields), None, _robot(request))[0])
    return int(document["states"])


@functools.lru_cache(maxsize=4)
def _robot(request: str) -> _jourdain.Robot:
    """The robot, read once per worker."""
    fields = json.loads(request)
    del fields["quantity"]
    return _jourdain.Robot(json.dumps(fields))


def _mark(request: str, file: str) -> str | None:
    """What a table was computed of; ``None`` if that cannot be told without reading it."""
    if _files.is_address(file):
        stamp = _files.stamp(file)
    else:
        facts = os.stat(file)
        stamp = f"{facts.st_size}-{facts.st_mtime_ns}"
    if stamp is None:
        return None
    return hashlib.sha256(f"{request}\n{file}\n{stamp}".encode()).hexdigest()


def _read(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8") as source:
            return source.read()
    except OSError:
        return None
