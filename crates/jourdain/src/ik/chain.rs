//! The way from the ground to the task's link as a row of elementary motions, and its instantaneous geometry.
//!
//! Constant poses between two motions are multiplied once, and every axis is turned into z, so that a configuration costs
//! one rotation product per joint. A column is the twist (v, ω) of the task's point under one velocity number, in world
//! axes; with columns counted outwards all second and third derivatives of the point follow from them:
//! ∂_i∂_j p = ω_i × v_j and ∂_i∂_j∂_k p = ω_i × (ω_j × v_k) for i ≤ j ≤ k; ∂_i ω_j = ω_i × ω_j for i ≤ j, else zero.
//!
//! Trap: velocity numbers of one spherical or free joint move along T·exp(ε ê) and are all "inboard" of each other;
//! second derivatives are symmetrised there.

use crate::model::{Model, Motion, Screw};
use crate::spatial::{Pose, Quaternion, Rotation, Vector};

/// What a step does along or about its own z axis.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Rotation with travel `pitch` per radian.
    Turn { pitch: f64 },
    /// Translation.
    Slide,
    /// Rotation by a quaternion.
    Ball,
    /// Position and quaternion.
    Free,
}

/// One motion of the chain behind a constant pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub before: Pose<f64>,
    pub step: Step,
    /// First number in `q`.
    q: usize,
    /// Position = multiplier · q + offset.
    pub multiplier: f64,
    pub offset: f64,
    pub column: usize,
}

/// One velocity number on the chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainColumn {
    /// The solver's variable that drives it.
    pub variable: usize,
    /// Its speed per unit of the variable.
    pub factor: f64,
    /// Columns of one spherical or free joint share a number; `None` for all others.
    pub group: Option<usize>,
}

/// A joint number that the solver may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variable {
    /// The link whose joint it belongs to.
    pub link: usize,
    /// Index in the velocity.
    pub velocity: usize,
    /// Index in `q`, unless the joint has a quaternion.
    pub position: Option<usize>,
    /// An angle that comes back to the same pose after a turn.
    pub turns: bool,
    /// Lowest and highest position; infinite where there is no limit.
    pub limits: [f64; 2],
}

/// A link of the chain, and where it sits on its last motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainLink {
    /// Motions inboard of it.
    pub elements: usize,
    /// Columns inboard of it.
    pub columns: usize,
    /// The link frame behind the last of these motions.
    pub offset: Pose<f64>,
}

/// The motions between the ground and a point of a link.
#[derive(Clone, Debug)]
pub struct Chain {
    elements: Vec<Element>,
    tail: Pose<f64>,
    pub(crate) columns: Vec<ChainColumn>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) links: Vec<ChainLink>,
    /// First variable, joint's link, for every quaternion joint.
    quaternions: Vec<(usize, usize)>,
    pub(crate) simple: bool,
}

/// Where the chain is and how its tip moves; all memory that evaluating it needs.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// World pose behind each motion, the ground first.
    pub(crate) frames: Vec<Pose<f64>>,
    /// Per column: angular velocity of the tip, world axes.
    pub(crate) angular: Vec<Vector<f64>>,
    /// Per column: velocity of the tip, world axes.
    pub(crate) linear: Vec<Vector<f64>>,
    /// The task's point with the link's axes, in the world.
    pub(crate) tip: Pose<f64>,
}

impl Geometry {
    pub(crate) fn new(chain: &Chain) -> Self {
        Self {
            frames: vec![Pose::identity(); chain.elements.len() + 1],
            angular: vec![Vector::zero(); chain.columns.len()],
            linear: vec![Vector::zero(); chain.columns.len()],
            tip: Pose::identity(),
        }
    }

    /// The pose of the task's frame in the world.
    #[must_use]
    pub fn tip(&self) -> &Pose<f64> {
        &self.tip
    }
}

impl Chain {
    /// The chain of a link, its tip at a point given in the link frame.
    #[must_use]
    pub fn new(model: &Model<f64>, link: usize, point: Vector<f64>) -> Self {
        let mut path: Vec<usize> = model.chain(link).collect();
        path.reverse();
        let mut chain = Self {
            elements: Vec::new(),
            tail: Pose::identity(),
            columns: Vec::new(),
            variables: Vec::new(),
            links: Vec::new(),
            quaternions: Vec::new(),
            simple: true,
        };
        let mut constant = Pose::identity();
        for l in path {
            let at = &model.links()[l];
            constant = constant * at.placement;
            let (owner, q, multiplier, offset) = match &at.mimic {
                Some(mimic) => (mimic.leader, mimic.q, mimic.multiplier, mimic.offset),
                None => (l, at.q, 1.0, 0.0),
            };
            match &at.joint.motion {
                Motion::Product(screws) => {
                    for (i, screw) in screws.iter().enumerate() {
                        let (into, step) = aligned(screw);
                        let turns = matches!(step, Step::Turn { pitch: 0.0 });
                        let variable = chain.variable(model, owner, i, Some(q + i), turns && at.mimic.is_none());
                        let column = chain.columns.len();
                        chain.columns.push(ChainColumn { variable, factor: multiplier, group: None });
                        let before = constant * into;
                        chain.elements.push(Element { before, step, q: q + i, multiplier, offset, column });
                        constant = into.inverse();
                    }
                }
                Motion::Spherical { center } => {
                    chain.quaternion_joint(model, l, 3);
                    let before = constant * Pose::translation(*center);
                    chain.push_quaternion(before, Step::Ball, q, 3);
                    constant = Pose::translation(-*center);
                }
                Motion::Free => {
                    chain.quaternion_joint(model, l, 6);
                    chain.push_quaternion(constant, Step::Free, q, 6);
                    constant = Pose::identity();
                }
            }
            chain.links.push(ChainLink {
                elements: chain.elements.len(),
                columns: chain.columns.len(),
                offset: constant,
            });
        }
        chain.tail = constant * Pose::translation(point);
        chain.simple = chain.quaternions.is_empty()
            && chain.columns.iter().enumerate().all(|(c, column)| column.variable == c && column.factor == 1.0);
        chain.couple_limits(model);
        chain
    }

    /// The variable of a joint's number, made if it is new.
    fn variable(
        &mut self,
        model: &Model<f64>,
        link: usize,
        local: usize,
        position: Option<usize>,
        turns: bool,
    ) -> usize {
        let velocity = model.links()[link].v + local;
        if let Some(known) = self.variables.iter().position(|variable| variable.velocity == velocity) {
            self.variables[known].turns &= turns;
            return known;
        }
        let one_number = model.links()[link].joint.nq() == 1;
        let limits = model.links()[link].limits.position.filter(|_| one_number);
        let limits = limits.map_or([f64::NEG_INFINITY, f64::INFINITY], |[a, b]| [a.min(b), a.max(b)]);
        self.variables.push(Variable { link, velocity, position, turns, limits });
        self.variables.len() - 1
    }

    fn quaternion_joint(&mut self, model: &Model<f64>, link: usize, count: usize) {
        self.quaternions.push((self.variables.len(), link));
        for i in 0..count {
            self.variable(model, link, i, None, false);
        }
    }

    fn push_quaternion(&mut self, before: Pose<f64>, step: Step, q: usize, count: usize) {
        let (column, group, first) = (self.columns.len(), self.elements.len(), self.variables.len() - count);
        for i in 0..count {
            self.columns.push(ChainColumn { variable: first + i, factor: 1.0, group: Some(group) });
        }
        self.elements.push(Element { before, step, q, multiplier: 1.0, offset: 0.0, column });
    }

    /// Limits of coupled joints, wherever they are, bind their leader.
    fn couple_limits(&mut self, model: &Model<f64>) {
        for link in model.links() {
            let (Some(mimic), Some([a, b])) = (&link.mimic, link.limits.position) else { continue };
            if mimic.multiplier == 0.0 {
                continue;
            }
            let ends = [a, b].map(|x| (x - mimic.offset) / mimic.multiplier);
            if let Some(leader) = self.variables.iter_mut().find(|variable| variable.velocity == mimic.v) {
                leader.limits[0] = leader.limits[0].max(ends[0].min(ends[1]));
                leader.limits[1] = leader.limits[1].min(ends[0].max(ends[1]));
                leader.turns = false;
            }
        }
    }

    /// The joint numbers that move the tip.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Poses and columns at a position.
    pub(crate) fn evaluate(&self, q: &[f64], out: &mut Geometry) {
        let mut frame = Pose::identity();
        out.frames[0] = frame;
        for (k, element) in self.elements.iter().enumerate() {
            frame = frame * element.before;
            let c = element.column;
            match element.step {
                Step::Turn { pitch } => {
                    let x = q[element.q] * element.multiplier + element.offset;
                    let axis = frame.rotation.column(2);
                    (out.angular[c], out.linear[c]) = (axis, axis.times(pitch) - axis.cross(frame.translation));
                    turn_about_z(&mut frame.rotation, x);
                    if pitch != 0.0 {
                        frame.translation += axis.times(pitch * x);
                    }
                }
                Step::Slide => {
                    let x = q[element.q] * element.multiplier + element.offset;
                    let axis = frame.rotation.column(2);
                    (out.angular[c], out.linear[c]) = (Vector::zero(), axis);
                    frame.translation += axis.times(x);
                }
                Step::Ball => {
                    frame.rotation = frame.rotation * attitude(&q[element.q..element.q + 4]);
                    for i in 0..3 {
                        let axis = frame.rotation.column(i);
                        (out.angular[c + i], out.linear[c + i]) = (axis, -axis.cross(frame.translation));
                    }
                }
                Step::Free => {
                    let p = &q[element.q..element.q + 7];
                    frame.translation = frame.apply(Vector([p[0], p[1], p[2]]));
                    frame.rotation = frame.rotation * attitude(&p[3..7]);
                    for i in 0..3 {
                        let axis = frame.rotation.column(i);
                        (out.angular[c + i], out.linear[c + i]) = (Vector::zero(), axis);
                        (out.angular[c + 3 + i], out.linear[c + 3 + i]) = (axis, -axis.cross(frame.translation));
                    }
                }
            }
            out.frames[k + 1] = frame;
        }
        out.tip = frame * self.tail;
        // So far the velocity of the body's point at the world origin; now that of the tip.
        let tip = out.tip.translation;
        for (v, w) in out.linear.iter_mut().zip(&out.angular) {
            *v += w.cross(tip);
        }
    }

    /// Only the tip's pose.
    #[must_use]
    pub fn tip(&self, q: &[f64]) -> Pose<f64> {
        let mut geometry = Geometry::new(self);
        self.evaluate(q, &mut geometry);
        geometry.tip
    }

    pub(crate) fn element_count(&self) -> usize {
        self.elements.len()
    }

    /// About half of the arm's length, m, a power of two: it measures steps and starts, which need no more.
    pub(super) fn scale(&self) -> f64 {
        let offsets = self.elements.iter().skip(1).map(|element| element.before.translation.norm()).sum::<f64>();
        let slides = self.elements.iter().filter(|element| matches!(element.step, Step::Slide)).map(|element| {
            let [low, high] = self.variables[self.columns[element.column].variable].limits;
            if (high - low).is_finite() { (0.5 * (high - low) * element.multiplier).abs() } else { 0.0 }
        });
        let half = 0.5 * (offsets + self.tail.translation.norm() + slides.sum::<f64>());
        // Without any extent there is nothing to go by.
        if half > 1e-6 && half < 1e6 { half.log2().round().exp2() } else { super::LENGTH }
    }

    /// The smallest error of the tip that rounding lets through, m and rad.
    pub(super) fn rounding(&self) -> f64 {
        let lengths = self.elements.iter().map(|element| element.before.translation.norm()).sum::<f64>();
        8.0 * f64::EPSILON * (self.elements.len() + 1) as f64 * (1.0 + lengths + self.tail.translation.norm())
    }

    /// The motions, from the ground outwards.
    pub(super) fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The tip's pose behind the last motion.
    pub(super) fn tail(&self) -> &Pose<f64> {
        &self.tail
    }

    /// The tip behind the last motion.
    pub(crate) fn tail_translation(&self) -> Vector<f64> {
        self.tail.translation
    }

    /// The origin of a link at zero position of its own joint, behind motion `inboard` that carries it. `elements` counts
    /// the motions up to the link, `offset` is its frame behind the last of them.
    pub(crate) fn joint_origin(&self, inboard: usize, elements: usize, offset: &Pose<f64>) -> Vector<f64> {
        let own = self.elements[inboard..elements].iter();
        own.fold(Pose::identity(), |pose, element| pose * element.before).apply(offset.translation)
    }

    /// Moves the position by the variables' displacement.
    pub(crate) fn retract(&self, model: &Model<f64>, q: &mut [f64], delta: &[f64]) {
        for (variable, d) in self.variables.iter().zip(delta) {
            if let Some(position) = variable.position {
                q[position] += d;
            }
        }
        for &(first, link) in &self.quaternions {
            let link = &model.links()[link];
            let count = link.joint.nv();
            link.joint.retract(&mut q[link.q..link.q + link.joint.nq()], &delta[first..first + count]);
        }
    }

    /// First variable and link of every joint with a quaternion.
    pub(crate) fn quaternions(&self) -> &[(usize, usize)] {
        &self.quaternions
    }

    /// Adds Σ λ_v·∂²p + λ_ω·∂²(log R) at zero rotation, of the first `count` columns seen at a point `shift` away from the
    /// tip, to a matrix over the variables.
    pub(crate) fn add_curvature(
        &self,
        geometry: &Geometry,
        count: usize,
        shift: Vector<f64>,
        force: Vector<f64>,
        moment: Vector<f64>,
        out: &mut [f64],
    ) {
        let n = self.variables.len();
        let linear = |c: usize| geometry.linear[c] + geometry.angular[c].cross(shift);
        for j in 0..count {
            let (v, w) = (linear(j), geometry.angular[j]);
            // λ·(ω_i × v_j) = ω_i·(v_j × λ)
            let lever = v.cross(force);
            let half = w.cross(moment).times(0.5);
            for i in 0..=j {
                let shared =
                    i != j && self.columns[i].group.is_some() && self.columns[i].group == self.columns[j].group;
                let value = if shared {
                    let other = linear(i).cross(force);
                    0.5 * (geometry.angular[i].dot(lever) + w.dot(other))
                } else if i == j {
                    geometry.angular[i].dot(lever)
                } else {
                    geometry.angular[i].dot(lever + half)
                };
                let (a, b) = (self.columns[i], self.columns[j]);
                let value = value * a.factor * b.factor;
                out[a.variable * n + b.variable] += value;
                if i != j {
                    out[b.variable * n + a.variable] += value;
                }
            }
        }
    }

    /// The tip's acceleration for constant velocities: Σ ∂²p w w and Σ ∂ω w w.
    pub(crate) fn acceleration(&self, geometry: &Geometry, velocity: &[f64]) -> (Vector<f64>, Vector<f64>) {
        let (mut linear, mut angular, mut before) = (Vector::zero(), Vector::zero(), Vector::zero());
        for (c, column) in self.columns.iter().enumerate() {
            let speed = column.factor * velocity[column.variable];
            let (w, v) = (geometry.angular[c].times(speed), geometry.linear[c].times(speed));
            linear += (before.times(2.0) + w).cross(v);
            angular += before.cross(w);
            before += w;
        }
        (linear, angular)
    }
}

fn attitude(q: &[f64]) -> Rotation<f64> {
    Quaternion::new([q[0], q[1], q[2], q[3]]).to_rotation()
}

/// R ← R · Rot(z, x).
#[inline]
fn turn_about_z(rotation: &mut Rotation<f64>, x: f64) {
    let (sin, cos) = x.sin_cos();
    for row in &mut rotation.0 {
        (row[0], row[1]) = (cos * row[0] + sin * row[1], cos * row[1] - sin * row[0]);
    }
}

/// A pose whose z axis is the screw's, and the motion along it.
fn aligned(screw: &Screw<f64>) -> (Pose<f64>, Step) {
    match *screw {
        Screw::Rotation { axis, point, pitch } => {
            (Pose { rotation: onto_z(axis), translation: point }, Step::Turn { pitch })
        }
        Screw::Translation { axis } => (Pose { rotation: onto_z(axis), translation: Vector::zero() }, Step::Slide),
    }
}

/// A rotation with this unit vector as its third column; exact for coordinate axes.
fn onto_z(axis: Vector<f64>) -> Rotation<f64> {
    let [x, y, z] = axis.0.map(f64::abs);
    // The coordinate axis that is farthest from it.
    let i = if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    };
    let first = Vector::unit(i) - axis.times(axis[i]);
    let first = first.times(1.0 / first.norm());
    let second = axis.cross(first);
    Rotation(std::array::from_fn(|row| [first[row], second[row], axis[row]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinematics::{self, Frame};
    use crate::robots;

    #[test]
    fn poses_and_columns_are_those_of_kinematics() {
        for name in ["panda", "ur5", "stanford", "scara", "floating_humanoid25", "planar3r_chang"] {
            let model = robots::load(name).unwrap();
            let link = model.links().len() - 1;
            let point = Vector([0.1, -0.2, 0.05]);
            let chain = Chain::new(&model, link, point);
            let mut q: Vec<f64> = model.neutral();
            let delta: Vec<f64> = (0..model.nv()).map(|i| 0.3 * (i as f64 + 1.0).sin()).collect();
            model.retract(&mut q, &delta);
            let mut geometry = Geometry::new(&chain);
            chain.evaluate(&q, &mut geometry);
            let expected = kinematics::pose(&model, &q, link);
            assert!((geometry.tip.translation - expected.apply(point)).norm() < 1e-13, "{name}");
            let jacobian = kinematics::jacobian(&model, &q, Frame::world_aligned(link).at(point));
            for (c, column) in chain.columns.iter().enumerate() {
                let dof = chain.variables[column.variable].velocity;
                for row in 0..3 {
                    assert!((geometry.linear[c][row] - jacobian[(row, dof)]).abs() < 1e-13, "{name} {c}");
                    assert!((geometry.angular[c][row] - jacobian[(row + 3, dof)]).abs() < 1e-13, "{name} {c}");
                }
            }
        }
    }

    #[test]
    fn curvature_is_the_symmetric_part_of_the_jacobians_partials() {
        for name in ["iiwa14", "stanford", "floating_humanoid25"] {
            let model = robots::load(name).unwrap();
            let link = model.links().len() - 1;
            let chain = Chain::new(&model, link, Vector::zero());
            let mut q: Vec<f64> = model.neutral();
            let delta: Vec<f64> = (0..model.nv()).map(|i| 0.5 * (2.0 * i as f64 + 1.0).cos()).collect();
            model.retract(&mut q, &delta);
            let mut geometry = Geometry::new(&chain);
            chain.evaluate(&q, &mut geometry);
            let (force, moment) = (Vector([0.3, -1.2, 0.7]), Vector([-0.4, 0.9, 1.1]));
            let n = chain.variables.len();
            let mut out = vec![0.0; n * n];
            chain.add_curvature(&geometry, chain.columns.len(), Vector::zero(), force, moment, &mut out);
            let partials = kinematics::jacobian_partials(&model, &q, Frame::world_aligned(link));
            let nv = model.nv();
            let lambda = [force[0], force[1], force[2], moment[0], moment[1], moment[2]];
            for a in 0..n {
                for b in 0..n {
                    let (i, j) = (chain.variables[a].velocity, chain.variables[b].velocity);
                    let sum = |i: usize, j: usize| -> f64 {
                        (0..6).map(|row| lambda[row] * partials[(row * nv + i) * nv + j]).sum()
                    };
                    let expected = 0.5 * (sum(i, j) + sum(j, i));
                    assert!((out[a * n + b] - expected).abs() < 1e-12, "{name} {a} {b}");
                }
            }
        }
    }
}
