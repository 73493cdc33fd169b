"""What every engine has to stand: tests that take a fixture ``runner``. ``test_dask`` and ``test_ray`` bring it."""

from __future__ import annotations

import logs
import pytest
from engines import Dying

import jourdain as jd
from jourdain import fleet


def test_the_engine_gives_the_bits_of_threads(runner, fleet_logs):
    for words in ({}, {"pool": "model"}, {"pool": "model", "individual": "friction"}):
        want = fleet.identify("planar2r", fleet_logs, **words)
        result = fleet.identify("planar2r", fleet_logs, engine=runner, **words)
        assert result.report == want.report


@pytest.mark.parametrize(("step", "times"), [("leaf", 1), ("merge", 1), ("leaf", 2)])
@pytest.mark.parametrize("kept", [False, True])
def test_a_worker_that_is_killed_changes_nothing(runner, fleet_logs, tmp_path, step, times, kept):
    want = fleet.identify("planar2r", fleet_logs)
    (tmp_path / "marks").mkdir()
    dying = Dying(runner, step, times, tmp_path / "marks")
    store = tmp_path / "store" if kept else None
    result = fleet.identify("planar2r", fleet_logs, engine=dying, store=store)
    assert dying.deaths == times, "the worker was killed"
    assert result.parameters == want.parameters and result.report["rows"] == want.report["rows"]


def damaged(folder) -> dict[str, str]:
    """Logs with all kinds of faults, and the word for each."""
    good = logs.samples(900, count=800)
    first = logs.write(folder / "robot-0" / "a.csv", good)
    text = first.read_text().splitlines()
    broken = [*text[:300], text[300][: len(text[300]) // 2]]
    (folder / "robot-0" / "truncated.csv").write_text("\n".join(broken))
    hole = logs.samples(901, count=800)
    hole[321, 3] = float("nan")
    logs.write(folder / "robot-0" / "hole.csv", hole)
    other = [name.replace("q1", "q_elbow").replace("tau2", "tau_wrist") for name in logs.COLUMNS]
    logs.write(folder / "robot-0" / "other.csv", logs.samples(902, count=800), other)
    (folder / "robot-0" / "twice.csv").write_bytes(first.read_bytes())
    whole = logs.write(folder / "whole.csv", good)
    pandas = pytest.importorskip("pandas")
    whole_parquet = folder / "robot-0" / "cut.parquet"
    pandas.read_csv(whole).to_parquet(whole_parquet)
    whole.unlink()
    whole_parquet.write_bytes(whole_parquet.read_bytes()[:5000])
    return {"truncated.csv": "", "hole.csv": "", "other.csv": "", "twice.csv": "same-samples", "cut.parquet": ""}


def test_damaged_logs_are_set_aside_with_file_row_and_reason(runner, tmp_path):
    faults = damaged(tmp_path)
    result = fleet.identify("planar2r", tmp_path, engine=runner, on_error="collect")
    aside = {fault["file"].rsplit("/", 1)[1]: fault for fault in result.report["set_aside"]}
    assert set(aside) == set(faults)
    assert aside["hole.csv"]["row"] == 323 and "321" not in aside["hole.csv"]["reason"]
    assert aside["truncated.csv"]["row"] == 301
    assert aside["twice.csv"]["kind"] == "same-samples" and "a.csv" in aside["twice.csv"]["reason"]
    assert aside["other.csv"]["kind"] == "missing-column" and "link1" in aside["other.csv"]["reason"]
    assert logs.adds_up(result.report) and result.report["rows"]["used"] == 800
    alone = fleet.identify("planar2r", tmp_path / "robot-0" / "a.csv")
    assert result.parameters == alone.parameters
    assert result.report == fleet.identify("planar2r", tmp_path, on_error="collect").report


@pytest.mark.parametrize("name", ["truncated.csv", "hole.csv", "other.csv", "cut.parquet"])
def test_damaged_logs_stop_the_run_with_the_same_words(runner, tmp_path, name):
    damaged(tmp_path)
    files = [tmp_path / "robot-0" / "a.csv", tmp_path / "robot-0" / name]
    aside = fleet.identify("planar2r", files, on_error="collect").report["set_aside"][0]
    with pytest.raises(jd.Error) as raised:
        fleet.identify("planar2r", files, engine=runner)
    assert raised.value.file == str(files[1]) and raised.value.kind == aside["kind"]
    assert aside["reason"] in raised.value.message
    assert raised.value.line == aside["row"]


def test_the_same_content_twice_is_refused_by_name(runner, tmp_path):
    damaged(tmp_path)
    files = [tmp_path / "robot-0" / name for name in ("a.csv", "twice.csv")]
    with pytest.raises(jd.Error, match="a.csv has the same content"):
        fleet.identify("planar2r", files, engine=runner)
    with pytest.raises(jd.Error, match="given twice"):
        fleet.identify("planar2r", [files[0], files[0]], engine=runner)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("order", ["in turn", "one after the other"])
def test_a_column_names_robots_as_folders_do(runner, tmp_path, ending, order):
    pandas = pytest.importorskip("pandas")
    for day in range(2):
        frames = [
            pandas.DataFrame(logs.samples(10 * robot + day, count=800), columns=logs.COLUMNS) for robot in range(3)
        ]
        for robot, frame in enumerate(frames):
            write(frame, tmp_path / "apart" / f"arm {robot}" / f"{day}.{ending}")
            frame.insert(4, "who", f"arm {robot}")
        mixed = pandas.concat(frames)
        mixed = mixed.sort_index(kind="stable") if order == "in turn" else mixed
        write(mixed, tmp_path / "mixed" / f"{day}.{ending}")
    want = fleet.identify("planar2r", tmp_path / "apart")
    words = {"engine": runner, "column": "who", "store": tmp_path / "store"}
    result = fleet.identify("planar2r", tmp_path / "mixed", **words)
    assert result.report["robots"] == want.report["robots"] and result.report["rows"] == want.report["rows"]
    assert (result.report["logs"], result.report["stored"]) == (2, 0)
    again = fleet.identify("planar2r", tmp_path / "mixed", **words)
    assert again.report["robots"] == want.report["robots"] and again.report["stored"] == 6
    # By a mapping of names, and from the store alone.
    some = fleet.identify({"arm 1": "planar2r"}, tmp_path / "mixed", engine=runner, column="who")
    assert some.parameters == want.parameters["arm 1"]
    assert fleet.identify("planar2r", store=tmp_path / "store").report["robots"] == want.report["robots"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_damage_in_the_rows_of_one_robot_is_its_own(runner, tmp_path, ending):
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame(logs.samples(robot, count=800), columns=logs.COLUMNS) for robot in range(3)]
    for name, frame in zip(["a", "b", "c"], frames):
        frame.insert(0, "who", name)
    mixed = pandas.concat(frames).sort_index(kind="stable").reset_index(drop=True)
    mixed.loc[3 * 200 + 1, "q1"] = None
    mixed.loc[3 * 300 + 2, "who"] = None
    write(mixed, tmp_path / f"cell.{ending}")
    result = fleet.identify("planar2r", tmp_path, engine=runner, column="who", on_error="collect")
    aside = {fault["robot"]: fault for fault in result.report["set_aside"]}
    heading = 1 if ending == "csv" else 0
    assert aside["b"]["row"] == 602 + heading and aside["b"]["rows"] == 800
    assert aside[""]["kind"] == "unnamed-robot" and aside[""]["row"] == 903 + heading and aside[""]["rows"] == 1
    assert logs.adds_up(result.report) and result.report["rows"]["read"] == 2400
    assert result.robots["a"]["problem"] is None and result.robots["b"]["problem"]["kind"] == "no-logs"
    with pytest.raises(jd.Error, match="have no name in column `who`"):
        fleet.identify("planar2r", tmp_path, engine=runner, column="who")
    with pytest.raises(jd.Error, match="no column `arm`"):
        fleet.identify("planar2r", tmp_path, engine=runner, column="arm")


def write(frame, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        frame.to_csv(path, index=False, float_format="%.17g")
    else:
        frame.to_parquet(path, index=False, row_group_size=500)


def test_a_robot_without_a_good_log_is_told(runner, tmp_path):
    logs.write(tmp_path / "good" / "a.csv", logs.samples(1, count=800))
    (tmp_path / "ill").mkdir()
    (tmp_path / "ill" / "b.csv").write_text("t,q1\n0,nothing\n")
    result = fleet.identify("planar2r", tmp_path, engine=runner, on_error="collect")
    assert result.robots["ill"]["problem"]["kind"] == "no-logs" and result.robots["ill"]["parameters"] == []
    assert result.robots["good"]["problem"] is None


def test_a_late_log_joins_what_the_store_has(runner, tmp_path):
    folder = tmp_path / "logs"
    logs.fleet(folder, robots=1, days=3, count=800)
    fleet.identify("planar2r", folder, engine=runner, store=tmp_path / "store")
    logs.write(folder / "robot-0" / "2026-01-00.csv", logs.samples(55, count=800))
    result = fleet.identify("planar2r", folder, engine=runner, store=tmp_path / "store")
    assert result.report["stored"] == 3
    assert result.parameters == fleet.identify("planar2r", folder).parameters


def test_tables_are_the_same_whoever_computes_them(runner, tmp_path):
    rows = logs.samples(3, count=200)[:, :7]
    for part in range(3):
        logs.write(tmp_path / "in" / f"{part}.csv", rows[60 * part : 60 * part + 60], logs.COLUMNS[:7])
    names = ["mass_matrix", "inverse_dynamics"]
    ours = fleet.evaluate("planar2r", str(tmp_path / "in" / "*.csv"), names, tmp_path / "a", engine=runner)
    fleet.evaluate("planar2r", str(tmp_path / "in" / "*.csv"), names, tmp_path / "b", format="parquet")
    for file in ours.files:
        name = file.rsplit("/", 1)[1]
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
