//! B, h and g to first order in the deflections: the paper's model, for any n and m.
//!
//! A pair of links a < b gives, with c, s the cosine and sine of T_ab, u and v = V(δ) the columns of the end of a and p and w = W(δ)
//! those of all that b carries (see [`tables`](super::tables)),
//!
//! B ∋ u (c p + s w)ᵀ − s v pᵀ + transposed,
//! h ∋ Ṫ (−s C q̇ + c S(δ) q̇) + s S(δ̇) q̇ − ½ [t in (a, b]] (−s q̇ᵀC q̇ + c q̇ᵀS(δ) q̇) − ½ [deflection k] s q̇ᵀS_k q̇,
//!
//! which is DS (26) for this B without differences of large numbers. C and S are products of two vectors each, so that a pair costs a
//! few numbers in h, and B is gathered link by link. With ψ_s the end slope of link s, Ψ_a = Σ_{s<a} ψ_s, Θ̇_a the rate of the joints up to
//! a, ω_a = Θ̇_a + Ψ̇_a and λ the deflection across link a, Ψ_a along + acrossᵀδ_a,
//!
//! V on joints −λ, on deflections of link s before a −φ' (λ − along ψ_s), on those of a −across Ψ_a;
//! V(δ̇) − ∂(V(δ)·q̇)/∂δ is Θ̇_a u on deflections, and −λ̇ on joints.
//!
//! # Reference
//! DS (26), (32), (34), for any n and m.

use super::arm::FlexibleArm;
use super::terms::Terms;
use jourdain_symbolic::{Constant, Scalar};

/// The columns of one link, of its end or of all that it carries.
#[derive(Clone, Debug)]
struct Side<S> {
    /// λ and λ̇
    lateral: [S; 2],
    /// u·q̇, V(δ)·q̇ and V(δ̇)·q̇
    along: [S; 3],
    /// V(δ), one number per coordinate.
    first: Vec<S>,
    /// What h has of u, of V(δ) and of V(δ̇) − ∂(V(δ)·q̇)/∂δ.
    share: [S; 3],
}

/// The turning of the links before one.
#[derive(Clone, Copy, Debug)]
struct Turn<S> {
    /// ψ and ψ̇ of the link itself.
    own: [S; 2],
    /// Ψ and Ψ̇
    before: [S; 2],
    /// Θ̇
    joints: S,
    /// Σ ψψ̇ and Σ ψ̇² of the links before.
    squares: [S; 2],
}

/// Scratch of the pass.
#[derive(Clone, Debug)]
pub(super) struct Memory<S> {
    angles: Vec<S>,
    sines: Vec<S>,
    cosines: Vec<S>,
    turns: Vec<Turn<S>>,
    ends: Vec<Side<S>>,
    carried: Vec<Side<S>>,
    /// Σ_b (c p + s w) and Σ_b s p
    gathered: [Vec<S>; 2],
}

impl<S: Scalar> Memory<S> {
    pub fn new<T: Constant>(arm: &FlexibleArm<T>) -> Self {
        let (n, size) = (arm.joints(), arm.size());
        let angles = n.max(arm.tables().pairs.len());
        let zeros = |length: usize| vec![S::zero(); length];
        let zero = S::zero();
        let side = Side { lateral: [zero; 2], along: [zero; 3], first: zeros(size), share: [zero; 3] };
        Self {
            angles: zeros(angles),
            sines: zeros(angles),
            cosines: zeros(angles),
            turns: vec![Turn { own: [zero; 2], before: [zero; 2], joints: zero, squares: [zero; 2] }; n],
            ends: vec![side.clone(); n],
            carried: vec![side; n],
            gathered: [zeros(size), zeros(size)],
        }
    }

    /// Turns the links and fills their columns.
    fn place(&mut self, arm: &FlexibleArm<S::Constant>, q: &[S], qd: &[S]) {
        let zero = S::zero();
        let mut turn = Turn { own: [zero; 2], before: [zero; 2], joints: zero, squares: [zero; 2] };
        for (a, link) in arm.links().iter().enumerate() {
            let range = arm.deflections(a);
            turn.before = [turn.before[0] + turn.own[0], turn.before[1] + turn.own[1]];
            let [slope, rate] = turn.own;
            turn.squares = [slope.mul_add(rate, turn.squares[0]), rate.mul_add(rate, turn.squares[1])];
            turn.own = [q, qd].map(|x| weighted(&link.tip_slope, &x[range.clone()]));
            turn.joints += qd[a];
            self.turns[a] = turn;
        }
        for a in 0..arm.joints() {
            let tables = arm.tables();
            self.ends[a].set(arm, a, &tables.ends[a], &self.turns, q, qd);
            self.carried[a].set(arm, a, &tables.carried[a], &self.turns, q, qd);
        }
    }
}

fn weighted<S: Scalar>(weights: &[S::Constant], values: &[S]) -> S {
    weights.iter().zip(values).fold(S::zero(), |sum, (&weight, &x)| x.scale_add(weight, sum))
}

impl<S: Scalar> Side<S> {
    /// The columns of link a, where `u` are those of the straight arm.
    fn set(
        &mut self,
        arm: &FlexibleArm<S::Constant>,
        a: usize,
        u: &[S::Constant],
        turns: &[Turn<S>],
        q: &[S],
        qd: &[S],
    ) {
        let (own, length) = (arm.deflections(a), u[a]);
        let Turn { before: [slope, slope_rate], joints, squares, .. } = turns[a];
        let [across, rate] = [q, qd].map(|x| weighted(&u[own.clone()], &x[own.clone()]));
        self.lateral = [slope.scale_add(length, across), slope_rate.scale_add(length, rate)];
        let turning = joints + slope_rate;
        let [lateral, lateral_rate] = self.lateral;
        self.along = [
            turning.scale_add(length, rate),
            squares[0].scale(length) - lateral.mul_add(turning, slope * rate),
            squares[1].scale(length) - lateral_rate.mul_add(turning, slope_rate * rate),
        ];
        self.share = [S::zero(); 3];
        self.first[..=a].fill(-lateral);
        for (s, link) in arm.links()[..a].iter().enumerate() {
            let others = turns[s].own[0].scale(length) - lateral;
            for (c, &tip_slope) in arm.deflections(s).zip(&link.tip_slope) {
                self.first[c] = others.scale(tip_slope);
            }
        }
        for c in own {
            self.first[c] = -slope.scale(u[c]);
        }
    }

    /// Adds its share of h.
    fn add_forces(&self, arm: &FlexibleArm<S::Constant>, a: usize, u: &[S::Constant], joints: S, h: &mut [S]) {
        let [of_u, of_first, of_rate] = self.share;
        let joint = of_u.scale(u[a]) - self.lateral[0].mul_add(of_first, self.lateral[1] * of_rate);
        h[..=a].iter_mut().for_each(|h| *h += joint);
        let straight = joints.mul_add(of_rate, of_u);
        for c in arm.joints()..arm.deflections(a).end {
            h[c] = of_first.mul_add(self.first[c], straight.scale_add(u[c], h[c]));
        }
    }
}

pub(super) fn terms_into<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    q: &[S],
    qd: &[S],
    memory: &mut Memory<S>,
    out: &mut Terms<S>,
) {
    let (tables, n, size) = (arm.tables(), arm.joints(), arm.size());
    memory.place(arm, q, qd);
    let Memory { angles, sines, cosines, turns, ends, carried, gathered: [turned, crossed] } = memory;
    let Terms { inertia, velocity, gravity } = out;
    let b = &mut inertia.as_mut_slice()[..size * size];
    let (q, qd, h) = (&q[..size], &qd[..size], &mut velocity[..size]);

    b.fill(S::zero());
    h.fill(S::zero());
    for (angle, pair) in angles.iter_mut().zip(&tables.pairs) {
        *angle = sum(&q[pair.inner + 1..=pair.outer]);
    }
    let count = tables.pairs.len();
    S::sin_cos_slice(&angles[..count], &mut sines[..count], &mut cosines[..count]);

    let mut place = 0;
    for a in 0..n {
        turned.fill(S::zero());
        crossed.fill(S::zero());
        for other in a + 1..n {
            let (sin, cos) = (sines[place], cosines[place]);
            place += 1;
            let p = &tables.carried[other];
            let first = &carried[other].first;
            for c in (0..=other).chain(n..arm.deflections(other).end) {
                turned[c] = sin.mul_add(first[c], cos.scale_add(p[c], turned[c]));
                crossed[c] = sin.scale_add(p[c], crossed[c]);
            }
            let rate = sum(&qd[a + 1..=other]);
            let ([u, v, v_rate], [p, w, w_rate]) = (ends[a].along, carried[other].along);
            // −½ of the quadratic form that T turns.
            let swing = cos.mul_add(u * w - v * p, -(sin * u * p));
            h[a + 1..=other].iter_mut().for_each(|h| *h -= swing);
            let (sine, cosine) = (sin * rate, cos * rate);
            let inner = &mut ends[a].share;
            inner[0] += cosine * w - sine * p + sin * w_rate;
            inner[1] -= cosine * p;
            inner[2] -= sin * p;
            let outer = &mut carried[other].share;
            outer[0] -= sine * u + cosine * v + sin * v_rate;
            outer[1] += cosine * u;
            outer[2] += sin * u;
        }
        let (u, v) = (&tables.ends[a], &ends[a].first);
        for row in (0..=a).chain(n..arm.deflections(a).end).filter(|_| a + 1 < n) {
            let b = &mut b[row * size..(row + 1) * size];
            for (b, (&turned, &crossed)) in b.iter_mut().zip(turned.iter().zip(crossed.iter())) {
                *b += turned.scale(u[row]) - v[row] * crossed;
            }
        }
    }
    for a in 0..n {
        ends[a].add_forces(arm, a, &tables.ends[a], turns[a].joints, h);
        carried[a].add_forces(arm, a, &tables.carried[a], turns[a].joints, h);
    }
    // What stands so far is one half.
    for i in 0..size {
        for j in 0..=i {
            let both = b[i * size + j] + b[j * size + i];
            b[i * size + j] = both;
            b[j * size + i] = both;
        }
    }
    for entry in &tables.constant {
        let (i, j) = (entry.row, entry.column);
        b[i * size + j] += S::constant(entry.value);
        b[j * size + i] = b[i * size + j];
    }
    gravity.fill(S::zero());
    if arm.has_gravity() {
        add_gravity(arm, q, angles, sines, cosines, gravity);
    }
}

/// The derivative of the weight's potential energy, positions to first order.
fn add_gravity<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    q: &[S],
    angles: &mut [S],
    sines: &mut [S],
    cosines: &mut [S],
    out: &mut [S],
) {
    let ([gx, gy], n, tables) = (arm.gravity(), arm.joints(), arm.tables());
    let mut total = S::zero();
    for (angle, &joint) in angles.iter_mut().zip(&q[..n]) {
        total += joint;
        *angle = total;
    }
    S::sin_cos_slice(&angles[..n], &mut sines[..n], &mut cosines[..n]);
    for a in 0..n {
        // Gravity along and across link a.
        let along = cosines[a].scale(gx) + sines[a].scale(gy);
        let across = cosines[a].scale(gy) - sines[a].scale(gx);
        let mut moment = across.scale(tables.moments[a]);
        for &(k, value) in &tables.cross_moments[a] {
            moment -= along * q[k].scale(value);
            out[k] -= across.scale(value);
        }
        for out in &mut out[..=a] {
            *out -= moment;
        }
    }
}

/// The potential energy of weight, positions to first order.
pub(super) fn weight_energy<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> S {
    let ([gx, gy], tables) = (arm.gravity(), arm.tables());
    let (mut energy, mut angle) = (S::zero(), S::zero());
    for a in 0..arm.joints() {
        angle += q[a];
        let (sin, cos) = angle.sin_cos();
        let lateral = tables.cross_moments[a].iter().fold(S::zero(), |sum, &(k, value)| q[k].scale_add(value, sum));
        let along = cos.scale(gx) + sin.scale(gy);
        let across = cos.scale(gy) - sin.scale(gx);
        energy -= along.scale(tables.moments[a]) + across * lateral;
    }
    energy
}

fn sum<S: Scalar>(values: &[S]) -> S {
    match values {
        [] => S::zero(),
        [first, rest @ ..] => rest.iter().fold(*first, |sum, &x| sum + x),
    }
}
