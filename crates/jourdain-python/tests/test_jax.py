"""``jourdain.jax``: every derivative against differences, transformations in each other, and an optimisation that converges."""

from __future__ import annotations

import doctest
import functools
import sys
from typing import Any

import numpy as np
import pytest

from derivatives import ROBOTS, arguments, close, difference, every_slope, examples_hold, numbers, robot

jax = pytest.importorskip("jax", reason="the package jax is not installed")
jnp = jax.numpy

from jax.test_util import check_grads  # noqa: E402

from jourdain.jax import JaxFunctions, wrap  # noqa: E402


@pytest.fixture(autouse=True)
def double_precision() -> Any:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@functools.cache
def wrapped(name: str) -> JaxFunctions:
    return wrap(robot(name))


@pytest.mark.parametrize("name", ROBOTS)
def test_every_derivative_is_that_of_differences_or_refused(name: str) -> None:
    def along(function: Any, vectors: dict[str, Any], key: str, direction: Any) -> Any:
        slope = jax.jit(lambda x, along: jax.jvp(lambda x: function(**{**vectors, key: x}), (x,), (along,))[1])
        return slope(vectors[key], direction)

    every_slope(wrapped(name), along)


# Quantities with second derivatives by all that they read, or by these.
SECOND = {
    "pose": ("q",),
    "jacobian": ("q",),
    "twist": ("q", "qd"),
    "com": ("q",),
    "mass_matrix": ("q",),
    "mass_matrix_inverse": ("q",),
    "kinetic_energy": ("q", "qd"),
    "potential_energy": ("q",),
    "coriolis_matrix": ("qd",),
    "bias": ("qd",),
    "inverse_dynamics": ("qdd",),
    "forward_dynamics": ("tau",),
}


# Those of quaternions take JAX long to compile, so that fewer quantities must do.
QUATERNIONS = ("pose", "mass_matrix", "kinetic_energy")


@pytest.mark.parametrize(
    ("name", "quantity"), [*(("planar2r", name) for name in SECOND), *(("ball", name) for name in QUATERNIONS)]
)
def test_second_derivatives_in_both_modes(name: str, quantity: str) -> None:
    link, vectors = arguments(robot(name), quantity)
    free = {key: jnp.asarray(vectors[key]) for key in SECOND[quantity]}

    @jax.jit
    def function(*moved: Any) -> Any:
        return getattr(wrapped(name), quantity)(*link, **{**vectors, **dict(zip(free, moved))})

    check_grads(function, tuple(free.values()), order=2, atol=2e-4, rtol=2e-4)


@pytest.mark.parametrize("name", ["puma560", "ball"])
@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
def test_mixed_second_derivatives(name: str, quantity: str) -> None:
    of, functions = robot(name), wrapped(name)
    _, vectors = arguments(of, quantity)
    last = list(vectors)[-1]
    for first, second in (("q", "qd"), ("q", last), ("qd", "q"), (last, "q")):

        def inner(x: Any, first: str = first, second: str = second) -> Any:
            def value(y: Any) -> Any:
                return getattr(functions, quantity)(**{**vectors, second: x, first: y})

            return jax.jacrev(value)(jnp.asarray(vectors[first]))

        along = jnp.asarray(np.random.default_rng(2).uniform(-1, 1, vectors[second].shape))
        expected = difference(lambda step: np.asarray(inner(vectors[second] + step * along)))
        close(jax.jvp(inner, (jnp.asarray(vectors[second]),), (along,))[1], expected, f"{first} then {second}")


def test_wrenches_are_arguments_like_others() -> None:
    of, functions = robot("iiwa14"), wrapped("iiwa14")
    load, push = jnp.arange(6.0), jnp.array([1.0, -1.0, 2.0, 0.5, 0.1, -0.3])
    for quantity in (
        "external_forces",
        "inverse_dynamics",
        "forward_dynamics",
        "inverse_dynamics_dq",
        "forward_dynamics_dq",
    ):
        _, vectors = arguments(of, quantity)

        def value(tool: Any, elbow: Any) -> Any:
            return getattr(functions, quantity)(**vectors, wrenches={"tool": tool, "link4": elbow})

        found = jax.jvp(value, (load, push), (push, load))[1]
        expected = difference(
            lambda step: getattr(of, quantity)(
                **vectors, wrenches={"tool": load + step * push, "link4": push + step * load}
            )
        )
        close(found, expected, quantity)


def test_transformations_in_each_other_agree() -> None:
    functions = wrapped("iiwa14")
    many = jnp.asarray(numbers(robot("iiwa14"), "q", 5))
    expected = robot("iiwa14").gravity_dq(np.asarray(many))
    inside = [jax.jacfwd, jax.jacrev]
    for outer in inside:
        for inner in inside:
            close(jax.vmap(outer(inner(functions.potential_energy)))(many), expected, tolerance=1e-12)
            close(jax.jit(jax.vmap(jax.jit(outer(inner(functions.potential_energy)))))(many), expected, tolerance=1e-12)
    whole = jax.jacrev(lambda q: functions.gravity(q))(many)
    for i in range(5):
        close(whole[i, :, i], expected[i], tolerance=1e-12)
        assert not np.any(np.asarray(whole[i, :, i - 1]))
    value, pull = jax.vjp(functions.mass_matrix, many[0])
    weight = jnp.asarray(np.random.default_rng(0).uniform(-1, 1, value.shape))
    close(pull(weight)[0], np.einsum("ij,ijk->k", weight, robot("iiwa14").mass_matrix_dq(many[0])), tolerance=1e-12)


def test_vmap_is_one_call_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = wrap(robot("puma560"))
    sizes: list[tuple[int, ...]] = []
    on_host = functions._on_host

    def counted(call: Any, *arrays: Any) -> Any:
        sizes.append(arrays[0].shape)
        return on_host(call, *arrays)

    monkeypatch.setattr(functions, "_on_host", counted)
    q, qd, qdd = (jnp.asarray(numbers(robot("puma560"), key, 4, 3)) for key in ("q", "qd", "qdd"))
    found = jax.vmap(jax.vmap(functions.inverse_dynamics, in_axes=(0, 0, None)), in_axes=(1, 1, None))(q, qd, qdd[0, 0])
    assert sizes == [(3, 4, 6)]
    for i in range(3):
        for j in range(4):
            close(found[i, j], robot("puma560").inverse_dynamics(q[j, i], qd[j, i], qdd[0, 0]), tolerance=1e-12)
    sizes.clear()
    jax.jit(jax.vmap(jax.grad(functions.potential_energy)))(q[:, 0])
    # The energy itself is not needed, so it is not computed.
    assert sizes == [(4, 6)]


def test_leading_shapes_fit_together() -> None:
    functions, of = wrapped("planar2r"), robot("planar2r")
    q, qd = jnp.asarray(numbers(of, "q", 3, 1)), jnp.asarray(numbers(of, "qd", 4))
    found = functions.bias(q, qd)
    assert found.shape == (3, 4, 2)
    close(found[2, 1], of.bias(q[2, 0], qd[1]), tolerance=1e-14)
    assert jax.grad(lambda q: functions.bias(q, qd).sum())(q).shape == q.shape
    assert functions.mass_matrix(jnp.zeros((0, 2))).shape == (0, 2, 2)
    assert functions.regressor(q, q, q).shape == (3, 1, *of.regressor(q[0, 0], q[0, 0], q[0, 0]).shape)


def test_planar_arm_written_in_jax_has_the_same_derivatives() -> None:
    """The textbook's two-link arm, differentiated by JAX itself."""
    of, functions = robot("planar2r"), wrapped("planar2r")
    masses = [link for link in of.links if link.mass]
    (m1, m2), (c1, c2) = [link.mass for link in masses], [link.com[0] for link in masses]
    length = float(of.pose("link2", [0.0, 0.0])[0, 3])
    turns = [of.mass_matrix([0.0, 0.0])[1, 1] - m2 * c2**2]
    turns.insert(0, of.mass_matrix([0.0, 0.0])[0, 0] - m1 * c1**2 - m2 * (length + c2) ** 2 - turns[0])

    def mass(q: Any) -> Any:
        coupling = m2 * length * c2 * jnp.cos(q[1])
        lower = m2 * c2**2 + turns[1]
        upper = m1 * c1**2 + turns[0] + m2 * length**2 + lower
        return jnp.array([[upper + 2 * coupling, lower + coupling], [lower + coupling, lower]])

    def energy(q: Any, qd: Any) -> Any:
        return 0.5 * qd @ mass(q) @ qd

    q, qd = jnp.array([0.4, -1.1]), jnp.array([0.7, 0.3])
    close(functions.mass_matrix(q), mass(q), tolerance=1e-13)
    close(jax.jacfwd(jax.jacrev(functions.mass_matrix))(q), jax.jacfwd(jax.jacrev(mass))(q), tolerance=1e-12)
    for pair in ((0, 0), (0, 1), (1, 0), (1, 1)):
        ours, theirs = (
            jax.jacfwd(jax.grad(f, argnums=pair[0]), argnums=pair[1]) for f in (functions.kinetic_energy, energy)
        )
        close(ours(q, qd), theirs(q, qd), tolerance=1e-12)


def test_single_precision_rounds_and_says_so() -> None:
    jax.config.update("jax_enable_x64", False)
    with pytest.warns(UserWarning, match="single precision"):
        functions = wrap(robot("iiwa14"))
    q = jnp.asarray(numbers(robot("iiwa14"), "q"))
    found = jax.grad(functions.potential_energy)(q)
    assert found.dtype == jnp.float32
    close(found, robot("iiwa14").gravity(np.asarray(q)), tolerance=1e-6)
    jax.config.update("jax_enable_x64", True)
    # Where double precision is on, results are what the arrays are.
    assert wrapped("iiwa14").gravity(q.astype(jnp.float32)).dtype == jnp.float32
    assert wrapped("iiwa14").gravity([0] * 7).dtype == jnp.float64


def test_states_that_are_no_numbers_give_none() -> None:
    functions = wrapped("ball")
    q = numbers(robot("ball"), "q", 3)
    q[1, 4] = np.nan
    found = np.asarray(jax.jit(functions.mass_matrix)(q))
    assert np.isnan(found[1]).all()
    close(found[[0, 2]], robot("ball").mass_matrix(q[[0, 2]]), tolerance=1e-13)
    assert np.isnan(float(functions.potential_energy(q[1]))) and np.isnan(q[1, 4])


def test_wrong_arguments_are_named() -> None:
    functions = wrapped("iiwa14")
    with pytest.raises(ValueError, match=r"qd has shape \(6,\), but iiwa14 needs \(…, 7\)"):
        functions.bias(jnp.zeros(7), jnp.zeros(6))
    with pytest.raises(ValueError, match=r"the wrench on tool has shape \(5,\)"):
        functions.external_forces(jnp.zeros(7), wrenches={"tool": jnp.zeros(5)})
    with pytest.raises(TypeError, match=r"bias\(q, qd\): missing a required argument: 'qd'"):
        functions.bias(jnp.zeros(7))
    with pytest.raises(TypeError, match="only methods of the robot itself take a dict"):
        functions.gravity({"link1": 0.2})
    with pytest.raises(TypeError, match="belongs to a link"):
        functions.jacobian(jnp.zeros(7), jnp.zeros(7))
    with pytest.raises(TypeError, match="real numbers"):
        functions.gravity(jnp.zeros(7, complex))
    with pytest.raises(AttributeError, match="no quantity 'gravitation'"):
        functions.gravitation
    with pytest.raises(AttributeError, match="beyond qdddd"):
        functions.inverse_dynamics_d3
    with pytest.raises(Exception, match="tol"):
        functions.jacobian("tol", jnp.zeros(7))


def test_quantities_look_as_those_of_the_robot() -> None:
    functions = wrapped("iiwa14")
    assert functions.inverse_dynamics.__doc__ == robot("iiwa14").inverse_dynamics.__doc__
    assert repr(functions) == "<quantities of iiwa14 for jax>"
    assert {"mass_matrix", "robot", "M"} <= set(dir(functions))
    close(functions.M(q=jnp.ones(7)), robot("iiwa14").mass_matrix(np.ones(7)), tolerance=1e-14)
    close(jax.jacfwd(functions.M)(jnp.ones(7)), robot("iiwa14").mass_matrix_dq(np.ones(7)), tolerance=1e-13)


def motion(x: Any) -> list[Any]:
    """Position, velocity and acceleration from rest to rest in one second: a polynomial, and others with free factors."""
    t, one = np.linspace(0.0, 1.0, 21), np.polynomial.Polynomial([0.0, 1.0])
    smooth = 10 * one**3 - 15 * one**4 + 6 * one**5
    free = [(one * (1 - one)) ** 3 * one**k for k in range(3)]
    goal, factors = jnp.array([1.2, -0.8]), x.reshape(3, 2)

    def order(k: int) -> Any:
        base = smooth.deriv(k)(t)[:, None] * goal
        return base + jnp.asarray(np.stack([shape.deriv(k)(t) for shape in free], axis=1)) @ factors

    return [order(0), order(1), order(2)]


def test_a_trajectory_optimisation_converges() -> None:
    """Least torque by Newton steps without second derivatives; the gradient is that of the partial derivatives by hand."""
    functions, of = wrapped("planar2r"), robot("planar2r")

    @jax.jit
    def residual(x: Any) -> Any:
        return functions.inverse_dynamics(*motion(x)).ravel()

    @jax.jit
    def cost(x: Any) -> Any:
        return 0.5 * (residual(x) ** 2).sum()

    gradient, slope = jax.jit(jax.grad(cost)), jax.jit(jax.jacfwd(residual))
    x = jnp.zeros(6)
    q, qd, qdd = motion(x)
    tau = of.inverse_dynamics(q, qd, qdd)
    partials = of.inverse_dynamics_dq(q, qd, qdd), of.inverse_dynamics_dqd(q, qd), of.mass_matrix(q)
    moved = jax.jacfwd(motion)(x)
    by_hand = sum(np.einsum("ti,tij,tjx->x", tau, partial, by) for partial, by in zip(partials, moved))
    close(gradient(x), by_hand, tolerance=1e-12)
    first, start = float(jnp.abs(gradient(x)).max()), float(cost(x))
    for _ in range(60):
        step = jnp.linalg.lstsq(slope(x), residual(x))[0]
        sizes = [size for size in (1.0, 0.5, 0.25, 0.1) if cost(x - size * step) < cost(x)]
        if not sizes:
            break
        x = x - sizes[0] * step
    assert float(jnp.abs(gradient(x)).max()) < 1e-6 * first
    assert float(cost(x)) < 0.95 * start


def test_torques_are_found_through_a_simulation() -> None:
    """The gradient through a scan of forward dynamics, against differences, and swinging an arm to a goal with it."""
    functions = wrapped("planar2r")
    dt = 0.05

    @jax.jit
    def end(tau: Any) -> Any:
        def step(state: Any, tau: Any) -> Any:
            q, qd = state
            qd = qd + dt * functions.forward_dynamics(q, qd, tau)
            return (q + dt * qd, qd), None

        (q, qd), _ = jax.lax.scan(step, (jnp.array([0.1, 0.2]), jnp.zeros(2)), tau)
        return jnp.concatenate([q, qd])

    tau = jnp.asarray(np.random.default_rng(0).uniform(-1, 1, (10, 2)))
    direction = jnp.asarray(np.random.default_rng(1).uniform(-1, 1, (10, 2)))
    close(
        jnp.einsum("aij,ij->a", jax.jacrev(end)(tau), direction),
        difference(lambda h: np.asarray(end(tau + h * direction))),
    )
    goal = jnp.array([0.5, -0.3, 0.0, 0.0])
    slope = jax.jit(jax.jacrev(end))
    for _ in range(12):
        miss = end(tau) - goal
        tau = tau - (jnp.linalg.pinv(slope(tau).reshape(4, -1)) @ miss).reshape(10, 2)
    assert float(jnp.abs(end(tau) - goal).max()) < 1e-9


def test_examples_do_what_they_say() -> None:
    assert doctest.testmod(sys.modules["jourdain.jax"]).failed == 0
    examples_hold("JAX")


def test_without_the_package_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.delitem(sys.modules, "jourdain.jax")
    with pytest.raises(ImportError, match="jourdain.jax needs the package jax: pip install jax"):
        import jourdain.jax  # noqa: F401
