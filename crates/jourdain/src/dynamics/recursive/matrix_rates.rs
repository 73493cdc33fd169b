//! M, C, g and their first time derivatives in one composite pass, O(n · depth), without series.
//!
//! To what [`dynamic_matrices_into`](super::dynamic_matrices_into) has come the accelerations a of the bodies, S̈ = a × S +
//! v × Ṡ, and the rate of B = v×*Λ: Ḃ = a×*Λ + v×*Λ̇, summed over subtrees like B. Λ̇ = B + Bᵀ is an inertia without mass
//! and is read off B. For a column i with f = Λᶜ S_i, h = Bᶜᵀ S_i, r = Bᶜ S_i + Λᶜ Ṡ_i, so that ḟ = r + h, and j inboard of it:
//!
//! - Ċ_ij = ḣ·S_j + (2 h + r)·Ṡ_j + f·S̈_j,  Ċ_ji = ṙ·S_j + r·Ṡ_j
//! - Ṁ = C + Cᵀ,  ġ_i = (r + h)·γ₀
//!
//! Trap: a is without gravity, and the rate of a body's spatial twist, not the acceleration of its origin.
//!
//! # Reference
//! G (6), (25), Remark 5, in the common frame; MK (29), (31), (36).

use super::composite::{Inertias, add_scaled, dot};
use super::coupling;
use super::matrices::{Gyration, accumulate, add_armature};
use super::tensors::Operator;
use crate::model::Model;
use crate::model::body_tree::BodyTree;
use crate::spatial::{Inertia, Symmetric, Twist, Vector};
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// Scratch of the pass.
#[derive(Clone, Debug)]
pub struct RateScratch<S: Scalar> {
    workspace: Workspace<S>,
    accelerations: Vec<Twist<S>>,
    /// Ḃ of each body, then of all it carries.
    rates: Vec<Gyration<S>>,
    s_ddot: Vec<Twist<S>>,
    /// Results over columns, for models with coupled joints.
    columns: Columns<Vec<S>>,
}

/// M, C, g and their rates.
#[derive(Clone, Debug, Default)]
struct Columns<V> {
    m: V,
    c: V,
    g: V,
    m_dot: V,
    c_dot: V,
    g_dot: V,
}

impl<S: Scalar> RateScratch<S> {
    /// Allocates everything for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        let tree = model.body_tree();
        let n = if tree.coupling.is_some() { tree.columns } else { 0 };
        let (matrix, vector) = (|| vec![S::zero(); n * n], || vec![S::zero(); n]);
        Self {
            workspace: Workspace::new(model),
            accelerations: vec![Twist::zero(); tree.bodies.len()],
            rates: vec![Gyration::zero(); tree.bodies.len()],
            s_ddot: vec![Twist::zero(); tree.columns],
            columns: Columns {
                m: matrix(),
                c: matrix(),
                g: vector(),
                m_dot: matrix(),
                c_dot: matrix(),
                g_dot: vector(),
            },
        }
    }

    /// a of the bodies and S̈ of the columns.
    #[inline(always)]
    fn accelerate(&mut self, tree: &BodyTree<S::Constant>) {
        let Workspace { common, velocity, acceleration, .. } = &self.workspace;
        for (b, body) in tree.bodies.iter().enumerate() {
            let mut a = body.parent.map_or_else(Twist::zero, |parent| self.accelerations[parent]);
            for i in body.columns() {
                let column = &common.columns[i];
                for (of, rate) in [(column.s, acceleration[i]), (column.s_dot, velocity[i])] {
                    a.linear = add_scaled(a.linear, of.linear, rate);
                    a.angular = add_scaled(a.angular, of.angular, rate);
                }
            }
            let v = common.bodies[b].twist;
            for i in body.columns() {
                let column = &common.columns[i];
                self.s_ddot[i] = a.cross(column.s) + v.cross(column.s_dot);
            }
            self.accelerations[b] = a;
        }
    }

    /// Ḃ, summed towards the root; the bodies' own B and Λ are still alone.
    #[inline(always)]
    fn set_rates(&mut self, tree: &BodyTree<S::Constant>) {
        let common = &self.workspace.common;
        for ((rate, placed), a) in self.rates.iter_mut().zip(&common.bodies).zip(&self.accelerations) {
            *rate = Gyration::of(&placed.inertia, *a);
            let moving = inertia_rate(&placed.inertia, placed.twist);
            rate.add(&Gyration::of(&moving, placed.twist));
        }
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let rate = self.rates[b];
                self.rates[parent].add(&rate);
            }
        }
    }

    #[inline(always)]
    fn fill(&self, tree: &BodyTree<S::Constant>, out: &mut Columns<&mut [S]>) {
        let Workspace { common, gyrations, .. } = &self.workspace;
        let n = tree.columns;
        for matrix in [&mut out.m, &mut out.c, &mut out.m_dot, &mut out.c_dot] {
            matrix.fill(S::zero());
        }
        for i in 0..n {
            let b = tree.body_of[i];
            let (inertia, gyration, rate) = (&common.bodies[b].inertia, &gyrations[b], &self.rates[b]);
            let (s, s_dot) = (&common.columns[i].s, &common.columns[i].s_dot);
            let f = inertia.apply(*s);
            let h = gyration.apply_transposed(s);
            let r = gyration.apply(s) + inertia.apply(*s_dot);
            let turned = gyration.apply(s_dot);
            let turned_back = gyration.apply_transposed(s_dot);
            let h_dot = rate.apply_transposed(s) + turned_back;
            // Λ̇ Ṡ = B Ṡ + Bᵀ Ṡ.
            let r_dot = rate.apply(s) + turned + turned + turned_back + inertia.apply(self.s_ddot[i]);
            let mixed = h + h + r;
            out.g[i] = f.force.dot(common.bodies[b].up);
            out.g_dot[i] = (r + h).force.dot(common.bodies[b].up);
            let mut next = Some(i);
            while let Some(j) = next {
                let (s, s_dot) = (&common.columns[j].s, &common.columns[j].s_dot);
                let value = dot(s, &f);
                let inner = dot(s, &r);
                let outer = dot(s, &h) + dot(s_dot, &f);
                let sum = inner + outer;
                out.m[i * n + j] = value;
                out.m[j * n + i] = value;
                out.m_dot[i * n + j] = sum;
                out.m_dot[j * n + i] = sum;
                out.c[j * n + i] = inner;
                out.c[i * n + j] = outer;
                out.c_dot[j * n + i] = dot(s, &r_dot) + dot(s_dot, &r);
                out.c_dot[i * n + j] = dot(s, &h_dot) + dot(s_dot, &mixed) + dot(&self.s_ddot[j], &f);
                next = tree.inboard[j];
            }
        }
    }
}

/// Λ̇ = B + Bᵀ of one body: no mass, the linear momentum as first moment, and (ω̂I − v̂ĥ) + (ω̂I − v̂ĥ)ᵀ.
#[inline(always)]
fn inertia_rate<S: Scalar>(inertia: &Inertia<S>, twist: Twist<S>) -> Inertia<S> {
    let (v, omega, h) = (twist.linear, twist.angular, inertia.first_moment);
    let i = inertia.rotational.to_matrix();
    let vh = v.dot(h);
    // −v̂ĥ = (v·h) 1 − h vᵀ.
    let element = |a: usize, k: usize| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        omega[b].mul_add(i[c][k], -(omega[c] * i[b][k])) - h[a] * v[k]
    };
    let twice = |x: S| x + x;
    let diagonal = |a: usize| twice(element(a, a) + vh);
    let across = |a: usize, b: usize| element(a, b) + element(b, a);
    Inertia {
        mass: S::zero(),
        first_moment: Vector(std::array::from_fn(|k| v[k].mul_add(inertia.mass, omega.cross(h)[k]))),
        rotational: Symmetric {
            xx: diagonal(0),
            xy: across(0, 1),
            xz: across(0, 2),
            yy: diagonal(1),
            yz: across(1, 2),
            zz: diagonal(2),
        },
    }
}

/// M, C (Garofalo's), g and Ṁ, Ċ, ġ in one pass: matrices `nv` × `nv`, vectors `nv` numbers.
///
/// # Reference
/// G (6a–c), (25).
pub fn dynamic_matrices_rates_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    [w, w_dot]: [&[S]; 2],
    scratch: &mut RateScratch<S>,
    [m, c, g]: [&mut [S]; 3],
    [m_dot, c_dot, g_dot]: [&mut [S]; 3],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, velocity, acceleration, .. } = &mut scratch.workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    for (given, columns) in [(w, &mut *velocity), (w_dot, &mut *acceleration)] {
        match &tree.coupling {
            None => columns.copy_from_slice(given),
            Some(_) => {
                coupling::spread(tree, given, columns);
            }
        }
    }
    common.set_velocity(tree, velocity);
    common.set_inertias(tree, Inertias::Physical);
    scratch.accelerate(tree);
    scratch.set_rates(tree);
    let Workspace { common, gyrations, .. } = &mut scratch.workspace;
    accumulate(tree, common, gyrations);
    match &tree.coupling {
        None => scratch.fill(tree, &mut Columns { m: &mut *m, c, g, m_dot, c_dot, g_dot }),
        Some(map) => {
            let mut columns = std::mem::take(&mut scratch.columns);
            scratch.fill(tree, &mut columns.as_slices());
            for (columns, out) in
                [(&columns.m, &mut *m), (&columns.c, c), (&columns.m_dot, m_dot), (&columns.c_dot, c_dot)]
            {
                coupling::gather_matrix(map, columns, tree.nv, out);
            }
            coupling::gather_vector(map, &columns.g, g);
            coupling::gather_vector(map, &columns.g_dot, g_dot);
            scratch.columns = columns;
        }
    }
    add_armature(model, m);
}

impl<S: Scalar> Columns<Vec<S>> {
    fn as_slices(&mut self) -> Columns<&mut [S]> {
        let Self { m, c, g, m_dot, c_dot, g_dot } = self;
        Columns { m, c, g, m_dot, c_dot, g_dot }
    }
}
