"""What tests of derivatives share: robots of every kind of joint, arguments, and differences as the witness."""

from __future__ import annotations

import doctest
import functools
import pathlib
from typing import Any, Callable

import numpy as np

import jourdain as jd
from jourdain._differentiable import Functions
from jourdain._partials import quantities

# A floating base, a ball joint, and a sliding joint whose drive has a rotor and friction.
BALL = """<mujoco model="ball"><worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/>
<inertial mass="3" pos="0.02 0 0.1" diaginertia="0.2 0.25 0.15"/>
<body name="arm" pos="0.1 0.2 0.3"><joint name="shoulder" type="ball"/>
<inertial mass="1.2" pos="0 0.05 0.2" diaginertia="0.03 0.02 0.015"/>
<body name="tool" pos="0 0 0.4"><joint name="rail" type="slide" axis="0 0.6 0.8" armature="0.3" damping="0.4" frictionloss="0.7"/>
<inertial mass="0.7" pos="0.1 0 0" diaginertia="0.01 0.01 0.02"/></body></body></body></worldbody></mujoco>"""

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python-interop.md"

ROBOTS = ("planar2r", "puma560", "iiwa14", "ball")


@functools.cache
def robot(name: str) -> jd.Robot:
    return jd.from_text(BALL) if name == "ball" else jd.load(name)


def numbers(of: jd.Robot, key: str, *lead: int, seed: int = 0) -> np.ndarray:
    """Numbers for an argument; quaternions are not of unit length."""
    draw = np.random.default_rng([seed, *key.encode()])
    if key == "q":
        return of.neutral() + draw.uniform(-0.8, 0.8, (*lead, of.nq))
    # No velocity near zero, where the friction of a standing joint bends sharply.
    return draw.choice([-1, 1], (*lead, of.nv)) * draw.uniform(0.3, 1.2, (*lead, of.nv))


def arguments(of: jd.Robot, quantity: str, *lead: int, seed: int = 0) -> tuple[tuple[str, ...], dict[str, np.ndarray]]:
    """The link, if it has one, and vectors for a quantity."""
    entry = quantities()[quantity]
    vectors = {key: numbers(of, key, *lead, seed=seed) for key in entry.inputs if key != "wrenches"}
    return ("tool",) if entry.of_link else (), vectors


def difference(function: Callable[[float], np.ndarray]) -> np.ndarray:
    """The slope of a function at zero, by differences of fourth order."""
    step = 1e-3
    near, far = function(step) - function(-step), function(2 * step) - function(-2 * step)
    return (8 * near - far) / (12 * step)


def carried() -> list[str]:
    """The quantities that wrapped robots have."""
    return list(dict.fromkeys(entry.name for entry in quantities().values() if "derivatives" not in entry.inputs))


def close(found: Any, expected: Any, message: str = "", tolerance: float = 1e-7) -> None:
    expected = np.asarray(expected)
    room = tolerance * (1 + np.abs(expected).max(initial=0))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=0, atol=room, err_msg=message)


def every_slope(wrapped: Functions, along: Callable[..., Any]) -> None:
    """Every quantity by every argument: the slope of differences, or a clear refusal.

    ``along(function, vectors, key, direction)`` is the slope of a function of vectors by name.
    """
    import pytest

    of = wrapped.robot
    load = {"tool": np.array([1.0, -2.0, 3.0, 0.3, 0.2, -0.1])}
    for quantity in carried():
        link, vectors = arguments(of, quantity)
        loaded = {"wrenches": load} if "wrenches" in quantities()[quantity].inputs else {}
        for key, vector in vectors.items():
            direction = np.random.default_rng(5).uniform(-1, 1, vector.shape)

            def function(*, key: str = key, **moved: Any) -> Any:
                return getattr(wrapped, quantity)(*link, **moved, **loaded)

            if key not in wrapped.differentiable.get(quantity, ()):
                with pytest.raises(NotImplementedError, match=f"^{quantity} has no derivative by {key}"):
                    along(function, vectors, key, direction)
                continue

            def value(step: float, key: str = key, vector: Any = vector, direction: Any = direction) -> np.ndarray:
                moved = {**vectors, key: vector + step * direction}
                return getattr(of, quantity)(*link, *moved.values(), **loaded)

            close(along(function, vectors, key, direction), difference(value), f"{of.name}: {quantity} by {key}")


def examples_hold(heading: str) -> None:
    """The examples of a section of the page do what they say."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    test = doctest.DocTestParser().get_doctest(section, {}, heading, str(PAGE), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
