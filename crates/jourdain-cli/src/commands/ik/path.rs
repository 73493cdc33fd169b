//! `jourdain ik-path`: the best configurations along a path, by continuation.

use super::problem::{Method, Problem, failure};
use super::{active_names, draw, resolved_motion, solve, styled_status, target, to_json};
use crate::failure::Failure;
use crate::numbers;
use crate::output::{FAINT, HEADING, Output, WARN};
use jourdain::Model;
use jourdain::formats::table::{csv_cell, headings};
use jourdain::ik::{PathSolution, Solution, Solver};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Most points of a path.
const MOST_POINTS: usize = 1_000_000;

/// Solve the inverse kinematics along a path
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A path is a JSON list of targets, as `jourdain ik` takes them, all of one form; or an object with \
                        them under \"points\". It is closed if the last target is the first.\n\nBuilt in: chang, the square of \
                        Chang 1987 for planar3r_chang, 100 segments a side, from the paper's start. With --compare and \
                        --plot it draws Figures 2 and 3 of the paper."
)]
pub struct Arguments {
    #[command(flatten)]
    problem: Problem,

    /// The path: a file, - for standard input, the JSON itself, or `chang`
    #[arg(long, short, value_name = "FILE|JSON|NAME", allow_hyphen_values = true)]
    path: String,

    /// Run the resolved-motion method beside the chosen one and show both
    #[arg(long)]
    compare: bool,

    /// Write the joint numbers as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Draw joints and arm along the path as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let problem = &arguments.problem;
    let model = problem.robot(output)?;
    let path = target::read_path(&arguments.path, problem.axis()?)?;
    if path.targets.len() > MOST_POINTS {
        return Err(Failure::new("too-large", format!("a path has at most {MOST_POINTS} points")));
    }
    let task = problem.task(&model, path.form)?;
    let start = match problem.start(&model)? {
        None if arguments.path == target::CHANG && model.nq() == 3 => {
            Some(target::CHANG_START.map(f64::to_radians).to_vec())
        }
        start => start,
    };
    let start = start.as_deref();
    let mut solver = match problem.method {
        Method::ResolvedMotion => problem.resolved_motion_solver(&model, task)?,
        _ => problem.solver(&model, task)?,
    };
    let result = match problem.method {
        Method::Newton => solver.follow(&path.targets, start).map_err(|error| failure(&error))?,
        Method::ResolvedMotion => {
            let points = solver.resolved_motion(&path.targets, start, &resolved_motion(problem));
            collected(points.map_err(|error| failure(&error))?, &path.targets)
        }
        Method::Chang | Method::ExtendedJacobian => {
            let mut points: Vec<Solution> = Vec::with_capacity(path.targets.len());
            for target in &path.targets {
                let before = points.last().map(|last| last.q.clone());
                points.push(solve(&mut solver, problem, target, before.as_deref().or(start))?);
            }
            collected(points, &path.targets)
        }
    };
    let other = if arguments.compare {
        let mut second = problem.resolved_motion_solver(&model, task)?;
        let begin = match start {
            Some(start) => start.to_vec(),
            None => result.points.first().map(|first| first.q.clone()).unwrap_or_default(),
        };
        let points = second.resolved_motion(&path.targets, Some(&begin), &resolved_motion(problem));
        Some(collected(points.map_err(|error| failure(&error))?, &path.targets))
    } else {
        None
    };
    if let Some(file) = &arguments.out {
        write_csv(file, &model, &result).map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the points: {error}")).file(file.display().to_string())
        })?;
    }
    if let Some(file) = &arguments.plot {
        draw::path(file, &model, &solver, &path.targets, &result, other.as_ref())?;
    }
    if output.is_json() {
        output.json(&path_json(&model, &result, other.as_ref()))?;
    } else {
        output.text(&path_text(arguments, &model, &result, other.as_ref()))?;
    }
    let failed = match problem.method {
        // It integrates: the report says how far off it is.
        Method::ResolvedMotion => false,
        _ => !result.is_success(),
    };
    Ok(u8::from(failed))
}

/// Points of a method that has no continuation, with what can be said of them as a path.
fn collected(points: Vec<Solution>, targets: &[jourdain::spatial::Pose<f64>]) -> PathSolution {
    PathSolution::from_points(points, targets)
}

fn path_json(model: &Model<f64>, result: &PathSolution, other: Option<&PathSolution>) -> Value {
    let points =
        |result: &PathSolution| -> Vec<Value> { result.points.iter().map(|point| to_json(model, point)).collect() };
    let mut document = json!({
        "points": points(result),
        "closed": result.closed,
        "closure_error": result.closure_error,
        "smallest_eigenvalue": result.smallest_eigenvalue,
        "branch_jumps": result.jumps,
    });
    if let Some(other) = other {
        document["resolved_motion"] = json!({ "points": points(other), "closure_error": other.closure_error });
    }
    document
}

fn path_text(arguments: &Arguments, model: &Model<f64>, result: &PathSolution, other: Option<&PathSolution>) -> String {
    let count = result.points.len();
    let mut lines = vec![format!("{HEADING}{}{HEADING:#}: {count} points", model.name())];
    let mut facts: Vec<[String; 2]> = Vec::new();
    let mut statuses: Vec<(jourdain::ik::Status, usize)> = Vec::new();
    for point in &result.points {
        match statuses.iter_mut().find(|(status, _)| *status == point.report.status) {
            Some((_, count)) => *count += 1,
            None => statuses.push((point.report.status, 1)),
        }
    }
    let counted: Vec<String> =
        statuses.iter().map(|(status, count)| format!("{count} {}", styled_status(*status))).collect();
    facts.push(["status".to_owned(), counted.join(", ")]);
    let worst = |f: fn(&Solution) -> f64| result.points.iter().map(f).fold(0.0, f64::max);
    facts.push(["largest pose error".to_owned(), format!("{:.1e} m, rad", worst(|point| point.report.pose_error))]);
    facts.push(["largest stationarity".to_owned(), format!("{:.1e}", worst(|point| point.report.stationarity))]);
    let kinds: Vec<&str> = result.kinds().iter().map(|kind| kind.name()).collect();
    facts.push(["kind".to_owned(), kinds.join(", ")]);
    facts.push(["smallest eigenvalue".to_owned(), numbers::short(result.smallest_eigenvalue)]);
    let iterations: usize = result.points.iter().map(|point| point.report.iterations).sum();
    facts.push(["iterations per point".to_owned(), format!("{:.1}", iterations as f64 / count.max(1) as f64)]);
    facts.push(["closure".to_owned(), closure(result)]);
    if let Some(other) = other {
        facts.push(["closure, resolved motion".to_owned(), closure(other)]);
    }
    for (what, path) in [("points", &arguments.out), ("plot", &arguments.plot)] {
        if let Some(path) = path {
            facts.push([what.to_owned(), path.display().to_string()]);
        }
    }
    let rows: Vec<Vec<&str>> = facts.iter().map(|fact| fact.iter().map(String::as_str).collect()).collect();
    lines.extend(numbers::align_left(&rows).into_iter().map(|line| format!("{FAINT}{line}{FAINT:#}")));
    for &jump in &result.jumps {
        let point = &result.points[jump];
        let active = active_names(model, point);
        let limits = if active.is_empty() { String::new() } else { format!(", {} at limits", active.join(", ")) };
        lines.push(format!("{WARN}branch jump{WARN:#} at point {jump}: {}{limits}", point.report.status.name()));
    }
    lines.join("\n")
}

fn closure(result: &PathSolution) -> String {
    match result.closure_error {
        Some(error) => format!("{error:.1e} rad, m"),
        None => "the path is open".to_owned(),
    }
}

fn write_csv(file: &Path, model: &Model<f64>, result: &PathSolution) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    write!(out, "point")?;
    for name in headings("q", &model.coordinates()) {
        write!(out, ",{}", csv_cell(&name))?;
    }
    writeln!(out, ",criterion,pose_error,stationarity,status")?;
    for (index, point) in result.points.iter().enumerate() {
        write!(out, "{index}")?;
        for x in &point.q {
            write!(out, ",{x}")?;
        }
        let report = &point.report;
        let (h, e, s) = (report.criterion.min(f64::MAX), report.pose_error, report.stationarity);
        writeln!(out, ",{h},{e},{s},{}", report.status.name())?;
    }
    out.flush()
}

/// The tip of every point.
pub fn tips(solver: &Solver<'_>, result: &PathSolution) -> Vec<[f64; 3]> {
    result.points.iter().map(|point| solver.tip(&point.q).translation.0).collect()
}
