//! Quantities put together from the matrices of the closed form: energies and their regressors, momentum, the rate of τ,
//! forward dynamics and its partials.
//!
//! These follow from M, C, g and their derivatives by a line of algebra each. They are the reference for the algorithms
//! that get them without the matrices.
//!
//! Traps. The rate of τ takes the wrenches' rates in link axes, and q̈ and q⃛ as rates of the velocity. A potential energy
//! is zero where the centre of mass is level with the ground origin. M is factored in a fixed
//! order (a formula may not branch on the state), from the last joint on as on the fast path: a singular M gives numbers that
//! are not finite.

use super::closed_form::{self, Outward};
use super::{Factorization, Tensor, balance, drive};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::state::{LinkWrench, State};
use jourdain_symbolic::{Dual, Scalar};

const HALF: f64 = 0.5;

/// ½ q̇ᵀ M q̇, the rotors of rigid drives included.
#[must_use]
pub fn kinetic_energy<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> S {
    dot(w, &closed_form::mass_matrix(model, q).apply(w)) * S::from_f64(HALF)
}

/// −Σ m gᵀ c, zero at the height of the ground origin.
#[must_use]
pub fn potential_energy<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> S {
    let weights = potential_regressor(model, q);
    let masses = model.links().iter().flat_map(|link| link.inertia.to_parameters());
    weights.into_iter().zip(masses).fold(S::zero(), |sum, (weight, parameter)| weight.scale_add(parameter, sum))
}

/// The row y with y π = kinetic + potential energy, π as for the [regressor](closed_form::regressor).
#[must_use]
pub fn energy_regressor<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Vec<S> {
    let momentum = momentum_regressor(model, q, w);
    let half = S::from_f64(HALF);
    let mut row: Vec<S> = (0..momentum.columns())
        .map(|p| (0..w.len()).fold(S::zero(), |sum, i| w[i].mul_add(momentum[(i, p)], sum)) * half)
        .collect();
    row.iter_mut().zip(potential_regressor(model, q)).for_each(|(sum, weight)| *sum += weight);
    row
}

/// The matrix Y with Y π = M q̇, π as for the [regressor](closed_form::regressor).
///
/// # Reference
/// G (13a) times q̇.
#[must_use]
pub fn momentum_regressor<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Matrix<S> {
    let tensor = closed_form::mass_matrix_dpi(model, q);
    let inertial = tensor.variables();
    let mut y = Matrix::zeros(model.nv(), closed_form::parameter_labels(model).len());
    let products = tensor.times(w); // G (13a)
    for i in 0..model.nv() {
        for p in 0..inertial {
            y[(i, p)] = products[(i, p)];
        }
    }
    let rigid = drive::driven_columns(model).filter(|(_, motor)| motor.stiffness.is_none());
    for (at, (column, _)) in rigid.enumerate() {
        let own = drive::speed(column, w);
        y[(column.dof, inertial + at)] = column.factor.map_or(own, |factor| own.scale(factor));
    }
    y
}

/// The potential energy per inertial parameter, ten per link: −gᵀ p for the mass, −Rᵀ g for the first moment.
fn potential_regressor<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Vec<S> {
    let down = -model.gravity().lift::<S>();
    let mut row = Vec::with_capacity(10 * model.links().len());
    for pose in crate::kinematics::poses(model, q) {
        row.push(down.dot(pose.translation));
        row.extend(pose.rotation.transpose().apply(down).0);
        row.extend([S::zero(); 6]);
    }
    row
}

/// The time derivative of −Σ Jᵀ W.
#[must_use]
pub fn external_forces_dot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    let outward = Outward::moving(model, q, w);
    let mut rate = vec![S::zero(); model.nv()];
    for load in wrenches {
        let link = &outward.links()[load.link];
        for &i in &link.support {
            rate[i] -= link.jacobian_dot[i].dot(load.wrench) + link.jacobian[i].dot(load.dot);
        }
    }
    rate
}

/// The time derivative of τ: M q⃛ + (Ṁ + C) q̈ + Ċ q̇ + ġ − d/dt Σ Jᵀ W + friction.
///
/// # Reference
/// G (5), (25).
#[must_use]
pub fn inverse_dynamics_dot<S: Scalar>(model: &Model<S::Constant>, state: &State<S>) -> Vec<S> {
    let State { q, qd, qdd, qddd, wrenches, .. } = state;
    let terms = [
        closed_form::mass_matrix(model, q).apply(qddd),
        closed_form::mass_matrix_dot(model, q, qd).apply(qdd),
        closed_form::coriolis_matrix(model, q, qd, Factorization::default()).apply(qdd),
        closed_form::coriolis_matrix_dot(model, q, qd, qdd, Factorization::default()).apply(qd),
        closed_form::gravity_dot(model, q, qd),
        external_forces_dot(model, q, qd, wrenches),
    ];
    let mut rate = vec![S::zero(); model.nv()];
    drive::for_each_friction_slope(model, qd, |i, j, slope| rate[i] += slope * qdd[j]);
    balance::for_each_slope(model, q, |i, slope| rate[i] += slope * qd[i]);
    for term in terms {
        rate.iter_mut().zip(term).for_each(|(sum, x)| *sum += x);
    }
    rate
}

/// M⁻¹.
#[must_use]
pub fn mass_matrix_inverse<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Matrix<S> {
    let n = model.nv();
    let factor = Factor::of(model, &closed_form::mass_matrix(model, q));
    let unit = |j: usize| (0..n).map(|i| if i == j { S::one() } else { S::zero() }).collect();
    let columns: Vec<Vec<S>> = (0..n).map(|j| factor.solve(unit(j))).collect();
    Matrix::from_fn(n, n, |i, j| columns[i.min(j)][i.max(j)])
}

/// ∂M⁻¹/∂q = −M⁻¹ ∂M/∂q M⁻¹, the last index being the variable.
#[must_use]
pub fn mass_matrix_inverse_dq<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Tensor<S> {
    let (n, inverse) = (model.nv(), mass_matrix_inverse(model, q));
    let partials = closed_form::mass_matrix_dq(model, q);
    let mut out = Tensor::zeros(n, n, n);
    for h in 0..n {
        let by = inverse.times(&partials.by(h)).times(&inverse);
        for i in 0..n {
            for j in 0..n {
                out[(i, j, h)] = -by[(i, j)];
            }
        }
    }
    out
}

/// C q̇ + g, without friction.
#[must_use]
pub fn bias<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Vec<S> {
    let coriolis = closed_form::coriolis_matrix(model, q, w, Factorization::default()).apply(w);
    coriolis.into_iter().zip(closed_form::gravity(model, q)).map(|(c, g)| c + g).collect()
}

/// The time derivative of the Slotine–Li regressor along the motion and the reference motion: G (16) on dual numbers.
#[must_use]
pub fn slotine_li_regressor_dot<S: Scalar>(model: &Model<S::Constant>, state: &State<S>) -> Matrix<S> {
    let moving =
        |x: &[S], rate: &[S]| -> Vec<Dual<S>> { x.iter().zip(rate).map(|(&x, &rate)| Dual::new(x, rate)).collect() };
    let State { q, qd, qdd, qd_r, qdd_r, qddd_r, .. } = state;
    let position = crate::kinematics::tangent::along(model, q, qd);
    let dual = closed_form::slotine_li_regressor(
        model,
        &position,
        &moving(qd, qdd),
        &moving(qd_r, qdd_r),
        &moving(qdd_r, qddd_r),
    );
    Matrix::from_fn(dual.rows(), dual.columns(), |i, j| dual[(i, j)].derivative)
}

/// The centroidal momentum h = A q̇; `None` for a robot of total mass zero.
#[must_use]
pub fn centroidal_momentum<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Option<Vec<S>> {
    Some(closed_form::centroidal_matrix(model, q)?.apply(w))
}

/// Ȧ of the centroidal momentum matrix, by dual numbers; `None` for a robot of total mass zero.
#[must_use]
pub fn centroidal_matrix_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Option<Matrix<S>> {
    let dual = closed_form::centroidal_matrix(model, &crate::kinematics::tangent::along(model, q, w))?;
    Some(Matrix::from_fn(dual.rows(), dual.columns(), |i, j| dual[(i, j)].derivative))
}

/// q̈ = M⁻¹ (τ − C q̇ − g + Σ Jᵀ W − friction).
#[must_use]
pub fn forward_dynamics<S: Scalar>(model: &Model<S::Constant>, state: &State<S>) -> Vec<S> {
    let State { q, qd, tau, wrenches, .. } = state;
    let bias = closed_form::inverse_dynamics(model, q, qd, &vec![S::zero(); model.nv()], wrenches);
    let driving = tau.iter().zip(bias).map(|(tau, bias)| *tau - bias).collect();
    Factor::of(model, &closed_form::mass_matrix(model, q)).solve(driving)
}

/// ∂q̈/∂q of the forward dynamics: −M⁻¹ ∂τ/∂q at the acceleration that τ gives.
#[must_use]
pub fn forward_dynamics_dq<S: Scalar>(model: &Model<S::Constant>, state: &State<S>) -> Matrix<S> {
    let State { q, qd, wrenches, .. } = state;
    let partials = closed_form::inverse_dynamics_dq(model, q, qd, &forward_dynamics(model, state), wrenches);
    minus_inverse_times(model, q, &partials)
}

/// ∂q̈/∂q̇ of the forward dynamics: −M⁻¹ ∂τ/∂q̇.
#[must_use]
pub fn forward_dynamics_dqd<S: Scalar>(model: &Model<S::Constant>, state: &State<S>) -> Matrix<S> {
    minus_inverse_times(model, &state.q, &closed_form::inverse_dynamics_dqd(model, &state.q, &state.qd))
}

fn minus_inverse_times<S: Scalar>(model: &Model<S::Constant>, q: &[S], matrix: &Matrix<S>) -> Matrix<S> {
    let factor = Factor::of(model, &closed_form::mass_matrix(model, q));
    let columns: Vec<Vec<S>> =
        (0..matrix.columns()).map(|j| factor.solve((0..matrix.rows()).map(|i| -matrix[(i, j)]).collect())).collect();
    Matrix::from_fn(matrix.rows(), matrix.columns(), |i, j| columns[j][i])
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (a, b)| a.mul_add(*b, sum))
}

/// M = Lᵀ D L, L with ones on its diagonal, from the last joint on; 1/D is kept.
struct Factor<S> {
    lower: Matrix<S>,
    inverse: Vec<S>,
}

impl<S: Scalar> Factor<S> {
    fn of(model: &Model<S::Constant>, m: &Matrix<S>) -> Self {
        let n = m.rows();
        let (mut lower, mut diagonal, mut inverse) = (Matrix::zeros(n, n), vec![S::zero(); n], vec![S::zero(); n]);
        for j in (0..n).rev() {
            let own = (j + 1..n).fold(m[(j, j)], |rest, k| rest - lower[(k, j)] * lower[(k, j)] * diagonal[k]);
            diagonal[j] = own;
            inverse[j] = model.body_tree().inverse_pivot(j, own);
            for i in 0..j {
                let rest = (j + 1..n).fold(m[(j, i)], |rest, k| rest - lower[(k, j)] * lower[(k, i)] * diagonal[k]);
                lower[(j, i)] = rest * inverse[j];
            }
        }
        Self { lower, inverse }
    }

    fn solve(&self, mut x: Vec<S>) -> Vec<S> {
        let n = x.len();
        for i in (0..n).rev() {
            x[i] = (i + 1..n).fold(x[i], |rest, k| rest - self.lower[(k, i)] * x[k]);
        }
        for i in 0..n {
            x[i] = (0..i).fold(x[i] * self.inverse[i], |rest, k| rest - self.lower[(i, k)] * x[k]);
        }
        x
    }
}
