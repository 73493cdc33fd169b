//! `jourdain ik`: the configuration of a redundant arm that reaches a target and is the best for a criterion.

mod draw;
pub mod path;
mod problem;
mod target;

use crate::failure::Failure;
use crate::numbers;
use crate::output::{BAD, FAINT, GOOD, HEADING, Output, WARN};
use jourdain::Model;
use jourdain::ik::criterion::Constant;
use jourdain::ik::{Extra, Options, ResolvedMotion, Solution, Solver, Status, Task};
use jourdain::spatial::Pose;
use problem::{Method, Problem, failure};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Solve the inverse kinematics of one target
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A target is JSON, or a file of it: a 4x4 pose, [x, y, z], [x, y], or {\"position\": [x, y, z], \
                        \"quaternion\": [w, x, y, z] | \"rpy\": [r, p, y] | \"rotation\": 3x3 | \"direction\": [x, y, z]}.\n\n\
                        Status: solved; limit-active (solved, joints at their limits); wrong-kind (stationary, but no minimum); \
                        rank-deficient (singular, so without certificate); not-stationary (only the pose is reached); \
                        unreachable. The exit code is 0 for the first two and 1 for the others."
)]
pub struct Arguments {
    #[command(flatten)]
    problem: Problem,

    /// The target: a file, - for standard input, or the JSON itself
    #[arg(long, short, value_name = "FILE|JSON", allow_hyphen_values = true)]
    target: String,

    /// All stationary points that are found, of every kind
    #[arg(long)]
    all: bool,

    /// Draw the arm from above and from the side as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let problem = &arguments.problem;
    let model = problem.robot(output)?;
    let (target, form) = target::read(&arguments.target, problem.axis()?)?;
    let task = problem.task(&model, form)?;
    let start = problem.start(&model)?;
    let mut solver = match problem.method {
        Method::ResolvedMotion => problem.resolved_motion_solver(&model, task)?,
        _ => problem.solver(&model, task)?,
    };
    if arguments.all {
        let found = solver.solve_all(&target, start.as_deref()).map_err(|error| failure(&error))?;
        draw_solutions(arguments, &solver, &found)?;
        if output.is_json() {
            let solutions: Vec<Value> = found.iter().map(|solution| to_json(&model, solution)).collect();
            output.json(&json!({ "solutions": solutions }))?;
        } else {
            output.text(&all_to_text(&model, &found))?;
        }
        return Ok(u8::from(found.is_empty()));
    }
    let solution = solve(&mut solver, problem, &target, start.as_deref())?;
    draw_solutions(arguments, &solver, std::slice::from_ref(&solution))?;
    if solution.report.status == Status::Unreachable && solver.options().limits {
        note_unlimited(&model, task, &target, output);
    }
    if output.is_json() {
        output.json(&to_json(&model, &solution))?;
    } else {
        output.text(&to_text(&model, problem, &solution))?;
    }
    Ok(u8::from(!solution.report.status.is_success()))
}

/// One target by the chosen method.
fn solve(
    solver: &mut Solver<'_>,
    problem: &Problem,
    target: &Pose<f64>,
    start: Option<&[f64]>,
) -> Result<Solution, Failure> {
    let solution = match problem.method {
        Method::Newton => solver.solve(target, start),
        Method::Chang => solver.solve_chang(target, start, Extra::Null),
        Method::ExtendedJacobian => solver.solve_chang(target, start, Extra::ExtendedJacobian),
        Method::ResolvedMotion => solver.solve_resolved_motion(target, start, &resolved_motion(problem)),
    };
    solution.map_err(|error| failure(&error))
}

fn resolved_motion(problem: &Problem) -> ResolvedMotion {
    ResolvedMotion { speed: problem.speed, step: problem.step, gain: problem.gain }
}

/// Tells whether it is the limits that keep a target from being reached.
fn note_unlimited(model: &Model<f64>, task: Task, target: &Pose<f64>, output: &Output) {
    if output.is_json() || output.is_quiet() {
        return;
    }
    let options = Options { limits: false, ..Options::default() };
    let unlimited =
        Solver::new(model, task, Box::new(Constant), options).and_then(|mut solver| solver.solve(target, None));
    if unlimited.is_ok_and(|solution| solution.report.status.is_success()) {
        output.note("note: the target can be reached if the joints' limits are ignored (--ignore-limits)");
    }
}

fn draw_solutions(arguments: &Arguments, solver: &Solver<'_>, found: &[Solution]) -> Result<(), Failure> {
    let Some(path) = &arguments.plot else { return Ok(()) };
    let arms: Vec<_> = found.iter().map(|solution| solver.skeleton(&solution.q)).collect();
    draw::arms(path, "arm at the target", &arms)
}

/// One solution for programs.
fn to_json(model: &Model<f64>, solution: &Solution) -> Value {
    let report = &solution.report;
    let criterion = (report.criterion < f64::MAX).then_some(report.criterion);
    json!({
        "status": report.status.name(),
        "q": solution.q,
        "pose_error": report.pose_error,
        "stationarity": report.stationarity,
        "criterion": criterion,
        "kind": report.kind.name(),
        "iterations": report.iterations,
        "starts": report.starts,
        "redundancy": report.redundancy,
        "smallest_eigenvalue": report.smallest_eigenvalue,
        "active_limits": active_names(model, solution),
    })
}

fn active_names(model: &Model<f64>, solution: &Solution) -> Vec<String> {
    let name = |velocity: usize| {
        let link = model
            .links()
            .iter()
            .find(|link| link.mimic.is_none() && link.v <= velocity && velocity < link.v + link.joint.nv());
        link.map_or_else(String::new, |link| link.joint_name.clone())
    };
    solution.active.iter().map(|&velocity| name(velocity)).collect()
}

fn styled_status(status: Status) -> String {
    let style = match status {
        Status::Solved => GOOD,
        Status::LimitActive => WARN,
        _ => BAD,
    };
    format!("{style}{}{style:#}", status.name())
}

/// The joint numbers under the names of their joints.
fn joint_rows(model: &Model<f64>, q: &[f64]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        let count = link.joint.nq();
        for i in 0..count {
            let name = if count == 1 { link.joint_name.clone() } else { format!("{}[{i}]", link.joint_name) };
            let value = q[link.q + i];
            let degrees = if count == 1 && link.joint.kind == jourdain::model::JointType::Revolute {
                format!("{:.4} deg", value.to_degrees())
            } else {
                String::new()
            };
            rows.push(vec![name, format!("{value:.10}"), degrees]);
        }
    }
    rows
}

fn to_text(model: &Model<f64>, problem: &Problem, solution: &Solution) -> String {
    let report = &solution.report;
    let mut lines = vec![format!("{HEADING}{}{HEADING:#}: {}", model.name(), styled_status(report.status))];
    lines.extend(numbers::align_right(&joint_rows(model, &solution.q)).into_iter().map(|line| format!("  {line}")));
    let criterion = if report.criterion < f64::MAX { format!("{:.10}", report.criterion) } else { "-".to_owned() };
    let mut facts = vec![
        ["pose error".to_owned(), format!("{:.1e} m, rad", report.pose_error)],
        ["stationarity".to_owned(), format!("{:.1e}", report.stationarity)],
        [format!("criterion {}", problem.criterion_name()), criterion],
        ["kind".to_owned(), report.kind.name().to_owned()],
    ];
    if report.redundancy > 0 {
        facts.push(["smallest eigenvalue".to_owned(), numbers::short(report.smallest_eigenvalue)]);
    }
    let active = active_names(model, solution);
    if !active.is_empty() {
        facts.push(["at their limits".to_owned(), active.join(", ")]);
    }
    facts.push(["iterations, starts".to_owned(), format!("{}, {}", report.iterations, report.starts)]);
    let rows: Vec<Vec<&str>> = facts.iter().map(|fact| fact.iter().map(String::as_str).collect()).collect();
    lines.extend(numbers::align_left(&rows).into_iter().map(|line| format!("{FAINT}{line}{FAINT:#}")));
    lines.join("\n")
}

fn all_to_text(model: &Model<f64>, found: &[Solution]) -> String {
    let mut lines = vec![format!("{HEADING}{}{HEADING:#}: {} stationary points", model.name(), found.len())];
    let mut rows = vec![["kind", "criterion", "status", "q"].map(str::to_owned).to_vec()];
    for solution in found {
        let q: Vec<String> = solution.q.iter().map(|x| format!("{x:.6}")).collect();
        rows.push(vec![
            solution.report.kind.name().to_owned(),
            format!("{:.8}", solution.report.criterion),
            solution.report.status.name().to_owned(),
            q.join("  "),
        ]);
    }
    lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    lines.join("\n")
}
