//! `jourdain flexible linearise`: small motions about a configuration.

use super::{ArmArguments, build, lists};
use crate::commands::eval::nested;
use crate::failure::Failure;
use crate::numbers;
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use jourdain::Matrix;
use jourdain::flexible::{ArmDescription, Complex, Linearisation, LineariseError, Payload, linearise};
use jourdain::linear::LinearError;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Points of a frequency response.
const POINTS: usize = 1600;

/// Linearise about a configuration: state space, frequencies, poles, zeros
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Outputs are the joint angles theta1, … and tip_x, tip_y, tip_angle. Under gravity the arm is linearised \
                        about the deflections at which it hangs still at the joint angles."
)]
pub struct Arguments {
    #[command(flatten)]
    arm: ArmArguments,

    /// Joint angles or all coordinates, as JSON; straight without it
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    at: Option<String>,

    /// Joint whose torque is the input of the Bode plot, counted from one
    #[arg(long, value_name = "N", default_value_t = 1)]
    input: usize,

    /// Output of the Bode plot
    #[arg(long, value_name = "NAME")]
    output: Option<String>,

    /// Draw the frequency response as SVG
    #[arg(long, value_name = "FILE.svg")]
    bode: Option<PathBuf>,

    /// Frequencies at these joint angles instead
    #[arg(long, value_name = "JSON", allow_hyphen_values = true, conflicts_with = "at")]
    configurations: Option<String>,

    /// Frequencies at these multiples of the payload instead
    #[arg(long, value_name = "X,…", value_delimiter = ',', allow_negative_numbers = true)]
    payload_scales: Option<Vec<f64>>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let description = arguments.arm.describe()?;
    if arguments.configurations.is_some() || arguments.payload_scales.is_some() {
        return table(arguments, &description, output);
    }
    let arm = arguments.arm.build()?.arm;
    let position = match &arguments.at {
        Some(text) => lists(text, "--at")?.swap_remove(0),
        None => vec![0.0; arm.joints()],
    };
    let model = linearise(&arm, &position).map_err(|error| failure(&error))?;
    let channel = channel(arguments, &model)?;
    if let Some(path) = &arguments.bode {
        bode(path, arm.name(), &model, channel)?;
    }
    if output.is_json() {
        output.json(&to_json(&model)?)?;
    } else {
        output.text(&to_text(arm.name(), &model, channel)?)?;
    }
    Ok(0)
}

fn failure(error: &LineariseError) -> Failure {
    let (kind, unsolved) = match error {
        LineariseError::Indefinite(_) => ("not-positive-definite", true),
        LineariseError::NoEquilibrium => ("no-equilibrium", true),
        LineariseError::Linear(LinearError::NoConvergence) => ("no-convergence", true),
        LineariseError::Length { .. } => ("wrong-length", false),
        LineariseError::Linear(LinearError::Channel { .. }) => ("bad-option", false),
    };
    let failure = Failure::new(kind, error.to_string());
    if unsolved { failure.unsolved() } else { failure }
}

/// The input and output of the plot, counted from zero.
fn channel(arguments: &Arguments, model: &Linearisation) -> Result<[usize; 2], Failure> {
    let input =
        arguments.input.checked_sub(1).ok_or_else(|| Failure::new("bad-option", "inputs are counted from one"))?;
    let output = match &arguments.output {
        None => input,
        Some(name) => model.outputs.iter().position(|other| other == name).ok_or_else(|| {
            let known: Vec<&str> = model.outputs.iter().map(String::as_str).collect();
            Failure::new("bad-option", format!("there is no output `{name}`"))
                .hint(jourdain::formats::suggest::hint(name, &known))
        })?,
    };
    model.check_channel(input, output).map_err(|error| failure(&error.into()))?;
    Ok([input, output])
}

fn pairs(values: &[Complex<f64>]) -> Vec<[f64; 2]> {
    values.iter().map(|value| [value.re, value.im]).collect()
}

fn to_json(model: &Linearisation) -> Result<Value, Failure> {
    let matrix = |m: &Matrix<f64>| nested(&[m.rows(), m.columns()], m.as_slice());
    let space = model.state_space().map_err(|error| failure(&error.into()))?;
    let poles = model.poles().map_err(|error| failure(&error.into()))?;
    let joints = model.torque.len();
    let mut channels = Vec::new();
    for input in 0..joints {
        for (output, name) in model.outputs.iter().enumerate() {
            // A channel that the torque does not reach has no zeros to speak of.
            let zeros = model.zeros(input, output).map(|zeros| json!(pairs(&zeros))).unwrap_or(Value::Null);
            channels.push(json!({ "input": input + 1, "output": name, "zeros": zeros }));
        }
    }
    Ok(json!({
        "q": model.q,
        "torque": model.torque,
        "free_frequencies_hz": model.free_frequencies(),
        "locked_frequencies_hz": model.locked_frequencies(),
        "locked_squares": model.locked_squares(),
        "outputs": model.outputs,
        "A": matrix(&space.a),
        "B": matrix(&space.b),
        "C": matrix(&space.c),
        "D": matrix(&space.d),
        "poles": pairs(&poles),
        "channels": channels,
    }))
}

fn to_text(name: &str, model: &Linearisation, [input, output]: [usize; 2]) -> Result<String, Failure> {
    let list = |values: &[f64]| {
        let numbers: Vec<String> = values.iter().map(|x| format!("{x:.6}")).collect();
        if numbers.is_empty() { "none".to_owned() } else { numbers.join("  ") }
    };
    let roots = |values: &[Complex<f64>]| {
        // What is that much smaller than the rest is rounding of zero.
        let dust = 1e-7 * values.iter().map(|value| value.norm()).fold(0.0, f64::max);
        let clean = |x: f64| if x.abs() < dust { 0.0 } else { x };
        let values = values.iter().map(|value| Complex::new(clean(value.re), clean(value.im)));
        let shown = values.filter(|value| value.im >= 0.0).map(|value| match (value.re, value.im) {
            (re, 0.0) => format!("{re:.5}"),
            (0.0, im) => format!("±{im:.5}i"),
            (re, im) => format!("{re:.5} ± {im:.5}i"),
        });
        shown.collect::<Vec<_>>().join("  ")
    };
    let poles = model.poles().map_err(|error| failure(&error.into()))?;
    let mut lines = vec![
        format!("{HEADING}{name}{HEADING:#} about q = ({})", list(&model.q)),
        format!("locked joints [Hz]  {}", list(&model.locked_frequencies())),
        format!("free joints [Hz]    {}", list(&model.free_frequencies())),
        format!("poles [rad/s]       {}", roots(&poles)),
    ];
    let mut shown = vec![(input, output)];
    shown.extend(["tip_x", "tip_y", "tip_angle"].iter().filter_map(|tip| {
        let place = model.outputs.iter().position(|other| other == tip)?;
        (place != output).then_some((input, place))
    }));
    for (input, output) in shown {
        let name = &model.outputs[output];
        match model.zeros(input, output) {
            Ok(zeros) => {
                let right = zeros.iter().any(|zero| zero.re > 1e-6 * zero.norm().max(1e-9));
                let note = if right { format!("  {FAINT}not minimum phase{FAINT:#}") } else { String::new() };
                lines.push(format!("zeros u{} → {name}  {}{note}", input + 1, roots(&zeros)));
            }
            Err(_) => lines.push(format!("zeros u{} → {name}  {FAINT}not reached{FAINT:#}", input + 1)),
        }
    }
    if model.torque.iter().any(|&u| u != 0.0) {
        lines.push(format!("holding torques [N m]  {}", list(&model.torque)));
    }
    Ok(lines.join("\n"))
}

/// Frequencies over configurations and payloads.
fn table(arguments: &Arguments, description: &ArmDescription, output: &Output) -> Result<u8, Failure> {
    let rest = || vec![vec![0.0; description.links.len()]];
    let configurations = match (&arguments.configurations, &arguments.at) {
        (Some(text), _) => lists(text, "--configurations")?,
        (None, Some(text)) => lists(text, "--at")?,
        (None, None) => rest(),
    };
    let scales = arguments.payload_scales.clone().unwrap_or_else(|| vec![1.0]);
    let mut rows = Vec::new();
    for &scale in &scales {
        let payload = description.payload;
        let payload = Payload { mass: scale * payload.mass, inertia: scale * payload.inertia };
        // The frequencies of the assembled arm hardly depend on the modes that it is described by: those of its own payload.
        let arm = build(&ArmDescription { payload, ..description.clone() }, &arguments.arm.arm)?.arm;
        for configuration in &configurations {
            let model = linearise(&arm, configuration).map_err(|error| failure(&error))?;
            rows.push((scale, configuration, model.locked_frequencies(), model.free_frequencies()));
        }
    }
    if output.is_json() {
        let rows = rows.iter().map(|(scale, configuration, locked, free)| {
            json!({
                "payload_scale": scale,
                "configuration": configuration,
                "locked_frequencies_hz": locked,
                "free_frequencies_hz": free,
            })
        });
        output.json(&json!({ "table": rows.collect::<Vec<_>>() }))?;
        return Ok(0);
    }
    let mut lines = vec![["payload", "configuration", "joints", "f [Hz]"].map(str::to_owned).to_vec()];
    for (scale, configuration, locked, free) in &rows {
        for (joints, values) in [("locked", locked), ("free", free)] {
            let mut line =
                vec![format!("× {}", numbers::short(*scale)), format!("{configuration:?}"), joints.to_owned()];
            line.extend(values.iter().map(|x| format!("{x:.5}")));
            lines.push(line);
        }
    }
    output.text(&numbers::align_right(&lines).join("\n"))?;
    Ok(0)
}

/// Magnitude and phase over the logarithm of the frequency, from a tenth of the lowest to three times the highest.
fn bode(path: &Path, name: &str, model: &Linearisation, [input, output]: [usize; 2]) -> Result<(), Failure> {
    let all: Vec<f64> = model.locked_frequencies().into_iter().chain(model.free_frequencies()).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(0.0, f64::max);
    let (low, high) = if high > 0.0 { ((0.1 * low).log10(), (3.0 * high).log10()) } else { (-2.0, 2.0) };
    let (mut x, mut magnitude, mut phase) = (Vec::new(), Vec::new(), Vec::new());
    let mut turns = 0.0;
    for k in 0..=POINTS {
        let decade = low + (high - low) * k as f64 / POINTS as f64;
        let omega = std::f64::consts::TAU * 10_f64.powf(decade);
        let Some(value) = model.response(input, output, omega).filter(|value| value.norm() > 0.0) else { continue };
        x.push(decade);
        magnitude.push(20.0 * value.norm().log10());
        let angle = value.im.atan2(value.re).to_degrees();
        if let Some(&before) = phase.last() {
            let jump: f64 = angle + turns - before;
            turns -= 360.0 * (jump / 360.0).round();
        }
        phase.push(angle + turns);
    }
    let what = format!("u{} → {}", input + 1, model.outputs[output]);
    let panels = [("magnitude [dB]", magnitude), ("phase [°]", phase)]
        .map(|(axis, values)| Panel { axis: axis.to_owned(), curves: vec![Curve { name: what.clone(), values }] });
    plot::stacked(path, &format!("{name}: {what}"), "log₁₀ of the frequency in Hz", &x, &panels)
}
