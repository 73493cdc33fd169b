//! M, C and g from one composite pass in the common frame, O(n · depth).
//!
//! With Λᶜ and Bᶜ summed over what a column i carries, and j a column inboard of i (or on the same body):
//!
//! - M_ij = (Λᶜ S_i)·S_j,  g_i = (Λᶜ S_i)·γ₀
//! - C_ij = (Bᶜᵀ S_i)·S_j + (Λᶜ S_i)·Ṡ_j,  C_ji = (Bᶜ S_i + Λᶜ Ṡ_i)·S_j
//!
//! B = v×*Λ gives Garofalo's C, in blocks [mω̂, −ω̂ĥ; mv̂ + ω̂ĥ, ω̂I − v̂ĥ]. For the Christoffel C the blocks collapse to
//! [0, −p̂; 0, −ω̂Ĵ − ĥv̂] with the linear momentum p = m v + ω × h, and the regrouped inertias may be used.
//!
//! Trap: Garofalo's C is **not** invariant under regrouping, so it needs the physical inertias.
//!
//! # Reference
//! G (6a–c); Echeandia & Wensing 2021.

use super::composite::{CommonFrame, Inertias, dot};
use super::coupling;
use super::tensors::Operator;
use crate::dynamics::{Factorization, drive};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::model::body_tree::BodyTree;
use crate::spatial::{Inertia, Twist, Vector, Wrench};
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// The velocity-dependent operator B of a composite body, in the blocks [b̂, −W; ĉ + W, K].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gyration<S> {
    /// Σ m ω.
    b: Vector<S>,
    /// Σ m v.
    c: Vector<S>,
    /// Σ ω̂ĥ, rows.
    w: [Vector<S>; 3],
    /// Σ ω̂I − v̂ĥ, rows.
    k: [Vector<S>; 3],
}

impl<S: Scalar> Gyration<S> {
    pub fn zero() -> Self {
        let zero = Vector::zero();
        Self { b: zero, c: zero, w: [zero; 3], k: [zero; 3] }
    }
}

impl<S: Scalar> Operator<S> for Gyration<S> {
    /// v×*Λ.
    #[inline(always)]
    fn of(inertia: &Inertia<S>, twist: Twist<S>) -> Self {
        let (m, h, i) = (inertia.mass, inertia.first_moment, inertia.rotational.to_matrix());
        let (v, omega) = (twist.linear, twist.angular);
        let (wh, vh) = (omega.dot(h), v.dot(h));
        // ω̂ĥ = h ωᵀ − (ω·h) 1, and alike for v.
        let mut w = [omega.times(h[0]), omega.times(h[1]), omega.times(h[2])];
        // ω̂I: row 0 is ω_y I_z − ω_z I_y, cyclic.
        let row = |a: usize, b: usize, c: usize| -> Vector<S> {
            Vector(std::array::from_fn(|k| omega[b].mul_add(i[c][k], -(omega[c] * i[b][k])) - v[k] * h[a]))
        };
        let mut k = [row(0, 1, 2), row(1, 2, 0), row(2, 0, 1)];
        for d in 0..3 {
            w[d][d] -= wh;
            k[d][d] += vh;
        }
        Self { b: omega.times(m), c: v.times(m), w, k }
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        self.b += other.b;
        self.c += other.c;
        for d in 0..3 {
            self.w[d] += other.w[d];
            self.k[d] += other.k[d];
        }
    }

    #[inline(always)]
    fn apply(&self, s: &Twist<S>) -> Wrench<S> {
        let (l, a) = (s.linear, s.angular);
        let times = |m: &[Vector<S>; 3], x: Vector<S>| Vector([m[0].dot(x), m[1].dot(x), m[2].dot(x)]);
        Wrench {
            force: self.b.cross(l) - times(&self.w, a),
            moment: self.c.cross(l) + times(&self.w, l) + times(&self.k, a),
        }
    }

    #[inline(always)]
    fn apply_transposed(&self, s: &Twist<S>) -> Wrench<S> {
        let (l, a) = (s.linear, s.angular);
        let times = |m: &[Vector<S>; 3], x: Vector<S>| {
            Vector(std::array::from_fn(|i| m[0][i].mul_add(x[0], m[1][i].mul_add(x[1], m[2][i] * x[2]))))
        };
        Wrench {
            force: times(&self.w, a) - self.b.cross(l) - self.c.cross(a),
            moment: times(&self.k, a) - times(&self.w, l),
        }
    }
}

/// The Christoffel operator B of a composite body, in the blocks [0, −p̂; 0, E].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Torsionless<S> {
    /// Linear momentum.
    p: Vector<S>,
    /// −ω̂Ĵ − ĥv̂, rows.
    e: [Vector<S>; 3],
}

impl<S: Scalar> Torsionless<S> {
    pub fn zero() -> Self {
        Self { p: Vector::zero(), e: [Vector::zero(); 3] }
    }
}

impl<S: Scalar> Operator<S> for Torsionless<S> {
    #[inline(always)]
    fn of(inertia: &Inertia<S>, twist: Twist<S>) -> Self {
        let (m, h, i) = (inertia.mass, inertia.first_moment, inertia.rotational.to_matrix());
        let (v, omega) = (twist.linear, twist.angular);
        let half_trace = inertia.rotational.trace() * S::from_f64(0.5);
        let vh = v.dot(h);
        // −ω̂Ĵ = ω̂I − ½ tr(I) ω̂; ĥv̂ = v hᵀ − (v·h) 1.
        let row = |a: usize, b: usize, c: usize| -> Vector<S> {
            Vector(std::array::from_fn(|k| omega[b].mul_add(i[c][k], -(omega[c] * i[b][k])) - v[a] * h[k]))
        };
        let mut e = [row(0, 1, 2), row(1, 2, 0), row(2, 0, 1)];
        let t = omega.times(half_trace);
        for d in 0..3 {
            e[d][d] += vh;
        }
        e[0][1] += t[2];
        e[0][2] -= t[1];
        e[1][0] -= t[2];
        e[1][2] += t[0];
        e[2][0] += t[1];
        e[2][1] -= t[0];
        Self { p: v.times(m) + omega.cross(h), e }
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        self.p += other.p;
        for d in 0..3 {
            self.e[d] += other.e[d];
        }
    }

    #[inline(always)]
    fn apply(&self, s: &Twist<S>) -> Wrench<S> {
        let a = s.angular;
        Wrench { force: a.cross(self.p), moment: Vector([self.e[0].dot(a), self.e[1].dot(a), self.e[2].dot(a)]) }
    }

    #[inline(always)]
    fn apply_transposed(&self, s: &Twist<S>) -> Wrench<S> {
        let a = s.angular;
        let e = &self.e;
        let turned = Vector(std::array::from_fn(|i| e[0][i].mul_add(a[0], e[1][i].mul_add(a[1], e[2][i] * a[2]))));
        Wrench { force: Vector::zero(), moment: self.p.cross(s.linear) + turned }
    }
}

/// Writes a matrix over columns to `out`, or projected over coupled joints.
pub(super) fn with_columns<S: Scalar>(
    tree: &BodyTree<S::Constant>,
    buffer: &mut Vec<S>,
    out: &mut [S],
    fill: impl FnOnce(&mut [S]),
) {
    match &tree.coupling {
        None => fill(out),
        Some(map) => {
            let mut full = std::mem::take(buffer);
            fill(&mut full);
            coupling::gather_matrix(map, &full, tree.nv, out);
            *buffer = full;
        }
    }
}

pub(super) fn add_armature<S: Scalar>(model: &Model<S::Constant>, out: &mut [S]) {
    if model.body_tree().has_motors {
        for (i, j, armature) in drive::armatures(model) {
            out[i * model.nv() + j] += S::constant(armature);
        }
    }
}

/// The mass matrix, `nv` × `nv`, armature included.
///
/// # Reference
/// G (6a).
pub fn mass_matrix_into<S: Scalar>(model: &Model<S::Constant>, q: &[S], workspace: &mut Workspace<S>, out: &mut [S]) {
    let tree = model.body_tree();
    let Workspace { positions, composites, matrix, .. } = workspace;
    positions.set(tree, q);
    with_columns(tree, matrix, out, |out| {
        if tree.only_rotations {
            composites.fill::<true>(tree, positions, out);
        } else {
            composites.fill::<false>(tree, positions, out);
        }
    });
    add_armature(model, out);
}

/// The Coriolis matrix, `nv` × `nv`.
///
/// # Reference
/// G (6b) and its Christoffel companion; both have Ṁ = C + Cᵀ.
pub fn coriolis_matrix_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    factorization: Factorization,
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, velocity, gyrations, torsionless, matrix, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    common.set_velocity(tree, coupling::spread(tree, w, velocity));
    match factorization {
        Factorization::Garofalo => {
            common.set_inertias(tree, Inertias::Physical);
            accumulate(tree, common, gyrations);
            with_columns(tree, matrix, out, |out| {
                fill_garofalo::<S, false>(tree, common, gyrations, out, &mut [], &mut []);
            });
        }
        Factorization::Christoffel => {
            common.set_inertias(tree, Inertias::Regrouped);
            accumulate(tree, common, torsionless);
            with_columns(tree, matrix, out, |out| fill_christoffel(tree, common, torsionless, out));
        }
    }
}

/// Sums inertias and operators towards the root.
#[inline(always)]
pub(super) fn accumulate<S: Scalar, B: Operator<S>>(
    tree: &BodyTree<S::Constant>,
    common: &mut CommonFrame<S>,
    operators: &mut [B],
) {
    for (operator, body) in operators.iter_mut().zip(&common.bodies) {
        *operator = B::of(&body.inertia, body.twist);
    }
    for (b, body) in tree.bodies.iter().enumerate().rev() {
        if let Some(parent) = body.parent {
            let (inertia, operator) = (common.bodies[b].inertia, operators[b]);
            common.bodies[parent].inertia += inertia;
            operators[parent].add(&operator);
        }
    }
}

/// C, and with `ALL` also M and g.
#[inline(always)]
fn fill_garofalo<S: Scalar, const ALL: bool>(
    tree: &BodyTree<S::Constant>,
    common: &CommonFrame<S>,
    gyrations: &[Gyration<S>],
    c: &mut [S],
    m: &mut [S],
    g: &mut [S],
) {
    let n = tree.columns;
    c.fill(S::zero());
    m.fill(S::zero());
    for i in 0..n {
        let b = tree.body_of[i];
        let (inertia, gyration, column) = (&common.bodies[b].inertia, &gyrations[b], &common.columns[i]);
        let f = inertia.apply(column.s);
        let h = gyration.apply_transposed(&column.s);
        let r = gyration.apply(&column.s) + inertia.apply(column.s_dot);
        if ALL {
            g[i] = f.force.dot(common.bodies[b].up);
        }
        let mut next = Some(i);
        while let Some(j) = next {
            let other = &common.columns[j];
            c[j * n + i] = dot(&other.s, &r);
            c[i * n + j] = dot(&other.s, &h) + dot(&other.s_dot, &f);
            if ALL {
                let value = dot(&other.s, &f);
                m[i * n + j] = value;
                m[j * n + i] = value;
            }
            next = tree.inboard[j];
        }
    }
}

#[inline(always)]
fn fill_christoffel<S: Scalar>(
    tree: &BodyTree<S::Constant>,
    common: &CommonFrame<S>,
    torsionless: &[Torsionless<S>],
    c: &mut [S],
) {
    let n = tree.columns;
    c.fill(S::zero());
    for i in 0..n {
        let b = tree.body_of[i];
        let (inertia, operator, column) = (&common.bodies[b].inertia, &torsionless[b], &common.columns[i]);
        let f = inertia.apply(column.s);
        let h = operator.apply_transposed(&column.s);
        let r = operator.apply(&column.s) + inertia.apply(column.s_dot);
        let mut next = Some(i);
        while let Some(j) = next {
            let other = &common.columns[j];
            c[j * n + i] = dot(&other.s, &r);
            c[i * n + j] = other.s.angular.dot(h.moment) + dot(&other.s_dot, &f);
            next = tree.inboard[j];
        }
    }
}

/// M, C (Garofalo's) and g in one pass: `nv` × `nv`, `nv` × `nv` and `nv` numbers.
///
/// # Reference
/// G (6a–c).
pub fn dynamic_matrices_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    workspace: &mut Workspace<S>,
    m: &mut [S],
    c: &mut [S],
    g: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, common, velocity, gyrations, matrix, matrix_2, vector, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    common.set_velocity(tree, coupling::spread(tree, w, velocity));
    common.set_inertias(tree, Inertias::Physical);
    accumulate(tree, common, gyrations);
    match &tree.coupling {
        None => fill_garofalo::<S, true>(tree, common, gyrations, c, m, g),
        Some(map) => {
            fill_garofalo::<S, true>(tree, common, gyrations, matrix, matrix_2, vector);
            coupling::gather_matrix(map, matrix, tree.nv, c);
            coupling::gather_matrix(map, matrix_2, tree.nv, m);
            coupling::gather_vector(map, vector, g);
        }
    }
    add_armature(model, m);
}

/// The gravity torques, `nv` numbers: (Λᶜ γ₀)·S_i with the ground accelerating against gravity.
///
/// # Reference
/// G (6c).
pub fn gravity_into<S: Scalar>(model: &Model<S::Constant>, q: &[S], workspace: &mut Workspace<S>, out: &mut [S]) {
    let tree = model.body_tree();
    let Workspace { positions, newton_euler, vector, .. } = workspace;
    positions.set(tree, q);
    let columns = if tree.coupling.is_none() { &mut *out } else { &mut *vector };
    if tree.only_rotations {
        newton_euler.gravity::<true>(tree, positions, columns);
    } else {
        newton_euler.gravity::<false>(tree, positions, columns);
    }
    if let Some(map) = &tree.coupling {
        coupling::gather_vector(map, vector, out);
    }
}

macro_rules! allocating_matrix {
    ($(#[$doc:meta])* $name:ident, $into:ident $(, $arg:ident: $type:ty)*) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name<S: Scalar>(model: &Model<S::Constant>, q: &[S] $(, $arg: $type)*) -> Matrix<S> {
            let mut out = Matrix::zeros(model.nv(), model.nv());
            $into(model, q $(, $arg)*, &mut Workspace::new(model), out.as_mut_slice());
            out
        }
    };
}

allocating_matrix!(
    /// The mass matrix; see [`mass_matrix_into`].
    mass_matrix, mass_matrix_into
);
allocating_matrix!(
    /// The Coriolis matrix; see [`coriolis_matrix_into`].
    coriolis_matrix, coriolis_matrix_into, w: &[S], factorization: Factorization
);

/// The gravity torques; see [`gravity_into`].
#[must_use]
pub fn gravity<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Vec<S> {
    let mut out = vec![S::zero(); model.nv()];
    gravity_into(model, q, &mut Workspace::new(model), &mut out);
    out
}
