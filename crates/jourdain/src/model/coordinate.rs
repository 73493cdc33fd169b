//! The numbers of a robot's position and velocity as values: which joint, which part of it, in which unit.
//!
//! The one text of a coordinate is the joint's name, and a point and the part where a joint has several numbers: `elbow`,
//! `pelvis.qw`, `pelvis.wx`, `wrist.2`. Parts of spherical and free joints have names, those of other joints numbers from 1,
//! in the order of their screws.
//!
//! Trap: a joint of one number may be called `pelvis.x`. A name that could be read as name and part, or that brackets or quotes
//! would break up, stands in quotes, as JSON writes a string; so no two coordinates of a robot have the same text.

use super::joint::{Motion, Screw};
use super::tree::Model;
use crate::unit::Unit;
use jourdain_symbolic::Constant;
use std::fmt;

/// Which number of its joint a coordinate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The only one.
    Whole,
    /// `x`, `y`, `z`: place of a free joint in axes of the parent.
    Place(usize),
    /// `qw`, `qx`, `qy`, `qz`: orientation of a spherical or free joint.
    Quaternion(usize),
    /// `vx`, `vy`, `vz`: velocity of a free joint in its own axes.
    Linear(usize),
    /// `wx`, `wy`, `wz`: angular velocity of a spherical or free joint in its own axes.
    Angular(usize),
    /// `1`, `2`, …: of a joint that is a product of screws, in their order; counted from 0 here.
    Number(usize),
}

const PLACE: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["qw", "qx", "qy", "qz"];
const LINEAR: [&str; 3] = ["vx", "vy", "vz"];
const ANGULAR: [&str; 3] = ["wx", "wy", "wz"];

impl Part {
    fn parse(text: &str) -> Option<Self> {
        let find = |names: &[&str]| names.iter().position(|name| *name == text);
        let number = || {
            let digits = !text.starts_with(['0', '+']);
            text.parse::<usize>().ok().filter(|number| digits && *number > 0).map(|number| Self::Number(number - 1))
        };
        find(&PLACE)
            .map(Self::Place)
            .or_else(|| find(&QUATERNION).map(Self::Quaternion))
            .or_else(|| find(&LINEAR).map(Self::Linear))
            .or_else(|| find(&ANGULAR).map(Self::Angular))
            .or_else(number)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole => Ok(()),
            Self::Place(i) => f.write_str(PLACE[i]),
            Self::Quaternion(i) => f.write_str(QUATERNION[i]),
            Self::Linear(i) => f.write_str(LINEAR[i]),
            Self::Angular(i) => f.write_str(ANGULAR[i]),
            Self::Number(i) => write!(f, "{}", i + 1),
        }
    }
}

/// What a coordinate is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordinateKind {
    /// Of the position, `q`.
    Position,
    /// Of the velocity, `qd`, and of all that has its shape: accelerations, torques.
    Velocity,
}

/// A number of a robot's position or velocity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Coordinate {
    /// The link that the joint moves.
    pub link: usize,
    /// The joint's name in the robot file.
    pub joint: String,
    /// Which of the joint's numbers.
    pub part: Part,
    /// Of the position or of the velocity.
    pub quantity: CoordinateKind,
    /// Unit of the position, [`Unit::ONE`] for a part of a quaternion; see [`rate`](Self::rate).
    pub unit: Unit,
}

impl Coordinate {
    /// The unit of its derivative of that order by time: `rad/s`, `m/s²`.
    #[must_use]
    pub fn rate(&self, order: i16) -> Unit {
        self.unit.seconds(-order)
    }

    /// The unit of what drives it: N m, or N where it is a length.
    #[must_use]
    pub fn effort(&self) -> Unit {
        Unit::NEWTON.metres(if self.unit == Unit::METRE { 0 } else { 1 })
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain_name(&self.joint))?;
        match self.part {
            Part::Whole => Ok(()),
            part => write!(f, ".{part}"),
        }
    }
}

/// A name as it stands in texts with a structure of their own: in quotes where it could be taken for more than a name.
#[must_use]
pub fn plain_name(name: &str) -> std::borrow::Cow<'_, str> {
    let parted = name.rsplit_once('.').is_some_and(|(_, part)| Part::parse(part).is_some());
    let breaks = |c: char| matches!(c, '"' | '[' | ']') || c.is_control();
    if name.is_empty() || parted || name.contains(breaks) || name.trim() != name {
        serde_json::Value::from(name).to_string().into()
    } else {
        name.into()
    }
}

impl<T: Constant> Model<T> {
    /// The numbers of `q`, in its order.
    #[must_use]
    pub fn coordinates(&self) -> Vec<Coordinate> {
        self.numbers(CoordinateKind::Position, |motion| match motion {
            Motion::Product(screws) => of_screws(screws),
            Motion::Spherical { .. } => (0..4).map(|i| (Part::Quaternion(i), Unit::ONE)).collect(),
            Motion::Free => {
                let place = (0..3).map(|i| (Part::Place(i), Unit::METRE));
                place.chain((0..4).map(|i| (Part::Quaternion(i), Unit::ONE))).collect()
            }
        })
    }

    /// The numbers of the velocity, in its order; accelerations and torques have the same.
    #[must_use]
    pub fn velocities(&self) -> Vec<Coordinate> {
        let turning = || (0..3).map(|i| (Part::Angular(i), Unit::RADIAN));
        self.numbers(CoordinateKind::Velocity, |motion| match motion {
            Motion::Product(screws) => of_screws(screws),
            Motion::Spherical { .. } => turning().collect(),
            Motion::Free => (0..3).map(|i| (Part::Linear(i), Unit::METRE)).chain(turning()).collect(),
        })
    }

    fn numbers(&self, quantity: CoordinateKind, parts: impl Fn(&Motion<T>) -> Vec<(Part, Unit)>) -> Vec<Coordinate> {
        let own = self.links().iter().enumerate().filter(|(_, link)| link.mimic.is_none());
        own.flat_map(|(index, link)| {
            let joint = &link.joint_name;
            let number = |(part, unit)| Coordinate { link: index, joint: joint.clone(), part, quantity, unit };
            parts(&link.joint.motion).into_iter().map(number).collect::<Vec<_>>()
        })
        .collect()
    }
}

fn of_screws<T: Constant>(screws: &[Screw<T>]) -> Vec<(Part, Unit)> {
    let single = screws.len() == 1;
    let number = |(i, screw): (usize, &Screw<T>)| {
        let unit = match screw {
            Screw::Rotation { .. } => Unit::RADIAN,
            Screw::Translation { .. } => Unit::METRE,
        };
        (if single { Part::Whole } else { Part::Number(i) }, unit)
    };
    screws.iter().enumerate().map(number).collect()
}

/// The units of coordinates, each once, at that order of derivative: `rad`, `m/s, rad/s`; parts of quaternions have none.
#[must_use]
pub fn units(coordinates: &[Coordinate], order: i16) -> String {
    let mut units: Vec<String> = Vec::new();
    for coordinate in coordinates.iter().filter(|coordinate| coordinate.unit != Unit::ONE) {
        let unit = coordinate.rate(order).to_string();
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    units.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, Format};
    use crate::robots;
    use std::collections::HashSet;

    #[test]
    fn every_number_has_a_name_and_a_unit() {
        let model = robots::load("floating_humanoid25").unwrap();
        let (q, w) = (model.coordinates(), model.velocities());
        assert_eq!((q.len(), w.len()), (model.nq(), model.nv()));
        let texts = |all: &[Coordinate], count: usize| -> Vec<String> {
            all[..count].iter().map(ToString::to_string).collect()
        };
        let of = |parts: &[&str]| -> Vec<String> { parts.iter().map(|part| format!("pelvis.{part}")).collect() };
        assert_eq!(texts(&q, 7), of(&["x", "y", "z", "qw", "qx", "qy", "qz"]));
        assert_eq!(texts(&w, 6), of(&["vx", "vy", "vz", "wx", "wy", "wz"]));
        assert_eq!((q[7].to_string().as_str(), q[7].part), ("torso", Part::Whole));
        assert_eq!((units(&q, 0).as_str(), units(&w, 1).as_str()), ("m, rad", "m/s, rad/s"));
    }

    #[test]
    fn joints_of_screws_count_their_numbers_and_coupled_ones_have_none() {
        let text = r#"{"name": "r", "link": [
            {"name": "a", "mass": 1, "joint": {"type": "cylindrical", "name": "c"}},
            {"name": "b", "mass": 1, "joint": {"type": "prismatic", "name": "s"}},
            {"name": "d", "mass": 1, "joint": {"type": "prismatic", "mimic": {"joint": "s"}}}]}"#;
        let reading = formats::read_str(text, Format::Json);
        let model = Model::from_description(&reading.description.unwrap()).unwrap();
        let found: Vec<_> = model.coordinates().iter().map(|c| (c.to_string(), c.unit.to_string())).collect();
        assert_eq!(found.len(), 3);
        assert_eq!(found[2], ("s".to_owned(), "m".to_owned()));
        assert_eq!(
            (model.velocities()[2].rate(2).to_string().as_str(), model.velocities()[2].effort()),
            ("m/s²", Unit::NEWTON)
        );
        assert_eq!([found[0].0.as_str(), found[1].0.as_str()], ["c.1", "c.2"]);
        assert_eq!(HashSet::from([found[0].1.as_str(), found[1].1.as_str()]), HashSet::from(["rad", "m"]));
    }

    #[test]
    fn names_that_look_like_more_stand_in_quotes() {
        for name in ["elbow", "left arm", "ellenbogen, links", "肘", "a.b", "joint.01", "v1.0", "q;\t".trim()] {
            assert_eq!(plain_name(name), name);
        }
        for (name, text) in [
            ("pelvis.x", r#""pelvis.x""#),
            ("arm.2", r#""arm.2""#),
            ("a\"b", r#""a\"b""#),
            ("a]", r#""a]""#),
            ("a\nb", r#""a\nb""#),
            (" a", r#"" a""#),
            ("", r#""""#),
        ] {
            assert_eq!(plain_name(name), text);
        }
    }
}
