//! The formats that robots are written in: one table.

use super::urdf::check_names;
use super::written::{Unwritable, Written};
use super::{ScrewNotation, to_dh, to_json, to_mjcf, to_screws, to_sdf, to_toml, to_urdf};
use crate::model::Description;
use crate::model::description::DhConvention;
use std::path::Path;

/// A format that robots are written in.
#[derive(Clone, Copy)]
pub struct Writer {
    /// Its name.
    pub name: &'static str,
    /// What the names of its files end in; none for what stands in files of another format.
    pub endings: &'static [&'static str],
    /// What it is, in a few words.
    pub about: &'static str,
    /// Whether it holds every term of a drive; otherwise viscous and Coulomb friction at most.
    pub keeps_drives: bool,
    write: fn(&Description, &WriteOptions) -> Result<Written, Unwritable>,
}

/// What some formats leave open.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteOptions {
    /// The convention of a Denavit–Hartenberg table.
    pub dh: DhConvention,
    /// How far a Denavit–Hartenberg table may be from the robot, m and rad.
    pub tolerance: f64,
    /// The link that a screw list leads to; by default the last.
    pub link: Option<String>,
    /// The notation of a screw list.
    pub screws: ScrewNotation,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { dh: DhConvention::Standard, tolerance: 1e-9, link: None, screws: ScrewNotation::Json }
    }
}

/// All formats.
pub const WRITERS: &[Writer] = &[
    Writer { name: "urdf", endings: &["urdf"], about: "URDF", keeps_drives: false, write: |robot, _| to_urdf(robot) },
    Writer {
        name: "mjcf",
        endings: &["xml", "mjcf"],
        about: "MJCF, the files of MuJoCo",
        keeps_drives: false,
        write: |robot, _| to_mjcf(robot),
    },
    Writer {
        name: "sdf",
        endings: &["sdf"],
        about: "SDF, the files of Gazebo",
        keeps_drives: false,
        write: |robot, _| check_names(robot).map(|()| to_sdf(robot)),
    },
    Writer {
        name: "toml",
        endings: &["toml"],
        about: "the native form in TOML",
        keeps_drives: true,
        write: |robot, _| Ok(Written { text: to_toml(robot), lost: Vec::new() }),
    },
    Writer {
        name: "json",
        endings: &["json"],
        about: "the native form in JSON",
        keeps_drives: true,
        write: |robot, _| Ok(Written { text: to_json(robot), lost: Vec::new() }),
    },
    Writer {
        name: "dh",
        endings: &[],
        about: "a Denavit–Hartenberg table, in the native form in TOML",
        keeps_drives: true,
        write: |robot, options| to_dh(robot, options.dh, options.tolerance).map(|(written, _)| written),
    },
    Writer {
        name: "screws",
        endings: &[],
        about: "a screw list with the matrices of Modern Robotics, in JSON or TOML",
        keeps_drives: true,
        write: |robot, options| to_screws(robot, options.link.as_deref(), options.screws),
    },
];

impl Writer {
    /// The format of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        WRITERS.iter().find(|writer| writer.name == name)
    }

    /// The format that a file name ends in.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<&'static Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        WRITERS.iter().find(|writer| writer.endings.contains(&ending.as_str()))
    }

    /// The robot in this format, with what the format cannot say.
    ///
    /// # Errors
    /// A robot that cannot be written in it.
    pub fn write(&self, robot: &Description, options: &WriteOptions) -> Result<Written, Unwritable> {
        (self.write)(robot, options)
    }
}
