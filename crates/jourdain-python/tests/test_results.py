"""Results: what they have is what the command prints; tables, pictures and texts hold the same numbers."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import pathlib
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from conftest import command
from jourdain import _jourdain, _report

HERE = pathlib.Path(__file__).parent.parent
LINE = {"duration": 2, "joints": [{"polynomial": [0.1, 1, -0.4]}, {"polynomial": [0.5, -0.3]}]}


@pytest.fixture(scope="module")
def robot() -> jd.Robot:
    return jd.load("planar2r")


@pytest.fixture(scope="module")
def arm() -> jd.FlexibleArm:
    return jd.FlexibleArm("two_link_flexible")


@pytest.fixture(scope="module")
def log(tmp_path_factory: Any) -> pathlib.Path:
    """A log of torques with noise along an exciting motion."""
    robot = jd.load("planar2r")
    t = np.linspace(0, 10, 501)
    q, qd, qdd = robot.excite(starts=1, steps=20).at(t)
    tau = robot.inverse_dynamics(q, qd, qdd) + np.random.default_rng(1).normal(0, 0.05, q.shape)
    file = tmp_path_factory.mktemp("logs") / "log.csv"
    names = ["t", *(f"{kind}[{joint}]" for kind in ("q", "qd", "qdd", "tau") for joint in robot.names.joints)]
    np.savetxt(file, np.column_stack([t, q, qd, qdd, tau]), delimiter=",", header=",".join(names), comments="")
    return file


def generate() -> Any:
    spec = importlib.util.spec_from_file_location("generate", HERE / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_operation_has_its_place() -> None:
    made = generate()
    places: dict[str, list[Any]] = {entry["name"]: [] for entry in jd.schema().to_dict()}
    owners = {"Robot": jd.Robot, "Elastic": type(jd.load("planar2r").elastic), "Flexible": jd.FlexibleArm}
    for owner, (_, group, members) in made.RECEIVERS.items():
        for name, (_, result) in members.items():
            found = getattr(owners[owner], made.python(name, group))
            assert inspect.signature(found).return_annotation == result
            places[name].append(found)
    for name in [*made.LISTS, *made.ALIASES, *made.BY_HAND]:
        places[name].append(getattr(jd, made.python(name)))
    for name in made.ON_ENGINES:
        places[name].append(getattr(importlib.import_module("jourdain.fleet"), made.python(name, "fleet ")))
    assert [name for name, found in places.items() if not found] == []


def schemas(name: str) -> list[dict[str, Any]]:
    """The forms that a report may have."""
    schema = json.loads(_jourdain.handle("schema", json.dumps({"operation": [name]}))[0])["report"]

    def resolved(form: dict[str, Any]) -> list[dict[str, Any]]:
        if form.get("anyOf"):
            return [found for option in form["anyOf"] for found in resolved(option)]
        if "$ref" in form:
            return resolved(schema["$defs"][form["$ref"].rsplit("/", 1)[1]])
        return [form]

    return resolved(schema)


def test_tables_are_lists_of_records_in_the_schema() -> None:
    made, checked = generate(), 0
    classes = {
        name: getattr(importlib.import_module(f"jourdain.{module}"), name)
        for module, names in made.MODULES.items()
        for name in names
        if name != "R"
    }
    entries = [
        (name, classes[result]) for _, _, members in made.RECEIVERS.values() for name, (_, result) in members.items()
    ]
    for name, kind in [*entries, ("check", jd.Check)]:
        if kind._table is None:
            continue
        fields = [
            form["properties"][kind._table] for form in schemas(name) if kind._table in (form.get("properties") or {})
        ]
        assert fields and all(field["type"] == "array" and "$ref" in field["items"] for field in fields), name
        checked += 1
    assert checked >= 8


def test_documents_are_those_of_the_command(robot: jd.Robot, arm: jd.FlexibleArm, log: pathlib.Path) -> None:
    elastic = jd.load("planar2r_elastic")
    line = json.dumps(LINE)
    cases: list[tuple[jd.Report, tuple[str, ...]]] = [
        (jd.robots(), ("robots",)),
        (jd.robots("legged"), ("robots", "--kind", "legged")),
        (jd.arms(), ("arms",)),
        (jd.quantities(), ("quantities",)),
        (jd.schema("ik"), ("schema", "ik")),
        (jd.check("panda"), ("check", "panda")),
        (robot.info(), ("info", "planar2r")),
        (robot.scene(), ("scene", "planar2r")),
        (jd.load("iiwa14", payload={"link7": 2}).scene(), ("scene", "iiwa14", "--payload", "link7=2")),
        (
            robot.eval({"q": [0.1, 0.2]}, "gravity"),
            ("eval", "planar2r", "--state", '{"q":[0.1,0.2]}', "--quantity", "gravity"),
        ),
        (robot.derive("gravity", target="rust"), ("derive", "planar2r", "--quantity", "gravity", "--target", "rust")),
        (robot.base_parameters(), ("base-parameters", "planar2r")),
        (robot.identify(log), ("identify", "planar2r", "--data", str(log))),
        (robot.excite(starts=1, steps=5), ("excite", "planar2r", "--starts", "1", "--steps", "5")),
        (robot.ik("tool", [0.5, 0.5]), ("ik", "planar2r", "--link", "tool", "--target", "[0.5,0.5]")),
        (robot.ik_path([[0.5, 0.5], [0.5, 0.4]]), ("ik-path", "planar2r", "--path", "[[0.5,0.5],[0.5,0.4]]")),
        (robot.convert("mjcf"), ("convert", "planar2r", "--to", "mjcf")),
        (
            robot.trajectory(LINE, "gravity", samples=3),
            ("trajectory", "planar2r", "--trajectory", line, "--quantity", "gravity", "--samples", "3"),
        ),
        (elastic.elastic.linearise(), ("elastic", "linearise", "planar2r_elastic")),
        (
            elastic.elastic.inverse(trajectory="waves", samples=3),
            ("elastic", "inverse", "planar2r_elastic", "--trajectory", "waves", "--samples", "3"),
        ),
        (arm.modes(details=True), ("flexible", "modes", "two_link_flexible", "--details")),
        (arm.modes(payload=[0.3, 0.001]), ("flexible", "modes", "two_link_flexible", "--payload", "0.3,0.001")),
        (arm.linearise(), ("flexible", "linearise", "two_link_flexible")),
        (
            arm.simulate("fig5", duration=0.05),
            ("flexible", "simulate", "two_link_flexible", "--scenario", "fig5", "--duration", "0.05"),
        ),
    ]
    for report, words in cases:
        assert report.to_dict() == command(*words), words
        assert pickle.loads(pickle.dumps(report)).to_dict() == report.to_dict()


def test_documents_are_not_shared(robot: jd.Robot) -> None:
    report = robot.base_parameters()
    report.to_dict()["parameters"][0]["value"] = 99.0
    report["parameters"][0]["value"] = 99.0
    report.parameters[0]["value"] = 99.0
    report.matrix[0, 0] = 99.0
    assert report == robot.base_parameters() and report.vector[0] == 1.75
    motion = robot.simulate(duration=0.01)
    motion.q[:] = 7
    motion.samples["t"][:] = 7
    assert motion.t[-1] == pytest.approx(0.01) and np.all(np.abs(motion.q) < 1)


def test_base_parameters_regroup(robot: jd.Robot) -> None:
    base = robot.base_parameters()
    frame = base.to_pandas()
    assert list(frame.index) == base.names and frame.loc["ZZR1", "formula"] == "ZZ1 + 0.25 m2"
    assert frame["unit"].tolist() == ["kg m", "kg m", "kg m²", "kg m", "kg m", "kg m²"]
    assert jd.load("scara").base_parameters().to_pandas().loc["mR3", "unit"] == "kg"
    standard = np.zeros(len(base.labels))
    for place, label in enumerate(base.labels):
        standard[place] = {
            "m1": 2.0,
            "m2": 1.5,
            "mX1": 1.0,
            "mX2": 0.6,
            "ZZ1": 0.5,
            "YY1": 0.5,
            "ZZ2": 0.24,
            "YY2": 0.24,
        }.get(label, 0.0)
    np.testing.assert_allclose(base.regroup(standard), base.vector, atol=1e-12)
    np.testing.assert_allclose(
        base.regroup(np.stack([standard, 2 * standard])), [base.vector, 2 * base.vector], atol=1e-12
    )
    with pytest.raises(ValueError, match=r"standard has shape \(3,\), expected \(…, 30\)"):
        base.regroup([1, 2, 3])
    # The regressor times these parameters is the torque.
    state = np.array([0.3, -0.2]), np.array([0.5, 0.1]), np.array([-1.0, 2.0])
    np.testing.assert_allclose(robot.base_regressor(*state) @ base.vector, robot.inverse_dynamics(*state), atol=1e-12)
    assert base.to_latex().startswith("\\begin{align*}") and base.to_latex().count("&=") == base.count


def test_formulas_in_every_language(robot: jd.Robot, arm: jd.FlexibleArm, tmp_path: pathlib.Path) -> None:
    formula = robot.derive("mass_matrix")
    latex = formula._repr_latex_()
    assert latex is not None and latex == formula.latex and latex.startswith("\\begin{align*}") and "%" not in latex
    assert formula._repr_html_() is None and set(formula._repr_mimebundle_()) == {"text/plain", "text/latex"}
    code = formula.code("python")
    space: dict[str, Any] = {}
    exec(code, space)
    q = np.array([0.4, -0.7])
    np.testing.assert_allclose(space["mass_matrix"](q), robot.mass_matrix(q), atol=1e-12)
    assert list(formula.code("c").files) == ["planar2r.h", "planar2r.c"] and '#include "planar2r.h"' in formula.code(
        "c"
    )
    assert "fn mass_matrix" in formula.code("rust") and "function" in formula.code("matlab")
    assert formula.code("c").save(tmp_path / "made") == [
        str(tmp_path / "made" / name) for name in ("planar2r.h", "planar2r.c")
    ]
    assert (tmp_path / "made" / "planar2r.c").read_text() == formula.code("c")
    assert formula.operations == {"mass_matrix": {"mul": 4, "add": 5, "div": 0, "sqrt": 0, "sincos": 1}}
    written = robot.derive("mass_matrix", target="c", out=tmp_path / "asked")
    assert written.sources == {} and written.code("c") == formula.code("c") and written.latex == formula.latex
    assert "details" in (robot.derive("gravity", target="c")._repr_html_() or "")
    tip = arm.derive("tip")
    assert tip.latex.startswith("\\begin{align*}") and tip.latex in tip.text
    assert list(tip.code("c").files) == [
        "two_link_flexible.h",
        "two_link_flexible.c",
    ] and "void two_link_flexible_tip" in tip.code("c")
    assert pickle.loads(pickle.dumps(formula)).latex == formula.latex


def test_identification(robot: jd.Robot, log: pathlib.Path) -> None:
    found = jd.identify(robot, log, validate=log)
    base = robot.base_parameters()
    np.testing.assert_allclose(
        found.estimates[: base.count], base.vector, atol=6 * found.deviations[: base.count].max()
    )
    assert list(found.to_pandas().index) == found.names and set(found.errors) == {"link1", "link2"}
    assert 0 < found.errors["link2"] < 0.05
    assert "validation log" in (found._repr_html_() or "")


def test_exciting_motions_are_what_their_trajectory_says(robot: jd.Robot) -> None:
    motion = jd.excite("planar2r", starts=1, steps=20)
    t = np.linspace(0, 10, 7)
    q, qd, qdd = motion.at(t)
    along = robot.trajectory(motion.trajectory, "inverse_dynamics", times=t)
    np.testing.assert_allclose(along.arrays["inverse_dynamics"], robot.inverse_dynamics(q, qd, qdd), atol=1e-9)
    assert motion.at(0.5)[0].shape == (2,)
    assert np.all(q >= robot.limits.lower) and np.all(q <= robot.limits.upper)


def test_evaluations_in_every_form(robot: jd.Robot) -> None:
    pytest.importorskip("xarray")
    along = jd.trajectory(robot, LINE, ["mass_matrix", "kinetic_energy"], samples=5)
    t = along.t
    q = np.stack([0.1 + t - 0.4 * t**2, 0.5 - 0.3 * t], axis=-1)
    np.testing.assert_allclose(along.arrays["mass_matrix"], robot.mass_matrix(q), atol=1e-12)
    frame, data = along.to_pandas(), along.to_xarray()
    np.testing.assert_array_equal(frame["mass_matrix[0][1]"], along.arrays["mass_matrix"][:, 0, 1])
    assert frame.index.name == "t" and data["mass_matrix"].dims[0] == "t" and data["kinetic_energy"].dims == ("t",)
    states = robot.eval([{"q": [0.1, 0.2]}, {"q": [0.3, 0.4]}], "gravity")
    np.testing.assert_allclose(states.arrays["gravity"], robot.gravity([[0.1, 0.2], [0.3, 0.4]]))
    assert list(states.to_pandas().index) == [0, 1]
    one = robot.eval([0.1, 0.2], "gravity")
    assert one.arrays["gravity"].shape == (2,) and len(one.to_pandas()) == 1
    with pytest.raises(TypeError, match="one state is no curve"):
        one.plot()


def test_motions_in_every_form(robot: jd.Robot) -> None:
    pytest.importorskip("xarray")
    motion = robot.simulate(duration=0.05, state={"q": [0.3, -0.2]})
    frame, data = motion.to_pandas(), motion.to_xarray()
    np.testing.assert_array_equal(frame["q[link2]"], motion.q[:, 1])
    np.testing.assert_array_equal(data["q"].sel(joint="link2"), motion.q[:, 1])
    assert data["qd"].attrs["units"] == "rad/s" and data["energy"].dims == ("t",)
    data = jd.load("a1").simulate(duration=0.01).to_xarray()
    assert data["q"].shape == (11, 19) and data["qd"].shape == (11, 18) and data["qd"].dims == data["tau"].dims
    assert "q" in dir(motion) and "law" in dir(motion)


def test_solutions_have_positions(robot: jd.Robot) -> None:
    one = robot.ik("tool", [0.5, 0.5])
    assert one.solved is True and one.status == "solved" and one.q.shape == (2,)
    np.testing.assert_allclose(robot.pose("tool", one.q)[:2, 3], [0.5, 0.5], atol=1e-9)
    many = robot.ik("tool", [[0.5, 0.5], [5.0, 5.0]])
    assert many.solved.tolist() == [True, False] and many.q.shape == (2, 2) and many.status[1] == "unreachable"
    assert len(many.to_pandas()) == 2 and "unreachable" in (many._repr_html_() or "")
    every = jd.load("planar3r_chang").ik("tool", [1.2, 0.6], all=True)
    assert every.q.shape == (4, 3)
    path = jd.load("planar3r_chang").ik_path([[1.2, 0.6 - 0.1 * k] for k in range(4)])
    assert path.to_xarray()["q"].dims == ("point", "coordinate") and path.to_xarray()["q"].sel(
        coordinate="link2"
    ).shape == (4,)


def test_conversions_and_checks(robot: jd.Robot, tmp_path: pathlib.Path) -> None:
    solid = jd.load("scara")
    q = [0.1, 0.7, 0.05, 0.3]
    for to in ("urdf", "mjcf", "sdf", "toml", "json", "screws"):
        text = jd.convert(solid, to)
        text.save(tmp_path / "arm")
        assert (tmp_path / "arm").read_text() == text.text == str(text)
        np.testing.assert_allclose(jd.load(tmp_path / "arm").mass_matrix(q), solid.mass_matrix(q), atol=1e-12)
    written = robot.convert(out=tmp_path / "arm.urdf")
    assert written.text == robot.convert("urdf").text
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(robot.text.replace("mass = 1.5", "mass = -1.5"))
    found = jd.check(wrong)
    errors = [finding for finding in found.findings if finding.severity == "error"]
    assert not found and not found.ok and errors[0].code == "negative-mass" and errors[0].link == "link2"
    assert wrong.read_text().split("\n")[errors[0].line - 1].startswith("mass = -1.5")  # type: ignore[operator]
    assert jd.check(robot) and jd.check("panda") and "negative" in (found._repr_html_() or "")
    assert len(found.to_pandas()) == len(found.findings)


def test_xacro_is_expanded(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm"><xacro:arg name="m" default="1"/>'
        '<link name="base"><inertial><mass value="$(arg m)"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    assert 'value="2.5"' in jd.expand(file, arguments={"m": 2.5}).text
    out = tmp_path / "arm.urdf"
    jd.expand(file, out=out)
    assert 'value="1"' in out.read_text()


def test_linear_systems(arm: jd.FlexibleArm) -> None:
    for small in (jd.load("planar2r_elastic").elastic.linearise(), arm.linearise()):
        np.testing.assert_allclose(np.sort(np.abs(small.poles)), np.sort(np.abs(np.linalg.eigvals(small.A))), atol=2e-2)
    modes = arm.modes()
    assert [len(link) for link in modes.frequencies] == [2, 2] and len(modes.to_pandas()) == 4
    table = arm.modes(payload_scales=[0, 1, 2])
    assert len(table.frequencies) == 3 and len(table.to_pandas()) == 3


def test_what_is_no_table_or_picture_says_so(robot: jd.Robot) -> None:
    with pytest.raises(TypeError, match="`convert` is no table"):
        robot.convert("urdf").to_pandas()
    with pytest.raises(TypeError, match="`base-parameters` has no arrays over time"):
        robot.base_parameters().to_xarray()
    with pytest.raises(TypeError, match="`info` has no picture"):
        robot.info().plot()


def test_missing_packages_are_named(robot: jd.Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="needs the package pandas, which is not installed: pip install pandas"):
        robot.base_parameters().to_pandas()


def test_lists_are_lists() -> None:
    listed = jd.robots()
    assert "panda" in listed and "nobody" not in listed and listed[0]["name"] == "a1"
    assert len(listed) == len(list(listed)) == len(listed.to_pandas()) and "<table" in (listed._repr_html_() or "")


def test_animations_are_shown(arm: jd.FlexibleArm, tmp_path: pathlib.Path) -> None:
    shown = arm.animate("fig5", tmp_path / "arm.svg", duration=0.1)
    assert "data:image/svg+xml;base64," in (shown._repr_html_() or "")
    page = arm.animate("fig5", tmp_path / "arm.html", duration=0.1)
    assert "srcdoc=" in (page._repr_html_() or "")


def test_results_that_move_are_animated(robot: jd.Robot, arm: jd.FlexibleArm, tmp_path: pathlib.Path) -> None:
    moved = robot.simulate(duration=0.2).animate(tmp_path / "robot.png", frame_rate=5, frame_width=160)
    assert "data:image/png;base64," in (moved._repr_html_() or "")
    arm.modes().animate(tmp_path / "modes.gif", frame_rate=5, frame_width=160)
    assert (tmp_path / "modes.gif").read_bytes()[:6] == b"GIF89a"
    robot.ik_path([[0.5, 0.5], [0.5, 0.4]]).animate(tmp_path / "path.html")
    assert "</html>" in (tmp_path / "path.html").read_text()
    with pytest.raises(jd.Error, match="frame-rate"):
        robot.simulate(duration=0.2).animate(tmp_path / "none.gif", frame_rate=0)


def test_dicts_are_arms() -> None:
    link = {"length": 0.5, "density": 0.2, "rigidity": 1.0, "modes": 2, "hub": {"mass": 0.0, "inertia": 0.1}}
    arm = jd.FlexibleArm({"name": "one", "link": [link]})
    assert arm.name == "one" and len(arm.modes().frequencies[0]) == 2
    assert arm == jd.FlexibleArm({"name": "one", "link": [dict(link)]}) and hash(arm) == hash(
        pickle.loads(pickle.dumps(arm))
    )


def test_reports_are_what_notebooks_show() -> None:
    program = "import jourdain as jd\nprint(jd.load('planar2r').ik('tool', [0.5, 0.5]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith("planar2r, tool: solved") and "\x1b" not in done.stdout
    assert issubclass(jd.Motion, _report.Report)
