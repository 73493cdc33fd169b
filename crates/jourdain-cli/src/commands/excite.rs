//! `jourdain excite`: a motion that shows the base parameters well.

use super::identify::{DriveArguments, failure};
use crate::failure::Failure;
use crate::input;
use crate::labels::{self, Label};
use crate::numbers::{align_right, short};
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use crate::progress::Progress;
use jourdain::Model;
use jourdain::formats::table::{TIME, csv_cell, headings};
use jourdain::identify::Problem;
use jourdain::identify::excite::{self, Excitation, Options};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Most lines of samples.
const MOST_ROWS: f64 = 1e7;

/// Find a motion that shows the base parameters well
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every joint moves along a Fourier series that starts and ends at rest and stays within its limits of \
                        position, velocity and, with --acceleration, acceleration. The search makes the condition number of the \
                        base regressor small; equal seeds give equal motions. Collisions are not looked at.\n\nThe file of \
                        --trajectory is one that `jourdain trajectory` reads."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// Waves of each joint
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=50))]
    harmonics: u8,

    /// Period, s
    #[arg(long, value_name = "S", default_value_t = 10.0, allow_negative_numbers = true)]
    period: f64,

    /// Highest acceleration of every joint, rad/s² or m/s²
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    acceleration: Option<f64>,

    /// Share of the limits to use
    #[arg(long, value_name = "X", default_value_t = 0.95, allow_negative_numbers = true)]
    share: f64,

    /// Random motions to start from
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    starts: u16,

    /// Steps from each start
    #[arg(long, value_name = "N", default_value_t = 400)]
    steps: u32,

    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    drives: DriveArguments,

    /// Write the coefficients as a trajectory
    #[arg(long, short, value_name = "FILE.json")]
    trajectory: Option<PathBuf>,

    /// Write samples of one period as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Samples per second of the CSV
    #[arg(long, value_name = "HZ", default_value_t = 100.0, allow_negative_numbers = true)]
    rate: f64,

    /// Draw positions, velocities and accelerations as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    check(arguments)?;
    let model = input::load_robot(&arguments.robot, output)?;
    let problem = arguments.drives.problem(&model)?;
    let options = Options {
        harmonics: arguments.harmonics.into(),
        period: arguments.period,
        acceleration: arguments.acceleration,
        share: arguments.share,
        starts: arguments.starts.into(),
        steps: arguments.steps as usize,
        seed: arguments.seed,
    };
    let progress = Progress::new(output);
    let found =
        excite::excite(&problem, &options, |share| progress.set(share)).map_err(|error| failure(&error, None))?;
    drop(progress);
    let write_failure = |path: &Path, error: &std::io::Error| {
        Failure::new("cannot-write", format!("cannot write the motion: {error}")).file(path.display().to_string())
    };
    if let Some(path) = &arguments.trajectory {
        let text = format!("{:#}\n", found.trajectory());
        std::fs::write(path, text).map_err(|error| write_failure(path, &error))?;
    }
    if let Some(path) = &arguments.out {
        write_csv(path, &model, &found, arguments.rate).map_err(|error| write_failure(path, &error))?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &model, &found)?;
    }
    if output.is_json() {
        output.json(&to_json(&problem, &found))?;
    } else {
        output.text(&to_text(arguments, &problem, &found))?;
    }
    Ok(0)
}

fn check(arguments: &Arguments) -> Result<(), Failure> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let wrong = |what: &str| Err(Failure::usage(format!("{what} is a number above zero")));
    if !positive(arguments.period) {
        return wrong("--period");
    }
    if !arguments.acceleration.is_none_or(positive) {
        return wrong("--acceleration");
    }
    if !(positive(arguments.share) && arguments.share <= 1.0) {
        return Err(Failure::usage("--share is above zero and at most one"));
    }
    if !positive(arguments.rate) || arguments.rate * arguments.period > MOST_ROWS {
        return Err(Failure::usage("--rate is above zero and gives at most ten million lines"));
    }
    Ok(())
}

fn write_csv(path: &Path, model: &Model<f64>, found: &Excitation, rate: f64) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    write!(file, "{TIME}")?;
    let velocities = model.velocities();
    for name in ["q", "qd", "qdd"].iter().flat_map(|letters| headings(letters, &velocities)) {
        write!(file, ",{}", csv_cell(&name))?;
    }
    writeln!(file)?;
    for i in 0..=(found.period * rate).round() as u64 {
        let t = i as f64 / rate;
        write!(file, "{t}")?;
        for x in found.at(t).iter().flatten() {
            write!(file, ",{x}")?;
        }
        writeln!(file)?;
    }
    file.flush()
}

fn draw(path: &Path, model: &Model<f64>, found: &Excitation) -> Result<(), Failure> {
    const POINTS: u32 = 800;
    let labels = labels::velocities(model);
    let times: Vec<f64> = (0..=POINTS).map(|i| found.period * f64::from(i) / f64::from(POINTS)).collect();
    let motion: Vec<[Vec<f64>; 3]> = times.iter().map(|t| found.at(*t)).collect();
    let panel = |(order, (what, suffix)): (usize, (&str, &str))| Panel {
        axis: format!("{what} [{}]", labels::units(&labels, suffix)),
        curves: labels
            .iter()
            .enumerate()
            .map(|(j, label): (usize, &Label)| Curve {
                name: label.name.clone(),
                values: motion.iter().map(|state| state[order][j]).collect(),
            })
            .collect(),
    };
    let parts = [("position", ""), ("velocity", "/s"), ("acceleration", "/s²")];
    let panels: Vec<Panel> = parts.into_iter().enumerate().map(panel).collect();
    let title = format!("{}: exciting motion, condition number {:.1}", model.name(), found.quality.condition);
    plot::stacked(path, &title, "time [s]", &times, &panels)
}

fn to_json(problem: &Problem, found: &Excitation) -> Value {
    let series = found.series.iter().zip(problem.joints());
    let joints: Vec<Value> = series
        .map(|(series, joint)| {
            let (sine, cosine): (Vec<f64>, Vec<f64>) = series.waves.iter().map(|[a, b]| (*a, *b)).unzip();
            json!({ "joint": joint, "offset": series.offset, "sine": sine, "cosine": cosine })
        })
        .collect();
    json!({
        "robot": problem.model().name(),
        "count": problem.count(),
        "condition": found.quality.condition,
        "random_condition": found.random,
        "period": found.period,
        "joints": joints,
        "trajectory": found.trajectory(),
        "notices": found.notices,
    })
}

fn to_text(arguments: &Arguments, problem: &Problem, found: &Excitation) -> String {
    let mut lines = vec![
        format!(
            "{HEADING}{}{HEADING:#}: {} parameters, period {} s, {} harmonics",
            problem.model().name(),
            problem.count(),
            short(found.period),
            arguments.harmonics
        ),
        format!(
            "condition number of the base regressor {:.1}; of random motions in the same limits {:.1} (median)",
            found.quality.condition, found.random
        ),
    ];
    lines.extend(found.notices.iter().map(|notice| format!("{FAINT}note:{FAINT:#} {notice}")));
    lines.push(String::new());
    let mut rows = vec![["joint", "least", "largest", "speed", "acceleration"].map(str::to_owned).to_vec()];
    for (j, joint) in problem.joints().iter().enumerate() {
        let (mut low, mut high, mut speed, mut acceleration) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64, 0.0_f64);
        for i in 0..1000 {
            let [q, v, a] = found.series[j].motion(found.period * f64::from(i) / 1000.0, found.period);
            (low, high) = (low.min(q), high.max(q));
            (speed, acceleration) = (speed.max(v.abs()), acceleration.max(a.abs()));
        }
        let cells = [low, high, speed, acceleration].map(|x| format!("{x:.4}"));
        rows.push(std::iter::once(joint.clone()).chain(cells).collect());
    }
    lines.extend(align_right(&rows));
    let files = [("motion", &arguments.trajectory), ("samples", &arguments.out), ("plot", &arguments.plot)];
    lines.extend(files.into_iter().filter_map(|(what, path)| Some(format!("{what:<8} {}", path.as_ref()?.display()))));
    lines.join("\n")
}
