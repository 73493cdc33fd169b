"""Quantities for PyTorch: ``backward``, also twice, forward mode, and ``torch.func`` with ``grad``, ``jvp``, ``vjp``, ``jacfwd``,
``jacrev``, ``hessian``, ``vmap``, and these in each other.

>>> import torch, jourdain as jd
>>> from jourdain.torch import wrap
>>> robot = wrap(jd.load("iiwa14"))
>>> q = torch.zeros(7, dtype=torch.float64, requires_grad=True)
>>> robot.potential_energy(q).backward()
>>> q.grad.shape
torch.Size([7])

Values come from the engine, derivatives are quantities too. The engine computes in double precision on the processor, whatever
the tensors have: those of another device are copied there, and results back.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ._differentiable import Call, Functions, needed
from ._robot import Robot
from ._types import Array

torch = needed("torch")
forward_ad = torch.autograd.forward_ad

__all__ = ["TorchFunctions", "wrap"]


def wrap(robot: Robot) -> TorchFunctions:
    """The quantities of the robot as functions of tensors, by the same names and with the same arguments.

    Results have the type and the device of the tensors given; numbers that are no tensors are taken along.
    """
    return TorchFunctions(robot)


class TorchFunctions(Functions):
    """The quantities of a robot as functions of tensors: see :func:`wrap`."""

    def _arrays(self, given: dict[str, Any]) -> dict[str, Any]:
        tensors = {key: value for key, value in given.items() if isinstance(value, torch.Tensor)}
        devices = {str(tensor.device) for tensor in tensors.values()}
        if len(devices) > 1:
            raise ValueError(f"tensors must be on one device, not on {', '.join(sorted(devices))}")
        kinds = [tensor.dtype for tensor in tensors.values() if tensor.is_floating_point() or tensor.is_complex()]
        kind = functools.reduce(torch.promote_types, kinds) if kinds else torch.get_default_dtype()
        if not kind.is_floating_point:
            raise TypeError(f"tensors of real numbers are needed, not {kind}")
        device = next(iter(devices), None)

        def tensor(value: Any) -> Any:
            # By way of NumPy, whose numbers are not rounded before their time.
            numbers = value if isinstance(value, torch.Tensor) else np.asarray(value, np.float64)
            return torch.as_tensor(numbers, dtype=kind, device=device)

        return {key: tensor(value) for key, value in given.items()}

    def _constant(self, numbers: Array, like: Any) -> Any:
        return torch.as_tensor(numbers, dtype=like.dtype, device=like.device)

    def _spread(self, array: Any, shape: tuple[int, ...]) -> Any:
        return array.expand(shape)

    def _einsum(self, indices: str, *factors: Any) -> Any:
        return torch.einsum(indices, *factors)

    def _joined(self, parts: list[Any]) -> Any:
        return torch.cat(parts, dim=-1)

    def _call(self, call: Call, arrays: tuple[Any, ...]) -> Any:
        return _Evaluation.apply(self, call, *arrays)


class _Evaluation(torch.autograd.Function):  # type: ignore[misc, name-defined]
    """A quantity at tensors of one leading shape. Its derivatives are tensors made of such evaluations, so that they have
    derivatives in turn.

    Products are summed by hand: the older ``vmap`` inside ``torch.autograd.grad(…, is_grads_batched=True)`` knows no einsum.
    """

    @staticmethod
    def forward(functions: TorchFunctions, call: Call, *arrays: Any) -> Any:
        on_host = (array.detach().to("cpu", torch.float64).numpy() for array in arrays)
        return functions._constant(functions._on_host(call, *on_host), arrays[0])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.functions, ctx.call, *arrays = inputs
        ctx.save_for_backward(*arrays)
        ctx.save_for_forward(*arrays)
        # Arguments that are held constant say so, with None: their derivatives are neither computed nor missed.
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> tuple[Any, ...]:
        arrays, axes = ctx.saved_tensors, len(ctx.functions._shape(ctx.call))

        def by(place: int) -> Any:
            if gradient is None:
                return None
            product = gradient[..., None] * ctx.functions._partial(ctx.call, place, arrays)
            return product.sum(tuple(range(-1 - axes, -1))) if axes else product

        return None, None, *(by(place) if ctx.needs_input_grad[2 + place] else None for place in range(len(arrays)))

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        across = (..., *[None] * len(ctx.functions._shape(ctx.call)), slice(None))
        # Torch runs this with forward mode off, which would make second derivatives of forward over forward zero without a
        # word. With it on, the tensors must lose the tangents of this level, or they would count twice.
        with forward_ad._set_fwd_grad_enabled(True):
            arrays = tuple(forward_ad.unpack_dual(array).primal for array in ctx.saved_tensors)
            changes = [
                (ctx.functions._partial(ctx.call, place, arrays) * tangent[across]).sum(-1)
                for place, tangent in enumerate(tangents[2:])
                if tangent is not None
            ]
            return sum(changes[1:], changes[0]) if changes else None

    @staticmethod
    def vmap(
        info: Any, in_dims: tuple[Any, ...], functions: TorchFunctions, call: Call, *arrays: Any
    ) -> tuple[Any, int]:
        def spread(array: Any, dim: int | None) -> Any:
            return array.expand(info.batch_size, *array.shape) if dim is None else array.movedim(dim, 0)

        together = (spread(array, dim) for array, dim in zip(arrays, in_dims[2:]))
        return _Evaluation.apply(functions, call, *together), 0
