//! What robot files and checks need to know of a type of joint.

use super::{JointKind, JointType};
use crate::model::number::Number;

/// A type of joint in robot files. Each joint's file has one.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The type's name.
    pub name: &'static str,
    /// Another name of the type.
    pub alias: Option<&'static str>,
    /// The keys of its geometry.
    pub keys: &'static [&'static str],
    /// Those without which the joint is not described.
    pub required: &'static [&'static str],
    /// The joint with all keys left out.
    pub default: fn() -> JointKind,
    /// What may turn without end and so is asked for its limits.
    pub wants_limits: bool,
    /// A row of a Denavit–Hartenberg table sets its geometry, so that a file may not.
    pub set_by_dh: bool,
    /// It moves about or along one axis, so that the standard Denavit–Hartenberg convention has a place for it.
    pub has_one_axis: bool,
}

impl Facts {
    /// What most types have in common.
    pub(super) const fn new(name: &'static str, keys: &'static [&'static str], default: fn() -> JointKind) -> Self {
        Self {
            name,
            alias: None,
            keys,
            required: &[],
            default,
            wants_limits: false,
            set_by_dh: true,
            has_one_axis: false,
        }
    }

    /// The type of that name or alias.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        JointType::ALL.iter().map(|kind| kind.facts()).find(|facts| facts.name == name || facts.alias == Some(name))
    }

    /// All names that files may use.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        JointType::ALL.iter().flat_map(|kind| [Some(kind.facts().name), kind.facts().alias]).flatten().collect()
    }
}

/// A part of a joint's description.
#[derive(Debug)]
pub enum Given<'a> {
    /// A direction, of any length.
    Axis(&'a mut [Number; 3]),
    /// A point, m.
    Point(&'a mut [Number; 3]),
    /// Travel per radian, m/rad.
    Pitch(&'a mut Number),
}

impl Given<'_> {
    /// The numbers.
    #[must_use]
    pub fn numbers(&self) -> &[Number] {
        match self {
            Self::Axis(numbers) | Self::Point(numbers) => &**numbers,
            Self::Pitch(number) => std::slice::from_ref(number),
        }
    }
}

/// Something wrong with a joint's description. The message goes on after the name of the joint, as in "the joint `a` …".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The key it stands under.
    pub key: &'static str,
    /// The code of the finding.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
    /// The joint works all the same.
    pub is_warning: bool,
}

pub(super) const X: [Number; 3] = [Number::ONE, Number::ZERO, Number::ZERO];
pub(super) const Y: [Number; 3] = [Number::ZERO, Number::ONE, Number::ZERO];
pub(super) const Z: [Number; 3] = [Number::ZERO, Number::ZERO, Number::ONE];
pub(super) const ORIGIN: [Number; 3] = [Number::ZERO; 3];
