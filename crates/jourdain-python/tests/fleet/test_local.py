"""Fleets on threads: against one pass, the report, pools, windows, logs of all kinds."""

import json
import subprocess
import sys

import logs
import numpy as np
import pytest

import jourdain as jd
from jourdain import fleet


def test_all_shards_give_what_one_pass_gives(fleet_logs):
    result = fleet.identify("planar2r", fleet_logs / "robot-0")
    files = sorted(str(file) for file in (fleet_logs / "robot-0").iterdir())
    whole = jd.identify("planar2r", files, fit="base", outliers="keep", progress=False)
    assert list(result.parameters) == [own["name"] for own in whole["parameters"]]
    for own in whole["parameters"]:
        assert result.parameters[own["name"]] == pytest.approx(own["value"], rel=1e-9, abs=1e-12)
        assert result.deviations[own["name"]] == pytest.approx(own["deviation"], rel=1e-6)
    assert logs.adds_up(result.report) and result.report["rows"]["read"] == 8000


def test_smoothed_logs_share_one_cutoff_and_rows_add_up(tmp_path):
    for day in range(3):
        rows = logs.samples(day, count=1000)
        rows[500, 1:] = rows[499, 1:]  # a line that the device sent twice
        logs.write(tmp_path / "arm" / f"{day}.csv", rows[:, [0, 1, 2, 7, 8]], ["t", "q1", "q2", "tau1", "tau2"])
    result = fleet.identify("planar2r", tmp_path, decimate=2)
    rows = result.report["rows"]
    assert logs.adds_up(result.report) and rows["read"] == 3000
    assert rows["dropped_by"]["doubled"] == 3 and rows["dropped_by"]["edges"] > 0
    assert 1200 < rows["dropped_by"]["thinned"] < 1500
    assert result.report["cutoff_hz"] > 0 and result.report["cutoff_from"].endswith("0.csv")
    files = sorted(str(file) for file in (tmp_path / "arm").iterdir())
    cutoff = result.report["cutoff_hz"]
    whole = jd.identify(
        "planar2r", files, fit="base", outliers="keep", cutoff=cutoff, decimate=2, delay="0", progress=False
    )
    for own in whole["parameters"]:
        assert result.parameters[own["name"]] == pytest.approx(own["value"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_command_gives_the_same_bits(fleet_logs, workers):
    request = {"robot": "planar2r", "logs": [str(fleet_logs)], "threads": workers}
    document = json.loads(jd._jourdain.handle("fleet identify", json.dumps(request))[0])
    result = fleet.identify("planar2r", fleet_logs, workers=workers)
    assert result.report["robots"] == document["robots"] and result.report["rows"] == document["rows"]


def test_results_do_not_depend_on_the_order_of_names_or_on_threads(fleet_logs):
    files = sorted(fleet_logs.glob("*/*.csv"))
    first = fleet.identify("planar2r", files, workers=1)
    again = fleet.identify("planar2r", files[::-1], workers=4)
    assert first.parameters == again.parameters
    assert set(first.parameters) == {"robot-0", "robot-1"}


def test_globs_and_parquet_and_addresses(fleet_logs, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    want = fleet.identify("planar2r", str(fleet_logs / "robot-0" / "*.csv")).parameters
    memory = fsspec.filesystem("memory")
    for file in (fleet_logs / "robot-0").iterdir():
        frame = pandas.read_csv(file)
        (tmp_path / "robot-0").mkdir(exist_ok=True)
        frame.to_parquet(tmp_path / "robot-0" / f"{file.stem}.parquet")
        memory.pipe(f"/fleet/robot-0/{file.name}", file.read_bytes())
    assert fleet.identify("planar2r", tmp_path).parameters == want
    assert fleet.identify("planar2r", "memory://fleet/robot-0/*.csv").parameters == want
    with pytest.raises(jd.Error, match="no logs are like"):
        fleet.identify("planar2r", str(tmp_path / "*.mcap"))


def test_robots_that_differ_in_friction_alone_share_the_rest(tmp_path):
    frictions = [(0.2, 0.1), (0.5, 0.3), (0.9, 0.6)]
    for robot, viscous in enumerate(frictions):
        for day in range(2):
            logs.write(tmp_path / f"r{robot}" / f"{day}.csv", logs.samples(10 * robot + day, viscous=viscous))
    result = fleet.identify("planar2r", tmp_path, pool="model", individual="friction")
    for robot, viscous in enumerate(frictions):
        own = result.parameters[f"r{robot}"]
        assert own["Fv1"] == pytest.approx(viscous[0], abs=0.03) and own["Fv2"] == pytest.approx(viscous[1], abs=0.03)
        assert own["ZZ2"] == result.parameters["r0"]["ZZ2"]
    alone = fleet.identify("planar2r", tmp_path / "r0").deviations
    assert result.deviations["r0"]["ZZ2"] < alone["ZZ2"], "what is shared is known better"
    one = fleet.identify("planar2r", tmp_path, pool="model")
    assert list(one.report["robots"][0]["parameters"][0]) and len(one.report["robots"]) == 1
    with pytest.raises(jd.Error, match="none of friction"):
        fleet.identify("planar2r", tmp_path, pool="model", individual="masses")


def test_robots_of_two_models_are_identified_by_name(fleet_logs, tmp_path):
    heavier = tmp_path / "heavier.toml"
    heavier.write_text(jd.load("planar2r").convert("toml").text)
    both = fleet.identify({"robot-0": "planar2r", "robot-1": str(heavier)}, fleet_logs)
    assert both.parameters["robot-0"] == fleet.identify("planar2r", fleet_logs / "robot-0").parameters
    assert logs.adds_up(both.report)
    with pytest.raises(jd.Error, match="robot `robot-9`"):
        fleet.identify({"robot-9": "planar2r"}, fleet_logs)


def test_a_wrong_argument_is_told():
    with pytest.raises(TypeError, match="cutof"):
        fleet.identify("planar2r", "x.csv", cutof=3)
    with pytest.raises(jd.Error, match="no engine `spark`"):
        fleet.identify("planar2r", __file__, engine="spark")


def test_the_module_is_a_command(fleet_logs, tmp_path):
    command = [sys.executable, "-m", "jourdain.fleet", "identify", "planar2r", str(fleet_logs / "robot-1"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert report["robots"][0]["robot"] == "robot-1" and np.isfinite(report["robots"][0]["condition"])
    bad = subprocess.run([*command[:-2], str(tmp_path / "none.csv")], capture_output=True, text=True)
    assert bad.returncode == 2 and "none.csv" in bad.stderr


PEAK = """
import sys
from jourdain import fleet
fleet.identify("planar2r", sys.argv[1], workers=1)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak")
def test_memory_does_not_grow_with_the_length_of_a_log(tmp_path):
    peaks = []
    for count in (50_000, 150_000):
        logs.write(tmp_path / str(count) / "log.csv", logs.samples(1, count=count))
        command = [sys.executable, "-c", PEAK, str(tmp_path / str(count))]
        peaks.append(int(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    assert peaks[1] < peaks[0] + 8_000, f"{peaks} kB"
