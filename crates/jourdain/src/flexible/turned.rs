//! B, h and g of links that keep their length and turn what they carry by the slope of their end.
//!
//! The frame of link i is turned by α_i, linear in q: θ₁ + … + θ_i and the end slopes ψ = φ'ᵀδ of the links before. Each coordinate
//! then moves what lies beyond it as one body: θ_t turns it about joint t; δ_tk bends link t, shifts what lies beyond by the
//! column of its end and turns it by φ'_k. So with mass, first and second moment of all that lies beyond, an entry of B is the
//! momentum of one such motion seen by another, and h follows from accelerations outwards and forces inwards: composite bodies
//! in the plane, with [`Bent`] for the link itself. No pair of links is looked at twice, so that formulas stay short.
//!
//! All vectors are in the frame of the first link, whose angle B and h do not depend on; gravity is turned into it.
//!
//! Trap: shortening without turning the ends exactly, or turning without shortening, is half of the second order.

use super::arm::FlexibleArm;
use super::bent::{Bent, weighted};
use super::plane::Planar;
use super::terms::Terms;
use jourdain_symbolic::{Constant, Scalar};

/// All that lies beyond a joint, seen from it.
#[derive(Clone, Copy, Debug)]
struct Beyond<S> {
    /// ∫ (p − r)
    moment: Planar<S>,
    /// ∫ |p − r|², and the inertia of hubs and payload that turn
    inertia: S,
}

/// Momentum of a motion, or a force: linear, and angular about a joint.
#[derive(Clone, Copy, Debug)]
struct Wrench<S> {
    linear: Planar<S>,
    angular: S,
}

impl<S: Scalar> Wrench<S> {
    /// About the joint that `arm` leads back to.
    fn moved(self, arm: Planar<S>) -> Self {
        Self { linear: self.linear, angular: self.angular + arm.cross(self.linear) }
    }
}

/// Scratch of the pass.
#[derive(Clone, Debug)]
pub(super) struct Memory<S> {
    bent: Vec<Bent<S>>,
    /// Frames of the links, and their rates of turning.
    frames: Vec<Planar<S>>,
    rates: Vec<S>,
    /// The ends of the links from their joints, and the columns of them.
    ends: Vec<Planar<S>>,
    columns: Vec<Planar<S>>,
    /// Accelerations of the joints.
    joints: Vec<Planar<S>>,
    beyond: Vec<Beyond<S>>,
}

impl<S: Scalar> Memory<S> {
    pub fn new<T: Constant>(arm: &FlexibleArm<T>) -> Self {
        let (n, zero) = (arm.joints(), Planar::zero());
        Self {
            bent: arm.links().iter().map(Bent::new).collect(),
            frames: vec![zero; n],
            rates: vec![S::zero(); n],
            ends: vec![zero; n],
            columns: vec![zero; arm.size() - n],
            joints: vec![zero; n],
            beyond: vec![Beyond { moment: zero, inertia: S::zero() }; n + 1],
        }
    }

    /// Bends the links, turns their frames and gathers what lies beyond each joint.
    fn place(&mut self, arm: &FlexibleArm<S::Constant>, q: &[S], qd: &[S]) {
        let (n, tables) = (arm.joints(), arm.tables());
        let (mut angle, mut rate, mut acceleration) = (S::zero(), S::zero(), Planar::zero());
        for (i, link) in arm.links().iter().enumerate() {
            let range = arm.deflections(i);
            let (x, y) = (&q[range.clone()], &qd[range.clone()]);
            let bent = &mut self.bent[i];
            bent.set(link, arm.kinematics(), x, y);
            // The first link's own frame is where all is seen from.
            let frame = if i == 0 {
                Planar::new(S::one(), S::zero())
            } else {
                angle += q[i];
                Planar::turn(angle)
            };
            rate += qd[i];
            let end = &bent.end;
            self.frames[i] = frame;
            self.rates[i] = rate;
            self.joints[i] = acceleration;
            self.ends[i] = frame * end.value;
            for (column, &own) in self.columns[range.start - n..range.end - n].iter_mut().zip(&end.columns) {
                *column = frame * own;
            }
            acceleration = acceleration + frame * turning(end.value, end.rate, end.second, rate);
            angle += weighted(&link.tip_slope, x);
            rate += weighted(&link.tip_slope, y);
        }
        self.beyond[n] = Beyond { moment: Planar::zero(), inertia: S::constant(arm.payload().inertia) };
        for (i, link) in arm.links().iter().enumerate().rev() {
            let (outer, end, mass) = (self.beyond[i + 1], self.ends[i], tables.masses[i]);
            let shared = outer.moment + outer.moment + end.scale(mass);
            self.beyond[i] = Beyond {
                moment: self.frames[i] * self.bent[i].moment.value + outer.moment + end.scale(mass),
                inertia: self.bent[i].inertia + S::constant(link.hub_inertia) + outer.inertia + end.dot(shared),
            };
        }
    }
}

/// The acceleration of a place in a frame that turns at a steady rate, in that frame.
fn turning<S: Scalar>(value: Planar<S>, rate: Planar<S>, second: Planar<S>, turn: S) -> Planar<S> {
    second + (rate + rate).left().times(turn) - value.times(turn * turn)
}

pub(super) fn terms_into<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    q: &[S],
    qd: &[S],
    memory: &mut Memory<S>,
    out: &mut Terms<S>,
) {
    memory.place(arm, q, qd);
    out.gravity.fill(S::zero());
    let pull = arm.has_gravity().then(|| pull(arm, q[0]));
    for t in 0..arm.joints() {
        let whole = memory.beyond[t];
        let turned = Wrench { linear: whole.moment.left(), angular: whole.inertia };
        add_column(arm, memory, t, t, turned, pull, out);
        for (k, c) in arm.deflections(t).enumerate() {
            add_bending(arm, memory, t, [k, c], pull, out);
        }
    }
    add_forces(arm, memory, out);
    let size = arm.size();
    let b = out.inertia.as_mut_slice();
    for row in 0..size {
        for column in 0..row {
            b[row * size + column] = b[column * size + row];
        }
    }
}

/// Gravity in the frame of the first link.
fn pull<S: Scalar>(arm: &FlexibleArm<S::Constant>, first: S) -> Planar<S> {
    let [gx, gy] = arm.gravity();
    let (sin, cos) = first.sin_cos();
    Planar::new(cos.scale(gx) + sin.scale(gy), cos.scale(gy) - sin.scale(gx))
}

/// The entries of B between column c, whose motion has this momentum about joint t, and all coordinates of links before t;
/// the joint t itself sees the angular momentum.
fn add_column<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    memory: &Memory<S>,
    t: usize,
    c: usize,
    momentum: Wrench<S>,
    pull: Option<Planar<S>>,
    out: &mut Terms<S>,
) {
    let n = arm.joints();
    // Joints stand before all deflections, and inner deflections before outer ones.
    out.inertia[(t.min(c), t.max(c))] = momentum.angular;
    if let Some(pull) = pull {
        out.gravity[c] = -momentum.linear.dot(pull);
    }
    let mut seen = momentum;
    for s in (0..t).rev() {
        for (place, &slope) in arm.deflections(s).zip(&arm.links()[s].tip_slope) {
            let value = seen.angular.scale_add(slope, memory.columns[place - n].dot(seen.linear));
            out.inertia[(place.min(c), place.max(c))] = value;
        }
        seen = seen.moved(memory.ends[s]);
        out.inertia[(s.min(c), s.max(c))] = seen.angular;
    }
}

/// Mode k of link t, coordinate c: its own link, and what it shifts and turns.
fn add_bending<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    memory: &Memory<S>,
    t: usize,
    [k, c]: [usize; 2],
    pull: Option<Planar<S>>,
    out: &mut Terms<S>,
) {
    let (n, link, bent) = (arm.joints(), &arm.links()[t], &memory.bent[t]);
    let (m, range) = (link.mode_count(), arm.deflections(t));
    let (outer, mass, shift) = (memory.beyond[t + 1], arm.tables().masses[t], memory.columns[c - n]);
    let slope = link.tip_slope[k];
    let carried = Wrench {
        linear: shift.scale(mass) + outer.moment.left().scale(slope),
        angular: outer.inertia.scale_add(slope, outer.moment.cross(shift)),
    };
    for (j, place) in range.enumerate().skip(k) {
        let beyond = carried.angular.scale_add(link.tip_slope[j], memory.columns[place - n].dot(carried.linear));
        out.inertia[(c, place)] = bent.mass[k * m + j] + beyond;
    }
    let seen = carried.moved(memory.ends[t]);
    let own = memory.frames[t] * bent.moment.columns[k];
    let momentum = Wrench { linear: own + seen.linear, angular: bent.swing[k] + seen.angular };
    add_column(arm, memory, t, c, momentum, pull, out);
}

/// h: inertia forces at q̈ = 0, gathered from the tip inwards.
fn add_forces<S: Scalar>(arm: &FlexibleArm<S::Constant>, memory: &Memory<S>, out: &mut Terms<S>) {
    let (n, two) = (arm.joints(), S::from_f64(2.0));
    let last = memory.joints_end(arm);
    let mut beyond = Wrench { linear: last.scale(arm.payload().mass), angular: S::zero() };
    for (t, link) in arm.links().iter().enumerate().rev() {
        let (bent, frame, rate, joint) = (&memory.bent[t], memory.frames[t], memory.rates[t], memory.joints[t]);
        for ((k, c), &slope) in arm.deflections(t).enumerate().zip(&link.tip_slope) {
            let own = bent.push[k] - (bent.drag[k] * two).mul_add(rate, bent.stretch[k] * rate * rate);
            let carried = beyond.angular.scale_add(slope, memory.columns[c - n].dot(beyond.linear));
            out.velocity[c] = own + (frame * bent.moment.columns[k]).dot(joint) + carried;
        }
        let place = &bent.moment;
        let own = Wrench {
            linear: joint.scale(link.mass + link.hub_mass)
                + frame * turning(place.value, place.rate, place.second, rate),
            angular: (frame * place.value).cross(joint) + (bent.inertia_rate * two).mul_add(rate, bent.twist),
        };
        let seen = beyond.moved(memory.ends[t]);
        beyond = Wrench { linear: own.linear + seen.linear, angular: own.angular + seen.angular };
        out.velocity[t] = beyond.angular;
    }
}

impl<S: Scalar> Memory<S> {
    /// The acceleration of the tip.
    fn joints_end(&self, arm: &FlexibleArm<S::Constant>) -> Planar<S> {
        let last = arm.joints() - 1;
        let end = &self.bent[last].end;
        self.joints[last] + self.frames[last] * turning(end.value, end.rate, end.second, self.rates[last])
    }
}

fn at_rest<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> Memory<S> {
    let mut memory = Memory::new(arm);
    memory.place(arm, q, &vec![S::zero(); arm.size()]);
    memory
}

/// The potential energy of weight.
pub(super) fn weight_energy<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> S {
    -at_rest(arm, q).beyond[0].moment.dot(pull(arm, q[0]))
}

/// The position of the tip and its columns.
pub(super) fn tip<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> (Planar<S>, Vec<Planar<S>>) {
    let (n, memory, first) = (arm.joints(), at_rest(arm, q), Planar::turn(q[0]));
    let mut columns = vec![Planar::zero(); arm.size()];
    // From the joint at hand to the tip.
    let mut reach = Planar::zero();
    for t in (0..n).rev() {
        for (c, &slope) in arm.deflections(t).zip(&arm.links()[t].tip_slope) {
            columns[c] = first * (memory.columns[c - n] + reach.left().scale(slope));
        }
        reach = reach + memory.ends[t];
        columns[t] = (first * reach).left();
    }
    (first * reach, columns)
}
