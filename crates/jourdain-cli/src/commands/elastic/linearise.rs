//! `jourdain elastic linearise`: small motions of an elastic robot about a posture.

use super::setup::{failure, load, read_list};
use crate::failure::Failure;
use crate::labels;
use crate::numbers;
use crate::output::{FAINT, HEADING, Output, WARN};
use jourdain::elastic::{ElasticError, ElasticModel, Linearisation, linearise};
use jourdain::linear::{LinearError, Mode, StateSpace};
use serde_json::{Value, json};

/// Natural frequencies, modes, A and B about a posture
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The state is (q, theta, qd, thetad) with one theta per elastic joint; torques hold the posture. Frequencies \
                        and modes are those without friction and damping, the eigenvalues of A have both. A and B are in \
                        the JSON form."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// Positions of the joints as a JSON list; without it all zero
    #[arg(long, short, value_name = "JSON")]
    posture: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let elastic = load(&arguments.robot, output)?;
    let posture = match &arguments.posture {
        Some(text) => read_list("posture", text, elastic.model())?,
        None => vec![0.0; elastic.model().nv()],
    };
    let linear = linearise(&elastic, &posture).map_err(|error| failure(&error))?;
    let unsolved = |_: LinearError| {
        let robot = elastic.model().name().to_owned();
        failure(&ElasticError::Eigenvalues { robot })
    };
    let (modes, eigenvalues) = (linear.modes().map_err(unsolved)?, linear.eigenvalues().map_err(unsolved)?);
    if output.is_json() {
        let space = linear.state_space().map_err(unsolved)?;
        output.json(&to_json(&elastic, &linear, &modes, &eigenvalues, &space))?;
    } else {
        let fastest = linear.fastest().map_err(unsolved)?;
        output.text(&to_text(&elastic, &modes, &eigenvalues, fastest))?;
    }
    Ok(0)
}

fn to_json(
    elastic: &ElasticModel<f64>,
    linear: &Linearisation,
    modes: &[Mode],
    eigenvalues: &[[f64; 2]],
    space: &StateSpace,
) -> Value {
    let n = elastic.model().nv();
    let rows = |matrix: &jourdain::Matrix<f64>| -> Vec<Vec<f64>> {
        matrix.as_slice().chunks(matrix.columns().max(1)).map(<[f64]>::to_vec).collect()
    };
    let modes: Vec<Value> = modes
        .iter()
        .map(|mode| {
            json!({
                "omega_squared": mode.omega_squared,
                "omega": mode.omega(),
                "frequency_hz": mode.frequency(),
                "q": mode.shape[..n],
                "theta": mode.shape[n..],
            })
        })
        .collect();
    json!({
        "robot": elastic.model().name(),
        "q": linear.q[..n],
        "theta": linear.q[n..],
        "torque": linear.torque,
        "modes": modes,
        "eigenvalues": eigenvalues,
        "A": rows(&space.a),
        "B": rows(&space.b),
    })
}

fn to_text(elastic: &ElasticModel<f64>, modes: &[Mode], eigenvalues: &[[f64; 2]], fastest: f64) -> String {
    let labels = labels::velocities(elastic.model());
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} modes about rest, fastest motion {} 1/s",
        elastic.model().name(),
        modes.len(),
        numbers::short(fastest)
    )];
    let mut rows = vec![vec![String::new(), "frequency".to_owned()]];
    rows[0].extend(labels.iter().map(|label| format!("q {}", label.name)));
    let joint = |dof: usize| labels.get(dof).map_or("", |label| label.name.as_str());
    rows[0].extend(elastic.springs().iter().map(|spring| format!("theta {}", joint(spring.dof))));
    for (index, mode) in modes.iter().enumerate() {
        let frequency = if mode.omega_squared < 0.0 {
            format!("falls {:.3} 1/s", (-mode.omega_squared).sqrt())
        } else {
            format!("{:.3} Hz", mode.frequency())
        };
        let largest = mode.shape.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let shape = mode.shape.iter().map(|x| format!("{:.3}", x / largest + 0.0));
        rows.push([(index + 1).to_string(), frequency].into_iter().chain(shape).collect());
    }
    lines.push(format!("{FAINT}modes, largest number 1{FAINT:#}"));
    lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    if let Some([re, im]) = eigenvalues.first().filter(|[re, _]| *re > 1e-9) {
        lines.push(format!("{WARN}unstable{WARN:#}: eigenvalue {} + {}i", numbers::short(*re), numbers::short(*im)));
    }
    lines.join("\n")
}
