"""Every quantity as a method. Made by ``generate.py`` from the registry: do not edit."""

from __future__ import annotations

from typing import Callable

from ._types import Array, Vector, Wrenches

NAMES: tuple[str, ...] = (
    "com",
    "com_jacobian",
    "com_jacobian_dot",
    "com_jacobian_dq",
    "centroidal_matrix",
    "centroidal_matrix_dot",
    "centroidal_momentum",
    "mass_matrix",
    "mass_matrix_dot",
    "mass_matrix_ddot",
    "mass_matrix_d3",
    "mass_matrix_d4",
    "mass_matrix_dq",
    "mass_matrix_inverse",
    "mass_matrix_inverse_dq",
    "coriolis_matrix",
    "coriolis_matrix_dot",
    "coriolis_matrix_ddot",
    "coriolis_matrix_d3",
    "coriolis_matrix_d4",
    "coriolis_matrix_dq",
    "coriolis_matrix_dqd",
    "coriolis_christoffel",
    "christoffel_symbols",
    "gravity",
    "gravity_dot",
    "gravity_ddot",
    "gravity_d3",
    "gravity_d4",
    "gravity_dq",
    "external_forces",
    "external_forces_dot",
    "external_forces_ddot",
    "external_forces_d3",
    "external_forces_d4",
    "bias",
    "inverse_dynamics",
    "inverse_dynamics_dot",
    "inverse_dynamics_ddot",
    "inverse_dynamics_d3",
    "inverse_dynamics_d4",
    "inverse_dynamics_dq",
    "inverse_dynamics_dqd",
    "forward_dynamics",
    "forward_dynamics_dq",
    "forward_dynamics_dqd",
    "regressor",
    "slotine_li_regressor",
    "slotine_li_regressor_dot",
    "energy_regressor",
    "momentum_regressor",
    "base_regressor",
    "mass_matrix_dpi",
    "coriolis_matrix_dpi",
    "gravity_dpi",
    "kinetic_energy",
    "potential_energy",
    "elastic_motor_position",
    "elastic_motor_torque",
)


class Quantities:
    """The quantities of a robot.

    Vectors are anything NumPy makes an array of, with any leading shape: ``q`` of shape (…, nq) gives (…, shape). A dict
    from joints to numbers will do for one state. With ``out=`` the result is written there and returned.
    """

    _run: list[Callable[..., Array]]

    def _of_link(self, name: str, link: str) -> Callable[..., Array]:
        raise NotImplementedError

    def pose(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Pose of link L in the world, a homogeneous matrix.

        Shape (…, 4, 4) in m. G (26).
        """
        return self._of_link("pose", link)(out, None, None, q)

    def jacobian(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Jacobian of link L, world axes at the link origin, linear rows first.

        Shape (…, 6, nv) in m, 1. G (27).
        """
        return self._of_link("jacobian", link)(out, None, None, q)

    def body_jacobian(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Jacobian of link L, link axes at the link origin, linear rows first.

        Shape (…, 6, nv) in m, 1. G (27).
        """
        return self._of_link("body_jacobian", link)(out, None, None, q)

    def jacobian_dot(self, link: str, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of jacobian:L.

        Shape (…, 6, nv) in m/s, 1/s. G (28).
        """
        return self._of_link("jacobian_dot", link)(out, None, None, q, qd)

    def jacobian_ddot(self, link: str, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of jacobian:L.

        Shape (…, 6, nv) in m/s², 1/s². G (29).
        """
        return self._of_link("jacobian_ddot", link)(out, None, None, q, qd, qdd)

    def jacobian_dq(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of jacobian:L by the position, last index the variable.

        Shape (…, 6, nv, nv) in m, 1. G (30), (31).
        """
        return self._of_link("jacobian_dq", link)(out, None, None, q)

    def jacobian_dot_dq(self, link: str, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of jacobian_dot:L by the position, last index the variable.

        Shape (…, 6, nv, nv) in m/s, 1/s. G (32).
        """
        return self._of_link("jacobian_dot_dq", link)(out, None, None, q, qd)

    def twist(self, link: str, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Twist of link L, world axes at the link origin, linear first.

        Shape (…, 6) in m/s, 1/s. G (26).
        """
        return self._of_link("twist", link)(out, None, None, q, qd)

    def acceleration(self, link: str, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Acceleration of the origin of link L and its angular acceleration, world axes, without gravity.

        Shape (…, 6) in m/s², 1/s². rate of G (26).
        """
        return self._of_link("acceleration", link)(out, None, None, q, qd, qdd)

    def spatial_acceleration(self, link: str, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Spatial acceleration of link L: as acceleration:L, but p̈ − ω × ṗ first.

        Shape (…, 6) in m/s², 1/s². rate of G (26).
        """
        return self._of_link("spatial_acceleration", link)(out, None, None, q, qd, qdd)

    def manipulability(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Manipulability √det J Jᵀ of jacobian:L, all six rows.

        Shape (…) in m³. Ch (29).
        """
        return self._of_link("manipulability", link)(out, None, None, q)

    def com(self, q: Vector, *, out: Array | None = None) -> Array:
        """Centre of mass of the robot in the world.

        Shape (…, 3) in m. G (7).
        """
        return self._run[0](out, None, None, q)

    def com_jacobian(self, q: Vector, *, out: Array | None = None) -> Array:
        """Jacobian of the centre of mass, world axes.

        Shape (…, 3, nv) in m. G (7).
        """
        return self._run[1](out, None, None, q)

    def com_jacobian_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of com_jacobian.

        Shape (…, 3, nv) in m/s. rate of G (7).
        """
        return self._run[2](out, None, None, q, qd)

    def com_jacobian_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of com_jacobian by the position, last index the variable.

        Shape (…, 3, nv, nv) in m. partials of G (7).
        """
        return self._run[3](out, None, None, q)

    def centroidal_matrix(self, q: Vector, *, out: Array | None = None) -> Array:
        """Matrix A with A q̇ = centroidal_momentum.

        Shape (…, 6, nv) in kg m, kg m². G (6a), (7).
        """
        return self._run[4](out, None, None, q)

    def centroidal_matrix_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of centroidal_matrix.

        Shape (…, 6, nv) in kg m/s, kg m²/s. rate of G (6a), (7).
        """
        return self._run[5](out, None, None, q, qd)

    def centroidal_momentum(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Momentum of the links about the centre of mass, world axes, linear first.

        Shape (…, 6) in kg m/s, kg m²/s. G (26), (7).
        """
        return self._run[6](out, None, None, q, qd)

    def mass_matrix(self, q: Vector, *, out: Array | None = None) -> Array:
        """Mass matrix M, with the armature of rigid drives.

        Shape (…, nv, nv) in kg m². G (6a).
        """
        return self._run[7](out, None, None, q)

    M = mass_matrix

    def mass_matrix_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of M.

        Shape (…, nv, nv) in kg m²/s. G (25a).
        """
        return self._run[8](out, None, None, q, qd)

    def mass_matrix_ddot(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of M.

        Shape (…, nv, nv) in kg m²/s². MK (40).
        """
        return self._run[9](out, None, None, q, qd, qdd)

    def mass_matrix_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of M of order 3.

        Shape (…, nv, nv) in kg m²/s³. rate of MK (40).
        """
        return self._run[10](out, None, None, q, qd, qdd, qddd)

    def mass_matrix_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of M of order 4.

        Shape (…, nv, nv) in kg m²/s⁴. rate of MK (40).
        """
        return self._run[11](out, None, None, q, qd, qdd, qddd, qdddd)

    def mass_matrix_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of M by the position, last index the variable.

        Shape (…, nv, nv, nv) in kg m². G (24a).
        """
        return self._run[12](out, None, None, q)

    def mass_matrix_inverse(self, q: Vector, *, out: Array | None = None) -> Array:
        """Inverse of M.

        Shape (…, nv, nv) in 1/(kg m²). G (6a).
        """
        return self._run[13](out, None, None, q)

    def mass_matrix_inverse_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of the inverse of M by the position, last index the variable.

        Shape (…, nv, nv, nv) in 1/(kg m²). G (6a), (24a).
        """
        return self._run[14](out, None, None, q)

    def coriolis_matrix(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Coriolis matrix C with skew-symmetric Ṁ − 2C.

        Shape (…, nv, nv) in kg m²/s. G (6b), MK (54).
        """
        return self._run[15](out, None, None, q, qd)

    C = coriolis_matrix

    def coriolis_matrix_dot(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of C.

        Shape (…, nv, nv) in kg m²/s². G (25b).
        """
        return self._run[16](out, None, None, q, qd, qdd)

    def coriolis_matrix_ddot(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of C.

        Shape (…, nv, nv) in kg m²/s³. MK (45), (54).
        """
        return self._run[17](out, None, None, q, qd, qdd, qddd)

    def coriolis_matrix_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of C of order 3.

        Shape (…, nv, nv) in kg m²/s⁴. rate of MK (45), (54).
        """
        return self._run[18](out, None, None, q, qd, qdd, qddd, qdddd)

    def coriolis_matrix_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, derivatives: Vector | None = None, out: Array | None = None) -> Array:
        """Time derivative of C of order 4.

        Shape (…, nv, nv) in kg m²/s⁵. rate of MK (45), (54).
        """
        return self._run[19](out, None, derivatives, q, qd, qdd, qddd, qdddd)

    def coriolis_matrix_dq(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of C by the position, last index the variable.

        Shape (…, nv, nv, nv) in kg m²/s. G (24b).
        """
        return self._run[20](out, None, None, q, qd)

    def coriolis_matrix_dqd(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of C by the velocity, last index the variable.

        Shape (…, nv, nv, nv) in kg m². G (24c).
        """
        return self._run[21](out, None, None, q)

    def coriolis_christoffel(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Coriolis matrix of the Christoffel symbols.

        Shape (…, nv, nv) in kg m²/s. G (6b), other Ψ.
        """
        return self._run[22](out, None, None, q, qd)

    def christoffel_symbols(self, q: Vector, *, out: Array | None = None) -> Array:
        """Christoffel symbols of the first kind, C_ij = Σ_h Γ_ijh q̇_h.

        Shape (…, nv, nv, nv) in kg m². G (24c), other Ψ.
        """
        return self._run[23](out, None, None, q)

    def gravity(self, q: Vector, *, out: Array | None = None) -> Array:
        """Gravity torques g.

        Shape (…, nv) in N m. G (6c).
        """
        return self._run[24](out, None, None, q)

    g = gravity

    def gravity_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of g.

        Shape (…, nv) in N m/s. G (25c).
        """
        return self._run[25](out, None, None, q, qd)

    def gravity_ddot(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of g.

        Shape (…, nv) in N m/s². MK (52).
        """
        return self._run[26](out, None, None, q, qd, qdd)

    def gravity_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of g of order 3.

        Shape (…, nv) in N m/s³. rate of MK (52).
        """
        return self._run[27](out, None, None, q, qd, qdd, qddd)

    def gravity_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of g of order 4.

        Shape (…, nv) in N m/s⁴. rate of MK (52).
        """
        return self._run[28](out, None, None, q, qd, qdd, qddd, qdddd)

    def gravity_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of g by the position.

        Shape (…, nv, nv) in N m. G (24d).
        """
        return self._run[29](out, None, None, q)

    def external_forces(self, q: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Torques that hold the applied wrenches, −Σ Jᵀ W.

        Shape (…, nv) in N m. G (5).
        """
        return self._run[30](out, wrenches, None, q)

    def external_forces_dot(self, q: Vector, qd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of external_forces.

        Shape (…, nv) in N m/s. rate of G (5).
        """
        return self._run[31](out, wrenches, None, q, qd)

    def external_forces_ddot(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Second time derivative of external_forces.

        Shape (…, nv) in N m/s². MK (53).
        """
        return self._run[32](out, wrenches, None, q, qd, qdd)

    def external_forces_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of external_forces of order 3, for wrenches with two rates.

        Shape (…, nv) in N m/s³. rate of MK (53).
        """
        return self._run[33](out, wrenches, None, q, qd, qdd, qddd)

    def external_forces_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of external_forces of order 4, for wrenches with two rates.

        Shape (…, nv) in N m/s⁴. rate of MK (53).
        """
        return self._run[34](out, wrenches, None, q, qd, qdd, qddd, qdddd)

    def bias(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Torques C q̇ + g, without friction and wrenches.

        Shape (…, nv) in N m. G (6b) q̇ + (6c).
        """
        return self._run[35](out, None, None, q, qd)

    def inverse_dynamics(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Torques τ = M q̈ + C q̇ + g − Σ Jᵀ W + friction.

        Shape (…, nv) in N m. G (5).
        """
        return self._run[36](out, wrenches, None, q, qd, qdd)

    tau = inverse_dynamics

    def inverse_dynamics_dot(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of τ.

        Shape (…, nv) in N m/s. G (5), (25).
        """
        return self._run[37](out, wrenches, None, q, qd, qdd, qddd)

    def inverse_dynamics_ddot(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Second time derivative of τ.

        Shape (…, nv) in N m/s². MK (38).
        """
        return self._run[38](out, wrenches, None, q, qd, qdd, qddd, qdddd)

    def inverse_dynamics_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, derivatives: Vector | None = None, out: Array | None = None) -> Array:
        """Time derivative of τ of order 3, for wrenches with two rates.

        Shape (…, nv) in N m/s³. rate of MK (38).
        """
        return self._run[39](out, wrenches, derivatives, q, qd, qdd, qddd, qdddd)

    def inverse_dynamics_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, derivatives: Vector | None = None, out: Array | None = None) -> Array:
        """Time derivative of τ of order 4, for wrenches with two rates.

        Shape (…, nv) in N m/s⁴. rate of MK (38).
        """
        return self._run[40](out, wrenches, derivatives, q, qd, qdd, qddd, qdddd)

    def inverse_dynamics_dq(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Derivative of τ by the position, wrenches constant in link axes.

        Shape (…, nv, nv) in N m. G (5), (24).
        """
        return self._run[41](out, wrenches, None, q, qd, qdd)

    def inverse_dynamics_dqd(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of τ by the velocity.

        Shape (…, nv, nv) in N m s. G (5), (24).
        """
        return self._run[42](out, None, None, q, qd)

    def forward_dynamics(self, q: Vector, qd: Vector, tau: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Acceleration under the torques tau.

        Shape (…, nv) in rad/s². G (5) for q̈.
        """
        return self._run[43](out, wrenches, None, q, qd, tau)

    def forward_dynamics_dq(self, q: Vector, qd: Vector, tau: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Derivative of forward_dynamics by the position.

        Shape (…, nv, nv) in 1/s². G (5), (24).
        """
        return self._run[44](out, wrenches, None, q, qd, tau)

    def forward_dynamics_dqd(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of forward_dynamics by the velocity.

        Shape (…, nv, nv) in 1/s. G (5), (24).
        """
        return self._run[45](out, None, None, q, qd)

    def regressor(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y π = M q̈ + C q̇ + g + friction.

        Shape (…, nv, np). G (16), q̇_r = q̇.
        """
        return self._run[46](out, None, None, q, qd, qdd)

    Y = regressor

    def slotine_li_regressor(self, q: Vector, qd: Vector, qd_r: Vector, qdd_r: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y π = M q̈_r + C q̇_r + g + friction.

        Shape (…, nv, np). G (15), (16).
        """
        return self._run[47](out, None, None, q, qd, qd_r, qdd_r)

    def slotine_li_regressor_dot(self, q: Vector, qd: Vector, qdd: Vector, qd_r: Vector, qdd_r: Vector, qddd_r: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of slotine_li_regressor, along the motion and along qd_r, qdd_r, qddd_r.

        Shape (…, nv, np). rate of G (15), (16).
        """
        return self._run[48](out, None, None, q, qd, qdd, qd_r, qdd_r, qddd_r)

    def energy_regressor(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Row y with y π = kinetic + potential energy.

        Shape (…, np). ½ q̇ᵀ G (13a) q̇.
        """
        return self._run[49](out, None, None, q, qd)

    def momentum_regressor(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y π = M q̇.

        Shape (…, nv, np). G (13a) q̇.
        """
        return self._run[50](out, None, None, q, qd)

    def base_regressor(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y β = M q̈ + C q̇ + g + friction, β the base parameters.

        Shape (…, nv, nb). G (16); GK (15), (16).
        """
        return self._run[51](out, None, None, q, qd, qdd)

    def mass_matrix_dpi(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of M by the inertial parameters, last index the parameter.

        Shape (…, nv, nv, 10·links). G (13a).
        """
        return self._run[52](out, None, None, q)

    def coriolis_matrix_dpi(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of C by the inertial parameters, last index the parameter.

        Shape (…, nv, nv, 10·links). G (13b).
        """
        return self._run[53](out, None, None, q, qd)

    def gravity_dpi(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of g by the inertial parameters.

        Shape (…, nv, 10·links). G (13c).
        """
        return self._run[54](out, None, None, q)

    def kinetic_energy(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Kinetic energy ½ q̇ᵀ M q̇.

        Shape (…) in J. ½ q̇ᵀ G (6a) q̇.
        """
        return self._run[55](out, None, None, q, qd)

    def potential_energy(self, q: Vector, *, out: Array | None = None) -> Array:
        """Potential energy, zero with the centre of mass at the ground origin.

        Shape (…) in J. g = G (6c).
        """
        return self._run[56](out, None, None, q)

    def elastic_motor_position(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Motor position θ = q + K⁻¹ τ, link side; rigid joints: q.

        Shape (…, nq) in rad. Grimm (2).
        """
        return self._run[57](out, wrenches, None, q, qd, qdd)

    def elastic_motor_torque(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Motor torque B θ̈ + τ, link side, without damping; rigid joints: τ.

        Shape (…, nv) in N m. Grimm (1).
        """
        return self._run[58](out, wrenches, None, q, qd, qdd, qddd, qdddd)
