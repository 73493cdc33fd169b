//! `flexible eval`: the terms of the equation of motion at one state or many.

use super::ChangedArm;
use crate::host::Host;
use crate::nested::Nested;
use crate::operation::{self, Operation};
use crate::operations::eval::matrix_lines;
use crate::problem::Problem;
use crate::read::{self, STDIN, What};
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING};
use jourdain::Matrix;
use jourdain::flexible::energy::{base_momentum, elastic_energy, kinetic_energy, weight_energy};
use jourdain::flexible::factor::{Indefinite, Workspace, accelerations_into, smallest_eigenvalue, validity};
use jourdain::flexible::{FlexibleArm, terms, tip};
use jourdain::formats::{self, ArmState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// B, h, K, D and the tip at one state or many
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A state is a JSON object with q (joint angles, then deflections link by link) and qd; a list of \
                      states gives a list of results. The equation is B q̈ + h + g + K q + D q̇ = (u, 0)."
    )
)]
pub struct Request {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: ChangedArm,

    /// JSON file with one state or a list of them, - for standard input, or the JSON itself
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON"))]
    pub state: String,

    /// Add energies, momentum, the tip's angle and Jacobian, free accelerations and the range of validity
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub details: bool,
}

const STATE: What = What {
    name: "the state",
    option: "--state",
    hint: "a state is a JSON file, - for standard input, or the JSON itself: '{\"q\": [0, 0]}'",
};

/// The terms, in the form in which states were given.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// At the one state.
    State(Box<Terms>),
    /// At each state of a list.
    States(Vec<Terms>),
}

/// The terms of B q̈ + h + g + K q + D q̇ = (u, 0) at a state; rows and columns are joint angles (rad), then deflections (m).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Terms {
    /// Inertia matrix.
    #[serde(rename = "B")]
    pub inertia: Nested<'static>,
    /// Coriolis and centrifugal forces.
    #[serde(rename = "h")]
    pub velocity: Vec<f64>,
    /// Stiffness matrix.
    #[serde(rename = "K")]
    pub stiffness: Nested<'static>,
    /// Matrix of friction and damping.
    #[serde(rename = "D")]
    pub damping: Nested<'static>,
    /// Position of the tip, m.
    pub tip: [f64; 2],
    /// Gravity, if the arm has any.
    #[serde(rename = "g", skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vec<f64>>,
    /// With `details`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
    /// What the coordinates are called.
    #[serde(skip)]
    pub names: Arc<Vec<String>>,
}

/// More at a state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Details {
    /// rad
    pub tip_angle: f64,
    /// Of x, y and angle by the coordinates.
    pub tip_jacobian: Nested<'static>,
    /// q̈ without torques.
    pub free_acceleration: Vec<f64>,
    /// J
    pub kinetic_energy: f64,
    /// J
    pub elastic_energy: f64,
    /// J
    pub weight_energy: f64,
    /// Angular momentum about the base, N m s.
    pub base_momentum: f64,
    /// Of B.
    pub smallest_eigenvalue: f64,
    /// How far each deflection may go until B is no longer positive definite.
    pub validity: Vec<Range>,
}

/// A deflection and how far it may go, m.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Range {
    /// The coordinate.
    pub name: String,
    /// Where it is.
    pub value: f64,
    /// Null if there is no limit.
    pub low: Option<f64>,
    /// Null if there is no limit.
    pub high: Option<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "flexible eval";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        if self.arm.is_stdin() && self.state == STDIN {
            let hint = "give one of them as a file; a state may also stand on the command line";
            return Err(Problem::usage("arm and state cannot both come from standard input").hint(hint));
        }
        let arm = self.arm.build(host)?.arm;
        let given = read::given(&self.state, STATE, host)?;
        let (states, is_list) = formats::read_arm_states(&given.text, &arm).map_err(|found| given.problem(found))?;
        let names = Arc::new(arm.coordinate_names());
        let mut results = Vec::with_capacity(states.len());
        for (index, state) in states.iter().enumerate() {
            let place = if is_list { format!("state {index}: ") } else { String::new() };
            results.push(evaluate(&arm, state, &place, self.details, &names)?);
            host.progress((index + 1) as f64 / states.len() as f64);
            if host.is_cancelled() {
                return Err(Problem::cancelled());
            }
        }
        match results.pop() {
            Some(result) if !is_list => Ok(Report::State(Box::new(result))),
            last => {
                results.extend(last);
                Ok(Report::States(results))
            }
        }
    }
}

fn evaluate(
    arm: &FlexibleArm<f64>,
    state: &ArmState,
    place: &str,
    details: bool,
    names: &Arc<Vec<String>>,
) -> Result<Terms, Problem> {
    let ArmState { q, qd } = state;
    let (terms, tip, size) = (terms(arm, q, qd), tip(arm, q), arm.size());
    let all = terms.inertia.as_slice().iter().chain(&terms.velocity).chain(&terms.gravity);
    if all.chain(tip.jacobian.as_slice()).any(|x| !x.is_finite()) {
        return Err(Problem::new("not-finite", format!("{place}the result is not finite")).unsolved());
    }
    let (free, mut accelerations) = (vec![0.0; arm.joints()], vec![0.0; size]);
    if !accelerations_into(arm, q, qd, &free, &mut Workspace::new(arm), &mut accelerations) {
        let diagnosis = Indefinite::at(arm, q, None);
        return Err(Problem::new("not-positive-definite", format!("{place}{diagnosis}"))
            .hint(crate::motion::BEYOND)
            .unsolved());
    }
    if accelerations.iter().any(|x| !x.is_finite()) {
        return Err(Problem::new("not-finite", format!("{place}the accelerations are not finite")).unsolved());
    }
    let mut stiffness = Matrix::zeros(size, size);
    arm.stiffness().for_each(|(row, column, value)| stiffness[(row, column)] = value);
    let damping = arm.damping();
    let details = details.then(|| Details {
        tip_angle: tip.angle,
        tip_jacobian: Nested::from(&tip.jacobian),
        free_acceleration: accelerations,
        kinetic_energy: kinetic_energy(&terms, qd),
        elastic_energy: elastic_energy(arm, q),
        weight_energy: weight_energy(arm, q),
        base_momentum: base_momentum(&terms, qd),
        smallest_eigenvalue: smallest_eigenvalue(&terms.inertia),
        validity: validity(arm, q)
            .into_iter()
            .map(|found| {
                let [low, high] = found.range.map(|end| Some(end).filter(|end| end.is_finite()));
                Range { name: found.name, value: found.value, low, high }
            })
            .collect(),
    });
    Ok(Terms {
        inertia: Nested::from(&terms.inertia),
        velocity: terms.velocity,
        stiffness: Nested::from(&stiffness),
        damping: Nested::from(&Matrix::from_fn(size, size, |i, j| if i == j { damping[i] } else { 0.0 })),
        tip: tip.position,
        gravity: arm.has_gravity().then_some(terms.gravity),
        details,
        names: Arc::clone(names),
    })
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::State(terms) => terms.to_text(),
            Self::States(states) => states.iter().map(Terms::to_text).collect::<Vec<_>>().join("\n\n"),
        }
    }
}

impl Terms {
    fn to_text(&self) -> String {
        let names = &self.names[..];
        let diagonal =
            |matrix: &Nested<'static>| -> Vec<f64> { matrix.values.iter().step_by(names.len() + 1).copied().collect() };
        let mut blocks = vec![
            block("B", "inertia matrix", names, names, &self.inertia.values),
            block("h", "Coriolis and centrifugal forces", names, &[], &self.velocity),
        ];
        blocks.extend(self.gravity.iter().map(|gravity| block("g", "gravity", names, &[], gravity)));
        blocks.push(block("K", "stiffness, diagonal", names, &[], &diagonal(&self.stiffness)));
        blocks.push(block("D", "friction and damping, diagonal", names, &[], &diagonal(&self.damping)));
        blocks.push(block("tip", "position [m]", &["x", "y"].map(str::to_owned), &[], &self.tip));
        if let Some(details) = &self.details {
            let rows = ["x", "y", "angle"].map(str::to_owned);
            blocks.push(block("tip Jacobian", "", &rows, names, &details.tip_jacobian.values));
            blocks.push(block("q̈", "without torques", names, &[], &details.free_acceleration));
            let energies = [details.kinetic_energy, details.elastic_energy, details.weight_energy];
            let labels = ["kinetic", "elastic", "weight"].map(str::to_owned);
            blocks.push(block("energy", "[J]", &labels, &[], &energies));
            blocks.push(block("momentum", "about the base [N m s]", &[], &[], &[details.base_momentum]));
            let ranges = details.validity.iter().map(|found| {
                let (low, high) = (found.low.unwrap_or(f64::NEG_INFINITY), found.high.unwrap_or(f64::INFINITY));
                format!("  {} = {} in ({low:.4}, {high:.4})", found.name, numbers::short(found.value))
            });
            let smallest = details.smallest_eigenvalue;
            let heading =
                format!("{HEADING}validity{HEADING:#}  {FAINT}smallest eigenvalue of B {smallest:.3e}{FAINT:#}");
            blocks.push(std::iter::once(heading).chain(ranges).collect::<Vec<_>>().join("\n"));
        }
        blocks.join("\n\n")
    }
}

/// An array with its labels under a heading.
fn block(letter: &str, about: &str, rows: &[String], columns: &[String], values: &[f64]) -> String {
    let notation = Notation::of(values.iter().copied());
    let width = columns.len().max(1);
    let lines = matrix_lines(values.len() / width, width, rows, columns, |row, column| {
        numbers::format(values[row * width + column], &notation)
    });
    format!("{HEADING}{letter}{HEADING:#}  {FAINT}{about}{FAINT:#}\n{}", lines.join("\n"))
}
