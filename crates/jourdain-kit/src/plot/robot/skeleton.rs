//! A robot as bodies that can be drawn: tapered capsules between joints, a band or a drum for each joint. Built once, in link frames.
//!
//! A joint whose axis runs along its link is a band round the link, any other a drum on its axis. All lengths are shares of the
//! robot's size, so that a drawing looks the same in millimetres and in kilometres.

use crate::operations::scene::layout;
use crate::plot::joints::Palette;
use crate::plot::look::Hue;
use jourdain::Model;
use jourdain::kinematics;
use jourdain::model::{JointType, Link, Motion, Screw};
use jourdain::spatial::{Pose, Vector};

/// Axes closer to a link's direction than this cosine run along it.
const ALIGNED: f64 = 0.9;
/// Segments shorter than this share of the size are not drawn.
const SHORT: f64 = 0.012;

/// What a part is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// A link.
    Body,
    /// What the robot stands on.
    Foot,
    /// The end of a chain.
    Tip,
    /// A joint that moves.
    Joint(Hue),
}

/// A form, in the frame of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// Two balls and what is between them.
    Capsule {
        /// Centres.
        ends: [Vector<f64>; 2],
        /// Radii.
        radii: [f64; 2],
    },
    /// Two discs across an axis and what is between them.
    Drum {
        /// Centres of the discs.
        ends: [Vector<f64>; 2],
        /// Radii.
        radii: [f64; 2],
        /// True if a disc may carry a label.
        capped: bool,
    },
    /// A square bar along its axis.
    Block {
        /// Middles of its ends.
        ends: [Vector<f64>; 2],
        /// Half its width.
        half: f64,
    },
    /// A circle about an axis, as a dashed line: a joint that follows another.
    Ring {
        /// Its middle.
        centre: Vector<f64>,
        /// Across it.
        axis: Vector<f64>,
        /// Its radius.
        radius: f64,
    },
}

impl Solid {
    /// The line in its middle, and how far it is from it at most.
    #[must_use]
    pub fn spine(&self) -> ([Vector<f64>; 2], [f64; 2]) {
        match *self {
            Self::Capsule { ends, radii } | Self::Drum { ends, radii, .. } => (ends, radii),
            Self::Block { ends, half } => (ends, [half; 2]),
            Self::Ring { centre, radius, .. } => ([centre; 2], [radius; 2]),
        }
    }
}

/// A form that moves with a link.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The link; `None` stays with the ground.
    pub link: Option<usize>,
    /// Its form.
    pub solid: Solid,
    /// What it is made of.
    pub material: Material,
    /// The joint that it shows, counted from 0 among those that move.
    pub joint: Option<usize>,
}

/// A robot to be drawn.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// In no order.
    pub parts: Vec<Part>,
    /// The diagonal of a box around the robot at zero, m.
    pub size: f64,
    /// Across all planes of motion, if there is such a direction.
    pub normal: Option<Vector<f64>>,
    /// Against gravity.
    pub up: Vector<f64>,
    /// How far the floor is below the origin, m: joints at the origin do not sink into it.
    pub drop: f64,
    /// True if it stands on something.
    pub grounded: bool,
    /// The link at the end of the longest chain, or the one called `tool`.
    pub tool: usize,
    /// The link of each joint that moves.
    pub joints: Vec<usize>,
    /// Their colours.
    pub hues: Vec<Hue>,
    /// The parent of each link.
    pub parents: Vec<Option<usize>>,
}

/// Where a joint is, in its link's frame.
fn point(link: &Link<f64>) -> Vector<f64> {
    match &link.joint.motion {
        Motion::Product(screws) => screws
            .iter()
            .find_map(|screw| match *screw {
                Screw::Rotation { point, .. } => Some(point),
                Screw::Translation { .. } => None,
            })
            .unwrap_or_else(Vector::zero),
        Motion::Spherical { center } => *center,
        Motion::Free => Vector::zero(),
    }
}

/// Where a joint is, in its parent's frame.
fn anchor(link: &Link<f64>) -> Vector<f64> {
    link.placement.apply(point(link))
}

/// What a joint turns about or slides along, in its link's frame, the first of several.
fn axis(link: &Link<f64>) -> Option<Vector<f64>> {
    match &link.joint.motion {
        Motion::Product(screws) => screws.first().map(|screw| match *screw {
            Screw::Rotation { axis, .. } | Screw::Translation { axis } => axis,
        }),
        Motion::Spherical { .. } | Motion::Free => None,
    }
}

/// A direction of length one, if it has any.
fn unit(direction: Vector<f64>) -> Option<Vector<f64>> {
    let length = direction.norm();
    (length > 0.0 && length.is_finite()).then(|| direction.times(1.0 / length))
}

impl Skeleton {
    /// The drawing of a robot.
    #[must_use]
    pub fn new(model: &Model<f64>) -> Self {
        let poses = kinematics::poses(model, &model.neutral::<f64>());
        let links = model.links();
        let joints: Vec<usize> =
            (0..links.len()).filter(|link| links[*link].mimic.is_none() && links[*link].joint.nv() > 0).collect();
        let mut maker = Maker::new(model, &poses, &joints);
        for link in 0..links.len() {
            maker.segments(link);
        }
        maker.base();
        for link in 0..links.len() {
            maker.joint(link);
        }
        Self {
            size: maker.size,
            normal: maker.normal,
            up: maker.up,
            drop: maker.drop,
            grounded: links.iter().any(|link| link.parent.is_none() && link.joint.kind != JointType::Free),
            tool: tool(model, &maker.depths),
            parents: links.iter().map(|link| link.parent).collect(),
            hues: maker.hues,
            parts: maker.parts,
            joints,
        }
    }
}

impl Skeleton {
    /// No robot, in the plane of x and y: a floor for other things.
    #[must_use]
    pub fn bare(size: f64) -> Self {
        Self {
            parts: Vec::new(),
            size,
            normal: Some(Vector([0.0, 0.0, 1.0])),
            up: Vector([0.0, 1.0, 0.0]),
            drop: 0.0,
            grounded: false,
            tool: 0,
            joints: Vec::new(),
            hues: Vec::new(),
            parents: Vec::new(),
        }
    }
}

/// The link called `tool`, or the end of the longest chain.
fn tool(model: &Model<f64>, depths: &[usize]) -> usize {
    let is_end = |index: &usize| !model.links().iter().any(|link| link.parent == Some(*index));
    let deepest = || {
        let ends = (0..depths.len()).filter(is_end);
        // The first of equals.
        ends.fold(0, |best, end| if depths[end] > depths[best] { end } else { best })
    };
    model.link_index("tool").unwrap_or_else(deepest)
}

/// Link, place, direction, and radius there.
type Band = (Option<usize>, Vector<f64>, Vector<f64>, f64);

struct Maker<'m> {
    links: &'m [Link<f64>],
    children: Vec<Vec<usize>>,
    depths: Vec<usize>,
    size: f64,
    normal: Option<Vector<f64>>,
    up: Vector<f64>,
    drop: f64,
    /// Radii at base and tip, shares of the size.
    taper: [f64; 2],
    /// The joint that moves a link, itself or the one it follows.
    owner: Vec<Option<usize>>,
    hues: Vec<Hue>,
    /// Links whose joint is drawn as a drum.
    drums: Vec<usize>,
    parts: Vec<Part>,
}

impl<'m> Maker<'m> {
    fn new(model: &'m Model<f64>, poses: &[Pose<f64>], joints: &[usize]) -> Self {
        let links = model.links();
        let mut children = vec![Vec::new(); links.len()];
        let mut depths: Vec<usize> = Vec::with_capacity(links.len());
        for (index, link) in links.iter().enumerate() {
            if let Some(parent) = link.parent {
                children[parent].push(index);
            }
            depths.push(link.parent.map_or(0, |parent| depths[parent] + 1));
        }
        let owner = |(index, link): (usize, &Link<f64>)| {
            let leader = link.mimic.as_ref().map_or(index, |mimic| mimic.leader);
            joints.iter().position(|joint| *joint == leader)
        };
        let palette = Palette::of(model);
        let mut maker = Self {
            owner: links.iter().enumerate().map(owner).collect(),
            hues: joints.iter().map(|link| palette.hue(&links[*link].joint_name)).collect(),
            size: layout::size(model, poses),
            normal: layout::normal(model, poses),
            up: super::view::upwards(model.gravity()),
            drop: 0.0,
            taper: if layout::limbs(model).len() > 2 { [0.028, 0.013] } else { [0.05, 0.026] },
            drums: Vec::new(),
            parts: Vec::new(),
            links,
            children,
            depths,
        };
        maker.drop = maker.sinking();
        maker
    }

    /// Thick at the base, thin at the tip.
    fn radius(&self, depth: f64) -> f64 {
        let longest = self.depths.iter().max().copied().unwrap_or(0).max(1) as f64 + 1.0;
        let [base, tip] = self.taper;
        self.size * (base + (tip - base) * (depth / longest).clamp(0.0, 1.0))
    }

    fn depth(&self, link: usize) -> f64 {
        self.depths[link] as f64
    }

    fn add(&mut self, link: Option<usize>, solid: Solid, material: Material, joint: Option<usize>) {
        self.parts.push(Part { link, solid, material, joint });
    }

    /// From a joint to those it carries.
    fn segments(&mut self, index: usize) {
        let start = point(&self.links[index]);
        let depth = self.depth(index) + 1.0;
        for child in self.children[index].clone() {
            let end = anchor(&self.links[child]);
            if (end - start).norm() > SHORT * self.size {
                let radii = [self.radius(depth), self.radius(depth + 1.0)];
                self.add(Some(index), Solid::Capsule { ends: [start, end], radii }, Material::Body, None);
            }
        }
        if self.children[index].is_empty() {
            self.tip(index);
        }
    }

    /// A last link that moves but leads nowhere: a stub along its axis, or towards its centre of mass.
    fn tip(&mut self, index: usize) {
        let link = &self.links[index];
        let (start, depth) = (point(link), self.depth(index) + 1.0);
        if link.joint.nv() == 0 && link.mimic.is_none() {
            if link.parent.is_some() {
                let radius = 0.6 * self.radius(depth);
                self.add(Some(index), Solid::Capsule { ends: [start; 2], radii: [radius; 2] }, Material::Tip, None);
            }
            return;
        }
        let com = if link.inertia.mass > 0.0 { link.inertia.about_com().0 - start } else { Vector::zero() };
        let long = com.norm();
        let far = if long > 0.03 * self.size {
            com.times((0.3 * self.size / long).min(2.0))
        } else {
            axis(link).unwrap_or(self.up).times(0.06 * self.size)
        };
        let radii = [self.radius(depth), self.radius(depth + 1.0)];
        self.add(Some(index), Solid::Capsule { ends: [start, start + far], radii }, Material::Body, None);
    }

    fn is_short(&self, from: Vector<f64>, to: Vector<f64>) -> bool {
        (to - from).norm() < SHORT * self.size
    }

    /// How far the floor has to lie below the origin for joints there.
    fn sinking(&self) -> f64 {
        if self.normal.is_some() {
            return 0.0;
        }
        let radius = self.radius(0.0);
        let mut waiting: Vec<usize> = (0..self.links.len()).filter(|link| self.links[*link].parent.is_none()).collect();
        let mut drop: f64 = 0.0;
        while let Some(index) = waiting.pop() {
            let link = &self.links[index];
            let from = link.parent.map_or_else(Vector::zero, |parent| point(&self.links[parent]));
            if link.joint.kind == JointType::Free || !self.is_short(from, anchor(link)) {
                continue;
            }
            let upright = |axis: Vector<f64>| link.placement.rotation.apply(axis).dot(self.up).abs() >= ALIGNED;
            drop = drop.max(match link.joint.kind {
                JointType::Fixed => 0.0,
                JointType::Prismatic => 1.25 * radius,
                JointType::Revolute
                | JointType::Helical
                | JointType::Spherical
                | JointType::Planar
                | JointType::Free
                | JointType::Universal
                | JointType::Cylindrical
                | JointType::Translation
                | JointType::Composite => {
                    if axis(link).is_some_and(upright) {
                        1.25 * radius
                    } else {
                        3.0 * radius
                    }
                }
            });
            waiting.extend(&self.children[index]);
        }
        drop
    }

    fn base(&mut self) {
        let roots: Vec<usize> = (0..self.links.len())
            .filter(|link| self.links[*link].parent.is_none() && self.links[*link].joint.kind != JointType::Free)
            .collect();
        let radius = self.radius(0.0);
        for root in &roots {
            let end = anchor(&self.links[*root]);
            let Some(direction) = unit(end).filter(|_| !self.is_short(Vector::zero(), end)) else { continue };
            let foot = self.radius(-0.5).min(0.6 * end.norm());
            let (ends, radii) = ([direction.times(foot), end], [foot, self.radius(0.5)]);
            self.add(None, Solid::Capsule { ends, radii }, Material::Body, None);
        }
        if roots.is_empty() {
            return;
        }
        if let Some(normal) = self.normal {
            let slides = roots.iter().any(|root| self.links[*root].joint.kind == JointType::Prismatic);
            if !slides {
                let ends = [normal.times(-1.6 * radius), normal.times(-1.5 * radius)];
                self.add(None, Solid::Drum { ends, radii: [1.9 * radius; 2], capped: false }, Material::Foot, None);
            }
            return;
        }
        if self.drop > 2.0 * radius {
            let ends = [self.up.times(radius - self.drop), Vector::zero()];
            self.add(None, Solid::Capsule { ends, radii: [radius; 2] }, Material::Body, None);
        }
        let ends = [self.up.times(-self.drop), self.up.times(0.84 * radius - self.drop)];
        self.add(None, Solid::Drum { ends, radii: [1.8 * radius, 1.5 * radius], capped: false }, Material::Foot, None);
    }

    fn joint(&mut self, index: usize) {
        let link = &self.links[index];
        let Some(owner) = self.owner[index] else { return };
        let (material, radius, zero) = (Material::Joint(self.hues[owner]), self.radius(self.depth(index)), point(link));
        if link.mimic.is_some() {
            let axis = axis(link).unwrap_or(self.up);
            self.add(Some(index), Solid::Ring { centre: zero, axis, radius: 1.3 * radius }, material, None);
            return;
        }
        match &link.joint.motion {
            Motion::Free => {}
            Motion::Spherical { .. } => {
                let (ends, radii) = ([zero; 2], [1.3 * radius; 2]);
                self.add(Some(index), Solid::Capsule { ends, radii }, material, Some(owner));
            }
            Motion::Product(screws) => match screws.as_slice() {
                [] => {}
                [Screw::Translation { axis }] => self.sleeve(index, *axis, radius, material, owner),
                [Screw::Rotation { axis, pitch, .. }] => {
                    self.turn(index, *axis, *pitch != 0.0, radius, material, owner)
                }
                several => self.several(index, several, radius, material, owner),
            },
        }
    }

    /// A sleeve on a rail that is as long as the joint's range, and begins where the link before it ends.
    fn sleeve(&mut self, index: usize, axis: Vector<f64>, radius: f64, material: Material, owner: usize) {
        let link = &self.links[index];
        let [lower, upper] = link.limits.position.unwrap_or([0.0; 2]);
        // A range of a thousand sizes is none.
        let long = 3.0 * self.size;
        let (lower, upper) = (lower.clamp(-long, 0.0), upper.clamp(0.0, long));
        let spread = (0.05 * self.size - (upper - lower)).max(0.0) / 2.0;
        let place = |along: f64| link.placement.apply(axis.times(along));
        let (parent, ends) = (link.parent, [place(lower - spread), place(upper + spread)]);
        self.add(parent, Solid::Block { ends, half: 0.35 * radius }, Material::Body, None);
        let ends = [axis.times(-1.2 * radius), axis.times(1.2 * radius)];
        self.add(Some(index), Solid::Block { ends, half: 1.05 * radius }, material, Some(owner));
    }

    fn turn(&mut self, index: usize, axis: Vector<f64>, threaded: bool, radius: f64, material: Material, owner: usize) {
        let zero = point(&self.links[index]);
        if let Some((link, at, along, thick)) = self.band(index, axis) {
            let drum = |shift: f64, half: f64, radius: f64| {
                let ends = [at + along.times(shift - half), at + along.times(shift + half)];
                Solid::Drum { ends, radii: [radius; 2], capped: false }
            };
            self.add(link, drum(0.0, 0.475 * radius, 1.18 * thick), material, Some(owner));
            if threaded {
                for shift in [-0.25 * radius, 0.25 * radius] {
                    self.add(link, drum(shift, 0.06 * radius, 1.32 * thick), material, None);
                }
            }
            return;
        }
        // Joints at one point, as those of a hip, would hide each other: each further one is thinner and longer.
        let nested = self.before(index) as i32;
        let (wide, half) = (1.28 * radius * 0.84_f64.powi(nested), 1.3 * radius * 1.2_f64.powi(nested));
        let ends = [zero - axis.times(half), zero + axis.times(half)];
        self.drums.push(index);
        self.add(Some(index), Solid::Drum { ends, radii: [wide; 2], capped: true }, material, Some(owner));
    }

    /// Joints of several motions: a short drum for each turn, a block for what only slides.
    fn several(&mut self, index: usize, screws: &[Screw<f64>], radius: f64, material: Material, owner: usize) {
        let mut named = Some(owner);
        for screw in screws {
            if let Screw::Rotation { axis, point, .. } = *screw {
                let half = if named.is_some() { 1.3 } else { 1.6 } * radius;
                let wide = if named.is_some() { 1.1 } else { 0.85 } * radius;
                let ends = [point - axis.times(half), point + axis.times(half)];
                self.add(Some(index), Solid::Drum { ends, radii: [wide; 2], capped: true }, material, named.take());
            }
        }
        if let (Some(owner), Some(Screw::Translation { axis })) = (named, screws.first()) {
            let ends = [axis.times(-1.2 * radius), axis.times(1.2 * radius)];
            self.add(Some(index), Solid::Block { ends, half: 1.05 * radius }, material, Some(owner));
        }
    }

    /// Where a band lies: on the segment that leads to the joint, or on the one that leads away.
    fn band(&self, index: usize, axis: Vector<f64>) -> Option<Band> {
        let link = &self.links[index];
        let from = link.parent.map_or_else(Vector::zero, |parent| point(&self.links[parent]));
        let come = anchor(link) - from;
        let in_parent = link.placement.rotation.apply(axis);
        let stands = link.parent.is_none() && self.normal.is_none() && in_parent.dot(self.up).abs() > ALIGNED;
        if stands && self.is_short(from, anchor(link)) {
            // A robot that turns on the ground itself: the band lies round its foot.
            let base = self.radius(0.0);
            let high = self.drop > 2.0 * base;
            let at = if high { -0.62 * self.drop } else { 0.42 * base - self.drop };
            return Some((None, self.up.times(at), in_parent, if high { 1.05 } else { 1.52 } * base));
        }
        let long = 0.05 * self.size;
        let runs_along = |way: Vector<f64>, axis: Vector<f64>| {
            way.norm() > long && unit(way).is_some_and(|way| way.dot(axis).abs() > ALIGNED)
        };
        let depth = self.depth(index);
        if runs_along(come, in_parent) {
            let at_depth = if link.parent.is_some() { depth } else { -0.5 };
            let radius = 0.45 * self.radius(at_depth) + 0.55 * self.radius(at_depth + 1.0);
            return Some((link.parent, from + come.times(0.55), in_parent, radius));
        }
        let start = point(link);
        let away = self.children[index].iter().map(|child| anchor(&self.links[*child]) - start);
        if let Some(way) = away.into_iter().find(|way| runs_along(*way, axis)) {
            return Some((Some(index), start + way.times(0.42), axis, self.radius(depth + 1.0)));
        }
        let stubby = || link.inertia.mass <= 0.0 || (link.inertia.about_com().0 - start).norm() <= 0.03 * self.size;
        (self.children[index].is_empty() && stubby())
            .then(|| (Some(index), start + axis.times(0.03 * self.size), axis, self.radius(depth + 1.0)))
    }

    /// How many drums stand at the same point before this one.
    fn before(&self, index: usize) -> usize {
        let (mut count, mut at) = (0, index);
        while let Some(parent) = self.links[at].parent {
            if !self.is_short(point(&self.links[parent]), anchor(&self.links[at])) {
                break;
            }
            count += usize::from(self.drums.contains(&parent));
            at = parent;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain::robots;

    #[test]
    fn every_joint_that_moves_is_shown_once_and_a_tool_is_found() {
        for name in robots::ALL.iter().map(|robot| robot.name) {
            let model = robots::load(name).unwrap();
            let skeleton = Skeleton::new(&model);
            for (joint, link) in skeleton.joints.iter().enumerate() {
                let shown = skeleton.parts.iter().filter(|part| part.joint == Some(joint)).count();
                let free = model.links()[*link].joint.kind == JointType::Free;
                assert_eq!(shown, usize::from(!free), "{name}, joint {joint}");
            }
            let finite = |part: &Part| part.solid.spine().0.iter().flat_map(|end| end.0).all(f64::is_finite);
            assert!(skeleton.parts.iter().all(finite) && skeleton.size > 0.0, "{name}");
        }
        let model = robots::load("panda").unwrap();
        assert_eq!(model.links()[Skeleton::new(&model).tool].name, "tool");
    }
}
