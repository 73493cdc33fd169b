//! A robot as the writers of other formats need it: poses and screws in numbers, whatever the file gave them by.
//!
//! Numbers that a format can take over as they are come from the description, everything else from the lowered robot. What gets
//! lost on the way is collected in [`Losses`].

use crate::model::Motion;
use crate::model::description::{
    Description, InertiaDescription, LinkDescription, MotorDescription, NamedState, Orientation, Placement,
};
use crate::model::joint::{Given, Screw};
use crate::model::lowered::{Lowered, leaders};
use crate::spatial::{Pose, Rotation, Symmetric, Vector};
use std::collections::{HashMap, HashSet};

/// A robot in numbers.
pub(super) struct Plain<'a> {
    pub robot: &'a Description,
    /// Parents before children, in the order of `q`.
    pub parts: Vec<Part<'a>>,
}

/// A link with the joint that carries it.
pub(super) struct Part<'a> {
    /// Which link of the description it is.
    pub number: usize,
    pub link: &'a LinkDescription,
    /// The parent's place among the parts; `None` for the ground.
    pub parent: Option<usize>,
    /// The link frame in the parent frame at zero position.
    pub pose: Pose<f64>,
    /// Its orientation as the file gives it, if it gives one.
    pub orientation: Option<Orientation>,
    /// The joint's motion in the link frame; axes of unit length.
    pub motion: Motion<f64>,
    /// The joint that this one follows.
    pub leader: Option<usize>,
}

impl<'a> Plain<'a> {
    pub fn new(robot: &'a Description) -> Self {
        let lowered = Lowered::<f64>::new(robot, 1.0);
        let place: HashMap<usize, usize> = lowered.order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let leaders = leaders(robot);
        let parts = lowered
            .links
            .into_iter()
            .zip(&lowered.order)
            .map(|(lowered, &number)| {
                let link = &robot.links[number];
                let mut motion = lowered.motion;
                keep_axes(&mut motion, link);
                let leader = link.joint.mimic.as_ref().and_then(|mimic| leaders.get(mimic.joint.as_str()));
                Part {
                    number,
                    link,
                    parent: lowered.parent,
                    pose: lowered.placement.into(),
                    orientation: match link.placement {
                        Placement::Origin { orientation, .. } => Some(orientation),
                        Placement::Dh { .. } => None,
                    },
                    motion,
                    leader: leader.and_then(|leader| place.get(leader)).copied(),
                }
            })
            .collect();
        Self { robot, parts }
    }

    /// The children of each link, in order; those of the ground come last.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.parts.len() + 1];
        for (number, part) in self.parts.iter().enumerate() {
            children[part.parent.unwrap_or(self.parts.len())].push(number);
        }
        children
    }

    /// The frames of all links in the ground's, all joints at zero.
    pub fn home(&self) -> Vec<Pose<f64>> {
        let mut poses: Vec<Pose<f64>> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let parent = part.parent.map_or_else(Pose::identity, |parent| poses[parent]);
            poses.push(parent * part.pose);
        }
        poses
    }

    /// The nearest link that moves against its parent, the link itself included; `None` on the ground.
    pub fn carrier(&self, link: usize) -> Option<usize> {
        let moves = |link: &usize| self.parts[*link].link.joint.kind.degrees_of_freedom() > 0;
        std::iter::successors(Some(link), |link| self.parts[*link].parent).find(moves)
    }

    /// True if a depth-first walk meets the links in the order of `q`.
    pub fn is_depth_first(&self) -> bool {
        let children = self.children();
        let mut stack = vec![self.parts.len()];
        let mut next = 0;
        while let Some(link) = stack.pop() {
            if link < self.parts.len() {
                if link != next {
                    return false;
                }
                next += 1;
            }
            stack.extend(children[link].iter().rev());
        }
        true
    }
}

impl Part<'_> {
    /// True if there is neither mass nor inertia.
    pub fn is_massless(&self) -> bool {
        let elements = match self.link.inertia {
            InertiaDescription::AboutCom(elements)
            | InertiaDescription::AboutOrigin(elements)
            | InertiaDescription::AboutComRotated { elements, .. } => elements,
        };
        self.link.mass.value == 0.0 && elements.iter().all(|element| element.value == 0.0)
    }
}

/// The file's own digits for axes that are of unit length to rounding.
fn keep_axes(motion: &mut Motion<f64>, link: &LinkDescription) {
    let (Motion::Product(screws), Placement::Origin { .. }) = (motion, link.placement) else { return };
    let mut given: Vec<Vector<f64>> = Vec::new();
    link.joint.kind.visit(&mut |_, part| {
        if let Given::Axis(axis) = part {
            given.push(Vector(axis.map(|x| x.value)));
        }
    });
    for screw in screws {
        let (Screw::Rotation { axis, .. } | Screw::Translation { axis }) = screw;
        if let Some(same) = given.iter().find(|given| (0..3).all(|i| (given[i] - axis[i]).abs() <= 4.0 * f64::EPSILON))
        {
            *axis = *same;
        }
    }
}

/// A link's inertia about its centre of mass, in link axes.
pub(super) fn about_com(link: &LinkDescription) -> Symmetric<f64> {
    let values = |elements: &[crate::model::Number; 6]| Symmetric::from_array(elements.map(|x| x.value));
    match &link.inertia {
        InertiaDescription::AboutCom(elements) => values(elements),
        InertiaDescription::AboutComRotated { elements, rpy } => {
            let [roll, pitch, yaw] = rpy.map(|angle| angle.value);
            values(elements).rotated(&Rotation::from_rpy(roll, pitch, yaw))
        }
        InertiaDescription::AboutOrigin(elements) => {
            let (about_origin, c) = (values(elements), Vector(link.com.map(|x| x.value)));
            let (mass, square) = (link.mass.value, c.norm_squared());
            let steiner = |i: usize, j: usize| mass * (if i == j { square } else { 0.0 } - c[i] * c[j]);
            let rows = about_origin.to_matrix();
            Symmetric::from_fn(|i, j| rows[i][j] - steiner(i, j))
        }
    }
}

/// What a drive is where joints are rigid: inertia of the rotor felt at the joint, viscous and Coulomb friction.
pub(super) fn rigid_drive(motor: &MotorDescription) -> [f64; 3] {
    let value = |x: crate::model::Number| x.value;
    let ratio = value(motor.ratio);
    [
        if ratio == 1.0 { value(motor.inertia) } else { ratio * ratio * value(motor.inertia) },
        value(motor.viscous) + value(motor.rotor_viscous),
        value(motor.coulomb) + value(motor.rotor_coulomb),
    ]
}

/// A name that is not taken yet, and now is.
pub(super) fn fresh(mut name: String, taken: &mut HashSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// What a format cannot say, folded: one sentence for all links or joints that lack the same.
#[derive(Default)]
pub(super) struct Losses(Vec<(String, &'static str, Vec<String>)>);

/// So many names are told.
const TOLD: usize = 8;

impl Losses {
    /// `what` is lost of a joint; a sentence up to the name.
    pub fn joint(&mut self, what: &str, name: &str) {
        self.add(what, "joint", name);
    }

    /// `what` is lost of a link.
    pub fn link(&mut self, what: &str, name: &str) {
        self.add(what, "link", name);
    }

    /// A sentence of its own.
    pub fn whole(&mut self, sentence: impl Into<String>) {
        self.0.push((sentence.into(), "", Vec::new()));
    }

    fn add(&mut self, what: &str, kind: &'static str, name: &str) {
        match self.0.iter_mut().find(|(known, of, _)| known == what && *of == kind) {
            Some((_, _, names)) => names.push(name.to_owned()),
            None => self.0.push((what.to_owned(), kind, vec![name.to_owned()])),
        }
    }

    /// Gravity, where the format has none of its own.
    pub fn gravity(&mut self, robot: &Description) {
        if robot.gravity.map(|x| x.value) != crate::model::description::standard_gravity().map(|x| x.value) {
            let [x, y, z] = robot.gravity.map(|x| x.value);
            self.whole(format!("gravity, {x} {y} {z} m/s²"));
        }
    }

    /// Named positions.
    pub fn states(&mut self, states: &[NamedState]) {
        let names: Vec<String> = states.iter().map(|state| format!("`{}`", state.name)).collect();
        if !names.is_empty() {
            self.whole(format!("the named positions {}", shown(&names)));
        }
    }

    /// What other drives have than rigid ones with viscous and Coulomb friction, which formats share.
    pub fn elasticity(&mut self, motor: &MotorDescription, joint: &str) {
        if motor.stiffness.is_some() {
            self.joint("the stiffness, which makes the rotor move on its own, of", joint);
        }
        if motor.damping.value != 0.0 {
            self.joint("the damping beside the spring of", joint);
        }
        if motor.rotor_viscous.value != 0.0 || motor.rotor_coulomb.value != 0.0 {
            self.joint("that part of the friction is at the rotor of", joint);
        }
        if motor.axis.is_some() {
            self.joint("the direction of the rotor's axis of", joint);
        }
        self.friction(motor, joint);
    }

    /// Motors that turn with several joints, which no other format has.
    pub fn shaft(&mut self, link: &LinkDescription) {
        if link.shaft.is_some() {
            self.joint("the motor that turns with other joints as well (`shaft`), of", &link.joint.name);
        }
    }

    /// Springs and cylinders that hold a joint, which no other format has.
    pub fn balance(&mut self, link: &LinkDescription) {
        if link.balance.is_some() {
            self.joint("what holds it beside its motor (`balance`), of", &link.joint.name);
        }
    }

    /// What formats with viscous and Coulomb friction alone cannot say.
    fn friction(&mut self, motor: &MotorDescription, joint: &str) {
        let given = |term: Option<crate::model::Number>| term.is_some_and(|term| term.value != 0.0);
        if given(motor.root) {
            self.joint("the friction by the root of the speed (`root`) of", joint);
        }
        if given(motor.stribeck) {
            self.joint("the friction that falls with speed (`stribeck`) of", joint);
        }
        if given(motor.offset) {
            self.joint("the torque offset of", joint);
        }
        if !motor.hysteresis.is_empty() {
            self.joint("the hysteresis, which Coulomb friction now stands for, of", joint);
        }
        if motor.load.value != 0.0 {
            self.joint("the friction that rises with load (`load`) of", joint);
        }
    }

    /// The sentences.
    pub fn finish(self) -> Vec<String> {
        let sentence = |(what, kind, names): (String, &str, Vec<String>)| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            match &names[..] {
                [] => what,
                [name] => format!("{what} {kind} {name}"),
                several => format!("{what} {} {kind}s: {}", several.len(), shown(several)),
            }
        };
        self.0.into_iter().map(sentence).collect()
    }
}

fn shown(names: &[String]) -> String {
    match names.len() {
        count if count > TOLD => format!("{} and {} more", names[..TOLD].join(", "), count - TOLD),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn angles_of_a_rotation_give_it_back_also_where_two_axes_coincide() {
        let pitches = [-FRAC_PI_2, -FRAC_PI_2 + 1e-9, -1.0, 0.0, 0.3, FRAC_PI_2 - 1e-15, FRAC_PI_2 - 1e-8, FRAC_PI_2];
        for pitch in pitches {
            for roll in [-PI, -1.2, 0.0, 0.7, FRAC_PI_2] {
                for yaw in [-2.0, 0.0, 1e-9, 0.4, PI] {
                    let rotation = Rotation::from_rpy(roll, pitch, yaw);
                    let [r, p, y] = rotation.to_rpy();
                    let again = Rotation::from_rpy(r, p, y);
                    let differs = |(a, b): (&f64, &f64)| (a - b).abs();
                    let error =
                        rotation.0.as_flattened().iter().zip(again.0.as_flattened()).map(differs).fold(0.0, f64::max);
                    assert!(error < 2e-15, "{roll} {pitch} {yaw}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn sentences_name_what_they_are_about_and_fold() {
        let mut losses = Losses::default();
        losses.joint("the rotor of", "a");
        losses.link("the frame of", "b");
        (0..10).for_each(|i| losses.joint("the stiffness of", &format!("j{i}")));
        let told = losses.finish();
        assert_eq!(told[..2], ["the rotor of joint `a`", "the frame of link `b`"]);
        assert!(
            told[2].starts_with("the stiffness of 10 joints: `j0`, `j1`") && told[2].ends_with("and 2 more"),
            "{told:?}"
        );
    }
}
