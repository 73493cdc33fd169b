"""Tables in memory wherever a request takes a file of samples or targets."""

from __future__ import annotations

import csv
import pathlib
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from conftest import command

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def motion() -> jd.Report:
    """A motion of a SCARA-like arm with velocities and torques."""
    return jd.load("planar2r").simulate(law="pd", trajectory="waves", duration=4.0, step=0.005, kp=[80], kd=[20])


def log(motion: jd.Report) -> dict[str, np.ndarray]:
    """Positions and torques of the motion, by groups of columns."""
    samples = motion.samples
    groups = {
        letters: np.stack([samples[f"{letters}[link{i}]"] for i in (1, 2)], axis=1) for letters in ("q", "qd", "tau")
    }
    return {"t": samples["t"], **groups}


def written(columns: dict[str, Any], file: pathlib.Path) -> pathlib.Path:
    with file.open("w", newline="") as to:
        writer = csv.writer(to)
        writer.writerow(columns)
        writer.writerows(zip(*(map(repr, map(float, column)) for column in columns.values())))
    return file


def forms(groups: dict[str, np.ndarray]) -> dict[str, Any]:
    """The same table in every form."""
    flat = {"t": groups["t"]}
    for name in ("q", "qd", "tau"):
        flat.update({f"{name}{i + 1}": groups[name][:, i] for i in range(2)})
    frame = pandas.DataFrame(flat)
    structured = np.zeros(len(flat["t"]), dtype=[("t", float), ("q", float, 2), ("qd", float, 2), ("tau", float, 2)])
    for name in structured.dtype.names:
        structured[name] = groups[name]
    return {
        "groups": groups,
        "columns": flat,
        "lists": {name: column.tolist() for name, column in flat.items()},
        "frame": frame.assign(note="a remark"),
        "frame by time": frame.set_index("t"),
        "structured": structured,
        "rows": frame.to_dict("records"),
        "float32": {
            name: column if name == "t" else column.astype(np.float32).astype(float) for name, column in flat.items()
        },
    }


@pytest.mark.parametrize("form", ["groups", "columns", "lists", "frame", "frame by time", "structured", "rows"])
def test_a_log_in_every_form_gives_what_its_file_gives(form: str, motion: jd.Report, tmp_path: pathlib.Path) -> None:
    tables = forms(log(motion))
    file = written(tables["columns"], tmp_path / "log.csv")
    robot = jd.load("planar2r")
    expected = robot.identify(file, validate=file).to_dict()
    assert expected == command("identify", "planar2r", "--data", str(file), "--validate", str(file))
    found = robot.identify(tables[form], validate=tables[form]).to_dict()
    assert found["parameters"] == expected["parameters"]
    assert found["logs"][0]["file"] == "<data>" and found["validation"]["log"]["file"] == "<validate>"
    for entry in (found["logs"][0], expected["logs"][0]):
        entry.pop("file")
    assert found["logs"] == expected["logs"]


def test_several_logs_and_motions(motion: jd.Report, tmp_path: pathlib.Path) -> None:
    robot = jd.load("planar2r")
    tables = forms(log(motion))
    file = written(tables["columns"], tmp_path / "log.csv")
    other = {name: values[1:] for name, values in tables["columns"].items()}
    second = written(other, tmp_path / "second.csv")
    expected = robot.identify([file, second]).to_dict()
    found = robot.identify([tables["frame"], second]).to_dict()
    assert found["parameters"] == expected["parameters"] and len(found["logs"]) == 2
    # A motion goes straight in: its columns have the names that logs have.
    assert robot.identify(motion).to_dict()["parameters"] == robot.identify(tables["groups"]).to_dict()["parameters"]
    assert len(robot.identify([motion, second]).to_dict()["logs"]) == 2
    with pytest.raises(jd.Error, match="same content"):
        robot.identify([motion, motion])
    assert robot.identify(motion.to_pandas()).to_dict()["parameters"] == robot.identify(motion).to_dict()["parameters"]


def test_a_shard_of_a_log_in_memory(motion: jd.Report, tmp_path: pathlib.Path) -> None:
    robot, table = jd.load("planar2r"), log(motion)
    parts = [tmp_path / f"part{i}.json" for i in (1, 2)]
    for place, part in enumerate(parts):
        robot.identify(table, shard=f"{place + 1}/2", factors=part)
    merged = robot.identify(merge=[str(part) for part in parts]).to_dict()
    # Parts keep outliers: the estimate that tells them is not known yet.
    whole = robot.identify(table, outliers="keep").to_dict()
    for a, b in zip(merged["parameters"], whole["parameters"]):
        assert a["name"] == b["name"] and a["value"] == pytest.approx(b["value"], rel=1e-9, abs=1e-9)


def test_torques_over_time(motion: jd.Report, tmp_path: pathlib.Path) -> None:
    robot = jd.load("planar2r")
    t = np.linspace(0, 1, 21)
    tau = np.stack([np.sin(t), np.cos(t)], axis=1)
    file = written({"t": t, "tau1": tau[:, 0], "tau2": tau[:, 1]}, tmp_path / "torques.csv")
    for interpolation in ("linear", "hold"):
        run = {"duration": 0.5, "interpolation": interpolation}
        expected = robot.simulate(torque=["table", str(file)], **run).to_dict()
        assert robot.simulate(torque=file, **run).to_dict() == expected
        assert robot.simulate(torque={"t": t, "tau": tau}, **run).to_dict() == expected
        assert robot.simulate(torque=["table", {"t": t, "tau": tau}], **run).to_dict() == expected
    assert robot.simulate(torque=[0.5, 0.1]).to_dict() == robot.simulate(torque=["constant", "[0.5, 0.1]"]).to_dict()
    assert robot.simulate(torque="none").to_dict() == robot.simulate().to_dict()
    # What drove a motion drives it again.
    again = robot.simulate(torque=robot.simulate(torque=[0.5, 0.1], duration=0.5), duration=0.5)
    assert again.final["q"] == robot.simulate(torque=[0.5, 0.1], duration=0.5).final["q"]
    with pytest.raises(jd.Error, match="row 2") as raised:
        robot.simulate(torque={"t": [0, 0], "tau": [[1, 2], [1, 2]]})
    assert raised.value.kind == "bad-table" and raised.value.file == "<torque>"


def test_samples_as_a_trajectory(tmp_path: pathlib.Path) -> None:
    t = np.linspace(0, 1, 101)
    q = np.stack([0.3 * np.sin(2 * t), 0.2 * np.cos(3 * t)], axis=1)
    for name in ("planar2r", "planar2r_elastic"):
        robot = jd.load(name)
        file = written({"t": t, "q1": q[:, 0], "q2": q[:, 1]}, tmp_path / "samples.csv")
        table = {"t": t, "q": q}
        expected = robot.trajectory(file, "inverse_dynamics", smoothing=0.02).to_dict()
        assert robot.trajectory(table, "inverse_dynamics", smoothing=0.02).to_dict() == expected
        law = {"law": "pd", "smoothing": 0.02, "kp": [50], "kd": [10], "duration": 0.2}
        assert robot.simulate(trajectory=table, **law).to_dict() == robot.simulate(trajectory=file, **law).to_dict()
        with pytest.raises(jd.Error, match="say how to smooth"):
            robot.trajectory(table, "inverse_dynamics")
    elastic = jd.load("planar2r_elastic").elastic
    assert (
        elastic.inverse(trajectory=table, smoothing=0.02).to_dict()
        == elastic.inverse(trajectory=file, smoothing=0.02).to_dict()
    )
    assert elastic.simulate(trajectory=table, smoothing=0.02, duration=0.1).to_dict() == (
        elastic.simulate(trajectory=file, smoothing=0.02, duration=0.1).to_dict()
    )
    curves = {"duration": 1.0, "joints": [0.1, {"polynomial": [0.0, 1.0]}]}
    assert jd.load("planar2r").trajectory(curves, "gravity", samples=3)["t"] == [0.0, 0.5, 1.0]


def test_an_exciting_motion_is_a_trajectory() -> None:
    robot = jd.load("planar2r")
    excitation = robot.excite(starts=1, steps=5)
    moved = robot.trajectory(excitation, "inverse_dynamics", samples=5).to_dict()
    assert moved == robot.trajectory(excitation["trajectory"], "inverse_dynamics", samples=5).to_dict()
    motion = robot.simulate(law="computed-torque", trajectory=excitation, duration=3.0, step=0.01)
    assert motion.tracking["largest_error"] < 1e-6


def test_targets_in_every_form(tmp_path: pathlib.Path) -> None:
    robot = jd.load("planar3r_chang")
    link = robot.link_names[-1]
    poses = robot.pose(link, np.array([[0.3, 0.4, 0.5], [0.4, 0.5, 0.6]]))
    answers = robot.ik(link, poses.tolist(), task="pose").to_dict()["results"]
    assert len(answers) == 2
    names = [f"m{i}{j}" for i in range(1, 4) for j in range(1, 5)]
    frame = pandas.DataFrame(poses[:, :3].reshape(2, 12), columns=names)
    file = written({name: frame[name] for name in names}, tmp_path / "targets.csv")
    points = poses[:, :3, 3]
    by_axis = {"x": points[:, 0], "y": points[:, 1], "z": points[:, 2]}
    alike = [
        ("pose", [poses, {"pose": poses}, frame, file]),
        ("position", [points, {"position": points}, by_axis, [dict(zip("xyz", point)) for point in points]]),
    ]
    for task, targets in alike:
        found = [[each["q"] for each in robot.ik(link, target, task=task).to_dict()["results"]] for target in targets]
        for other in found:
            np.testing.assert_allclose(other, found[0], atol=1e-9)
    # One target is a document, not a table.
    one = robot.ik(link, {"position": points[0]}).to_dict()
    assert one == robot.ik(link, points[0]).to_dict() and "results" not in one


def test_states_in_every_form() -> None:
    robot = jd.load("planar2r")
    q = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    expected = robot.eval([{"q": row} for row in q], "gravity").to_dict()
    assert len(expected) == 3
    for states in ({"q": q}, {"q1": q[:, 0], "q2": q[:, 1]}, pandas.DataFrame(q, columns=["q[link1]", "q[link2]"])):
        assert robot.eval(states, "gravity").to_dict() == expected
    # One state is a document, not a table.
    one = robot.eval({"q": q[0], "qd": [1.0, 2.0]}, "gravity").to_dict()
    assert one == expected[0]


def test_a_path_in_every_form() -> None:
    robot = jd.load("planar3r_chang")
    angle = np.linspace(0, 2 * np.pi, 9)
    points = np.stack([0.5 + 0.05 * np.cos(angle), 0.05 * np.sin(angle)], axis=1)
    expected = robot.ik_path(points.tolist()).to_dict()
    assert robot.ik_path(points).to_dict() == expected
    assert robot.ik_path({"x": points[:, 0], "y": points[:, 1]}).to_dict() == expected
    assert robot.ik_path(pandas.DataFrame(points, columns=["x", "y"])).to_dict() == expected
    assert robot.ik_path({"points": points}).to_dict() == expected


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda table: table.pop("tau"), "missing-column", "no column for torques"),
        (lambda table: table["q"].__setitem__((4, 1), np.nan), "not-finite", "<data>: row 5, column 3 .`q2`.: `NaN`"),
        (lambda table: table["t"].__setitem__(7, -1.0), "unsorted-time", "<data>: row 8: the time -1 s follows"),
        (lambda table: table.update(q3=table["t"]), None, ""),
        (lambda table: table.update(q_link1=table["t"]), "duplicate-column", "`q_link1` stands for the same"),
    ],
)
def test_errors_are_those_of_files(change: Any, kind: str | None, words: str, motion: jd.Report) -> None:
    table = {name: np.array(column) for name, column in log(motion).items()}
    change(table)
    robot = jd.load("planar2r")
    if kind is None:
        robot.identify(table)
        return
    with pytest.raises(jd.Error, match=words) as raised:
        robot.identify(table)
    assert (raised.value.kind, raised.value.file) == (kind, "<data>") and raised.value.hint


def test_columns_of_different_lengths_are_told() -> None:
    with pytest.raises(ValueError, match="column `q1` has 2 numbers, but `t` has 3"):
        jd.load("planar2r").identify({"t": [0, 1, 2], "q": [[0, 0], [1, 1]]})


def test_times_of_day_count_from_the_first(motion: jd.Report) -> None:
    frame = pandas.DataFrame(forms(log(motion))["columns"])
    dated = frame.assign(t=pandas.Timestamp("2024-05-01 12:00") + pandas.to_timedelta(frame["t"], unit="s"))
    robot = jd.load("planar2r")
    found, expected = robot.identify(dated).to_dict(), robot.identify(frame).to_dict()
    for a, b in zip(found["parameters"], expected["parameters"]):
        assert a["value"] == pytest.approx(b["value"], rel=1e-6, abs=1e-6)


def test_no_file_is_made(motion: jd.Report, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    jd.load("planar2r").identify(motion)
    assert list(tmp_path.iterdir()) == []
