//! `jourdain identify`: base parameters and friction from measured motions and torques.

mod show;

use crate::failure::Failure;
use crate::input::{self, STDIN};
use crate::output::Output;
use crate::plot::{self, Curve, Panel};
use crate::progress::{Progress, Watched};
use clap::ValueEnum;
use jourdain::Model;
use jourdain::formats;
use jourdain::formats::table::count_rows;
use jourdain::identify::log::{self, Options, Summary};
use jourdain::identify::{
    Accumulator, Comparison, Drawn, Drives, Estimate, Factors, IdentifyError, JointError, Problem, Sample,
    estimated_robot, solve,
};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Identify base parameters and friction from a log
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A log is a CSV file with a heading: t, q1, q2, ..., qd1, ..., qdd1, ..., tau1, ... in any order; a joint's \
                        name may stand for its number: q_elbow, q:elbow or q[elbow]. Without velocities or accelerations \
                        positions pass a zero-phase low-pass (Butterworth of order 4, forwards and backwards) and the missing \
                        derivatives are those of the filtered positions; the cut-off is 5 times the highest frequency of the \
                        motion unless --cutoff gives it.\n\nLong logs can be shared out: \
                        --shard 2/8 --factors part2.json takes the second of eight parts, --merge part*.json puts the parts \
                        together. The result is that of the whole log."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// Log to identify from; several are taken together; - for standard input
    #[arg(long, short, value_name = "LOG.csv", required_unless_present = "merge")]
    data: Vec<String>,

    /// Log to check the estimates on
    #[arg(long, value_name = "LOG.csv")]
    validate: Option<String>,

    /// Samples per second, for logs without time
    #[arg(long, value_name = "HZ", allow_negative_numbers = true)]
    rate: Option<f64>,

    /// Cut-off of the low-pass; given, logs with all derivatives are filtered too
    #[arg(long, value_name = "HZ", allow_negative_numbers = true)]
    cutoff: Option<f64>,

    /// Use every N-th sample
    #[arg(long, value_name = "N")]
    decimate: Option<u64>,

    #[command(flatten)]
    drives: DriveArguments,

    /// Take only part I of K of the log
    #[arg(long, value_name = "I/K", requires = "factors", conflicts_with_all = ["merge", "validate"])]
    shard: Option<String>,

    /// Write what is kept of the data, for --merge
    #[arg(long, value_name = "FILE.json")]
    factors: Option<PathBuf>,

    /// Take in what --factors wrote
    #[arg(long, value_name = "FILES", num_args = 1..)]
    merge: Vec<PathBuf>,

    /// Write the robot with the estimates
    #[arg(long, short, value_name = "ROBOT.toml")]
    out: Option<PathBuf>,

    /// Draw measured and predicted torques, of the validation log if there is one
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Write the report
    #[arg(long, value_name = "FILE.txt")]
    report: Option<PathBuf>,
}

/// Which terms of the drives are unknown.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct DriveArguments {
    /// Friction to identify; the rest is as in the robot file
    #[arg(long, default_value = "both")]
    friction: Friction,

    /// Identify rotor inertias too; without it they are as in the robot file
    #[arg(long)]
    armature: bool,
}

/// Terms of friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Friction {
    /// Viscous and Coulomb
    Both,
    /// Viscous only
    Viscous,
    /// Coulomb only
    Coulomb,
    /// As in the robot file
    None,
}

impl DriveArguments {
    /// The problem of a robot with these unknowns.
    pub fn problem(self, model: &Model<f64>) -> Result<Problem, Failure> {
        let drives = Drives {
            armature: self.armature,
            viscous: matches!(self.friction, Friction::Both | Friction::Viscous),
            coulomb: matches!(self.friction, Friction::Both | Friction::Coulomb),
        };
        Problem::new(model, drives).map_err(|error| failure(&error, None))
    }
}

/// A log that was read.
struct LogReport {
    file: String,
    summary: Summary,
}

/// How the estimates do on another log.
struct Validation {
    log: LogReport,
    errors: Vec<JointError>,
}

/// All that there is to tell.
struct Outcome<'a> {
    problem: &'a Problem,
    logs: Vec<LogReport>,
    estimate: Estimate,
    validation: Option<Validation>,
    files: Vec<(&'static str, String)>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    check(arguments)?;
    let model = input::load_robot(&arguments.robot, output)?;
    let problem = arguments.drives.problem(&model)?;
    let progress = Progress::new(output);
    let (factors, logs) = gather(arguments, &problem, &progress)?;
    let mut files = Vec::new();
    if let Some(path) = &arguments.factors {
        write(path, "the factors", &factors.to_json())?;
        files.push(("factors", path.display().to_string()));
    }
    if arguments.shard.is_some() {
        drop(progress);
        return show::shard(output, &problem, &factors, &logs, &files);
    }
    let first = arguments.data.first().map(String::as_str);
    let estimate = solve(&problem, &factors).map_err(|error| failure(&error, first))?;

    let mut comparison = Comparison::new(&problem, &estimate.values);
    let validation = match &arguments.validate {
        Some(file) => {
            let options = Options { rows: None, ..options(arguments) };
            let log = read(file, problem.model(), &options, &progress, |sample| comparison.add(sample))?;
            Some(Validation { log, errors: comparison.errors() })
        }
        None => None,
    };
    if let Some(path) = &arguments.plot {
        if validation.is_none() {
            let data = arguments.data.first().map_or(STDIN, String::as_str);
            read(data, problem.model(), &options(arguments), &progress, |sample| comparison.add(sample))?;
        }
        draw(path, &problem, comparison.drawn())?;
        files.push(("plot", path.display().to_string()));
    }
    drop(progress);
    if let Some(path) = &arguments.out {
        let robot = estimated_robot(&problem, &estimate.values).map_err(|error| failure(&error, None))?;
        write(path, "the robot", &formats::to_toml(&robot))?;
        files.push(("robot", path.display().to_string()));
    }
    let outcome = Outcome { problem: &problem, logs, estimate, validation, files };
    if let Some(path) = &arguments.report {
        // A file has no use for colours.
        let plain = anstream::adapter::strip_str(&show::text(&outcome)).to_string();
        write(path, "the report", &(plain + "\n"))?;
    }
    if output.is_json() {
        output.json(&show::json(&outcome))?;
    } else {
        output.text(&show::text(&outcome))?;
    }
    Ok(0)
}

/// What does not go together.
fn check(arguments: &Arguments) -> Result<(), Failure> {
    let from_stdin = arguments.data.iter().chain(&arguments.validate).filter(|file| *file == STDIN).count();
    if from_stdin + usize::from(arguments.robot == STDIN) > 1 {
        return Err(Failure::usage("only one thing can come from standard input"));
    }
    if from_stdin > 0 && arguments.shard.is_some() {
        return Err(Failure::usage("standard input cannot be shared out").hint("--shard needs a file"));
    }
    let replayed = arguments.plot.is_some() && arguments.validate.is_none();
    if replayed && arguments.data.first().is_none_or(|file| file == STDIN) {
        let hint = "give a --validate log, or the data as a file";
        return Err(Failure::usage("a plot needs a log that can be read once more").hint(hint));
    }
    if arguments.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
        return Err(Failure::usage("--rate is a number of samples per second above zero"));
    }
    if arguments.decimate == Some(0) {
        return Err(Failure::usage("--decimate takes every N-th sample, N at least 1"));
    }
    Ok(())
}

fn options(arguments: &Arguments) -> Options {
    Options { rate: arguments.rate, cutoff: arguments.cutoff, decimate: arguments.decimate, rows: None }
}

/// The factors of all data.
fn gather(arguments: &Arguments, problem: &Problem, progress: &Progress) -> Result<(Factors, Vec<LogReport>), Failure> {
    let mut factors = Factors::new(problem);
    for path in &arguments.merge {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new("cannot-read", format!("cannot read the factors: {error}")).file(&name))?;
        let part = Factors::from_json(&text).map_err(|error| failure(&error, Some(&name)))?;
        factors.merge(&part).map_err(|error| failure(&error, Some(&name)))?;
    }
    let mut logs = Vec::new();
    for file in &arguments.data {
        let rows = match &arguments.shard {
            Some(shard) => Some(shard_rows(shard, file)?),
            None => None,
        };
        let options = Options { rows, ..options(arguments) };
        let mut accumulator = Accumulator::new(problem);
        logs.push(read(file, problem.model(), &options, progress, |sample| accumulator.add(sample))?);
        factors.merge(&accumulator.finish()).map_err(|error| failure(&error, Some(file)))?;
    }
    Ok((factors, logs))
}

/// The rows of part `I/K`.
fn shard_rows(shard: &str, file: &str) -> Result<Range<u64>, Failure> {
    let parts = shard.split_once('/').and_then(|(part, of)| Some((part.parse::<u64>().ok()?, of.parse::<u64>().ok()?)));
    let Some((part, of)) = parts.filter(|(part, of)| (1..=*of).contains(part)) else {
        return Err(
            Failure::usage(format!("`{shard}` is no part of a log")).hint("the second of eight parts is --shard 2/8")
        );
    };
    let rows = count_rows(open(file)?.0).map_err(|error| failure(&error.into(), Some(file)))?;
    let at = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(of)) as u64;
    Ok(at(part - 1)..at(part))
}

/// A log and its length, where it has one.
fn open(file: &str) -> Result<(Box<dyn BufRead>, Option<u64>), Failure> {
    if file == STDIN {
        return Ok((Box::new(std::io::stdin().lock()), None));
    }
    let opened = File::open(file)
        .map_err(|error| Failure::new("cannot-read", format!("cannot read the log: {error}")).file(file))?;
    let length = opened.metadata().ok().map(|metadata| metadata.len());
    Ok((Box::new(BufReader::with_capacity(1 << 16, opened)), length))
}

fn read(
    file: &str,
    model: &Model<f64>,
    options: &Options,
    progress: &Progress,
    take: impl FnMut(&Sample<'_>),
) -> Result<LogReport, Failure> {
    let (source, length) = open(file)?;
    let source = BufReader::with_capacity(1 << 16, Watched::new(source as Box<dyn Read>, length, progress));
    let summary = log::read(source, model, options, take).map_err(|error| failure(&error, Some(file)))?;
    Ok(LogReport { file: file.to_owned(), summary })
}

/// An error with its place in the log.
pub fn failure(error: &IdentifyError, file: Option<&str>) -> Failure {
    let failure = Failure::new(error.kind(), error.to_string());
    let failure = error.hint().into_iter().fold(failure, Failure::hint);
    let failure = file.into_iter().fold(failure, Failure::file);
    let failure = error.place().into_iter().fold(failure, |failure, (line, column)| failure.at(line, column));
    if error.is_unsolved() { failure.unsolved() } else { failure }
}

fn write(path: &Path, what: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| {
        Failure::new("cannot-write", format!("cannot write {what}: {error}")).file(path.display().to_string())
    })
}

fn draw(path: &Path, problem: &Problem, drawn: &Drawn) -> Result<(), Failure> {
    let panel = |(j, joint): (usize, &String)| Panel {
        axis: format!("{joint} [{}]", show::torque_unit(problem, j)),
        curves: vec![
            Curve { name: "measured".to_owned(), values: drawn.measured[j].clone() },
            Curve { name: "predicted".to_owned(), values: drawn.predicted[j].clone() },
        ],
    };
    let panels: Vec<Panel> = problem.joints().iter().enumerate().map(panel).collect();
    let title = format!("{}: measured and predicted torques", problem.model().name());
    plot::stacked(path, &title, "time [s]", &drawn.t, &panels)
}
