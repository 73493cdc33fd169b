//! The table of quantities: one entry per quantity, with every fact of it.
//!
//! An entry is: kind, name, short names, symbols in text and LaTeX, what it is; what it belongs to, axes, inputs, unit of a
//! turning joint, which inertias it depends on, what a robot must have, equation; and the formula or the two formulas
//! (`fast`, then `closed`). No fact can be left out. Adding a quantity is adding an entry.
//!
//! `four` behind the equation marks what also runs on four states at once. Every mark is a copy of the formula for the compiler to
//! translate, so that only those have it that are worth timing beside the others: `jourdain bench` shows them.

use super::context::{Context, run};
use super::entry::Inertias::{Bodies, Felt};
use super::entry::Need::{Mass, RegularMassMatrix};
use super::error::QuantityError;
use super::formulas::{self, By};
use super::shape::Axis::{self, BaseParameters, Homogeneous, InertialParameters, Parameters, Positions, Space};
use super::shape::{Shape, Variance};
use super::{Entry, Inertias, Owner, Path, Reads};
use crate::dynamics::closed_form::mueller_kumar;
use crate::dynamics::{Factorization, closed_form, composed, recursive};
use crate::elastic::inverse::motor_position;
use crate::kinematics::{self, Frame};
use crate::parameters;
use crate::unit::Unit;
use jourdain_symbolic::{Lanes, Scalar};

/// Velocities as a torque counts them, and as an acceleration does.
const FORCE: Axis = Axis::Velocities(Variance::Covariant);
const RATE: Axis = Axis::Velocities(Variance::Contravariant);
/// Six numbers of a motion, and of a momentum.
const TWIST: Axis = Axis::Twist(Variance::Contravariant);
const MOMENTUM: Axis = Axis::Twist(Variance::Covariant);
const MASS: Unit = Unit::KILOGRAM;
const INERTIA: Unit = Unit::KILOGRAM.metres(2);
const TORQUE: Unit = Unit::NEWTON.metres(1);

macro_rules! formula {
    ($path:ident $context:ident $out:ident both $both:expr) => {
        run($both, $context, $out)
    };
    ($path:ident $context:ident $out:ident fast $fast:expr, closed $closed:expr) => {
        match $path {
            Path::Fast => run($fast, $context, $out),
            Path::Closed => run($closed, $context, $out),
        }
    };
}

macro_rules! four {
    ([] $($rest:tt)*) => {
        None
    };
    ([four] $context:ident $out:ident $first:ident $fast:expr $(, closed $closed:expr)?) => {
        Some(run($fast, $context, $out))
    };
}

macro_rules! quantities {
    ($(
        $kind:ident $name:literal [$($short:literal),*] $text:literal, $latex:literal, $about:literal,
            $of:ident [$($axis:ident),*] $reads:expr, $unit:expr, $inertias:ident [$($need:ident),*], $reference:literal $($four:ident)?
            => $($which:ident $formula:expr),+;
    )*) => {
        /// The quantities there are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(
                #[doc = $about]
                $kind,
            )*
        }

        /// One entry per kind, in the order of the kinds.
        pub(super) const ENTRIES: &[Entry] = &[$(
            Entry {
                name: $name,
                short: &[$($short),*],
                symbol: [$text, $latex],
                about: $about,
                of: Owner::$of,
                shape: Shape(&[$($axis),*]),
                reads: $reads,
                unit: $unit,
                inertias: inertias!($inertias),
                needs: &[$($need),*],
                reference: $reference,
                kind: Kind::$kind,
            },
        )*];

        impl Kind {
            /// Evaluates the formula of the path.
            pub(super) fn run<S: Scalar>(
                self,
                path: Path,
                context: &mut Context<'_, S>,
                out: &mut [S],
            ) -> Result<(), QuantityError> {
                match self {
                    $(Kind::$kind => formula!(path context out $($which $formula),+),)*
                }
            }

            /// Evaluates the fast formula at four states at once; `None` for a quantity that is not marked `four`.
            pub(super) fn run_four(
                self,
                context: &mut Context<'_, Lanes<4>>,
                out: &mut [Lanes<4>],
            ) -> Option<Result<(), QuantityError>> {
                match self {
                    $(Kind::$kind => four!([$($four)?] context out $($which $formula),+),)*
                }
            }
        }
    };
}

macro_rules! inertias {
    (None) => {
        Inertias::None
    };
    ($which:ident) => {
        $which
    };
}

impl Kind {
    /// What is known of the quantity.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }
}

quantities! {
    // Kinematics.
    Pose "pose" [] "T", "T", "pose of link L in the world, a homogeneous matrix",
        Link [Homogeneous, Homogeneous] Reads::motion(0), Unit::METRE, None [], "G (26)"
        => both |c, _| kinematics::pose(c.model, c.q(), c.link).to_matrix();
    Jacobian "jacobian" [] "J", "J", "Jacobian of link L, world axes at the link origin, linear rows first",
        Link [TWIST, FORCE] Reads::motion(0), Unit::METRE, None [], "G (27)"
        => both |c, out| kinematics::jacobian_into(c.model, c.q(), Frame::world_aligned(c.link), &mut c.workspace.kinematics, out);
    BodyJacobian "body_jacobian" [] "Jb", "J_{\\mathrm{b}}", "Jacobian of link L, link axes at the link origin, linear rows first",
        Link [TWIST, FORCE] Reads::motion(0), Unit::METRE, None [], "G (27)"
        => both |c, out| kinematics::jacobian_into(c.model, c.q(), Frame::body(c.link), &mut c.workspace.kinematics, out);
    JacobianDot "jacobian_dot" [] "Jd", "\\dot{J}", "time derivative of jacobian:L",
        Link [TWIST, FORCE] Reads::motion(1), Unit::METRE.seconds(-1), None [], "G (28)"
        => both |c, out| kinematics::jacobian_dot_into(c.model, c.q(), c.qd(), Frame::world_aligned(c.link), &mut c.workspace.kinematics, out);
    JacobianDdot "jacobian_ddot" [] "Jdd", "\\ddot{J}", "second time derivative of jacobian:L",
        Link [TWIST, FORCE] Reads::motion(2), Unit::METRE.seconds(-2), None [], "G (29)"
        => fast |c, out| kinematics::jacobian_ddot_into(c.model, c.q(), c.qd(), c.qdd(), Frame::world_aligned(c.link), out),
           closed |c, _| closed_form::jacobian_ddot(c.model, c.q(), c.qd(), c.qdd(), c.link);
    JacobianDq "jacobian_dq" [] "dJ_dq", "\\partial_q J", "derivative of jacobian:L by the position, last index the variable",
        Link [TWIST, FORCE, FORCE] Reads::motion(0), Unit::METRE, None [], "G (30), (31)"
        => both |c, out| kinematics::jacobian_partials_into(c.model, c.q(), Frame::world_aligned(c.link), &mut c.workspace.kinematics, out);
    JacobianDotDq "jacobian_dot_dq" [] "dJd_dq", "\\partial_q \\dot{J}", "derivative of jacobian_dot:L by the position, last index the variable",
        Link [TWIST, FORCE, FORCE] Reads::motion(1), Unit::METRE.seconds(-1), None [], "G (32)"
        => both |c, out| kinematics::jacobian_dot_partials_into(c.model, c.q(), c.qd(), Frame::world_aligned(c.link), out);
    Twist "twist" [] "v", "v", "twist of link L, world axes at the link origin, linear first",
        Link [TWIST] Reads::motion(1), Unit::METRE.seconds(-1), None [], "G (26)"
        => fast |c, _| kinematics::twist(c.model, c.q(), c.qd(), c.link, &mut c.workspace.kinematics).to_array(),
           closed |c, _| closed_form::twist(c.model, c.q(), c.qd(), c.link).to_array();
    Acceleration "acceleration" [] "a", "a", "acceleration of the origin of link L and its angular acceleration, world axes, without gravity",
        Link [TWIST] Reads::motion(2), Unit::METRE.seconds(-2), None [], "rate of G (26)"
        => fast |c, _| kinematics::acceleration(c.model, c.q(), c.qd(), c.qdd(), c.link).to_array(),
           closed |c, _| closed_form::acceleration(c.model, c.q(), c.qd(), c.qdd(), c.link).to_array();
    SpatialAcceleration "spatial_acceleration" [] "vd", "\\dot{v}", "spatial acceleration of link L: as acceleration:L, but p̈ − ω × ṗ first",
        Link [TWIST] Reads::motion(2), Unit::METRE.seconds(-2), None [], "rate of G (26)"
        => fast |c, _| kinematics::spatial_acceleration(c.model, c.q(), c.qd(), c.qdd(), c.link).to_array(),
           closed |c, _| closed_form::spatial_acceleration(c.model, c.q(), c.qd(), c.qdd(), c.link).to_array();
    Manipulability "manipulability" [] "w", "w", "manipulability √det J Jᵀ of jacobian:L, all six rows",
        Link [] Reads::motion(0), Unit::METRE.metres(2), None [], "Ch (29)"
        => both |c, _| [kinematics::manipulability(c.model, c.q(), c.link, &mut c.workspace.kinematics)];
    Com "com" [] "p_com", "p_{\\mathrm{com}}", "centre of mass of the robot in the world",
        Robot [Space] Reads::motion(0), Unit::METRE, Bodies [Mass], "G (7)"
        => fast |c, out| formulas::com_into(c, out),
           closed |c, _| formulas::massive(closed_form::com(c.model, c.q()).map(|com| com.0), c);
    ComJacobian "com_jacobian" [] "J_com", "J_{\\mathrm{com}}", "Jacobian of the centre of mass, world axes",
        Robot [Space, FORCE] Reads::motion(0), Unit::METRE, Bodies [Mass], "G (7)"
        => fast |c, out| kinematics::com_jacobian_into(c.model, c.q(), &mut c.workspace.kinematics, out),
           closed |c, _| formulas::massive(closed_form::com_jacobian(c.model, c.q()), c);
    ComJacobianDot "com_jacobian_dot" [] "Jd_com", "\\dot{J}_{\\mathrm{com}}", "time derivative of com_jacobian",
        Robot [Space, FORCE] Reads::motion(1), Unit::METRE.seconds(-1), Bodies [Mass], "rate of G (7)"
        => both |c, out| kinematics::com_jacobian_dot_into(c.model, c.q(), c.qd(), &mut c.workspace.kinematics, out);
    ComJacobianDq "com_jacobian_dq" [] "dJ_com_dq", "\\partial_q J_{\\mathrm{com}}", "derivative of com_jacobian by the position, last index the variable",
        Robot [Space, FORCE, FORCE] Reads::motion(0), Unit::METRE, Bodies [Mass], "partials of G (7)"
        => both |c, out| kinematics::com::com_jacobian_partials_into(c.model, c.q(), out);
    CentroidalMatrix "centroidal_matrix" [] "A", "A", "matrix A with A q̇ = centroidal_momentum",
        Robot [MOMENTUM, FORCE] Reads::motion(0), MASS.metres(1), Bodies [Mass], "G (6a), (7)"
        => fast |c, out| kinematics::centroidal_matrix_into(c.model, c.q(), &mut c.workspace.kinematics, out),
           closed |c, _| formulas::massive(closed_form::centroidal_matrix(c.model, c.q()), c);
    CentroidalMatrixDot "centroidal_matrix_dot" [] "Ad", "\\dot{A}", "time derivative of centroidal_matrix",
        Robot [MOMENTUM, FORCE] Reads::motion(1), MASS.metres(1).seconds(-1), Bodies [Mass], "rate of G (6a), (7)"
        => fast |c, _| kinematics::centroidal_matrix_dot(c.model, c.q(), c.qd()),
           closed |c, _| formulas::massive(composed::centroidal_matrix_dot(c.model, c.q(), c.qd()), c);
    CentroidalMomentum "centroidal_momentum" [] "h", "h", "momentum of the links about the centre of mass, world axes, linear first",
        Robot [MOMENTUM] Reads::motion(1), MASS.metres(1).seconds(-1), Bodies [Mass], "G (26), (7)"
        => fast |c, _| kinematics::centroidal_momentum(c.model, c.q(), c.qd(), &mut c.workspace.kinematics),
           closed |c, _| formulas::massive(composed::centroidal_momentum(c.model, c.q(), c.qd()), c);

    // Mass matrix.
    MassMatrix "mass_matrix" ["M"] "M", "M", "mass matrix M, with the armature of rigid drives",
        Robot [FORCE, FORCE] Reads::motion(0), INERTIA, Felt [], "G (6a)" four
        => fast |c, out| recursive::mass_matrix_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::mass_matrix(c.model, c.q());
    MassMatrixDot "mass_matrix_dot" [] "Md", "\\dot{M}", "time derivative of M",
        Robot [FORCE, FORCE] Reads::motion(1), INERTIA.seconds(-1), Felt [], "G (25a)"
        => fast |c, out| recursive::mass_matrix_dot_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| closed_form::mass_matrix_dot(c.model, c.q(), c.qd());
    MassMatrixDdot "mass_matrix_ddot" [] "Mdd", "\\ddot{M}", "second time derivative of M",
        Robot [FORCE, FORCE] Reads::motion(2), INERTIA.seconds(-2), Felt [], "MK (40)"
        => fast |c, out| formulas::highest::<S, 3>(c, 0, out, |motion, scratch, m| recursive::mass_matrix_series_into(c.model, c.q(), motion, scratch, m)),
           closed |c, _| mueller_kumar::mass_matrix_ddot(c.model, c.q(), c.qd(), c.qdd());
    MassMatrixDN "mass_matrix_dN" [] "M", "M", "time derivative of M of order N",
        Family [FORCE, FORCE] Reads::motion(0), INERTIA, Felt [], "rate of MK (40)"
        => fast |c, out| recursive::mass_matrix_derivative_into(c.model, c.q(), &c.motion(c.order), c.order, out),
           closed |c, _| formulas::system(c, 0).mass_matrix(c.order);
    MassMatrixDq "mass_matrix_dq" [] "dM_dq", "\\partial_q M", "derivative of M by the position, last index the variable",
        Robot [FORCE, FORCE, FORCE] Reads::motion(0), INERTIA, Felt [], "G (24a)"
        => fast |c, out| recursive::mass_matrix_dq_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::mass_matrix_dq(c.model, c.q());
    MassMatrixInverse "mass_matrix_inverse" [] "Minv", "\\bar{M}", "inverse of M",
        Robot [RATE, RATE] Reads::motion(0), Unit::ONE.per(INERTIA), Felt [RegularMassMatrix], "G (6a)" four
        => fast |c, out| recursive::mass_matrix_inverse_into(c.model, c.q(), c.workspace, out),
           closed |c, _| composed::mass_matrix_inverse(c.model, c.q());
    MassMatrixInverseDq "mass_matrix_inverse_dq" [] "dMinv_dq", "\\partial_q \\bar{M}", "derivative of the inverse of M by the position, last index the variable",
        Robot [RATE, RATE, FORCE] Reads::motion(0), Unit::ONE.per(INERTIA), Felt [RegularMassMatrix], "G (6a), (24a)"
        => fast |c, out| recursive::mass_matrix_inverse_dq_into(c.model, c.q(), c.workspace, out),
           closed |c, _| composed::mass_matrix_inverse_dq(c.model, c.q());

    // Coriolis matrix.
    CoriolisMatrix "coriolis_matrix" ["C"] "C", "C", "Coriolis matrix C with skew-symmetric Ṁ − 2C",
        Robot [FORCE, FORCE] Reads::motion(1), INERTIA.seconds(-1), Felt [], "G (6b), MK (54)" four
        => fast |c, out| recursive::coriolis_matrix_into(c.model, c.q(), c.qd(), Factorization::Garofalo, c.workspace, out),
           closed |c, _| closed_form::coriolis_matrix(c.model, c.q(), c.qd(), Factorization::Garofalo);
    CoriolisMatrixDot "coriolis_matrix_dot" [] "Cd", "\\dot{C}", "time derivative of C",
        Robot [FORCE, FORCE] Reads::motion(2), INERTIA.seconds(-2), Felt [], "G (25b)"
        => fast |c, _| recursive::coriolis_matrix_dot(c.model, c.q(), c.qd(), c.qdd(), Factorization::Garofalo),
           closed |c, _| closed_form::coriolis_matrix_dot(c.model, c.q(), c.qd(), c.qdd(), Factorization::Garofalo);
    CoriolisMatrixDdot "coriolis_matrix_ddot" [] "Cdd", "\\ddot{C}", "second time derivative of C",
        Robot [FORCE, FORCE] Reads::motion(3), INERTIA.seconds(-3), Felt [], "MK (45), (54)"
        => fast |c, out| formulas::highest::<S, 3>(c, 1, out, |motion, scratch, m| recursive::coriolis_matrix_series_into(c.model, c.q(), motion, Factorization::Garofalo, scratch, m)),
           closed |c, _| mueller_kumar::coriolis_matrix_ddot(c.model, c.q(), c.qd(), c.qdd(), &c.state.qddd);
    CoriolisMatrixDN "coriolis_matrix_dN" [] "C", "C", "time derivative of C of order N",
        Family [FORCE, FORCE] Reads::motion(1), INERTIA.seconds(-1), Felt [], "rate of MK (45), (54)"
        => fast |c, out| recursive::coriolis_matrix_derivative_into(c.model, c.q(), &c.motion(c.order + 1), c.order, out),
           closed |c, _| formulas::system(c, 1).coriolis_matrix(c.order);
    CoriolisMatrixDq "coriolis_matrix_dq" [] "dC_dq", "\\partial_q C", "derivative of C by the position, last index the variable",
        Robot [FORCE, FORCE, FORCE] Reads::motion(1), INERTIA.seconds(-1), Felt [], "G (24b)"
        => fast |c, _| recursive::coriolis_matrix_dq(c.model, c.q(), c.qd(), Factorization::Garofalo),
           closed |c, _| closed_form::coriolis_matrix_dq(c.model, c.q(), c.qd(), Factorization::Garofalo);
    CoriolisMatrixDqd "coriolis_matrix_dqd" [] "dC_dqd", "\\partial_{\\dot{q}} C", "derivative of C by the velocity, last index the variable",
        Robot [FORCE, FORCE, FORCE] Reads::motion(0), INERTIA, Felt [], "G (24c)"
        => fast |c, out| recursive::coriolis_matrix_dqd_into(c.model, c.q(), Factorization::Garofalo, c.workspace, out),
           closed |c, _| closed_form::coriolis_matrix_dqd(c.model, c.q(), Factorization::Garofalo);
    CoriolisChristoffel "coriolis_christoffel" [] "C", "C", "Coriolis matrix of the Christoffel symbols",
        Robot [FORCE, FORCE] Reads::motion(1), INERTIA.seconds(-1), Felt [], "G (6b), other Ψ" four
        => fast |c, out| recursive::coriolis_matrix_into(c.model, c.q(), c.qd(), Factorization::Christoffel, c.workspace, out),
           closed |c, _| closed_form::coriolis_matrix(c.model, c.q(), c.qd(), Factorization::Christoffel);
    ChristoffelSymbols "christoffel_symbols" [] "Gamma", "\\Gamma", "Christoffel symbols of the first kind, C_ij = Σ_h Γ_ijh q̇_h",
        Robot [FORCE, FORCE, FORCE] Reads::motion(0), INERTIA, Felt [], "G (24c), other Ψ"
        => fast |c, out| recursive::coriolis_matrix_dqd_into(c.model, c.q(), Factorization::Christoffel, c.workspace, out),
           closed |c, _| closed_form::christoffel_symbols(c.model, c.q());

    // Gravity and wrenches.
    Gravity "gravity" ["g"] "g", "g", "gravity torques g",
        Robot [FORCE] Reads::motion(0), TORQUE, Felt [], "G (6c)" four
        => fast |c, out| recursive::gravity_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::gravity(c.model, c.q());
    GravityDot "gravity_dot" [] "gd", "\\dot{g}", "time derivative of g",
        Robot [FORCE] Reads::motion(1), TORQUE.seconds(-1), Felt [], "G (25c)"
        => fast |c, _| recursive::gravity_dot(c.model, c.q(), c.qd()),
           closed |c, _| closed_form::gravity_dot(c.model, c.q(), c.qd());
    GravityDdot "gravity_ddot" [] "gdd", "\\ddot{g}", "second time derivative of g",
        Robot [FORCE] Reads::motion(2), TORQUE.seconds(-2), Felt [], "MK (52)"
        => fast |c, out| formulas::highest::<S, 3>(c, 0, out, |motion, scratch, g| recursive::gravity_series_into(c.model, c.q(), motion, scratch, g)),
           closed |c, _| mueller_kumar::gravity_ddot(c.model, c.q(), c.qd(), c.qdd());
    GravityDN "gravity_dN" [] "g", "g", "time derivative of g of order N",
        Family [FORCE] Reads::motion(0), TORQUE, Felt [], "rate of MK (52)"
        => fast |c, _| recursive::gravity_derivative(c.model, c.q(), &c.motion(c.order), c.order),
           closed |c, _| formulas::system(c, 0).gravity(c.order);
    GravityDq "gravity_dq" [] "dg_dq", "\\partial_q g", "derivative of g by the position",
        Robot [FORCE, FORCE] Reads::motion(0), TORQUE, Felt [], "G (24d)"
        => fast |c, out| recursive::gravity_partials_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::gravity_dq(c.model, c.q());
    ExternalForces "external_forces" [] "tau_ext", "\\tau_{\\mathrm{ext}}", "torques that hold the applied wrenches, −Σ Jᵀ W",
        Robot [FORCE] Reads::motion(0).only_wrenches(0), TORQUE, None [], "G (5)"
        => fast |c, out| recursive::external_forces_into(c.model, c.q(), c.wrenches(), c.workspace, out),
           closed |c, _| closed_form::external_forces(c.model, c.q(), c.wrenches());
    ExternalForcesDot "external_forces_dot" [] "taud_ext", "\\dot{\\tau}_{\\mathrm{ext}}", "time derivative of external_forces",
        Robot [FORCE] Reads::motion(1).only_wrenches(1), TORQUE.seconds(-1), None [], "rate of G (5)"
        => fast |c, out| formulas::external_rate::<S, 2>(c, out),
           closed |c, _| composed::external_forces_dot(c.model, c.q(), c.qd(), c.wrenches());
    ExternalForcesDdot "external_forces_ddot" [] "taudd_ext", "\\ddot{\\tau}_{\\mathrm{ext}}", "second time derivative of external_forces",
        Robot [FORCE] Reads::motion(2).only_wrenches(2), TORQUE.seconds(-2), None [], "MK (53)"
        => fast |c, out| formulas::external_rate::<S, 3>(c, out),
           closed |c, _| mueller_kumar::external_forces_ddot(c.model, c.q(), c.qd(), c.qdd(), c.wrenches());
    ExternalForcesDN "external_forces_dN" [] "tau_ext", "\\tau_{\\mathrm{ext}}", "time derivative of external_forces of order N, for wrenches with two rates",
        Family [FORCE] Reads::motion(0).only_wrenches(0), TORQUE, None [], "rate of MK (53)"
        => fast |c, _| recursive::external_forces_derivative(c.model, c.q(), &c.motion(c.order), c.wrenches(), c.order),
           closed |c, _| formulas::system(c, 0).external_forces(c.wrenches(), c.order);
    Bias "bias" [] "b", "b", "torques C q̇ + g, without friction and wrenches",
        Robot [FORCE] Reads::motion(1), TORQUE, Felt [], "G (6b) q̇ + (6c)"
        => fast |c, out| recursive::bias_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| composed::bias(c.model, c.q(), c.qd());

    // Inverse and forward dynamics.
    InverseDynamics "inverse_dynamics" ["tau"] "tau", "\\tau", "torques τ = M q̈ + C q̇ + g − Σ Jᵀ W + friction",
        Robot [FORCE] Reads::motion(2).wrenches(0), TORQUE, Felt [], "G (5)" four
        => fast |c, out| recursive::inverse_dynamics_into(c.model, c.q(), c.qd(), c.qdd(), c.wrenches(), c.workspace, out),
           closed |c, _| closed_form::inverse_dynamics(c.model, c.q(), c.qd(), c.qdd(), c.wrenches());
    InverseDynamicsDot "inverse_dynamics_dot" [] "taud", "\\dot{\\tau}", "time derivative of τ",
        Robot [FORCE] Reads::motion(3).wrenches(1), TORQUE.seconds(-1), Felt [], "G (5), (25)"
        => fast |c, out| formulas::torque_rate::<S, 2>(c, out),
           closed |c, _| composed::inverse_dynamics_dot(c.model, c.state);
    InverseDynamicsDdot "inverse_dynamics_ddot" [] "taudd", "\\ddot{\\tau}", "second time derivative of τ",
        Robot [FORCE] Reads::motion(4).wrenches(2), TORQUE.seconds(-2), Felt [], "MK (38)"
        => fast |c, out| formulas::torque_rate::<S, 3>(c, out),
           closed |c, _| formulas::closed_torque_rate::<S, 3>(c);
    InverseDynamicsDN "inverse_dynamics_dN" [] "tau", "\\tau", "time derivative of τ of order N, for wrenches with two rates",
        Family [FORCE] Reads::motion(2).wrenches(0), TORQUE, Felt [], "rate of MK (38)"
        => fast |c, _| recursive::inverse_dynamics_derivative(c.model, c.q(), &c.motion(c.order + 2), c.wrenches(), c.order),
           closed |c, _| formulas::system(c, 2).inverse_dynamics_derivative(c.wrenches(), c.order);
    InverseDynamicsDq "inverse_dynamics_dq" [] "dtau_dq", "\\partial_q \\tau", "derivative of τ by the position, wrenches constant in link axes",
        Robot [FORCE, FORCE] Reads::motion(2).wrenches(0), TORQUE, Felt [], "G (5), (24)" four
        => fast |c, out| formulas::inverse_dynamics_partials(c, By::Position, out),
           closed |c, _| closed_form::inverse_dynamics_dq(c.model, c.q(), c.qd(), c.qdd(), c.wrenches());
    InverseDynamicsDqd "inverse_dynamics_dqd" [] "dtau_dqd", "\\partial_{\\dot{q}} \\tau", "derivative of τ by the velocity",
        Robot [FORCE, FORCE] Reads::motion(1), TORQUE.seconds(1), Felt [], "G (5), (24)" four
        => fast |c, out| formulas::inverse_dynamics_partials(c, By::Velocity, out),
           closed |c, _| closed_form::inverse_dynamics_dqd(c.model, c.q(), c.qd());
    ForwardDynamics "forward_dynamics" [] "qdd", "\\ddot{q}", "acceleration under the torques tau",
        Robot [RATE] Reads::motion(1).torque().wrenches(0), Unit::RADIAN.seconds(-2), Felt [RegularMassMatrix], "G (5) for q̈" four
        => fast |c, out| recursive::forward_dynamics_into(c.model, c.q(), c.qd(), &c.state.tau, c.wrenches(), c.workspace, out),
           closed |c, _| composed::forward_dynamics(c.model, c.state);
    ForwardDynamicsDq "forward_dynamics_dq" [] "dqdd_dq", "\\partial_q \\ddot{q}", "derivative of forward_dynamics by the position",
        Robot [RATE, FORCE] Reads::motion(1).torque().wrenches(0), Unit::ONE.seconds(-2), Felt [RegularMassMatrix], "G (5), (24)"
        => fast |c, out| formulas::forward_dynamics_partials(c, By::Position, out),
           closed |c, _| composed::forward_dynamics_dq(c.model, c.state);
    ForwardDynamicsDqd "forward_dynamics_dqd" [] "dqdd_dqd", "\\partial_{\\dot{q}} \\ddot{q}", "derivative of forward_dynamics by the velocity",
        Robot [RATE, FORCE] Reads::motion(1), Unit::ONE.seconds(-1), Felt [RegularMassMatrix], "G (5), (24)"
        => fast |c, out| formulas::forward_dynamics_partials(c, By::Velocity, out),
           closed |c, _| composed::forward_dynamics_dqd(c.model, c.state);

    // Parameters.
    Regressor "regressor" ["Y"] "Y", "Y", "matrix Y with Y π = M q̈ + C q̇ + g + friction",
        Robot [FORCE, Parameters] Reads::motion(2), TORQUE, None [], "G (16), q̇_r = q̇" four
        => fast |c, out| recursive::regressor_into(c.model, c.q(), c.qd(), c.qdd(), c.workspace, out),
           closed |c, _| closed_form::regressor(c.model, c.q(), c.qd(), c.qdd());
    SlotineLiRegressor "slotine_li_regressor" [] "Y", "Y", "matrix Y with Y π = M q̈_r + C q̇_r + g + friction",
        Robot [FORCE, Parameters] Reads::motion(1).reference(2), TORQUE, None [], "G (15), (16)"
        => fast |c, out| recursive::slotine_li_regressor_into(c.model, c.q(), c.qd(), &c.state.qd_r, &c.state.qdd_r, c.workspace, out),
           closed |c, _| closed_form::slotine_li_regressor(c.model, c.q(), c.qd(), &c.state.qd_r, &c.state.qdd_r);
    SlotineLiRegressorDot "slotine_li_regressor_dot" [] "Yd", "\\dot{Y}", "time derivative of slotine_li_regressor, along the motion and along qd_r, qdd_r, qddd_r",
        Robot [FORCE, Parameters] Reads::motion(2).reference(3), TORQUE.seconds(-1), None [], "rate of G (15), (16)"
        => fast |c, _| formulas::slotine_li_regressor_dot(c),
           closed |c, _| composed::slotine_li_regressor_dot(c.model, c.state);
    EnergyRegressor "energy_regressor" [] "y", "y", "row y with y π = kinetic + potential energy",
        Robot [Parameters] Reads::motion(1), Unit::JOULE, None [], "½ q̇ᵀ G (13a) q̇"
        => fast |c, out| recursive::energy_regressor_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| composed::energy_regressor(c.model, c.q(), c.qd());
    MomentumRegressor "momentum_regressor" [] "Y", "Y", "matrix Y with Y π = M q̇",
        Robot [FORCE, Parameters] Reads::motion(1), INERTIA.seconds(-1), None [], "G (13a) q̇"
        => fast |c, out| recursive::momentum_regressor_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| composed::momentum_regressor(c.model, c.q(), c.qd());
    BaseRegressor "base_regressor" [] "Y", "Y", "matrix Y with Y β = M q̈ + C q̇ + g + friction, β the base parameters",
        Robot [FORCE, BaseParameters] Reads::motion(2), TORQUE, None [], "G (16); GK (15), (16)"
        => fast |c, _| parameters::base_regressor_at(c.model, c.q(), c.qd(), c.qdd(), c.workspace),
           closed |c, _| {
               let regressor = closed_form::regressor(parameters::nominal(c.model), c.q(), c.qd(), c.qdd());
               parameters::base_regressor(c.model, &regressor)
           };
    MassMatrixDpi "mass_matrix_dpi" [] "dM_dpi", "\\partial_\\pi M", "derivative of M by the inertial parameters, last index the parameter",
        Robot [FORCE, FORCE, InertialParameters] Reads::motion(0), INERTIA, None [], "G (13a)"
        => both |c, _| closed_form::mass_matrix_dpi(c.model, c.q());
    CoriolisMatrixDpi "coriolis_matrix_dpi" [] "dC_dpi", "\\partial_\\pi C", "derivative of C by the inertial parameters, last index the parameter",
        Robot [FORCE, FORCE, InertialParameters] Reads::motion(1), INERTIA.seconds(-1), None [], "G (13b)"
        => both |c, _| closed_form::coriolis_matrix_dpi(c.model, c.q(), c.qd(), Factorization::Garofalo);
    GravityDpi "gravity_dpi" [] "dg_dpi", "\\partial_\\pi g", "derivative of g by the inertial parameters",
        Robot [FORCE, InertialParameters] Reads::motion(0), TORQUE, None [], "G (13c)"
        => both |c, _| closed_form::gravity_dpi(c.model, c.q());

    // Energy.
    KineticEnergy "kinetic_energy" [] "T", "T", "kinetic energy ½ q̇ᵀ M q̇",
        Robot [] Reads::motion(1), Unit::JOULE, Felt [], "½ q̇ᵀ G (6a) q̇"
        => fast |c, _| [recursive::kinetic_energy(c.model, c.q(), c.qd(), c.workspace)],
           closed |c, _| [composed::kinetic_energy(c.model, c.q(), c.qd())];
    PotentialEnergy "potential_energy" [] "V", "V", "potential energy, zero with the centre of mass at the ground origin",
        Robot [] Reads::motion(0), Unit::JOULE, Bodies [], "g = G (6c)"
        => fast |c, _| [recursive::potential_energy(c.model, c.q(), c.workspace)],
           closed |c, _| [composed::potential_energy(c.model, c.q())];

    // Elastic joints.
    ElasticMotorPosition "elastic_motor_position" [] "theta", "\\theta", "motor position θ = q + K⁻¹ τ, link side; rigid joints: q",
        Robot [Positions] Reads::motion(2).wrenches(0), Unit::RADIAN, Felt [], "Grimm (2)"
        => fast |c, _| motor_position(c.model, c.q(), &recursive::inverse_dynamics(c.model, c.q(), c.qd(), c.qdd(), c.wrenches())),
           closed |c, _| motor_position(c.model, c.q(), &closed_form::inverse_dynamics(c.model, c.q(), c.qd(), c.qdd(), c.wrenches()));
    ElasticMotorTorque "elastic_motor_torque" [] "u", "u", "motor torque B θ̈ + τ, link side, without damping; rigid joints: τ",
        Robot [FORCE] Reads::motion(4).wrenches(2), TORQUE, Felt [], "Grimm (1)"
        => fast |c, _| formulas::motor_torque_fast(c),
           closed |c, _| formulas::motor_torque_closed(c);
}
