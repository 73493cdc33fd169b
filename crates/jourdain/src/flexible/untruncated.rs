//! B, h and g with nothing dropped: Σ ∫ Jᵀ J dm over all bodies, for frames at the ends of links that are transformed linearly,
//! E = 1 + i y', or turned, E = e^{i y'}.
//!
//! A point of link i is r + W (x + i y(x)) with W = e^{iΘ} Π E; its columns and its acceleration at q̈ = 0 are combinations of
//! 1, x and the mode shapes, whose products integrate to DS (24). As the columns are derivatives of positions, ∫ Jᵀ J̇ q̇ dm is
//! the exact Christoffel vector. B is positive semidefinite at every deflection, which the first-order B is not.
//!
//! Trap: a linear E also stretches, |1 + i y'| > 1, so that keeping all its terms is further from the true arm than the
//! first order is; `rotation` is the better choice for large deflections. Neither has foreshortening: see `turned`.
//!
//! # Reference
//! DS (1)–(11) without the truncation.

use super::arm::{FlexibleArm, Kinematics};
use super::plane::Planar;
use super::terms::Terms;
use jourdain_symbolic::{Constant, Scalar};

/// A quantity with its derivatives by all coordinates, its rate, and its second derivative in time at q̈ = 0.
#[derive(Clone, Debug)]
struct Moving<S> {
    value: Planar<S>,
    columns: Vec<Planar<S>>,
    /// Of the frame; nothing depends on that of the origin.
    rate: Planar<S>,
    second: Planar<S>,
}

impl<S: Scalar> Moving<S> {
    fn new(size: usize) -> Self {
        let zero = Planar::zero();
        Self { value: zero, columns: vec![zero; size], rate: zero, second: zero }
    }

    fn set(&mut self, value: Planar<S>) {
        let zero = Planar::zero();
        (self.value, self.rate, self.second) = (value, zero, zero);
        self.columns.fill(zero);
    }
}

/// Scratch of the pass.
#[derive(Clone, Debug)]
pub(super) struct Memory<S> {
    origin: Moving<S>,
    frame: Moving<S>,
    /// Columns over 1, x, φ₁ … φₘ, one after the other, and the same with masses.
    columns: Vec<Planar<S>>,
    weighted: Vec<Planar<S>>,
}

impl<S: Scalar> Memory<S> {
    pub fn new<T: Constant>(arm: &FlexibleArm<T>) -> Self {
        let size = arm.size();
        let most = arm.links().iter().map(|link| link.mode_count() + 2).max().unwrap_or(0);
        Self {
            origin: Moving::new(size),
            frame: Moving::new(size),
            columns: vec![Planar::zero(); most * size],
            weighted: vec![Planar::zero(); most * size],
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
    let n = arm.joints();
    out.inertia.as_mut_slice().fill(S::zero());
    out.velocity.fill(S::zero());
    out.gravity.fill(S::zero());
    memory.origin.set(Planar::zero());
    memory.frame.set(Planar::new(S::one(), S::zero()));
    for i in 0..n {
        turn_joint(&mut memory.frame, i, q[i], qd[i]);
        add_rotor(arm, i, arm.links()[i].hub_inertia, out);
        add_point(arm, &memory.origin, arm.links()[i].hub_mass, out);
        add_link(arm, i, q, qd, memory, out);
        advance(arm, i, q, qd, &mut memory.origin, &mut memory.frame);
    }
    add_point(arm, &memory.origin, arm.payload().mass, out);
    add_rotor(arm, n, arm.payload().inertia, out);
    let size = arm.size();
    let b = out.inertia.as_mut_slice();
    for row in 0..size {
        for column in 0..row {
            b[row * size + column] = b[column * size + row];
        }
    }
}

/// The position of the tip, its columns and the columns of its angle.
pub(super) fn tip<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> (Planar<S>, Vec<Planar<S>>) {
    let rest = vec![S::zero(); arm.size()];
    let (mut origin, mut frame) = (Moving::new(arm.size()), Moving::new(arm.size()));
    frame.set(Planar::new(S::one(), S::zero()));
    for i in 0..arm.joints() {
        turn_joint(&mut frame, i, q[i], rest[i]);
        advance(arm, i, q, &rest, &mut origin, &mut frame);
    }
    (origin.value, origin.columns)
}

/// The potential energy of weight.
pub(super) fn weight_energy<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> S {
    let rest = vec![S::zero(); arm.size()];
    let (mut origin, mut frame) = (Moving::new(arm.size()), Moving::new(arm.size()));
    frame.set(Planar::new(S::one(), S::zero()));
    let mut moment = Planar::zero();
    for (i, link) in arm.links().iter().enumerate() {
        turn_joint(&mut frame, i, q[i], rest[i]);
        let across = weighted_sum(&link.v, &q[arm.deflections(i)]);
        moment = moment + origin.value.scale(link.hub_mass) + origin.value.scale(link.mass);
        moment = moment + frame.value * Planar::new(S::constant(link.first_moment), across);
        advance(arm, i, q, &rest, &mut origin, &mut frame);
    }
    moment = moment + origin.value.scale(arm.payload().mass);
    let [gx, gy] = arm.gravity();
    -(moment.x.scale(gx) + moment.y.scale(gy))
}

fn weighted_sum<S: Scalar>(weights: &[S::Constant], values: &[S]) -> S {
    weights.iter().zip(values).fold(S::zero(), |sum, (&weight, &x)| x.scale_add(weight, sum))
}

/// W ← W e^{iθ}
fn turn_joint<S: Scalar>(frame: &mut Moving<S>, joint: usize, angle: S, rate: S) {
    let turn = Planar::turn(angle);
    let w = frame.value * turn;
    // (W e^{iθ})¨ = (Ẅ + 2iθ̇ Ẇ − θ̇² W) e^{iθ}
    let second = frame.second + frame.rate.left().times(rate + rate) - frame.value.times(rate * rate);
    frame.second = second * turn;
    frame.rate = frame.rate * turn + w.left().times(rate);
    frame.columns.iter_mut().for_each(|column| *column = *column * turn);
    frame.columns[joint] = w.left();
    frame.value = w;
}

/// To the end of link i: r ← r + W (ℓ + i y), W ← W E.
fn advance<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    i: usize,
    q: &[S],
    qd: &[S],
    origin: &mut Moving<S>,
    frame: &mut Moving<S>,
) {
    let link = &arm.links()[i];
    let range = arm.deflections(i);
    let [y, slope] = [&link.tip, &link.tip_slope].map(|shape| weighted_sum(shape, &q[range.clone()]));
    let [y_rate, slope_rate] = [&link.tip, &link.tip_slope].map(|shape| weighted_sum(shape, &qd[range.clone()]));
    let arm_vector = Planar::new(S::constant(link.length), y);

    let two = S::from_f64(2.0);
    origin.value = origin.value + frame.value * arm_vector;
    origin.second = origin.second + frame.second * arm_vector + frame.rate.left().times(two * y_rate);
    for (column, &turned) in origin.columns.iter_mut().zip(&frame.columns) {
        *column = *column + turned * arm_vector;
    }
    for (c, &tip) in range.clone().zip(&link.tip) {
        origin.columns[c] = origin.columns[c] + frame.value.left().scale(tip);
    }

    // E, E' and E'' by the slope.
    let (e, first, bend) = match arm.kinematics() {
        Kinematics::Rotation => {
            let turn = Planar::turn(slope);
            (turn, turn.left(), Planar::zero() - turn)
        }
        Kinematics::Linear | Kinematics::Paper | Kinematics::Stiffened | Kinematics::Exact => {
            let one = Planar::new(S::one(), slope);
            (one, Planar::new(S::zero(), S::one()), Planar::zero())
        }
    };
    let w = frame.value;
    frame.second =
        frame.second * e + (frame.rate * first).times(two * slope_rate) + (w * bend).times(slope_rate * slope_rate);
    frame.rate = frame.rate * e + (w * first).times(slope_rate);
    frame.columns.iter_mut().for_each(|column| *column = *column * e);
    for (c, &tip_slope) in range.zip(&link.tip_slope) {
        frame.columns[c] = (w * first).scale(tip_slope);
    }
    frame.value = w * e;
}

/// A body that turns with the frame at the beginning of link i; i = n: at the tip.
fn add_rotor<S: Scalar>(arm: &FlexibleArm<S::Constant>, i: usize, inertia: S::Constant, out: &mut Terms<S>) {
    if inertia.is_zero() {
        return;
    }
    let turn = |c: usize| {
        if c < arm.joints() {
            return (c <= i).then_some(<S::Constant as Scalar>::one());
        }
        let link = (0..arm.joints()).find(|&s| arm.deflections(s).contains(&c))?;
        (link < i).then(|| arm.links()[link].tip_slope[c - arm.deflections(link).start])
    };
    for row in 0..arm.size() {
        for column in row..arm.size() {
            if let (Some(a), Some(b)) = (turn(row), turn(column)) {
                out.inertia[(row, column)] += S::constant(inertia * a * b);
            }
        }
    }
}

fn add_point<S: Scalar>(arm: &FlexibleArm<S::Constant>, point: &Moving<S>, mass: S::Constant, out: &mut Terms<S>) {
    if mass.is_zero() {
        return;
    }
    let [gx, gy] = arm.gravity();
    let pull = Planar::new(S::constant(gx), S::constant(gy));
    for (row, &a) in point.columns.iter().enumerate() {
        out.velocity[row] = a.dot(point.second).scale_add(mass, out.velocity[row]);
        out.gravity[row] -= a.dot(pull).scale(mass);
        for (column, &b) in point.columns.iter().enumerate().skip(row) {
            let value = a.dot(b).scale_add(mass, out.inertia[(row, column)]);
            out.inertia[(row, column)] = value;
        }
    }
}

fn add_link<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    i: usize,
    q: &[S],
    qd: &[S],
    memory: &mut Memory<S>,
    out: &mut Terms<S>,
) {
    let link = &arm.links()[i];
    let (m, range, size) = (link.mode_count(), arm.deflections(i), arm.size());
    let width = m + 2;
    let Memory { origin, frame, columns, weighted } = memory;
    // ⟨f, g⟩ of the functions 1, x, φ₁ …, DS (24).
    let gram = |a: usize, b: usize| match (a.min(b), a.max(b)) {
        (0, 0) => link.mass,
        (0, 1) => link.first_moment,
        (1, 1) => link.inertia,
        (0, k) => link.v[k - 2],
        (1, k) => link.w[k - 2],
        (j, k) => link.z[(j - 2) * m + k - 2],
    };
    let weigh = |from: &[Planar<S>], to: &mut [Planar<S>]| {
        for (a, to) in to.iter_mut().enumerate() {
            *to = from.iter().enumerate().fold(Planar::zero(), |sum, (b, &x)| sum + x.scale(gram(a, b)));
        }
    };
    for c in 0..size {
        let column = &mut columns[c * width..(c + 1) * width];
        column[0] = origin.columns[c];
        column[1] = frame.columns[c];
        for k in 0..m {
            column[k + 2] = frame.columns[c].left().times(q[range.start + k]);
        }
        if range.contains(&c) {
            let k = c - range.start + 2;
            column[k] = column[k] + frame.value.left();
        }
        weigh(column, &mut weighted[c * width..(c + 1) * width]);
    }
    let [gx, gy] = arm.gravity();
    let pull = Planar::new(S::constant(gx), S::constant(gy));
    let two = S::from_f64(2.0);
    for row in 0..size {
        let a = &weighted[row * width..(row + 1) * width];
        let mut h = a[0].dot(origin.second) + a[1].dot(frame.second);
        for k in 0..m {
            let c = range.start + k;
            h += a[k + 2].dot(frame.second.left().times(q[c]) + frame.rate.left().times(two * qd[c]));
        }
        out.velocity[row] += h;
        out.gravity[row] -= a[0].dot(pull);
        for column in row..size {
            let b = &columns[column * width..(column + 1) * width];
            let product = a.iter().zip(b).fold(S::zero(), |sum, (a, &b)| sum + a.dot(b));
            out.inertia[(row, column)] += product;
        }
    }
}
