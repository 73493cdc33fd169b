"""Derivatives of quantities by their arguments, in closed form, as arrays of other quantities.

Where the registry has a quantity ``X_dq`` or ``X_dqd``, that is the derivative of ``X``: its axes, then one for the variable.
The others follow from what the quantities are: the twist is J q̇, the torque has the slope M along q̈. Nothing here knows an
array library: rules ask a :class:`Point` for quantities and for sums of products.

Traps. Derivatives by the position count velocities, nv of them, not the nq numbers of ``q``: ``_differentiable`` translates.
Friction is part of the torque but not of C and g, and the second derivative of the friction is no quantity, so that
``inverse_dynamics_dqd`` has no derivative by ``qd``.
"""

from __future__ import annotations

import functools
import json
from typing import Any, Callable, NamedTuple, Protocol

import numpy as np

from . import _jourdain
from ._types import Array


class Quantity(NamedTuple):
    """What the registry says of a quantity."""

    name: str
    shape: tuple[str, ...]
    inputs: tuple[str, ...]
    of_link: bool


@functools.cache
def quantities() -> dict[str, Quantity]:
    """All quantities by their names, short ones too."""
    found = {}
    for entry in json.loads(_jourdain.handle("quantities", "{}")[0]):
        name = entry["name"].removesuffix(":L")
        quantity = Quantity(name, tuple(entry["shape"]), tuple(entry["inputs"]), name != entry["name"])
        found.update({key: quantity for key in (name, *entry["short"])})
    return found


class Point(Protocol):
    """A state, and quantities there."""

    vectors: dict[str, Any]

    @property
    def rest(self) -> Any:
        """The velocity zero."""

    def __call__(self, quantity: str, **changed: Any) -> Any:
        """A quantity at the state, or at one with other vectors; ``wrenches=None`` takes the wrenches away."""

    def each(self, quantity: str) -> Any:
        """A quantity for each unit velocity in turn, on an axis before its own."""

    def sum(self, indices: str, *factors: Any) -> Any:
        """Sum of products, indices as in ``numpy.einsum``; leading axes of states go without saying."""


Rule = Callable[[Point], Any]

_CROSS = np.zeros((3, 3, 3))
for _a, _b, _c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _CROSS[_a, _b, _c], _CROSS[_a, _c, _b] = 1.0, -1.0
# Where the three rows of a place stand in a pose, and those of the two halves in a twist.
_PLACE, _LAST = np.eye(4)[:, :3], np.eye(4)[3]
_HALVES = ((np.eye(6)[:, :3], slice(0, 3)), (np.eye(6)[:, 3:], slice(3, 6)))


def _pose(at: Point) -> Any:
    """ṗ = v and Ṙ = ω × R."""
    rotation, jacobian = at("pose")[..., :3, :3], at("jacobian")
    turned = at.sum("uvw,vk,wn->unk", _CROSS, jacobian[..., 3:, :], rotation)
    moved = at.sum("au,b,uk->abk", _PLACE, _LAST, jacobian[..., :3, :])
    return moved + at.sum("au,unk,bn->abk", _PLACE, turned, _PLACE)


def _body_jacobian(at: Point) -> Any:
    """Each half in link axes is Rᵀ J, and the rate of Rᵀ is −Rᵀ ω×."""
    rotation, jacobian, change = at("pose")[..., :3, :3], at("jacobian"), at("jacobian_dq")

    def half(embed: Array, rows: slice) -> Any:
        turned = at.sum("uvw,vk,wj->ujk", _CROSS, jacobian[..., 3:, :], jacobian[..., rows, :])
        return at.sum("iu,vu,vjk->ijk", embed, rotation, change[..., rows, :, :] - turned)

    return half(*_HALVES[0]) + half(*_HALVES[1])


def _transposed(at: Point, matrix: Any) -> Any:
    return at.sum("ij->ji", matrix)


def _mass_matrix_dq(at: Point) -> Any:
    """∂M/∂qₖ is Ṁ = C + Cᵀ at the unit velocity k."""
    return at.sum("kijh->ijkh", at.each("coriolis_matrix_dq")) + at.sum("kijh->jikh", at.each("coriolis_matrix_dq"))


def _inverse_dq(at: Point) -> Any:
    """∂M⁻¹ = −M⁻¹ ∂M M⁻¹, once more."""
    inverse, slope, by = at("mass_matrix_inverse"), at("mass_matrix_inverse_dq"), at("mass_matrix_dq")
    inner = at.sum("ia,abkh,bj->ijkh", inverse, _mass_matrix_dq(at), inverse)
    return -(inner + at.sum("iah,abk,bj->ijkh", slope, by, inverse) + at.sum("ia,abk,bjh->ijkh", inverse, by, slope))


def _bias_by_velocity(at: Point) -> Any:
    return at("coriolis_matrix") + at.sum("ijk,j->ik", at("coriolis_matrix_dqd"), at.vectors["qd"])


def _torque_mixed(at: Point) -> Any:
    """∂²τᵢ/∂q̇ₖ∂qₕ; friction does not depend on the position."""
    along = at.sum("kijh,j->ikh", at.each("coriolis_matrix_dq"), at.vectors["qd"])
    return at("coriolis_matrix_dq") + along


def _acceleration_mixed(at: Point) -> Any:
    """∂²q̈ᵢ/∂q̇ₖ∂qₕ, of M q̈ + … = τ."""
    inverse, slope = at("mass_matrix_inverse"), at("mass_matrix_inverse_dq")
    return -(
        at.sum("iah,ak->ikh", slope, at("inverse_dynamics_dqd")) + at.sum("ia,akh->ikh", inverse, _torque_mixed(at))
    )


def _external_forces(at: Point) -> Any:
    """The torque at rest with the wrenches, without what it is without them."""
    loaded = at("inverse_dynamics_dq", qd=at.rest, qdd=at.rest)
    return loaded - at("inverse_dynamics_dq", qd=at.rest, qdd=at.rest, wrenches=None)


def _acceleration_by_position(at: Point) -> Any:
    by_acceleration = at.sum("ijk,j->ik", at("jacobian_dq"), at.vectors["qdd"])
    return by_acceleration + at.sum("ijk,j->ik", at("jacobian_dot_dq"), at.vectors["qd"])


_RULES: dict[tuple[str, str], Rule] = {
    # Kinematics.
    ("pose", "q"): _pose,
    ("body_jacobian", "q"): _body_jacobian,
    ("jacobian_dq", "q"): lambda at: at.sum("kijh->ijkh", at.each("jacobian_dot_dq")),
    ("jacobian_dot", "qd"): lambda at: at("jacobian_dq"),
    ("jacobian_dot_dq", "qd"): lambda at: at.sum("kijh->ijhk", at.each("jacobian_dot_dq")),
    ("twist", "q"): lambda at: at.sum("ijk,j->ik", at("jacobian_dq"), at.vectors["qd"]),
    ("twist", "qd"): lambda at: at("jacobian"),
    ("acceleration", "q"): _acceleration_by_position,
    ("acceleration", "qd"): lambda at: at("jacobian_dot") + at.sum("ijk,j->ik", at("jacobian_dq"), at.vectors["qd"]),
    ("acceleration", "qdd"): lambda at: at("jacobian"),
    ("com", "q"): lambda at: at("com_jacobian"),
    ("com_jacobian_dot", "qd"): lambda at: at("com_jacobian_dq"),
    ("centroidal_momentum", "qd"): lambda at: at("centroidal_matrix"),
    # Matrices.
    ("mass_matrix_dot", "q"): lambda at: at("coriolis_matrix_dq") + at.sum("ijk->jik", at("coriolis_matrix_dq")),
    ("mass_matrix_dot", "qd"): lambda at: at("mass_matrix_dq"),
    ("mass_matrix_dq", "q"): _mass_matrix_dq,
    ("mass_matrix_inverse_dq", "q"): _inverse_dq,
    ("coriolis_matrix_dq", "qd"): lambda at: at.sum("kijh->ijhk", at.each("coriolis_matrix_dq")),
    ("coriolis_matrix_dqd", "q"): lambda at: at.sum("kijh->ijkh", at.each("coriolis_matrix_dq")),
    ("coriolis_christoffel", "qd"): lambda at: at("christoffel_symbols"),
    # Torques and accelerations.
    ("gravity_dot", "qd"): lambda at: at("gravity_dq"),
    ("bias", "q"): lambda at: at("gravity_dq") + at.sum("ijk,j->ik", at("coriolis_matrix_dq"), at.vectors["qd"]),
    ("bias", "qd"): _bias_by_velocity,
    ("external_forces", "q"): _external_forces,
    ("external_forces", "wrenches"): lambda at: -_transposed(at, at("body_jacobian")),
    ("inverse_dynamics", "qdd"): lambda at: at("mass_matrix"),
    ("inverse_dynamics", "wrenches"): lambda at: -_transposed(at, at("body_jacobian")),
    ("inverse_dynamics_dq", "qd"): lambda at: at.sum("ikh->ihk", _torque_mixed(at)),
    ("inverse_dynamics_dq", "qdd"): lambda at: at.sum("ijh->ihj", at("mass_matrix_dq")),
    ("inverse_dynamics_dq", "wrenches"): lambda at: -at.sum("cih->ihc", _body_jacobian(at)),
    ("inverse_dynamics_dqd", "q"): _torque_mixed,
    ("forward_dynamics", "tau"): lambda at: at("mass_matrix_inverse"),
    ("forward_dynamics", "wrenches"): lambda at: at.sum("ij,cj->ic", at("mass_matrix_inverse"), at("body_jacobian")),
    ("forward_dynamics_dq", "qd"): lambda at: at.sum("ikh->ihk", _acceleration_mixed(at)),
    ("forward_dynamics_dq", "tau"): lambda at: at.sum("ijh->ihj", at("mass_matrix_inverse_dq")),
    ("forward_dynamics_dq", "wrenches"): lambda at: (
        at.sum("ijh,cj->ihc", at("mass_matrix_inverse_dq"), at("body_jacobian"))
        + at.sum("ij,cjh->ihc", at("mass_matrix_inverse"), _body_jacobian(at))
    ),
    ("forward_dynamics_dqd", "q"): _acceleration_mixed,
    # Energies.
    ("kinetic_energy", "q"): lambda at: (
        0.5 * at.sum("ijk,i,j->k", at("mass_matrix_dq"), at.vectors["qd"], at.vectors["qd"])
    ),
    ("kinetic_energy", "qd"): lambda at: at.sum("ij,j->i", at("mass_matrix"), at.vectors["qd"]),
    ("potential_energy", "q"): lambda at: at("gravity"),
}


def rule(quantity: str, argument: str) -> Rule | None:
    """The derivative of a quantity by an argument: its axes, then that of the variable. ``None`` where there is none."""
    name = f"{quantity}_d{argument}"
    known = quantities()
    if name in known and known[name].shape == (*known[quantity].shape, "nv"):
        return lambda at: at(name)
    return _RULES.get((quantity, argument))


def differentiable() -> dict[str, tuple[str, ...]]:
    """By which arguments quantities have derivatives; quantities without any are left out."""
    table = {known.name: tuple(key for key in known.inputs if rule(known.name, key)) for known in quantities().values()}
    return {name: arguments for name, arguments in table.items() if arguments}
