//! The built-in robots: native files of the folder `robots/`, embedded in the library.
//!
//! Each file opens with a comment that says where its numbers come from ("Source: …"); [`Builtin::source`] is that
//! sentence. Every serial robot ends in a fixed link named `tool`.

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

macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin { name: $name, text: include_str!(concat!("../../../robots/", $name, ".toml")) }),*]
    };
}

/// All built-in robots, in alphabetical order.
pub const ALL: &[Builtin] = embed![
    "floating_humanoid25",
    "humanoid25",
    "iiwa14",
    "iiwa14_elastic",
    "kuka_lwr",
    "panda",
    "planar2r",
    "planar2r_elastic",
    "planar3r_chang",
    "puma560",
    "rx90",
    "scara",
    "stanford",
    "ur5",
];

impl Builtin {
    /// Where the numbers come from: what follows "Source:" in the first paragraph of the file's comment.
    #[must_use]
    pub fn source(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let paragraph = comment.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        paragraph.split_once("Source:").map_or(String::new(), |(_, source)| source.trim().to_owned())
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
    fn every_robot_names_its_source() {
        for robot in ALL {
            let source = robot.source();
            assert!(source.len() > 10 && source.ends_with('.'), "{}: {source:?}", robot.name);
        }
    }

    #[test]
    fn every_serial_robot_ends_in_a_fixed_link_named_tool() {
        let mut serial = 0;
        for robot in ALL {
            let model = load(robot.name).unwrap();
            let links = model.links();
            if links.iter().enumerate().any(|(i, link)| link.parent != i.checked_sub(1)) {
                continue;
            }
            serial += 1;
            let last = links.last().unwrap();
            assert_eq!((last.name.as_str(), last.joint.kind), ("tool", JointType::Fixed), "{}", robot.name);
        }
        assert_eq!(serial, ALL.len() - 2, "all but the two humanoids are serial");
    }
}
