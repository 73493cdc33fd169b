//! B, h and g to first order in the deflections: the paper's model, for any n and m.
//!
//! With c, s the cosine and sine of T_ab and S(δ) = Σ δ_k S_k each pair of links gives
//!
//! B ∋ c C + s S(δ),
//! h ∋ Ṫ (−s C q̇ + c S(δ) q̇) + s S(δ̇) q̇ − ½ [t in (a, b]] (−s q̇ᵀC q̇ + c q̇ᵀS(δ) q̇) − ½ [deflection k] s q̇ᵀS_k q̇,
//!
//! which is DS (26) for this B without differences of large numbers.
//!
//! # Reference
//! DS (26), (32), (34), for any n and m.

use super::arm::FlexibleArm;
use super::terms::Terms;
use jourdain_symbolic::{Constant, Scalar};

/// Scratch of the pass.
#[derive(Clone, Debug)]
pub(super) struct Memory<S> {
    angles: Vec<S>,
    sines: Vec<S>,
    cosines: Vec<S>,
    /// C q̇, S(δ) q̇, S(δ̇) q̇
    products: [Vec<S>; 3],
    /// ½ q̇ᵀ S_k q̇
    quadratic: Vec<S>,
}

impl<S: Scalar> Memory<S> {
    pub fn new<T: Constant>(arm: &FlexibleArm<T>) -> Self {
        let (n, size) = (arm.joints(), arm.size());
        let angles = n.max(arm.tables().pairs.len());
        let zeros = |length: usize| vec![S::zero(); length];
        Self {
            angles: zeros(angles),
            sines: zeros(angles),
            cosines: zeros(angles),
            products: [zeros(size), zeros(size), zeros(size)],
            quadratic: zeros(size),
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
    let (tables, size) = (arm.tables(), arm.size());
    let Memory { angles, sines, cosines, products: [cq, sq, dq], quadratic } = memory;
    let Terms { inertia, velocity, gravity } = out;
    let b = &mut inertia.as_mut_slice()[..size * size];
    let (q, qd, h) = (&q[..size], &qd[..size], &mut velocity[..size]);
    let half = S::from_f64(0.5);

    b.fill(S::zero());
    h.fill(S::zero());
    for entry in &tables.constant {
        b[entry.row * size + entry.column] = S::constant(entry.value);
    }
    for (angle, pair) in angles.iter_mut().zip(&tables.pairs) {
        *angle = sum(&q[pair.inner + 1..=pair.outer]);
    }
    let count = tables.pairs.len();
    S::sin_cos_slice(&angles[..count], &mut sines[..count], &mut cosines[..count]);

    for (place, pair) in tables.pairs.iter().enumerate() {
        let (sin, cos) = (sines[place], cosines[place]);
        for vector in [&mut *cq, &mut *sq, &mut *dq, &mut *quadratic] {
            vector.fill(S::zero());
        }
        let (cq, sq, dq, quadratic) = (&mut cq[..size], &mut sq[..size], &mut dq[..size], &mut quadratic[..size]);
        for entry in &pair.cosine {
            let (i, j) = (entry.row, entry.column);
            b[i * size + j] = cos.scale_add(entry.value, b[i * size + j]);
            cq[i] = qd[j].scale_add(entry.value, cq[i]);
            if i != j {
                cq[j] = qd[i].scale_add(entry.value, cq[j]);
            }
        }
        for entry in &pair.sine {
            let (i, j) = (entry.row, entry.column);
            let both = qd[i] * qd[j];
            let both = if i == j { both * half } else { both };
            let (mut s, mut s_dot) = (S::zero(), S::zero());
            for &(k, value) in &pair.sine_terms[entry.terms.clone()] {
                s = q[k].scale_add(value, s);
                s_dot = qd[k].scale_add(value, s_dot);
                quadratic[k] = both.scale_add(value, quadratic[k]);
            }
            b[i * size + j] = sin.mul_add(s, b[i * size + j]);
            sq[i] = s.mul_add(qd[j], sq[i]);
            dq[i] = s_dot.mul_add(qd[j], dq[i]);
            if i != j {
                sq[j] = s.mul_add(qd[i], sq[j]);
                dq[j] = s_dot.mul_add(qd[i], dq[j]);
            }
        }
        let rate = sum(&qd[pair.inner + 1..=pair.outer]);
        let mut centrifugal = S::zero();
        for i in 0..size {
            let turned = cos * sq[i] - sin * cq[i];
            centrifugal = turned.mul_add(qd[i], centrifugal);
            h[i] = rate.mul_add(turned, sin.mul_add(dq[i] - quadratic[i], h[i]));
        }
        for t in pair.inner + 1..=pair.outer {
            h[t] -= centrifugal * half;
        }
    }
    for i in 0..size {
        for j in 0..i {
            b[i * size + j] = b[j * size + i];
        }
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
