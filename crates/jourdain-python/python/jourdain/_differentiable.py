"""Quantities of a robot as differentiable functions of arrays of another library: what ``jourdain.jax`` and ``jourdain.torch``
share.

A library says how it makes arrays, sums products, and calls a function on the host with a derivative of its own; arguments,
shapes, the state of a rule and the translation from velocities to the numbers of ``q`` are here.

Trap: the numbers of a quaternion are scaled to unit length before anything else happens. The derivative by them is that of the
scaled ones: zero along the quaternion itself.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Callable, Mapping, NamedTuple

import numpy as np

from ._partials import Quantity, differentiable, quantities, rule
from ._robot import Robot
from ._tangent import PLACED, TURNED, joints
from ._types import Array


def needed(package: str) -> Any:
    """The package, which not everybody has."""
    try:
        return importlib.import_module(package)
    except ImportError as missing:
        raise ImportError(f"jourdain.{package} needs the package {package}: pip install {package}") from missing


class Call(NamedTuple):
    """One quantity as a function of arrays: the vectors that it reads, then a wrench for each loaded link."""

    entry: Quantity
    link: str | None
    loaded: tuple[str, ...]

    @property
    def quantity(self) -> str:
        return self.entry.name

    @property
    def vectors(self) -> tuple[str, ...]:
        return tuple(key for key in self.entry.inputs if key != "wrenches")


class Functions:
    """The quantities of a robot as functions of arrays, which can be differentiated.

    ``robot`` is the robot itself; ``differentiable`` says by which arguments a quantity has derivatives in closed form.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._known = quantities()
        self._joints = joints(robot)
        self._shapes: dict[tuple[str, str | None], tuple[int, ...]] = {}

    @property
    def differentiable(self) -> dict[str, tuple[str, ...]]:
        """By which arguments quantities have derivatives in closed form."""
        return differentiable()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        entry = None if name.startswith("_") else quantities().get(name)
        if entry is None:
            raise AttributeError(f"there is no quantity {name!r}")
        if "derivatives" in entry.inputs:
            raise AttributeError(f"{name} reads derivatives beyond qdddd, which only the robot itself takes")
        method = _method(self, entry)
        setattr(self, name, method)
        return method

    def __dir__(self) -> list[str]:
        carried = [name for name, entry in quantities().items() if "derivatives" not in entry.inputs]
        return [*super().__dir__(), *carried]

    def __repr__(self) -> str:
        return f"<quantities of {self.robot.name} for {type(self).__module__.rpartition('.')[2]}>"

    # What a library has to say.

    def _arrays(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments as arrays of one type."""
        raise NotImplementedError

    def _constant(self, numbers: Array, like: Any) -> Any:
        raise NotImplementedError

    def _spread(self, array: Any, shape: tuple[int, ...]) -> Any:
        raise NotImplementedError

    def _einsum(self, indices: str, *factors: Any) -> Any:
        raise NotImplementedError

    def _joined(self, parts: list[Any]) -> Any:
        """Arrays one behind the other along the last axis."""
        raise NotImplementedError

    def _call(self, call: Call, arrays: tuple[Any, ...]) -> Any:
        """The quantity at arrays of the same leading shape."""
        raise NotImplementedError

    # What follows for all.

    def _length(self, key: str) -> int:
        return 6 if key == "wrenches" else self.robot.nq if key == "q" else self.robot.nv

    def _shape(self, call: Call) -> tuple[int, ...]:
        """The shape of the quantity at one state."""
        key = call.quantity, call.link
        if key not in self._shapes:
            known = {"nv": self.robot.nv, "nq": self.robot.nq}
            words = call.entry.shape
            if all(word in known or word.isdecimal() for word in words):
                self._shapes[key] = tuple(known[word] if word in known else int(word) for word in words)
            else:
                rest = [np.zeros(self.robot.nv)] * (len(call.vectors) - 1)
                self._shapes[key] = self._on_host(call._replace(loaded=()), self.robot.neutral(), *rest).shape
        return self._shapes[key]

    def _on_host(self, call: Call, *arrays: Array) -> Array:
        """The quantity by the engine. States that are not finite give results that are no numbers, as everywhere else in
        these libraries, where an error would end more than it should."""
        odd = np.asarray(~np.logical_and.reduce([np.isfinite(array).all(axis=-1) for array in arrays]))
        if odd.any():
            instead: list[Array | float] = [self.robot.neutral(), *[0.0] * (len(arrays) - 1)]
            arrays = tuple(np.where(odd[..., None], other, array) for other, array in zip(instead, arrays))
        count = len(call.vectors)
        wrenches = dict(zip(call.loaded, arrays[count:]))
        method = getattr(self.robot, call.quantity)
        link = () if call.link is None else (call.link,)
        result: Array = np.asarray(method(*link, *arrays[:count], **({"wrenches": wrenches} if wrenches else {})))
        within = tuple(range(odd.ndim, result.ndim))
        return np.where(np.expand_dims(odd, within), np.nan, result) if odd.any() else result

    def _evaluate(self, name: str, link: str | None, vectors: Mapping[str, Any], wrenches: Mapping[str, Any]) -> Any:
        """The quantity at arrays, whose leading shapes need only fit together."""
        entry = self._known[name]
        loads = dict(wrenches) if "wrenches" in entry.inputs else {}
        call = Call(entry, link if entry.of_link else None, tuple(loads))
        arrays = [vectors[key] for key in call.vectors] + list(loads.values())
        lead = np.broadcast_shapes(*(tuple(array.shape[:-1]) for array in arrays))
        return self._call(call, tuple(self._spread(array, (*lead, array.shape[-1])) for array in arrays))

    def _partial(self, call: Call, place: int, arrays: tuple[Any, ...]) -> Any:
        """The derivative by the argument at that place, the variable last."""
        count = len(call.vectors)
        argument = call.vectors[place] if place < count else "wrenches"
        found = rule(call.quantity, argument)
        if found is None:
            by = differentiable().get(call.quantity)
            known = f"only by {', '.join(by)}" if by else "by nothing"
            raise NotImplementedError(
                f"{call.quantity} has no derivative by {argument} in closed form, {known}; hold {argument} constant, or "
                "differentiate a sum or product of quantities that have one"
            )
        link = call.link if place < count else call.loaded[place - count]
        state = dict(zip(call.vectors, arrays))
        point = _Point(self, link, state, dict(zip(call.loaded, arrays[count:])))
        result = found(point)
        return self._by_numbers(result, arrays[0]) if argument == "q" else result

    def _by_numbers(self, partial: Any, q: Any) -> Any:
        """A derivative along velocities as one by the numbers of ``q``."""
        if self._joints is None:
            return partial
        parts = []
        for joint in self._joints:
            part = partial[..., joint.velocity : joint.velocity + joint.velocities]
            if joint.attitude is not None:
                p = q[..., joint.attitude : joint.attitude + 4]
                form = TURNED if joint.quaternion else PLACED
                factors = (p,) if joint.quaternion else (p, p)
                part = self._along(part, form, factors, 1.0 / (p * p).sum(-1))
            parts.append(part)
        return self._joined(parts)

    def _along(self, part: Any, form: Array, factors: tuple[Any, ...], scale: Any) -> Any:
        axes = "abcdef"[: part.ndim - factors[0].ndim]
        letters = "xy"[: len(factors)]
        indices = f"...{axes}v,vn{letters},{','.join('...' + letter for letter in letters)},...->...{axes}n"
        return self._einsum(indices, part, self._constant(form, part), *factors, scale)


class _Point:
    """The state of a rule: see ``_partials.Point``."""

    def __init__(
        self, functions: Functions, link: str | None, vectors: dict[str, Any], wrenches: dict[str, Any]
    ) -> None:
        self._functions, self._link, self._wrenches = functions, link, wrenches
        self.vectors = vectors

    @property
    def rest(self) -> Any:
        return self._functions._constant(np.zeros(self._functions.robot.nv), self.vectors["q"])

    def __call__(self, quantity: str, **changed: Any) -> Any:
        wrenches = changed.pop("wrenches", self._wrenches) or {}
        return self._functions._evaluate(quantity, self._link, {**self.vectors, **changed}, wrenches)

    def each(self, quantity: str) -> Any:
        q = self.vectors["q"]
        units = self._functions._constant(np.eye(self._functions.robot.nv), q)
        return self._functions._evaluate(quantity, self._link, {"q": q[..., None, :], "qd": units}, {})

    def sum(self, indices: str, *factors: Any) -> Any:
        before, after = indices.split("->")
        terms, arrays = [], []
        for term, factor in zip(before.split(","), factors):
            constant = isinstance(factor, np.ndarray)
            terms.append(term if constant else f"...{term}")
            arrays.append(self._functions._constant(factor, self.vectors["q"]) if constant else factor)
        return self._functions._einsum(f"{','.join(terms)}->...{after}", *arrays)


def _method(functions: Functions, entry: Quantity) -> Callable[..., Any]:
    """The quantity as a function that takes its arguments as the method of the robot does."""
    name = entry.name
    vectors = [key for key in entry.inputs if key != "wrenches"]
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(key, plain) for key in (["link"] if entry.of_link else []) + vectors]
    if "wrenches" in entry.inputs:
        parameters.append(inspect.Parameter("wrenches", inspect.Parameter.KEYWORD_ONLY, default=None))
    signature = inspect.Signature(parameters)

    def method(*args: Any, **named: Any) -> Any:
        try:
            given = signature.bind(*args, **named).arguments
        except TypeError as problem:
            raise TypeError(f"{name}{signature}: {problem}") from None
        link, wrenches = given.pop("link", None), given.pop("wrenches", None) or {}
        if link is not None and not isinstance(link, str):
            raise TypeError(f"{name} belongs to a link: {name}('tool', q)")
        if not isinstance(wrenches, Mapping):
            raise TypeError("wrenches must be a dict from link names to six numbers here")
        for key, value in {**given, **wrenches}.items():
            if isinstance(value, Mapping):
                raise TypeError(f"{key} must be an array here: only methods of the robot itself take a dict")
        arrays = functions._arrays({**given, **{f"the wrench on {key}": load for key, load in wrenches.items()}})
        for key, array in arrays.items():
            length = functions._length(key if key in given else "wrenches")
            if array.ndim == 0 or array.shape[-1] != length:
                found = tuple(array.shape)
                raise ValueError(f"{key} has shape {found}, but {functions.robot.name} needs (…, {length})")
        loads = {key: arrays[f"the wrench on {key}"] for key in wrenches}
        return functions._evaluate(name, link, arrays, loads)

    method.__name__ = name
    method.__doc__ = getattr(type(functions.robot), name).__doc__
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method
