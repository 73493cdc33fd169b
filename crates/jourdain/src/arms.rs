//! The built-in flexible arms: files of the folder `arms/`, embedded in the library.

use crate::flexible::BuiltArm;
use crate::formats::{self, ArmReading, Format};

/// A flexible arm that comes with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinArm {
    /// The name to load it by.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

/// All built-in flexible arms.
pub const ALL: &[BuiltinArm] =
    &[BuiltinArm { name: "two_link_flexible", text: include_str!("../../../arms/two_link_flexible.toml") }];

impl BuiltinArm {
    /// What comes of reading the file.
    #[must_use]
    pub fn read(&self) -> ArmReading {
        formats::read_arm_str(self.text, Format::Toml)
    }
}

/// The built-in arm of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static BuiltinArm> {
    ALL.iter().find(|arm| arm.name == name)
}

/// The built-in arm of that name, with its modes computed; `None` if there is none.
///
/// ```
/// let built = jourdain::arms::load("two_link_flexible").expect("a built-in arm");
/// assert_eq!((built.arm.joints(), built.arm.size()), (2, 6));
/// assert_eq!(format!("{:.2}", built.modes[1][1].frequency()), "15.91");
/// ```
#[must_use]
pub fn load(name: &str) -> Option<BuiltArm> {
    find(name)?.read().build(name).ok()
}
