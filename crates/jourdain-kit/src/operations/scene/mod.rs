//! `scene`: a robot as it is drawn: where its links and joints are, what they weigh, how they are told apart.
//!
//! Poses at a position are the quantity `pose` of each link; everything here is the same for all positions, but for what is said
//! to be at zero. A flexible arm is drawn as it is when nothing bends.

mod arm;
pub(crate) mod layout;
pub mod shape;

pub(crate) use layout::limbs;

use super::check::Finding;
use super::info::CoordinateReport;
use crate::files::Memory;
use crate::host::{Access, Host};
use crate::listener::Listener;
use crate::operation::{self, AnyReport, Operation};
use crate::problem::Problem;
use crate::resolve::{Arm, Robot};
use crate::text::numbers;
use jourdain::flexible::ArmDescription;
use jourdain::model::description::GROUND;
use jourdain::model::{Link, Model, Motion, Screw};
use jourdain::spatial::{Symmetric, Vector};
use jourdain::{kinematics, robots};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shape::ShapeScene;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

/// Show what is needed to draw a robot: frames, axes, limits, masses, limbs and size
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,
}

/// A robot as it is drawn.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Gravitational acceleration in ground axes, m/s²: what is drawn as down.
    pub gravity: [f64; 3],
    /// All links, fixed ones too, in the order of `q`.
    pub links: Vec<LinkScene>,
    /// The numbers of `q`, in its order.
    pub coordinates: Vec<CoordinateReport>,
    /// The numbers of the velocity, in the order of `qd`.
    pub velocities: Vec<CoordinateReport>,
    /// The position with every joint at zero and every quaternion at the identity.
    pub neutral: Vec<f64>,
    /// The positions that the robot's file gives a name to.
    pub states: BTreeMap<String, Vec<f64>>,
    /// Everything that is wrong or doubtful about the robot, as `check` lists it.
    pub findings: Vec<Finding>,
    /// The links by limb: chains without a branch that moves, the trunk first.
    pub limbs: Vec<Vec<String>>,
    /// The diagonal of a box around the robot at zero, m.
    pub size: f64,
    /// True if all links move in parallel planes.
    pub planar: bool,
    /// The normal of those planes in ground axes.
    pub normal: Option<[f64; 3]>,
    /// What was edited, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<String>,
}

/// What a scene shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A tree of rigid links.
    Robot,
    /// A planar arm with flexible links, as it is when nothing bends.
    Arm,
}

/// A link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LinkScene {
    /// Its name.
    pub name: String,
    /// The link it is attached to; `base` is the ground.
    pub parent: String,
    /// How it is attached.
    pub joint: JointScene,
    /// kg
    pub mass: f64,
    /// Centre of mass in the link frame, m.
    pub com: [f64; 3],
    /// Inertia about the centre of mass in link axes, kg m².
    pub inertia: [[f64; 3]; 3],
    /// What shows it, as far as its file says.
    pub shapes: Vec<ShapeScene>,
    /// What bends, if it is a link of a flexible arm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam: Option<BeamScene>,
}

/// A beam along x.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct BeamScene {
    /// m
    pub length: f64,
    /// How many shapes it bends in; none if it is rigid.
    pub modes: usize,
}

/// A joint. Axes and points are in the link frame, where the joint is at zero.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointScene {
    /// Its name.
    pub name: String,
    /// `revolute`, `fixed`, …
    pub kind: &'static str,
    /// The axis that it turns about or slides along, the first of several; null for a joint without one.
    pub axis: Option<[f64; 3]>,
    /// A point of that axis, or the centre of a spherical joint, m.
    pub point: Option<[f64; 3]>,
    /// The motions that it is made of, one for each of its numbers; empty for spherical and free joints.
    pub motions: Vec<MotionScene>,
    /// The link frame in the parent frame with the joint at zero.
    pub origin: [[f64; 4]; 4],
    /// The place of its first number in `q`; null if it has none of its own, being fixed or coupled.
    pub coordinate: Option<usize>,
    /// How many numbers of `q` are its own.
    pub nq: usize,
    /// The place of its first number in the velocity; null if it has none of its own.
    pub column: Option<usize>,
    /// How many numbers of the velocity are its own.
    pub nv: usize,
    /// Lowest position, rad or m.
    pub lower: Option<f64>,
    /// Highest position, rad or m.
    pub upper: Option<f64>,
    /// Highest speed, rad/s or m/s.
    pub velocity: Option<f64>,
    /// Highest torque or force, N m or N.
    pub effort: Option<f64>,
    /// What it follows, if it is coupled to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mimic: Option<MimicScene>,
}

/// One motion of a joint.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct MotionScene {
    /// True if it slides along the axis, false if it turns about it.
    pub slides: bool,
    /// Unit direction.
    pub axis: [f64; 3],
    /// A point of the axis of a turn, m.
    pub point: [f64; 3],
    /// Travel along the axis per radian of a turn, m.
    pub pitch: f64,
}

/// A coupling: position = multiplier · position of the leader + offset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MimicScene {
    /// The leading joint.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Added, rad or m.
    pub offset: f64,
}

impl Operation for Request {
    const NAME: &'static str = "scene";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        match self.arm(host) {
            Some(arm) if self.robot == Robot::of(&self.robot.robot) => Ok(arm::scene(&arm)),
            Some(_) => {
                Err(Problem::usage(format!("`{}` is a flexible arm, and edits are for robots", arm_title(self))))
            }
            None => self.open(host).map(|(_, scene)| scene),
        }
    }
}

/// The scene of a request that is data together with the robot, for those who go on to move it.
///
/// # Errors
/// As [`operation::handle`].
pub fn open(request: Value, host: &dyn Host) -> Result<(Model<f64>, AnyReport), Problem> {
    let request: Request = operation::read(request)?;
    let listener = Listener::new(host, &Vec::new())?;
    if request.arm(host).is_some() {
        let message = format!("`{}` is a flexible arm, whose links bend", arm_title(&request));
        return Err(Problem::new("flexible-arm", message).hint("its operations are those of `flexible`"));
    }
    let (model, report) = request.open(&listener)?;
    Ok((model, AnyReport::new(report, listener.into_warnings())))
}

/// What an arm is called in messages.
fn arm_title(request: &Request) -> &str {
    request.robot.title()
}

impl Request {
    /// The flexible arm that is asked for, if it is one and no robot.
    fn arm(&self, host: &dyn Host) -> Option<ArmDescription> {
        let name = &self.robot.robot;
        // Standard input can be read but once.
        let may_be = robots::find(name).is_none() && !self.robot.is_stdin() && host.loaded(&self.robot).is_none();
        let (arm, _) = may_be.then(|| Arm::of(name).load(&Unheard(host)))?.ok()?;
        Some(arm)
    }

    fn open(&self, host: &dyn Host) -> Result<(Model<f64>, Report), Problem> {
        let (reading, edits) = self.robot.read_edited(host)?;
        let findings = reading.diagnostics.iter().map(Finding::from).collect();
        let model = Model::from(self.robot.accept(reading, host)?);
        let mut report = scene(&model, findings, edits);
        // A model has its description's links in the same order.
        for (link, given) in report.links.iter_mut().zip(&model.description().links) {
            link.shapes = shape::shapes(&given.shapes, &self.robot, host);
        }
        Ok((model, report))
    }
}

/// A host that is asked for files, and told nothing.
struct Unheard<'h>(&'h dyn Host);

impl Host for Unheard<'_> {
    fn permitted<'p>(&self, path: &'p str, access: Access) -> io::Result<Cow<'p, str>> {
        self.0.permitted(path, access)
    }

    fn memory(&self) -> Option<&Memory> {
        self.0.memory()
    }
}

fn scene(model: &Model<f64>, findings: Vec<Finding>, edits: Vec<String>) -> Report {
    let neutral = model.neutral::<f64>();
    let poses = kinematics::poses(model, &neutral);
    let normal = layout::normal(model, &poses);
    let states = model.state_names().filter_map(|name| Some((name.to_owned(), model.named_position(name)?)));
    Report {
        name: model.name().to_owned(),
        kind: Kind::Robot,
        gravity: model.gravity().0,
        links: model.links().iter().map(|link| link_scene(model, link)).collect(),
        coordinates: model.coordinates().iter().map(CoordinateReport::from).collect(),
        velocities: model.velocities().iter().map(CoordinateReport::from).collect(),
        states: states.collect(),
        findings,
        limbs: limbs(model),
        size: layout::size(model, &poses),
        planar: normal.is_some(),
        normal: normal.map(|normal| normal.0),
        neutral,
        edits,
    }
}

fn link_scene(model: &Model<f64>, link: &Link<f64>) -> LinkScene {
    let massive = link.inertia.mass != 0.0;
    let (com, inertia) = if massive { link.inertia.about_com() } else { (Vector::zero(), link.inertia.rotational) };
    LinkScene {
        name: link.name.clone(),
        parent: link.parent.map_or(GROUND, |parent| &model.links()[parent].name).to_owned(),
        joint: joint_scene(model, link),
        mass: link.inertia.mass,
        com: com.0,
        inertia: Symmetric::to_matrix(inertia),
        shapes: Vec::new(),
        beam: None,
    }
}

fn joint_scene(model: &Model<f64>, link: &Link<f64>) -> JointScene {
    let motions: Vec<MotionScene> = match &link.joint.motion {
        Motion::Product(screws) => screws.iter().map(MotionScene::from).collect(),
        Motion::Spherical { .. } | Motion::Free => Vec::new(),
    };
    let first = motions.first();
    let point = match &link.joint.motion {
        Motion::Product(_) => first.map(|motion| motion.point),
        Motion::Spherical { center } => Some(center.0),
        Motion::Free => None,
    };
    let moves = link.mimic.is_none() && link.joint.nv() > 0;
    let [lower, upper] = link.limits.position.map_or([None; 2], |limits| limits.map(Some));
    JointScene {
        name: link.joint_name.clone(),
        kind: link.joint.kind.name(),
        axis: first.map(|motion| motion.axis),
        point,
        origin: link.placement.to_matrix(),
        coordinate: moves.then_some(link.q),
        nq: if moves { link.joint.nq() } else { 0 },
        column: moves.then_some(link.v),
        nv: if moves { link.joint.nv() } else { 0 },
        lower,
        upper,
        velocity: link.limits.velocity,
        effort: link.limits.effort,
        mimic: link.mimic.as_ref().map(|mimic| MimicScene {
            joint: model.links()[mimic.leader].joint_name.clone(),
            multiplier: mimic.multiplier,
            offset: mimic.offset,
        }),
        motions,
    }
}

impl From<&Screw<f64>> for MotionScene {
    fn from(screw: &Screw<f64>) -> Self {
        match *screw {
            Screw::Rotation { axis, point, pitch } => Self { slides: false, axis: axis.0, point: point.0, pitch },
            Screw::Translation { axis } => Self { slides: true, axis: axis.0, point: [0.0; 3], pitch: 0.0 },
        }
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let moving = self.links.iter().filter(|link| link.joint.nv > 0).count();
        let planar = if self.planar { ", planar" } else { "" };
        let size = numbers::short(self.size);
        let mut text =
            format!("{}: {} links, {moving} joints that move, {size} m across{planar}\n", self.name, self.links.len());
        for (number, limb) in self.limbs.iter().enumerate() {
            text += &format!("  limb {}: {}\n", number + 1, limb.join(", "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Files;
    use serde_json::json;

    #[test]
    fn a_flexible_arm_is_shown_straight_and_is_no_robot_to_move() {
        let report = operation::handle("scene", json!({ "robot": "two_link_flexible" }), &Files).unwrap();
        let scene = report.to_json().unwrap();
        assert_eq!((&scene["kind"], &scene["planar"], &scene["size"]), (&json!("arm"), &json!(true), &json!(1.0)));
        let names: Vec<&str> =
            scene["coordinates"].as_array().unwrap().iter().map(|one| one["joint"].as_str().unwrap()).collect();
        assert_eq!(names, ["theta1", "theta2", "delta11", "delta12", "delta21", "delta22"]);
        let second = &scene["links"][1];
        assert_eq!((&second["parent"], &second["joint"]["origin"][0][3]), (&json!("link1"), &json!(0.5)));
        assert_eq!(second["beam"], json!({ "length": 0.5, "modes": 2 }));
        let problem = open(json!({ "robot": "two_link_flexible" }), &Files).err().unwrap();
        assert_eq!(problem.kind(), "flexible-arm");
        let edited = json!({ "robot": "two_link_flexible", "floating": true });
        assert_eq!(operation::handle("scene", edited, &Files).err().unwrap().kind(), "usage");
        let robot = operation::handle("scene", json!({ "robot": "planar2r" }), &Files).unwrap().to_json().unwrap();
        assert_eq!((&robot["kind"], robot["links"][0].get("beam")), (&json!("robot"), None));
    }
}
