"""``python -m jourdain.fleet identify|watch …``: as the command ``jourdain fleet``, on any engine.

The options are those of the command, and ``--engine local|dask|ray``, ``--client ADDRESS``, ``--workers N``.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .. import Error
from . import identify, watch


def parser() -> argparse.ArgumentParser:
    """The options of both commands."""
    root = argparse.ArgumentParser(prog="python -m jourdain.fleet", description="Fleets on the engine that is there.")
    commands = root.add_subparsers(dest="command", required=True)
    for name, about in (
        ("identify", "identify the robots of a fleet from many logs"),
        ("watch", "find robots that change or are unlike the others"),
    ):
        command = commands.add_parser(name, help=about, description=about)
        add = command.add_argument
        add("robot", help="built-in name or file of the model")
        add("logs", nargs="*", help="files, patterns, folders or addresses; all that the store has if there are none")
        add("--engine", choices=("local", "dask", "ray"), default="local")
        add("--client", help="address of an engine that is running")
        add("--workers", type=int, help="threads or processes to start")
        add("--store", required=name == "watch", help="folder that keeps the factors of every log")
        add("--on-error", choices=("raise", "collect"), default="raise")
        add("--pattern", help="how paths name robot and day: {robot}/{day}.csv")
        add("--column", metavar="HEADING", help="column that names the robot of each row")
        add("--from", dest="from_", metavar="DAY")
        add("--to", metavar="DAY")
        add("--cutoff", type=float, metavar="HZ")
        add("--delay", type=float, metavar="SECONDS")
        add("--decimate", type=int, metavar="N")
        add("--rate", type=float, metavar="HZ")
        add("--topic")
        add("--friction", choices=("both", "viscous", "coulomb", "none"))
        add("--armature", action="store_true", default=None)
        add("--offset", action="store_true", default=None)
        add("--json", action="store_true", help="print the report as JSON")
        if name == "identify":
            add("--pool", choices=("none", "model"), default="none")
            add("--individual", default="", help="friction, offset, payload:LINK; several with commas")
        else:
            add("--level", type=float, default=0.05)
            add("--parameters", default="", help="names, with commas")
            add("--report", metavar="FILE.html|txt")
            add("--table", metavar="FILE.parquet|csv")
            add("--plot", metavar="FILE.svg|pdf|png")
    return root


def main(arguments: list[str] | None = None) -> int:
    """Carries out a command line; 2 for bad input, 1 for robots without an estimate, as the command."""
    given: dict[str, Any] = vars(parser().parse_args(arguments))
    command, as_json = given.pop("command"), given.pop("json")
    for key in ("individual", "parameters"):
        if key in given:
            given[key] = [word for word in given[key].split(",") if word]
    given = {key: value for key, value in given.items() if value is not None}
    try:
        result = identify(**given) if command == "identify" else watch(**given)
    except Error as error:
        place = f"{error.file}: " if error.file and error.file not in error.message else ""
        print(f"error: {place}{error}", file=sys.stderr)
        return 2
    print(json.dumps(result.report) if as_json else result)
    return int(any(robot["problem"] for robot in result.report["robots"])) if command == "identify" else 0


if __name__ == "__main__":
    sys.exit(main())
