"""Quantities: the numbers of the command, on arrays of any leading shape, by name, with wrenches, in place."""

from __future__ import annotations

import functools
import inspect
import json
import os
import pathlib
import pickle
import threading
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import jourdain as jd
from conftest import command
from jourdain import _jourdain

LISTED = json.loads(_jourdain.handle("quantities", "{}")[0])
WRENCH = {"link": "tool", "force": [1.0, -2.0, 3.0], "moment": [0.3, 0.2, -0.1], "force_d": [0.5, 0.0, 1.0]}


def state(robot: jd.Robot) -> dict[str, list[float]]:
    numbers = np.random.default_rng(7)
    keys = ("qd", "qdd", "qddd", "qdddd", "qd_r", "qdd_r", "qddd_r", "tau")
    vectors = {key: numbers.uniform(-1, 1, robot.nv).tolist() for key in keys}
    q = robot.neutral() + numbers.uniform(-0.2, 0.2, robot.nq)
    return {"q": q.tolist(), **vectors}


# Coupled joints, and joints of every type.
GOOD = pathlib.Path(__file__).parents[3] / "suite" / "good"
FILES = [str(GOOD / "mimic_chain.toml"), str(GOOD / "every_joint.toml")]


@pytest.mark.filterwarnings("ignore::jourdain.Warning")
@pytest.mark.parametrize("name", ["puma560", "iiwa14", "planar2r_elastic", "floating_humanoid25", *FILES])
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
        of_link = [link] if full != entry["name"] else []
        found = method(*of_link, *vectors, **keywords)
        expected = np.asarray(document["quantities"][full] if "quantities" in document else document[full])
        assert found.shape == expected.shape, full
        np.testing.assert_allclose(
            found, expected, rtol=1e-9, atol=1e-11 * (1 + np.abs(expected).max(initial=0)), err_msg=full
        )
        many = {"derivatives": np.stack([higher] * 3)} if "derivatives" in keywords else {}
        batch = method(*of_link, *(np.stack([vector] * 3) for vector in vectors), **{**keywords, **many})
        np.testing.assert_array_equal(batch, np.broadcast_to(found, batch.shape), err_msg=full)


NO_JOINTS = "name = 'block'\n[[link]]\nname = 'box'\nparent = 'base'\njoint = {type = 'fixed'}\nmass = 1.0\n"

# Turning joints, a sliding one, a free base, elastic ones.
ROBOTS = ["planar2r", "scara", "floating_humanoid25", "planar2r_elastic"]
QUANTITIES = ["mass_matrix", "inverse_dynamics", "gravity", "forward_dynamics", "pose", "kinetic_energy"]


@functools.cache
def known(name: str) -> jd.Robot:
    return jd.load(name)


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(ROBOTS),
    quantity=st.sampled_from(QUANTITIES),
    lead=st.lists(st.integers(0, 4), max_size=3),
    order=st.sampled_from("CF"),
    kind=st.sampled_from(["f8", "f4", "i4", ">f8"]),
    single=st.sets(st.integers(0, 2)),
    in_place=st.booleans(),
    loaded=st.sampled_from([None, "one", "many"]),
    seed=st.integers(0, 1000),
)
def test_arrays_of_all_sorts(
    name: str,
    quantity: str,
    lead: list[int],
    order: str,
    kind: str,
    single: set[int],
    in_place: bool,
    loaded: str | None,
    seed: int,
) -> None:
    """What an array gives is what its rows give one by one, given as plain vectors."""
    robot = known(name)
    entry = next(entry for entry in LISTED if entry["name"].removesuffix(":L") == quantity)
    numbers = np.random.default_rng(seed)
    first = [robot.link_names[-1]] if entry["name"].endswith(":L") else []
    vectors = []
    for place, key in enumerate(key for key in entry["inputs"] if key not in ("wrenches", "derivatives")):
        # One vector among many holds for all of them; the first always has the leading shape.
        shape = () if place in single - {0} else lead
        length = robot.nq if key == "q" else robot.nv
        vector = numbers.uniform(-2, 2, (*shape, length))
        if key == "q" and kind == "i4":
            vector[...] = np.round(vector) + np.round(robot.neutral())
        vectors.append(np.asarray(vector.astype(kind), order=order))
    keywords: dict[str, Any] = {}
    if loaded and "wrenches" in entry["inputs"]:
        shape = lead if loaded == "many" else []
        keywords["wrenches"] = {
            robot.link_names[-1]: numbers.uniform(-1, 1, (*shape, 6)),
            robot.link_names[1]: np.ones(6),
        }
    size = tuple({"nv": robot.nv, "nq": robot.nq}.get(axis, axis) for axis in entry["shape"])
    out = np.full((*lead, *map(int, size)), np.nan)
    method = getattr(robot, quantity)
    # A quaternion of whole numbers may be zero.
    assume(
        kind != "i4"
        or robot.nq == robot.nv
        or all(np.linalg.norm(row[3:7]) > 0 for row in vectors[0].reshape(-1, robot.nq))
    )
    found = method(*first, *vectors, **keywords, **({"out": out} if in_place else {}))
    assert found.shape == out.shape and (not in_place or found is out)
    for at in np.ndindex(*lead):
        row = [np.array(vector[at] if vector.ndim > 1 else vector, dtype="f8") for vector in vectors]
        wrenches = {link: load[at] if load.ndim > 1 else load for link, load in keywords.get("wrenches", {}).items()}
        alone = method(*first, *row, **({"wrenches": wrenches} if wrenches else {}))
        np.testing.assert_array_equal(found[at], alone, err_msg=f"{name} {quantity} {at}")


def test_wrenches_in_every_form_are_the_same(iiwa14: jd.Robot) -> None:
    q, both = np.full(7, 0.3), [0.3, 0.2, -0.1, 1.0, -2.0, 3.0]
    parts = {"force": both[3:], "moment": both[:3]}
    forms: list[Any] = [
        {"tool": parts},
        types.MappingProxyType({"tool": parts}),
        [{"link": "tool", **parts}],
        ({"link": "tool", **parts},),
    ]
    expected = iiwa14.external_forces(q, wrenches=forms[0])
    assert np.abs(expected).max() > 0.1
    for form in forms[1:]:
        np.testing.assert_array_equal(iiwa14.external_forces(q, wrenches=form), expected)
    six = [iiwa14.external_forces(q, wrenches={"tool": order}) for order in (both, both[3:] + both[:3])]
    assert any(np.array_equal(found, expected) for found in six)


def test_wrenches_that_are_none_are_refused(iiwa14: jd.Robot) -> None:
    cases: list[tuple[Any, type[Exception], str]] = [
        (3.0, TypeError, "wrenches must be a dict from link names to six numbers, or a list of dicts as in a state"),
        ([[0.0] * 6], TypeError, "a wrench in a list must be a dict with `link`, `force`, `moment`"),
        ([{"force": [0.0] * 3}], KeyError, "a wrench has no `link`"),
        ({7: [0.0] * 6}, TypeError, "a link's name must be a text, not 7"),
        ({"tool": {"torque": [0.0] * 3}}, ValueError, "a wrench has no `torque`, but force, moment"),
        (
            {"tool": {"force": [0.0] * 2}},
            ValueError,
            r"force of the wrench on tool has shape \(2,\), but needs \(…, 3\)",
        ),
        ({"tool": [0.0] * 5}, ValueError, r"the wrench on tool has shape \(5,\), but needs \(…, 6\)"),
    ]
    for wrenches, kind, message in cases:
        with pytest.raises(kind, match=message):
            iiwa14.external_forces(np.zeros(7), wrenches=wrenches)


def test_a_robot_without_joints() -> None:
    robot = jd.from_text(NO_JOINTS)
    assert (robot.nq, robot.nv) == (0, 0)
    assert robot.mass_matrix(np.zeros(0)).shape == (0, 0)
    assert robot.mass_matrix(np.zeros((3, 0))).shape == (3, 0, 0)
    assert robot.inverse_dynamics([], [], []).shape == (0,)
    assert robot.pose("box", []).shape == (4, 4)
    np.testing.assert_array_equal(robot.pose("box", np.zeros((5, 0))), np.broadcast_to(np.eye(4), (5, 4, 4)))


def test_batches_longer_than_a_block_of_wrenches(iiwa14: jd.Robot) -> None:
    count = (1 << 14) + 100
    numbers = np.random.default_rng(4)
    q, loads = numbers.uniform(-1, 1, (count, 7)), numbers.uniform(-1, 1, (count, 6))
    zero = np.zeros(7)
    found = iiwa14.inverse_dynamics(q, zero, zero, wrenches={"tool": loads})
    for k in (0, 1, (1 << 14) - 1, 1 << 14, count - 1):
        alone = iiwa14.inverse_dynamics(q[k], zero, zero, wrenches={"tool": loads[k]})
        np.testing.assert_array_equal(found[k], alone)


def test_arguments_by_name(iiwa14: jd.Robot) -> None:
    q, qd, qdd = np.random.default_rng(8).uniform(-1, 1, (3, 7))
    expected = iiwa14.inverse_dynamics(q, qd, qdd)
    np.testing.assert_array_equal(iiwa14.inverse_dynamics(qdd=qdd, q=q, qd=qd), expected)
    np.testing.assert_array_equal(iiwa14.inverse_dynamics(q, qdd=qdd, qd=qd, out=None, wrenches=None), expected)
    np.testing.assert_array_equal(iiwa14.M(q=q), iiwa14.mass_matrix(q))
    np.testing.assert_array_equal(iiwa14.pose(link="tool", q=q), iiwa14.pose("tool", q))
    np.testing.assert_array_equal(iiwa14.evaluate("inverse_dynamics", q, qd=qd, qdd=qdd), expected)
    np.testing.assert_array_equal(iiwa14.compile("inverse_dynamics")(q, qdd=qdd, qd=qd), expected)
    out = np.empty(7)
    assert iiwa14.compile("inverse_dynamics")(q, qd, qdd, out=out) is out
    np.testing.assert_array_equal(out, expected)
    for wrong in [
        lambda: iiwa14.mass_matrix(q, q=q),
        lambda: iiwa14.mass_matrix(q, qd),
        lambda: iiwa14.mass_matrix(q, p=q),
        lambda: iiwa14.mass_matrix(),
        lambda: iiwa14.pose(q),
        lambda: iiwa14.pose(),
        lambda: iiwa14.evaluate("M", qd=q),
    ]:
        with pytest.raises(TypeError):
            wrong()


def test_methods_introduce_themselves(iiwa14: jd.Robot) -> None:
    for entry in LISTED:
        name = entry["name"].removesuffix(":L")
        method = getattr(jd.Robot, name)
        names = list(inspect.signature(method).parameters)
        vectors = [key for key in entry["inputs"] if key not in ("wrenches", "derivatives")]
        others = [key for key in ("wrenches", "derivatives") if key in entry["inputs"]]
        assert names == ["self", *["link"] * entry["name"].endswith(":L"), *vectors, *others, "out"], name
        assert method.__doc__.lower().startswith(entry["about"].lower()) and entry["unit"] in method.__doc__
        for short in entry["short"]:
            assert getattr(jd.Robot, short) is method
    assert str(inspect.signature(iiwa14.mass_matrix)) == "(q, *, out=None)"


def test_methods_can_be_overridden(iiwa14: jd.Robot) -> None:
    class Heavy(jd.Robot):
        def gravity(self, q: Any, **keywords: Any) -> Any:
            return 2 * super().gravity(q, **keywords)

    heavy = Heavy({"robot": "iiwa14"})
    q = np.full(7, 0.3)
    for _ in range(2):
        np.testing.assert_array_equal(heavy.gravity(q), 2 * iiwa14.gravity(q))


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
    many = np.linspace(0, 1, 5)
    q = np.zeros((5, 6))
    q[:, 1], q[:, 0] = many, 0.2
    first = robot.coordinate_names[0]
    np.testing.assert_array_equal(robot.mass_matrix({name: many, first: 0.2}), robot.mass_matrix(q))
    with pytest.raises(ValueError, match="has no joint `nope`"):
        robot.mass_matrix({"nope": 1.0})
    with pytest.raises(ValueError, match="leading shapes"):
        robot.mass_matrix({name: many, first: many[1:]})


def test_joints_of_several_numbers_by_name() -> None:
    robot = jd.load("floating_humanoid25")
    q = robot.neutral()
    joint, _, part = robot.coordinate_names[0].rpartition(".")
    q[0] = 0.3
    expected = robot.gravity(q)
    np.testing.assert_array_equal(robot.gravity({robot.coordinate_names[0]: 0.3}), expected)
    np.testing.assert_array_equal(robot.gravity({joint: {part: 0.3}}), expected)
    np.testing.assert_array_equal(robot.gravity({joint: q[:7]}), expected)
    many = np.stack([q[:7], robot.neutral()[:7]])
    np.testing.assert_array_equal(robot.gravity({joint: many})[0], expected)
    with pytest.raises(ValueError, match="needs"):
        robot.gravity({joint: 0.3})
    with pytest.raises(ValueError, match="has no part `nope`"):
        robot.gravity({joint: {"nope": 0.3}})


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


def test_several_quantities_in_place(iiwa14: jd.Robot) -> None:
    both = iiwa14.compile("M", "pose:tool", "gravity")
    assert both.quantities == ["mass_matrix", "pose:tool", "gravity"]
    for count in (1, 700):
        q = np.random.default_rng(6).uniform(-1, 1, (count, 7))
        out = (np.empty((count, 7, 7)), np.empty((count, 4, 4)), np.empty((count, 7)))
        found = both(q, out=out)
        assert all(one is other for one, other in zip(found, out))
        np.testing.assert_allclose(out[0], iiwa14.mass_matrix(q), atol=1e-12)
        np.testing.assert_allclose(out[1], iiwa14.pose("tool", q), atol=1e-12)
        np.testing.assert_allclose(out[2], iiwa14.gravity(q), atol=1e-12)
    with pytest.raises(TypeError, match="tuple of 3"):
        both(q, out=out[0])
    same = np.empty((700, 7, 7))
    with pytest.raises(ValueError, match="overlap"):
        iiwa14.compile("M", "mass_matrix_inverse")(q, out=(same, same))


def test_families_of_any_order(iiwa14: jd.Robot) -> None:
    motion = np.random.default_rng(5).uniform(-1, 1, (5, 7))
    higher = np.zeros((3, 7))
    found = iiwa14.inverse_dynamics_d5(*motion, derivatives=higher)
    assert found.shape == (7,) and np.isfinite(found).all()
    assert iiwa14.inverse_dynamics_d5 is iiwa14.inverse_dynamics_d5
    q, qd, qdd, qddd, qdddd = motion
    again = iiwa14.inverse_dynamics_d5(q=q, qd=qd, qdd=qdd, qddd=qddd, qdddd=qdddd, derivatives=higher)
    np.testing.assert_array_equal(again, found)
    many = iiwa14.inverse_dynamics_d5(*np.broadcast_to(motion[:, None], (5, 4, 7)), derivatives=higher)
    np.testing.assert_array_equal(many, np.broadcast_to(found, (4, 7)))
    assert not hasattr(iiwa14, "nonsense_d5")


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


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="tells memory on Linux")
@pytest.mark.parametrize(
    "sort", ["one state", "in place", "with a wrench", "by name", "a shape that is wrong", "not finite", "a batch"]
)
def test_memory_stays(iiwa14: jd.Robot, sort: str) -> None:
    q, out, loads = np.full(7, 0.2), np.empty((7, 7)), {"tool": np.ones(6)}
    many = np.zeros((3, 7))
    calls: dict[str, tuple[Any, int]] = {
        "one state": (lambda: iiwa14.mass_matrix(q), 100_000),
        "in place": (lambda: iiwa14.mass_matrix(q, out=out), 100_000),
        "with a wrench": (lambda: iiwa14.inverse_dynamics(q, q, q, wrenches=loads), 50_000),
        "by name": (lambda: iiwa14.mass_matrix(q={"link1": 0.3}), 20_000),
        "a shape that is wrong": (lambda: iiwa14.mass_matrix(q[1:]), 20_000),
        "not finite": (lambda: iiwa14.mass_matrix(q * np.nan), 10_000),
        "a batch": (lambda: iiwa14.inverse_dynamics(many, q, q), 20_000),
    }
    call, count = calls[sort]

    def run(times: int) -> None:
        for _ in range(times):
            try:
                call()
            except (ValueError, jd.Error):
                pass

    run(count // 10)
    before = resident()
    run(count)
    assert resident() - before < 1_000_000


def test_first_calls_from_many_threads() -> None:
    """All compile at once, and none sees a half of it."""
    robot = jd.load("puma560")
    q = np.random.default_rng(1).uniform(-1, 1, (50, 6))
    found: list[Any] = [None] * 8
    start = threading.Barrier(8)

    def work(k: int) -> None:
        start.wait()
        found[k] = [robot.coriolis_matrix(row, row) for row in q]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for one in found:
        np.testing.assert_array_equal(one, found[0])
