"""Identification of a fleet: the plan is the kit's, the engine runs it."""

from __future__ import annotations

import json
import os
from typing import Any, Literal, Mapping, Sequence

from .. import _jourdain
from .._error import Error
from .._load import Subject, robot_of
from .._types import Name
from . import _files, _steps
from ._engines import Engine, Runner, open_engine
from ._result import Result


def identify(
    robot: Subject | Mapping[str, Subject],
    logs: _files.Files = (),
    *,
    engine: Engine = "local",
    client: Any = None,
    store: Name | None = None,
    on_error: Literal["raise", "collect"] = "raise",
    pattern: str | None = None,
    column: str | None = None,
    pool: Literal["none", "model"] = "none",
    individual: str | Sequence[str] = (),
    from_: str | None = None,
    to: str | None = None,
    workers: int | None = None,
    **settings: Any,
) -> Result:
    """Identify the robots of a fleet from many logs.

    Parameters
    ----------
    robot : the model, as a robot, a name or a file; or models by the names of robots, if there are several
    logs : files, patterns, folders or addresses (fsspec) of CSV, Parquet or MCAP; all that the store has if there are none
    engine : ``"local"`` (threads), ``"dask"``, ``"ray"``, or a client of Dask; results are the same to the last bit
    client : of an engine that is running: a client or its address; without it workers on this machine are started
    store : folder that keeps the factors of every log; all workers must reach it
    on_error : ``"collect"`` sets damaged logs aside, with file, row and reason in the report
    pattern : how paths name robot and day, ``"{robot}/{day}.csv"``; without it the folder names the robot, the file the day
    column : heading of a column that names the robot of each row, for logs of several robots
    pool : ``"model"`` if all robots have the same parameters
    individual : with a pool, what each robot has for itself: ``"friction"``, ``"offset"``, ``"payload:LINK"``
    from_, to : first and last day that count
    workers : threads or processes that are started
    settings : how logs are read, for all alike: ``cutoff``, ``delay``, ``decimate``, ``rate``, ``topic``, ``friction``,
        ``armature``, ``offset``, ``base``, ``column_delay``, ``snap``
    """
    check_settings("identify", settings)
    given = {
        "logs": [] if _files.is_empty(logs) else _files.expand(logs),
        "pattern": pattern,
        "column": column,
        "store": None if store is None else os.path.abspath(os.fspath(store)),
        "on_error": on_error,
        "from": from_,
        "to": to,
        **settings,
    }
    pooling = {"pool": pool, "individual": [individual] if isinstance(individual, str) else list(individual)}
    given = {key: value for key, value in given.items() if value is not None}
    plans = [_plan(subject, given, pooling) for subject, _ in _models(robot)]
    runner = open_engine(engine, client, workers)
    try:
        plans = [_split(plan, names, on_error, runner) for plan, (_, names) in zip(plans, _models(robot))]
        _check_names(robot, plans)
        results = [_run(plan, pooling, on_error, runner) for plan in plans]
    finally:
        runner.close()
    return results[0] if len(results) == 1 else _together(results)


_SETTINGS = frozenset("rate cutoff delay decimate topic base offset friction armature column_delay snap".split())


def check_settings(function: str, settings: Mapping[str, Any]) -> None:
    """What is no setting is an argument that a function does not have."""
    unknown = sorted(set(settings) - _SETTINGS)
    if unknown:
        raise TypeError(f"{function}() has no argument {unknown[0]!r}; settings are {', '.join(sorted(_SETTINGS))}")


def fill(
    robot: Subject, given: Mapping[str, Any], engine: Engine, client: Any, on_error: str, workers: int | None
) -> None:
    """Reads the logs that a store does not have yet."""
    plan = _plan(robot, {key: value for key, value in given.items() if value is not None}, {})
    runner = open_engine(engine, client, workers)
    try:
        plan = _choose(_split(plan, None, on_error, runner))
        leaves = _leaves(plan, on_error, runner)
        runner.results([runner.submit(_steps.outcome, leaf) for leaf in leaves])
    finally:
        runner.close()


def _models(robot: Subject | Mapping[str, Subject]) -> list[tuple[Subject, list[str] | None]]:
    """Models, and the robots that are of each; ``None`` for all there are."""
    if not isinstance(robot, Mapping):
        return [(robot, None)]
    by_model: dict[Any, list[str]] = {}
    subjects: dict[Any, Subject] = {}
    for name, subject in robot.items():
        key = subject if isinstance(subject, (str, os.PathLike)) else id(subject)
        by_model.setdefault(key, []).append(name)
        subjects[key] = subject
    if not by_model:
        raise Error("usage", "there are no robots")
    return [(subjects[key], names) for key, names in by_model.items()]


def _plan(subject: Subject, given: Mapping[str, Any], pooling: Mapping[str, Any]) -> dict[str, Any]:
    request = {**robot_of(subject)._request, **given, **pooling}
    plan: dict[str, Any] = json.loads(_jourdain.fleet_plan(json.dumps(request)))
    for shard in plan["shards"]:
        if _files.is_address(shard["file"]):
            shard["stamp"] = _files.stamp(shard["file"])
    return plan


def _split(plan: dict[str, Any], names: list[str] | None, on_error: str, runner: Runner) -> dict[str, Any]:
    """The plan with the rows of each robot in the place of logs of several, and the robots of these names alone."""
    how = json.dumps(on_error)
    unnamed = [json.dumps(shard) for shard in plan["shards"] if shard["column"] is not None and not shard["robot"]]
    if unnamed:
        found = runner.results([runner.submit(_steps.named, shard, plan["store"], how) for shard in unnamed])
        plan = json.loads(_jourdain.fleet_split(json.dumps(plan), f"[{','.join(found)}]"))
    if names is not None:
        plan["shards"] = [shard for shard in plan["shards"] if shard["robot"] in names]
    return plan


def _check_names(robot: Subject | Mapping[str, Subject], plans: Sequence[Mapping[str, Any]]) -> None:
    """Every robot that was named has logs."""
    if isinstance(robot, Mapping):
        found = {shard["robot"] for plan in plans for shard in plan["shards"]}
        missing = sorted(set(robot) - found)
        if missing:
            raise Error(
                "no-logs",
                f"no log is of robot `{missing[0]}`",
                hint="logs name their robots by folder, pattern or column",
            )


def _run(plan: dict[str, Any], pooling: Mapping[str, Any], on_error: str, runner: Runner) -> Result:
    plan = _choose(plan)
    recipe, store = json.dumps(plan["recipe"]), plan["store"]
    how, pool = json.dumps(on_error), json.dumps(pooling)
    leaves = _leaves(plan, on_error, runner)
    outcomes = runner.results([runner.submit(_steps.outcome, leaf) for leaf in leaves])
    arranged, text = _jourdain.fleet_arrange(f"[{','.join(outcomes)}]", pool, how)
    tree = json.loads(arranged)
    # Numbers below that of the logs are logs, the others merges before.
    nodes = leaves
    for merge in tree["merges"]:
        nodes.append(runner.submit(_steps.merge, recipe, store, *(nodes[place] for place in merge)))
    estimates = _estimates(tree, nodes, recipe, store, pool, how, runner)
    report, words = _jourdain.fleet_report(json.dumps(plan), text, f"[{','.join(estimates)}]")
    return Result(json.loads(report), words, store)


def _leaves(plan: Mapping[str, Any], on_error: str, runner: Runner) -> list[Any]:
    recipe, store, how = json.dumps(plan["recipe"]), plan["store"], json.dumps(on_error)
    return [runner.submit(_steps.leaf, recipe, json.dumps(shard), store, how) for shard in plan["shards"]]


def _estimates(
    tree: Mapping[str, Any],
    nodes: Sequence[Any],
    recipe: str,
    store: str | None,
    pool: str,
    how: str,
    runner: Runner,
) -> list[str]:
    pooling, fleet = json.loads(pool), _steps.ready(recipe)
    if pooling["pool"] == "model" and not pooling["individual"]:
        name = json.loads(recipe)["name"]
        if tree["model"] is None:
            return [fleet.without_logs(name)]
        return runner.results([runner.submit(_steps.estimate, recipe, store, name, how, nodes[tree["model"]])])
    robots = [(entry["robot"], entry["root"]) for entry in tree["robots"]]
    there = [(robot, root) for robot, root in robots if root is not None]
    if pooling["pool"] == "model":
        parts = [runner.submit(_steps.condense, recipe, store, robot, nodes[root]) for robot, root in there]
        together = json.loads(fleet.pooled(runner.results(parts), pool))
        found = {entry["robot"]: json.dumps(entry) for entry in together}
    else:
        solved = [runner.submit(_steps.estimate, recipe, store, robot, how, nodes[root]) for robot, root in there]
        found = dict(zip((robot for robot, _ in there), runner.results(solved)))
    return [found[robot] if robot in found else fleet.without_logs(robot) for robot, _ in robots]


def _choose(plan: dict[str, Any]) -> dict[str, Any]:
    """The plan with everything chosen: as the store has it, else from the first log that can be read."""
    text, first = json.dumps(plan), None
    for place, shard in enumerate(plan["shards"]):
        try:
            file = shard["file"]
            kept = plan["store"] is not None and os.path.exists(os.path.join(plan["store"], "recipe.json"))
            if kept or not _files.is_address(file):
                chosen = _jourdain.fleet_choose(text, place, file)
            else:
                with _files.copy(file) as path:
                    chosen = _jourdain.fleet_choose(text, place, path)
        except Error as error:
            first = first or error
        else:
            document: dict[str, Any] = json.loads(chosen)
            return document
    raise first or Error("no-logs", "there are no logs")


def _together(results: Sequence[Result]) -> Result:
    """Results of several models as one."""
    reports = [result.report for result in results]
    rows = {key: sum(report["rows"][key] for report in reports) for key in ("read", "used", "dropped", "set_aside")}
    reasons = reports[0]["rows"]["dropped_by"]
    by = {key: sum(report["rows"]["dropped_by"][key] for report in reports) for key in reasons}
    report = {
        "models": reports,
        "logs": sum(report["logs"] for report in reports),
        "stored": sum(report["stored"] for report in reports),
        "rows": {**rows, "dropped_by": by},
        "robots": [robot for report in reports for robot in report["robots"]],
        "set_aside": [fault for report in reports for fault in report["set_aside"]],
    }
    return Result(report, "\n\n".join(str(result) for result in results))
