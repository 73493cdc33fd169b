//! The built-in robots: native files of the folder `robots/`, embedded in the library.
//!
//! Each file opens with a comment that says where its numbers come from ("Source: …"), what it is ("Kind: …") and how its
//! inertias were found ("Quality: …"); [`Builtin`] tells what these sentences say. Every arm ends in a fixed link named
//! `tool`; robots with legs stand on a free joint.

use crate::formats::{self, Format, Reading};
use crate::model::Model;

/// A robot that comes with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// The name to load it by.
    pub name: &'static str,
    /// Its robot file.
    pub text: &'static str,
}

/// What a built-in robot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An arm on a base.
    Arm,
    /// Four legs or two.
    Legged,
    /// Legs, arms and a torso.
    Humanoid,
    /// A mechanism to try methods on.
    Test,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Arm, Self::Legged, Self::Humanoid, Self::Test];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arm => "arm",
            Self::Legged => "legged",
            Self::Humanoid => "humanoid",
            Self::Test => "test",
        }
    }
}

/// How the masses, centres of mass and inertias of a built-in robot were found; the least sure way where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// On the parts of a robot: weighed, balanced, swung.
    Measured,
    /// From torques along motions.
    Identified,
    /// From drawings, by the maker.
    Cad,
    /// Made up, or simple on purpose.
    Assumed,
}

impl Quality {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Measured, Self::Identified, Self::Cad, Self::Assumed];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Identified => "identified",
            Self::Cad => "CAD",
            Self::Assumed => "assumed",
        }
    }
}

/// What the comments of robot files say, each up to the next.
const LABELS: [&str; 3] = ["Source:", "Kind:", "Quality:"];

macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin { name: $name, text: include_str!(concat!("../../../robots/", $name, ".toml")) }),*]
    };
}

/// All built-in robots, in alphabetical order.
pub const ALL: &[Builtin] = embed![
    "a1",
    "acrobot",
    "anymal_b",
    "cart_pole",
    "floating_humanoid25",
    "fr3",
    "g1",
    "go2",
    "humanoid25",
    "hyq",
    "iiwa14",
    "iiwa14_elastic",
    "kinova_gen3",
    "kuka_lwr",
    "panda",
    "planar2r",
    "planar2r_elastic",
    "planar3r_chang",
    "puma560",
    "rx90",
    "sawyer",
    "scara",
    "so101",
    "solo12",
    "stanford",
    "talos",
    "ur3e",
    "ur5",
    "ur5e",
    "xarm7",
    "z1",
];

impl Builtin {
    /// Where the numbers come from.
    #[must_use]
    pub fn source(&self) -> String {
        self.says(LABELS[0])
    }

    /// What it is; `None` if the file does not say.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        let said = self.says(LABELS[1]);
        Kind::ALL.into_iter().find(|kind| said.trim_end_matches('.') == kind.name())
    }

    /// How its inertias were found; `None` if the file does not say.
    #[must_use]
    pub fn quality(&self) -> Option<Quality> {
        let said = self.says(LABELS[2]);
        Quality::ALL.into_iter().find(|quality| said.trim_end_matches('.') == quality.name())
    }

    /// What follows the label in the first paragraph of the file's comment, up to the next label.
    fn says(&self, label: &str) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let paragraph = comment.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let Some((_, said)) = paragraph.split_once(label) else { return String::new() };
        let end = LABELS.iter().filter_map(|label| said.find(label)).min().unwrap_or(said.len());
        said[..end].trim().to_owned()
    }

    /// What comes of reading the file, as for a file of the user's.
    #[must_use]
    pub fn read(&self) -> Reading {
        formats::read_str(self.text, Format::Toml)
    }
}

/// The built-in robot of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|robot| robot.name == name)
}

/// The model of the built-in robot of that name; `None` if there is none.
///
/// ```
/// let puma = jourdain::robots::load("puma560").expect("a built-in robot");
/// assert_eq!(puma.nv(), 6);
/// assert!(jourdain::robots::load("puma561").is_none());
/// ```
#[must_use]
pub fn load(name: &str) -> Option<Model<f64>> {
    find(name)?.read().description.map(Model::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::JointType;

    #[test]
    fn every_file_of_the_folder_is_embedded_in_alphabetical_order() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = files.filter_map(|file| file.strip_suffix(".toml").map(str::to_owned)).collect();
        names.sort();
        assert_eq!(ALL.iter().map(|robot| robot.name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn every_robot_loads_without_error_and_is_called_as_its_file() {
        for robot in ALL {
            let reading = robot.read();
            assert!(reading.is_ok(), "{}: {:?}", robot.name, reading.diagnostics);
            assert_eq!(load(robot.name).unwrap().name(), robot.name);
        }
    }

    #[test]
    fn every_robot_names_its_source_kind_and_quality() {
        for robot in ALL {
            let source = robot.source();
            assert!(source.len() > 10 && source.ends_with('.'), "{}: {source:?}", robot.name);
            assert!(LABELS.iter().all(|label| !source.contains(label)), "{}: {source:?}", robot.name);
            assert!(robot.kind().is_some() && robot.quality().is_some(), "{}", robot.name);
        }
        let panda = find("panda").unwrap();
        assert_eq!((panda.kind(), panda.quality()), (Some(Kind::Arm), Some(Quality::Identified)));
        for kind in Kind::ALL {
            assert!(ALL.iter().filter(|robot| robot.kind() == Some(kind)).count() >= 3, "{kind:?}");
        }
    }

    #[test]
    fn every_arm_ends_in_a_fixed_link_named_tool() {
        for robot in ALL {
            if matches!(robot.kind(), Some(Kind::Arm | Kind::Test)) {
                let model = load(robot.name).unwrap();
                let last = model.links().last().unwrap();
                assert_eq!((last.name.as_str(), last.joint.kind), ("tool", JointType::Fixed), "{}", robot.name);
            }
        }
    }

    #[test]
    fn every_robot_with_legs_is_free_to_move() {
        for robot in ALL {
            // `humanoid25` is the humanoid whose pelvis is held.
            if matches!(robot.kind(), Some(Kind::Legged | Kind::Humanoid)) && robot.name != "humanoid25" {
                assert_eq!(load(robot.name).unwrap().links()[0].joint.kind, JointType::Free, "{}", robot.name);
            }
        }
    }
}
