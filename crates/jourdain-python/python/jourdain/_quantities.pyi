# Every quantity as a method, as type checkers and editors see it. Made by generate.py from the class of the engine: do not edit.

from . import _jourdain
from ._types import Array, Vector, Wrenches

__all__ = ["Quantities"]

class Quantities:
    """The quantities of a robot.

    Vectors are anything NumPy makes an array of, with any leading shape: ``q`` of shape (…, nq) gives (…, shape); one vector among
    many holds for all states. A dict from joints to numbers will do too. With ``out=`` the result is written there and returned.
    """
    def __init__(self, core: _jourdain.Robot) -> None: ...
    def _function(self, name: str) -> _jourdain.Compiled: ...
    def pose(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Pose of link L in the world, a homogeneous matrix.

        Shape (…, 4, 4) in m. G (26).
        """
    def jacobian(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Jacobian of link L, world axes at the link origin, linear rows first.

        Shape (…, 6, nv) in m, 1. G (27).
        """
    def body_jacobian(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Jacobian of link L, link axes at the link origin, linear rows first.

        Shape (…, 6, nv) in m, 1. G (27).
        """
    def jacobian_dot(self, link: str, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of jacobian:L.

        Shape (…, 6, nv) in m/s, 1/s. G (28).
        """
    def jacobian_ddot(self, link: str, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of jacobian:L.

        Shape (…, 6, nv) in m/s², 1/s². G (29).
        """
    def jacobian_dq(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of jacobian:L by the position, last index the variable.

        Shape (…, 6, nv, nv) in m, 1. G (30), (31).
        """
    def jacobian_dot_dq(self, link: str, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of jacobian_dot:L by the position, last index the variable.

        Shape (…, 6, nv, nv) in m/s, 1/s. G (32).
        """
    def twist(self, link: str, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Twist of link L, world axes at the link origin, linear first.

        Shape (…, 6) in m/s, 1/s. G (26).
        """
    def acceleration(self, link: str, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Acceleration of the origin of link L and its angular acceleration, world axes, without gravity.

        Shape (…, 6) in m/s², 1/s². rate of G (26).
        """
    def spatial_acceleration(self, link: str, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Spatial acceleration of link L: as acceleration:L, but p̈ − ω × ṗ first.

        Shape (…, 6) in m/s², 1/s². rate of G (26).
        """
    def manipulability(self, link: str, q: Vector, *, out: Array | None = None) -> Array:
        """Manipulability √det J Jᵀ of jacobian:L, all six rows.

        Shape (…) in m³. Ch (29).
        """
    def com(self, q: Vector, *, out: Array | None = None) -> Array:
        """Centre of mass of the robot in the world.

        Shape (…, 3) in m. G (7).
        """
    def com_jacobian(self, q: Vector, *, out: Array | None = None) -> Array:
        """Jacobian of the centre of mass, world axes.

        Shape (…, 3, nv) in m. G (7).
        """
    def com_jacobian_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of com_jacobian.

        Shape (…, 3, nv) in m/s. rate of G (7).
        """
    def com_jacobian_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of com_jacobian by the position, last index the variable.

        Shape (…, 3, nv, nv) in m. partials of G (7).
        """
    def centroidal_matrix(self, q: Vector, *, out: Array | None = None) -> Array:
        """Matrix A with A q̇ = centroidal_momentum.

        Shape (…, 6, nv) in kg m, kg m². G (6a), (7).
        """
    def centroidal_matrix_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of centroidal_matrix.

        Shape (…, 6, nv) in kg m/s, kg m²/s. rate of G (6a), (7).
        """
    def centroidal_momentum(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Momentum of the links about the centre of mass, world axes, linear first.

        Shape (…, 6) in kg m/s, kg m²/s. G (26), (7).
        """
    def mass_matrix(self, q: Vector, *, out: Array | None = None) -> Array:
        """Mass matrix M, with the armature of rigid drives.

        Shape (…, nv, nv) in kg m². G (6a).
        """
    M = mass_matrix
    def mass_matrix_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of M.

        Shape (…, nv, nv) in kg m²/s. G (25a).
        """
    def mass_matrix_ddot(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of M.

        Shape (…, nv, nv) in kg m²/s². MK (40).
        """
    def mass_matrix_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of M of order 3.

        Shape (…, nv, nv) in kg m²/s³. rate of MK (40).
        """
    def mass_matrix_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of M of order 4.

        Shape (…, nv, nv) in kg m²/s⁴. rate of MK (40).
        """
    def mass_matrix_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of M by the position, last index the variable.

        Shape (…, nv, nv, nv) in kg m². G (24a).
        """
    def mass_matrix_inverse(self, q: Vector, *, out: Array | None = None) -> Array:
        """Inverse of M.

        Shape (…, nv, nv) in 1/(kg m²). G (6a).
        """
    def mass_matrix_inverse_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of the inverse of M by the position, last index the variable.

        Shape (…, nv, nv, nv) in 1/(kg m²). G (6a), (24a).
        """
    def coriolis_matrix(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Coriolis matrix C with skew-symmetric Ṁ − 2C.

        Shape (…, nv, nv) in kg m²/s. G (6b), MK (54).
        """
    C = coriolis_matrix
    def coriolis_matrix_dot(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of C.

        Shape (…, nv, nv) in kg m²/s². G (25b).
        """
    def coriolis_matrix_ddot(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of C.

        Shape (…, nv, nv) in kg m²/s³. MK (45), (54).
        """
    def coriolis_matrix_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of C of order 3.

        Shape (…, nv, nv) in kg m²/s⁴. rate of MK (45), (54).
        """
    def coriolis_matrix_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, derivatives: Vector | None = None, out: Array | None = None) -> Array:
        """Time derivative of C of order 4.

        Shape (…, nv, nv) in kg m²/s⁵. rate of MK (45), (54).
        """
    def coriolis_matrix_dq(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of C by the position, last index the variable.

        Shape (…, nv, nv, nv) in kg m²/s. G (24b).
        """
    def coriolis_matrix_dqd(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of C by the velocity, last index the variable.

        Shape (…, nv, nv, nv) in kg m². G (24c).
        """
    def coriolis_christoffel(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Coriolis matrix of the Christoffel symbols.

        Shape (…, nv, nv) in kg m²/s. G (6b), other Ψ.
        """
    def christoffel_symbols(self, q: Vector, *, out: Array | None = None) -> Array:
        """Christoffel symbols of the first kind, C_ij = Σ_h Γ_ijh q̇_h.

        Shape (…, nv, nv, nv) in kg m². G (24c), other Ψ.
        """
    def gravity(self, q: Vector, *, out: Array | None = None) -> Array:
        """Gravity torques g.

        Shape (…, nv) in N m. G (6c).
        """
    g = gravity
    def gravity_dot(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of g.

        Shape (…, nv) in N m/s. G (25c).
        """
    def gravity_ddot(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Second time derivative of g.

        Shape (…, nv) in N m/s². MK (52).
        """
    def gravity_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of g of order 3.

        Shape (…, nv) in N m/s³. rate of MK (52).
        """
    def gravity_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of g of order 4.

        Shape (…, nv) in N m/s⁴. rate of MK (52).
        """
    def gravity_dq(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of g by the position.

        Shape (…, nv, nv) in N m. G (24d).
        """
    def external_forces(self, q: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Torques that hold the applied wrenches, −Σ Jᵀ W.

        Shape (…, nv) in N m. G (5).
        """
    def external_forces_dot(self, q: Vector, qd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of external_forces.

        Shape (…, nv) in N m/s. rate of G (5).
        """
    def external_forces_ddot(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Second time derivative of external_forces.

        Shape (…, nv) in N m/s². MK (53).
        """
    def external_forces_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of external_forces of order 3, for wrenches with two rates.

        Shape (…, nv) in N m/s³. rate of MK (53).
        """
    def external_forces_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of external_forces of order 4, for wrenches with two rates.

        Shape (…, nv) in N m/s⁴. rate of MK (53).
        """
    def bias(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Torques C q̇ + g, without friction and wrenches.

        Shape (…, nv) in N m. G (6b) q̇ + (6c).
        """
    def inverse_dynamics(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Torques τ = M q̈ + C q̇ + g − Σ Jᵀ W + friction.

        Shape (…, nv) in N m. G (5).
        """
    tau = inverse_dynamics
    def inverse_dynamics_dot(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Time derivative of τ.

        Shape (…, nv) in N m/s. G (5), (25).
        """
    def inverse_dynamics_ddot(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Second time derivative of τ.

        Shape (…, nv) in N m/s². MK (38).
        """
    def inverse_dynamics_d3(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, derivatives: Vector | None = None, out: Array | None = None) -> Array:
        """Time derivative of τ of order 3, for wrenches with two rates.

        Shape (…, nv) in N m/s³. rate of MK (38).
        """
    def inverse_dynamics_d4(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, derivatives: Vector | None = None, out: Array | None = None) -> Array:
        """Time derivative of τ of order 4, for wrenches with two rates.

        Shape (…, nv) in N m/s⁴. rate of MK (38).
        """
    def inverse_dynamics_dq(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Derivative of τ by the position, wrenches constant in link axes.

        Shape (…, nv, nv) in N m. G (5), (24).
        """
    def inverse_dynamics_dqd(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of τ by the velocity.

        Shape (…, nv, nv) in N m s. G (5), (24).
        """
    def forward_dynamics(self, q: Vector, qd: Vector, tau: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Acceleration under the torques tau.

        Shape (…, nv) in rad/s². G (5) for q̈.
        """
    def forward_dynamics_dq(self, q: Vector, qd: Vector, tau: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Derivative of forward_dynamics by the position.

        Shape (…, nv, nv) in 1/s². G (5), (24).
        """
    def forward_dynamics_dqd(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of forward_dynamics by the velocity.

        Shape (…, nv, nv) in 1/s. G (5), (24).
        """
    def regressor(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y π = M q̈ + C q̇ + g + friction.

        Shape (…, nv, np). G (16), q̇_r = q̇.
        """
    Y = regressor
    def slotine_li_regressor(self, q: Vector, qd: Vector, qd_r: Vector, qdd_r: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y π = M q̈_r + C q̇_r + g + friction.

        Shape (…, nv, np). G (15), (16).
        """
    def slotine_li_regressor_dot(self, q: Vector, qd: Vector, qdd: Vector, qd_r: Vector, qdd_r: Vector, qddd_r: Vector, *, out: Array | None = None) -> Array:
        """Time derivative of slotine_li_regressor, along the motion and along qd_r, qdd_r, qddd_r.

        Shape (…, nv, np). rate of G (15), (16).
        """
    def energy_regressor(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Row y with y π = kinetic + potential energy.

        Shape (…, np). ½ q̇ᵀ G (13a) q̇.
        """
    def momentum_regressor(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y π = M q̇.

        Shape (…, nv, np). G (13a) q̇.
        """
    def base_regressor(self, q: Vector, qd: Vector, qdd: Vector, *, out: Array | None = None) -> Array:
        """Matrix Y with Y β = M q̈ + C q̇ + g + friction, β the base parameters.

        Shape (…, nv, nb). G (16); GK (15), (16).
        """
    def mass_matrix_dpi(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of M by the inertial parameters, last index the parameter.

        Shape (…, nv, nv, 10·links). G (13a).
        """
    def coriolis_matrix_dpi(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Derivative of C by the inertial parameters, last index the parameter.

        Shape (…, nv, nv, 10·links). G (13b).
        """
    def gravity_dpi(self, q: Vector, *, out: Array | None = None) -> Array:
        """Derivative of g by the inertial parameters.

        Shape (…, nv, 10·links). G (13c).
        """
    def kinetic_energy(self, q: Vector, qd: Vector, *, out: Array | None = None) -> Array:
        """Kinetic energy ½ q̇ᵀ M q̇.

        Shape (…) in J. ½ q̇ᵀ G (6a) q̇.
        """
    def potential_energy(self, q: Vector, *, out: Array | None = None) -> Array:
        """Potential energy, zero with the centre of mass at the ground origin.

        Shape (…) in J. g = G (6c).
        """
    def elastic_motor_position(self, q: Vector, qd: Vector, qdd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Motor position θ = q + K⁻¹ τ, link side; rigid joints: q.

        Shape (…, nq) in rad. Grimm (2).
        """
    def elastic_motor_torque(self, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, *, wrenches: Wrenches | None = None, out: Array | None = None) -> Array:
        """Motor torque B θ̈ + τ, link side, without damping; rigid joints: τ.

        Shape (…, nv) in N m. Grimm (1).
        """
