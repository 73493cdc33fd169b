//! `info`: what a robot is made of.

use super::robots::Origin;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::snap::Snap;
use crate::text::style::{FAINT, HEADING};
use crate::text::{numbers, tree};
use jourdain::model::description::GROUND;
use jourdain::model::{Coordinate, Link, Model};
use jourdain::parameters::confirmed_count;
use jourdain::robots;
use jourdain::spatial::Vector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Show a robot: its tree of links, joints, masses and totals
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

impl Request {
    /// About the robot of that name, path or text.
    #[must_use]
    pub fn of(robot: &str) -> Self {
        Self { robot: Robot::of(robot), snap: Snap::default() }
    }
}

/// What a robot is made of.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// Its name.
    pub name: String,
    /// Degrees of freedom: numbers of the velocity.
    pub dof: usize,
    /// Numbers of the position `q`.
    pub nq: usize,
    /// All links, fixed ones too, in the order of `q`.
    pub links: Vec<LinkReport>,
    /// kg
    pub total_mass: f64,
    /// How many base parameters the dynamics has; null if two ways of counting them differ.
    pub base_parameters: Option<usize>,
    /// The numbers of `q`, in its order.
    pub coordinates: Vec<CoordinateReport>,
    /// The numbers of the velocity, in the order of `qd`.
    pub velocities: Vec<CoordinateReport>,
    /// The positions that the robot's file gives a name to.
    pub states: Vec<StateReport>,
    /// What was edited, a sentence each; left out if nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<String>,
    /// Where a built-in robot comes from; null for any other.
    pub origin: Option<Origin>,
    #[serde(skip)]
    model: Model<f64>,
}

/// A position with a name, which commands take for a state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StateReport {
    /// Its name.
    pub name: String,
    /// The numbers of `q`.
    pub q: Vec<f64>,
}

/// A number of the position or of the velocity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CoordinateReport {
    /// The joint's name in the file.
    pub joint: String,
    /// Which of its numbers; empty if it has one.
    pub part: String,
}

impl From<&Coordinate> for CoordinateReport {
    fn from(coordinate: &Coordinate) -> Self {
        Self { joint: coordinate.joint.clone(), part: coordinate.part.to_string() }
    }
}

/// A link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LinkReport {
    /// Its name.
    pub name: String,
    /// The link it is attached to; `base` is the ground.
    pub parent: String,
    /// How it is attached.
    pub joint: JointReport,
    /// Numbers of the velocity that are the joint's own: none for a coupled joint.
    pub dof: usize,
    /// Numbers of `q` that are the joint's own.
    pub nq: usize,
    /// kg
    pub mass: f64,
    /// Centre of mass in the link frame, m.
    pub com: [f64; 3],
    /// Inertia about the centre of mass in link axes: xx, xy, xz, yy, yz, zz, kg m².
    pub inertia: [f64; 6],
}

/// A joint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// `revolute`, `fixed`, …
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl Operation for Request {
    const NAME: &'static str = "info";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let (model, edits) = self.robot.load_edited(host)?;
        let model = self.snap.apply(model)?;
        let base_parameters = confirmed_count(&model);
        if base_parameters.is_none() {
            host.warn(format!(
                "the base parameters of {} could not be counted beyond doubt; `jourdain base-parameters` says more",
                model.name()
            ));
        }
        Ok(Report {
            name: model.name().to_owned(),
            dof: model.nv(),
            nq: model.nq(),
            links: model.links().iter().map(|link| link_report(&model, link)).collect(),
            total_mass: model.total_mass(),
            base_parameters,
            coordinates: model.coordinates().iter().map(CoordinateReport::from).collect(),
            velocities: model.velocities().iter().map(CoordinateReport::from).collect(),
            states: states(&model),
            edits,
            origin: robots::find(&self.robot.robot).map(Origin::of).transpose()?,
            model,
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let mut story = self.origin.as_ref().map_or(String::new(), |Origin { source, kind, quality }| {
            format!("{FAINT}{kind}, {quality}: {source}{FAINT:#}\n")
        });
        story.extend(self.edits.iter().map(|edit| format!("  edited: {edit}\n")));
        to_text(&self.model, self.base_parameters, &story)
    }
}

fn states(model: &Model<f64>) -> Vec<StateReport> {
    let report = |name: &str| Some(StateReport { name: name.to_owned(), q: model.named_position(name)? });
    model.state_names().filter_map(report).collect()
}

fn link_report(model: &Model<f64>, link: &Link<f64>) -> LinkReport {
    let (nq, dof) = numbers_of(link);
    let massive = link.inertia.mass != 0.0;
    let (com, inertia) = if massive { link.inertia.about_com() } else { (Vector::zero(), link.inertia.rotational) };
    LinkReport {
        name: link.name.clone(),
        parent: link.parent.map_or(GROUND, |parent| &model.links()[parent].name).to_owned(),
        joint: JointReport { name: link.joint_name.clone(), kind: link.joint.kind.name() },
        dof,
        nq,
        mass: link.inertia.mass,
        com: com.0,
        inertia: inertia.to_array(),
    }
}

/// How many numbers of `q` and of the velocity are the joint's own: none for a coupled joint.
fn numbers_of(link: &Link<f64>) -> (usize, usize) {
    if link.mimic.is_some() { (0, 0) } else { (link.joint.nq(), link.joint.nv()) }
}

/// The robot as people read it; `story` tells where it comes from and what was edited, a line each.
fn to_text(model: &Model<f64>, base_parameters: Option<usize>, story: &str) -> String {
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let [x, y, z] = model.gravity().0;
    let mut summary = vec![
        count(model.nv(), "degree of freedom", "degrees of freedom"),
        count(model.nq(), "position number", "position numbers"),
        count(model.links().len(), "link", "links"),
    ];
    summary.extend(base_parameters.map(|number| count(number, "base parameter", "base parameters")));
    summary.push(format!("{} kg", numbers::short(model.total_mass())));
    summary.push(format!("gravity {} {} {} m/s²", numbers::short(x), numbers::short(y), numbers::short(z)));
    let mut rows = vec![["link", "joint", "type", "q", "mass"].map(str::to_owned)];
    rows.push([GROUND, "", "", "", ""].map(str::to_owned));
    for (branch, link) in tree::draw(model) {
        let link = &model.links()[link];
        let joint = if link.joint_name == link.name { String::new() } else { link.joint_name.clone() };
        let mass =
            if link.inertia.mass == 0.0 { String::new() } else { format!("{} kg", numbers::short(link.inertia.mass)) };
        rows.push([
            format!("{branch}{}", link.name),
            joint,
            link.joint.kind.name().to_owned(),
            positions(model, link),
            mass,
        ]);
    }
    // A column that says nothing is left out.
    let used: Vec<_> = (0..5).filter(|&column| rows[1..].iter().any(|row| !row[column].is_empty())).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(|row| used.iter().map(|&column| row[column].as_str()).collect()).collect();
    let lines = numbers::align_left(&rows);
    let (header, body) =
        lines.split_first().map_or((String::new(), String::new()), |(header, body)| (header.clone(), body.join("\n")));
    let names: Vec<&str> = model.state_names().collect();
    let states =
        if names.is_empty() { String::new() } else { format!("\n{FAINT}states{FAINT:#} {}\n", names.join(", ")) };
    let heading = format!("{HEADING}{}{HEADING:#}: {}", model.name(), summary.join(", "));
    format!("{heading}\n{story}\n{FAINT}{header}{FAINT:#}\n{body}\n{states}")
}

/// Where the joint's numbers stand in `q`, or what it is coupled to.
fn positions(model: &Model<f64>, link: &Link<f64>) -> String {
    match (&link.mimic, numbers_of(link).0) {
        (Some(mimic), _) => {
            let leader = &model.links()[mimic.leader].joint_name;
            let offset = if mimic.offset == 0.0 { String::new() } else { format!(" {:+}", mimic.offset) };
            format!("{} {leader}{offset}", numbers::short(mimic.multiplier))
        }
        (None, 0) => String::new(),
        (None, 1) => format!("{}", link.q),
        (None, nq) => format!("{}–{}", link.q, link.q + nq - 1),
    }
}
