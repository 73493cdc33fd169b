"""Quantities: the numbers of the command, on arrays of any leading shape, by name, with wrenches, in place."""

from __future__ import annotations

import json
import pickle
import threading

import numpy as np
import pytest
from conftest import command
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain import _jourdain

LISTED = json.loads(_jourdain.handle("quantities", "{}")[0])
WRENCH = {"link": "tool", "force": [1.0, -2.0, 3.0], "moment": [0.3, 0.2, -0.1], "force_d": [0.5, 0.0, 1.0]}


def state(robot: jd.Robot) -> dict[str, list[float]]:
    numbers = np.random.default_rng(7)
    keys = ("qd", "qdd", "qddd", "qdddd", "qd_r", "qdd_r", "qddd_r", "tau")
    vectors = {key: numbers.uniform(-1, 1, robot.nv).tolist() for key in keys}
    q = robot.neutral() + numbers.uniform(-0.2, 0.2, robot.nq)
    return {"q": q.tolist(), **vectors}


@pytest.mark.parametrize("name", ["puma560", "iiwa14", "planar2r_elastic", "floating_humanoid25"])
def test_every_quantity_is_that_of_the_command(name: str) -> None:
    robot = jd.load(name)
    link = robot.link_names[-1]
    at = state(robot)
    loaded = {**at, "wrenches": [{**WRENCH, "link": link}]}
    higher = np.random.default_rng(1).uniform(-1, 1, (4, robot.nv))
    loaded["derivatives"] = higher.tolist()
    names = [entry["name"].replace(":L", f":{link}") for entry in LISTED]
    document = command("eval", name, "--state", json.dumps(loaded), "--quantity", ",".join(names))
    for entry, full in zip(LISTED, names):
        method = getattr(robot, entry["name"].removesuffix(":L"))
        vectors = [at[key] for key in entry["inputs"] if key in at]
        keywords = {}
        if "wrenches" in entry["inputs"]:
            keywords["wrenches"] = [{**WRENCH, "link": link}]
        if "derivatives" in entry["inputs"]:
            keywords["derivatives"] = higher
        found = method(*([link] if full != entry["name"] else []), *vectors, **keywords)
        expected = np.asarray(document["quantities"][full] if "quantities" in document else document[full])
        assert found.shape == expected.shape, full
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11 * (1 + np.abs(expected).max(initial=0)), err_msg=full)


@settings(max_examples=60, deadline=None)
@given(lead=st.lists(st.integers(0, 4), max_size=3), order=st.sampled_from("CF"), kind=st.sampled_from(["f8", "f4", "i4"]))
def test_leading_shapes_orders_and_types(lead: list[int], order: str, kind: str) -> None:
    robot = jd.load("planar2r")
    numbers = np.random.default_rng(len(lead)).uniform(-3, 3, (*lead, 2)).astype(kind)
    q = np.asarray(numbers, order=order)
    found = robot.mass_matrix(q)
    assert found.shape == (*lead, 2, 2)
    flat, results = q.reshape(-1, 2), found.reshape(-1, 2, 2)
    for row, result in zip(flat, results):
        np.testing.assert_allclose(robot.mass_matrix(row), result, rtol=1e-14, atol=1e-14)


def test_one_vector_serves_many_states(iiwa14: jd.Robot) -> None:
    q = np.random.default_rng(0).uniform(-1, 1, (5, 7))
    qd = np.ones(7)
    alone = [iiwa14.inverse_dynamics(row, qd, 0 * qd) for row in q]
    np.testing.assert_allclose(iiwa14.inverse_dynamics(q, qd, np.zeros(7)), alone, atol=1e-12)


def test_results_in_place(iiwa14: jd.Robot) -> None:
    q, out = np.full(7, 0.3), np.empty((7, 7))
    assert iiwa14.mass_matrix(q, out=out) is out
    np.testing.assert_array_equal(out, iiwa14.mass_matrix(q))
    with pytest.raises(ValueError, match=r"out has shape \(7,\), but the result has \(7, 7\)"):
        iiwa14.mass_matrix(q, out=np.empty(7))
    with pytest.raises(TypeError, match="float64"):
        iiwa14.mass_matrix(q, out=np.empty((7, 7), dtype="f4"))
    with pytest.raises(ValueError, match="one piece"):
        iiwa14.mass_matrix(q, out=np.empty((7, 7)).T[::1, ::-1])
    frozen = np.empty((7, 7))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        iiwa14.mass_matrix(q, out=frozen)
    both = np.zeros(14)
    with pytest.raises(ValueError, match="overlaps"):
        iiwa14.gravity(both[:7], out=both[3:10])


def test_wrong_arguments_are_named(iiwa14: jd.Robot) -> None:
    with pytest.raises(ValueError, match=r"q has shape \(6,\), but iiwa14 needs \(…, 7\)"):
        iiwa14.mass_matrix(np.zeros(6))
    with pytest.raises(ValueError, match="qd has leading shape"):
        iiwa14.inverse_dynamics(np.zeros((2, 7)), np.zeros((3, 7)), np.zeros(7))
    with pytest.raises(TypeError, match="q is no array of numbers"):
        iiwa14.mass_matrix(["a"] * 7)
    with pytest.raises(jd.Error) as raised:
        iiwa14.mass_matrix([np.nan] + [0] * 6)
    assert "finite" in raised.value.message
    with pytest.raises(jd.Error) as raised:
        iiwa14.jacobian("tol", np.zeros(7))
    assert raised.value.kind == "unknown-link" and "tool" in (raised.value.hint or "")
    with pytest.raises(TypeError, match="wrenches"):
        iiwa14.evaluate("mass_matrix", np.zeros(7), wrenches={"tool": [0] * 6})
    with pytest.raises(AttributeError, match="mass_matricks"):
        iiwa14.mass_matricks


def test_joints_by_name() -> None:
    robot = jd.load("puma560")
    name = robot.coordinate_names[1]
    np.testing.assert_array_equal(robot.mass_matrix({name: 0.4}), robot.mass_matrix([0, 0.4, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="has no joint `nope`"):
        robot.mass_matrix({"nope": 1.0})


def test_wrenches_in_both_forms(iiwa14: jd.Robot) -> None:
    q = np.full(7, 0.2)
    zero = np.zeros(7)
    listed = [{"link": "tool", "force": [1, 2, 3], "moment": [4, 5, 6]}]
    by_link = {"tool": [1, 2, 3, 4, 5, 6]}
    plain = iiwa14.inverse_dynamics(q, zero, zero)
    felt = iiwa14.inverse_dynamics(q, zero, zero, wrenches=by_link)
    np.testing.assert_array_equal(felt, iiwa14.inverse_dynamics(q, zero, zero, wrenches=listed))
    np.testing.assert_allclose(felt - plain, iiwa14.external_forces(q, wrenches=by_link), atol=1e-12)
    many = np.arange(18.0).reshape(3, 6)
    results = iiwa14.inverse_dynamics(q, zero, zero, wrenches={"tool": many})
    for row, result in zip(many, results):
        np.testing.assert_allclose(result, iiwa14.inverse_dynamics(q, zero, zero, wrenches={"tool": row}), atol=1e-12)


def test_several_quantities_at_once(iiwa14: jd.Robot) -> None:
    both = iiwa14.compile("mass_matrix", "bias")
    assert both.arguments == ["q", "qd"]
    q, qd = np.random.default_rng(3).uniform(-1, 1, (2, 4, 7))
    mass, bias = both(q, qd)
    np.testing.assert_allclose(mass, iiwa14.mass_matrix(q), atol=1e-12)
    np.testing.assert_allclose(bias, iiwa14.bias(q, qd), atol=1e-12)


def test_families_of_any_order(iiwa14: jd.Robot) -> None:
    motion = np.random.default_rng(5).uniform(-1, 1, (5, 7))
    higher = np.zeros((3, 7))
    found = iiwa14.inverse_dynamics_d5(*motion, derivatives=higher)
    assert found.shape == (7,) and np.isfinite(found).all()


def test_pickles_are_texts(iiwa14: jd.Robot) -> None:
    again = pickle.loads(pickle.dumps(iiwa14))
    q = np.full(7, 0.1)
    np.testing.assert_array_equal(again.mass_matrix(q), iiwa14.mass_matrix(q))


def test_threads_agree(iiwa14: jd.Robot) -> None:
    q = np.random.default_rng(0).uniform(-1, 1, (2000, 7))
    expected = iiwa14.mass_matrix(q)
    wrong = []

    def work() -> None:
        for place in range(0, 2000, 50):
            if not np.array_equal(iiwa14.mass_matrix(q[place]), expected[place]):
                wrong.append(place)
        if not np.array_equal(iiwa14.mass_matrix(q), expected):
            wrong.append(-1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_arrays_of_other_libraries(iiwa14: jd.Robot) -> None:
    class Foreign:
        def __array__(self, dtype=None, copy=None):
            return np.full(7, 0.1)

    np.testing.assert_array_equal(iiwa14.mass_matrix(Foreign()), iiwa14.mass_matrix([0.1] * 7))
