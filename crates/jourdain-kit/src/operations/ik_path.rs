//! `ik-path`: the best configurations along a path, by continuation.

use super::ik::along::Along;
use super::ik::draw::{self, Quest};
use super::ik::{Method, Point, Setup, facts, list, styled_status, target};
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::movie::robot::Play;
use crate::movie::timing::Timing;
use crate::movie::{Animate, Clock, Format};
use crate::operation::{self, Operation};
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::sheet;
use crate::sources;
use crate::text::numbers;
use crate::text::style::{BAD, HEADING, WARN};
use jourdain::Model;
use jourdain::formats::table::headings;
use jourdain::ik::{EventKind, PathSolution, Solution, Solver, Task};
use jourdain::kinematics;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// Solve the inverse kinematics along a path
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A path is a JSON list of targets, as `jourdain ik` takes them, all of one form; or an object with \
                      them under \"points\". It is closed if the last target is the first.\n\nBuilt in: chang, the \
                      square of Chang 1987 for planar3r_chang, 100 segments a side, from the paper's start. With \
                      --compare and --plot it draws Figures 2 and 3 of the paper."
    )
)]
pub struct Request {
    /// The problem
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub setup: Setup,

    /// The path: a file, - for standard input, the JSON itself, or `chang`
    #[schemars(extend("x-table" = sources::targets()))]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON|NAME", allow_hyphen_values = true))]
    pub path: String,

    /// Run the resolved-motion method beside the chosen one and show both
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub compare: bool,

    /// Write the joint numbers as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw joints and arm along the path
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

/// The configurations along the path.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// One per target.
    pub points: Vec<Point>,
    /// True if the last target is the first.
    pub closed: bool,
    /// How far the last configuration is from the first, rad and m; null if the path is open.
    pub closure_error: Option<f64>,
    /// Of the criterion's second derivative, over all points.
    pub smallest_eigenvalue: f64,
    /// Points that another branch begins at.
    pub branch_jumps: Vec<usize>,
    /// What happens on the way, in its order.
    pub events: Vec<PathEvent>,
    /// The link that follows the path.
    pub link: String,
    /// The other method, to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_motion: Option<Other>,
    #[serde(skip)]
    robot: String,
    #[serde(skip)]
    kinds: Vec<&'static str>,
    #[serde(skip)]
    failed: bool,
    #[serde(skip)]
    files: [Option<PathBuf>; 3],
}

/// Something that happens on the way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathEvent {
    /// `unreachable`, `limit-change`, `singular` or `jump`.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "String")]
    pub kind: EventKind,
    /// The first point.
    pub from: usize,
    /// The last point.
    pub to: usize,
}

fn by_name<S: Serializer>(kind: &EventKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// The same by resolved motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Other {
    /// One per target.
    pub points: Vec<Point>,
    /// How far the last configuration is from the first, rad and m; null if the path is open.
    pub closure_error: Option<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "ik-path";
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
        let setup = &self.setup;
        let model = setup.robot.load(host)?;
        let path = match self.path.as_str() {
            target::CHANG => target::chang_square(),
            given => list::read_path(given, setup.axis()?, host)?,
        };
        let task = setup.task(&model, path.form)?;
        let start = match setup.start(&model, host)? {
            None if self.path == target::CHANG && model.nq() == 3 => {
                Some(target::CHANG_START.map(f64::to_radians).to_vec())
            }
            start => start,
        };
        let mut solver = setup.solver(&model, task, host)?;
        let result = self.follow(&mut solver, &path, start.as_deref(), host)?;
        let other = if self.compare { Some(self.other(&model, task, &path, start, &result, host)?) } else { None };
        if let Some(file) = &self.out {
            write_points(file, &model, &result, host)?;
        }
        let quest = Quest { model: &model, task, form: path.form, axis: setup.axis()? };
        if let Some(file) = &self.plot {
            let (targets, other) = (path.targets.as_slice(), other.as_ref());
            let along = Along { quest: &quest, solver: &solver, targets, result: &result, other };
            along.draw(file, self.style, host)?;
        }
        self.animate(&quest, &path, &result, host)?;
        let points = |result: &PathSolution| result.points.iter().map(|point| Point::of(&model, point)).collect();
        Ok(Report {
            points: points(&result),
            closed: result.closed,
            closure_error: result.closure_error,
            smallest_eigenvalue: result.smallest_eigenvalue,
            branch_jumps: result.jumps.clone(),
            events: result
                .events
                .iter()
                .map(|event| PathEvent { kind: event.kind, from: event.from, to: event.to })
                .collect(),
            link: model.links()[task.link].name.clone(),
            resolved_motion: other
                .as_ref()
                .map(|other| Other { points: points(other), closure_error: other.closure_error }),
            robot: model.name().to_owned(),
            kinds: result.kinds().iter().map(|kind| kind.name()).collect(),
            failed: !result.is_success(),
            files: [self.out.clone(), self.plot.clone(), self.animation.animate.clone()],
        })
    }
}

impl Request {
    fn follow(
        &self,
        solver: &mut Solver<'_>,
        path: &target::Path,
        start: Option<&[f64]>,
        host: &dyn Host,
    ) -> Result<PathSolution, Problem> {
        let targets = &path.targets;
        match self.setup.method {
            Method::Newton => Ok(solver.follow_until(targets, start, &mut |share| host.goes_on(share))?),
            Method::ResolvedMotion => {
                let go_on = &mut |share| host.goes_on(share);
                let points = solver.resolved_motion_until(targets, start, &self.setup.resolved_motion(), go_on)?;
                Ok(PathSolution::from_motion(points, targets))
            }
            Method::Chang | Method::ExtendedJacobian => {
                let mut points: Vec<Solution> = Vec::with_capacity(targets.len());
                for target in targets {
                    if host.is_cancelled() {
                        return Err(Problem::cancelled());
                    }
                    let before = points.last().map(|last| last.q.clone());
                    points.push(self.setup.solve(solver, target, before.as_deref().or(start))?);
                    host.progress(points.len() as f64 / targets.len() as f64);
                }
                Ok(PathSolution::from_points(points, targets, solver))
            }
        }
    }

    /// The arm along the path, point by point.
    fn animate(
        &self,
        quest: &Quest<'_>,
        path: &target::Path,
        result: &PathSolution,
        host: &dyn Host,
    ) -> Result<(), Problem> {
        let Quest { model, task, .. } = *quest;
        let Some(file) = &self.animation.animate else { return Ok(()) };
        let count = result.points.len();
        let timing = Timing::of_points(&self.animation.showing, count, Format::of(file)?)?;
        let places: Vec<usize> = timing.times.iter().map(|place| *place as usize).collect();
        let target = |place: &usize| {
            let point = &result.points[*place];
            let tip = quest.tip(&kinematics::poses(model, &point.q));
            (quest.placed(&path.targets[*place], tip), quest.aim(), point.report.status.is_reached())
        };
        let title = format!("{} · {} along a path", model.name(), model.links()[task.link].name);
        Play {
            positions: places.iter().map(|place| result.points[*place].q.clone()).collect(),
            targets: places.iter().map(target).collect(),
            link: Some(task.link),
            clock: Clock::Points(count),
            notes: vec![draw::path_verdict(result)],
            theme: self.style.theme,
            ..Play::new(model, title, timing)
        }
        .write(&self.animation, host)
    }

    /// The path by resolved motion, from the same start.
    fn other(
        &self,
        model: &Model<f64>,
        task: Task,
        path: &target::Path,
        start: Option<Vec<f64>>,
        result: &PathSolution,
        host: &dyn Host,
    ) -> Result<PathSolution, Problem> {
        let mut solver = self.setup.resolved_motion_solver(model, task, host)?;
        let first = || result.points.first().map(|first| first.q.clone()).unwrap_or_default();
        let begin = start.unwrap_or_else(first);
        let (motion, go_on) = (self.setup.resolved_motion(), &mut |share| host.goes_on(share));
        let points = solver.resolved_motion_until(&path.targets, Some(&begin), &motion, go_on)?;
        Ok(PathSolution::from_motion(points, &path.targets))
    }
}

/// `point`, a column per number of `q`, criterion, errors and status; a row per point.
fn write_points(file: &Path, model: &Model<f64>, result: &PathSolution, host: &dyn Host) -> Result<(), Problem> {
    let mut columns = headings("q", &model.coordinates());
    columns.extend(["criterion", "pose_error", "stationarity"].map(str::to_owned));
    let mut values = Vec::with_capacity(result.points.len() * columns.len());
    for point in &result.points {
        let report = &point.report;
        values.extend(&point.q);
        // NaN is a number that is missing: a criterion has no value beyond a wall.
        let criterion = if report.criterion < f64::MAX { report.criterion } else { f64::NAN };
        values.extend([criterion, report.pose_error, report.stationarity]);
    }
    let words: Vec<&str> = result.points.iter().map(|point| point.report.status.name()).collect();
    sheet::counted(file, "point", columns, &values, Some(("status", &words)), words.len(), host)
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let count = self.points.len();
        let mut statuses: Vec<(&str, usize)> = Vec::new();
        for point in &self.points {
            match statuses.iter_mut().find(|(status, _)| *status == point.status) {
                Some((_, count)) => *count += 1,
                None => statuses.push((point.status, 1)),
            }
        }
        let counted: Vec<String> =
            statuses.iter().map(|(status, count)| format!("{count} {}", styled_status(status))).collect();
        let worst = |f: fn(&Point) -> f64| self.points.iter().map(f).fold(0.0, f64::max);
        let iterations: usize = self.points.iter().map(|point| point.iterations).sum();
        let mut found = vec![
            ["status".to_owned(), counted.join(", ")],
            ["largest pose error".to_owned(), format!("{:.1e} m, rad", worst(|point| point.pose_error))],
            ["largest stationarity".to_owned(), format!("{:.1e}", worst(|point| point.stationarity))],
            ["kind".to_owned(), self.kinds.join(", ")],
            ["smallest eigenvalue".to_owned(), numbers::short(self.smallest_eigenvalue)],
            ["iterations per point".to_owned(), format!("{:.1}", iterations as f64 / count.max(1) as f64)],
            ["closure".to_owned(), closure(self.closure_error)],
        ];
        if let Some(other) = &self.resolved_motion {
            found.push(["closure, resolved motion".to_owned(), closure(other.closure_error)]);
        }
        for (what, path) in ["points", "plot", "animation"].iter().zip(&self.files) {
            found.extend(path.iter().map(|path| [(*what).to_owned(), path.display().to_string()]));
        }
        let mut lines = vec![format!("{HEADING}{}{HEADING:#}, {}: {count} points", self.robot, self.link)];
        lines.extend(facts(&found));
        for event in &self.events {
            let between = || format!("between points {} and {}", event.from, event.to);
            let along = || match event.from == event.to {
                true => format!("at point {}", event.from),
                false => format!("from point {} to {}", event.from, event.to),
            };
            let (style, place) = match event.kind {
                EventKind::Unreachable => (BAD, along()),
                EventKind::Singular => (WARN, along()),
                EventKind::Jump => (BAD, between()),
                EventKind::LimitChange => {
                    let active = &self.points[event.to].active_limits;
                    let joints = if active.is_empty() { "none".to_owned() } else { active.join(", ") };
                    (WARN, format!("{}: {joints} at a limit", between()))
                }
            };
            lines.push(format!("{style}{}{style:#} {place}", event.kind.name()));
        }
        lines.join("\n")
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.failed)
    }
}

fn closure(error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{error:.1e} rad, m"),
        None => "the path is open".to_owned(),
    }
}
