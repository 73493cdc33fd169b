//! What `ik` and `ik-path` share: the options that pose a problem.

use super::target;
use crate::host::Host;
use crate::limits;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::states;
use jourdain::Model;
use jourdain::formats;
use jourdain::ik::criterion::{Constant, Manipulability, Measure};
use jourdain::ik::{Chain, Extra, Goal, IkError, LENGTH, Options, Orientation, ResolvedMotion, Solution, Solver, Task};
use jourdain::quantity::find_link;
use jourdain::spatial::{Pose, Vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The rows of the pose to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TaskName {
    /// Position and orientation
    Pose,
    /// Position
    Position,
    /// x and y
    PositionXy,
    /// Direction of one axis of the link (--axis)
    Pointing,
    /// Position, and direction of one axis
    PositionPointing,
}

/// Which stationary points are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum GoalName {
    /// The criterion as small as it gets
    #[default]
    Minimum,
    /// As large as it gets
    Maximum,
    /// Any
    Stationary,
}

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Null-space Lagrange-Newton
    #[default]
    Newton,
    /// Chang's n equations by Powell's hybrid method, limits ignored
    Chang,
    /// The same with the extended Jacobian's equation, one redundant joint only
    ExtendedJacobian,
    /// Integration of joint velocities with a null-space term, limits ignored
    ResolvedMotion,
}

/// What poses a problem.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Setup {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// The link to place; `tool`, or the robot's end if it has only one, if it is not said
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "LINK"))]
    pub link: Option<String>,

    /// Point of the link, in its frame, m
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X,Y,Z", allow_hyphen_values = true))]
    pub point: Option<String>,

    /// What is asked of the link; from the form of the target if it is not said
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TASK"))]
    pub task: Option<TaskName>,

    /// Rows with weights instead of a task: x, y, z and rx, ry, rz, as in x,y=2,rz=0.5
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS", conflicts_with = "task"))]
    pub rows: Option<String>,

    /// The axis of the link that points, for the pointing tasks
    #[serde(default = "axis")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, default_value_t = axis()))]
    pub axis: String,

    /// Criterion, or a weighted sum as in manipulability=1,mid-range=0.1: manipulability, mid-range, limit-barrier, home,
    /// obstacles, none
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "NAMES"))]
    pub criterion: Option<String>,

    /// Home posture, for that criterion: a file or JSON, one number per joint
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON"))]
    pub home: Option<String>,

    /// Weights of the home posture, one per velocity
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON"))]
    pub weights: Option<String>,

    /// Obstacles, for that criterion: [{"center", "radii", "exponent"}, ...]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON"))]
    pub obstacles: Option<String>,

    /// Points per link that keep away from obstacles
    #[serde(default = "samples")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = samples()))]
    pub samples: usize,

    /// Where to start: a file or JSON, as `q` of a state
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON", allow_hyphen_values = true))]
    pub start: Option<String>,

    /// Ignore the joints' limits
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub ignore_limits: bool,

    /// Most starts; the best is taken, or with --start or without a criterion the first that succeeds
    #[serde(default = "starts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = starts()))]
    pub starts: usize,

    /// Without --start: go on until the estimated chance that a better optimum was missed is at most this
    #[serde(default = "chance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = chance()))]
    pub chance: f64,

    /// Seed of the random starts
    #[serde(default = "seed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = seed()))]
    pub seed: u64,

    /// What to look for
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub goal: GoalName,

    /// How to solve
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub method: Method,

    /// Largest error of the pose, m and rad
    #[serde(default = "tolerance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TOLERANCE", default_value_t = tolerance()))]
    pub tolerance: f64,

    /// Most iterations from one start
    #[serde(default = "iterations")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = iterations()))]
    pub iterations: usize,

    /// Length that makes positions comparable with angles in the manipulability, m
    #[serde(default = "length")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", default_value_t = length()))]
    pub length: f64,

    /// Speed of the tip, m/s, for resolved-motion
    #[serde(default = "speed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "M/S", default_value_t = speed()))]
    pub speed: f64,

    /// Time step, s, for resolved-motion
    #[serde(default = "step")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = step()))]
    pub step: f64,

    /// Gain of the null-space term, 1/s, for resolved-motion
    #[serde(default = "gain")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "1/S", default_value_t = gain()))]
    pub gain: f64,
}

fn axis() -> String {
    "0,0,1".to_owned()
}

fn samples() -> usize {
    4
}

fn starts() -> usize {
    Options::default().starts
}

fn chance() -> f64 {
    Options::default().chance
}

fn seed() -> u64 {
    1
}

fn tolerance() -> f64 {
    1e-10
}

fn iterations() -> usize {
    150
}

fn length() -> f64 {
    LENGTH
}

fn speed() -> f64 {
    0.1
}

fn step() -> f64 {
    0.01
}

fn gain() -> f64 {
    100.0
}

impl Setup {
    /// Index of the link.
    fn link(&self, model: &Model<f64>) -> Result<usize, Problem> {
        if let Some(name) = &self.link {
            return Ok(find_link(name, model)?);
        }
        if let Some(tool) = model.link_index("tool") {
            return Ok(tool);
        }
        let ends = ends(model);
        match ends[..] {
            [end] => Ok(end),
            [] => {
                let message = format!("no joint moves a link of `{}`", model.name());
                Err(Problem::new("immobile-link", message).hint("name the link to place: --link LINK"))
            }
            _ => {
                const SHOWN: usize = 20;
                let names: Vec<&str> = ends.iter().take(SHOWN).map(|&end| &*model.links()[end].name).collect();
                let more = if ends.len() > SHOWN { ", …" } else { "" };
                let message = format!("robot `{}` has {} ends: which link is to be placed?", model.name(), ends.len());
                let hint = format!("say it with --link; the ends are {}{more}", names.join(", "));
                Err(Problem::new("ambiguous-link", message).hint(hint))
            }
        }
    }

    /// With files and standard input read into the request, so that several solvers can be made of it.
    pub fn inlined(&self, host: &dyn Host) -> Result<Self, Problem> {
        let mut setup = self.clone();
        for (argument, option) in
            [(&mut setup.home, "--home"), (&mut setup.weights, "--weights"), (&mut setup.obstacles, "--obstacles")]
        {
            if let Some(text) = argument {
                *text = target::read_json(text, option, host)?.to_string();
            }
        }
        Ok(setup)
    }

    /// The task; without one the target's form says it.
    pub fn task(&self, model: &Model<f64>, form: target::Form) -> Result<Task, Problem> {
        let link = self.link(model)?;
        limits::IK_DOF.check(model.name(), model.nv())?;
        let axis = || -> Result<Vector<f64>, Problem> {
            let axis = vector(&self.axis, "--axis")?;
            let length = axis.norm();
            if length > 0.0 { Ok(axis.times(1.0 / length)) } else { Err(Problem::usage("--axis has no direction")) }
        };
        let mut task = if let Some(rows) = &self.rows {
            Task::rows(link, parse_rows(rows)?)
        } else {
            match (self.task, form) {
                (Some(TaskName::Pose), _) | (None, target::Form::Pose) => Task::pose(link),
                (Some(TaskName::Position), _) | (None, target::Form::Position) => Task::position(link),
                (Some(TaskName::PositionXy), _) | (None, target::Form::Plane) => Task::position_xy(link),
                (Some(TaskName::Pointing), _) | (None, target::Form::Direction) => Task::pointing(link, axis()?),
                (Some(TaskName::PositionPointing), _) | (None, target::Form::PositionDirection) => {
                    Task { orientation: Orientation::Axis { axis: axis()?, weight: 1.0 }, ..Task::position(link) }
                }
            }
        };
        if let Some(point) = &self.point {
            task.point = vector(point, "--point")?;
        }
        task.length = self.length;
        if !task.is_valid() {
            return Err(Problem::usage("the task has no row, or a weight or the length is out of range"));
        }
        Ok(task)
    }

    /// The axis of pointing tasks, for reading their targets.
    pub fn axis(&self) -> Result<Vector<f64>, Problem> {
        vector(&self.axis, "--axis")
    }

    /// The start, if one is given.
    pub fn start(&self, model: &Model<f64>, host: &dyn Host) -> Result<Option<Vec<f64>>, Problem> {
        self.start.as_deref().map(|start| position(start, "--start", model, host)).transpose()
    }

    fn options(&self) -> Result<Options, Problem> {
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            return Err(Problem::usage(format!("{} is no tolerance", self.tolerance)));
        }
        if !(self.chance.is_finite() && self.chance > 0.0) {
            return Err(Problem::usage(format!("--chance {} is no chance above zero", self.chance)));
        }
        limits::IK_STARTS.check("the request", self.starts)?;
        limits::IK_ITERATIONS.check("the request", self.iterations)?;
        if self.starts == 0 || self.iterations == 0 {
            return Err(Problem::usage("there must be at least one start and one iteration"));
        }
        Ok(Options {
            tolerance: self.tolerance,
            stationarity: Options::default().stationarity,
            iterations: self.iterations,
            starts: self.starts,
            chance: self.chance,
            seed: self.seed,
            limits: !self.ignore_limits,
            goal: match self.goal {
                GoalName::Minimum => Goal::Minimum,
                GoalName::Maximum => Goal::Maximum,
                GoalName::Stationary => Goal::Stationary,
            },
        })
    }

    /// The name of the criterion.
    pub fn criterion_name(&self) -> &str {
        self.criterion.as_deref().unwrap_or("manipulability")
    }

    /// The solver of the chosen method.
    pub fn solver<'m>(&self, model: &'m Model<f64>, task: Task, host: &dyn Host) -> Result<Solver<'m>, Problem> {
        if self.method == Method::ResolvedMotion {
            self.resolved_motion_solver(model, task, host)
        } else {
            self.optimal_solver(model, task, host)
        }
    }

    fn optimal_solver<'m>(&self, model: &'m Model<f64>, task: Task, host: &dyn Host) -> Result<Solver<'m>, Problem> {
        let chain = Chain::new(model, task.link, task.point);
        let mut options = self.options()?;
        let criterion = self.read_criterion(model, &chain, host)?;
        if matches!(self.method, Method::Chang | Method::ExtendedJacobian) {
            options.limits = false;
        }
        let asked = self.criterion_name().contains("manipulability");
        let solver = Solver::new(model, task, criterion, options)?;
        if asked && solver.rank() < task.row_count() {
            if self.criterion.is_none() {
                // Manipulability was only the default.
                return Ok(Solver::new(model, task, Box::new(Constant), options)?);
            }
            return Err(Problem::from(IkError::Dependent).hint("ask for fewer rows: --task position-xy, or --rows"));
        }
        Ok(solver)
    }

    /// The resolved-motion method's own solver: for the manipulability alone it climbs w in SI units, as in the paper.
    pub fn resolved_motion_solver<'m>(
        &self,
        model: &'m Model<f64>,
        mut task: Task,
        host: &dyn Host,
    ) -> Result<Solver<'m>, Problem> {
        if self.criterion_name() != "manipulability" {
            return self.optimal_solver(model, task, host);
        }
        task.length = 1.0;
        let options = Options { limits: false, ..self.options()? };
        let criterion = Box::new(Manipulability::new(Measure::NegativeVolume));
        Ok(Solver::new(model, task, criterion, options)?)
    }

    /// One target by the chosen method.
    pub fn solve(
        &self,
        solver: &mut Solver<'_>,
        target: &Pose<f64>,
        start: Option<&[f64]>,
    ) -> Result<Solution, Problem> {
        Ok(match self.method {
            Method::Newton => solver.solve(target, start),
            Method::Chang => solver.solve_chang(target, start, Extra::Null),
            Method::ExtendedJacobian => solver.solve_chang(target, start, Extra::ExtendedJacobian),
            Method::ResolvedMotion => solver.solve_resolved_motion(target, start, &self.resolved_motion()),
        }?)
    }

    /// How the resolved-motion method moves.
    pub fn resolved_motion(&self) -> ResolvedMotion {
        ResolvedMotion { speed: self.speed, step: self.step, gain: self.gain }
    }
}

impl From<IkError> for Problem {
    fn from(error: IkError) -> Self {
        let problem = Self::new(error.kind(), error.to_string());
        match error {
            IkError::Tolerance { least, .. } => problem.hint(format!("ask for --tolerance {least:.0e} or more")),
            _ => problem,
        }
    }
}

/// Links that joints move and that carry no other.
fn ends(model: &Model<f64>) -> Vec<usize> {
    let links = model.links();
    let carries = |link: usize| links.iter().any(|other| other.parent == Some(link));
    let moves = |link: usize| !Chain::new(model, link, Vector::zero()).variables().is_empty();
    (0..links.len()).filter(|&link| !carries(link) && moves(link)).collect()
}

pub(super) fn number(text: &str, what: &str) -> Result<f64, Problem> {
    let found = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    found.ok_or_else(|| Problem::usage(format!("`{text}` in {what} is no number")))
}

fn vector(text: &str, what: &str) -> Result<Vector<f64>, Problem> {
    let parts: Vec<f64> = text.split(',').map(|part| number(part, what)).collect::<Result<_, _>>()?;
    match parts[..] {
        [x, y, z] => Ok(Vector([x, y, z])),
        _ => Err(Problem::usage(format!("{what} needs three numbers, as in 0,0,1"))),
    }
}

fn parse_rows(text: &str) -> Result<[f64; 6], Problem> {
    const NAMES: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];
    let mut weights = [0.0; 6];
    for part in text.split(',') {
        let (name, weight) = match part.split_once('=') {
            Some((name, weight)) => (name.trim(), number(weight, "--rows")?),
            None => (part.trim(), 1.0),
        };
        let index = NAMES.iter().position(|known| *known == name).ok_or_else(|| {
            Problem::usage(format!("there is no row `{name}`")).hint(format!("known here: {}", NAMES.join(", ")))
        })?;
        weights[index] = weight;
    }
    Ok(weights)
}

/// A position: a list of numbers, a state whose `q` is one or names its joints, or the name of one of the robot's own.
pub(super) fn position(
    argument: &str,
    what: &'static str,
    model: &Model<f64>,
    host: &dyn Host,
) -> Result<Vec<f64>, Problem> {
    if let Some(q) = states::named(argument, model) {
        return Ok(q);
    }
    let value = target::read_json(argument, what, host)?;
    if value.get("q").is_some_and(|q| q.is_object() || q.is_string()) {
        let file = formats::read_states(&value.to_string(), model)
            .map_err(|found| Problem::findings(None, what, value.to_string(), found))?;
        let first = file.states.into_iter().next();
        return first
            .map(|given| given.state.q)
            .ok_or_else(|| Problem::new("bad-numbers", format!("{what} has no state")));
    }
    listed(&value, what)
}

/// A list of numbers from a file or the argument itself; an object with `q` will do.
pub(super) fn numbers(argument: &str, what: &'static str, host: &dyn Host) -> Result<Vec<f64>, Problem> {
    listed(&target::read_json(argument, what, host)?, what)
}

fn listed(value: &Value, what: &'static str) -> Result<Vec<f64>, Problem> {
    let value = value.get("q").unwrap_or(value);
    target::flat(value).ok_or_else(|| Problem::new("bad-numbers", format!("{what} is not a list of finite numbers")))
}
