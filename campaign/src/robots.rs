//! Random robots: every quantity by the fast formulas against the closed forms, against machine code and the tape, and against
//! Pinocchio and MuJoCo.
//!
//! The seed says what the robot is for: 0 mod 4 has all joint types there are, 1 and 3 mod 4 those of MJCF, and 2 mod 4 is written
//! as URDF and read again.
//!
//! The measure of an error is the largest difference over the largest number, or over one; where M is inverted, that over the
//! condition number of M.

use crate::common::error;
use crate::common::random_tree::{Random, Shape, random_description, random_state};
use crate::peer::{Given, Peer};
use crate::stage::{Setup, Worker};
use crate::tally::Tally;
use jourdain::compile::CompiledModel;
use jourdain::derive::DeriveOptions;
use jourdain::formats::{self, Format, to_json, to_mjcf, to_urdf};
use jourdain::model::description::{Description, JointKind, ScrewKind};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};
use jourdain_symbolic::Compiled;
use nalgebra::DMatrix;
use serde_json::{Value, json};

pub const LIMIT: f64 = 1e-11;
/// Most elements of a quantity that is compiled for one robot.
const MOST_COMPILED: usize = 150;

/// Every so many robots have all quantities compared here, and some compiled; the others have those that a peer has too.
const ALL_EVERY: u64 = 5;
/// What a peer computes as well.
const SHARED: &[&str] = &[
    "pose",
    "jacobian",
    "body_jacobian",
    "jacobian_dot",
    "twist",
    "acceleration",
    "spatial_acceleration",
    "com",
    "com_jacobian",
    "com_jacobian_dot",
    "centroidal_matrix",
    "centroidal_matrix_dot",
    "centroidal_momentum",
    "mass_matrix",
    "mass_matrix_dot",
    "mass_matrix_dq",
    "mass_matrix_inverse",
    "mass_matrix_inverse_dq",
    "coriolis_christoffel",
    "gravity",
    "gravity_dot",
    "gravity_dq",
    "external_forces",
    "bias",
    "inverse_dynamics",
    "inverse_dynamics_dot",
    "inverse_dynamics_dq",
    "inverse_dynamics_dqd",
    "forward_dynamics",
    "forward_dynamics_dq",
    "forward_dynamics_dqd",
    "regressor",
    "kinetic_energy",
    "potential_energy",
];

/// A robot with its state.
pub struct Sample {
    pub description: Description,
    pub model: Model,
    pub state: State,
    /// The link that quantities of a link belong to.
    pub link: usize,
    pub urdf: String,
    pub mjcf: String,
}

impl Sample {
    /// The robot of a seed.
    pub fn new(seed: u64) -> Result<Self, String> {
        let mut random = Random::new(seed ^ 0xca3b_a1e0_0000_0000);
        let most = if seed % 64 == 63 { 20 } else { 8 };
        let shape = Shape::random(&mut random, most);
        let mut description = random_description(shape, &mut random);
        let (mut urdf, mut mjcf) = (String::new(), String::new());
        match seed % 4 {
            0 => {}
            2 => {
                for link in &mut description.links {
                    // What URDF has no joint for turns about its first axis.
                    let written = matches!(
                        link.joint.kind,
                        JointKind::Fixed | JointKind::Revolute { .. } | JointKind::Prismatic { .. } | JointKind::Free
                    );
                    if !written && !matches!(link.joint.kind, JointKind::Planar { .. }) {
                        link.joint.kind = revolute(&link.joint.kind);
                    }
                }
                urdf = to_urdf(&description).map_err(|error| error.message)?.text;
                let reading = formats::read_str(&urdf, Format::Urdf);
                let read = reading.description.ok_or_else(|| format!("URDF: {:?}", reading.diagnostics))?;
                description = read.into_description();
            }
            _ => {
                let ground = |link: &str| link == jourdain::model::description::GROUND;
                for link in &mut description.links {
                    let inside = !ground(&link.parent);
                    for_mjcf(&mut link.joint.kind, inside);
                }
                let written = to_mjcf(&description).map_err(|error| error.message)?;
                if !written.lost.iter().any(|sentence| sentence.contains("MuJoCo refuses the file")) {
                    mjcf = written.text;
                }
            }
        }
        let model = Model::from_description(&description).map_err(|error| error.to_string())?;
        let mut state = random_state(&model, &mut random);
        let link = random.below(model.links().len());
        state.derivatives = vec![random.vector(model.nv(), 1.0), random.vector(model.nv(), 1.0)];
        Ok(Self { description, model, state, link, urdf, mjcf })
    }

    /// The state as a file has it.
    pub fn state_json(&self) -> Value {
        let state = &self.state;
        let wrench = |load: &jourdain::state::LinkWrench<f64>| {
            let numbers = load.wrench.to_array();
            json!({ "link": self.model.links()[load.link].name, "force": numbers[..3], "moment": numbers[3..] })
        };
        json!({
            "q": state.q, "qd": state.qd, "qdd": state.qdd, "qddd": state.qddd, "tau": state.tau,
            "wrenches": state.wrenches.iter().map(wrench).collect::<Vec<_>>(),
        })
    }
}

/// A rotation about the first axis of a joint, through its point.
fn revolute(kind: &JointKind) -> JointKind {
    let (axis, point) = match kind {
        JointKind::Helical { axis, point, .. } | JointKind::Cylindrical { axis, point } => (*axis, *point),
        JointKind::Universal { axes, point } => (axes[0], *point),
        JointKind::Composite { sequence } => (sequence[0].axis, sequence[0].point),
        JointKind::Spherical { point } => ([0.6, 0.0, 0.8].map(Into::into), *point),
        _ => ([0.0, 0.6, -0.8].map(Into::into), [0.1, 0.2, -0.1].map(Into::into)),
    };
    JointKind::Revolute { axis, point }
}

/// MuJoCo has no screws, and free joints only on the world.
fn for_mjcf(kind: &mut JointKind, inside: bool) {
    match kind {
        JointKind::Helical { .. } => *kind = revolute(kind),
        JointKind::Free if inside => *kind = revolute(kind),
        JointKind::Composite { sequence } => {
            for screw in sequence.iter_mut().filter(|screw| screw.kind == ScrewKind::Helical) {
                (screw.kind, screw.pitch) = (ScrewKind::Revolute, 0.0.into());
            }
        }
        _ => {}
    }
}

/// The condition number of the mass matrix.
pub fn condition(model: &Model, state: &State, workspace: &mut Workspace<f64>) -> Option<f64> {
    let quantity = Quantity::parse("mass_matrix", model).ok()?;
    let mass = quantity.evaluate(Path::Fast, model, state, workspace).ok()?;
    let values = DMatrix::from_row_slice(model.nv(), model.nv(), &mass).symmetric_eigenvalues();
    Some(values.amax() / values.iter().fold(f64::INFINITY, |least, x| least.min(x.abs())))
}

fn of_robot(seed: u64, thorough: bool, peer: &mut Peer, tally: &mut Tally) -> Result<(), String> {
    let sample = Sample::new(seed)?;
    let (model, state) = (&sample.model, &sample.state);
    let mut workspace = Workspace::new(model);
    let condition = condition(model, state, &mut workspace).ok_or("no mass matrix")?;
    count(&sample, tally);
    let scale = |quantity: &Quantity| if quantity.inverts() { condition.max(1.0) } else { 1.0 };
    let (mut given, mut known) = (Vec::new(), Vec::new());
    let all = thorough || seed.is_multiple_of(ALL_EVERY);
    for quantity in Quantity::each(sample.link) {
        let name = quantity.entry().name;
        let is_shared = SHARED.contains(&name);
        if !all && !is_shared {
            continue;
        }
        let [fast, closed] =
            [Path::Fast, Path::Closed].map(|path| quantity.evaluate(path, model, state, &mut workspace));
        let (fast, closed) = match (fast, closed) {
            (Ok(fast), Ok(closed)) => (fast, closed),
            (Err(_), Err(_)) => continue,
            (Err(error), _) | (_, Err(error)) => return Err(format!("{name} by one formula alone: {error}")),
        };
        tally.compare("closed form", name, seed, error(&closed, &fast) / scale(&quantity), LIMIT);
        if is_shared {
            given.push(Given { name, shape: quantity.entry().shape.lengths(model), values: fast.clone() });
        }
        known.push((quantity, fast));
    }
    if all {
        compiled(seed, &sample, &known, &scale, tally)?;
    }
    let robot: Value = serde_json::from_str(&to_json(&sample.description)).map_err(|error| error.to_string())?;
    let case = json!({
        "robot": robot, "state": sample.state_json(), "link": model.links()[sample.link].name,
        "urdf": sample.urdf, "mjcf": sample.mjcf,
    });
    for (witness, errors) in peer.ask(case, &given).map_err(|error| error.to_string())? {
        tally.count(&format!("robots by {witness}"), 1);
        for (quantity, _) in &known {
            let name = quantity.entry().name;
            if let Some(error) = errors.get(name) {
                tally.compare(&witness, name, seed, error / scale(quantity), LIMIT);
            }
        }
    }
    Ok(())
}

/// Three quantities, drawn by the seed, as machine code and on the tape.
fn compiled(
    seed: u64,
    sample: &Sample,
    known: &[(Quantity, Vec<f64>)],
    scale: &impl Fn(&Quantity) -> f64,
    tally: &mut Tally,
) -> Result<(), String> {
    let small: Vec<&(Quantity, Vec<f64>)> =
        known.iter().filter(|(_, values)| (1..=MOST_COMPILED).contains(&values.len())).collect();
    let mut random = Random::new(seed);
    let drawn: Vec<&(Quantity, Vec<f64>)> = (0..3).map(|_| small[random.below(small.len())]).collect();
    let quantities: Vec<Quantity> = drawn.iter().map(|(quantity, _)| *quantity).collect();
    let mut loaded: Vec<usize> = sample.state.wrenches.iter().map(|load| load.link).collect();
    loaded.sort_unstable();
    loaded.dedup();
    let options = DeriveOptions { loaded, ..DeriveOptions::default() };
    let compiled = CompiledModel::new(&sample.model, &quantities, &options).map_err(|error| error.to_string())?;
    let tape = Compiled::interpreted(compiled.program());
    let inputs = compiled.input(&sample.state).map_err(|error| error.to_string())?;
    let [mut native, mut taped] = [(); 2].map(|()| vec![0.0; compiled.output_count()]);
    compiled.run(&inputs, &mut compiled.scratch(), &mut native);
    tape.run_batch(&inputs, &mut tape.scratch(), &mut taped);
    for (k, (quantity, values)) in drawn.iter().enumerate() {
        for (witness, found) in [("machine code", &native), ("tape", &taped)] {
            let error = error(&found[compiled.range(k)], values) / scale(quantity);
            tally.compare(witness, quantity.entry().name, seed, error, LIMIT);
        }
    }
    Ok(())
}

fn count(sample: &Sample, tally: &mut Tally) {
    let links = &sample.description.links;
    tally.count("robots", 1);
    tally.count("links", links.len() as u64);
    tally.count("velocities", sample.model.nv() as u64);
    tally.count("wrenches", sample.state.wrenches.len() as u64);
    for (what, is) in [
        ("robots with a floating base", matches!(links[0].joint.kind, JointKind::Free)),
        ("robots with mimic joints", sample.model.has_mimic()),
        ("robots with motors", links.iter().any(|link| link.motor.is_some())),
        ("robots with massless links", links.iter().any(|link| link.mass.value == 0.0)),
        ("robots with branches", branches(&sample.description)),
    ] {
        tally.count(what, u64::from(is));
    }
    for link in links {
        tally.count(&format!("joints: {}", link.joint.kind.joint_type().name()), 1);
    }
}

fn branches(description: &Description) -> bool {
    let mut parents: Vec<&str> = description.links.iter().map(|link| link.parent.as_str()).collect();
    parents.sort_unstable();
    parents.windows(2).any(|pair| pair[0] == pair[1])
}

pub fn worker(setup: &Setup) -> Result<Worker, String> {
    let mut peer = Peer::start(&setup.python).map_err(|error| error.to_string())?;
    if peer.versions.len() < 2 {
        return Err(format!("{} lacks pin or mujoco: it has {:?}", setup.python, peer.versions));
    }
    let thorough = setup.is_single;
    Ok(Box::new(move |seed, tally| {
        tally.versions.extend(peer.versions.clone());
        if let Err(problem) = of_robot(seed, thorough, &mut peer, tally) {
            tally.fail(seed, problem);
        }
    }))
}
