//! Tensors over three columns of one support: ∂M/∂q, ∂C/∂q̇ and the Christoffel symbols in O(n · depth²); ∂C/∂q by duals.
//!
//! Outputs are `nv`×`nv`×`nv`, row-major, the variable last. C is linear in the velocity, so ∂C/∂q̇_k = C(q, e_k): with
//! only column k moving, the operator Bᶜ of a column i is that of Λᶜ of the outer one of i and k on the twist S_k, and
//! Ṡ_j = S_k × S_j where k is inboard of j or on its body.
//!
//! # Reference
//! G (24a–c); ∂M/∂q and the symbols as in Echeandia & Wensing 2021.

use super::composite::{CommonFrame, Inertias, dot};
use super::matrices::{Gyration, Torsionless, coriolis_matrix_into};
use crate::dynamics::{Factorization, Tensor};
use crate::kinematics::tangent;
use crate::model::Model;
use crate::model::body_tree::BodyTree;
use crate::spatial::{Inertia, Twist, Wrench};
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant, Dual, Scalar};

/// A velocity-dependent operator B of a body: what a factorisation of C is made of.
pub(super) trait Operator<S>: Copy {
    /// Of one body.
    fn of(inertia: &Inertia<S>, twist: Twist<S>) -> Self;
    /// Of two bodies together.
    fn add(&mut self, other: &Self);
    /// B s.
    fn apply(&self, s: &Twist<S>) -> Wrench<S>;
    /// Bᵀ s.
    fn apply_transposed(&self, s: &Twist<S>) -> Wrench<S>;
}

/// Runs `fill` with a place to put tensor elements over columns: straight to `out`, or projected over coupled joints.
fn with_columns<S: Scalar>(
    tree: &BodyTree<S::Constant>,
    out: &mut [S],
    fill: impl FnOnce(&mut dyn FnMut([usize; 3], S)),
) {
    out.fill(S::zero());
    match &tree.coupling {
        None => {
            let n = tree.columns;
            fill(&mut |[i, j, k], value| out[(i * n + j) * n + k] = value);
        }
        Some(map) => {
            let n = tree.nv;
            fill(&mut |at, value| {
                let [(i, a), (j, b), (k, c)] = at.map(|column| map[column]);
                out[(i * n + j) * n + k] += value.scale(a * b * c);
            });
        }
    }
}

/// A column and those before it on its body and inboard of it.
fn chain<T: Constant>(tree: &BodyTree<T>, i: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(i), |&j| tree.inboard[j])
}

/// All columns on the body of `i` and inboard of it.
fn support<T: Constant>(tree: &BodyTree<T>, i: usize) -> impl Iterator<Item = usize> + '_ {
    chain(tree, tree.bodies[tree.body_of[i]].columns().end - 1)
}

/// All columns strictly inboard of the body of `i`.
fn inboard<T: Constant>(tree: &BodyTree<T>, i: usize) -> impl Iterator<Item = usize> + '_ {
    let first = tree.bodies[tree.body_of[i]].column;
    std::iter::successors(tree.inboard[first], |&j| tree.inboard[j])
}

/// ∂M/∂q, `nv`³ numbers; for spherical and free joints along T·exp(ε ê_h).
///
/// # Reference
/// G (24a).
pub fn mass_matrix_dq_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    common.set_inertias(tree, Inertias::Regrouped);
    common.accumulate(tree);
    with_columns(tree, out, |put| fill_mass_matrix_dq(tree, common, put));
}

fn fill_mass_matrix_dq<S: Scalar>(
    tree: &BodyTree<S::Constant>,
    common: &CommonFrame<S>,
    put: &mut dyn FnMut([usize; 3], S),
) {
    let s = |i: usize| common.columns[i].s;
    let mut put_both = |i: usize, j: usize, h: usize, value: S| {
        put([i, j, h], value);
        if i != j {
            put([j, i, h], value);
        }
    };
    for outer in 0..tree.columns {
        let inertia = &common.bodies[tree.body_of[outer]].inertia;
        // M_ij with j = outer turns by every joint between i and it, its own included: S_i·(S_h ×* Λᶜ S_j).
        let f = inertia.apply(s(outer));
        for h in support(tree, outer) {
            let turned = s(h).cross_dual(f);
            for i in inboard(tree, h) {
                put_both(i, outer, h, dot(&s(i), &turned));
            }
        }
        // h = outer moves what both i and j carry: S_i·(S_h ×* Λᶜ_h − Λᶜ_h S_h×) S_j.
        for j in inboard(tree, outer) {
            let moved = s(outer).cross_dual(inertia.apply(s(j))) - inertia.apply(s(outer).cross(s(j)));
            for i in chain(tree, j) {
                put_both(i, j, outer, dot(&s(i), &moved));
            }
        }
    }
}

/// ∂C/∂q̇, `nv`³ numbers; with the Christoffel factorisation these are the Christoffel symbols Γ_ijk, C_ij = Σ_k Γ_ijk w_k.
///
/// # Reference
/// G (24c).
pub fn coriolis_matrix_dqd_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    factorization: Factorization,
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    let inertias = match factorization {
        Factorization::Garofalo => Inertias::Physical,
        Factorization::Christoffel => Inertias::Regrouped,
    };
    common.set_inertias(tree, inertias);
    common.accumulate(tree);
    with_columns(tree, out, |put| match factorization {
        Factorization::Garofalo => fill_coriolis_dqd::<S, Gyration<S>>(tree, common, put),
        Factorization::Christoffel => fill_coriolis_dqd::<S, Torsionless<S>>(tree, common, put),
    });
}

fn fill_coriolis_dqd<S: Scalar, B: Operator<S>>(
    tree: &BodyTree<S::Constant>,
    common: &CommonFrame<S>,
    put: &mut dyn FnMut([usize; 3], S),
) {
    let (body_of, s) = (&tree.body_of, |i: usize| common.columns[i].s);
    for outer in 0..tree.columns {
        let inertia = &common.bodies[body_of[outer]].inertia;
        let f = inertia.apply(s(outer));
        // i = outer, k on its support.
        for k in support(tree, outer) {
            let operator = B::of(inertia, s(k));
            let h = operator.apply_transposed(&s(outer));
            let r = operator.apply(&s(outer)) + inertia.apply(s(k).cross(s(outer)));
            for j in chain(tree, outer) {
                // k moves column j only if it carries it.
                let carried = if body_of[k] <= body_of[j] { dot(&s(k).cross(s(j)), &f) } else { S::zero() };
                put([outer, j, k], dot(&s(j), &h) + carried);
                if j != outer {
                    put([j, outer, k], dot(&s(j), &r));
                }
            }
        }
        // k = outer, i strictly inboard: only what k carries moves, and no column inboard of it does.
        let operator = B::of(inertia, s(outer));
        for i in inboard(tree, outer) {
            let (h, r) = (operator.apply_transposed(&s(i)), operator.apply(&s(i)));
            for j in chain(tree, i) {
                put([i, j, outer], dot(&s(j), &h));
                if j != i {
                    put([j, i, outer], dot(&s(j), &r));
                }
            }
        }
    }
}

/// ∂C/∂q, `nv`³ numbers, by dual numbers through the composite pass, one pass per direction; for spherical and free
/// joints along T·exp(ε ê_h).
///
/// # Reference
/// G (24b).
pub fn coriolis_matrix_dq_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    factorization: Factorization,
    scratch: &mut DualScratch<S>,
    out: &mut [S],
) {
    let n = model.nv();
    scratch.velocity.iter_mut().zip(w).for_each(|(dual, &w)| *dual = Dual::fixed(w));
    for h in 0..n {
        scratch.direction.fill(S::zero());
        scratch.direction[h] = S::one();
        tangent::along_into(model, q, &scratch.direction, &mut scratch.position);
        let DualScratch { workspace, position, velocity, matrix, .. } = scratch;
        coriolis_matrix_into(model, position, velocity, factorization, workspace, matrix);
        for (at, c) in scratch.matrix.iter().enumerate() {
            out[at * n + h] = c.derivative;
        }
    }
}

/// Scratch for derivatives by dual numbers.
#[derive(Clone, Debug)]
pub struct DualScratch<S: Scalar> {
    pub(super) workspace: Workspace<Dual<S>>,
    pub(super) position: Vec<Dual<S>>,
    pub(super) velocity: Vec<Dual<S>>,
    pub(super) matrix: Vec<Dual<S>>,
    pub(super) vector: Vec<Dual<S>>,
    direction: Vec<S>,
}

impl<S: Scalar> DualScratch<S> {
    /// Allocates everything for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        let zeros = |n: usize| vec![Dual::fixed(S::zero()); n];
        Self {
            workspace: Workspace::new(model),
            position: zeros(model.nq()),
            velocity: zeros(model.nv()),
            matrix: zeros(model.nv() * model.nv()),
            vector: zeros(model.nv()),
            direction: vec![S::zero(); model.nv()],
        }
    }
}

fn tensor<S: Scalar>(model: &Model<S::Constant>, fill: impl FnOnce(&mut [S])) -> Tensor<S> {
    let n = model.nv();
    let mut out = Tensor::zeros(n, n, n);
    fill(out.as_mut_slice());
    out
}

/// ∂M/∂q; see [`mass_matrix_dq_into`].
#[must_use]
pub fn mass_matrix_dq<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Tensor<S> {
    tensor(model, |out| mass_matrix_dq_into(model, q, &mut Workspace::new(model), out))
}

/// ∂C/∂q̇; see [`coriolis_matrix_dqd_into`].
#[must_use]
pub fn coriolis_matrix_dqd<S: Scalar>(model: &Model<S::Constant>, q: &[S], factorization: Factorization) -> Tensor<S> {
    tensor(model, |out| coriolis_matrix_dqd_into(model, q, factorization, &mut Workspace::new(model), out))
}

/// ∂C/∂q; see [`coriolis_matrix_dq_into`].
#[must_use]
pub fn coriolis_matrix_dq<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    factorization: Factorization,
) -> Tensor<S> {
    tensor(model, |out| coriolis_matrix_dq_into(model, q, w, factorization, &mut DualScratch::new(model), out))
}
