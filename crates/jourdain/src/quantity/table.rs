//! The table of quantities. An entry is: kind, name, what it is, axes, inputs, unit, equation, and the formula or the two
//! formulas (`fast`, then `closed`). Adding a quantity is adding an entry.

use super::context::{Context, run};
use super::error::QuantityError;
use super::input::Input::{self, *};
use super::shape::Axis::{
    BaseParameters, Homogeneous, InertialParameters, Parameters, Positions, Space, Twist, Velocities,
};
use super::shape::Shape;
use super::{Entry, Path};
use crate::dynamics::closed_form::mueller_kumar;
use crate::dynamics::recursive::JetScratch;
use crate::dynamics::{Factorization, closed_form, composed, recursive};
use crate::elastic::inverse::{motor_position, motor_torque};
use crate::kinematics::{self, Frame, Massless};
use crate::parameters;
use jourdain_symbolic::{Jet, Scalar};

macro_rules! given {
    () => {
        false
    };
    ($link:ident) => {
        true
    };
}

macro_rules! quantities {
    ($(
        $kind:ident $name:literal $about:literal
            $(of $link:ident)? [$($axis:ident),*] from [$($input:ident),*] in $unit:literal, $reference:literal
            => fast $fast:expr $(, closed $closed:expr)?;
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
                about: $about,
                per_link: given!($($link)?),
                shape: Shape(&[$($axis),*]),
                inputs: { const INPUTS: &[Input] = &[$($input),*]; INPUTS },
                unit: $unit,
                reference: $reference,
                kind: Kind::$kind,
            },
        )*];

        impl Kind {
            /// Evaluates the formula of the path; the closed form falls back to the only formula there is.
            pub(super) fn run<S: Scalar>(
                self,
                path: Path,
                context: &mut Context<'_, S>,
                out: &mut [S],
            ) -> Result<(), QuantityError> {
                match (self, path) {
                    $(
                        $((Kind::$kind, Path::Closed) => run($closed, context, out),)?
                        (Kind::$kind, _) => run($fast, context, out),
                    )*
                }
            }
        }
    };
}

impl Kind {
    /// What is known of the quantity.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }
}

/// A robot without mass has no centre of mass.
fn massive<S: Scalar, R>(value: Option<R>, c: &Context<'_, S>) -> Result<R, Massless> {
    value.ok_or_else(|| Massless { robot: c.model.name().to_owned() })
}

fn com_into<S: Scalar>(c: &mut Context<'_, S>, out: &mut [S]) -> Result<(), Massless> {
    let mut com = [S::zero(); 3];
    kinematics::com_into(c.model, c.q(), &mut c.workspace.kinematics, &mut com)?;
    out.copy_from_slice(&com);
    Ok(())
}

/// Both partials of the inverse dynamics come from one pass: what is not asked for goes to `other`.
fn inverse_dynamics_partials<S: Scalar>(c: &mut Context<'_, S>, by: By, out: &mut [S]) {
    let (mut other, rest) = (vec![S::zero(); out.len()], vec![S::zero(); c.model.nv()]);
    let (model, q, w) = (c.model, c.q(), c.qd());
    let pass = recursive::inverse_dynamics_partials_into;
    match by {
        By::Position => pass(model, q, w, c.qdd(), c.wrenches(), c.workspace, out, &mut other),
        // Neither acceleration nor wrenches matter, so they are not read.
        By::Velocity => pass(model, q, w, &rest, &[], c.workspace, &mut other, out),
    }
}

/// As [`inverse_dynamics_partials`].
fn forward_dynamics_partials<S: Scalar>(c: &mut Context<'_, S>, by: By, out: &mut [S]) {
    let (mut other, rest) = (vec![S::zero(); out.len()], vec![S::zero(); c.model.nv()]);
    let (model, q, w) = (c.model, c.q(), c.qd());
    let pass = recursive::forward_dynamics_partials_into;
    match by {
        By::Position => pass(model, q, w, &c.state.tau, c.wrenches(), c.workspace, out, &mut other),
        By::Velocity => pass(model, q, w, &rest, &[], c.workspace, &mut other, out),
    }
}

/// Runs `fill` on `ORDERS` Taylor coefficients and keeps the highest derivative. The motion it is given are the first
/// `ORDERS` − 1 + `ahead` of w, ẇ, ẅ, ….
fn highest<S: Scalar, const ORDERS: usize>(
    c: &Context<'_, S>,
    ahead: usize,
    out: &mut [S],
    fill: impl FnOnce(&[&[S]], &mut JetScratch<S, ORDERS>, &mut [Jet<S, ORDERS>]),
) {
    let (rest, mut series) = (vec![S::zero(); c.model.nv()], vec![Jet::fixed(S::zero()); out.len()]);
    fill(&c.motion(ORDERS - 1 + ahead, &rest), &mut JetScratch::new(c.model), &mut series);
    out.iter_mut().zip(&series).for_each(|(out, jet)| *out = jet.derivative(ORDERS - 1));
}

/// The derivative of τ of the order `ORDERS` − 1.
fn torque_rate<S: Scalar, const ORDERS: usize>(c: &Context<'_, S>, out: &mut [S]) {
    highest::<S, ORDERS>(c, 2, out, |motion, scratch, series| {
        recursive::inverse_dynamics_series_into(c.model, c.q(), motion, c.wrenches(), scratch, series);
    });
}

/// The derivative of −Σ Jᵀ W of the order `ORDERS` − 1.
fn external_rate<S: Scalar, const ORDERS: usize>(c: &Context<'_, S>, out: &mut [S]) {
    highest::<S, ORDERS>(c, 0, out, |motion, scratch, series| {
        recursive::external_forces_series_into(c.model, c.q(), motion, c.wrenches(), scratch, series);
    });
}

/// The derivative of τ of the order `ORDERS` − 1 in closed form.
fn closed_torque_rate<S: Scalar, const ORDERS: usize>(c: &Context<'_, S>) -> Vec<S> {
    let rest = vec![S::zero(); c.model.nv()];
    let system = mueller_kumar::System::new(c.model, c.q(), &c.motion(ORDERS + 1, &rest));
    let mut orders: [Vec<S>; ORDERS] = system.inverse_dynamics(c.wrenches());
    std::mem::take(&mut orders[ORDERS - 1])
}

/// Motor torques from τ, τ̇, τ̈ by derivative tables.
fn motor_torque_fast<S: Scalar>(c: &Context<'_, S>) -> Vec<S> {
    let rest = vec![S::zero(); c.model.nv()];
    let rates: [Vec<S>; 3] = recursive::inverse_dynamics_tables(c.model, c.q(), &c.motion(4, &rest), c.wrenches());
    motor_torque(c.model, c.qd(), c.qdd(), rates.each_ref().map(Vec::as_slice))
}

/// Motor torques from τ, τ̇, τ̈ in closed form.
fn motor_torque_closed<S: Scalar>(c: &Context<'_, S>) -> Vec<S> {
    let rest = vec![S::zero(); c.model.nv()];
    let system = mueller_kumar::System::new(c.model, c.q(), &c.motion(4, &rest));
    let rates: [Vec<S>; 3] = system.inverse_dynamics(c.wrenches());
    motor_torque(c.model, c.qd(), c.qdd(), rates.each_ref().map(Vec::as_slice))
}

/// The variable of a partial derivative.
enum By {
    Position,
    Velocity,
}

quantities! {
    // Kinematics.
    Pose "pose" "pose of link L in the world, a homogeneous matrix"
        of link [Homogeneous, Homogeneous] from [Position] in "m", "G (26)"
        => fast |c, _| kinematics::pose(c.model, c.q(), c.link).to_matrix();
    Jacobian "jacobian" "Jacobian of link L, world axes at the link origin, linear rows first"
        of link [Twist, Velocities] from [Position] in "m, 1", "G (27)"
        => fast |c, out| kinematics::jacobian_into(c.model, c.q(), Frame::world_aligned(c.link), &mut c.workspace.kinematics, out);
    BodyJacobian "body_jacobian" "Jacobian of link L, link axes at the link origin, linear rows first"
        of link [Twist, Velocities] from [Position] in "m, 1", "G (27)"
        => fast |c, out| kinematics::jacobian_into(c.model, c.q(), Frame::body(c.link), &mut c.workspace.kinematics, out);
    JacobianDot "jacobian_dot" "time derivative of jacobian:L"
        of link [Twist, Velocities] from [Position, Velocity] in "m/s, 1/s", "G (28)"
        => fast |c, out| kinematics::jacobian_dot_into(c.model, c.q(), c.qd(), Frame::world_aligned(c.link), &mut c.workspace.kinematics, out);
    JacobianDq "jacobian_dq" "derivative of jacobian:L by the position, last index the variable"
        of link [Twist, Velocities, Velocities] from [Position] in "m, 1", "G (30), (31)"
        => fast |c, out| kinematics::jacobian_partials_into(c.model, c.q(), Frame::world_aligned(c.link), &mut c.workspace.kinematics, out);
    Com "com" "centre of mass of the robot in the world"
        [Space] from [Position] in "m", "G (7)"
        => fast |c, out| com_into(c, out),
           closed |c, _| massive(closed_form::com(c.model, c.q()).map(|com| com.0), c);
    ComJacobian "com_jacobian" "Jacobian of the centre of mass, world axes"
        [Space, Velocities] from [Position] in "m", "G (7)"
        => fast |c, out| kinematics::com_jacobian_into(c.model, c.q(), &mut c.workspace.kinematics, out),
           closed |c, _| massive(closed_form::com_jacobian(c.model, c.q()), c);
    ComJacobianDot "com_jacobian_dot" "time derivative of com_jacobian"
        [Space, Velocities] from [Position, Velocity] in "m/s", "rate of G (7)"
        => fast |c, out| kinematics::com_jacobian_dot_into(c.model, c.q(), c.qd(), &mut c.workspace.kinematics, out);

    // Mass matrix.
    MassMatrix "mass_matrix" "mass matrix M, with the armature of rigid drives"
        [Velocities, Velocities] from [Position] in "kg m²", "G (6a)"
        => fast |c, out| recursive::mass_matrix_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::mass_matrix(c.model, c.q());
    MassMatrixDot "mass_matrix_dot" "time derivative of M"
        [Velocities, Velocities] from [Position, Velocity] in "kg m²/s", "G (25a)"
        => fast |c, out| recursive::mass_matrix_dot_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| closed_form::mass_matrix_dot(c.model, c.q(), c.qd());
    MassMatrixDdot "mass_matrix_ddot" "second time derivative of M"
        [Velocities, Velocities] from [Position, Velocity, Acceleration] in "kg m²/s²", "MK (40)"
        => fast |c, out| highest::<S, 3>(c, 0, out, |motion, scratch, m| recursive::mass_matrix_series_into(c.model, c.q(), motion, scratch, m)),
           closed |c, _| mueller_kumar::mass_matrix_ddot(c.model, c.q(), c.qd(), c.qdd());
    MassMatrixDq "mass_matrix_dq" "derivative of M by the position, last index the variable"
        [Velocities, Velocities, Velocities] from [Position] in "kg m²", "G (24a)"
        => fast |c, out| recursive::mass_matrix_dq_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::mass_matrix_dq(c.model, c.q());
    MassMatrixInverse "mass_matrix_inverse" "inverse of M"
        [Velocities, Velocities] from [Position] in "1/(kg m²)", "G (6a)"
        => fast |c, out| recursive::mass_matrix_inverse_into(c.model, c.q(), c.workspace, out),
           closed |c, _| composed::mass_matrix_inverse(c.model, c.q());

    // Coriolis matrix.
    CoriolisMatrix "coriolis_matrix" "Coriolis matrix C with skew-symmetric Ṁ − 2C"
        [Velocities, Velocities] from [Position, Velocity] in "kg m²/s", "G (6b), MK (54)"
        => fast |c, out| recursive::coriolis_matrix_into(c.model, c.q(), c.qd(), Factorization::Garofalo, c.workspace, out),
           closed |c, _| closed_form::coriolis_matrix(c.model, c.q(), c.qd(), Factorization::Garofalo);
    CoriolisMatrixDot "coriolis_matrix_dot" "time derivative of C"
        [Velocities, Velocities] from [Position, Velocity, Acceleration] in "kg m²/s²", "G (25b)"
        => fast |c, _| recursive::coriolis_matrix_dot(c.model, c.q(), c.qd(), c.qdd(), Factorization::Garofalo),
           closed |c, _| closed_form::coriolis_matrix_dot(c.model, c.q(), c.qd(), c.qdd(), Factorization::Garofalo);
    CoriolisMatrixDdot "coriolis_matrix_ddot" "second time derivative of C"
        [Velocities, Velocities] from [Position, Velocity, Acceleration, Jerk] in "kg m²/s³", "MK (45), (54)"
        => fast |c, out| highest::<S, 3>(c, 1, out, |motion, scratch, m| recursive::coriolis_matrix_series_into(c.model, c.q(), motion, Factorization::Garofalo, scratch, m)),
           closed |c, _| mueller_kumar::coriolis_matrix_ddot(c.model, c.q(), c.qd(), c.qdd(), &c.state.qddd);
    CoriolisMatrixDq "coriolis_matrix_dq" "derivative of C by the position, last index the variable"
        [Velocities, Velocities, Velocities] from [Position, Velocity] in "kg m²/s", "G (24b)"
        => fast |c, _| recursive::coriolis_matrix_dq(c.model, c.q(), c.qd(), Factorization::Garofalo),
           closed |c, _| closed_form::coriolis_matrix_dq(c.model, c.q(), c.qd(), Factorization::Garofalo);
    CoriolisMatrixDqd "coriolis_matrix_dqd" "derivative of C by the velocity, last index the variable"
        [Velocities, Velocities, Velocities] from [Position] in "kg m²", "G (24c)"
        => fast |c, out| recursive::coriolis_matrix_dqd_into(c.model, c.q(), Factorization::Garofalo, c.workspace, out),
           closed |c, _| closed_form::coriolis_matrix_dqd(c.model, c.q(), Factorization::Garofalo);
    CoriolisChristoffel "coriolis_christoffel" "Coriolis matrix of the Christoffel symbols"
        [Velocities, Velocities] from [Position, Velocity] in "kg m²/s", "G (6b), other Ψ"
        => fast |c, out| recursive::coriolis_matrix_into(c.model, c.q(), c.qd(), Factorization::Christoffel, c.workspace, out),
           closed |c, _| closed_form::coriolis_matrix(c.model, c.q(), c.qd(), Factorization::Christoffel);
    ChristoffelSymbols "christoffel_symbols" "Christoffel symbols of the first kind, C_ij = Σ_h Γ_ijh q̇_h"
        [Velocities, Velocities, Velocities] from [Position] in "kg m²", "G (24c), other Ψ"
        => fast |c, out| recursive::coriolis_matrix_dqd_into(c.model, c.q(), Factorization::Christoffel, c.workspace, out),
           closed |c, _| closed_form::christoffel_symbols(c.model, c.q());

    // Gravity and wrenches.
    Gravity "gravity" "gravity torques g"
        [Velocities] from [Position] in "N m", "G (6c)"
        => fast |c, out| recursive::gravity_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::gravity(c.model, c.q());
    GravityDot "gravity_dot" "time derivative of g"
        [Velocities] from [Position, Velocity] in "N m/s", "G (25c)"
        => fast |c, _| recursive::gravity_dot(c.model, c.q(), c.qd()),
           closed |c, _| closed_form::gravity_dot(c.model, c.q(), c.qd());
    GravityDdot "gravity_ddot" "second time derivative of g"
        [Velocities] from [Position, Velocity, Acceleration] in "N m/s²", "MK (52)"
        => fast |c, out| highest::<S, 3>(c, 0, out, |motion, scratch, g| recursive::gravity_series_into(c.model, c.q(), motion, scratch, g)),
           closed |c, _| mueller_kumar::gravity_ddot(c.model, c.q(), c.qd(), c.qdd());
    GravityDq "gravity_dq" "derivative of g by the position"
        [Velocities, Velocities] from [Position] in "N m", "G (24d)"
        => fast |c, out| recursive::gravity_partials_into(c.model, c.q(), c.workspace, out),
           closed |c, _| closed_form::gravity_dq(c.model, c.q());
    ExternalForces "external_forces" "torques that hold the applied wrenches, −Σ Jᵀ W"
        [Velocities] from [Position, Wrenches] in "N m", "G (5)"
        => fast |c, out| recursive::external_forces_into(c.model, c.q(), c.wrenches(), c.workspace, out),
           closed |c, _| closed_form::external_forces(c.model, c.q(), c.wrenches());
    ExternalForcesDot "external_forces_dot" "time derivative of external_forces"
        [Velocities] from [Position, Velocity, Wrenches] in "N m/s", "rate of G (5)"
        => fast |c, out| external_rate::<S, 2>(c, out),
           closed |c, _| composed::external_forces_dot(c.model, c.q(), c.qd(), c.wrenches());
    ExternalForcesDdot "external_forces_ddot" "second time derivative of external_forces"
        [Velocities] from [Position, Velocity, Acceleration, Wrenches] in "N m/s²", "MK (53)"
        => fast |c, out| external_rate::<S, 3>(c, out),
           closed |c, _| mueller_kumar::external_forces_ddot(c.model, c.q(), c.qd(), c.qdd(), c.wrenches());

    // Inverse and forward dynamics.
    InverseDynamics "inverse_dynamics" "torques τ = M q̈ + C q̇ + g − Σ Jᵀ W + friction"
        [Velocities] from [Position, Velocity, Acceleration, Wrenches] in "N m", "G (5)"
        => fast |c, out| recursive::inverse_dynamics_into(c.model, c.q(), c.qd(), c.qdd(), c.wrenches(), c.workspace, out),
           closed |c, _| closed_form::inverse_dynamics(c.model, c.q(), c.qd(), c.qdd(), c.wrenches());
    InverseDynamicsDot "inverse_dynamics_dot" "time derivative of τ"
        [Velocities] from [Position, Velocity, Acceleration, Jerk, Wrenches] in "N m/s", "G (5), (25)"
        => fast |c, out| torque_rate::<S, 2>(c, out),
           closed |c, _| composed::inverse_dynamics_dot(c.model, c.state);
    InverseDynamicsDdot "inverse_dynamics_ddot" "second time derivative of τ"
        [Velocities] from [Position, Velocity, Acceleration, Jerk, Snap, Wrenches] in "N m/s²", "MK (38)"
        => fast |c, out| torque_rate::<S, 3>(c, out),
           closed |c, _| closed_torque_rate::<S, 3>(c);
    InverseDynamicsD3 "inverse_dynamics_d3" "third time derivative of τ, for wrenches with two rates"
        [Velocities] from [Position, Velocity, Acceleration, Jerk, Snap, Higher, Wrenches] in "N m/s³", "rate of MK (38)"
        => fast |c, out| torque_rate::<S, 4>(c, out),
           closed |c, _| closed_torque_rate::<S, 4>(c);
    InverseDynamicsD4 "inverse_dynamics_d4" "fourth time derivative of τ, for wrenches with two rates"
        [Velocities] from [Position, Velocity, Acceleration, Jerk, Snap, Higher, Wrenches] in "N m/s⁴", "second rate of MK (38)"
        => fast |c, out| torque_rate::<S, 5>(c, out),
           closed |c, _| closed_torque_rate::<S, 5>(c);
    InverseDynamicsDq "inverse_dynamics_dq" "derivative of τ by the position, wrenches constant in link axes"
        [Velocities, Velocities] from [Position, Velocity, Acceleration, Wrenches] in "N m", "G (5), (24)"
        => fast |c, out| inverse_dynamics_partials(c, By::Position, out),
           closed |c, _| closed_form::inverse_dynamics_dq(c.model, c.q(), c.qd(), c.qdd(), c.wrenches());
    InverseDynamicsDqd "inverse_dynamics_dqd" "derivative of τ by the velocity"
        [Velocities, Velocities] from [Position, Velocity] in "N m s", "G (5), (24)"
        => fast |c, out| inverse_dynamics_partials(c, By::Velocity, out),
           closed |c, _| closed_form::inverse_dynamics_dqd(c.model, c.q(), c.qd());
    ForwardDynamics "forward_dynamics" "acceleration under the torques tau"
        [Velocities] from [Position, Velocity, Torque, Wrenches] in "rad/s²", "G (5) for q̈"
        => fast |c, out| recursive::forward_dynamics_into(c.model, c.q(), c.qd(), &c.state.tau, c.wrenches(), c.workspace, out),
           closed |c, _| composed::forward_dynamics(c.model, c.state);
    ForwardDynamicsDq "forward_dynamics_dq" "derivative of forward_dynamics by the position"
        [Velocities, Velocities] from [Position, Velocity, Torque, Wrenches] in "1/s²", "G (5), (24)"
        => fast |c, out| forward_dynamics_partials(c, By::Position, out),
           closed |c, _| composed::forward_dynamics_dq(c.model, c.state);
    ForwardDynamicsDqd "forward_dynamics_dqd" "derivative of forward_dynamics by the velocity"
        [Velocities, Velocities] from [Position, Velocity] in "1/s", "G (5), (24)"
        => fast |c, out| forward_dynamics_partials(c, By::Velocity, out),
           closed |c, _| composed::forward_dynamics_dqd(c.model, c.state);

    // Parameters.
    Regressor "regressor" "matrix Y with Y π = M q̈ + C q̇ + g + friction"
        [Velocities, Parameters] from [Position, Velocity, Acceleration] in "", "G (16), q̇_r = q̇"
        => fast |c, out| recursive::regressor_into(c.model, c.q(), c.qd(), c.qdd(), c.workspace, out),
           closed |c, _| closed_form::regressor(c.model, c.q(), c.qd(), c.qdd());
    SlotineLiRegressor "slotine_li_regressor" "matrix Y with Y π = M q̈_r + C q̇_r + g + friction"
        [Velocities, Parameters] from [Position, Velocity, ReferenceVelocity, ReferenceAcceleration] in "", "G (15), (16)"
        => fast |c, out| recursive::slotine_li_regressor_into(c.model, c.q(), c.qd(), &c.state.qd_r, &c.state.qdd_r, c.workspace, out),
           closed |c, _| closed_form::slotine_li_regressor(c.model, c.q(), c.qd(), &c.state.qd_r, &c.state.qdd_r);
    EnergyRegressor "energy_regressor" "row y with y π = kinetic + potential energy"
        [Parameters] from [Position, Velocity] in "", "½ q̇ᵀ G (13a) q̇"
        => fast |c, out| recursive::energy_regressor_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| composed::energy_regressor(c.model, c.q(), c.qd());
    MomentumRegressor "momentum_regressor" "matrix Y with Y π = M q̇"
        [Velocities, Parameters] from [Position, Velocity] in "", "G (13a) q̇"
        => fast |c, out| recursive::momentum_regressor_into(c.model, c.q(), c.qd(), c.workspace, out),
           closed |c, _| composed::momentum_regressor(c.model, c.q(), c.qd());
    BaseRegressor "base_regressor" "matrix Y with Y β = M q̈ + C q̇ + g + friction, β the base parameters"
        [Velocities, BaseParameters] from [Position, Velocity, Acceleration] in "", "G (16); GK (15), (16)"
        => fast |c, _| parameters::base_regressor_at(c.model, c.q(), c.qd(), c.qdd(), c.workspace),
           closed |c, _| parameters::base_regressor(c.model, &closed_form::regressor(c.model, c.q(), c.qd(), c.qdd()));
    MassMatrixDpi "mass_matrix_dpi" "derivative of M by the inertial parameters, last index the parameter"
        [Velocities, Velocities, InertialParameters] from [Position] in "", "G (13a)"
        => fast |c, _| closed_form::mass_matrix_dpi(c.model, c.q());
    CoriolisMatrixDpi "coriolis_matrix_dpi" "derivative of C by the inertial parameters, last index the parameter"
        [Velocities, Velocities, InertialParameters] from [Position, Velocity] in "", "G (13b)"
        => fast |c, _| closed_form::coriolis_matrix_dpi(c.model, c.q(), c.qd(), Factorization::Garofalo);
    GravityDpi "gravity_dpi" "derivative of g by the inertial parameters"
        [Velocities, InertialParameters] from [Position] in "", "G (13c)"
        => fast |c, _| closed_form::gravity_dpi(c.model, c.q());

    // Energy.
    KineticEnergy "kinetic_energy" "kinetic energy ½ q̇ᵀ M q̇"
        [] from [Position, Velocity] in "J", "½ q̇ᵀ G (6a) q̇"
        => fast |c, _| [recursive::kinetic_energy(c.model, c.q(), c.qd(), c.workspace)],
           closed |c, _| [composed::kinetic_energy(c.model, c.q(), c.qd())];
    PotentialEnergy "potential_energy" "potential energy, zero with the centre of mass at the ground origin"
        [] from [Position] in "J", "g = G (6c)"
        => fast |c, _| [recursive::potential_energy(c.model, c.q(), c.workspace)],
           closed |c, _| [composed::potential_energy(c.model, c.q())];

    // Elastic joints.
    ElasticMotorPosition "elastic_motor_position" "motor position θ = q + K⁻¹ τ, link side; rigid joints: q"
        [Positions] from [Position, Velocity, Acceleration, Wrenches] in "rad", "Grimm (2)"
        => fast |c, _| motor_position(c.model, c.q(), &recursive::inverse_dynamics(c.model, c.q(), c.qd(), c.qdd(), c.wrenches())),
           closed |c, _| motor_position(c.model, c.q(), &closed_form::inverse_dynamics(c.model, c.q(), c.qd(), c.qdd(), c.wrenches()));
    ElasticMotorTorque "elastic_motor_torque" "motor torque B θ̈ + τ, link side, without damping; rigid joints: τ"
        [Velocities] from [Position, Velocity, Acceleration, Jerk, Snap, Wrenches] in "N m", "Grimm (1)"
        => fast |c, _| motor_torque_fast(c),
           closed |c, _| motor_torque_closed(c);
}
