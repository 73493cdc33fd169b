//! Random robots from a seed: all joint types, fixed and free bases, chains and bushes, 1 to 30 links, with welded links,
//! massless intermediate links, coupled joints and motors.
//!
//! Every robot has at least one velocity and a positive definite mass matrix: a massless link has a joint with one number
//! and carries a link with mass, not by a free joint.

use jourdain::State;
use jourdain::model::description::{
    Description, GROUND, InertiaDescription, JointKind, LinkDescription, MimicDescription, MotorDescription,
    Orientation, Placement, ScrewDescription, ScrewKind,
};
use jourdain::model::{Model, Number};
use jourdain::spatial::{Quaternion, Symmetric, Vector, Wrench};
use jourdain::state::LinkWrench;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Splitmix64.
pub struct Random(u64);

impl Random {
    /// Equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.range(0.0, 1.0) < probability
    }

    /// Each number uniform in [−size, size).
    pub fn vector(&mut self, length: usize, size: f64) -> Vec<f64> {
        (0..length).map(|_| self.range(-size, size)).collect()
    }

    /// A direction, of any length but near zero.
    fn axis(&mut self) -> [Number; 3] {
        if self.chance(0.3) {
            let i = self.below(3);
            return std::array::from_fn(|j| Number::from(if i == j { 1.0 } else { 0.0 }));
        }
        loop {
            let v = self.vector(3, 1.0);
            if v.iter().map(|x| x * x).sum::<f64>() > 0.1 {
                return [v[0], v[1], v[2]].map(Number::from);
            }
        }
    }

    fn point(&mut self, size: f64) -> [Number; 3] {
        std::array::from_fn(|_| Number::from(self.range(-size, size)))
    }

    fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let v = self.vector(4, 1.0);
            if v.iter().map(|x| x * x).sum::<f64>() > 0.1 {
                return [v[0], v[1], v[2], v[3]];
            }
        }
    }
}

/// What kind of robot to make.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of links.
    pub links: usize,
    /// The root stands on a free joint.
    pub free_base: bool,
    /// Each link on the one before; else on any link, or on the ground.
    pub chain: bool,
    /// Some links are welded, some massless.
    pub special_links: bool,
    /// Some joints are coupled.
    pub mimic: bool,
    /// Some joints have motors.
    pub motors: bool,
}

impl Shape {
    /// Any shape, up to `most` links.
    pub fn random(random: &mut Random, most: usize) -> Self {
        Self {
            links: 1 + random.below(most),
            free_base: random.chance(0.4),
            chain: random.chance(0.4),
            special_links: random.chance(0.5),
            mimic: random.chance(0.4),
            motors: random.chance(0.5),
        }
    }
}

/// The robot of a seed, up to `most` links.
pub fn random_tree(seed: u64, most: usize) -> Model {
    let mut random = Random::new(seed);
    let shape = Shape::random(&mut random, most);
    Model::from_description(&random_description(shape, &mut random)).unwrap()
}

/// A robot of a given shape.
pub fn random_description(shape: Shape, random: &mut Random) -> Description {
    let mut links: Vec<LinkDescription> = Vec::new();
    for i in 0..shape.links {
        let parent = match i {
            0 => None,
            _ if shape.chain => Some(i - 1),
            _ if !shape.free_base && random.chance(0.1) => None,
            _ => Some(random.below(i)),
        };
        let parent = parent.map_or(GROUND.to_owned(), |p: usize| links[p].name.clone());
        let mut link = LinkDescription::new(format!("link{i}"), parent);
        link.placement = Placement::Origin {
            xyz: random.point(0.5),
            orientation: Orientation::Quaternion(random.quaternion().map(Number::from)),
        };
        link.joint.name = format!("joint{i}");
        link.joint.kind = match i {
            0 if shape.free_base => JointKind::Free,
            0 => random_joint(random, false),
            _ => random_joint(random, shape.special_links),
        };
        give_mass(&mut link, random);
        if shape.motors && random.chance(0.5) && !matches!(link.joint.kind, JointKind::Fixed | JointKind::Free) {
            link.motor = Some(random_motor(has_one_number(&link), random));
        }
        links.push(link);
    }
    if shape.special_links {
        remove_masses(&mut links, random);
    }
    if shape.mimic {
        couple(&mut links, random);
    }
    let up = random.point(4.0);
    let gravity = [up[0], up[1], Number::from(random.range(-10.0, -9.0))];
    Description { name: "random".to_owned(), gravity, allow_unphysical: false, links, states: Vec::new() }
}

fn random_joint(random: &mut Random, fixed: bool) -> JointKind {
    if fixed && random.chance(0.2) {
        return JointKind::Fixed;
    }
    let (axis, point) = (random.axis(), random.point(0.2));
    match random.below(25) {
        0..=7 => JointKind::Revolute { axis, point },
        8..=11 => JointKind::Prismatic { axis },
        12 | 13 => JointKind::Helical { axis, point, pitch: Number::from(random.range(-0.3, 0.3)) },
        14 | 15 => JointKind::Spherical { point: if random.chance(0.5) { [Number::ZERO; 3] } else { point } },
        16 | 17 => JointKind::Planar { axis, point },
        18 | 19 => JointKind::Universal { axes: [axis, random.across(axis)], point },
        20 | 21 => JointKind::Cylindrical { axis, point },
        22 => JointKind::Free,
        _ => JointKind::Composite { sequence: random_sequence(random) },
    }
}

impl Random {
    /// A direction that is not near `axis`.
    fn across(&mut self, axis: [Number; 3]) -> [Number; 3] {
        let a = Vector(axis.map(|x| x.value));
        loop {
            let other = self.axis();
            let b = Vector(other.map(|x| x.value));
            if a.cross(b).norm() > 0.4 * a.norm() * b.norm() {
                return other;
            }
        }
    }
}

/// Two or three factors, rotations first and last, axes of neighbours not near each other.
fn random_sequence(random: &mut Random) -> Vec<ScrewDescription> {
    let length = 2 + random.below(2);
    let mut axis = random.axis();
    let mut sequence = Vec::new();
    for i in 0..length {
        let kind = match random.below(3) {
            0 if i == 1 => ScrewKind::Prismatic,
            1 => ScrewKind::Helical,
            _ => ScrewKind::Revolute,
        };
        let pitch = if kind == ScrewKind::Helical { Number::from(random.range(-0.3, 0.3)) } else { Number::ZERO };
        sequence.push(ScrewDescription { kind, axis, point: random.point(0.3), pitch });
        axis = random.across(axis);
    }
    sequence
}

/// A mass, a centre of mass and a realisable tensor in turned principal axes.
fn give_mass(link: &mut LinkDescription, random: &mut Random) {
    let mass = random.range(0.2, 5.0);
    let [a, b, c] = [0, 1, 2].map(|_| mass * random.range(0.001, 0.02));
    let principal = Symmetric { xx: b + c, xy: 0.0, xz: 0.0, yy: a + c, yz: 0.0, zz: a + b };
    let turned = principal.rotated(&Quaternion::new(random.quaternion()).normalized().to_rotation());
    link.mass = Number::from(mass);
    link.com = random.point(0.2);
    link.inertia = InertiaDescription::AboutCom(turned.to_array().map(Number::from));
}

/// Some motors drive by a spring if the joint has one number.
fn random_motor(single: bool, random: &mut Random) -> MotorDescription {
    MotorDescription {
        inertia: Number::from(random.range(1e-5, 1e-3)),
        ratio: Number::from(random.range(10.0, 120.0)),
        stiffness: (random.chance(0.2) && single).then(|| Number::from(1e4)),
        viscous: Number::from(random.range(0.0, 0.5)),
        coulomb: Number::from(random.range(0.0, 1.0)),
        ..MotorDescription::default()
    }
}

fn has_one_number(link: &LinkDescription) -> bool {
    matches!(link.joint.kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. } | JointKind::Helical { .. })
}

/// Takes the mass of some links that carry a link with mass.
fn remove_masses(links: &mut [LinkDescription], random: &mut Random) {
    for i in 0..links.len() {
        let massive = |link: &LinkDescription| link.mass.value > 0.0;
        let firmly = |child: &LinkDescription| massive(child) && !matches!(child.joint.kind, JointKind::Free);
        let carried = links.iter().any(|child| child.parent == links[i].name && firmly(child));
        let carrier = links.iter().find(|parent| parent.name == links[i].parent);
        if has_one_number(&links[i]) && carried && carrier.is_none_or(massive) && random.chance(0.3) {
            let bare = LinkDescription::new("", "");
            (links[i].mass, links[i].com, links[i].inertia) = (bare.mass, bare.com, bare.inertia);
        }
    }
}

/// Couples some joints with one number to others, before or behind them.
fn couple(links: &mut [LinkDescription], random: &mut Random) {
    let single: Vec<usize> = (0..links.len()).filter(|&i| has_one_number(&links[i])).collect();
    let (mut leaders, mut followers) = (Vec::new(), Vec::new());
    for &i in &single {
        if random.chance(0.35) { followers.push(i) } else { leaders.push(i) }
    }
    if leaders.is_empty() {
        return;
    }
    for i in followers {
        let leader = links[leaders[random.below(leaders.len())]].joint.name.clone();
        let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
        if let Some(motor) = &mut links[i].motor {
            motor.stiffness = None;
        }
        links[i].joint.mimic = Some(MimicDescription {
            joint: leader,
            multiplier: Number::from(sign * random.range(0.3, 2.0)),
            offset: Number::from(random.range(-0.5, 0.5)),
        });
    }
}

/// Any state: positions to ±2, unit quaternions, velocities, accelerations, references and a few wrenches.
pub fn random_state(model: &Model, random: &mut Random) -> State {
    let (nq, nv) = (model.nq(), model.nv());
    let mut state = State::neutral(model);
    state.q = random.vector(nq, 2.0);
    state.qd = random.vector(nv, 1.5);
    state.qdd = random.vector(nv, 3.0);
    state.qddd = random.vector(nv, 6.0);
    state.qdddd = random.vector(nv, 12.0);
    state.qd_r = random.vector(nv, 1.5);
    state.qdd_r = random.vector(nv, 3.0);
    state.tau = random.vector(nv, 10.0);
    for _ in 0..random.below(3) {
        let mut wrench = || {
            let v = random.vector(6, 10.0);
            Wrench::from_array(std::array::from_fn(|i| v[i]))
        };
        let (wrench, dot, ddot) = (wrench(), wrench(), wrench());
        state.wrenches.push(LinkWrench { link: random.below(model.links().len()), wrench, dot, ddot });
    }
    state.qddd_r = random.vector(nv, 6.0);
    state.checked(model).unwrap()
}

/// Runs a law on the robots of the first `count` seeds, up to `most` links each, and says which seed broke it.
pub fn for_each_tree(count: u64, most: usize, law: impl Fn(&Model, &State)) {
    for seed in 0..count {
        let model = random_tree(seed, most);
        let state = random_state(&model, &mut Random::new(!seed));
        let broken = catch_unwind(AssertUnwindSafe(|| law(&model, &state))).is_err();
        let (links, dof) = (model.links().len(), model.nv());
        assert!(!broken, "the law above is broken by random_tree({seed}, {most}): {links} links, {dof} velocities");
    }
}
