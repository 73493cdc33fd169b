//! Formulas of the table that are more than a call: what several entries share, and how their arguments are put together.

use super::context::Context;
use crate::dynamics::closed_form::mueller_kumar;
use crate::dynamics::recursive::{self, JetScratch};
use crate::elastic::inverse::motor_torque;
use crate::kinematics::{self, Massless};
use crate::matrix::Matrix;
use crate::state::State;
use jourdain_symbolic::{Jet, Scalar};

/// A robot without mass has no centre of mass.
pub fn massive<S: Scalar, R>(value: Option<R>, c: &Context<'_, S>) -> Result<R, Massless> {
    value.ok_or_else(|| Massless { robot: c.model.name().to_owned() })
}

pub fn com_into<S: Scalar>(c: &mut Context<'_, S>, out: &mut [S]) -> Result<(), Massless> {
    let mut com = [S::zero(); 3];
    kinematics::com_into(c.model, c.q(), &mut c.workspace.kinematics, &mut com)?;
    out.copy_from_slice(&com);
    Ok(())
}

/// Both partials of the inverse dynamics come from one pass: what is not asked for goes to `other`.
pub fn inverse_dynamics_partials<S: Scalar>(c: &mut Context<'_, S>, by: By, out: &mut [S]) {
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
pub fn forward_dynamics_partials<S: Scalar>(c: &mut Context<'_, S>, by: By, out: &mut [S]) {
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
pub fn highest<S: Scalar, const ORDERS: usize>(
    c: &Context<'_, S>,
    ahead: usize,
    out: &mut [S],
    fill: impl FnOnce(&[&[S]], &mut JetScratch<S, ORDERS>, &mut [Jet<S, ORDERS>]),
) {
    let mut series = vec![Jet::fixed(S::zero()); out.len()];
    fill(&c.motion(ORDERS - 1 + ahead), &mut JetScratch::new(c.model), &mut series);
    out.iter_mut().zip(&series).for_each(|(out, jet)| *out = jet.derivative(ORDERS - 1));
}

/// The derivative of τ of the order `ORDERS` − 1.
pub fn torque_rate<S: Scalar, const ORDERS: usize>(c: &Context<'_, S>, out: &mut [S]) {
    highest::<S, ORDERS>(c, 2, out, |motion, scratch, series| {
        recursive::inverse_dynamics_series_into(c.model, c.q(), motion, c.wrenches(), scratch, series);
    });
}

/// The derivative of −Σ Jᵀ W of the order `ORDERS` − 1.
pub fn external_rate<S: Scalar, const ORDERS: usize>(c: &Context<'_, S>, out: &mut [S]) {
    highest::<S, ORDERS>(c, 0, out, |motion, scratch, series| {
        recursive::external_forces_series_into(c.model, c.q(), motion, c.wrenches(), scratch, series);
    });
}

/// The derivative of τ of the order `ORDERS` − 1 in closed form.
pub fn closed_torque_rate<S: Scalar, const ORDERS: usize>(c: &Context<'_, S>) -> Vec<S> {
    mueller_kumar::System::new(c.model, c.q(), &c.motion(ORDERS + 1))
        .inverse_dynamics_derivative(c.wrenches(), ORDERS - 1)
}

/// Müller and Kumar's matrices for the derivative of the quantity's order, with as many derivatives of the motion more.
pub fn system<'a, S: Scalar>(c: &Context<'a, S>, ahead: usize) -> mueller_kumar::System<'a, S> {
    mueller_kumar::System::new(c.model, c.q(), &c.motion(c.order + ahead))
}

/// The time derivative of the Slotine–Li regressor.
pub fn slotine_li_regressor_dot<S: Scalar>(c: &Context<'_, S>) -> Matrix<S> {
    let State { qd_r, qdd_r, qddd_r, .. } = c.state;
    recursive::slotine_li_regressor_dot(c.model, c.q(), [c.qd(), c.qdd()], [qd_r, qdd_r, qddd_r])
}

/// Motor torques from τ, τ̇, τ̈ by derivative tables.
pub fn motor_torque_fast<S: Scalar>(c: &Context<'_, S>) -> Vec<S> {
    let rates: [Vec<S>; 3] = recursive::inverse_dynamics_tables(c.model, c.q(), &c.motion(4), c.wrenches());
    motor_torque(c.model, c.qd(), c.qdd(), rates.each_ref().map(Vec::as_slice))
}

/// Motor torques from τ, τ̇, τ̈ in closed form.
pub fn motor_torque_closed<S: Scalar>(c: &Context<'_, S>) -> Vec<S> {
    let system = mueller_kumar::System::new(c.model, c.q(), &c.motion(4));
    let rates: [Vec<S>; 3] = system.inverse_dynamics(c.wrenches());
    motor_torque(c.model, c.qd(), c.qdd(), rates.each_ref().map(Vec::as_slice))
}

/// The variable of a partial derivative.
pub enum By {
    Position,
    Velocity,
}
