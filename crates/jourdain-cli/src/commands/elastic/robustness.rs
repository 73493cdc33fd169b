//! `jourdain elastic robustness`: one nominal control law against many perturbed robots.

use super::setup::{Loop, Setup, failure};
use crate::failure::Failure;
use crate::numbers;
use crate::output::{FAINT, GOOD, HEADING, Output, WARN};
use crate::plot::{self, Curve, Panel};
use indicatif::{ProgressBar, ProgressStyle};
use jourdain::elastic::robustness::{Outcome, Spread, Study};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Most robots of a study.
const MOST_SAMPLES: usize = 10_000_000;

/// Test a control law on perturbed robots
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The law believes in the robot given. Each sample draws another robot around it, uniformly: every link's \
                        mass with its inertia, every stiffness and all friction times 1 +- share, and a payload between \
                        none and --payload at the origin of the last link. It starts where the nominal robot would be on \
                        the reference, off by --offset.\n\nStable: the error stays within --bound, and at rest at the end \
                        of the reference all poles of the loop lie in the left half-plane. Decay rate: the distance of \
                        the rightmost of these poles from the axis. Equal seeds give equal studies on any number of \
                        cores."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    #[command(flatten)]
    setup: Loop,

    /// Robots to draw
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    samples: usize,

    /// Seed of the robots
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Spread of each link's mass, as a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, allow_negative_numbers = true)]
    mass: f64,

    /// Spread of each stiffness, as a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, allow_negative_numbers = true)]
    stiffness: f64,

    /// Spread of the friction, as a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, allow_negative_numbers = true)]
    friction: f64,

    /// Largest payload, kg
    #[arg(long, value_name = "KG", default_value_t = 0.0, allow_negative_numbers = true)]
    payload: f64,

    /// Errors beyond this are a loss of control, rad or m
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true)]
    bound: f64,

    /// Write the samples as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Draw the distributions as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    if arguments.samples == 0 || arguments.samples > MOST_SAMPLES {
        return Err(Failure::usage(format!("{} robots cannot be drawn", arguments.samples))
            .hint(format!("from 1 to {MOST_SAMPLES}")));
    }
    let setup = arguments.setup.read(&arguments.robot, output)?;
    let outcomes = study(arguments, &setup, output)?;
    let report = Report::of(&outcomes);
    if let Some(path) = &arguments.out {
        write_csv(path, &setup, &outcomes).map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the samples: {error}")).file(path.display().to_string())
        })?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, arguments, &setup, &outcomes)?;
    }
    if output.is_json() {
        output.json(&to_json(arguments, &setup, &report))?;
    } else {
        output.text(&to_text(arguments, &setup, &report))?;
    }
    Ok(0)
}

/// All samples, with a progress bar once they have taken a second.
fn study(arguments: &Arguments, setup: &Setup, output: &Output) -> Result<Vec<Outcome>, Failure> {
    let study = Study {
        nominal: &setup.elastic,
        kind: arguments.setup.controller.kind(),
        poles: setup.poles,
        motion: &setup.motion,
        offset: setup.offset.clone(),
        spread: Spread {
            mass: arguments.mass,
            stiffness: arguments.stiffness,
            friction: arguments.friction,
            payload: arguments.payload,
        },
        samples: arguments.samples,
        seed: arguments.seed,
        duration: setup.duration,
        step: arguments.setup.step,
        bound: arguments.bound,
    };
    let (begun, done, bar) = (Instant::now(), AtomicU64::new(0), OnceLock::new());
    let outcomes = study.run(|| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if !output.is_quiet() && begun.elapsed() > Duration::from_secs(1) {
            bar.get_or_init(|| progress_bar(arguments.samples)).set_position(done);
        }
    });
    if let Some(bar) = bar.get() {
        bar.finish_and_clear();
    }
    outcomes.map_err(|error| failure(&error))
}

fn progress_bar(samples: usize) -> ProgressBar {
    let bar = ProgressBar::new(samples as u64);
    // A template that does not parse would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} robots, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// What a study says.
struct Report {
    samples: usize,
    stable: usize,
    /// Least, median and largest of what was found.
    largest: [f64; 3],
    late: [f64; 3],
    decay: Option<[f64; 3]>,
}

impl Report {
    fn of(outcomes: &[Outcome]) -> Self {
        let decays: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.decay).collect();
        Self {
            samples: outcomes.len(),
            stable: outcomes.iter().filter(|outcome| outcome.stable).count(),
            largest: spread(outcomes.iter().map(|outcome| outcome.largest).collect()),
            late: spread(outcomes.iter().map(|outcome| outcome.late).collect()),
            decay: (!decays.is_empty()).then(|| spread(decays)),
        }
    }

    fn share(&self) -> f64 {
        self.stable as f64 / self.samples.max(1) as f64
    }
}

/// Least, median and largest.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * (values.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
    [at(0.0), at(0.5), at(1.0)]
}

fn write_csv(path: &Path, setup: &Setup, outcomes: &[Outcome]) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let cell = jourdain::formats::table::csv_cell;
    let links = setup.elastic.model().links();
    let mut heading = vec!["sample".to_owned()];
    heading.extend(links.iter().map(|link| cell(&format!("mass:{}", link.name))));
    let joint = |link: usize| cell(&format!("stiffness:{}", links[link].joint_name));
    heading.extend(setup.elastic.springs().iter().map(|spring| joint(spring.link)));
    heading.extend(["friction", "payload", "stable", "largest", "late", "rms", "decay"].map(str::to_owned));
    writeln!(file, "{}", heading.join(","))?;
    for (index, outcome) in outcomes.iter().enumerate() {
        write!(file, "{index}")?;
        let Outcome { masses, stiffnesses, friction, payload, stable, largest, late, rms, decay } = outcome;
        for x in masses.iter().chain(stiffnesses).chain([friction, payload]) {
            write!(file, ",{x}")?;
        }
        write!(file, ",{},{largest},{late},{rms},", u8::from(*stable))?;
        writeln!(file, "{}", decay.map_or(String::new(), |decay| decay.to_string()))?;
    }
    file.flush()
}

/// Every quantity sorted, over the share of robots that lie below.
fn draw(path: &Path, arguments: &Arguments, setup: &Setup, outcomes: &[Outcome]) -> Result<(), Failure> {
    let sorted = |name: &str, value: fn(&Outcome) -> f64| {
        let mut values: Vec<f64> = outcomes.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        Curve { name: name.to_owned(), values }
    };
    let last = outcomes.len().saturating_sub(1).max(1) as f64;
    let shares: Vec<f64> = (0..outcomes.len()).map(|k| k as f64 / last).collect();
    let panels = [
        Panel { axis: "largest error".to_owned(), curves: vec![sorted("at any time", |outcome| outcome.largest)] },
        Panel {
            axis: "remaining error".to_owned(),
            curves: vec![
                sorted("last quarter", |outcome| outcome.late),
                sorted("root mean square", |outcome| outcome.rms),
            ],
        },
        Panel {
            axis: "decay rate [1/s]".to_owned(),
            curves: vec![sorted("decay rate", |outcome| outcome.decay.unwrap_or(0.0))],
        },
    ];
    let title = format!("{}, {}", setup.elastic.model().name(), arguments.setup.controller.name());
    plot::stacked(path, &title, "share of robots", &shares, &panels)
}

fn to_json(arguments: &Arguments, setup: &Setup, report: &Report) -> Value {
    let spread = |[least, median, largest]: [f64; 3]| json!({ "least": least, "median": median, "largest": largest });
    json!({
        "robot": setup.elastic.model().name(),
        "controller": arguments.setup.controller.name(),
        "samples": report.samples,
        "seed": arguments.seed,
        "stable": report.stable,
        "stable_fraction": report.share(),
        "largest_error": spread(report.largest),
        "late_error": spread(report.late),
        "decay": report.decay.map(spread),
    })
}

fn to_text(arguments: &Arguments, setup: &Setup, report: &Report) -> String {
    let style = if report.stable == report.samples { GOOD } else { WARN };
    let mut lines = vec![
        format!(
            "{HEADING}{}{HEADING:#}: {} robots for {} s, controller {}, seed {}",
            setup.elastic.model().name(),
            report.samples,
            numbers::short(setup.duration),
            arguments.setup.controller.name(),
            arguments.seed
        ),
        format!(
            "{FAINT}mass ± {} %, stiffness ± {} %, friction ± {} %, payload up to {} kg{FAINT:#}",
            numbers::short(100.0 * arguments.mass),
            numbers::short(100.0 * arguments.stiffness),
            numbers::short(100.0 * arguments.friction),
            numbers::short(arguments.payload)
        ),
        format!("stable  {style}{:.2} %{style:#} ({} of {})", 100.0 * report.share(), report.stable, report.samples),
    ];
    for (what, path) in [("samples", &arguments.out), ("plot", &arguments.plot)] {
        if let Some(path) = path {
            lines.push(format!("{what:<7} {}", path.display()));
        }
    }
    lines.push(String::new());
    let mut rows = vec![["", "least", "median", "largest"].map(str::to_owned).to_vec()];
    let mut row = |what: &str, values: [f64; 3]| {
        rows.push(std::iter::once(what.to_owned()).chain(values.map(|x| format!("{x:.4}"))).collect());
    };
    row("largest error", report.largest);
    row("error, last quarter", report.late);
    if let Some(decay) = report.decay {
        row("decay rate [1/s]", decay);
    }
    lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    lines.join("\n")
}
