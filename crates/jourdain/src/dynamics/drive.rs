//! Motor inertia and joint friction: the terms of the drives, common to every way of computing the dynamics.
//!
//! A motor acts on each velocity number c of its joint: with rigid drive its armature Ia = inertia · ratio² adds Ia ċ,
//! friction adds Fv c + Fc c/√(c² + ε²). A coupled joint turns at c = f w_leader and its torque reaches the leader times
//! f, so that armature and viscous friction enter with f². Friction belongs to τ, never to C or g.
//!
//! Traps. The smooth Coulomb term is not ±Fc near standstill: at c = ε it is 0.71 Fc. A rotor is taken to spin about its
//! joint's axis only: the gyroscopic coupling to the link that carries it is left out.

use crate::model::{Column, Model, Motor};
use jourdain_symbolic::{Constant, Scalar};

/// ε of the smooth Coulomb friction, rad/s or m/s: the speed at which it has 71 % of its full value.
pub const COULOMB_SPEED: f64 = 1e-2;

/// The columns that a motor acts on, with the motor, in the order of the columns.
pub fn driven_columns<T: Constant>(model: &Model<T>) -> impl Iterator<Item = (&Column<T>, &Motor<T>)> + '_ {
    model.columns().iter().filter_map(|column| Some((column, model.links()[column.link].motor.as_ref()?)))
}

/// The driven columns whose rotor moves with the link: those without a stiffness.
pub fn rigid_columns<T: Constant>(model: &Model<T>) -> impl Iterator<Item = &Column<T>> + '_ {
    driven_columns(model).filter(|(_, motor)| motor.stiffness.is_none()).map(|(column, _)| column)
}

/// The armatures as they stand on the diagonal of M: index in the velocity and value, one entry per driven column.
pub fn armatures<T: Constant>(model: &Model<T>) -> impl Iterator<Item = (usize, T)> + '_ {
    driven_columns(model)
        .map(|(column, motor)| (column.dof, projected(column, projected(column, motor.armature()))))
        .filter(|(_, armature)| !armature.is_zero())
}

/// Adds the friction torques of all joints at the velocity `w` to `tau`.
pub fn add_friction<S: Scalar>(model: &Model<S::Constant>, w: &[S], tau: &mut [S]) {
    for (column, motor) in driven_columns(model) {
        let c = speed(column, w);
        if !motor.viscous.is_zero() {
            tau[column.dof] += c.scale(projected(column, motor.viscous));
        }
        if !motor.coulomb.is_zero() {
            tau[column.dof] += smooth_sign(c).scale(projected(column, motor.coulomb));
        }
    }
}

/// Adds the derivative of each friction torque by its own velocity to `slopes`: the diagonal of ∂(friction)/∂q̇.
pub fn add_friction_slopes<S: Scalar>(model: &Model<S::Constant>, w: &[S], slopes: &mut [S]) {
    for (column, motor) in driven_columns(model) {
        if !motor.viscous.is_zero() {
            slopes[column.dof] += S::constant(projected(column, projected(column, motor.viscous)));
        }
        if !motor.coulomb.is_zero() {
            let slope = smooth_sign_slope(speed(column, w));
            slopes[column.dof] += slope.scale(projected(column, projected(column, motor.coulomb)));
        }
    }
}

/// Adds the time derivative of the friction torques of the order `order` to `tau`, from w, ẇ, … with at least as many orders.
pub fn add_friction_derivative<S: Scalar>(
    model: &Model<S::Constant>,
    derivatives: &[&[S]],
    order: usize,
    tau: &mut [S],
) {
    for (column, motor) in driven_columns(model) {
        if !motor.viscous.is_zero() {
            tau[column.dof] += speed(column, derivatives[order]).scale(projected(column, motor.viscous));
        }
        if !motor.coulomb.is_zero() {
            let speeds: Vec<S> = derivatives[..=order].iter().map(|w| speed(column, w)).collect();
            tau[column.dof] += smooth_sign_derivative(&speeds).scale(projected(column, motor.coulomb));
        }
    }
}

/// The highest derivative of c/√(c² + ε²) that the derivatives of c give, by the series of u^{−1/2}, u = c² + ε²:
/// k u₀ y_k = −Σ_{j≥1} (k − j/2) u_j y_{k−j}.
fn smooth_sign_derivative<S: Scalar>(derivatives: &[S]) -> S {
    let constant = <S::Constant as Scalar>::from_f64;
    let (mut c, mut share) = (Vec::with_capacity(derivatives.len()), 1.0);
    for (k, &derivative) in derivatives.iter().enumerate() {
        share *= k.max(1) as f64;
        c.push(if k < 2 { derivative } else { derivative.scale(constant(1.0) / constant(share)) });
    }
    let product = |a: &[S], b: &[S], k: usize| (0..=k).fold(S::zero(), |sum, j| a[j].mul_add(b[k - j], sum));
    let mut u: Vec<S> = (0..c.len()).map(|k| product(&c, &c, k)).collect();
    u[0] += S::from_f64(COULOMB_SPEED * COULOMB_SPEED);
    let mut y = vec![S::one() / u[0].sqrt()];
    for k in 1..c.len() {
        let term = |sum: S, j: usize| (u[j] * y[k - j]).scale_add(constant(k as f64 - 0.5 * j as f64), sum);
        let sum = (1..=k).fold(S::zero(), term);
        y.push(-sum / u[0].scale(constant(k as f64)));
    }
    let last = product(&c, &y, c.len() - 1);
    if c.len() > 2 { last.scale(constant(share)) } else { last }
}

/// c: the speed of one column, given the whole velocity.
pub(crate) fn speed<S: Scalar>(column: &Column<S::Constant>, w: &[S]) -> S {
    let own = w[column.dof];
    column.factor.map_or(own, |factor| own.scale(factor))
}

/// A column's value as its leader feels it.
pub(crate) fn projected<T: Constant>(column: &Column<T>, value: T) -> T {
    column.factor.map_or(value, |factor| value * factor)
}

/// c/√(c² + ε²): the sign of a speed, made smooth.
pub(crate) fn smooth_sign<S: Scalar>(c: S) -> S {
    c / c.mul_add(c, S::from_f64(COULOMB_SPEED * COULOMB_SPEED)).sqrt()
}

/// ε²/(c² + ε²)^{3/2}: its derivative.
pub(crate) fn smooth_sign_slope<S: Scalar>(c: S) -> S {
    let square = c.mul_add(c, S::from_f64(COULOMB_SPEED * COULOMB_SPEED));
    S::from_f64(COULOMB_SPEED * COULOMB_SPEED) / (square * square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain_symbolic::{Dual, Jet};

    #[test]
    fn coulomb_friction_is_odd_bounded_and_vanishes_at_rest() {
        assert_eq!(smooth_sign(0.0), 0.0);
        for c in [1e-6, 1e-2, 0.3, 40.0] {
            assert!((smooth_sign(c) + smooth_sign(-c)).abs() < 1e-16);
            assert!(smooth_sign(c) > 0.0 && smooth_sign(c) < 1.0);
        }
        assert!((smooth_sign(COULOMB_SPEED) - 0.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn derivatives_of_the_smooth_sign_are_those_of_its_series() {
        let derivatives = [0.03, -0.7, 1.1, 0.4, -2.0];
        let exact = smooth_sign(Jet::from_derivatives(derivatives));
        for order in 0..derivatives.len() {
            let (found, expected) = (smooth_sign_derivative(&derivatives[..=order]), exact.derivative(order));
            assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{order}: {found} and {expected}");
        }
    }

    #[test]
    fn coulomb_slope_is_the_derivative_of_the_smooth_sign() {
        for c in [-0.7, -3e-3, 0.0, 1e-2, 2.0] {
            let exact = smooth_sign(Dual::variable(c)).derivative;
            assert!((smooth_sign_slope(c) - exact).abs() <= 1e-14 * exact.abs().max(1.0), "c = {c}");
        }
    }
}
