//! Edits of a robot: a description in, a description out, and in words what became of it.
//!
//! An edit works on names and numbers of the description, never on a model, so that an edited robot is judged, lowered and
//! written like any other. Trap: an edit may be asked of a robot that nothing has checked; what does not hold there, an
//! unknown parent say, is left for the check to find.

mod cut;
mod error;
mod floating;
mod lock;
mod motor;
mod mount;
mod names;
mod payload;
mod placing;

pub use error::EditError;
pub use payload::Payload;

use super::description::{Description, MotorDescription};
use super::number::Number;

/// One change of a robot. Links and joints are named as in its description; a joint may be named by its link as well.
// A command has a handful of edits: their size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Keeps the chains from the ground to these links, the links included, and nothing else.
    Only {
        /// The links that chains end in.
        links: Vec<String>,
    },
    /// Takes a link away with its joint and everything that it carries.
    Without {
        /// The link.
        link: String,
    },
    /// Mounts another robot on a link: what stands on the ground there stands on the link here, in the same place of its frame.
    /// Names that are taken get the other robot's name in front.
    Tool {
        /// The other robot. Its gravity and its named states do not count.
        robot: Box<Description>,
        /// Where it is mounted; without it on the link called `tool`, or else on the only link that carries none.
        link: Option<String>,
    },
    /// Lets the base float: `q` starts with the pose of what was the frame of the ground. The one link that is welded there, in that
    /// frame, gets a free joint; if there are several, or if a joint or another frame comes first, a link `floating_base` without
    /// mass carries them.
    Floating,
    /// Welds to the ground what stands on it by a free joint, at the joint's zero.
    Fixed,
    /// Gives joints motors in place of those that they have.
    Motors {
        /// Joints with their motors; one that does nothing takes the motor away.
        motors: Vec<(String, MotorDescription)>,
    },
    /// Multiplies mass, first moments and inertia of a link, or of all; motors stay as they are.
    ScaleInertia {
        /// The link; without it all of them.
        link: Option<String>,
        /// The factor, positive.
        factor: Number,
    },
    /// Adds a body to a link, which then weighs as much as both.
    Payload {
        /// The link.
        link: String,
        /// The body, in the link frame.
        payload: Payload,
    },
    /// Welds a joint where it stands, and with it every joint that follows it. Its links keep their names and frames.
    Lock {
        /// The joint; none that follows another.
        joint: String,
        /// Its numbers of `q`, rad and m, quaternions of any length; none at all for its zero.
        position: Vec<Number>,
    },
    /// Takes friction of every kind away, of links and of rotors. The damping of a spring and torque offsets stay.
    NoFriction,
    /// Another gravitational acceleration.
    Gravity {
        /// In ground axes, m/s².
        gravity: [Number; 3],
    },
}

/// A robot after its edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The robot, not yet checked.
    pub description: Description,
    /// What was done, one line for each edit.
    pub done: Vec<String>,
    /// What may not be meant.
    pub warnings: Vec<String>,
}

impl Description {
    /// The robot with these edits, one after the other.
    ///
    /// ```
    /// use jourdain::model::{Edit, Model, Number};
    ///
    /// let arm = jourdain::robots::find("puma560").and_then(|robot| robot.read().description).unwrap();
    /// let lock = Edit::Lock { joint: "link5".to_owned(), position: vec![Number::from(0.5)] };
    /// let edited = arm.into_description().edit(&[lock])?;
    /// assert_eq!(edited.done, ["joint `link5` locked at 0.5 rad"]);
    /// assert_eq!(Model::from_description(&edited.description)?.nv(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first edit that cannot be: a link or joint that is not there, a number that makes no sense.
    pub fn edit(self, edits: &[Edit]) -> Result<Edited, EditError> {
        let mut edited = Edited { description: self, done: Vec::new(), warnings: Vec::new() };
        for edit in edits {
            edited.apply(edit)?;
            motor::keep_shafts(&mut edited);
        }
        Ok(edited)
    }
}

impl Edited {
    fn apply(&mut self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Only { links } => cut::only(self, links),
            Edit::Without { link } => cut::without(self, link),
            Edit::Tool { robot, link } => mount::mount(self, robot, link.as_deref()),
            Edit::Floating => {
                floating::float(self);
                Ok(())
            }
            Edit::Fixed => {
                floating::fix(self);
                Ok(())
            }
            Edit::Motors { motors } => motor::replace(self, motors),
            Edit::ScaleInertia { link, factor } => payload::scale(self, link.as_deref(), *factor),
            Edit::Payload { link, payload } => payload::add(self, link, payload),
            Edit::Lock { joint, position } => lock::lock(self, joint, position),
            Edit::NoFriction => {
                motor::take_friction(self);
                Ok(())
            }
            Edit::Gravity { gravity } => {
                let [x, y, z] = gravity.map(|x| x.value);
                self.description.gravity = *gravity;
                self.say(format!("gravity {x} {y} {z} m/s²"));
                Ok(())
            }
        }
    }

    fn say(&mut self, what: impl Into<String>) {
        self.done.push(what.into());
    }

    fn warn(&mut self, what: impl Into<String>) {
        self.warnings.push(what.into());
    }
}
