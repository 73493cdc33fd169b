//! Time derivatives of any order, the order a number at run time: everything as a power series in an inertial frame.
//!
//! In a frame at rest whatever is fixed in a body changes by a bracket with the body's twist V alone:
//!
//! Ṡ = V × S,  Λ̇ = V ×* Λ − Λ V ×,  Ẇ = V ×* W (for a wrench constant in link axes),  V = V_parent + Σ S w,
//!
//! so the Taylor coefficients follow from those before them, (k+1) S_{k+1} = Σ V_j × S_{k−j}, without a rotation or a sine
//! beyond the first. Force is the rate of momentum there:
//!
//! M_ij = Sᵢᵀ Λᶜ Sⱼ,  g_i = Sᵢᵀ Λᶜ up,  C_ij = Sᵢᵀ Σ (Λ Ṡⱼ + V ×* Λ Sⱼ),  τ_i = Sᵢᵀ Σ (d(Λ V)/dt + Λ up − W).
//!
//! The frame is that of `composite.rs`: the root body's at this instant. O(N K²) for τ and g, O(n d K²) for the matrices.
//! For the fixed low orders `derivative_tables.rs` and `time_derivatives.rs` are faster.
//!
//! Trap: coefficients are divided by factorials, so that orders end where 1/k! does: see [`MOST_ORDER`].
//!
//! # Reference
//! Derivatives of G (6), as MK (28)–(53) have them for the first two orders; Garofalo's C, MK (54), seen from a frame at rest.

use super::composite::{CommonFrame, Inertias};
use super::coupling;
use super::position::Positions;
use crate::dynamics::drive;
use crate::model::Model;
use crate::model::body_tree::BodyTree;
use crate::spatial::{Inertia, Symmetric, Twist, Vector, Wrench};
use crate::state::LinkWrench;
use jourdain_symbolic::{Constant, Scalar};
use std::ops::{Add, AddAssign};

/// The highest order of a derivative: τ of order N needs (N + 1)!, and 170! is the last factorial that a number holds.
pub const MOST_ORDER: usize = 169;

/// A value that a series may have as coefficient.
trait Coefficient<S: Scalar>: Copy + Add<Output = Self> {
    fn scaled(self, factor: S::Constant) -> Self;
}

macro_rules! coefficient {
    ($type:ident, $first:ident, $second:ident) => {
        impl<S: Scalar> Coefficient<S> for $type<S> {
            fn scaled(self, factor: S::Constant) -> Self {
                Self { $first: self.$first.map(|x| x.scale(factor)), $second: self.$second.map(|x| x.scale(factor)) }
            }
        }
    };
}
coefficient!(Twist, linear, angular);
coefficient!(Wrench, force, moment);

impl<S: Scalar> Coefficient<S> for Inertia<S> {
    fn scaled(self, factor: S::Constant) -> Self {
        Self::from_parameters(self.to_parameters().map(|x| x.scale(factor)))
    }
}

/// Σ_j f(a_j, b_{k−j}), over the coefficients that there are.
fn convolve<A, B, R: Add<Output = R>>(a: &[A], b: &[B], k: usize, f: impl Fn(&A, &B) -> R) -> Option<R> {
    let first = (k + 1).saturating_sub(b.len());
    let last = k.min(a.len().checked_sub(1)?);
    (first..=last).map(|j| f(&a[j], &b[k - j])).reduce(|sum, term| sum + term)
}

/// 1/k by the constants' own division: an exact field keeps it exact.
fn reciprocal<S: Scalar>(k: usize) -> S::Constant {
    <S::Constant as Scalar>::one() / <S::Constant as Scalar>::from_f64(k as f64)
}

/// k!, as a constant.
fn factorial<S: Scalar>(k: usize) -> S::Constant {
    let product = (2..=k).map(|i| i as f64).product();
    <S::Constant as Scalar>::from_f64(product)
}

/// The coefficients of what is fixed in a body: x_{k+1} = Σ [V_j, x_{k−j}] / (k+1).
fn carried<S: Scalar, X: Coefficient<S>>(
    start: X,
    twist: &[Twist<S>],
    orders: usize,
    bracket: impl Fn(&Twist<S>, &X) -> X,
) -> Vec<X> {
    let mut series = vec![start];
    for k in 0..orders {
        match convolve(twist, &series, k, &bracket) {
            Some(rate) if k > 0 => series.push(rate.scaled(reciprocal::<S>(k + 1))),
            Some(rate) => series.push(rate),
            None => break,
        }
    }
    series
}

/// V ×* Λ − Λ V ×: the rate of an inertia that moves with the twist V.
fn moved<S: Scalar>(v: &Twist<S>, inertia: &Inertia<S>) -> Inertia<S> {
    let (h, v, omega) = (inertia.first_moment, v.linear, v.angular);
    let matrix = inertia.rotational.to_matrix();
    // ω̂ I, whose symmetric part counts twice.
    let columns: [Vector<S>; 3] = std::array::from_fn(|j| omega.cross(Vector(std::array::from_fn(|i| matrix[i][j]))));
    let spread = h.dot(v) + h.dot(v);
    let element = |i: usize, j: usize| {
        let turned = columns[j][i] + columns[i][j];
        let shifted = -v[i] * h[j] - h[i] * v[j];
        if i == j { turned + shifted + spread } else { turned + shifted }
    };
    Inertia {
        mass: S::zero(),
        first_moment: omega.cross(h) + v.times(inertia.mass),
        rotational: Symmetric::from_fn(element),
    }
}

/// The motion of all bodies as power series.
struct Motion<S> {
    /// Per body.
    twists: Vec<Vec<Twist<S>>>,
    /// Per body: its own inertia.
    inertias: Vec<Vec<Inertia<S>>>,
    /// Per column.
    columns: Vec<Vec<Twist<S>>>,
    frame: CommonFrame<S>,
}

impl<S: Scalar> Motion<S> {
    /// Columns and inertias up to the order `derivatives.len()` from w, ẇ, ….
    fn new(model: &Model<S::Constant>, q: &[S], derivatives: &[&[S]], which: Inertias) -> Self {
        let tree = model.body_tree();
        let (mut frame, mut positions) = (CommonFrame::new(tree), Positions::new(tree));
        positions.set(tree, q);
        frame.place(tree, &positions);
        frame.set_inertias(tree, which);
        let speeds = speeds(tree, derivatives);
        let orders = derivatives.len();
        let mut motion = Self { twists: Vec::new(), inertias: Vec::new(), columns: Vec::new(), frame };
        motion.columns = motion.frame.columns.iter().map(|column| vec![column.s]).collect();
        for (b, body) in tree.bodies.iter().enumerate() {
            let mut twist: Vec<Twist<S>> = Vec::with_capacity(orders);
            for k in 0..orders {
                let mut v = body.parent.map_or_else(Twist::zero, |parent| motion.twists[parent][k]);
                for i in body.columns() {
                    v += convolve(&motion.columns[i], &speeds[i], k, |s, w| s.times(*w)).unwrap_or_else(Twist::zero);
                }
                twist.push(v);
                for i in body.columns() {
                    let column = &mut motion.columns[i];
                    let rate = convolve(&twist, column, k, |v, s| v.cross(*s)).unwrap_or_else(Twist::zero);
                    column.push(if k > 0 { rate.scaled(reciprocal::<S>(k + 1)) } else { rate });
                }
            }
            let start = motion.frame.bodies[b].inertia;
            motion.inertias.push(carried(start, &twist, orders, moved));
            motion.twists.push(twist);
        }
        motion
    }

    /// The wrenches applied to each body, the coefficient of order k.
    fn loads(&self, tree: &BodyTree<S::Constant>, wrenches: &[LinkWrench<S>], k: usize) -> Vec<Wrench<S>> {
        let mut loads = vec![Wrench::zero(); tree.bodies.len()];
        for load in wrenches {
            let Some(b) = tree.carriers[load.link].body else { continue };
            for (rate, wrench) in load.orders().into_iter().enumerate().take(k + 1) {
                let start = self.frame.in_common_frame(tree, b, &LinkWrench::constant(load.link, wrench));
                let series = carried(start, &self.twists[b], k - rate, |v, f| v.cross_dual(*f));
                let share = match series.get(k - rate) {
                    Some(part) if rate > 1 => part.scaled(reciprocal::<S>(rate)),
                    Some(part) => *part,
                    None => continue,
                };
                loads[b] += share;
            }
        }
        loads
    }

    /// The coefficient of order k of the inertias of bodies and all they carry.
    fn composite(&self, tree: &BodyTree<S::Constant>) -> Vec<Vec<Inertia<S>>> {
        let mut composite = self.inertias.clone();
        accumulate(tree, &mut composite);
        composite
    }

    /// Sᵢᵀ f of the order k for forces f on bodies and all they carry, per column.
    fn project(&self, tree: &BodyTree<S::Constant>, forces: &[Vec<Wrench<S>>], k: usize) -> Vec<S> {
        let project = |(i, column): (usize, &Vec<Twist<S>>)| {
            convolve(column, &forces[tree.body_of[i]], k, |s, f| s.dot(*f)).unwrap_or_else(S::zero)
        };
        self.columns.iter().enumerate().map(project).collect()
    }
}

/// Sums the series of bodies towards the root.
fn accumulate<T: Constant, X: Copy + AddAssign>(tree: &BodyTree<T>, series: &mut [Vec<X>]) {
    for (b, body) in tree.bodies.iter().enumerate().rev() {
        if let Some(parent) = body.parent {
            let (inner, outer) = series.split_at_mut(b);
            inner[parent].iter_mut().zip(&outer[0]).for_each(|(sum, x)| *sum += *x);
        }
    }
}

/// The Taylor coefficients of the speeds of all columns.
fn speeds<S: Scalar>(tree: &BodyTree<S::Constant>, derivatives: &[&[S]]) -> Vec<Vec<S>> {
    let mut shares = vec![<S::Constant as Scalar>::one(); derivatives.len()];
    for k in 2..shares.len() {
        shares[k] = shares[k - 1] * reciprocal::<S>(k);
    }
    let speed = |i: usize| {
        let (dof, factor) = tree.coupling.as_ref().map_or((i, None), |map| (map[i].0, Some(map[i].1)));
        let coefficient = |(k, w): (usize, &&[S])| {
            let own = if k < 2 { w[dof] } else { w[dof].scale(shares[k]) };
            factor.map_or(own, |factor| own.scale(factor))
        };
        derivatives.iter().enumerate().map(coefficient).collect()
    };
    (0..tree.columns).map(speed).collect()
}

/// A vector over columns as one over velocities, the coefficient of order k as the derivative.
fn leave_vector<S: Scalar>(tree: &BodyTree<S::Constant>, columns: Vec<S>, k: usize) -> Vec<S> {
    let mut out = columns;
    if let Some(map) = &tree.coupling {
        let mut gathered = vec![S::zero(); tree.nv];
        coupling::gather_vector(map, &out, &mut gathered);
        out = gathered;
    }
    derivative(&mut out, k);
    out
}

/// As [`leave_vector`] for a square matrix.
fn leave_matrix<S: Scalar>(tree: &BodyTree<S::Constant>, columns: &[S], k: usize, out: &mut [S]) {
    match &tree.coupling {
        Some(map) => coupling::gather_matrix(map, columns, tree.nv, out),
        None => out.copy_from_slice(columns),
    }
    derivative(out, k);
}

fn derivative<S: Scalar>(coefficients: &mut [S], k: usize) {
    if k > 1 {
        let factor = factorial::<S>(k);
        coefficients.iter_mut().for_each(|x| *x = x.scale(factor));
    }
}

/// The time derivative of M of the order `order` ≥ 1, row-major, from `derivatives` = w, ẇ, …, of which `order` are used.
///
/// # Panics
/// If a vector does not have the model's length, or fewer derivatives are given.
///
/// # Reference
/// G (6a), differentiated.
pub fn mass_matrix_derivative_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    order: usize,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let motion = Motion::new(model, q, &derivatives[..order], Inertias::Regrouped);
    let composite = motion.composite(tree);
    let n = tree.columns;
    let mut m = vec![S::zero(); n * n];
    for i in 0..n {
        let apply = |k: usize| {
            convolve(&composite[tree.body_of[i]], &motion.columns[i], k, |inertia, s| inertia.apply(*s))
                .unwrap_or_else(Wrench::zero)
        };
        let force: Vec<Wrench<S>> = (0..=order).map(apply).collect();
        let mut next = Some(i);
        while let Some(j) = next {
            let element = convolve(&motion.columns[j], &force, order, |s, f| s.dot(*f)).unwrap_or_else(S::zero);
            (m[i * n + j], m[j * n + i]) = (element, element);
            next = tree.inboard[j];
        }
    }
    leave_matrix(tree, &m, order, out);
}

/// The time derivative of Garofalo's C of the order `order`, row-major, from w, ẇ, …, of which `order` + 1 are used.
///
/// # Panics
/// As [`mass_matrix_derivative_into`].
///
/// # Reference
/// G (6b), MK (54), differentiated.
pub fn coriolis_matrix_derivative_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    order: usize,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let motion = Motion::new(model, q, &derivatives[..=order], Inertias::Physical);
    let n = tree.columns;
    let mut c = vec![S::zero(); n * n];
    for j in 0..n {
        let own = tree.body_of[j];
        let s = &motion.columns[j];
        let s_dot = rate(s);
        let mut forces: Vec<Vec<Wrench<S>>> = vec![Vec::new(); tree.bodies.len()];
        let mut carries = vec![false; tree.bodies.len()];
        for b in own..tree.bodies.len() {
            carries[b] = b == own || tree.bodies[b].parent.is_some_and(|parent| carries[parent]);
            if carries[b] {
                forces[b] = bent(&motion.inertias[b], &motion.twists[b], s, &s_dot, order);
            }
        }
        for b in (own + 1..tree.bodies.len()).rev().filter(|&b| carries[b]) {
            let Some(parent) = tree.bodies[b].parent else { continue };
            let (inner, outer) = forces.split_at_mut(b);
            inner[parent].iter_mut().zip(&outer[0]).for_each(|(sum, f)| *sum += *f);
        }
        let mut element = |i: usize, b: usize| {
            let found = convolve(&motion.columns[i], &forces[b], order, |s, f| s.dot(*f));
            c[i * n + j] = found.unwrap_or_else(S::zero);
        };
        (0..n).filter(|&i| carries[tree.body_of[i]]).for_each(|i| element(i, tree.body_of[i]));
        let mut next = tree.inboard[j];
        while let Some(i) = next {
            element(i, own);
            next = tree.inboard[i];
        }
    }
    leave_matrix(tree, &c, order, out);
}

/// Λ Ṡ + V ×* Λ S, coefficients up to `order`.
fn bent<S: Scalar>(
    inertia: &[Inertia<S>],
    twist: &[Twist<S>],
    s: &[Twist<S>],
    s_dot: &[Twist<S>],
    order: usize,
) -> Vec<Wrench<S>> {
    let apply =
        |s: &[Twist<S>], k: usize| convolve(inertia, s, k, |inertia, s| inertia.apply(*s)).unwrap_or_else(Wrench::zero);
    let momentum: Vec<Wrench<S>> = (0..=order).map(|k| apply(s, k)).collect();
    let force = |k: usize| {
        let gyroscopic = convolve(twist, &momentum, k, |v, p| v.cross_dual(*p)).unwrap_or_else(Wrench::zero);
        apply(s_dot, k) + gyroscopic
    };
    (0..=order).map(force).collect()
}

/// The coefficients of the rate of a series.
fn rate<S: Scalar, X: Coefficient<S>>(series: &[X]) -> Vec<X> {
    let share = |k: usize| <S::Constant as Scalar>::from_f64(k as f64);
    (1..series.len()).map(|k| if k == 1 { series[k] } else { series[k].scaled(share(k)) }).collect()
}

/// The time derivative of g of the order `order` from w, ẇ, …, of which `order` are used.
///
/// # Panics
/// As [`mass_matrix_derivative_into`].
///
/// # Reference
/// G (6c), differentiated.
#[must_use]
pub fn gravity_derivative<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    order: usize,
) -> Vec<S> {
    let tree = model.body_tree();
    let motion = Motion::new(model, q, &derivatives[..order], Inertias::Regrouped);
    let weight = |(b, inertia): (usize, &Vec<Inertia<S>>)| {
        inertia.iter().map(|inertia| inertia.apply(motion.frame.ground(b))).collect()
    };
    let weights: Vec<Vec<Wrench<S>>> = motion.composite(tree).iter().enumerate().map(weight).collect();
    leave_vector(tree, motion.project(tree, &weights, order), order)
}

/// The time derivative of −Σ Jᵀ W of the order `order` from w, ẇ, …, of which `order` are used; derivatives of a wrench
/// above the second are zero.
///
/// # Panics
/// As [`mass_matrix_derivative_into`], and if a wrench acts on a link that is not there.
///
/// # Reference
/// MK (27), differentiated, with the opposite sign of the wrench.
#[must_use]
pub fn external_forces_derivative<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    order: usize,
) -> Vec<S> {
    let tree = model.body_tree();
    let motion = Motion::new(model, q, &derivatives[..order], Inertias::Regrouped);
    let mut forces: Vec<Vec<Wrench<S>>> = vec![Vec::with_capacity(order + 1); tree.bodies.len()];
    for k in 0..=order {
        let loads = motion.loads(tree, wrenches, k);
        forces.iter_mut().zip(loads).for_each(|(series, load)| series.push(-load));
    }
    accumulate(tree, &mut forces);
    leave_vector(tree, motion.project(tree, &forces, order), order)
}

/// The time derivative of τ of the order `order` from w, ẇ, …, of which `order` + 2 are used; motor inertia, friction and
/// wrenches included. Derivatives of a wrench above the second are zero.
///
/// # Panics
/// As [`external_forces_derivative`].
///
/// # Reference
/// G (5), differentiated.
#[must_use]
pub fn inverse_dynamics_derivative<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    order: usize,
) -> Vec<S> {
    let tree = model.body_tree();
    let motion = Motion::new(model, q, &derivatives[..order + 2], Inertias::Regrouped);
    let mut forces = Vec::with_capacity(tree.bodies.len());
    for (b, (inertia, twist)) in motion.inertias.iter().zip(&motion.twists).enumerate() {
        let momentum = |k: usize| convolve(inertia, twist, k, |inertia, v| inertia.apply(*v));
        let momenta: Vec<Wrench<S>> = (0..=order + 1).map(|k| momentum(k).unwrap_or_else(Wrench::zero)).collect();
        let weight = |k: usize| inertia[k].apply(motion.frame.ground(b));
        let force: Vec<Wrench<S>> =
            rate::<S, _>(&momenta).into_iter().enumerate().map(|(k, f)| f + weight(k)).collect();
        forces.push(force);
    }
    if !wrenches.is_empty() {
        for k in 0..=order {
            let loads = motion.loads(tree, wrenches, k);
            forces.iter_mut().zip(loads).for_each(|(series, load)| series[k] -= load);
        }
    }
    accumulate(tree, &mut forces);
    let mut tau = leave_vector(tree, motion.project(tree, &forces, order), order);
    if tree.has_motors {
        for (i, j, armature) in drive::armatures(model) {
            tau[i] += derivatives[order + 1][j].scale(armature);
        }
        drive::add_torque_derivative(model, q, derivatives, order, &mut tau);
    }
    tau
}
