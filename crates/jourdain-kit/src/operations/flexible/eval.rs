//! `jourdain flexible eval`: the terms of the equation of motion at one state or many.

use super::ArmArguments;
use crate::commands::eval::{matrix_lines, nested};
use crate::failure::Failure;
use crate::input;
use crate::numbers::{self, Notation};
use crate::output::{FAINT, HEADING, Output};
use jourdain::Matrix;
use jourdain::flexible::energy::{base_momentum, elastic_energy, kinetic_energy, weight_energy};
use jourdain::flexible::factor::{Indefinite, Workspace, accelerations_into, smallest_eigenvalue, validity};
use jourdain::flexible::{FlexibleArm, Terms, Tip, terms, tip};
use jourdain::formats::{self, ArmState};
use serde_json::{Value, json};

/// B, h, K, D and the tip at one state or many
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A state is a JSON object with q (joint angles, then deflections link by link) and qd; a list of states \
                        gives a list of results. The equation is B q̈ + h + g + K q + D q̇ = (u, 0)."
)]
pub struct Arguments {
    #[command(flatten)]
    arm: ArmArguments,

    /// JSON file with one state or a list of them, - for standard input, or the JSON itself
    #[arg(long, short, value_name = "FILE|JSON")]
    state: String,

    /// Add energies, momentum, the tip's angle and Jacobian, free accelerations and the range of validity
    #[arg(long)]
    details: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    if arguments.arm.arm == "-" && arguments.state == "-" {
        let hint = "give one of them as a file; a state may also stand on the command line";
        return Err(Failure::usage("arm and state cannot both come from standard input").hint(hint));
    }
    let arm = arguments.arm.build()?.arm;
    let given = input::read_json(&arguments.state, "--state", "state", "{\"q\": [0, 0]}")?;
    let (states, is_list) = formats::read_arm_states(&given.text, &arm).map_err(|found| given.failure(found))?;
    let mut results = Vec::new();
    for (index, state) in states.iter().enumerate() {
        let place = if is_list { format!("state {index}: ") } else { String::new() };
        results.push(evaluate(&arm, state, &place)?);
    }
    if output.is_json() {
        let documents = results.iter().map(|result| to_json(&arm, result, arguments.details));
        let mut documents: Vec<Value> = documents.collect();
        let document = if is_list { Value::Array(documents) } else { documents.pop().unwrap_or_default() };
        output.json(&document)?;
    } else {
        let blocks = results.iter().map(|result| to_text(&arm, result, arguments.details));
        output.text(&blocks.collect::<Vec<_>>().join("\n\n"))?;
    }
    Ok(0)
}

/// All that is known of a state.
struct Evaluated<'a> {
    state: &'a ArmState,
    terms: Terms<f64>,
    tip: Tip<f64>,
    /// q̈ without torques.
    accelerations: Vec<f64>,
}

fn evaluate<'a>(arm: &FlexibleArm<f64>, state: &'a ArmState, place: &str) -> Result<Evaluated<'a>, Failure> {
    let ArmState { q, qd } = state;
    let found = Evaluated { state, terms: terms(arm, q, qd), tip: tip(arm, q), accelerations: vec![0.0; arm.size()] };
    let all = found.terms.inertia.as_slice().iter().chain(&found.terms.velocity).chain(&found.terms.gravity);
    if all.chain(found.tip.jacobian.as_slice()).any(|x| !x.is_finite()) {
        return Err(Failure::new("not-finite", format!("{place}the result is not finite")).unsolved());
    }
    let mut found = found;
    let free = vec![0.0; arm.joints()];
    if !accelerations_into(arm, q, qd, &free, &mut Workspace::new(arm), &mut found.accelerations) {
        let diagnosis = Indefinite::at(arm, q, None);
        return Err(Failure::new("not-positive-definite", format!("{place}{diagnosis}"))
            .hint(super::simulate::BEYOND)
            .unsolved());
    }
    if found.accelerations.iter().any(|x| !x.is_finite()) {
        return Err(Failure::new("not-finite", format!("{place}the accelerations are not finite")).unsolved());
    }
    Ok(found)
}

fn stiffness(arm: &FlexibleArm<f64>) -> Matrix<f64> {
    let mut k = Matrix::zeros(arm.size(), arm.size());
    arm.stiffness().for_each(|(row, column, value)| k[(row, column)] = value);
    k
}

fn square(matrix: &Matrix<f64>) -> Value {
    nested(&[matrix.rows(), matrix.columns()], matrix.as_slice())
}

fn to_json(arm: &FlexibleArm<f64>, result: &Evaluated<'_>, details: bool) -> Value {
    let Evaluated { state: ArmState { q, qd }, terms, tip, accelerations } = result;
    let damping = arm.damping();
    let d = Matrix::from_fn(arm.size(), arm.size(), |i, j| if i == j { damping[i] } else { 0.0 });
    let mut document = json!({
        "B": square(&terms.inertia),
        "h": terms.velocity,
        "K": square(&stiffness(arm)),
        "D": square(&d),
        "tip": tip.position,
    });
    if arm.has_gravity() {
        document["g"] = json!(terms.gravity);
    }
    if details {
        let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
        let ranges = validity(arm, q).into_iter().map(|found| {
            json!({ "name": found.name, "value": found.value, "low": finite(found.range[0]), "high": finite(found.range[1]) })
        });
        document["tip_angle"] = json!(tip.angle);
        document["tip_jacobian"] = square(&tip.jacobian);
        document["free_acceleration"] = json!(accelerations);
        document["kinetic_energy"] = json!(kinetic_energy(terms, qd));
        document["elastic_energy"] = json!(elastic_energy(arm, q));
        document["weight_energy"] = json!(weight_energy(arm, q));
        document["base_momentum"] = json!(base_momentum(terms, qd));
        document["smallest_eigenvalue"] = json!(smallest_eigenvalue(&terms.inertia));
        document["validity"] = Value::Array(ranges.collect());
    }
    document
}

fn to_text(arm: &FlexibleArm<f64>, result: &Evaluated<'_>, details: bool) -> String {
    let Evaluated { state: ArmState { q, qd }, terms, tip, accelerations } = result;
    let names = arm.coordinate_names();
    let block = |letter: &str, about: &str, rows: &[String], columns: &[String], values: &[f64]| {
        let notation = Notation::of(values.iter().copied());
        let width = columns.len().max(1);
        let lines = matrix_lines(values.len() / width, width, rows, columns, |row, column| {
            numbers::format(values[row * width + column], &notation)
        });
        format!("{HEADING}{letter}{HEADING:#}  {FAINT}{about}{FAINT:#}\n{}", lines.join("\n"))
    };
    let mut blocks = vec![
        block("B", "inertia matrix", &names, &names, terms.inertia.as_slice()),
        block("h", "Coriolis and centrifugal forces", &names, &[], &terms.velocity),
    ];
    if arm.has_gravity() {
        blocks.push(block("g", "gravity", &names, &[], &terms.gravity));
    }
    let diagonal: Vec<f64> = (0..arm.size()).map(|i| stiffness(arm)[(i, i)]).collect();
    blocks.push(block("K", "stiffness, diagonal", &names, &[], &diagonal));
    blocks.push(block("D", "friction and damping, diagonal", &names, &[], &arm.damping()));
    let axes = ["x", "y"].map(str::to_owned);
    blocks.push(block("tip", "position [m]", &axes, &[], &tip.position));
    if details {
        let rows = ["x", "y", "angle"].map(str::to_owned);
        blocks.push(block("tip Jacobian", "", &rows, &names, tip.jacobian.as_slice()));
        blocks.push(block("q̈", "without torques", &names, &[], accelerations));
        let energies = [kinetic_energy(terms, qd), elastic_energy(arm, q), weight_energy(arm, q)];
        let labels = ["kinetic", "elastic", "weight"].map(str::to_owned);
        blocks.push(block("energy", "[J]", &labels, &[], &energies));
        blocks.push(block("momentum", "about the base [N m s]", &[], &[], &[base_momentum(terms, qd)]));
        let ranges = validity(arm, q).into_iter().map(|found| {
            let [low, high] = found.range;
            format!("  {} = {} in ({low:.4}, {high:.4})", found.name, numbers::short(found.value))
        });
        let smallest = smallest_eigenvalue(&terms.inertia);
        let heading = format!("{HEADING}validity{HEADING:#}  {FAINT}smallest eigenvalue of B {smallest:.3e}{FAINT:#}");
        blocks.push(std::iter::once(heading).chain(ranges).collect::<Vec<_>>().join("\n"));
    }
    blocks.join("\n\n")
}
