//! What a motion keeps clear of: the ground, and the robot's own links.

use crate::files;
use crate::host::Host;
use crate::operations::scene::shape::locate;
use crate::problem::Problem;
use crate::resolve::Robot;
use jourdain::Model;
use jourdain::formats::{mesh_points, suggest};
use jourdain::identify::excite::{Bounds, Clearance, Near, Surroundings};
use jourdain::spatial::Vector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Largest file of a mesh, bytes.
const MAX_MESH: usize = 1 << 28;

/// What to keep clear of.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Clear {
    /// Height of the ground above the origin, m; links keep clear of it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "Z", allow_negative_numbers = true))]
    pub ground: Option<f64>,

    /// Least distance to the ground and between links, m
    #[serde(default = "clearance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", default_value_t = clearance(), allow_negative_numbers = true))]
    pub clearance: f64,

    /// Radius of links without shapes, m: they are taken for rods from joint to joint
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", allow_negative_numbers = true))]
    pub radius: Option<f64>,

    /// Two links that may touch
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LINK,LINK"))]
    pub may_touch: Vec<String>,

    /// Do not look at distances between links
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_collisions: bool,
}

fn clearance() -> f64 {
    0.01
}

/// What comes nearest along the motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Nearest {
    /// A link.
    pub link: String,
    /// The other; null for the ground.
    pub other: Option<String>,
    /// Distance, m.
    pub distance: f64,
}

impl Nearest {
    pub(super) fn of(model: &Model<f64>, near: &Near) -> Self {
        let name = |link: usize| model.links()[link].name.clone();
        Self { link: name(near.link), other: near.other.map(name), distance: near.distance }
    }
}

impl Clear {
    /// The capsules of a robot, and what is worth knowing about them.
    pub(super) fn around(
        &self,
        robot: &Robot,
        model: &Model<f64>,
        bounds: &[Bounds],
        host: &dyn Host,
    ) -> Result<(Option<Clearance>, Option<String>), Problem> {
        if !(self.clearance >= 0.0 && self.clearance.is_finite()) {
            return Err(Problem::usage("--clearance is a distance of zero or more"));
        }
        if self.radius.is_some_and(|radius| !(radius > 0.0 && radius.is_finite())) {
            return Err(Problem::usage("--radius is a number above zero"));
        }
        if self.ground.is_some_and(|ground| !ground.is_finite()) {
            return Err(Problem::usage("--ground is a height"));
        }
        let around = Surroundings {
            ground: self.ground,
            between_links: !self.no_collisions,
            margin: self.clearance,
            radius: self.radius,
            ignored: self.may_touch.iter().map(|pair| touching(pair, model)).collect::<Result<_, _>>()?,
        };
        if self.no_collisions && self.ground.is_none() {
            return Ok((None, Some("distances between links are not looked at".to_owned())));
        }
        let clearance = Clearance::new(model, bounds, &around, |uri| points(uri, robot, host));
        let unseen = clearance.unseen().join(", ");
        if unseen.is_empty() {
            return Ok((Some(clearance), None));
        }
        if self.ground.is_some() {
            let message = format!("links without shapes cannot be kept above the ground: {unseen}");
            return Err(Problem::usage(message).hint("--radius 0.05 takes them for rods of that radius"));
        }
        let notice = format!("links without shapes may touch others, unless --radius is given: {unseen}");
        Ok((Some(clearance), Some(notice)))
    }
}

fn touching(pair: &str, model: &Model<f64>) -> Result<[usize; 2], Problem> {
    let (one, other) =
        pair.split_once(',').ok_or_else(|| Problem::usage(format!("--may-touch takes LINK,LINK, not `{pair}`")))?;
    let index = |name: &str| {
        model.link_index(name.trim()).ok_or_else(|| {
            let known: Vec<&str> = model.links().iter().map(|link| link.name.as_str()).collect();
            Problem::new("unknown-link", format!("the robot has no link `{name}`")).hint(suggest::hint(name, &known))
        })
    };
    Ok([index(one)?, index(other)?])
}

/// The points of a mesh, if there is a file that can be read.
fn points(uri: &str, robot: &Robot, host: &dyn Host) -> Option<Vec<Vector<f64>>> {
    let path = locate(uri, robot, host)?;
    let bytes = files::read(Path::new(&path), host).ok().filter(|bytes| bytes.len() <= MAX_MESH)?;
    mesh_points(&path, &bytes).ok()
}
