//! τ, τ̇, …, τ^{(K−1)} by derivative tables: Newton–Euler with the orders of every vector side by side, O(N K²).
//!
//! Differs from [series](super::time_derivatives) through Newton–Euler in what happens at a joint. A vector with the
//! coefficients v_k goes from parent to body by y_k = Z(q)ᵀRᵀ v_k, numbers only, and then by the turn about z that is
//! still to come, e^{−iδ(t)} on x + iy with δ(0) = 0, δ̇ = w:
//!
//! - v'_k = Σ E_j y_{k−j},  E_0 = 1,  (j+1) E_{j+1} = −i Σ w_i E_{j−i}
//!
//! which is Y[r+1][s] = Y[r][s+1] − Σ C(r,i) ad(ξ^{(i)}) Y[r−i][s] solved for Taylor coefficients. ω̇ is not carried: its
//! coefficients are those of ω, of which one more is kept, so that a joint adds its velocity to ω and nothing else.
//!
//! Trap: coefficients are of components in body axes, so that ω_1 is the angular acceleration but ω_2 is not half its
//! rate in space.
//!
//! # Reference
//! Derivatives of G (6) contracted with q̈ and q̇; MK (28), (38) are the first two.

use super::coupling;
use super::newton_euler::{acceleration_matrix_of, apply, constant_apply, felt_into, load, travel};
use super::position::{Positions, constant_cross, turn, turn_inverse};
use super::time_derivatives::wrench_series;
use crate::dynamics::drive;
use crate::kinematics::trajectory::{position_jets_into, series_into};
use crate::model::Model;
use crate::model::body_tree::{Body, BodyTree, Mechanism};
use crate::spatial::{Rotation, Vector};
use crate::state::LinkWrench;
use jourdain_symbolic::{Jet, Scalar};
use std::array::from_fn;

/// Scratch for derivative tables up to the order K − 1.
#[derive(Clone, Debug)]
pub struct TableScratch<S: Scalar, const K: usize> {
    positions: Positions<S>,
    bodies: Vec<BodyTable<S, K>>,
    /// The way to come of joints that are no rotations; empty if there are none.
    others: Vec<Travel<S, K>>,
    /// Coefficients 0 … K − 1 of the column velocities, and coefficient K.
    w: Vec<Jet<S, K>>,
    w_top: Vec<S>,
    /// Torques over columns, for models with coupled joints.
    tau: Vec<Jet<S, K>>,
    /// Velocities of the model, for friction.
    position: Vec<Jet<S, K>>,
    velocity: Vec<Jet<S, K>>,
}

/// One body: what it does and, on the way in, the load it hands to its parent.
#[derive(Clone, Copy, Debug)]
struct BodyTable<S: Scalar, const K: usize> {
    turning: Turning<S, K>,
    omega: Vector<Jet<S, K>>,
    omega_top: Vector<S>,
    acceleration: Vector<Jet<S, K>>,
    u: [[Jet<S, K>; 3]; 3],
    force: Vector<Jet<S, K>>,
    moment: Vector<Jet<S, K>>,
}

/// E: cosine and sine of the angle about z from now on, with one coefficient more.
#[derive(Clone, Copy, Debug)]
struct Turning<S: Scalar, const K: usize> {
    cos: Jet<S, K>,
    sin: Jet<S, K>,
    cos_top: S,
    sin_top: S,
}

/// The series of a ball's rotation, with one coefficient more, and of the origin in the parent's axes.
#[derive(Clone, Copy, Debug)]
struct Travel<S: Scalar, const K: usize> {
    rotation: Rotation<Jet<S, K>>,
    rotation_top: Rotation<S>,
    origin: Vector<Jet<S, K>>,
}

impl<S: Scalar, const K: usize> TableScratch<S, K> {
    /// Allocates everything for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        let tree = model.body_tree();
        let zero = Jet::fixed(S::zero());
        let body = BodyTable {
            turning: Turning::rest(),
            omega: Vector::zero(),
            omega_top: Vector::zero(),
            acceleration: Vector::zero(),
            u: [[zero; 3]; 3],
            force: Vector::zero(),
            moment: Vector::zero(),
        };
        let other = Travel {
            rotation: Rotation::identity(),
            rotation_top: Rotation([[S::zero(); 3]; 3]),
            origin: Vector::zero(),
        };
        let bodies = tree.bodies.len();
        Self {
            positions: Positions::new(tree),
            bodies: vec![body; bodies],
            others: vec![other; if tree.only_rotations { 0 } else { bodies }],
            w: vec![zero; tree.columns],
            w_top: vec![S::zero(); tree.columns],
            tau: vec![zero; tree.columns],
            position: vec![zero; model.nq()],
            velocity: vec![zero; model.nv()],
        }
    }
}

/// a x + b y, order by order.
#[inline(always)]
fn mix<S: Scalar, const K: usize>(x: &Jet<S, K>, a: S, y: &Jet<S, K>, b: S) -> Jet<S, K> {
    Jet(from_fn(|k| x.0[k].mul_add(a, y.0[k] * b)))
}

/// x², equal products taken once.
#[inline(always)]
fn square<S: Scalar, const K: usize>(x: Jet<S, K>) -> Jet<S, K> {
    Jet(from_fn(|k| {
        let mut sum = S::zero();
        for i in 0..k.div_ceil(2) {
            let twice = x.0[i] + x.0[i];
            sum = if i == 0 { twice * x.0[k] } else { twice.mul_add(x.0[k - i], sum) };
        }
        let middle = x.0[k / 2];
        match k {
            0 => middle * middle,
            _ if k.is_multiple_of(2) => middle.mul_add(middle, sum),
            _ => sum,
        }
    }))
}

/// 1/n.
#[inline(always)]
fn share<S: Scalar>(n: usize) -> S::Constant {
    <S::Constant as Scalar>::one() / <S::Constant as Scalar>::from_f64(n as f64)
}

impl<S: Scalar, const K: usize> Turning<S, K> {
    fn rest() -> Self {
        Self { cos: Jet::fixed(S::one()), sin: Jet::fixed(S::zero()), cos_top: S::zero(), sin_top: S::zero() }
    }

    /// (j+1) E_{j+1} = −i Σ w_i E_{j−i}, with E = cos − i sin.
    #[inline(always)]
    fn of(w: &Jet<S, K>) -> Self {
        let mut e = Self::rest();
        for n in 1..=K {
            // E_0 = 1: cos_0 = 1, sin_0 = 0.
            let (mut cos, mut sin) = (S::zero(), w.0[n - 1]);
            for i in 0..n - 1 {
                cos -= w.0[i] * e.sin.0[n - 1 - i];
                if n - 1 - i > 1 {
                    sin = w.0[i].mul_add(e.cos.0[n - 1 - i], sin);
                }
            }
            if n > 1 {
                (cos, sin) = (cos.scale(share::<S>(n)), sin.scale(share::<S>(n)));
            }
            if n < K {
                (e.cos.0[n], e.sin.0[n]) = (cos, sin);
            } else {
                (e.cos_top, e.sin_top) = (cos, sin);
            }
        }
        e
    }

    /// E on (x, y): into the axes that turn on.
    #[inline(always)]
    fn follow(&self, x: &Jet<S, K>, y: &Jet<S, K>) -> (Jet<S, K>, Jet<S, K>) {
        let (mut a, mut b) = (*x, *y);
        for k in 1..K {
            for j in 1..=k {
                a.0[k] = self.sin.0[j].mul_add(y.0[k - j], a.0[k]);
                b.0[k] = (-self.sin.0[j]).mul_add(x.0[k - j], b.0[k]);
                if j > 1 {
                    a.0[k] = self.cos.0[j].mul_add(x.0[k - j], a.0[k]);
                    b.0[k] = self.cos.0[j].mul_add(y.0[k - j], b.0[k]);
                }
            }
        }
        (a, b)
    }

    /// E⁻¹ on (x, y).
    #[inline(always)]
    fn leave(&self, x: &Jet<S, K>, y: &Jet<S, K>) -> (Jet<S, K>, Jet<S, K>) {
        let (b, a) = self.follow(y, x);
        (a, b)
    }

    /// Coefficient K of E on (x, y), without E_0 on coefficient K.
    #[inline(always)]
    fn follow_top(&self, x: &Jet<S, K>, y: &Jet<S, K>) -> (S, S) {
        let mut a = self.cos_top.mul_add(x.0[0], self.sin_top * y.0[0]);
        let mut b = self.cos_top.mul_add(y.0[0], -(self.sin_top * x.0[0]));
        for j in 1..K {
            a = self.sin.0[j].mul_add(y.0[K - j], a);
            b = (-self.sin.0[j]).mul_add(x.0[K - j], b);
            if j > 1 {
                a = self.cos.0[j].mul_add(x.0[K - j], a);
                b = self.cos.0[j].mul_add(y.0[K - j], b);
            }
        }
        (a, b)
    }
}

impl<S: Scalar, const K: usize> Travel<S, K> {
    /// The series of a ball's rotation under a body angular velocity: (k+1) R_{k+1} = Σ R_i ŵ_{k−i}.
    fn turn(&mut self, start: &Rotation<S>, spin: &Vector<Jet<S, K>>) {
        for row in 0..3 {
            for column in 0..3 {
                self.rotation.0[row][column].0[0] = start.0[row][column];
            }
        }
        for n in 1..=K {
            for row in 0..3 {
                let mut sum = Vector::zero();
                for i in 0..n {
                    let r = Vector(self.rotation.0[row].map(|jet| jet.0[i]));
                    // Row times ŵ.
                    sum += r.cross(spin.map(|jet| jet.0[n - 1 - i]));
                }
                for column in 0..3 {
                    let value = sum[column].scale(share::<S>(n));
                    if n < K {
                        self.rotation.0[row][column].0[n] = value;
                    } else {
                        self.rotation_top.0[row][column] = value;
                    }
                }
            }
        }
    }

    /// Coefficient K of Rᵀ v.
    fn inverse_top(&self, v: &Vector<Jet<S, K>>, top: Vector<S>) -> Vector<S> {
        let order = |k: usize| Rotation(self.rotation.0.map(|row| row.map(|jet| jet.0[k])));
        let mut sum = order(0).apply_inverse(top) + self.rotation_top.apply_inverse(v.map(|jet| jet.0[0]));
        for j in 1..K {
            sum += order(j).apply_inverse(v.map(|jet| jet.0[K - j]));
        }
        sum
    }
}

/// The series with this value and this rate.
#[inline(always)]
fn integral<S: Scalar, const K: usize>(value: S, rate: &Jet<S, K>) -> Jet<S, K> {
    Jet(from_fn(|k| if k == 0 { value } else { rate.0[k - 1].scale(share::<S>(k)) }))
}

/// The rate of the series with these coefficients.
#[inline(always)]
fn rate<S: Scalar, const K: usize>(series: &Jet<S, K>, top: S) -> Jet<S, K> {
    Jet(from_fn(|k| {
        let next = if k + 1 < K { series.0[k + 1] } else { top };
        if k == 0 { next } else { next.scale(<S::Constant as Scalar>::from_f64((k + 1) as f64)) }
    }))
}

impl<S: Scalar, const K: usize> TableScratch<S, K> {
    /// Vectors in the parent's axes, in the body's.
    #[inline(always)]
    fn inward<const ROTATIONS: bool>(
        &self,
        b: usize,
        body: &Body<S::Constant>,
        turning: &Turning<S, K>,
        v: Vector<Jet<S, K>>,
    ) -> Vector<Jet<S, K>> {
        let [v] = turn_inverse(&body.turn, [v]);
        match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (x, y) = self.numbers(b, &v);
                let (x, y) = turning.follow(&x, &y);
                Vector([x, y, v[2]])
            }
            Mechanism::Prismatic => v,
            Mechanism::Spherical | Mechanism::Free => self.others[b].rotation.apply_inverse(v),
        }
    }

    /// As [`Self::inward`], with coefficient K.
    #[inline(always)]
    fn inward_with_top<const ROTATIONS: bool>(
        &self,
        b: usize,
        body: &Body<S::Constant>,
        turning: &Turning<S, K>,
        v: Vector<Jet<S, K>>,
        top: Vector<S>,
    ) -> (Vector<Jet<S, K>>, Vector<S>) {
        let ([v], [top]) = (turn_inverse(&body.turn, [v]), turn_inverse(&body.turn, [top]));
        match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (x, y) = self.numbers(b, &v);
                let (sin, cos) = (self.positions.sin[b], self.positions.cos[b]);
                let (a, c) = turning.follow_top(&x, &y);
                let top = Vector([
                    top[0].mul_add(cos, top[1].mul_add(sin, a)),
                    top[1].mul_add(cos, (-top[0]).mul_add(sin, c)),
                    top[2],
                ]);
                let (x, y) = turning.follow(&x, &y);
                (Vector([x, y, v[2]]), top)
            }
            Mechanism::Prismatic => (v, top),
            Mechanism::Spherical | Mechanism::Free => {
                let other = &self.others[b];
                (other.rotation.apply_inverse(v), other.inverse_top(&v, top))
            }
        }
    }

    /// Z(q)ᵀ on x and y, order by order.
    #[inline(always)]
    fn numbers(&self, b: usize, v: &Vector<Jet<S, K>>) -> (Jet<S, K>, Jet<S, K>) {
        let (sin, cos) = (self.positions.sin[b], self.positions.cos[b]);
        (mix(&v[0], cos, &v[1], sin), mix(&v[1], cos, &v[0], -sin))
    }

    /// Vectors in the body's axes, in the parent's.
    #[inline(always)]
    fn outward<const ROTATIONS: bool>(
        &self,
        b: usize,
        body: &Body<S::Constant>,
        v: Vector<Jet<S, K>>,
    ) -> Vector<Jet<S, K>> {
        let v = match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (x, y) = self.bodies[b].turning.leave(&v[0], &v[1]);
                let (sin, cos) = (self.positions.sin[b], self.positions.cos[b]);
                Vector([mix(&x, cos, &y, -sin), mix(&y, cos, &x, sin), v[2]])
            }
            Mechanism::Prismatic => v,
            Mechanism::Spherical | Mechanism::Free => self.others[b].rotation.apply(v),
        };
        let [v] = turn(&body.turn, [v]);
        v
    }

    /// Series of ball rotations and of moving origins.
    fn set_travels(&mut self, tree: &BodyTree<S::Constant>) {
        for (b, body) in tree.bodies.iter().enumerate() {
            let (i, w, other) = (body.column, &self.w, &mut self.others[b]);
            let start = self.positions.displacement(b);
            let displacement = match body.mechanism {
                Mechanism::Revolute => continue,
                Mechanism::Prismatic => {
                    Vector([Jet::fixed(S::zero()), Jet::fixed(S::zero()), integral(start[2], &w[i])])
                }
                Mechanism::Helical { pitch } => {
                    let travel = integral(start[2], &w[i].scale(pitch));
                    Vector([Jet::fixed(S::zero()), Jet::fixed(S::zero()), travel])
                }
                Mechanism::Spherical => {
                    other.turn(self.positions.ball(b), &Vector([w[i], w[i + 1], w[i + 2]]));
                    continue;
                }
                Mechanism::Free => {
                    other.turn(self.positions.ball(b), &Vector([w[i + 3], w[i + 4], w[i + 5]]));
                    let rate = other.rotation.apply(Vector([w[i], w[i + 1], w[i + 2]]));
                    Vector(from_fn(|k| integral(start[k], &rate[k])))
                }
            };
            other.origin = body.shift.lift() + body.turn.apply(displacement);
        }
    }

    /// The body's origin in the parent's axes if it moves.
    #[inline(always)]
    fn moving_origin<const ROTATIONS: bool>(&self, b: usize, body: &Body<S::Constant>) -> Option<Vector<Jet<S, K>>> {
        match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Spherical => None,
            _ => Some(self.others[b].origin),
        }
    }

    #[inline(always)]
    fn run_outward<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>) {
        let ground = (-tree.gravity).lift();
        for (b, body) in tree.bodies.iter().enumerate() {
            let i = body.column;
            let turning = match body.mechanism_if::<ROTATIONS>() {
                Mechanism::Revolute | Mechanism::Helical { .. } => Turning::of(&self.w[i]),
                _ => Turning::rest(),
            };
            let (mut omega, mut top, mut a) = match body.parent {
                Some(parent) => {
                    let p = &self.bodies[parent];
                    let pushed = match self.moving_origin::<ROTATIONS>(b, body) {
                        None => p.acceleration + constant_apply(&p.u, &body.shift),
                        Some(origin) => p.acceleration + apply(&p.u, origin),
                    };
                    let (omega, top) = self.inward_with_top::<ROTATIONS>(b, body, &turning, p.omega, p.omega_top);
                    (omega, top, self.inward::<ROTATIONS>(b, body, &turning, pushed))
                }
                None => (Vector::zero(), Vector::zero(), self.inward::<ROTATIONS>(b, body, &turning, ground)),
            };
            let (w, w_top) = (&self.w, &self.w_top);
            let w_dot = |i: usize| rate(&w[i], w_top[i]);
            match body.mechanism_if::<ROTATIONS>() {
                Mechanism::Revolute => {
                    omega[2] += w[i];
                    top[2] += w_top[i];
                }
                Mechanism::Prismatic => travel(&mut a, omega, w[i], w_dot(i)),
                Mechanism::Helical { pitch } => {
                    travel(&mut a, omega, w[i].scale(pitch), w_dot(i).scale(pitch));
                    omega[2] += w[i];
                    top[2] += w_top[i];
                }
                Mechanism::Spherical => {
                    omega += Vector([w[i], w[i + 1], w[i + 2]]);
                    top += Vector([w_top[i], w_top[i + 1], w_top[i + 2]]);
                }
                Mechanism::Free => {
                    let velocity = Vector([w[i], w[i + 1], w[i + 2]]);
                    let spin = Vector([w[i + 3], w[i + 4], w[i + 5]]);
                    a += Vector([w_dot(i), w_dot(i + 1), w_dot(i + 2)]) + (omega + omega + spin).cross(velocity);
                    omega += spin;
                    top += Vector([w_top[i + 3], w_top[i + 4], w_top[i + 5]]);
                }
            }
            let omega_dot = Vector(from_fn(|k| rate(&omega[k], top[k])));
            let u = acceleration_matrix_of(omega.0.map(square), omega, omega_dot);
            let (force, moment) = load::<Jet<S, K>, ROTATIONS>(body, &u, a);
            self.bodies[b] = BodyTable { turning, omega, omega_top: top, acceleration: a, u, force, moment };
        }
    }

    #[inline(always)]
    fn run_inward<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>, tau: &mut [Jet<S, K>]) {
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            let BodyTable { force, moment, .. } = &self.bodies[b];
            felt_into::<Jet<S, K>, ROTATIONS>(body, force, moment, tau);
            if let Some(parent) = body.parent {
                let force = self.outward::<ROTATIONS>(b, body, *force);
                let moment = self.outward::<ROTATIONS>(b, body, *moment);
                let lever = match self.moving_origin::<ROTATIONS>(b, body) {
                    None => constant_cross(&body.shift, force),
                    Some(origin) => origin.cross(force),
                };
                let p = &mut self.bodies[parent];
                p.force += force;
                p.moment += moment + lever;
            }
        }
    }

    /// The column velocities from w, ẇ, …; orders that are not given are zero.
    #[inline(always)]
    fn set_motion(&mut self, tree: &BodyTree<S::Constant>, derivatives: &[&[S]]) {
        let orders: [Option<&[S]>; K] = from_fn(|k| derivatives.get(k).copied());
        let top = derivatives.get(K).copied();
        let mut factorial = [<S::Constant as Scalar>::one(); K];
        for k in 2..K {
            factorial[k] = factorial[k - 1] * share::<S>(k);
        }
        let last = factorial[K - 1] * share::<S>(K);
        let read = |order: Option<&[S]>, i: usize| order.map_or_else(S::zero, |order| order[i]);
        for (i, (w, w_top)) in self.w.iter_mut().zip(&mut self.w_top).enumerate() {
            let (dof, factor) = tree.coupling.as_ref().map_or((i, None), |map| (map[i].0, Some(map[i].1)));
            *w = Jet(from_fn(|k| {
                let value = read(orders[k], dof);
                if k < 2 { value } else { value.scale(factorial[k]) }
            }));
            *w_top = read(top, dof).scale(last);
            if let Some(factor) = factor {
                (*w, *w_top) = (w.scale(factor), w_top.scale(factor));
            }
        }
    }

    /// What drives take: armature and friction by the model's own velocities, balances by its positions.
    fn add_drives(&mut self, model: &Model<S::Constant>, q: &[S], derivatives: &[&[S]], out: &mut [Jet<S, K>]) {
        if model.balances().next().is_some() {
            position_jets_into(model, q, derivatives, &mut self.position);
        }
        series_into(derivatives, &mut self.velocity);
        drive::add_torques(model, &self.position, &self.velocity, out);
        series_into(derivatives.get(1..).unwrap_or_default(), &mut self.velocity);
        for (i, j, armature) in drive::armatures(model) {
            out[i] += self.velocity[j].scale(armature);
        }
    }
}

/// The Taylor coefficients of the torques, `nv` jets: as
/// [`inverse_dynamics_series_into`](super::inverse_dynamics_series_into), by derivative tables.
///
/// `derivatives` are w, ẇ, ẅ, …; K + 1 of them are used, and what is not given is zero.
///
/// # Reference
/// MK (1), (28), (38).
pub fn inverse_dynamics_tables_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    scratch: &mut TableScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    let tree = model.body_tree();
    scratch.positions.set(tree, q);
    scratch.set_motion(tree, derivatives);
    if tree.only_rotations {
        scratch.run_outward::<true>(tree);
    } else {
        scratch.set_travels(tree);
        scratch.run_outward::<false>(tree);
    }
    for load in wrenches {
        let carrier = &tree.carriers[load.link];
        if let Some(b) = carrier.body {
            let wrench = carrier.pose.lift().coadjoint(wrench_series(load).wrench);
            scratch.bodies[b].force -= wrench.force;
            scratch.bodies[b].moment -= wrench.moment;
        }
    }
    match &tree.coupling {
        None if tree.only_rotations => scratch.run_inward::<true>(tree, out),
        None => scratch.run_inward::<false>(tree, out),
        Some(map) => {
            let mut tau = std::mem::take(&mut scratch.tau);
            scratch.run_inward::<false>(tree, &mut tau);
            coupling::gather_vector(map, &tau, out);
            scratch.tau = tau;
        }
    }
    if tree.has_motors {
        scratch.add_drives(model, q, derivatives, out);
    }
}

/// τ, τ̇, …, τ^{(K−1)} by derivative tables; see [`inverse_dynamics_tables_into`].
#[must_use]
pub fn inverse_dynamics_tables<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
) -> [Vec<S>; K] {
    let mut out = vec![Jet::<S, K>::fixed(S::zero()); model.nv()];
    inverse_dynamics_tables_into(model, q, derivatives, wrenches, &mut TableScratch::new(model), &mut out);
    from_fn(|r| out.iter().map(|jet| jet.derivative(r)).collect())
}
