"""Robots from tables and screws: the same as from files that say the same."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import jourdain as jd

DH = ("alpha", "a", "theta", "d")


def description(name: str) -> dict[str, Any]:
    """A built-in robot in the native form."""
    return json.loads(jd.load(name).convert("json").text)


def same(one: jd.Robot, other: jd.Robot, link: str, seed: int = 3) -> None:
    """They move and weigh the same."""
    random = np.random.default_rng(seed)
    q, qd, qdd = random.normal(size=(3, 5, one.nv))
    np.testing.assert_allclose(one.pose(link, q), other.pose(link, q), atol=1e-12)
    np.testing.assert_allclose(
        one.inverse_dynamics(q, qd, qdd), other.inverse_dynamics(q, qd, qdd), rtol=1e-10, atol=1e-9
    )


@pytest.mark.parametrize("name", ["panda", "ur5e", "puma560", "stanford"])
def test_tables_in_every_form_give_the_robot_of_the_file(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    file = description(name)
    links = [link for link in file["link"] if "dh" in link and link["joint"]["type"] != "fixed"]
    chain = jd.from_text(json.dumps({**file, "link": links}))
    last = links[-1]["name"]
    convention = file["dh"]
    order = DH if convention == "modified" else ("theta", "d", "a", "alpha")
    more = {
        "joints": "".join(link["joint"]["type"][0].upper() for link in links),
        "names": [link["name"] for link in links],
        "mass": [link.get("mass", 0.0) for link in links],
        "com": [link.get("com", [0, 0, 0]) for link in links],
        "inertia": [link.get("inertia", [0] * 6) for link in links],
        "gravity": file["gravity"],
    }
    if any("motor" in link for link in links):
        dicts = [{**link, **link["dh"], "dh": None} for link in links]
        rows = [{key: value for key, value in row.items() if value is not None} for row in dicts]
        same(jd.from_dh(rows, convention, gravity=file["gravity"]), chain, last)
        chain = jd.from_text(
            json.dumps({**file, "link": [{k: v for k, v in link.items() if k != "motor"} for link in links]})
        )
    table = [[link["dh"].get(key, 0.0) for key in order] for link in links]
    frame = pandas.DataFrame(table, columns=list(order))[list(DH)]
    forms = [
        jd.from_dh(table, convention, **more),
        jd.from_dh(np.array(table), convention, **more),
        jd.from_dh([dict(zip(order, row)) for row in table], convention, **more),
        jd.from_dh(frame, convention, **more),
        jd.from_dh([row[::-1] for row in table], convention, columns=order[::-1], **more),
    ]
    for robot in forms:
        same(robot, chain, last)
        assert robot == forms[0]
    matrices = [[[i[0], i[1], i[2]], [i[1], i[3], i[4]], [i[2], i[4], i[5]]] for i in more["inertia"]]
    assert jd.from_dh(table, convention, **{**more, "inertia": matrices}) == forms[0]


def test_what_is_said_of_a_table_is_there() -> None:
    pose = np.array([[0, -1, 0, 0.1], [0, 0, -1, 0.2], [1, 0, 0, 0.3], [0, 0, 0, 1.0]])
    rows = [
        {"alpha": "pi/2", "d": 0.4, "limits": [-1, 2], "effort": 5.0, "name": "turn", "mass": 1.0},
        {"a": 0.3, "type": "P"},
    ]
    robot = jd.from_dh(rows, "modified", tool_pose=pose, name="two", limits=[None, (0, 0.5)], gravity=[0, 0, -1.6])
    assert robot.name == "two" and [joint.type for joint in robot.joints] == ["revolute", "prismatic"]
    np.testing.assert_array_equal(robot.limits.lower, [-1, 0])
    np.testing.assert_array_equal(robot.limits.effort, [5, np.inf])
    at = np.linalg.inv(robot.pose("link2", [0.3, 0.1])) @ robot.pose("tool", [0.3, 0.1])
    np.testing.assert_allclose(at, pose, atol=1e-14)


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="row 1 of table has 3 numbers, expected 4: alpha, a, theta, d"):
        jd.from_dh([[0, 0, 0, 1], [0, 0, 0]], "modified")
    with pytest.raises(ValueError, match="expected 'modified' or 'standard'"):
        jd.from_dh([[0, 0, 0, 1]], "craig")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="names has 2 entries, but the table has 1 rows"):
        jd.from_dh([[0, 0, 0, 1]], "modified", names=["a", "b"])
    with pytest.raises(jd.Error) as raised:
        jd.from_dh([{"alpha": 0, "alfa": 1}], "modified")
    assert raised.value.kind == "unknown-key"


@pytest.mark.parametrize("name", ["planar2r", "puma560", "panda", "scara"])
def test_screws_and_the_matrices_of_the_book_give_the_robot_back(name: str) -> None:
    robot = jd.load(name, no_friction=True)
    book = json.loads(robot.convert("screws").text)["modern_robotics"]
    gravity = description(name)["gravity"]
    S, B = np.array(book["Slist"]).T, np.array(book["Blist"]).T
    bare = {
        **description(name),
        "link": [{k: v for k, v in link.items() if k != "motor"} for link in description(name)["link"]],
    }
    witness = jd.from_text(json.dumps(bare))
    more = {"Mlist": book["Mlist"], "Glist": book["Glist"], "gravity": gravity}
    for arm in [
        jd.from_screws(book["M"], S, **more),
        jd.from_screws(book["M"], book["Slist"], **more),
        jd.from_screws(book["M"], B, frame="body", **more),
        jd.from_screws(None, S, **more),
    ]:
        same(arm, witness, "tool")


def test_inertias_of_the_book_may_be_about_another_point() -> None:
    """A body's 6×6 inertia moved to another frame is the same body."""
    mass, com, about = 2.0, np.array([0.1, -0.2, 0.3]), np.diag([0.02, 0.03, 0.04])
    cross = np.array([[0, -com[2], com[1]], [com[2], 0, -com[0]], [-com[1], com[0], 0]])
    G = np.block([[about + mass * cross @ cross.T, mass * cross], [mass * cross.T, mass * np.eye(3)]])
    at = np.eye(4)
    at[:3, 3] = [0.5, 0, 0]
    arm = jd.from_screws(None, [[0, 0, 1, 0, 0, 0]], Mlist=[at, np.eye(4)], Glist=[G])
    np.testing.assert_allclose(arm.links[0].com, at[:3, 3] + com, atol=1e-15)
    np.testing.assert_allclose(arm.links[0].inertia, about, atol=1e-15)
    assert arm.mass == 2.0


def test_screws_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match=r"S has shape \(2, 6\), expected \(6, n\)"):
        jd.from_screws(np.eye(4), np.zeros((2, 6)))
    with pytest.raises(ValueError, match="M is no pose"):
        jd.from_screws(2 * np.eye(4), [[0, 0, 1, 0, 0, 0]])
    with pytest.raises(ValueError, match="Glist needs Mlist"):
        jd.from_screws(np.eye(4), [[0, 0, 1, 0, 0, 0]], Glist=[np.eye(6)])
    with pytest.raises(ValueError, match="Mlist has 1 entries, but there are 1 screws, so expected 2"):
        jd.from_screws(None, [[0, 0, 1, 0, 0, 0]], Mlist=[np.eye(4)])
