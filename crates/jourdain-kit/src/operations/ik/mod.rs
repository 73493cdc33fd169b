//! `ik`: the configuration of a redundant arm that reaches a target and is the best for a criterion.

pub(super) mod along;
mod criterion;
pub(super) mod draw;
pub(super) mod list;
mod many;
mod point;
mod setup;
pub(super) mod target;

use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::sources;
use crate::text::numbers;
use crate::text::style::HEADING;
use jourdain::Model;
use jourdain::ik::criterion::Constant;
use jourdain::ik::{Options, Solution, Solver, Status};

use draw::{Quest, Reached};
use jourdain::spatial::Pose;
pub(crate) use list::{DOCUMENT, GROUPS};
pub use many::{Each, Many};
pub use point::Point;
pub(super) use point::{facts, styled_status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use setup::{GoalName, Method, Setup, TaskName};
use std::path::PathBuf;

/// Solve the inverse kinematics of one target or many
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A target is JSON, or a file of it: a 4x4 pose, [x, y, z], [x, y], or {\"position\": [x, y, z], \
                      \"quaternion\": [w, x, y, z] | \"rpy\": [r, p, y] | \"rotation\": 3x3 | \"direction\": [x, y, \
                      z]}. Many targets are a JSON list of them, a .jsonl file with one per line, or a .csv or .parquet \
                      file with columns x, y, z and qw, qx, qy, qz or roll, pitch, yaw or dx, dy, dz, or m11, m12, ..., \
                      m34; they are solved on all cores, and the results have their order.\n\nStatus: solved; \
                      limit-active (solved, joints at their limits); wrong-kind (stationary, but no minimum); \
                      rank-deficient (singular, so without certificate); not-stationary (only the pose is reached); \
                      not-found (no start led to the pose); unreachable (proved). The exit code is 0 for the first two \
                      and 1 for the others."
    )
)]
pub struct Request {
    /// The problem
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub setup: Setup,

    /// The target, or many: a file (.json, .jsonl, .csv, .parquet), - for standard input, or the JSON itself
    #[schemars(extend("x-table" = sources::targets()))]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON", allow_hyphen_values = true))]
    pub target: String,

    /// All stationary points that are found, of every kind
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub all: bool,

    /// Draw the arm at its target to scale, other solutions as ghosts
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The one configuration.
    Best(Box<Best>),
    /// All stationary points.
    All(All),
    /// Of many targets.
    Many(Many),
}

/// The one configuration.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Best {
    /// The configuration and what is known of it.
    #[serde(flatten)]
    pub point: Point,
    #[serde(skip)]
    model: Model<f64>,
    #[serde(skip)]
    criterion: String,
}

/// All stationary points.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct All {
    /// In the order of the criterion.
    pub solutions: Vec<Point>,
    #[serde(skip)]
    robot: String,
    #[serde(skip)]
    link: String,
}

impl Operation for Request {
    const NAME: &'static str = "ik";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("plot", self.plot.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::PLOT, self.plot.as_deref())])?;
        let setup = &self.setup;
        let model = setup.robot.load(host)?;
        let (path, is_list) = match list::read(&self.target, setup.axis()?, host)? {
            list::Targets::One(path) => (path, false),
            list::Targets::Many(path) => (path, true),
        };
        let task = setup.task(&model, path.form)?;
        let start = setup.start(&model, host)?;
        let quest = Quest { model: &model, task, form: path.form, axis: setup.axis()? };
        if is_list {
            return Ok(Report::Many(self.many(&quest, &path.targets, start.as_deref(), host)?));
        }
        let target = path.targets.first().ok_or_else(|| target::bad("there is no target"))?;
        let mut solver = setup.solver(&model, task, host)?;
        let link = &model.links()[task.link].name;
        if self.all {
            let found = solver.solve_all(target, start.as_deref())?;
            self.draw(&quest, found.iter().map(|solution| Reached::of(&model, target, solution)).collect(), host)?;
            return Ok(Report::All(All::of(&model, &found, link)));
        }
        let solution = setup.solve(&mut solver, target, start.as_deref())?;
        self.draw(&quest, vec![Reached::of(&model, target, &solution)], host)?;
        remark(&solution, &solver, &model, target, host);
        let point = Point::of(&model, &solution).placing(link);
        drop(solver);
        Ok(Report::Best(Box::new(Best { point, model, criterion: setup.criterion_name().to_owned() })))
    }
}

impl Request {
    fn draw(&self, quest: &Quest<'_>, found: Vec<Reached>, host: &dyn Host) -> Result<(), Problem> {
        self.plot.as_deref().map_or(Ok(()), |path| quest.draw(path, &found, self.style, host))
    }
}

/// What is known beyond the status of a target that is not reached. The limits are to blame only where both is certain: that
/// they exclude the target, and that it is reached without them.
fn remark(solution: &Solution, solver: &Solver<'_>, model: &Model<f64>, target: &Pose<f64>, host: &dyn Host) {
    match solution.report.status {
        Status::NotFound => {
            let starts = solution.report.starts;
            let tried = if starts == 1 { "the only start".to_owned() } else { format!("none of {starts} starts") };
            host.remark(format!(
                "{tried} led to the target, which proves nothing: it may be reached with another --seed, more --starts \
                 or a --start near it"
            ));
        }
        Status::Unreachable if solver.options().limits => {
            let options = Options { limits: false, ..*solver.options() };
            let unlimited = Solver::new(model, *solver.task(), Box::new(Constant), options)
                .and_then(|mut solver| solver.solve(target, None));
            if unlimited.is_ok_and(|solution| solution.report.status.is_success()) {
                host.remark("the joints' limits exclude the target; without them it is reached (--ignore-limits)");
            }
        }
        _ => {}
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::Best(best) => best.to_text(),
            Self::All(all) => all.to_text(),
            Self::Many(many) => many.to_text(),
        }
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Best(best) => u8::from(!best.point.is_success),
            Self::All(all) => u8::from(all.solutions.is_empty()),
            Self::Many(many) => u8::from(!many.is_success()),
        }
    }
}

/// The joint numbers under the names of their joints.
fn joint_rows(model: &Model<f64>, q: &[f64]) -> Vec<Vec<String>> {
    let degrees = model.links().iter().filter(|link| link.mimic.is_none()).flat_map(|link| {
        let revolute = link.joint.nq() == 1 && link.joint.kind == jourdain::model::JointType::Revolute;
        std::iter::repeat_n(revolute, link.joint.nq())
    });
    let cells = |((name, value), revolute): ((String, &f64), bool)| {
        let degrees = if revolute { format!("{:.4} deg", value.to_degrees()) } else { String::new() };
        vec![name, format!("{value:.10}"), degrees]
    };
    position_names(model).into_iter().zip(q).zip(degrees).map(cells).collect()
}

/// A name per number of `q`.
fn position_names(model: &Model<f64>) -> Vec<String> {
    model.coordinates().iter().map(ToString::to_string).collect()
}

impl Best {
    fn to_text(&self) -> String {
        let Self { point, model, criterion } = self;
        let link = point.link.as_deref().unwrap_or_default();
        let mut lines = vec![format!("{HEADING}{}{HEADING:#}, {link}: {}", model.name(), styled_status(point.status))];
        lines.extend(numbers::align_right(&joint_rows(model, &point.q)).into_iter().map(|line| format!("  {line}")));
        let mut found = vec![
            ["pose error".to_owned(), format!("{:.1e} m, rad", point.pose_error)],
            ["stationarity".to_owned(), format!("{:.1e}", point.stationarity)],
            [format!("criterion {criterion}"), point.criterion.map_or("-".to_owned(), |value| format!("{value:.10}"))],
            ["kind".to_owned(), point.kind.to_owned()],
        ];
        if point.redundancy > 0 {
            found.push(["smallest eigenvalue".to_owned(), numbers::short(point.smallest_eigenvalue)]);
        }
        if !point.active_limits.is_empty() {
            found.push(["at their limits".to_owned(), point.active_limits.join(", ")]);
        }
        found.push(["iterations, starts".to_owned(), format!("{}, {}", point.iterations, point.starts)]);
        if let Some(chance) = point.chance_of_better {
            found.push(["chance of a better one".to_owned(), format!("{:.1} %", 100.0 * chance)]);
        }
        lines.extend(facts(&found));
        lines.join("\n")
    }
}

impl All {
    fn of(model: &Model<f64>, found: &[Solution], link: &str) -> Self {
        let solutions = found.iter().map(|solution| Point::of(model, solution).placing(link)).collect();
        Self { solutions, robot: model.name().to_owned(), link: link.to_owned() }
    }

    fn to_text(&self) -> String {
        let Self { solutions, robot, link } = self;
        let mut lines = vec![format!("{HEADING}{robot}{HEADING:#}, {link}: {} stationary points", solutions.len())];
        let mut rows = vec![["kind", "criterion", "status", "q"].map(str::to_owned).to_vec()];
        for point in &self.solutions {
            let q: Vec<String> = point.q.iter().map(|x| format!("{x:.6}")).collect();
            let criterion = point.criterion.map_or("-".to_owned(), |value| format!("{value:.8}"));
            rows.push(vec![point.kind.to_owned(), criterion, point.status.to_owned(), q.join("  ")]);
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        lines.join("\n")
    }
}
