//! The complete model: rotors turn with the links that carry them.
//!
//! The rotor of a joint sits on the link before it, its carrier, and turns against it at the shaft's speed v = ratio · θ̇ about an
//! axis a fixed to the carrier. With ω the carrier's angular velocity and J the rotor's inertia about a, the kinetic energy has
//!
//! ½ J (a·ω + v)² = ½ J (a·ω)² + p θ̇ (a·ω) + ½ B θ̇²,  p = J ratio, B = J ratio².
//!
//! The first term is the carrier's, whose inertia holds the rotor as if it stood still; the last is all that the reduced model
//! keeps. The middle one couples rotors and links. With s = aᵀ J_ω, J_ω the carrier's angular Jacobian in its own axes,
//!
//! - S = s p, so that 𝓜 = [M, S; Sᵀ, B]
//! - links feel p J_ωᵀ (a θ̈ + (ω × a) θ̇): the rate of a momentum that the carrier turns with it
//! - the rotor feels p (s q̈ + a·J̇_ω q̇)
//!
//! Relative to B the coupling is 1/ratio: at a ratio of 100 a per cent, without a gear as large as B itself. A rigid joint has
//! θ = q, and its rotor adds p to M in the same way.
//!
//! Traps. 𝓜 is definite only if the links' inertias do hold their rotors: [`check`] says so. The inverse needs derivatives
//! of the motion up to the order 2n + 2 and is not offered; laws know the reduced model. Rotors of joints with several
//! numbers keep the reduced form.
//!
//! # Reference
//! The model before the assumption of Spong 1987 that a·ω is small against v.

use super::error::ElasticError;
use super::model::{ElasticModel, ElasticState};
use crate::dynamics::recursive;
use crate::kinematics::{Frame, KinematicsScratch, jacobian_dot_into, jacobian_into, twists};
use crate::model::{Link, Model, Motion, Screw};
use crate::spatial::{Vector, Wrench};
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant, Scalar};

/// A rotor on a link that may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling<T> {
    /// The link that carries it.
    pub carrier: usize,
    /// Its axis, a unit vector in the carrier's axes.
    pub axis: Vector<T>,
    /// p: its angular momentum per unit of the coordinate's speed, kg m².
    pub momentum: T,
    /// Which of (q̇, θ̇) turns it: a joint if that is rigid, otherwise the joints and then a spring.
    pub coordinate: usize,
}

/// The rotors of joints with one number that sit on a link; `springs` are the velocities of the elastic joints, in order.
pub(super) fn couplings<T: Constant>(model: &Model<T>, springs: &[usize]) -> Vec<Coupling<T>> {
    let coupling = |link: &Link<T>| {
        let (motor, carrier) = (link.motor.as_ref()?, link.parent?);
        let Motion::Product(screws) = &link.joint.motion else { return None };
        let [Screw::Rotation { axis, .. } | Screw::Translation { axis }] = screws[..] else { return None };
        let axis = link.placement.rotation.apply(motor.axis.unwrap_or(axis));
        let momentum = motor.inertia * motor.ratio;
        let column = &model.columns()[link.column];
        let spring = springs.iter().position(|&dof| dof == column.dof).filter(|_| motor.stiffness.is_some());
        Some(Coupling {
            carrier,
            axis,
            momentum: column.factor.map_or(momentum, |factor| momentum * factor),
            coordinate: spring.map_or(column.dof, |k| model.nv() + k),
        })
    };
    model.links().iter().filter_map(coupling).filter(|coupling| !coupling.momentum.is_zero()).collect()
}

/// Scratch for one model and one thread.
#[derive(Clone, Debug)]
pub(super) struct RotorScratch<S: Scalar> {
    kinematics: KinematicsScratch<S>,
    jacobian: Vec<S>,
    rate: Vec<S>,
    still: Vec<S>,
    links: Vec<S>,
    mass: Vec<S>,
    solution: Vec<S>,
    loads: Vec<LinkWrench<S>>,
}

impl<S: Scalar> RotorScratch<S> {
    pub fn new(elastic: &ElasticModel<S::Constant>) -> Self {
        let (model, n, p) = (elastic.model(), elastic.model().nv(), elastic.freedom());
        let zeros = |count: usize| vec![S::zero(); count];
        Self {
            kinematics: KinematicsScratch::new(model),
            jacobian: zeros(6 * n),
            rate: zeros(6 * n),
            still: zeros(n),
            links: zeros(n * n),
            mass: zeros(p * p),
            solution: zeros(p),
            loads: Vec::new(),
        }
    }

    /// s, p of `coupling` at q, and its Jacobian in `self.jacobian`.
    fn row(&mut self, model: &Model<S::Constant>, q: &[S], coupling: &Coupling<S::Constant>) -> impl Fn(usize) -> S {
        jacobian_into(model, q, Frame::body(coupling.carrier), &mut self.kinematics, &mut self.jacobian);
        let (n, axis, jacobian) = (model.nv(), coupling.axis, &self.jacobian);
        move |j: usize| along(axis, [3, 4, 5].map(|r| jacobian[r * n + j]))
    }
}

/// a·v for a constant a.
fn along<S: Scalar>(axis: Vector<S::Constant>, v: [S; 3]) -> S {
    v[0].scale(axis.0[0]) + v[1].scale(axis.0[1]) + v[2].scale(axis.0[2])
}

/// Adds p (s e_cᵀ + e_c sᵀ) of all rotors to the matrix 𝓜 of (q, θ), row by row.
pub(super) fn add_inertia<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    q: &[S],
    scratch: &mut RotorScratch<S>,
    mass: &mut [S],
) {
    let (n, size) = (elastic.model().nv(), elastic.freedom());
    for coupling in elastic.couplings() {
        let c = coupling.coordinate;
        let row = scratch.row(elastic.model(), q, coupling);
        for j in 0..n {
            let entry = row(j).scale(coupling.momentum);
            mass[c * size + j] += entry;
            mass[j * size + c] += entry;
        }
    }
}

/// q̈ per joint and θ̈ per spring of the complete model, for the torques `tau` of springs and rigid joints and `net` of rotors.
pub(super) fn accelerations_into<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    state: &ElasticState<'_, S>,
    [tau, net]: [&[S]; 2],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    scratch: &mut RotorScratch<S>,
    [qdd, theta_dd]: [&mut [S]; 2],
) {
    let (model, n, size) = (elastic.model(), elastic.model().nv(), elastic.freedom());
    recursive::mass_matrix_into(model, state.q, workspace, &mut scratch.links);
    let mut mass = std::mem::take(&mut scratch.mass);
    let mut right = std::mem::take(&mut scratch.solution);
    mass.fill(S::zero());
    for i in 0..n {
        mass[i * size..i * size + n].copy_from_slice(&scratch.links[i * n..(i + 1) * n]);
    }
    for (k, spring) in elastic.springs().iter().enumerate() {
        mass[(n + k) * (size + 1)] = S::constant(spring.inertia);
    }
    add_inertia(elastic, state.q, scratch, &mut mass);
    right[n..].copy_from_slice(net);
    right[..n].copy_from_slice(tau);

    scratch.loads.clear();
    scratch.loads.extend_from_slice(wrenches);
    for coupling in elastic.couplings() {
        let (c, frame) = (coupling.coordinate, Frame::body(coupling.carrier));
        jacobian_into(model, state.q, frame, &mut scratch.kinematics, &mut scratch.jacobian);
        jacobian_dot_into(model, state.q, state.qd, frame, &mut scratch.kinematics, &mut scratch.rate);
        let turned = |jacobian: &[S]| {
            [3, 4, 5].map(|r| (0..n).fold(S::zero(), |sum, j| jacobian[r * n + j].mul_add(state.qd[j], sum)))
        };
        let omega = Vector(turned(&scratch.jacobian));
        right[c] -= along(coupling.axis, turned(&scratch.rate)).scale(coupling.momentum);
        let speed = if c < n { state.qd[c] } else { state.theta_d[c - n] };
        let moment = omega.cross(coupling.axis.lift()).times(-speed).map(|x| x.scale(coupling.momentum));
        let wrench = Wrench { force: Vector::zero(), moment };
        scratch.loads.push(LinkWrench::constant(coupling.carrier, wrench));
    }
    recursive::inverse_dynamics_into(model, state.q, state.qd, &scratch.still, &scratch.loads, workspace, qdd);
    right.iter_mut().zip(qdd.iter()).for_each(|(x, &bias)| *x -= bias);
    solve(&mut mass, &mut right);
    qdd.copy_from_slice(&right[..n]);
    theta_dd.copy_from_slice(&right[n..]);
    (scratch.mass, scratch.solution) = (mass, right);
}

/// Solves a symmetric, definite system by elimination; the solution takes the place of the right side.
fn solve<S: Scalar>(matrix: &mut [S], right: &mut [S]) {
    let n = right.len();
    for j in 0..n {
        let inverse = S::one() / matrix[j * n + j];
        for i in j + 1..n {
            let factor = -(matrix[i * n + j] * inverse);
            for k in j + 1..n {
                matrix[i * n + k] = factor.mul_add(matrix[j * n + k], matrix[i * n + k]);
            }
            right[i] = factor.mul_add(right[j], right[i]);
        }
    }
    for j in (0..n).rev() {
        let rest = (j + 1..n).fold(right[j], |rest, k| rest - matrix[j * n + k] * right[k]);
        right[j] = rest / matrix[j * n + j];
    }
}

/// Σ p v (a·ω): what the coupling adds to the kinetic energy, J.
pub(super) fn kinetic_energy<S: Scalar>(elastic: &ElasticModel<S::Constant>, state: &ElasticState<'_, S>) -> S {
    if elastic.couplings().is_empty() {
        return S::zero();
    }
    let (n, twists) = (elastic.model().nv(), twists(elastic.model(), state.q, state.qd));
    elastic.couplings().iter().fold(S::zero(), |sum, coupling| {
        let speed = if coupling.coordinate < n {
            state.qd[coupling.coordinate]
        } else {
            state.theta_d[coupling.coordinate - n]
        };
        let turn = along(coupling.axis, twists[coupling.carrier].angular.0);
        sum + (speed * turn).scale(coupling.momentum)
    })
}

/// That the links hold their rotors at a posture: 𝓜 is positive definite.
///
/// # Errors
/// It is not.
pub fn check(elastic: &ElasticModel<f64>, q: &[f64]) -> Result<(), ElasticError> {
    if elastic.couplings().is_empty() {
        return Ok(());
    }
    let (model, n, size) = (elastic.model(), elastic.model().nv(), elastic.freedom());
    let mut mass = nalgebra::DMatrix::zeros(size, size);
    let links = recursive::mass_matrix(model, q);
    (0..n * n).for_each(|k| mass[(k / n, k % n)] = links[(k / n, k % n)]);
    elastic.springs().iter().enumerate().for_each(|(k, spring)| mass[(n + k, n + k)] = spring.inertia);
    add_inertia(elastic, q, &mut RotorScratch::new(elastic), mass.as_mut_slice());
    match nalgebra::Cholesky::new(mass) {
        Some(_) => Ok(()),
        None => Err(ElasticError::RotorsTooHeavy { robot: model.name().to_owned() }),
    }
}
