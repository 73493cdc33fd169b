//! `flexible linearise`: small motions about a configuration.

use super::converged::{About, Converged};
use super::{ChangedArm, scaled, stiffness_warning};
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::nested::Nested;
use crate::operation::{self, Operation};
use crate::plot::bode::Response;
use crate::plot::figure::Figure;
use crate::plot::look::{Hue, Style};
use crate::plot::{self, ticks};
use crate::problem::Problem;
use crate::read;
use crate::text::numbers;
use crate::text::style::{BAD, FAINT, HEADING, WARN};
use jourdain::flexible::{ArmDescription, Complex, FlexibleArm, Linearisation, LineariseError, OutOfRange};
use jourdain::formats::suggest;
use jourdain::linear::LinearError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Linearise about a configuration: state space, frequencies, poles, zeros
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Outputs are the joint angles theta1, … and tip_x, tip_y, tip_angle. Under gravity the arm is \
                      linearised about the deflections at which it hangs still at the joint angles, with --spin about those in balance \
                      with the motion. Errors of frequencies are estimated by two more modes per link; where the file \
                      leaves the modes open, as many are taken as the frequencies need."
    )
)]
pub struct Request {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: ChangedArm,

    /// Joint angles or all coordinates, as JSON; straight without it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "JSON", allow_hyphen_values = true))]
    pub at: Option<String>,

    /// Rates of the joints, rad/s, as JSON: linearise about a steady motion, such as [10, 0]; at rest without it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "JSON", allow_hyphen_values = true))]
    pub spin: Option<String>,

    /// Go on where links bend further than the kinematics bear
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub beyond_validity: bool,

    /// Joint whose torque is the input of the Bode plot, counted from one
    #[serde(default = "input")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = input()))]
    pub input: usize,

    /// Output of the Bode plot
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub output: Option<String>,

    /// Draw the frequency response
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub bode: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// Frequencies at these joint angles instead
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "JSON", allow_hyphen_values = true, conflicts_with = "at"))]
    pub configurations: Option<String>,

    /// Frequencies at these multiples of the payload instead
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X,…", value_delimiter = ',', allow_negative_numbers = true))]
    pub payload_scales: Option<Vec<f64>>,
}

fn input() -> usize {
    1
}

/// What was asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The linear model.
    Linear(Box<Linear>),
    /// Frequencies of several arms and configurations.
    Table(Table),
}

/// What small motions do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// They swing
    Stable,
    /// Some direction is neither driven back nor away
    Neutral,
    /// Some direction runs away: the arm buckles or falls
    Unstable,
}

impl Stability {
    fn of(squares: &[f64], directions: usize) -> Self {
        if squares.iter().any(|&x| x < 0.0) {
            Self::Unstable
        } else if squares.len() < directions || squares.contains(&0.0) {
            Self::Neutral
        } else {
            Self::Stable
        }
    }
}

/// The linear model about a configuration at rest or a steady motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Linear {
    /// Joint angles (rad), then deflections (m).
    pub q: Vec<f64>,
    /// What holds the arm there, N m.
    pub torque: Vec<f64>,
    /// With free joints, Hz, ascending.
    pub free_frequencies_hz: Vec<f64>,
    /// With locked joints, Hz, ascending.
    pub locked_frequencies_hz: Vec<f64>,
    /// Squares of the frequencies with locked joints, rad²/s², ascending; negative where the arm buckles.
    pub locked_squares: Vec<f64>,
    /// Whether the arm buckles with locked joints.
    pub locked_stability: Stability,
    /// Whether the arm with free joints stays where it is.
    pub free_stability: Stability,
    /// Estimated relative error of each frequency with locked joints; null where there is no estimate.
    pub locked_errors: Vec<Option<f64>>,
    /// Estimated relative error of each frequency with free joints; null where there is no estimate.
    pub free_errors: Vec<Option<f64>>,
    /// Rates of the joints that it is about, rad/s; none at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<Vec<f64>>,
    /// What to know before the numbers are believed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What the outputs are called: rad, and m for `tip_x` and `tip_y`.
    pub outputs: Vec<String>,
    /// The matrix of the state (q, q̇).
    #[serde(rename = "A")]
    pub a: Nested<'static>,
    /// The matrix of the torques.
    #[serde(rename = "B")]
    pub b: Nested<'static>,
    /// The matrix of the outputs.
    #[serde(rename = "C")]
    pub c: Nested<'static>,
    /// The matrix from torques to outputs: zero.
    #[serde(rename = "D")]
    pub d: Nested<'static>,
    /// Real and imaginary parts, rad/s.
    pub poles: Vec<[f64; 2]>,
    /// From every torque to every output.
    pub channels: Vec<Channel>,
    #[serde(skip)]
    name: String,
    /// Input and output that were asked for, counted from zero.
    #[serde(skip)]
    chosen: [usize; 2],
}

/// From a torque to an output.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Channel {
    /// The joint of the torque, counted from one.
    pub input: usize,
    /// The output.
    pub output: String,
    /// Real and imaginary parts, rad/s; null where the torque does not reach the output.
    pub zeros: Option<Vec<[f64; 2]>>,
}

/// Frequencies of several arms and configurations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Table {
    /// Payload by payload, in each configuration.
    pub table: Vec<Row>,
}

/// The frequencies of one arm in one configuration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// What its payload was multiplied by.
    pub payload_scale: f64,
    /// Joint angles, rad, or all coordinates.
    pub configuration: Vec<f64>,
    /// With locked joints, Hz, ascending.
    pub locked_frequencies_hz: Vec<f64>,
    /// With free joints, Hz, ascending.
    pub free_frequencies_hz: Vec<f64>,
    /// Squares of the frequencies with locked joints, rad²/s², ascending; negative where the arm buckles.
    pub locked_squares: Vec<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "flexible linearise";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("bode", self.bode.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::PLOT, self.bode.as_deref())])?;
        let (description, stated) = self.arm.describe(host)?;
        let spin = match &self.spin {
            Some(text) => read::list(text, "--spin")?,
            None => Vec::new(),
        };
        if self.configurations.is_some() || self.payload_scales.is_some() {
            return self.table(&description, &spin, host).map(Report::Table);
        }
        let position = match &self.at {
            Some(text) => read::list(text, "--at")?,
            None => vec![0.0; description.links.len()],
        };
        let about = About { arm: &self.arm, position: &position, spin: &spin, beyond_validity: self.beyond_validity };
        let found = about.converged(&description, &stated)?;
        let chosen = self.channel(&found.model)?;
        if let Some(path) = &self.bode {
            plot::write(path, &bode(found.arm.name(), &found.model, chosen, &position)?, self.style, host)?;
        }
        Ok(Report::Linear(Box::new(Linear::of(found, spin, chosen)?)))
    }
}

impl From<LinearError> for Problem {
    fn from(error: LinearError) -> Self {
        LineariseError::from(error).into()
    }
}

impl From<LineariseError> for Problem {
    fn from(error: LineariseError) -> Self {
        let (kind, unsolved) = match &error {
            LineariseError::Indefinite(_) => ("not-positive-definite", true),
            LineariseError::OutOfRange(_) => ("out-of-range", true),
            LineariseError::NoEquilibrium => ("no-equilibrium", true),
            LineariseError::Linear(LinearError::NoConvergence) => ("no-convergence", true),
            LineariseError::Length { .. } => ("wrong-length", false),
            LineariseError::Linear(LinearError::Channel { .. }) => ("bad-option", false),
        };
        let hint = match &error {
            LineariseError::OutOfRange(found) => Some(crate::motion::out_of_range(found.kinematics)),
            LineariseError::Indefinite(_) => Some(crate::motion::BEYOND),
            LineariseError::NoEquilibrium | LineariseError::Linear(_) | LineariseError::Length { .. } => None,
        };
        let problem = Self::new(kind, error.to_string()).hints(hint);
        if unsolved { problem.unsolved() } else { problem }
    }
}

impl Request {
    /// The input and output of the plot, counted from zero.
    fn channel(&self, model: &Linearisation) -> Result<[usize; 2], Problem> {
        let input =
            self.input.checked_sub(1).ok_or_else(|| Problem::new("bad-option", "inputs are counted from one"))?;
        let output = match &self.output {
            None => input,
            Some(name) => model.outputs.iter().position(|other| other == name).ok_or_else(|| {
                let known: Vec<&str> = model.outputs.iter().map(String::as_str).collect();
                Problem::new("bad-option", format!("there is no output `{name}`")).hint(suggest::hint(name, &known))
            })?,
        };
        model.check_channel(input, output)?;
        Ok([input, output])
    }

    /// Frequencies over configurations and payloads.
    fn table(&self, description: &ArmDescription, spin: &[f64], host: &dyn Host) -> Result<Table, Problem> {
        let configurations = match (&self.configurations, &self.at) {
            (Some(text), _) => read::lists(text, "--configurations")?,
            (None, Some(text)) => read::lists(text, "--at")?,
            (None, None) => vec![vec![0.0; description.links.len()]],
        };
        let mut table = Vec::new();
        for &payload_scale in self.payload_scales.as_deref().unwrap_or(&[1.0]) {
            // The frequencies of the assembled arm hardly depend on the modes that it is described by: those of its own payload.
            let described = scaled(description, payload_scale);
            for configuration in &configurations {
                if host.is_cancelled() {
                    return Err(Problem::cancelled());
                }
                let about =
                    About { arm: &self.arm, position: configuration, spin, beyond_validity: self.beyond_validity };
                let (_, model) = about.model(&described)?;
                table.push(Row {
                    payload_scale,
                    configuration: configuration.clone(),
                    locked_frequencies_hz: model.locked_frequencies(),
                    free_frequencies_hz: model.free_frequencies(),
                    locked_squares: model.locked_squares(),
                });
            }
        }
        Ok(Table { table })
    }
}

fn pairs(values: &[Complex<f64>]) -> Vec<[f64; 2]> {
    values.iter().map(|value| [value.re, value.im]).collect()
}

impl Linear {
    fn of(found: Converged, spin: Vec<f64>, chosen: [usize; 2]) -> Result<Self, Problem> {
        let Converged { arm, model, locked, free } = found;
        let warnings = warnings(&arm, &model, &spin);
        let directions = [model.size() - model.joints(), model.size()];
        let [all_locked, all_free] = [model.locked_squares(), model.free_squares()];
        let space = model.state_space()?;
        let mut channels = Vec::new();
        for input in 0..model.torque.len() {
            for (output, name) in model.outputs.iter().enumerate() {
                // A channel that the torque does not reach has no zeros to speak of.
                let zeros = model.zeros(input, output).ok().map(|zeros| pairs(&zeros));
                channels.push(Channel { input: input + 1, output: name.clone(), zeros });
            }
        }
        Ok(Self {
            q: model.q.clone(),
            torque: model.torque.clone(),
            free_frequencies_hz: hertz(&free.values),
            locked_frequencies_hz: hertz(&locked.values),
            locked_stability: Stability::of(&all_locked, directions[0]),
            free_stability: Stability::of(&all_free, directions[1]),
            locked_errors: swinging(&locked.values, &locked.errors),
            free_errors: swinging(&free.values, &free.errors),
            locked_squares: locked.values,
            spin: spin.iter().any(|&rate| rate != 0.0).then_some(spin),
            warnings,
            outputs: model.outputs.clone(),
            a: Nested::from(&space.a),
            b: Nested::from(&space.b),
            c: Nested::from(&space.c),
            d: Nested::from(&space.d),
            poles: pairs(&model.poles()?),
            channels,
            name: arm.name().to_owned(),
            chosen,
        })
    }

    fn to_text(&self) -> String {
        let mut lines = vec![
            format!("{HEADING}{}{HEADING:#} about q = ({})", self.name, list(&self.q)),
            format!("locked joints [Hz]  {}", list(&self.locked_frequencies_hz)),
            format!("{FAINT}estimated error     {}{FAINT:#}", parts(&self.locked_errors)),
            format!("free joints [Hz]    {}", list(&self.free_frequencies_hz)),
            format!("{FAINT}estimated error     {}{FAINT:#}", parts(&self.free_errors)),
            format!("poles [rad/s]       {}", roots(&self.poles)),
        ];
        if let Some(spin) = &self.spin {
            lines[0] += &format!(" at rates ({})", list(spin));
        }
        if self.locked_stability == Stability::Unstable {
            let falling: Vec<f64> = self.locked_squares.iter().copied().filter(|&x| x < 0.0).collect();
            lines.push(format!(
                "{BAD}unstable{BAD:#} with locked joints: ω² = {} rad²/s²; the arm buckles",
                list(&falling)
            ));
        }
        match self.free_stability {
            Stability::Unstable => lines.push(format!("{BAD}unstable{BAD:#} with free joints")),
            Stability::Neutral => lines.push(format!("{FAINT}neutral directions with free joints{FAINT:#}")),
            Stability::Stable => {}
        }
        lines.extend(self.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
        let [input, output] = self.chosen;
        let tips = ["tip_x", "tip_y", "tip_angle"].iter().filter_map(|tip| {
            let place = self.outputs.iter().position(|other| other == tip)?;
            (place != output).then_some(place)
        });
        for output in std::iter::once(output).chain(tips) {
            let Some(channel) = self.channels.get(input * self.outputs.len() + output) else { continue };
            let what = format!("zeros u{} → {}", channel.input, channel.output);
            lines.push(match &channel.zeros {
                Some(zeros) => {
                    let right = zeros.iter().any(|&[re, im]| re > 1e-6 * re.hypot(im).max(1e-9));
                    let note = if right { format!("  {FAINT}not minimum phase{FAINT:#}") } else { String::new() };
                    format!("{what}  {}{note}", roots(zeros))
                }
                None => format!("{what}  {FAINT}not reached{FAINT:#}"),
            });
        }
        if self.torque.iter().any(|&u| u != 0.0) {
            lines.push(format!("holding torques [N m]  {}", list(&self.torque)));
        }
        lines.join("\n")
    }
}

/// What to know before a linear model is believed.
fn warnings(arm: &FlexibleArm<f64>, model: &Linearisation, spin: &[f64]) -> Vec<String> {
    let mut qd = spin.to_vec();
    qd.resize(arm.size(), 0.0);
    let mut warnings: Vec<String> = stiffness_warning(arm, &[[model.q.clone(), qd]]).into_iter().collect();
    let moving = spin.iter().any(|&rate| rate != 0.0);
    if moving && (arm.has_gravity() || spin.iter().skip(1).any(|&rate| rate != 0.0)) {
        warnings.push(
            "this motion is not steady: joints beyond the first or gravity change it as it goes on, and the linear model is that \
             of the moment"
                .to_owned(),
        );
    }
    if let Some(found) = OutOfRange::at(&arm.clone().with_slope_limit(), &model.q, None) {
        warnings.push(found.to_string());
    }
    warnings
}

/// The frequencies of the squares that swing, Hz.
fn hertz(squares: &[f64]) -> Vec<f64> {
    squares.iter().filter(|x| **x > 0.0).map(|x| x.sqrt() / std::f64::consts::TAU).collect()
}

/// What belongs to the squares that swing.
fn swinging(squares: &[f64], errors: &[Option<f64>]) -> Vec<Option<f64>> {
    squares.iter().zip(errors).filter(|(x, _)| **x > 0.0).map(|(_, error)| *error).collect()
}

fn parts(errors: &[Option<f64>]) -> String {
    let one = |error: &Option<f64>| error.map_or_else(|| "–".to_owned(), |error| format!("{error:.0e}"));
    if errors.is_empty() { "none".to_owned() } else { errors.iter().map(one).collect::<Vec<_>>().join("  ") }
}

fn list(values: &[f64]) -> String {
    let numbers: Vec<String> = values.iter().map(|x| format!("{x:.6}")).collect();
    if numbers.is_empty() { "none".to_owned() } else { numbers.join("  ") }
}

/// Of conjugate numbers one is shown.
fn roots(values: &[[f64; 2]]) -> String {
    // What is that much smaller than the rest is rounding of zero.
    let dust = 1e-7 * values.iter().map(|&[re, im]| re.hypot(im)).fold(0.0, f64::max);
    let clean = |x: f64| if x.abs() < dust { 0.0 } else { x };
    let shown = values.iter().map(|value| value.map(clean)).filter(|[_, im]| *im >= 0.0).map(|value| match value {
        [re, 0.0] => format!("{re:.5}"),
        [0.0, im] => format!("±{im:.5}i"),
        [re, im] => format!("{re:.5} ± {im:.5}i"),
    });
    shown.collect::<Vec<_>>().join("  ")
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::Linear(linear) => linear.to_text(),
            Self::Table(table) => table.to_text(),
        }
    }
}

impl Table {
    fn to_text(&self) -> String {
        let mut lines = vec![["payload", "configuration", "joints", "f [Hz]"].map(str::to_owned).to_vec()];
        for row in &self.table {
            for (joints, values) in [("locked", &row.locked_frequencies_hz), ("free", &row.free_frequencies_hz)] {
                let scale = format!("× {}", numbers::short(row.payload_scale));
                let mut line = vec![scale, format!("{:?}", row.configuration), joints.to_owned()];
                line.extend(values.iter().map(|x| format!("{x:.5}")));
                lines.push(line);
            }
        }
        numbers::align_right(&lines).join("\n")
    }
}

/// Magnitude and phase over the frequency, in whole decades around all frequencies of the arm.
fn bode(name: &str, model: &Linearisation, [input, output]: [usize; 2], position: &[f64]) -> Result<Figure, Problem> {
    let all: Vec<f64> =
        model.locked_frequencies().into_iter().chain(model.free_frequencies()).filter(|f| *f > 0.0).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(0.0, f64::max);
    let range = if high > 0.0 {
        [10_f64.powf((0.5 * low).log10().floor()), 10_f64.powf((1.5 * high).log10().ceil())]
    } else {
        [0.01, 100.0]
    };
    let (poles, zeros) = (pairs(&model.poles()?), pairs(&model.zeros(input, output)?));
    let at = |omega: f64| model.response(input, output, omega).map(|value| [value.re, value.im]);
    let out = &model.outputs[output];
    let (symbol, unit, words) = match out.strip_prefix("theta") {
        Some(joint) => (format!("θ_{{{joint}}}"), "rad per N m", format!("joint angle θ_{{{joint}}}")),
        None if out == "tip_angle" => ("tip angle".to_owned(), "rad per N m", "angle of the tip".to_owned()),
        None => (out.replace('_', " "), "m per N m", out.replace('_', " ")),
    };
    let figure = Response { at: &at, poles: &poles, zeros: &zeros }.figure(range, &symbol, unit, Hue::Joint(input));
    let degrees: Vec<String> = position.iter().map(|angle| format!("{}°", ticks::short(angle.to_degrees()))).collect();
    let damped = poles.iter().any(|[re, im]| re.abs() > 1e-6 * re.hypot(*im) && *im != 0.0);
    let title = format!("{name} · torque u_{{{}}} to {words}", input + 1);
    let lowest = poles
        .iter()
        .filter(|[_, im]| *im > 0.0)
        .map(|[_, im]| im / std::f64::consts::TAU)
        .fold(f64::INFINITY, f64::min);
    let finding =
        if lowest.is_finite() { format!("first resonance at {} Hz", ticks::number(lowest, 3)) } else { String::new() };
    let mut notes = vec![finding.clone()];
    notes.extend(figure.notes);
    notes.extend([
        format!("linearised at {}", degrees.join(", ")),
        if damped { "damped" } else { "undamped" }.to_owned(),
        "jourdain flexible linearise".to_owned(),
    ]);
    Ok(Figure { description: format!("{title}. {}.", notes[..3].join(", ")), title, notes, ..figure })
}
