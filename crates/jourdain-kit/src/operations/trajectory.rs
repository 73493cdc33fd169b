//! `trajectory`: quantities along a motion that is given as a function of time.

use super::eval::quantities::{Asked, Method, evaluate, parse_quantities, warn_of_damping};
use crate::by_name::ByName;
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::movie::robot::{Play, TRAIL};
use crate::movie::timing::Timing;
use crate::movie::{Animate, Format};
use crate::nested::Nested;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::figure::{Axis as PlotAxis, Figure};
use crate::plot::joints::{Palette, Series, block};
use crate::plot::look::{Hue, Style, Theme};
use crate::problem::Problem;
use crate::read::{self, What};
use crate::resolve::Robot;
use crate::sheet;
use crate::sources;
use crate::text::numbers;
use crate::text::style::{FAINT, HEADING};
use jourdain::dynamics::memory::Memory;
use jourdain::dynamics::recursive;
use jourdain::prescribed::{PrescribedError, PrescribedMotion};
use jourdain::quantity::{Axis, Kind};
use jourdain::{Model, State, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the built-in trajectory.
const MUELLER_KUMAR: &str = "mueller-kumar";

/// Most curves of one panel of a plot.
const MOST_CURVES: usize = 64;

/// Hysteresis of friction is followed at times so far apart, s.
const FOLLOWED_EVERY: f64 = 1e-3;

/// Most positions at which it is followed between the times asked for.
const MOST_FOLLOWED: f64 = 1e6;

/// Most numbers that are kept: half a gigabyte.
const MOST_NUMBERS: usize = 1 << 26;

/// Evaluate quantities along a trajectory
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A trajectory is JSON: {\"duration\": 2, \"joints\": [curve, ...]} with a curve {\"cosines\": \
                      [{\"amplitude\", \"frequency\", \"phase\"}, ...], \"offset\"}, {\"polynomial\": [c0, c1, ...]} or \
                      a number per joint; or {\"points\": {\"times\", \"q\", \"spline\": \"cubic\", \"quintic\", \"septic\" or \"nonic\"}}, at \
                      rest at both ends. \"wrenches\": [{\"link\", \"force\", \"moment\"}] have three curves each. Or it \
                      is a .csv file of samples with columns t and q[JOINT], or a time and the position per line, with \
                      --smoothing. All derivatives are exact.\n\nBuilt in: mueller-kumar, the motion and load of Figures 3 and 4 of Mueller and Kumar \
                      2021, for robots with seven joints."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// JSON file, CSV file of samples, the JSON itself, or a built-in name
    #[schemars(extend("x-table" = sources::samples()))]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON|NAME"))]
    pub trajectory: String,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[cfg_attr(feature = "clap", arg(long, short = 'Q', required = true, value_name = "NAMES"))]
    pub quantity: Vec<String>,

    /// Number of times, begin and end included
    #[serde(default = "samples")]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "N", default_value_t = samples()))]
    pub samples: usize,

    /// Times instead of evenly spaced ones, separated by commas, s
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TIMES", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub times: Vec<f64>,

    /// Standard deviation of the Gaussian that smooths samples, s
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", allow_negative_numbers = true))]
    pub smoothing: Option<f64>,

    /// Which formulas to use
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub method: Method,

    /// Write the numbers as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw the quantities
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// A moving picture
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub animation: Animate,
}

fn samples() -> usize {
    101
}

/// The numbers along the motion.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The robot's name.
    pub robot: String,
    /// Times, s.
    pub t: Vec<f64>,
    /// By the name asked for, one array per time.
    pub quantities: ByName<Vec<Nested<'static>>>,
    #[serde(skip)]
    asked: Vec<Asked>,
    #[serde(skip)]
    model: Model<f64>,
    #[serde(skip)]
    files: Vec<(&'static str, PathBuf)>,
}

impl Operation for Request {
    const NAME: &'static str = "trajectory";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![
            ("out", self.out.as_deref()),
            ("plot", self.plot.as_deref()),
            ("animate", self.animation.animate.as_deref()),
        ]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::TABLE, self.out.as_deref()), (&ending::PLOT, self.plot.as_deref())])?;
        self.animation.check()?;
        let model = self.robot.load(host)?;
        let asked = parse_quantities(&self.quantity, &model)?;
        warn_of_damping(&asked, &model, host);
        let motion = read_motion(&self.trajectory, self.smoothing, &model, host)?;
        let times = read_times(self, &motion)?;
        let size: usize = asked.iter().map(|asked| asked.quantity.entry().shape.size(&model)).sum();
        if size.saturating_mul(times.len()) > MOST_NUMBERS {
            let message = format!("{} times {size} numbers are too many; at most {MOST_NUMBERS} are kept", times.len());
            return Err(Problem::new("too-large", message).hint("ask for fewer samples or quantities"));
        }
        let states: Vec<State<f64>> = times.iter().map(|t| motion.state(&model, *t)).collect();
        let mut results = evaluate(&asked, self.method.path(), &model, &states, host)?;
        let torques: Vec<usize> =
            (0..asked.len()).filter(|&k| asked[k].quantity.kind() == Kind::InverseDynamics).collect();
        if !torques.is_empty() {
            for (friction, values) in friction_beyond(&model, &motion, &times, &states).iter().zip(&mut results) {
                torques.iter().for_each(|&k| values[k].iter_mut().zip(friction).for_each(|(tau, x)| *tau += x));
            }
        }
        let mut files = Vec::new();
        if let Some(path) = &self.out {
            write_table(path, &model, &asked, &times, &results, host)?;
            files.push(("samples", path.clone()));
        }
        if let Some(path) = &self.plot {
            plot::write(path, &self.figure(&model, &asked, &times, &results)?, self.style, host)?;
            files.push(("plot", path.clone()));
        }
        if let Some(path) = &self.animation.animate {
            animate(&model, &motion, &times, self.style.theme, &self.animation, host)?;
            files.push(("animation", path.clone()));
        }
        let mut quantities: Vec<(String, Vec<Nested<'static>>)> =
            asked.iter().map(|asked| (asked.name.clone(), Vec::with_capacity(times.len()))).collect();
        let lengths: Vec<Vec<usize>> = asked.iter().map(|asked| asked.quantity.entry().shape.lengths(&model)).collect();
        for values in results {
            for (((_, arrays), values), lengths) in quantities.iter_mut().zip(values).zip(&lengths) {
                arrays.push(Nested { lengths: lengths.clone().into(), values: values.into() });
            }
        }
        let robot = model.name().to_owned();
        Ok(Report { robot, t: times, quantities: ByName(quantities), asked, model, files })
    }
}

/// What friction is along the motion beyond what it is at single states, per time; nothing for robots whose friction has no memory.
fn friction_beyond(
    model: &Model<f64>,
    motion: &PrescribedMotion,
    times: &[f64],
    states: &[State<f64>],
) -> Vec<Vec<f64>> {
    let Some(mut memory) = Memory::new(model) else { return Vec::new() };
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    let mut workspace = Workspace::new(model);
    let mut links = vec![0.0; model.nv()];
    let mut friction = vec![vec![0.0; model.nv()]; times.len()];
    let first = order.first().map_or(0.0, |&k| times[k]);
    let mut now = first.min(0.0);
    memory.advance(model, &motion.state(model, now).q);
    for k in order {
        // Steps are exact unless the motion turns back within one.
        let span = times[k] - now;
        let steps = (span / FOLLOWED_EVERY).ceil().clamp(1.0, MOST_FOLLOWED / times.len() as f64 + 1.0) as usize;
        for step in 1..steps {
            memory.advance(model, &motion.state(model, now + span * step as f64 / steps as f64).q);
        }
        now = times[k];
        let State { q, qd, qdd, wrenches, .. } = &states[k];
        memory.advance(model, q);
        if memory.is_loaded() {
            recursive::link_torques_into(model, q, qd, qdd, wrenches, &mut workspace, &mut links);
        }
        memory.add_friction(model, q, qd, &links, &mut friction[k]);
    }
    friction
}

const TRAJECTORY: What = What {
    name: "the trajectory",
    option: "--trajectory",
    hint: "a trajectory is a JSON or CSV file, the JSON itself, or `mueller-kumar`",
};

/// A trajectory from a file, the JSON itself or a built-in name.
///
/// # Errors
/// It cannot be read, or is none for this robot.
pub fn read_motion(
    given: &str,
    smoothing: Option<f64>,
    model: &Model<f64>,
    host: &dyn Host,
) -> Result<PrescribedMotion, Problem> {
    let table = host.table(given);
    let is_csv = Path::new(given).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let sigma = match (table.is_some() || is_csv, smoothing) {
        (true, None) => {
            let hint = "--smoothing 0.02 averages over 0.02 s";
            return Err(Problem::usage("samples have no derivatives: say how to smooth them").hint(hint));
        }
        (false, Some(_)) => {
            let message = "a smoothing belongs to samples: the trajectory is no .csv file";
            return Err(Problem::usage(message));
        }
        (_, sigma) => sigma,
    };
    if given == MUELLER_KUMAR {
        return PrescribedMotion::mueller_kumar(model).map_err(|error| motion_problem(&error, None));
    }
    if let (Some(table), Some(sigma)) = (table, sigma) {
        return PrescribedMotion::from_table(table, sigma, model).map_err(|error| motion_problem(&error, Some(given)));
    }
    let text = read::given(given, TRAJECTORY, host)?;
    let motion = match sigma {
        Some(sigma) => PrescribedMotion::from_csv(&text.text, sigma, model),
        None => PrescribedMotion::from_json(&text.text, model),
    };
    motion.map_err(|error| motion_problem(&error, text.file.as_deref()))
}

/// Why a motion is none for a robot.
pub(crate) fn motion_problem(error: &PrescribedError, file: Option<&str>) -> Problem {
    let kind = match error {
        PrescribedError::UnknownLink { .. } => "unknown-link",
        PrescribedError::Joints { .. } => "wrong-length",
        PrescribedError::Quaternions { .. } => "unsupported-joint",
        PrescribedError::Span { .. } | PrescribedError::Points(_) | PrescribedError::Syntax { .. } => "bad-trajectory",
    };
    file.iter().fold(Problem::new(kind, error.to_string()), |problem, file| problem.file(*file))
}

fn read_times(request: &Request, motion: &PrescribedMotion) -> Result<Vec<f64>, Problem> {
    if let Some(t) = request.times.iter().find(|t| !t.is_finite()) {
        return Err(Problem::usage(format!("{t} is no time")));
    }
    if !request.times.is_empty() {
        return Ok(request.times.clone());
    }
    if request.samples == 0 || request.samples > MOST_NUMBERS {
        return Err(Problem::usage(format!("{} samples cannot be taken", request.samples)));
    }
    Ok(motion.times(request.samples))
}

/// What the numbers of a quantity are called along its axes; one empty name for a single number.
fn element_labels(model: &Model<f64>, asked: &Asked) -> Vec<String> {
    let entry = asked.quantity.entry();
    let lengths = entry.shape.lengths(model);
    let labels = |axis: &Axis| axis.labels(model).unwrap_or_default();
    let axes: Vec<Vec<String>> = entry.shape.0.iter().map(labels).collect();
    (0..entry.shape.size(model))
        .map(|index| {
            let mut rest = index;
            let mut parts = Vec::with_capacity(lengths.len());
            for (length, labels) in lengths.iter().zip(&axes).rev() {
                let at = rest % length;
                rest /= length;
                parts.push(labels.get(at).cloned().unwrap_or_else(|| at.to_string()));
            }
            parts.reverse();
            parts.join(" ")
        })
        .collect()
}

fn write_table(
    path: &Path,
    model: &Model<f64>,
    asked: &[Asked],
    times: &[f64],
    results: &[Vec<Vec<f64>>],
    host: &dyn Host,
) -> Result<(), Problem> {
    let headings = |asked: &Asked| asked.quantity.entry().shape.headings(&asked.name, model);
    let values: Vec<f64> = results.iter().flatten().flatten().copied().collect();
    sheet::timed(path, asked.iter().flat_map(headings).collect(), times, &values, host)
}

/// The robot along the motion, from the first of the times to the last.
fn animate(
    model: &Model<f64>,
    motion: &PrescribedMotion,
    times: &[f64],
    theme: Theme,
    options: &Animate,
    host: &dyn Host,
) -> Result<(), Problem> {
    let Some(path) = &options.animate else { return Ok(()) };
    let (first, last) = times.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| (a.min(*t), b.max(*t)));
    let mut timing = Timing::new(&options.showing, last - first, Format::of(path)?)?;
    for time in &mut timing.times {
        *time += first;
    }
    let position = |t: f64| motion.state(model, t).q;
    let gap = timing.delay * timing.speed / TRAIL as f64;
    let trail = (0..=(timing.times.len() - 1) * TRAIL).map(|k| position((first + gap * k as f64).min(last))).collect();
    let positions = timing.times.iter().map(|t| position(*t)).collect();
    let title = format!("{} · given motion", model.name());
    Play { positions, trail, theme, ..Play::new(model, title, timing) }.write(options, host)
}

impl Request {
    /// A panel or small ones for each quantity, of symmetric matrices each number once.
    fn figure(
        &self,
        model: &Model<f64>,
        asked: &[Asked],
        times: &[f64],
        results: &[Vec<Vec<f64>>],
    ) -> Result<Figure, Problem> {
        let x: Arc<[f64]> = times.into();
        let palette = Palette::of(model);
        let joints: Vec<String> = model.velocities().iter().map(ToString::to_string).collect();
        let mut blocks = Vec::with_capacity(asked.len());
        for (index, asked) in asked.iter().enumerate() {
            let names = element_labels(model, asked);
            let values: Vec<Vec<f64>> =
                (0..names.len()).map(|element| results.iter().map(|values| values[index][element]).collect()).collect();
            let shown = once(&asked.quantity.entry().shape.lengths(model), &values);
            if shown.len() > MOST_CURVES {
                let message =
                    format!("`{}` has {} numbers; a plot shows at most {MOST_CURVES}", asked.name, shown.len());
                return Err(Problem::new("too-large", message).hint("--out writes all numbers as CSV"));
            }
            let units = asked.quantity.units(model);
            let one = |(place, element): (usize, &usize)| {
                let name = &names[*element];
                // A number of each joint has the joint's colour, a number of a pair that of the first.
                let joint = joints.iter().find(|joint| name == *joint || name.starts_with(&format!("{joint} ")));
                let hue = joint.map_or(Hue::Joint(place), |joint| palette.hue(joint));
                let unit = units.get(*element).map(ToString::to_string).filter(|unit| unit != "1").unwrap_or_default();
                let symbol = if name.is_empty() { asked.name.clone() } else { name.clone() };
                Series { symbol, unit, hue, values: values[*element].clone(), ..Series::default() }
            };
            let series: Vec<Series> = shown.iter().enumerate().map(one).collect();
            blocks.push(block(&asked.name, &x, &series));
        }
        let names: Vec<&str> = asked.iter().map(|asked| asked.name.as_str()).collect();
        let title = format!("{} · {} along a motion", model.name(), names.join(", "));
        Ok(Figure {
            description: format!("{title}, {} samples.", times.len()),
            title,
            notes: vec![format!("{} samples", times.len()), "jourdain trajectory".to_owned()],
            x: PlotAxis::time(),
            legend: Vec::new(),
            blocks,
        })
    }
}

/// The numbers of a quantity that are shown: all, but of a matrix that is symmetric throughout those on and above the diagonal.
fn once(lengths: &[usize], values: &[Vec<f64>]) -> Vec<usize> {
    let &[rows, columns] = lengths else { return (0..values.len()).collect() };
    let mirrored = |k: usize| (k % columns) * columns + k / columns;
    let close = |a: &f64, b: &f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()));
    let same = |k: usize| values[k].iter().zip(&values[mirrored(k)]).all(|(a, b)| close(a, b));
    let symmetric = rows == columns && rows > 1 && (0..values.len()).all(same);
    (0..values.len()).filter(|k| !symmetric || k % columns >= k / columns).collect()
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let times = &self.t;
        let (first, last) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        let mut lines = vec![format!(
            "{HEADING}{}{HEADING:#}: {} samples from {} s to {} s",
            self.robot,
            times.len(),
            numbers::short(first),
            numbers::short(last)
        )];
        lines.extend(self.files.iter().map(|(what, path)| format!("{what:<8} {}", path.display())));
        for (asked, (_, arrays)) in self.asked.iter().zip(&self.quantities.0) {
            let (units, about) = (asked.quantity.units(&self.model), asked.quantity.about());
            let common = asked.quantity.common_unit(&self.model);
            let unit = common.map_or_else(String::new, |unit| format!(" [{unit}]"));
            lines.push(String::new());
            lines.push(format!("{HEADING}{}{HEADING:#}{FAINT}{unit}  {about}{FAINT:#}", asked.name));
            let mut rows = vec![["", "least", "at t", "largest", "at t"].map(str::to_owned).to_vec()];
            for (element, mut label) in element_labels(&self.model, asked).into_iter().enumerate() {
                if common.is_none() {
                    label = format!("{label} [{}]", units[element]);
                }
                let values = || arrays.iter().map(|array| array.values[element]).zip(times);
                let least = values().fold((f64::INFINITY, 0.0), |best, (x, t)| if x < best.0 { (x, *t) } else { best });
                let largest =
                    values().fold((f64::NEG_INFINITY, 0.0), |best, (x, t)| if x > best.0 { (x, *t) } else { best });
                let cells = [least.0, least.1, largest.0, largest.1].map(numbers::short);
                rows.push(std::iter::once(label).chain(cells).collect());
            }
            lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        }
        lines.join("\n")
    }
}
