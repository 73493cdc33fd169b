"""``jourdain.torch``: every derivative against differences, backward twice, forward mode, ``torch.func``."""

from __future__ import annotations

import doctest
import functools
import sys
from typing import Any

import numpy as np
import pytest

from derivatives import ROBOTS, arguments, close, difference, every_slope, examples_hold, numbers, robot

torch = pytest.importorskip("torch", reason="the package torch is not installed")
func = torch.func

from jourdain.torch import TorchFunctions, wrap  # noqa: E402


@functools.cache
def wrapped(name: str) -> TorchFunctions:
    return wrap(robot(name))


def leaf(values: Any) -> Any:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def forward(function: Any, vectors: dict[str, Any], key: str, direction: Any) -> Any:
    moved = torch.as_tensor(vectors[key]), torch.as_tensor(direction)
    return func.jvp(lambda x: function(**{**vectors, key: x}), moved[:1], moved[1:])[1]


def backward(function: Any, vectors: dict[str, Any], key: str, direction: Any) -> Any:
    x = leaf(vectors[key])
    result = function(**{**vectors, key: x})
    rows = torch.eye(result.numel(), dtype=torch.float64).reshape(result.numel(), *result.shape)
    (jacobian,) = torch.autograd.grad(result, x, rows, is_grads_batched=True)
    return (jacobian @ torch.as_tensor(direction)).reshape(result.shape)


@pytest.mark.parametrize("along", [forward, backward])
@pytest.mark.parametrize("name", ROBOTS)
def test_every_derivative_is_that_of_differences_or_refused(name: str, along: Any) -> None:
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


@pytest.mark.parametrize("quantity", SECOND)
@pytest.mark.parametrize("name", ["planar2r", "ball"])
def test_second_derivatives_backward_and_forward(name: str, quantity: str) -> None:
    link, vectors = arguments(robot(name), quantity)
    free = {key: leaf(vectors[key]) for key in SECOND[quantity]}

    def function(*moved: Any) -> Any:
        return getattr(wrapped(name), quantity)(*link, **{**vectors, **dict(zip(free, moved))}).sum()

    inputs = tuple(free.values())
    assert torch.autograd.gradcheck(function, inputs, check_forward_ad=True, check_batched_grad=True, fast_mode=True)
    assert torch.autograd.gradgradcheck(function, inputs, check_fwd_over_rev=True, fast_mode=True)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
def test_mixed_second_derivatives(quantity: str) -> None:
    of, functions = robot("ball"), wrapped("ball")
    _, vectors = arguments(of, quantity)
    last = list(vectors)[-1]
    for first, second in (("q", "qd"), ("q", last), ("qd", "q"), (last, "q")):

        def inner(x: Any, first: str = first, second: str = second) -> Any:
            return func.jacrev(lambda y: getattr(functions, quantity)(**{**vectors, second: x, first: y}))(
                torch.as_tensor(vectors[first])
            )

        x = torch.as_tensor(vectors[second])
        along = torch.as_tensor(np.random.default_rng(2).uniform(-1, 1, vectors[second].shape))
        expected = difference(lambda step: inner(x + step * along).numpy())
        close(func.jvp(inner, (x,), (along,))[1], expected, f"{first} then {second}")


def test_wrenches_are_arguments_like_others() -> None:
    of, functions = robot("iiwa14"), wrapped("iiwa14")
    load, push = np.arange(6.0), np.array([1.0, -1.0, 2.0, 0.5, 0.1, -0.3])
    for quantity in (
        "external_forces",
        "inverse_dynamics",
        "forward_dynamics",
        "inverse_dynamics_dq",
        "forward_dynamics_dq",
    ):
        _, vectors = arguments(of, quantity)
        tool, elbow = leaf(load), leaf(push)
        result = getattr(functions, quantity)(**vectors, wrenches={"tool": tool, "link4": elbow})
        weight = torch.as_tensor(np.random.default_rng(1).uniform(-1, 1, result.shape))
        by_tool, by_elbow = torch.autograd.grad(result, (tool, elbow), weight)
        slope = difference(
            lambda step: getattr(of, quantity)(
                **vectors, wrenches={"tool": load + step * push, "link4": push + step * load}
            )
        )
        close(by_tool.numpy() @ push + by_elbow.numpy() @ load, (slope * weight.numpy()).sum(), quantity)


def test_transformations_in_each_other_agree() -> None:
    """Forward over forward too, which torch gets wrong by itself."""
    functions = wrapped("iiwa14")
    many = torch.as_tensor(numbers(robot("iiwa14"), "q", 5))
    expected = robot("iiwa14").gravity_dq(many.numpy())
    for outer in (func.jacfwd, func.jacrev):
        for inner in (func.jacfwd, func.jacrev):
            close(outer(inner(functions.potential_energy))(many[0]), expected[0], tolerance=1e-12)
            close(func.vmap(outer(inner(functions.potential_energy)))(many), expected, tolerance=1e-12)
    link = "tool"
    third = [
        a(b(c(lambda q: functions.pose(link, q)[0, 3])))(many[0])
        for a in (func.jacfwd, func.jacrev)
        for b in (func.jacfwd, func.jacrev)
        for c in (func.jacfwd, func.jacrev)
    ]
    direction = numbers(robot("iiwa14"), "qd")
    expected = difference(lambda step: robot("iiwa14").jacobian_dq(link, many[0].numpy() + step * direction)[0])
    for found in third:
        close(found.numpy() @ direction, expected)


def test_vmap_is_one_call_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = wrap(robot("puma560"))
    sizes: list[tuple[int, ...]] = []
    on_host = functions._on_host

    def counted(call: Any, *arrays: Any) -> Any:
        sizes.append(arrays[0].shape)
        return on_host(call, *arrays)

    monkeypatch.setattr(functions, "_on_host", counted)
    q, qd, qdd = (torch.as_tensor(numbers(robot("puma560"), key, 4, 3)) for key in ("q", "qd", "qdd"))
    found = func.vmap(func.vmap(functions.inverse_dynamics, in_dims=(0, 0, None)), in_dims=(1, 1, None))(
        q, qd, qdd[0, 0]
    )
    assert sizes == [(3, 4, 6)]
    for i in range(3):
        for j in range(4):
            close(found[i, j], robot("puma560").inverse_dynamics(q[j, i], qd[j, i], qdd[0, 0]), tolerance=1e-12)


def test_leading_shapes_fit_together() -> None:
    functions, of = wrapped("planar2r"), robot("planar2r")
    q, qd = leaf(numbers(of, "q", 3, 1)), leaf(numbers(of, "qd", 4))
    found = functions.bias(q, qd)
    assert found.shape == (3, 4, 2)
    close(found[2, 1].detach(), of.bias(q[2, 0].detach(), qd[1].detach()), tolerance=1e-14)
    found.sum().backward()
    assert q.grad.shape == q.shape and qd.grad.shape == qd.shape
    assert functions.mass_matrix(torch.zeros(0, 2)).shape == (0, 2, 2)


def test_types_follow_the_tensors() -> None:
    functions, of = wrapped("iiwa14"), robot("iiwa14")
    q = torch.tensor(numbers(of, "q"), dtype=torch.float32, requires_grad=True)
    found = functions.potential_energy(q)
    found.backward()
    assert found.dtype == q.grad.dtype == torch.float32
    close(q.grad, of.gravity(q.detach().numpy()), tolerance=1e-6)
    double = functions.bias(q.detach(), torch.ones(7, dtype=torch.float64))
    assert double.dtype == torch.float64
    close(double, of.bias(q.detach().numpy(), np.ones(7)), tolerance=1e-13)
    # Plain numbers keep all their digits beside tensors of double precision.
    close(
        functions.bias([0.1] * 7, torch.ones(7, dtype=torch.float64)), of.bias([0.1] * 7, np.ones(7)), tolerance=1e-15
    )
    assert functions.gravity([0] * 7).dtype == torch.get_default_dtype()


def test_states_that_are_no_numbers_give_none() -> None:
    q = numbers(robot("ball"), "q", 3)
    q[1, 4] = np.nan
    found = wrapped("ball").mass_matrix(torch.as_tensor(q)).numpy()
    assert np.isnan(found[1]).all()
    close(found[[0, 2]], robot("ball").mass_matrix(q[[0, 2]]), tolerance=1e-13)
    assert np.isnan(float(wrapped("ball").potential_energy(torch.as_tensor(q[1])))) and np.isnan(q[1, 4])


def test_wrong_arguments_are_named() -> None:
    functions = wrapped("iiwa14")
    with pytest.raises(ValueError, match=r"qd has shape \(6,\), but iiwa14 needs \(…, 7\)"):
        functions.bias(torch.zeros(7), torch.zeros(6))
    with pytest.raises(TypeError, match="real numbers"):
        functions.gravity(torch.zeros(7, dtype=torch.complex128))
    with pytest.raises(ValueError, match="one device"):
        functions.bias(torch.zeros(7), torch.zeros(7, device="meta"))
    q = leaf(numbers(robot("iiwa14"), "q"))
    with pytest.raises(NotImplementedError, match="manipulability has no derivative by q in closed form"):
        functions.manipulability("tool", q).backward()


def test_an_optimiser_converges() -> None:
    """A posture with the least gravity torque, by the optimiser of torch."""
    functions = wrapped("iiwa14")
    q = leaf(numbers(robot("iiwa14"), "q"))
    optimiser = torch.optim.LBFGS(
        [q], max_iter=200, tolerance_grad=1e-9, tolerance_change=1e-16, line_search_fn="strong_wolfe"
    )

    def cost() -> Any:
        optimiser.zero_grad()
        value = 0.5 * (functions.gravity(q) ** 2).sum()
        value.backward()
        return value

    start = float(cost())
    optimiser.step(cost)
    at = q.detach().numpy()
    close(q.grad, robot("iiwa14").gravity_dq(at).T @ robot("iiwa14").gravity(at), tolerance=1e-12)
    assert float(cost()) < 1e-7 * start


def test_compiled_functions_agree() -> None:
    functions = wrapped("planar2r")

    def cost(q: Any) -> Any:
        return (functions.gravity(torch.sin(q)) ** 2).sum()

    plain, compiled = leaf([0.3, -0.4]), leaf([0.3, -0.4])
    cost(plain).backward()
    torch.compile(cost, backend="eager")(compiled).backward()
    close(compiled.grad, plain.grad, tolerance=1e-14)


def test_examples_do_what_they_say() -> None:
    assert doctest.testmod(sys.modules["jourdain.torch"]).failed == 0
    examples_hold("PyTorch")


def test_without_the_package_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "jourdain.torch")
    with pytest.raises(ImportError, match="jourdain.torch needs the package torch: pip install torch"):
        import jourdain.torch  # noqa: F401
