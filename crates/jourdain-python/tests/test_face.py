"""What a robot is made of, how it is shown, kept and compared, and where warnings point."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import jourdain as jd

BUILT_IN = [entry["name"] for entry in jd.robots()]


@pytest.mark.parametrize("name", BUILT_IN)
def test_parts_are_those_of_the_native_form(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jd.Warning)
        robot = jd.load(name)
    file = json.loads(robot.convert("json").text)
    assert [link.name for link in robot.links] == [link["name"] for link in file["link"]] == list(robot.names.links)
    assert robot.mass == pytest.approx(sum(link.get("mass", 0.0) for link in file["link"]))
    moving = [link for link in file["link"] if link.get("joint", {"type": "fixed"})["type"] != "fixed"]
    assert [joint.name for joint in robot.joints] == [link["joint"].get("name", link["name"]) for link in moving]
    lower, upper, velocity, effort = robot.limits
    assert lower.shape == upper.shape == (robot.nq,) and velocity.shape == effort.shape == (robot.nv,)
    for joint, link in zip(robot.joints, moving):
        said = link["joint"]
        assert (joint.parent, joint.child) == (link.get("parent", "base"), link["name"])
        assert (joint.velocity, joint.effort) == (said.get("velocity", np.inf), said.get("effort", np.inf))
        if joint.mimic is not None:
            assert joint.mimic.joint == said["mimic"]["joint"] and joint.q.start == joint.q.stop
            continue
        names = robot.coordinate_names[joint.q]
        assert names and all(entry.partition(".")[0] == joint.name for entry in names)
        assert np.all(velocity[joint.v] == joint.velocity) and np.all(effort[joint.v] == joint.effort)
        ends = said.get("limits", [-np.inf, np.inf])
        assert [joint.lower, joint.upper] == ends
        if len(names) == 1:
            assert [lower[joint.q].item(), upper[joint.q].item()] == ends


def test_records_are_found_by_name_and_cannot_be_changed() -> None:
    robot = jd.load("panda")
    assert robot.links["link3"] is robot.links[2] and "link3" in robot.links and "elbow" not in robot.joints
    with pytest.raises(KeyError, match="no link 'elbow', but link1"):
        robot.links["elbow"]
    with pytest.raises(ValueError, match="read-only"):
        robot.limits.lower[0] = 0
    np.testing.assert_allclose(robot.links["link1"].inertia, robot.links["link1"].inertia.T)
    frame = robot.joints.to_pandas()
    assert frame.loc["link4", "upper"] == robot.joints["link4"].upper


def test_states_have_names(tmp_path) -> None:
    text = jd.load("planar2r").text + '\n[[state]]\nname = "home"\nq = { link1 = 0.3, link2 = "-pi/2" }\n'
    robot = jd.from_text(text)
    np.testing.assert_allclose(robot.states["home"], [0.3, -np.pi / 2])
    assert robot.names.states == ("home",)
    robot.states["home"][0] = 9
    assert robot.states["home"][0] == 0.3


def test_robots_are_kept_copied_and_compared_by_their_description() -> None:
    robot, again, other = jd.load("ur5e"), jd.load("ur5e"), jd.load("ur5")
    assert robot == again and hash(robot) == hash(again) and robot != other and robot != "ur5e"
    assert len({robot, again, other}) == 2
    for kept in (pickle.loads(pickle.dumps(robot)), copy.copy(robot), copy.deepcopy(robot)):
        assert kept == robot
        np.testing.assert_array_equal(kept.mass_matrix([0.1] * 6), robot.mass_matrix([0.1] * 6))
    assert robot.edit() == robot and robot.edit(lock={"elbow_joint": 0.3}).nv == 5


def test_a_robot_that_was_read_before_warns_no_more() -> None:
    text = jd.load("planar2r").text.replace("limits = [-3.141592653589793, 3.141592653589793], ", "")
    with pytest.warns(jd.Warning, match="the robot has 2 warnings; jourdain.check shows them"):
        robot = jd.from_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pickle.loads(pickle.dumps(robot))
        copy.deepcopy(robot)


@pytest.mark.parametrize(
    "call", ["jd.from_text(text)", "jd.load('planar2r').edit(floating=True)", "jd.convert(path, 'urdf')"]
)
def test_warnings_point_at_the_callers_line(tmp_path, call: str) -> None:
    text = jd.load("planar2r").text.replace("limits = [-3.141592653589793, 3.141592653589793], ", "")
    (tmp_path / "arm.toml").write_text(text)
    program = tmp_path / "program.py"
    program.write_text(
        f"import jourdain as jd\npath = {str(tmp_path / 'arm.toml')!r}\ntext = open(path).read()\n\n{call}\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert f"{program}:5: Warning: " in done.stderr, done.stderr


def test_trees_are_shown_short_and_had_in_full() -> None:
    small, large = (
        jd.load("panda"),
        jd.from_dh([[0, 0.1, 0, 0]] * 60, "modified", mass=[1.0] * 60, inertia=[[1, 0, 0, 1, 0, 1]] * 60),
    )
    assert repr(small) == small.tree and "└─ tool" in repr(small)
    assert len(repr(large).split("\n")) <= 41 < len(large.tree.split("\n"))
    assert "more lines, which robot.tree has" in repr(large)


def test_html_shows_every_link_and_escapes_its_name() -> None:
    robot = jd.load("a1")
    page = robot._repr_html_()
    assert all(name in page for name in robot.link_names) and "−0.802851" in page
    text = jd.load("planar2r").text.replace("link1", "<b>&one")
    page = (
        jd.from_text(text)._repr_html_()
        + jd.from_text(text).links._repr_html_()
        + (jd.from_text(text).info()._repr_html_() or "")
    )
    assert "&lt;b&gt;&amp;one" in page and "<b>&" not in page


def test_the_package_shows_what_it_has() -> None:
    assert dir(jd) == jd.__all__
    assert all(getattr(jd, name).__doc__ for name in jd.__all__)
    assert issubclass(jd.Warning, UserWarning)


def test_errors_are_kept() -> None:
    with pytest.raises(jd.Error) as raised:
        jd.from_text('name = "arm"\n[[link]]\nname = "a"\nmas = 1\n')
    error = pickle.loads(pickle.dumps(raised.value))
    assert (error.kind, error.line, error.column, error.hint) == ("unknown-key", 4, 1, raised.value.hint)
    assert "(line 4, column 1)" in str(error)


def test_importing_is_light() -> None:
    program = (
        "import sys, numpy\nbefore = set(sys.modules)\nimport jourdain\n"
        "heavy = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(heavy & {'pandas', 'xarray', 'matplotlib', 'tqdm', 'jax', 'torch', 'IPython'}))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == ""
