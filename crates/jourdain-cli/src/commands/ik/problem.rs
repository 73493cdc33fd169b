//! What `ik` and `ik-path` share: the options that pose a problem.

use super::target;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use clap::ValueEnum;
use jourdain::Model;
use jourdain::formats::suggest;
use jourdain::ik::criterion::{Constant, Criterion, Joints, Manipulability, Measure, Obstacle, Obstacles, WeightedSum};
use jourdain::ik::{Chain, Goal, IkError, LENGTH, Options, Orientation, Solver, Task};
use jourdain::spatial::Vector;
use serde_json::Value;

/// The rows of the pose to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GoalName {
    /// The criterion as small as it gets
    Minimum,
    /// As large as it gets
    Maximum,
    /// Any
    Stationary,
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Null-space Lagrange-Newton
    Newton,
    /// Chang's n equations by Powell's hybrid method, limits ignored
    Chang,
    /// The same with the extended Jacobian's equation, one redundant joint only
    ExtendedJacobian,
    /// Integration of joint velocities with a null-space term, limits ignored
    ResolvedMotion,
}

/// The names of the criteria.
const CRITERIA: [&str; 6] = ["manipulability", "mid-range", "limit-barrier", "home", "obstacles", "none"];

/// Options that pose a problem.
#[derive(Debug, clap::Args)]
pub struct Problem {
    /// Built-in name, file, or - for native JSON on standard input
    pub robot: String,

    /// The link to place; `tool`, or the last link, if it is not said
    #[arg(long, short, value_name = "LINK")]
    link: Option<String>,

    /// Point of the link, in its frame, m
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: Option<String>,

    /// What is asked of the link; from the form of the target if it is not said
    #[arg(long, value_name = "TASK")]
    task: Option<TaskName>,

    /// Rows with weights instead of a task: x, y, z and rx, ry, rz, as in x,y=2,rz=0.5
    #[arg(long, value_name = "ROWS", conflicts_with = "task")]
    rows: Option<String>,

    /// The axis of the link that points, for the pointing tasks
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,1", allow_hyphen_values = true)]
    axis: String,

    /// Criterion, or a weighted sum as in manipulability=1,mid-range=0.1: manipulability, mid-range, limit-barrier, home,
    /// obstacles, none
    #[arg(long, short, value_name = "NAMES")]
    criterion: Option<String>,

    /// Home posture, for that criterion: a file or JSON, one number per joint
    #[arg(long, value_name = "FILE|JSON")]
    home: Option<String>,

    /// Weights of the home posture, one per velocity
    #[arg(long, value_name = "FILE|JSON")]
    weights: Option<String>,

    /// Obstacles, for that criterion: [{"center", "radii", "exponent"}, ...]
    #[arg(long, value_name = "FILE|JSON")]
    obstacles: Option<String>,

    /// Points per link that keep away from obstacles
    #[arg(long, value_name = "N", default_value_t = 4)]
    samples: usize,

    /// Where to start: a file or JSON, as `q` of a state
    #[arg(long, short, value_name = "FILE|JSON", allow_hyphen_values = true)]
    pub start: Option<String>,

    /// Ignore the joints' limits
    #[arg(long)]
    ignore_limits: bool,

    /// Most starts; the best is taken, or with --start the first that succeeds
    #[arg(long, value_name = "N", default_value_t = 100)]
    starts: usize,

    /// Seed of the random starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// What to look for
    #[arg(long, default_value = "minimum")]
    goal: GoalName,

    /// How to solve
    #[arg(long, default_value = "newton")]
    pub method: Method,

    /// Largest error of the pose, m and rad
    #[arg(long, value_name = "TOLERANCE", default_value_t = 1e-10)]
    tolerance: f64,

    /// Most iterations from one start
    #[arg(long, value_name = "N", default_value_t = 150)]
    iterations: usize,

    /// Length that makes positions comparable with angles, m
    #[arg(long, value_name = "M", default_value_t = LENGTH)]
    length: f64,

    /// Speed of the tip, m/s, for resolved-motion
    #[arg(long, value_name = "M/S", default_value_t = 0.1)]
    pub speed: f64,

    /// Time step, s, for resolved-motion
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    pub step: f64,

    /// Gain of the null-space term, 1/s, for resolved-motion
    #[arg(long, value_name = "1/S", default_value_t = 100.0)]
    pub gain: f64,
}

impl Problem {
    /// The robot.
    pub fn robot(&self, output: &Output) -> Result<Model<f64>, Failure> {
        input::load_robot(&self.robot, output)
    }

    /// Index of the link.
    fn link(&self, model: &Model<f64>) -> Result<usize, Failure> {
        let links = model.links();
        match &self.link {
            None => match model.link_index("tool") {
                Some(index) => Ok(index),
                None => links.len().checked_sub(1).ok_or_else(|| Failure::new("unknown-link", "the robot has no link")),
            },
            Some(name) => model.link_index(name).ok_or_else(|| {
                let names: Vec<&str> = links.iter().map(|link| link.name.as_str()).collect();
                Failure::new("unknown-link", format!("{} has no link `{name}`", model.name()))
                    .hint(suggest::hint(name, &names))
            }),
        }
    }

    /// The task; `numbers` is what the target's form suggests.
    pub fn task(&self, model: &Model<f64>, form: target::Form) -> Result<Task, Failure> {
        let link = self.link(model)?;
        let axis = || -> Result<Vector<f64>, Failure> {
            let axis = vector(&self.axis, "--axis")?;
            let length = axis.norm();
            if length > 0.0 { Ok(axis.times(1.0 / length)) } else { Err(Failure::usage("--axis has no direction")) }
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
            return Err(Failure::usage("the task has no row, or a weight or the length is out of range"));
        }
        Ok(task)
    }

    /// The axis of pointing tasks, for reading their targets.
    pub fn axis(&self) -> Result<Vector<f64>, Failure> {
        vector(&self.axis, "--axis")
    }

    /// The start, if one is given.
    pub fn start(&self, model: &Model<f64>) -> Result<Option<Vec<f64>>, Failure> {
        self.start.as_deref().map(|start| position(start, "--start", model)).transpose()
    }

    fn options(&self) -> Result<Options, Failure> {
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            return Err(Failure::usage(format!("{} is no tolerance", self.tolerance)));
        }
        if self.starts == 0 || self.iterations == 0 {
            return Err(Failure::usage("there must be at least one start and one iteration"));
        }
        Ok(Options {
            tolerance: self.tolerance,
            stationarity: Options::default().stationarity,
            iterations: self.iterations,
            starts: self.starts,
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

    /// The solver.
    pub fn solver<'m>(&self, model: &'m Model<f64>, task: Task) -> Result<Solver<'m>, Failure> {
        let chain = Chain::new(model, task.link, task.point);
        let mut options = self.options()?;
        let criterion = self.criterion(model, &chain)?;
        if matches!(self.method, Method::Chang | Method::ExtendedJacobian) {
            options.limits = false;
        }
        let asked = self.criterion_name().contains("manipulability");
        let solver = Solver::new(model, task, criterion, options).map_err(|error| failure(&error))?;
        if asked && solver.rank() < task.row_count() {
            if self.criterion.is_none() {
                // Manipulability was only the default.
                return Solver::new(model, task, Box::new(Constant), options).map_err(|error| failure(&error));
            }
            return Err(failure(&IkError::Dependent).hint("ask for fewer rows: --task position-xy, or --rows"));
        }
        Ok(solver)
    }

    /// The resolved-motion method's own solver: for the manipulability alone it climbs w in SI units, as in the paper.
    pub fn resolved_motion_solver<'m>(&self, model: &'m Model<f64>, mut task: Task) -> Result<Solver<'m>, Failure> {
        if self.criterion_name() != "manipulability" {
            return self.solver(model, task);
        }
        task.length = 1.0;
        let options = Options { limits: false, ..self.options()? };
        let criterion = Box::new(Manipulability::new(Measure::NegativeVolume));
        Solver::new(model, task, criterion, options).map_err(|error| failure(&error))
    }

    fn criterion(&self, model: &Model<f64>, chain: &Chain) -> Result<Box<dyn Criterion>, Failure> {
        let names = self.criterion_name();
        if !names.contains([',', '=']) {
            return self.term(names, model, chain);
        }
        let mut sum = WeightedSum::default();
        for part in names.split(',') {
            let (name, weight) = match part.split_once('=') {
                Some((name, weight)) => (name.trim(), number(weight, "--criterion")?),
                None => (part.trim(), 1.0),
            };
            sum = sum.with(weight, self.term(name, model, chain)?);
        }
        Ok(Box::new(sum))
    }

    fn term(&self, name: &str, model: &Model<f64>, chain: &Chain) -> Result<Box<dyn Criterion>, Failure> {
        Ok(match name {
            "manipulability" => Box::new(Manipulability::default()),
            "mid-range" => Box::new(Joints::mid_range(chain)),
            "limit-barrier" => Box::new(Joints::limit_barrier(chain)),
            "home" => {
                let home = match &self.home {
                    Some(home) => position(home, "--home", model)?,
                    None => model.neutral(),
                };
                let weights = self.weights.as_deref().map(|weights| numbers(weights, "--weights")).transpose()?;
                let weights = weights.unwrap_or_default();
                if home.len() != model.nq() {
                    return Err(wrong_length("--home", home.len(), model.nq()));
                }
                if !weights.is_empty() && weights.len() != model.nv() {
                    return Err(wrong_length("--weights", weights.len(), model.nv()));
                }
                Box::new(Joints::home(model, chain, &home, &weights))
            }
            "obstacles" => {
                let Some(obstacles) = &self.obstacles else {
                    return Err(Failure::usage("the criterion `obstacles` needs --obstacles"));
                };
                if self.samples == 0 || self.samples > 1000 {
                    return Err(Failure::usage(format!("{} points per link cannot be taken", self.samples)));
                }
                Box::new(Obstacles::new(chain, read_obstacles(obstacles)?, self.samples))
            }
            "none" => Box::new(Constant),
            _ => {
                let failure = Failure::usage(format!("there is no criterion `{name}`"));
                return Err(failure.hint(suggest::hint(name, &CRITERIA)));
            }
        })
    }
}

/// An error of the library as the user sees it.
pub fn failure(error: &IkError) -> Failure {
    Failure::new(error.kind(), error.to_string())
}

fn wrong_length(what: &str, found: usize, expected: usize) -> Failure {
    Failure::new("wrong-length", format!("{what} has {found} numbers, but the robot needs {expected}"))
}

fn number(text: &str, what: &str) -> Result<f64, Failure> {
    let found = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    found.ok_or_else(|| Failure::usage(format!("`{text}` in {what} is no number")))
}

fn vector(text: &str, what: &str) -> Result<Vector<f64>, Failure> {
    let parts: Vec<f64> = text.split(',').map(|part| number(part, what)).collect::<Result<_, _>>()?;
    match parts[..] {
        [x, y, z] => Ok(Vector([x, y, z])),
        _ => Err(Failure::usage(format!("{what} needs three numbers, as in 0,0,1"))),
    }
}

fn parse_rows(text: &str) -> Result<[f64; 6], Failure> {
    const NAMES: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];
    let mut weights = [0.0; 6];
    for part in text.split(',') {
        let (name, weight) = match part.split_once('=') {
            Some((name, weight)) => (name.trim(), number(weight, "--rows")?),
            None => (part.trim(), 1.0),
        };
        let index = NAMES.iter().position(|known| *known == name).ok_or_else(|| {
            Failure::usage(format!("there is no row `{name}`")).hint(format!("known here: {}", NAMES.join(", ")))
        })?;
        weights[index] = weight;
    }
    Ok(weights)
}

/// A position: a list of numbers, or a state whose `q` is one or names its joints.
fn position(argument: &str, what: &'static str, model: &Model<f64>) -> Result<Vec<f64>, Failure> {
    let given = input::read_json(argument, what, "position", "[0, 0]")?;
    let names = |value: &Value| value.get("q").is_some_and(Value::is_object);
    match serde_json::from_str::<Value>(&given.text) {
        Ok(value) if names(&value) => {
            let file = jourdain::formats::read_states(&given.text, model).map_err(|found| given.failure(found))?;
            let found = file.states.into_iter().next();
            found.map(|given| given.state.q).ok_or_else(|| Failure::new("bad-numbers", format!("{what} has no state")))
        }
        Ok(value) => listed(&value, what),
        Err(error) => {
            let failure = Failure::new("bad-json", format!("{what} is no JSON: {error}"));
            Err(given.file.iter().fold(failure, Failure::file))
        }
    }
}

/// A list of numbers from a file or the argument itself; an object with `q` will do.
pub fn numbers(argument: &str, what: &'static str) -> Result<Vec<f64>, Failure> {
    listed(&target::read_json(argument, what)?, what)
}

fn listed(value: &Value, what: &'static str) -> Result<Vec<f64>, Failure> {
    let value = value.get("q").unwrap_or(value);
    target::flat(value).ok_or_else(|| Failure::new("bad-numbers", format!("{what} is not a list of finite numbers")))
}

fn read_obstacles(argument: &str) -> Result<Vec<Obstacle>, Failure> {
    let value = target::read_json(argument, "--obstacles")?;
    let bad = |index: usize, message: &str| Failure::new("bad-obstacle", format!("obstacle {index}: {message}"));
    let Value::Array(items) = &value else {
        return Err(Failure::new("bad-obstacle", "--obstacles is not a list"));
    };
    let mut obstacles = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let triple = |key: &str| item.get(key).and_then(target::flat).and_then(|x| <[f64; 3]>::try_from(x).ok());
        let center = triple("center").ok_or_else(|| bad(index, "`center` must be three numbers"))?;
        let radii = match item.get("radii").and_then(target::scalar) {
            Some(radius) => [radius; 3],
            None => triple("radii").ok_or_else(|| bad(index, "`radii` must be a number or three"))?,
        };
        let exponent = match item.get("exponent") {
            Some(exponent) => target::scalar(exponent).ok_or_else(|| bad(index, "`exponent` must be a number"))?,
            None => 2.0,
        };
        let obstacle = Obstacle { center: Vector(center), radii: Vector(radii), exponent };
        if !obstacle.is_valid() {
            return Err(bad(index, "radii must be positive and the exponent at least 2"));
        }
        obstacles.push(obstacle);
    }
    Ok(obstacles)
}
