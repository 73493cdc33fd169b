//! `elastic linearise`: small motions of an elastic robot about a posture.

use super::setup::{load, read_list};
use crate::host::Host;
use crate::labels;
use crate::nested::Nested;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::text::numbers;
use crate::text::style::{FAINT, HEADING, WARN};
use jourdain::elastic::{self, ElasticError, ElasticModel};
use jourdain::linear::{self, LinearError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Natural frequencies, modes, A and B about a posture
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "The state is (q, theta, qd, thetad) with one theta per elastic joint; torques hold the posture. \
                      Frequencies and modes are those without friction and damping, the eigenvalues of A have both. A \
                      and B are in the JSON form."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Positions of the joints as a JSON list; without it all zero
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "JSON"))]
    pub posture: Option<String>,
}

/// Small motions about a posture at rest.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The robot's name.
    pub robot: String,
    /// The posture, rad and m.
    pub q: Vec<f64>,
    /// Positions of the motors on the link side, one per elastic joint, rad and m.
    pub theta: Vec<f64>,
    /// What holds the posture, N m and N.
    pub torque: Vec<f64>,
    /// Modes without friction and damping, slowest first.
    pub modes: Vec<Mode>,
    /// Real and imaginary parts of the eigenvalues of `A`, 1/s, rightmost first.
    pub eigenvalues: Vec<[f64; 2]>,
    /// The matrix of the state (q, theta, qd, thetad).
    #[serde(rename = "A")]
    pub a: Nested<'static>,
    /// The matrix of the torques.
    #[serde(rename = "B")]
    pub b: Nested<'static>,
    #[serde(skip)]
    elastic: ElasticModel<f64>,
    #[serde(skip)]
    fastest: f64,
}

/// A mode.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Mode {
    /// Negative where the posture falls, rad²/s².
    pub omega_squared: f64,
    /// rad/s
    pub omega: f64,
    /// Hz
    pub frequency_hz: f64,
    /// The shape: joints.
    pub q: Vec<f64>,
    /// The shape: motors.
    pub theta: Vec<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "elastic linearise";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let elastic = load(&self.robot, host)?;
        let posture = read_list("posture", self.posture.as_deref(), elastic.model())?;
        let linear = elastic::linearise(&elastic, &posture)?;
        let n = elastic.model().nv();
        let mode = |mode: linear::Mode| Mode {
            omega_squared: mode.omega_squared,
            omega: mode.omega(),
            frequency_hz: mode.frequency(),
            q: mode.shape[..n].to_vec(),
            theta: mode.shape[n..].to_vec(),
        };
        let unsolved = |_: LinearError| ElasticError::Eigenvalues { robot: elastic.model().name().to_owned() };
        let space = linear.state_space().map_err(unsolved)?;
        Ok(Report {
            robot: elastic.model().name().to_owned(),
            q: linear.q[..n].to_vec(),
            theta: linear.q[n..].to_vec(),
            torque: linear.torque.clone(),
            modes: linear.modes().map_err(unsolved)?.into_iter().map(mode).collect(),
            eigenvalues: linear.eigenvalues().map_err(unsolved)?,
            a: Nested::from(&space.a),
            b: Nested::from(&space.b),
            fastest: linear.fastest().map_err(unsolved)?,
            elastic,
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        to_text(self)
    }
}

fn to_text(report: &Report) -> String {
    let Report { elastic, modes, eigenvalues, fastest, .. } = report;
    let labels = labels::velocities(elastic.model());
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} modes about rest, fastest motion {} 1/s",
        elastic.model().name(),
        modes.len(),
        numbers::short(*fastest)
    )];
    let mut rows = vec![vec![String::new(), "frequency".to_owned()]];
    rows[0].extend(labels.iter().map(|label| format!("q {}", label.name)));
    let joint = |dof: usize| labels.get(dof).map_or("", |label| label.name.as_str());
    rows[0].extend(elastic.springs().iter().map(|spring| format!("theta {}", joint(spring.dof))));
    for (index, mode) in modes.iter().enumerate() {
        let frequency = if mode.omega_squared < 0.0 {
            format!("falls {:.3} 1/s", (-mode.omega_squared).sqrt())
        } else {
            format!("{:.3} Hz", mode.frequency_hz)
        };
        let largest = mode.q.iter().chain(&mode.theta).fold(0.0_f64, |m, x| m.max(x.abs()));
        let shape = mode.q.iter().chain(&mode.theta).map(|x| format!("{:.3}", x / largest + 0.0));
        rows.push([(index + 1).to_string(), frequency].into_iter().chain(shape).collect());
    }
    lines.push(format!("{FAINT}modes, largest number 1{FAINT:#}"));
    lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    if let Some([re, im]) = eigenvalues.first().filter(|[re, _]| *re > 1e-9) {
        lines.push(format!("{WARN}unstable{WARN:#}: eigenvalue {} + {}i", numbers::short(*re), numbers::short(*im)));
    }
    lines.join("\n")
}
