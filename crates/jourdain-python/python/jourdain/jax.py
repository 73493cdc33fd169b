"""Quantities for JAX: ``jit``, ``grad``, ``jvp``, ``vjp``, ``jacfwd``, ``jacrev``, ``vmap``, and these in each other.

>>> import jax, jourdain as jd
>>> from jourdain.jax import wrap
>>> jax.config.update("jax_enable_x64", True)
>>> robot = wrap(jd.load("iiwa14"))
>>> jax.grad(robot.potential_energy)(jax.numpy.zeros(7)).shape
(7,)

Values come from the engine on the host, derivatives are quantities too: nothing is traced through the dynamics. The engine
computes in double precision whatever the arrays have.
"""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np

from ._differentiable import Call, Functions, needed
from ._robot import Robot
from ._types import Array

jax = needed("jax")
jnp = jax.numpy

__all__ = ["JaxFunctions", "wrap"]


def wrap(robot: Robot) -> JaxFunctions:
    """The quantities of the robot as functions of JAX arrays, by the same names and with the same arguments.

    JAX rounds to single precision unless told otherwise; there is a warning if it does.
    """
    if not jax.config.jax_enable_x64:
        warnings.warn(
            "JAX is set to single precision, to which results are rounded; "
            'jax.config.update("jax_enable_x64", True) before the first array keeps all digits',
            stacklevel=2,
        )
    return JaxFunctions(robot)


class JaxFunctions(Functions):
    """The quantities of a robot as functions of JAX arrays: see :func:`wrap`."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self._functions: dict[Call, Any] = {}

    def _arrays(self, given: dict[str, Any]) -> dict[str, Any]:
        arrays = {key: jnp.asarray(value) for key, value in given.items()}
        kind = jnp.result_type(*arrays.values(), *(() if any(map(_real, arrays.values())) else (float,)))
        if not jnp.issubdtype(kind, jnp.floating):
            raise TypeError(f"arrays of real numbers are needed, not {kind}")
        return {key: array.astype(kind) for key, array in arrays.items()}

    def _constant(self, numbers: Array, like: Any) -> Any:
        return jnp.asarray(numbers, like.dtype)

    def _spread(self, array: Any, shape: tuple[int, ...]) -> Any:
        return jnp.broadcast_to(array, shape)

    def _einsum(self, indices: str, *factors: Any) -> Any:
        return jnp.einsum(indices, *factors, precision="highest")

    def _joined(self, parts: list[Any]) -> Any:
        return jnp.concatenate(parts, axis=-1)

    def _call(self, call: Call, arrays: tuple[Any, ...]) -> Any:
        if call not in self._functions:
            self._functions[call] = self._function(call)
        return self._functions[call](*arrays)

    def _function(self, call: Call) -> Any:
        shape = self._shape(call)

        def on_host(kind: Any, *arrays: Any) -> Array:
            if any(array.dtype != kind for array in arrays):
                raise RuntimeError(
                    f"JAX rounded {kind} on the way: jax.enable_x64 as a context does not reach its own threads; "
                    'call jax.config.update("jax_enable_x64", True) instead'
                )
            return self._on_host(call, *(np.asarray(array, np.float64) for array in arrays)).astype(kind, copy=False)

        def value(*arrays: Any) -> Any:
            kind = arrays[0].dtype
            result = jax.ShapeDtypeStruct((*arrays[0].shape[:-1], *shape), kind)
            return jax.pure_callback(functools.partial(on_host, kind), result, *arrays, vmap_method="broadcast_all")

        # Compiled also when it is not part of something that is: otherwise JAX prepares every single call anew.
        function = jax.custom_jvp(jax.jit(value))

        # Arguments that are held constant say so: their derivatives are neither computed nor missed.
        def derivative(arrays: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
            result = function(*arrays)
            change = jnp.zeros_like(result)
            across = (..., *[None] * len(shape), slice(None))
            for place, tangent in enumerate(tangents):
                if not isinstance(tangent, jax.custom_derivatives.SymbolicZero):
                    change += (self._partial(call, place, arrays) * tangent[across]).sum(-1)
            return result, change

        function.defjvp(derivative, symbolic_zeros=True)
        return function


def _real(array: Any) -> bool:
    return bool(jnp.issubdtype(array.dtype, jnp.inexact))
