//! Partial derivatives of inverse dynamics, ∂τ/∂q and ∂τ/∂q̇, and of gravity, in O(n · depth).
//!
//! With ψ̇_j = v_p × S_j and ψ̈_j = a_p × S_j + v_p × ψ̇_j (twist and acceleration of the parent body, gravity in a), B the
//! Christoffel operator, and j inboard of i:
//!
//! - ∂τ_i/∂q_j = S_i·(2Bᶜψ̇_j + Λᶜψ̈_j),  ∂τ_j/∂q_i = S_j·(2Bᶜψ̇_i + Λᶜψ̈_i + fᶜ ×̄* S_i)
//! - ∂τ_i/∂q̇_j = S_i·(2BᶜS_j + Λᶜ(ψ̇_j + Ṡ_j)), and with i and j exchanged
//!
//! For spherical and free joints the derivative is along T·exp(ε ê_h). Wrenches are constant in link axes. Trap: C is not
//! ∂τ/∂q̇; half of that derivative comes from the velocities inside C.
//!
//! # Reference
//! G (24) contracted; the recursion is that of Singh, Russell & Wensing 2022.

use super::composite::{CommonFrame, Inertias, dot};
use super::coupling;
use super::matrices::{Torsionless, accumulate, with_columns};
use super::tensors::Operator;
use crate::dynamics::{balance, drive};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::model::body_tree::BodyTree;
use crate::spatial::{Twist, Wrench};
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// Scratch of the partial derivatives.
#[derive(Clone, Debug)]
pub(crate) struct Partials<S> {
    /// Acceleration of each body, gravity included.
    acceleration: Vec<Twist<S>>,
    /// Wrench of each body's own motion, then of all it carries.
    force: Vec<Wrench<S>>,
    psi_dot: Vec<Twist<S>>,
    psi_ddot: Vec<Twist<S>>,
}

impl<S: Scalar> Partials<S> {
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let (bodies, columns) = (tree.bodies.len(), tree.columns);
        Self {
            acceleration: vec![Twist::zero(); bodies],
            force: vec![Wrench::zero(); bodies],
            psi_dot: vec![Twist::zero(); columns],
            psi_ddot: vec![Twist::zero(); columns],
        }
    }

    /// Accelerations, forces and the rates ψ of columns as the parent moves them; own inertias must be set.
    #[inline(always)]
    fn set(
        &mut self,
        tree: &BodyTree<S::Constant>,
        common: &CommonFrame<S>,
        w: &[S],
        w_dot: &[S],
        wrenches: &[LinkWrench<S>],
    ) {
        for (b, body) in tree.bodies.iter().enumerate() {
            let (parent_twist, parent_acceleration) = match body.parent {
                Some(parent) => (common.bodies[parent].twist, self.acceleration[parent]),
                None => (Twist::zero(), common.ground(b)),
            };
            let mut acceleration = parent_acceleration;
            for i in body.columns() {
                let column = &common.columns[i];
                acceleration += column.s.times(w_dot[i]) + column.s_dot.times(w[i]);
                self.psi_dot[i] = parent_twist.cross(column.s);
                self.psi_ddot[i] = parent_acceleration.cross(column.s) + parent_twist.cross(self.psi_dot[i]);
            }
            let placed = &common.bodies[b];
            let momentum = placed.inertia.apply(placed.twist);
            self.force[b] = placed.inertia.apply(acceleration) + placed.twist.cross_dual(momentum);
            self.acceleration[b] = acceleration;
        }
        for load in wrenches {
            if let Some(b) = tree.carriers[load.link].body {
                self.force[b] -= common.in_common_frame(tree, b, load);
            }
        }
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let force = self.force[b];
                self.force[parent] += force;
            }
        }
    }
}

/// ∂τ/∂q and ∂τ/∂q̇, each `nv` × `nv`; column h is the derivative by velocity direction h.
///
/// # Reference
/// G (24), contracted with q̈ and q̇.
pub fn inverse_dynamics_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    dq: &mut [S],
    dqd: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, partials, velocity, acceleration, torsionless, matrix, matrix_2, .. } =
        workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    let columns = coupling::spread(tree, w, velocity);
    let columns_dot = coupling::spread(tree, w_dot, acceleration);
    common.set_velocity(tree, columns);
    common.set_inertias(tree, Inertias::Regrouped);
    partials.set(tree, common, columns, columns_dot, wrenches);
    accumulate(tree, common, torsionless);
    match &tree.coupling {
        None => fill(tree, common, partials, torsionless, dq, dqd),
        Some(map) => {
            fill(tree, common, partials, torsionless, matrix, matrix_2);
            coupling::gather_matrix(map, matrix, tree.nv, dq);
            coupling::gather_matrix(map, matrix_2, tree.nv, dqd);
        }
    }
    if tree.has_motors {
        drive::for_each_friction_slope(model, w, |i, j, slope| dqd[i * model.nv() + j] += slope);
        balance::for_each_slope(model, q, |i, slope| dq[i * model.nv() + i] += slope);
    }
}

#[inline(always)]
fn fill<S: Scalar>(
    tree: &BodyTree<S::Constant>,
    common: &CommonFrame<S>,
    partials: &Partials<S>,
    torsionless: &[Torsionless<S>],
    dq: &mut [S],
    dqd: &mut [S],
) {
    let n = tree.columns;
    dq.fill(S::zero());
    dqd.fill(S::zero());
    let twice = |f: Wrench<S>| f + f;
    for i in 0..n {
        let b = tree.body_of[i];
        let (inertia, operator, column) = (&common.bodies[b].inertia, &torsionless[b], &common.columns[i]);
        let (psi_dot, psi_ddot) = (partials.psi_dot[i], partials.psi_ddot[i]);
        let f = inertia.apply(column.s);
        let h = twice(operator.apply_transposed(&column.s)).moment;
        let by_position = twice(operator.apply(&psi_dot)) + inertia.apply(psi_ddot);
        let carried = by_position + partials.force[b].bar_cross(column.s);
        let by_velocity = twice(operator.apply(&column.s)) + inertia.apply(psi_dot + column.s_dot);
        let mut next = Some(i);
        while let Some(j) = next {
            let other = &common.columns[j];
            let (other_dot, other_ddot) = (&partials.psi_dot[j], &partials.psi_ddot[j]);
            let strictly_inboard = tree.body_of[j] != b;
            dq[j * n + i] = dot(&other.s, if strictly_inboard { &carried } else { &by_position });
            dq[i * n + j] = other_dot.angular.dot(h) + dot(other_ddot, &f);
            dqd[j * n + i] = dot(&other.s, &by_velocity);
            dqd[i * n + j] = other.s.angular.dot(h) + dot(&(*other_dot + other.s_dot), &f);
            next = tree.inboard[j];
        }
    }
}

/// ∂g/∂q, `nv` × `nv`.
///
/// # Reference
/// G (24d).
pub fn gravity_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, matrix, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    common.set_inertias(tree, Inertias::Regrouped);
    common.accumulate(tree);
    with_columns(tree, matrix, out, |out| fill_gravity(tree, common, out));
}

#[inline(always)]
fn fill_gravity<S: Scalar>(tree: &BodyTree<S::Constant>, common: &CommonFrame<S>, out: &mut [S]) {
    let n = tree.columns;
    out.fill(S::zero());
    for i in 0..n {
        let b = tree.body_of[i];
        let (inertia, s) = (&common.bodies[b].inertia, common.columns[i].s);
        let ground = common.ground(b);
        let f = inertia.apply(s);
        let turned = inertia.apply(ground.cross(s));
        let carried = turned + inertia.apply(ground).bar_cross(s);
        let mut next = Some(i);
        while let Some(j) = next {
            let other = &common.columns[j].s;
            out[j * n + i] = dot(other, if tree.body_of[j] == b { &turned } else { &carried });
            out[i * n + j] = dot(&ground.cross(*other), &f);
            next = tree.inboard[j];
        }
    }
}

/// ∂τ/∂q and ∂τ/∂q̇; see [`inverse_dynamics_partials_into`].
#[must_use]
pub fn inverse_dynamics_partials<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
) -> (Matrix<S>, Matrix<S>) {
    let mut dq = Matrix::zeros(model.nv(), model.nv());
    let mut dqd = dq.clone();
    let workspace = &mut Workspace::new(model);
    inverse_dynamics_partials_into(model, q, w, w_dot, wrenches, workspace, dq.as_mut_slice(), dqd.as_mut_slice());
    (dq, dqd)
}

/// ∂g/∂q; see [`gravity_partials_into`].
#[must_use]
pub fn gravity_partials<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Matrix<S> {
    let mut out = Matrix::zeros(model.nv(), model.nv());
    gravity_partials_into(model, q, &mut Workspace::new(model), out.as_mut_slice());
    out
}
